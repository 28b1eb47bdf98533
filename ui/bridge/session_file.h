// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: a session as files: a recording to look at later, tables, a trace for Perfetto.
#pragma once

#include <QByteArray>
#include <optional>
#include <utility>

#include "ui/bridge/session_history.h"

namespace vitrine::ui {

/// Seconds of the engine's clock; nothing: the whole session.
using TimeRange = std::optional<std::pair<double, double>>;

/// JSON with steps, sequence lines, block frames, rates and requests.  No prompt, no answer and no name of a request is
/// in it, so it can be shared.  Takes up to seconds for a long session: not for the GUI thread.
[[nodiscard]] QByteArray sessionToJson(const SessionHistory& session);
/// `bad_file` names the field, what was found and what was needed.  Not for the GUI thread.
[[nodiscard]] Result<SessionHistory> sessionFromJson(const QByteArray& json);

/// One row a step, oldest first; every field of StepRecord by its name.
[[nodiscard]] QByteArray stepsToCsv(const StepHistory& steps, const TimeRange& range);
[[nodiscard]] QByteArray stepsToJson(const StepHistory& steps, const TimeRange& range);
/// One row a reading of a server elsewhere, oldest first; an empty cell or null: not told.  Histograms in JSON only.
[[nodiscard]] QByteArray readingsToCsv(const HistoryRing<ServerReading>& readings, const TimeRange& range);
[[nodiscard]] QByteArray readingsToJson(const HistoryRing<ServerReading>& readings, const TimeRange& range);
/// Chrome trace-event JSON, which Perfetto opens.
[[nodiscard]] QByteArray stepsToTrace(const StepHistory& steps, const TimeRange& range);

} // namespace vitrine::ui
