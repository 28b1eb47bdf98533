// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: what a line of Markdown is, for those that cut a text and those that show it.
#pragma once

#include <QStringView>

namespace vitrine::ui {

inline constexpr qsizetype kItemIndent = 2; // what belongs to a list item stands at least so far behind its mark

/// `line` without its first blanks, up to `columns` of them; a tab goes to the next multiple of four.
inline QStringView dedented(QStringView line, qsizetype columns) {
    qsizetype at = 0;
    for (qsizetype column = 0; at < line.size() && column < columns && (line[at] == u' ' || line[at] == u'\t'); ++at)
        column = line[at] == u' ' ? column + 1 : (column / 4 + 1) * 4;
    return line.mid(at);
}

inline QStringView withoutIndent(QStringView line) {
    return dedented(line, line.size() * 4);
}

/// Columns of the blanks that `line` begins with.
inline qsizetype indentOf(QStringView line) {
    qsizetype column = 0;
    for (const QChar c : line.left(line.size() - withoutIndent(line).size()))
        column = c == u' ' ? column + 1 : (column / 4 + 1) * 4;
    return column;
}

inline bool isListItem(QStringView line) {
    const QStringView text = withoutIndent(line);
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

inline bool isDelimiterRow(QStringView line) {
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

inline QStringView firstLine(QStringView block) {
    const qsizetype end = block.indexOf(u'\n');
    return end < 0 ? block : block.left(end);
}

} // namespace vitrine::ui
