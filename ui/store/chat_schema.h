// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: tables of the chat database and the steps from one version to the next.
#pragma once

#include <QSqlDatabase>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

inline constexpr int kChatSchemaVersion = 1;

/// Brings an open database to kChatSchemaVersion, forward only.  An older file is copied to `<file>.v<N>` before it is
/// changed; a newer one is refused.  Thread: store.
[[nodiscard]] Stored<void> prepareChatSchema(QSqlDatabase& database);
/// The tables are of a version that can be read as it is, without a change.
[[nodiscard]] bool isChatSchemaKnown(QSqlDatabase& database);

} // namespace vitrine::ui
