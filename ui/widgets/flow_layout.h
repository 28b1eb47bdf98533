// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: widgets in lines, broken where the width ends.
#pragma once

#include <QLayout>
#include <memory>
#include <vector>

namespace vitrine::ui {

/// In reading order from the leading edge; a widget wider than the line is given the line's width.
class FlowLayout final : public QLayout {
public:
    FlowLayout(int spacing, QWidget* parent = nullptr);
    ~FlowLayout() override;

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
    int arrange(const QRect& rect, bool places) const; // the height used

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
    int m_gap;
};

} // namespace vitrine::ui
