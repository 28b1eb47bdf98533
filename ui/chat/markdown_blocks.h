// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: Markdown cut into top-level blocks, so that a growing answer re-parses only its last one.
#pragma once

#include <QString>
#include <vector>

namespace vitrine::ui {

/// One top-level block as a range of the source.  The ranges are in order; blank lines between them belong to none.
struct MarkdownBlock {
    enum class Kind { text, code };
    Kind kind = Kind::text;
    qsizetype begin = 0; // first character in the source
    qsizetype end = 0; // behind the last one, without the line break
    // kind code:
    QString language; // first word of the fence's info string
    qsizetype codeBegin = 0; // the code itself, without fences
    qsizetype codeEnd = 0;
    bool isClosed = true; // false: the fence is still open; shown closed

    bool operator==(const MarkdownBlock&) const = default;
};

/// Blocks of `source` from `from` on, which must be 0 or the begin of a block found before.  A list is one block, blank
/// lines inside included; a heading, a fence, a quote, a table or a paragraph is one each.
[[nodiscard]] std::vector<MarkdownBlock> splitMarkdown(QStringView source, qsizetype from = 0);

/// Brings `blocks` of an older, shorter text up to date with `source`, which starts with that text: only the last two
/// blocks are split again.  Returns how many blocks from the front are unchanged.
std::size_t appendMarkdown(std::vector<MarkdownBlock>& blocks, QStringView source);

/// Code of the last fence of `source`; empty if there is none.
[[nodiscard]] QString lastCodeOf(const QString& source);

/// A text block as QTextDocument::setMarkdown(MarkdownNoHTML) shows it without losing a character: backslashes before
/// brackets and single tildes escaped, images kept as text, delimiter rows of tables made long enough, line breaks kept,
/// lists that do not start at 1 shown with the numbers they have.
[[nodiscard]] QString shownMarkdown(QStringView block);

} // namespace vitrine::ui
