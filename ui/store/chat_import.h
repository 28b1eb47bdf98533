// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: chats out of files: Vitrine's own JSON, and the conversations.json of a ChatGPT export.
#pragma once

#include <QByteArray>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

/// The chats in `json`, under new ids.  Of a ChatGPT export every branch is kept; system and tool messages and turns
/// without text are left out, their children hang on the nearest message that stays.  Thread: any.
[[nodiscard]] Stored<ReadChats> chatsFromFile(const QByteArray& json);

} // namespace vitrine::ui
