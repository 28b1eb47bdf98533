// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: Markdown cut into top-level blocks.
#include "ui/chat/markdown_blocks.h"

#include <algorithm>
#include <utility>

#include "ui/chat/markdown_lines.h"

namespace vitrine::ui {

namespace {

constexpr qsizetype kMaxIndent = 3; // more is indented code
// A block is parsed again whenever it grows, so one without an end would cost more with every token.  Characters.
constexpr qsizetype kLongText = 4'000;
constexpr qsizetype kLongList = 8'000;
constexpr qsizetype kLongTable = 16'000; // a table goes on as raw text behind a cut

bool isBlank(QStringView line) {
    return line.trimmed().isEmpty();
}

/// An opening or closing code fence: at least three equal marks.
struct Fence {
    QChar mark;
    qsizetype length = 0; // 0: not a fence
    QStringView info;
};

Fence fenceOf(QStringView line) {
    const qsizetype indent = indentOf(line);
    if (indent > kMaxIndent || indent >= line.size())
        return {};
    const QChar mark = line[indent];
    if (mark != u'`' && mark != u'~')
        return {};
    qsizetype end = indent;
    while (end < line.size() && line[end] == mark)
        ++end;
    const QStringView info = line.mid(end).trimmed();
    if (end - indent < 3 || (mark == u'`' && info.contains(u'`')))
        return {};
    return {mark, end - indent, info};
}

bool isHeading(QStringView line) {
    const QStringView text = line.trimmed();
    qsizetype level = 0;
    while (level < text.size() && text[level] == u'#')
        ++level;
    return indentOf(line) <= kMaxIndent && level >= 1 && level <= 6 && (level == text.size() || text[level] == u' ');
}

/// Walks over the lines of a source, remembering where each one starts.
class Lines {
public:
    Lines(QStringView source, qsizetype at) : m_source(source), m_at(at) {}
    [[nodiscard]] bool atEnd() const { return m_at >= m_source.size(); }
    [[nodiscard]] qsizetype at() const { return m_at; }
    void seek(qsizetype at) { m_at = at; }
    [[nodiscard]] QStringView peek() const { return m_source.mid(m_at, lineEnd() - m_at); }
    [[nodiscard]] qsizetype lineEnd() const {
        const qsizetype end = m_source.indexOf(u'\n', m_at);
        return end < 0 ? m_source.size() : end;
    }
    void next() { m_at = std::min(lineEnd() + 1, m_source.size()); }

private:
    QStringView m_source;
    qsizetype m_at;
};

/// Indents of the list items around a place, outermost first.
using ListItems = std::vector<qsizetype>;

/// Leaves the items that a line with this indent cannot belong to.
void leaveItems(ListItems& items, qsizetype indent) {
    while (!items.empty() && items.back() + kItemIndent > indent)
        items.pop_back();
}

bool leaves(ListItems items, qsizetype indent) {
    const std::size_t before = items.size();
    leaveItems(items, indent);
    return items.size() < before;
}

/// Inside an item a fence stands behind as many blanks as the item asks for.
Fence fenceIn(const ListItems& items, QStringView line) {
    return fenceOf(items.empty() ? line : line.trimmed());
}

MarkdownBlock takeFence(Lines& lines, const Fence& open, const ListItems& items) {
    MarkdownBlock block;
    block.kind = MarkdownBlock::Kind::code;
    block.begin = lines.at();
    block.items = items;
    block.codeIndent = indentOf(lines.peek());
    const qsizetype space = open.info.indexOf(u' ');
    block.language = (space < 0 ? open.info : open.info.left(space)).toString();
    block.isClosed = false;
    block.end = lines.lineEnd();
    lines.next();
    block.codeBegin = block.codeEnd = lines.at();
    while (!lines.atEnd()) {
        const Fence close = fenceIn(items, lines.peek());
        block.end = lines.lineEnd();
        if (close.length >= open.length && close.mark == open.mark && close.info.isEmpty()) {
            block.isClosed = true;
            lines.next();
            break;
        }
        block.codeEnd = block.end;
        lines.next();
    }
    return block;
}

/// A list goes on over blank lines while what follows is indented or another item.
bool listGoesOn(Lines lines) {
    while (!lines.atEnd() && isBlank(lines.peek()))
        lines.next();
    return !lines.atEnd() && (isListItem(lines.peek()) || indentOf(lines.peek()) >= 2);
}

/// Ends before a fence, whose lines may look like anything; `items` are those open there.
MarkdownBlock takeList(Lines& lines, ListItems& items) {
    MarkdownBlock block;
    block.begin = lines.at();
    block.items = items;
    bool isBehindBlank = false;
    while (!lines.atEnd()) {
        const QStringView line = lines.peek();
        if (isBlank(line)) {
            if (!listGoesOn(lines))
                break;
            isBehindBlank = true;
            lines.next();
            continue;
        }
        const qsizetype length = lines.at() - block.begin;
        const bool isItem = isListItem(line);
        const bool begins = std::exchange(isBehindBlank, false) || isItem;
        if (begins && leaves(block.items, indentOf(line)))
            break; // to an item of the list around this one
        if (length > 0 && (fenceOf(line.trimmed()).length > 0 || (!isItem && isHeading(line))))
            break;
        if ((length > kLongList && isItem) || length > 2 * kLongList)
            break;
        if (isItem) {
            leaveItems(items, indentOf(line));
            items.push_back(indentOf(line));
        }
        block.end = lines.lineEnd();
        lines.next();
    }
    return block;
}

/// What closes the display formula that `line` opens and does not close; empty: it opens none.
QLatin1String openFormula(QStringView line) {
    const QStringView text = line.trimmed();
    for (const auto& [open, close] : {std::pair("\\[", "\\]"), std::pair("$$", "$$")})
        if (text.startsWith(QLatin1String(open)) && !text.mid(2).contains(QLatin1String(close)))
            return QLatin1String(close);
    return {};
}

/// Where a line longer than kLongText is cut: behind a space that a letter follows, so that no mark begins the rest.
qsizetype cutOf(QStringView line) {
    for (qsizetype at = kLongText; at > kLongText / 2; --at)
        if (line[at - 1] == u' ' && line[at].isLetter())
            return at;
    return line[kLongText].isLowSurrogate() ? kLongText - 1 : kLongText;
}

MarkdownBlock takeText(Lines& lines, const ListItems& items) {
    MarkdownBlock block;
    block.begin = lines.at();
    block.items = items;
    const QStringView first = lines.peek();
    if (first.size() > kLongText) {
        lines.seek(block.begin + cutOf(first));
        block.end = lines.at();
        return block;
    }
    block.end = lines.lineEnd();
    const bool isSingle = isHeading(first);
    QLatin1String formula = openFormula(first);
    lines.next();
    const qsizetype longest = isDelimiterRow(lines.peek()) ? kLongTable : kLongText;
    while (!isSingle && !lines.atEnd()) {
        const QStringView line = lines.peek();
        if (isBlank(line) || lines.lineEnd() - block.begin > longest)
            break;
        const bool begins = isHeading(line) || fenceIn(items, line).length > 0 || isListItem(line);
        if (begins && formula.isEmpty()) // "- x" inside a formula is no list
            break;
        if (formula.isEmpty())
            formula = openFormula(line);
        else if (line.contains(formula))
            formula = {};
        block.end = lines.lineEnd();
        lines.next();
    }
    return block;
}

QString dedentedLines(QStringView text, qsizetype indent) {
    if (indent == 0)
        return text.toString();
    QString result;
    result.reserve(text.size());
    for (qsizetype at = 0; at <= text.size();) {
        const qsizetype found = text.indexOf(u'\n', at);
        const qsizetype end = found < 0 ? text.size() : found;
        result += dedented(text.mid(at, end - at), indent);
        if (found >= 0)
            result += u'\n';
        at = end + 1;
    }
    return result;
}

std::vector<MarkdownBlock> splitFrom(QStringView source, qsizetype from, ListItems items) {
    std::vector<MarkdownBlock> blocks;
    Lines lines(source, from);
    while (!lines.atEnd()) {
        const QStringView line = lines.peek();
        if (isBlank(line)) {
            lines.next();
            continue;
        }
        leaveItems(items, indentOf(line));
        const Fence fence = fenceIn(items, line);
        blocks.push_back(fence.length > 0 ? takeFence(lines, fence, items)
                : isListItem(line)        ? takeList(lines, items)
                                          : takeText(lines, items));
    }
    return blocks;
}

} // namespace

std::vector<MarkdownBlock> splitMarkdown(QStringView source) {
    return splitFrom(source, 0, {});
}

std::size_t appendMarkdown(std::vector<MarkdownBlock>& blocks, QStringView source) {
    // The last block may grow, and what grows may join the one before it (a list after its blank line).
    const std::size_t kept = blocks.size() > 2 ? blocks.size() - 2 : 0;
    const std::vector<MarkdownBlock> tail =
        kept == 0 ? splitMarkdown(source) : splitFrom(source, blocks[kept].begin, blocks[kept].items);
    std::size_t same = kept;
    while (same < blocks.size() && same - kept < tail.size() && blocks[same] == tail[same - kept])
        ++same;
    blocks.resize(kept);
    blocks.insert(blocks.end(), tail.begin(), tail.end());
    return same;
}

QString codeOf(QStringView source, const MarkdownBlock& block) {
    return dedentedLines(source.mid(block.codeBegin, block.codeEnd - block.codeBegin), block.codeIndent);
}

QString textOf(QStringView source, const MarkdownBlock& block) {
    const QStringView text = source.mid(block.begin, block.end - block.begin);
    const bool isIndented = !block.items.empty() || (isListItem(firstLine(text)) && indentOf(text) > kMaxIndent);
    return dedentedLines(text, isIndented ? indentOf(text) : 0);
}

QString lastCodeOf(const QString& source) {
    const std::vector<MarkdownBlock> blocks = splitMarkdown(source);
    for (auto it = blocks.rbegin(); it != blocks.rend(); ++it)
        if (it->kind == MarkdownBlock::Kind::code)
            return codeOf(source, *it);
    return {};
}

} // namespace vitrine::ui
