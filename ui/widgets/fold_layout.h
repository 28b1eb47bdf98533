// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: two parts side by side, or the second below the first where there is no room for both.
#pragma once

#include <QLayout>

#include <array>
#include <memory>

namespace vitrine::ui {

/// The height follows from the width, so that a folded row pushes what is below it.  Each part is a widget or a layout;
/// the second one may be hidden or missing.
class FoldLayout final : public QLayout {
public:
    /// Who takes the width that is left over when both stand on one line.
    enum class Grows : quint8 { first, second };

    FoldLayout(int gap, Grows grows, QWidget* parent = nullptr);
    ~FoldLayout() override;

    /// Less than this for the part that grows, and the row folds.  A second part that grows gets its hint at least.
    void setRoom(int width);
    /// A fixed width for the first part while side by side; 0: its hint.
    void setFirstWidth(int width);
    void setAlignsTops(bool aligns) { m_alignsTops = aligns; } // else they are centred on their line
    [[nodiscard]] bool folds(int width) const;

    void addItem(QLayoutItem* item) override; // twice at most
    void addPart(QLayout* layout);
    [[nodiscard]] int count() const override;
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
    struct Split;
    [[nodiscard]] bool hasBoth() const;
    [[nodiscard]] Split split(int width) const;

    std::array<std::unique_ptr<QLayoutItem>, 2> m_parts;
    int m_gap, m_room = 0, m_firstWidth = 0;
    Grows m_grows;
    bool m_alignsTops = false;
};

} // namespace vitrine::ui
