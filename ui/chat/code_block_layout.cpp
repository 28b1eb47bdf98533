// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: a fenced code block.
#include "ui/chat/code_block_layout.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr int kHeader = 32;
constexpr int kPaddingX = 14;
constexpr int kPaddingY = 10;
constexpr int kScrollBar = 4;

} // namespace

CodeBlockLayout::CodeBlockLayout(const Theme& theme, const QString& language) : m_theme(theme), m_language(language) {
    splitLines(0);
}

CodeBlockLayout::~CodeBlockLayout() = default;

void CodeBlockLayout::setCode(QStringView code) {
    if (code == m_code)
        return;
    const bool grows = code.startsWith(m_code);
    m_code = code.toString();
    if (grows && !m_lines.empty()) {
        const int from = m_lines.back().begin;
        splitLines(from);
    } else {
        m_lines.clear();
        m_longest = 0;
        splitLines(0);
    }
    countRows();
}

/// Takes the lines from offset `from` on anew; earlier ones stay as they are.
void CodeBlockLayout::splitLines(int from) {
    CodeState state = CodeState::plain;
    if (!m_lines.empty()) {
        state = m_lines.back().before;
        m_lines.pop_back();
    }
    const CodeLanguage& language = codeLanguage(m_language);
    const int size = static_cast<int>(m_code.size());
    int begin = from;
    while (true) {
        const qsizetype found = m_code.indexOf(u'\n', begin);
        const int end = found < 0 ? size : static_cast<int>(found);
        m_lines.push_back(Line{begin, end - begin, state, nullptr, 1});
        m_longest = std::max(m_longest, end - begin);
        if (found < 0)
            break;
        (void)highlightLine(language, QStringView(m_code).mid(begin, end - begin), state);
        begin = end + 1;
    }
}

int CodeBlockLayout::textWidth() const {
    return std::max(m_width - 2 * m_theme.px(kPaddingX), 40);
}

void CodeBlockLayout::setWidth(int width) {
    if (width == m_width)
        return;
    m_width = width;
    m_scroll = 0;
    if (m_isWrapped)
        for (Line& line : m_lines)
            line.layout.reset();
    countRows();
}

void CodeBlockLayout::setWrapped(bool wrapped) {
    m_isWrapped = wrapped;
    m_scroll = 0;
    for (Line& line : m_lines)
        line.layout.reset();
    countRows();
}

void CodeBlockLayout::countRows() {
    m_totalRows = 0;
    for (Line& line : m_lines) {
        line.rows = m_isWrapped ? std::max(layoutOf(line).lineCount(), 1) : 1;
        m_totalRows += line.rows;
    }
}

int CodeBlockLayout::height() const {
    return m_theme.px(kHeader) + 2 * m_theme.px(kPaddingY) + m_totalRows * m_theme.lineHeight(TextRole::code);
}

QRect CodeBlockLayout::headerRect() const {
    return {0, 0, m_width, m_theme.px(kHeader)};
}

const QTextLayout& CodeBlockLayout::layoutOf(const Line& line) const {
    auto& layout = const_cast<Line&>(line).layout; // a cache: what is shown does not change
    if (layout)
        return *layout;
    const QStringView text = QStringView(m_code).mid(line.begin, line.length);
    layout = std::make_unique<QTextLayout>(text.toString(), m_theme.font(TextRole::code));
    QTextOption option;
    option.setTextDirection(Qt::LeftToRight);
    option.setWrapMode(m_isWrapped ? QTextOption::WrapAnywhere : QTextOption::NoWrap);
    option.setTabStopDistance(4 * QFontMetricsF(m_theme.font(TextRole::code)).horizontalAdvance(u' '));
    layout->setTextOption(option);
    QList<QTextLayout::FormatRange> formats;
    CodeState state = line.before;
    for (const CodeRun& run : highlightLine(codeLanguage(m_language), text, state)) {
        QTextCharFormat format;
        format.setForeground(m_theme.color(run.color));
        formats.append({static_cast<int>(run.begin), static_cast<int>(run.length), format});
    }
    layout->setFormats(formats);
    const int rowHeight = m_theme.lineHeight(TextRole::code);
    layout->beginLayout();
    for (int row = 0;; ++row) {
        QTextLine textLine = layout->createLine();
        if (!textLine.isValid())
            break;
        textLine.setLineWidth(m_isWrapped ? textWidth() : 1e7);
        textLine.setPosition(QPointF(0, row * rowHeight + (rowHeight - textLine.height()) / 2));
    }
    layout->endLayout();
    return *layout;
}

