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
    /// Indents of the list items it lies in, outermost first: code that belongs to an item, and what follows such code.
    std::vector<qsizetype> items;
    // kind code:
    QString language; // first word of the fence's info string
    qsizetype codeBegin = 0; // the code itself, without fences
    qsizetype codeEnd = 0;
    qsizetype codeIndent = 0; // blanks before the fence, which its lines lose
    bool isClosed = true; // false: the fence is still open; shown closed

    bool operator==(const MarkdownBlock&) const = default;
};

/// A list is one block, blank lines inside included, up to a fence inside it: code in an item has its colours, its buttons
/// and its own scrolling, as any other has.  A heading, a fence, a quote, a table or a paragraph is one block each.
[[nodiscard]] std::vector<MarkdownBlock> splitMarkdown(QStringView source);

/// Brings `blocks` of an older, shorter text up to date with `source`, which starts with that text: only the last two
/// blocks are split again.  Returns how many blocks from the front are unchanged.
std::size_t appendMarkdown(std::vector<MarkdownBlock>& blocks, QStringView source);

/// The lines between the fences of `block`, without the blanks its fence stands behind.
[[nodiscard]] QString codeOf(QStringView source, const MarkdownBlock& block);
/// The source of a text block; inside a list item without the indent of its first line, which would make it code.
[[nodiscard]] QString textOf(QStringView source, const MarkdownBlock& block);

/// Code of the last fence of `source`; empty if there is none.
[[nodiscard]] QString lastCodeOf(const QString& source);

} // namespace vitrine::ui
