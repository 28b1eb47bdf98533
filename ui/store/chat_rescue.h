// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: a damaged database is kept aside and what can be read of it goes into a new one.
#pragma once

#include <QString>

namespace vitrine::ui {

class ChatDatabase;

/// SQLite cannot read the file, or its quick check finds a fault.  A missing or empty file is sound, one of a newer
/// version too.  Files above 64 MiB are judged by their first pages alone: the check reads every page.
[[nodiscard]] bool isDatabaseDamaged(const QString& file);
/// Renames the file and its WAL to "chats.sqlite.damaged-20261130-021500..."; the new name, or empty when it cannot.
[[nodiscard]] QString setDatabaseAside(const QString& file);
/// Copies the chats that can be read from `damaged` into `target`; how many.
int rescueChats(const QString& damaged, ChatDatabase& target);

} // namespace vitrine::ui