int CodeBlockLayout::lineTop(std::size_t index) const {
    int rows = static_cast<int>(index);
    if (m_isWrapped) {
        rows = 0;
        for (std::size_t i = 0; i < index; ++i)
            rows += m_lines[i].rows;
    }
    return m_theme.px(kHeader) + m_theme.px(kPaddingY) + rows * m_theme.lineHeight(TextRole::code);
}

void CodeBlockLayout::paint(QPainter& painter, const QRect& clip, TextRange selection) const {
    painter.save();
    painter.setLayoutDirection(Qt::LeftToRight); // code always
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Color::well));
    painter.drawRoundedRect(QRect(0, 0, m_width, height()), Measure::kRadiusCard, Measure::kRadiusCard);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(0, m_theme.px(kHeader) - 1, m_width, 1), m_theme.color(Color::hairline));
    painter.setFont(m_theme.font(TextRole::codeSmall));
    painter.setPen(m_theme.color(Color::text3));
    const int padding = m_theme.px(kPaddingX);
    painter.drawText(headerRect().adjusted(padding, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_language);

    painter.setClipRect(QRect(padding, 0, textWidth(), height()), Qt::IntersectClip);
    painter.setPen(m_theme.color(Color::text1));
    const int rowHeight = m_theme.lineHeight(TextRole::code);
    int top = lineTop(0);
    for (const Line& line : m_lines) {
        const int bottom = top + line.rows * rowHeight;
        if (bottom >= clip.top() && top <= clip.bottom()) {
            QList<QTextLayout::FormatRange> marked;
            const int begin = std::max(selection.begin - line.begin, 0);
            const int end = std::min(selection.end - line.begin, line.length);
            if (!selection.isEmpty() && begin < end) {
                QTextCharFormat format;
                format.setBackground(m_theme.color(Color::accent, 0.25));
                marked.append({begin, end - begin, format});
            }
            layoutOf(line).draw(&painter, QPointF(padding - m_scroll, top), marked);
        }
        top = bottom;
    }
    if (const int wide =
            static_cast<int>(m_longest * QFontMetricsF(m_theme.font(TextRole::code)).horizontalAdvance(u'0'));
        !m_isWrapped && wide > textWidth()) {
        const int handle = std::max(textWidth() * textWidth() / wide, 24);
        const int room = std::max(wide - textWidth(), 1);
        const int x = padding + (textWidth() - handle) * std::min(m_scroll, room) / room;
        painter.fillRect(QRect(x, height() - kScrollBar - 2, handle, kScrollBar), m_theme.color(Color::press));
    }
    painter.restore();
}

bool CodeBlockLayout::scrollBy(int pixels) {
    const int wide = static_cast<int>(m_longest * QFontMetricsF(m_theme.font(TextRole::code)).horizontalAdvance(u'0'));
    if (m_isWrapped || wide <= textWidth())
        return false;
    m_scroll = std::clamp(m_scroll + pixels, 0, wide - textWidth());
    return true;
}

int CodeBlockLayout::offsetAt(QPoint point) const {
    const int rowHeight = m_theme.lineHeight(TextRole::code);
    int top = lineTop(0);
    for (const Line& line : m_lines) {
        const int bottom = top + line.rows * rowHeight;
        if (point.y() < bottom || &line == &m_lines.back()) {
            const QTextLayout& layout = layoutOf(line);
            const int row = std::clamp((point.y() - top) / rowHeight, 0, std::max(layout.lineCount() - 1, 0));
            const QTextLine textLine = layout.lineAt(row);
            const double x = point.x() - m_theme.px(kPaddingX) + m_scroll;
            return line.begin + (textLine.isValid() ? textLine.xToCursor(x) : 0);
        }
        top = bottom;
    }
    return 0;
}

QRect CodeBlockLayout::cursorRect(int offset) const {
    std::size_t index = 0;
    while (index + 1 < m_lines.size() && m_lines[index + 1].begin <= offset)
        ++index;
    const Line& line = m_lines[index];
    const QTextLayout& layout = layoutOf(line);
    const QTextLine textLine = layout.lineForTextPosition(offset - line.begin);
    const double x = textLine.isValid() ? textLine.cursorToX(offset - line.begin) : 0;
    const int y = lineTop(index) + (textLine.isValid() ? static_cast<int>(textLine.y()) : 0);
    return {m_theme.px(kPaddingX) - m_scroll + static_cast<int>(x), y, 1, m_theme.lineHeight(TextRole::code)};
}

} // namespace vitrine::ui
