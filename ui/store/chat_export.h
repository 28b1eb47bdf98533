// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: a chat as Markdown or JSON, readable without Vitrine.
#pragma once

#include <QByteArray>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

/// The branch that ends in the chat's leaf (its newest message if that is lost): a heading, then every turn under its role; text exactly as it is.
[[nodiscard]] QByteArray chatToMarkdown(const ChatTree& tree);
/// The whole tree with statistics; ids as text, times in ISO 8601.
[[nodiscard]] QByteArray chatToJson(const ChatTree& tree);
/// What chatToJson() wrote, under new ids; nothing if it is something else.
[[nodiscard]] Stored<ChatTree> chatFromJson(const QByteArray& json);
[[nodiscard]] QJsonObject chatToObject(const ChatTree& tree);
enum class ChatIds { fresh, kept }; // kept: as written, for a backup
/// Messages without a role, a text or an id are counted as hidden; their children hang on the nearest message above.
[[nodiscard]] Stored<ChatTree> chatFromObject(const QJsonObject& object, ChatIds wanted);
/// Writes by rename.  Thread: any but GUI.
[[nodiscard]] Stored<void> writeExport(const QString& path, const QByteArray& bytes);

} // namespace vitrine::ui
