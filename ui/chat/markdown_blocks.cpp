// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: Markdown cut into top-level blocks.
#include "ui/chat/markdown_blocks.h"

#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr qsizetype kMaxIndent = 3; // more is indented code
// A block is parsed again whenever it grows, so one without an end would cost more with every token.  Characters.
constexpr qsizetype kLongText = 4'000;
constexpr qsizetype kLongList = 8'000;
constexpr qsizetype kLongTable = 16'000; // a table goes on as raw text behind a cut
constexpr qsizetype kLongMath = 2'000;

qsizetype indentOf(QStringView line) {
    qsizetype indent = 0;
    while (indent < line.size() && line[indent] == u' ')
        ++indent;
    return indent;
}

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

bool isListItem(QStringView line) {
    const QStringView text = line.mid(indentOf(line));
    if (text.isEmpty())
        return false;
    if (text[0] == u'-' || text[0] == u'*' || text[0] == u'+')
        return text.size() == 1 || text[1] == u' ';
    qsizetype digits = 0;
    while (digits < text.size() && digits < 9 && text[digits].isDigit())
        ++digits;
    return digits > 0 && digits < text.size() && (text[digits] == u'.' || text[digits] == u')') &&
        (digits + 1 == text.size() || text[digits + 1] == u' ');
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

MarkdownBlock takeFence(Lines& lines, const Fence& open) {
    MarkdownBlock block;
    block.kind = MarkdownBlock::Kind::code;
    block.begin = lines.at();
    const qsizetype space = open.info.indexOf(u' ');
    block.language = (space < 0 ? open.info : open.info.left(space)).toString();
    block.isClosed = false;
    block.end = lines.lineEnd();
    lines.next();
    block.codeBegin = block.codeEnd = lines.at();
    while (!lines.atEnd()) {
        const Fence close = fenceOf(lines.peek());
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

/// Skips a fence inside a list item, whose lines may look like anything.
void skipInnerFence(Lines& lines, const Fence& open, MarkdownBlock& block) {
    lines.next();
    while (!lines.atEnd()) {
        const Fence close = fenceOf(lines.peek().trimmed());
        block.end = lines.lineEnd();
        lines.next();
        if (close.length >= open.length && close.mark == open.mark && close.info.isEmpty())
            return;
    }
}

MarkdownBlock takeList(Lines& lines) {
    MarkdownBlock block;
    block.begin = lines.at();
    const qsizetype indent = indentOf(lines.peek());
    while (!lines.atEnd()) {
        const QStringView line = lines.peek();
        if (isBlank(line)) {
            if (!listGoesOn(lines))
                break;
            lines.next();
            continue;
        }
        if (lines.at() - block.begin > kLongList && isListItem(line) && indentOf(line) <= indent)
            break;
        const bool isInside = isListItem(line) || indentOf(line) >= 2;
        const Fence fence = fenceOf(line.trimmed());
        if (!isInside && (fence.length > 0 || isHeading(line)))
            break;
        block.end = lines.lineEnd();
        if (isInside && fence.length > 0)
            skipInnerFence(lines, fence, block);
        else
            lines.next();
    }
    return block;
}

bool isDelimiterRow(QStringView line) {
    bool hasDash = false;
    bool hasPipe = false;
    for (const QChar c : line) {
        hasDash = hasDash || c == u'-';
        hasPipe = hasPipe || c == u'|';
        if (c != u'-' && c != u'|' && c != u':' && c != u' ' && c != u'\t')
            return false;
    }
    return hasDash && hasPipe;
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

MarkdownBlock takeText(Lines& lines) {
    MarkdownBlock block;
    block.begin = lines.at();
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
        const bool begins = isHeading(line) || fenceOf(line).length > 0 || isListItem(line);
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

/// "|-|:-:|" to "|---|:---:|": Qt leaves shorter ones raw.
QString longDelimiters(QStringView line) {
    QString result;
    for (qsizetype i = 0; i < line.size();) {
        if (line[i] != u'-') {
            result += line[i++];
            continue;
        }
        qsizetype end = i;
        while (end < line.size() && line[end] == u'-')
            ++end;
        result += QString(std::max<qsizetype>(end - i, 3), u'-');
        i = end;
    }
    return result;
}

/// Length of the run of `mark` at `at`.
qsizetype runLength(QStringView text, qsizetype at, QChar mark) {
    qsizetype end = at;
    while (end < text.size() && text[end] == mark)
        ++end;
    return end - at;
}

/// End of the code span that a run of backticks at `at` opens, or `at` if none closes it.
qsizetype codeSpanEnd(QStringView text, qsizetype at) {
    const qsizetype length = runLength(text, at, u'`');
    for (qsizetype i = at + length; i < text.size(); ++i) {
        if (text[i] != u'`')
            continue;
        const qsizetype found = runLength(text, i, u'`');
        if (found == length)
            return i + found;
        i += found - 1;
    }
    return at;
}

bool isBracket(QChar c) {
    return c == u'(' || c == u')' || c == u'[' || c == u']';
}

/// End of the formula that begins at `at`, or `at` if none does: "\\( \\)", "\\[ \\]", "$$ $$", and "$ $" on one line with no
/// space inside its ends and no digit behind it, by which pandoc tells formulas from prices.
qsizetype formulaEnd(QStringView text, qsizetype at) {
    if (text[at] != u'\\' && text[at] != u'$')
        return at;
    const QStringView rest = text.mid(at, kLongMath);
    for (const auto& [open, close] : {std::pair("\\(", "\\)"), std::pair("\\[", "\\]"), std::pair("$$", "$$")})
        if (rest.startsWith(QLatin1String(open))) {
            const qsizetype end = rest.indexOf(QLatin1String(close), 2);
            return end < 0 ? at : at + end + 2;
        }
    const bool isWord = at > 0 && text[at - 1].isLetterOrNumber();
    if (!rest.startsWith(u'$') || isWord || rest.size() < 3 || rest[1].isSpace())
        return at;
    for (qsizetype i = 2; i < rest.size() && rest[i] != u'\n'; ++i)
        if (rest[i] == u'$' && rest[i - 1] != u'\\' && !rest[i - 1].isSpace())
            return i + 1 < rest.size() && rest[i + 1].isLetterOrNumber() ? at : at + i + 1;
    return at;
}

/// Every mark as itself: no emphasis out of "a_1 * b_1", no backslash lost.
QString literal(QStringView text) {
    QString result;
    for (const QChar c : text) {
        if (c.unicode() < 128 && (c.isPunct() || c.isSymbol()))
            result += u'\\';
        result += c;
    }
    return result;
}

QString escapedInline(QStringView text) {
    QString result;
    result.reserve(text.size() + 16);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        const QChar next = i + 1 < text.size() ? text[i + 1] : QChar();
        if (c == u'`') {
            const qsizetype end = codeSpanEnd(text, i);
            const qsizetype length = end > i ? end - i : runLength(text, i, u'`');
            result += text.mid(i, length);
            i += length - 1;
        } else if (const qsizetype end = formulaEnd(text, i); end > i) {
            result += literal(text.mid(i, end - i));
            i = end - 1;
        } else if (c == u'\\' && isBracket(next)) {
            result += QLatin1String("\\\\\\"); // a visible backslash, then the bracket as text
            result += next;
            ++i;
        } else if (c == u'\\' && !next.isNull()) {
            result += c;
            result += next;
            ++i;
        } else if (c == u'!' && next == u'[') {
            result += QLatin1String("!\\["); // an image would be an empty box: nothing is ever loaded
            ++i;
        } else if (c == u'~') {
            const qsizetype length = runLength(text, i, u'~');
            result += length == 1 ? QStringLiteral("\\~") : text.mid(i, length).toString();
            i += length - 1;
        } else {
            result += c;
        }
    }
    return result;
}

/// Digits of an ordered item such as "12. text", or 0.
qsizetype orderedDigits(QStringView line) {
    const QStringView text = line.mid(indentOf(line));
    qsizetype digits = 0;
    while (digits < text.size() && text[digits].isDigit())
        ++digits;
    return isListItem(line) && digits > 0 ? digits : 0;
}

/// Qt counts every list from 1 (a start value comes with 6.6), so one that starts elsewhere is shown as written.
bool startsElsewhere(QStringView block) {
    const qsizetype digits = orderedDigits(block.left(block.indexOf(u'\n') < 0 ? block.size() : block.indexOf(u'\n')));
    return digits > 0 && block.mid(indentOf(block), digits).toInt() != 1;
}

/// "2. text" to "2\\. text".
QString withoutNumbering(QStringView line) {
    const qsizetype digits = orderedDigits(line);
    const qsizetype at = indentOf(line) + digits;
    return digits == 0 ? line.toString() : line.left(at).toString() + u'\\' + line.mid(at).toString();
}

} // namespace

std::vector<MarkdownBlock> splitMarkdown(QStringView source, qsizetype from) {
    std::vector<MarkdownBlock> blocks;
    Lines lines(source, from);
    while (!lines.atEnd()) {
        const QStringView line = lines.peek();
        if (isBlank(line)) {
            lines.next();
            continue;
        }
        const Fence fence = fenceOf(line);
        blocks.push_back(fence.length > 0 ? takeFence(lines, fence)
                : isListItem(line)        ? takeList(lines)
                                          : takeText(lines));
    }
    return blocks;
}

std::size_t appendMarkdown(std::vector<MarkdownBlock>& blocks, QStringView source) {
    // The last block may grow, and what grows may join the one before it (a list after its blank line).
    const std::size_t kept = blocks.size() > 2 ? blocks.size() - 2 : 0;
    const qsizetype from = kept > 0 ? blocks[kept].begin : 0;
    const std::vector<MarkdownBlock> tail = splitMarkdown(source, from);
    std::size_t same = kept;
    while (same < blocks.size() && same - kept < tail.size() && blocks[same] == tail[same - kept])
        ++same;
    blocks.resize(kept);
    blocks.insert(blocks.end(), tail.begin(), tail.end());
    return same;
}

QString lastCodeOf(const QString& source) {
    const std::vector<MarkdownBlock> blocks = splitMarkdown(source);
    for (auto it = blocks.rbegin(); it != blocks.rend(); ++it)
        if (it->kind == MarkdownBlock::Kind::code)
            return source.mid(it->codeBegin, it->codeEnd - it->codeBegin);
    return {};
}

QString shownMarkdown(QStringView block) {
    const bool escapesNumbers = startsElsewhere(block);
    QString result;
    QString pending; // lines whose inline text is escaped together: a code span may cross a line break
    const auto flush = [&] {
        result += escapedInline(pending);
        pending.clear();
    };
    for (qsizetype at = 0; at < block.size();) {
        const qsizetype lineBreak = block.indexOf(u'\n', at);
        const qsizetype end = lineBreak < 0 ? block.size() : lineBreak;
        const QStringView line = block.mid(at, end - at);
        if (isDelimiterRow(line)) {
            flush();
            result += longDelimiters(line);
        } else {
            pending += escapesNumbers ? withoutNumbering(line) : line.toString();
        }
        if (lineBreak >= 0)
            pending += QLatin1String("  \n"); // models mean the line breaks they write
        at = end + 1;
    }
    flush();
    return result;
}

} // namespace vitrine::ui
