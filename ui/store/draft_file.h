// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: what was typed and not sent, kept over a restart.
#pragma once

#include <QByteArray>
#include <QHash>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

using Drafts = QHash<ChatId, Draft>; // 0: of the chat that has no turn yet

[[nodiscard]] QByteArray draftsToJson(const Drafts& drafts);
/// Empty for what cannot be read: a lost draft is no reason not to start.
[[nodiscard]] Drafts draftsFromJson(const QByteArray& json);

} // namespace vitrine::ui
