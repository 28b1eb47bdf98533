// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: equal columns, as many as the width has room for.
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace vitrine::ui {

/// Items in reading order, each as wide as its column, each row as high as its highest item.  Hidden ones take no place.
class TileLayout final : public QLayout {
public:
    TileLayout(int maxColumns, int columnGap, int rowGap, QWidget* parent = nullptr);
    ~TileLayout() override;

    /// A column is never narrower, unless there is one alone.  0: the widest hint among the items.
    void setColumnWidth(int width);

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] int minimumHeightForWidth(int width) const override { return heightForWidth(width); }
    void setGeometry(const QRect& rect) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;

private:
    [[nodiscard]] int numColumns(int width) const;
    int arrange(const QRect& rect, bool places) const; // the height used

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
    int m_maxColumns, m_columnGap, m_rowGap, m_columnWidth = 0;
};

} // namespace vitrine::ui
