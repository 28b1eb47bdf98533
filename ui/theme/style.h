// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: what a style sheet cannot draw: check, radio, combo box, slider; popups with round corners.
#pragma once

#include "ui/theme/theme.h"

#include <QProxyStyle>

namespace vitrine::ui {

class Style final : public QProxyStyle {
    Q_OBJECT
public:
    /// `isComposited`: asked whenever a popup is made; nullptr: the screen is asked.
    explicit Style(const Theme& theme, bool (*isComposited)() = nullptr);

    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
    [[nodiscard]] int pixelMetric(
        PixelMetric metric, const QStyleOption* option = nullptr, const QWidget* widget = nullptr) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option = nullptr, const QWidget* widget = nullptr,
        QStyleHintReturn* returnData = nullptr) const override;
    [[nodiscard]] QSize sizeFromContents(
        ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const override;
    [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
        const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
        const QWidget* widget = nullptr) const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // of popups without a compositor

private:
    void drawCheck(const QStyleOption& option, QPainter& painter) const;
    void drawRadio(const QStyleOption& option, QPainter& painter) const;
    void drawComboBox(const QStyleOptionComplex& option, QPainter& painter) const;
    void drawSlider(const QStyleOptionComplex& option, QPainter& painter, const QWidget* widget) const;

    const Theme& m_theme;
    bool (*m_isComposited)();
};

} // namespace vitrine::ui
