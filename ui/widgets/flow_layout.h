// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: widgets in lines, broken where the width ends.
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace vitrine::ui {

/// In reading order from the leading edge, centred on their line; a widget wider than the line is given the line's
/// width.  Hidden ones take no place.
class FlowLayout final : public QLayout {
public:
    FlowLayout(int spacing, QWidget* parent = nullptr);
    ~FlowLayout() override;
    /// The last widget stands at the far edge of its line, unless it is alone there.
    void setEndsAtEdge(bool ends) { m_endsAtEdge = ends; }
    /// What is left of a line is shared by its widgets.
    void setFillsLines(bool fills) { m_fillsLines = fills; }
    /// Asks for room enough not to break.
    void setOneLine(bool one) { m_isOneLine = one; }
    /// Lower widgets stand in the middle of lines that high.
    void setLineHeight(int height) { m_lineHeight = height; }

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    void setGeometry(const QRect& rect) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;

private:
    [[nodiscard]] int lineHeight() const;
    int arrange(const QRect& rect, bool places) const; // the height used

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
    int m_gap;
    int m_lineHeight = 0;
    bool m_fillsLines = false, m_isOneLine = false;
    bool m_endsAtEdge = false;
};

} // namespace vitrine::ui
