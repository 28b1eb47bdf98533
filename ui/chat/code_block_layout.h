// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: a fenced code block: header line, coloured lines, own horizontal scrolling.
#pragma once

#include <memory>
#include <vector>

#include "ui/chat/block_layout.h"
#include "ui/chat/code_highlighter.h"

class QTextLayout;

namespace vitrine::ui {

/// Always left to right.  Lines are laid out when they are painted, so a fence of 3,000 lines costs what is in view;
/// growing code re-colours its last line only.
class CodeBlockLayout final : public BlockLayout {
public:
    CodeBlockLayout(const Theme& theme, const QString& language);
    ~CodeBlockLayout() override;

    /// `code` must start with the code set before, or everything is taken anew.
    void setCode(QStringView code);
    void setWrapped(bool wrapped);
    [[nodiscard]] bool isWrapped() const { return m_isWrapped; }
    [[nodiscard]] QString language() const { return m_language; }
    /// Where the tool buttons stand: the right end of the header line.
    [[nodiscard]] QRect headerRect() const;

    void setWidth(int width) override;
    [[nodiscard]] int height() const override;
    void paint(QPainter& painter, const QRect& clip, TextRange selection) const override;
    [[nodiscard]] int offsetAt(QPoint point) const override;
    [[nodiscard]] QRect cursorRect(int offset) const override;
    [[nodiscard]] QString text() const override { return m_code; }
    bool scrollBy(int pixels) override;

private:
    struct Line {
        int begin = 0;
        int length = 0;
        CodeState before = CodeState::plain;
        std::unique_ptr<QTextLayout> layout; // null: not needed yet
        int rows = 1; // above 1 when wrapped
    };
    void splitLines(int from);
    const QTextLayout& layoutOf(const Line& line) const;
    [[nodiscard]] int lineTop(std::size_t index) const;
    [[nodiscard]] int textWidth() const;
    void countRows();

    const Theme& m_theme;
    QString m_language;
    QString m_code;
    mutable std::vector<Line> m_lines;
    int m_width = 0;
    int m_scroll = 0;
    int m_longest = 0; // characters of the longest line
    int m_totalRows = 0;
    bool m_isWrapped = false;
};

} // namespace vitrine::ui
