// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: all chats in one file, and back.
#pragma once

#include "ui/store/chat_records.h"

namespace vitrine::ui {

/// {"vitrine_backup": 1, "chats": [...]}, each chat as chat_export.h writes it plus its id, folder and marks.  By rename.
[[nodiscard]] Stored<void> writeBackup(const QString& path, const QList<ChatTree>& chats);
/// Ids are those of the file, so that a second restore adds nothing.  A chat that cannot be read does not keep the others away.
[[nodiscard]] Stored<ReadChats> readBackup(const QByteArray& json);

} // namespace vitrine::ui
