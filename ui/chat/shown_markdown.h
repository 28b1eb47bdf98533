// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: Markdown as Qt shows it without losing a character.
#pragma once

#include <QString>

namespace vitrine::ui {

/// A text block as QTextDocument::setMarkdown(MarkdownNoHTML) shows it without losing a character: backslashes before
/// brackets and single tildes escaped, images kept as text, delimiter rows of tables made long enough, line breaks kept,
/// lists that do not start at 1 as paragraphs with the numbers they have.
[[nodiscard]] QString shownMarkdown(QStringView block);
/// A list whose items are such paragraphs.
[[nodiscard]] bool hasWrittenNumbers(QStringView block);

} // namespace vitrine::ui
