// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: Markdown as Qt shows it without losing a character.
#include "ui/chat/shown_markdown.h"

#include <algorithm>

#include "ui/chat/markdown_lines.h"

namespace vitrine::ui {

namespace {

constexpr qsizetype kLongMath = 2'000; // characters a formula may have

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
    const QStringView text = withoutIndent(line);
    qsizetype digits = 0;
    while (digits < text.size() && text[digits].isDigit())
        ++digits;
    return isListItem(line) && digits > 0 ? digits : 0;
}

/// A line of a list that keeps its numbers: "2. text" to a paragraph "2\\. text"; what belongs to the item loses the
/// indent that the item had asked for.
QString writtenNumber(QStringView line, qsizetype listIndent, qsizetype itemIndent) {
    const qsizetype digits = orderedDigits(line), indent = indentOf(line);
    if (digits == 0 || indent >= listIndent + kItemIndent)
        return dedented(line, itemIndent).toString();
    const QStringView text = withoutIndent(line);
    return u'\n' + text.left(digits).toString() + u'\\' + text.mid(digits).toString();
}

} // namespace

/// Qt counts every list from 1 (a start value comes with 6.6), so one that starts elsewhere is shown as written.
bool hasWrittenNumbers(QStringView block) {
    const QStringView line = firstLine(block);
    const qsizetype digits = orderedDigits(line);
    return digits > 0 && withoutIndent(line).left(digits).toInt() != 1;
}

QString shownMarkdown(QStringView block) {
    const bool writesNumbers = hasWrittenNumbers(block);
    const qsizetype listIndent = indentOf(block);
    const qsizetype itemIndent = listIndent + orderedDigits(firstLine(block)) + 2; // "2. "
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
            pending += writesNumbers ? writtenNumber(line, listIndent, itemIndent) : line.toString();
        }
        if (lineBreak >= 0)
            pending += QLatin1String("  \n"); // models mean the line breaks they write
        at = end + 1;
    }
    flush();
    return result;
}

} // namespace vitrine::ui
