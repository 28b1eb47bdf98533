// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: an on/off switch, 36 x 20, or 52 x 28 for the server.
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractButton>

namespace vitrine::ui {

class Switch final : public QAbstractButton {
    Q_OBJECT
public:
    enum class Size : std::uint8_t { regular, large };
    explicit Switch(const Theme& theme, Size size = Size::regular, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    Size m_size;
};

} // namespace vitrine::ui
