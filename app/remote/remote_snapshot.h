// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: readings of a server as the values pages know.
#pragma once

#include <deque>
#include <memory>

#include "app/remote/remote_answer.h"

namespace vitrine::app {

/// The model of a server: name, place and context; whatever else it is the server does not tell.
[[nodiscard]] std::shared_ptr<const engine::LoadedModel> remoteModel(const RemoteTarget& target);

/// Writes counters, rates and counts of `readings` (oldest first, one server, no restart between them) over what the
/// program knows of its own requests.  What the server does not tell stays as it is.
void applyReadings(const std::deque<ui::ServerReading>& readings, ui::Snapshot& snapshot);

} // namespace vitrine::app
