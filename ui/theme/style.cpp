// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: hand-painted controls on top of Fusion.
#include "ui/theme/style.h"

#include "ui/theme/compositing.h"

#include <QAbstractItemView>
#include <QBitmap>
#include <QComboBox>
#include <QEvent>
#include <QMenu>
#include <QPainter>
#include <QSlider>
#include <QStyleOption>

namespace vitrine::ui {
namespace {

constexpr int kIndicator = 16;
constexpr int kKnob = 16;
constexpr int kGroove = 4;
constexpr int kComboLead = 10, kComboArrow = 28, kComboSpare = 8; // before and behind the words of a combo box

QRectF inner(const QRect& rect, double inset) {
    return QRectF(rect).adjusted(inset, inset, -inset, -inset);
}

/// What lies inside the round corners of a popup; a pixel that the curve cuts counts where most of it is inside.
QRegion roundRegion(const QSize& size) {
    QImage inside(size, QImage::Format_Grayscale8);
    inside.fill(0xFF);
    QPainter painter(&inside);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(Qt::SolidPattern);
    painter.drawRoundedRect(QRectF(QPointF(), size), Measure::kRadiusCard, Measure::kRadiusCard);
    painter.end();
    return QRegion(QBitmap::fromImage(inside.convertToFormat(QImage::Format_Mono, Qt::ThresholdDither)));
}

} // namespace

Style::Style(const Theme& theme, bool (*composited)())
    : QProxyStyle(QStringLiteral("Fusion")), m_theme(theme),
      m_isComposited(composited != nullptr ? composited : isComposited) {}

void Style::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    // Corners outside the radius would stay white, and black where nothing composites: there they are cut off.
    if (qobject_cast<QMenu*>(widget) || widget->inherits("QComboBoxPrivateContainer")) {
        widget->setWindowFlags(widget->windowFlags() | Qt::FramelessWindowHint | Qt::NoDropShadowWindowHint);
        const bool isTranslucent = m_isComposited();
        widget->setAttribute(Qt::WA_TranslucentBackground, isTranslucent);
        if (!isTranslucent)
            widget->installEventFilter(this);
    }
    if (qobject_cast<QSlider*>(widget) || qobject_cast<QComboBox*>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

bool Style::eventFilter(QObject* watched, QEvent* event) {
    if (auto* popup = qobject_cast<QWidget*>(watched);
        popup != nullptr && (event->type() == QEvent::Resize || event->type() == QEvent::Show))
        popup->setMask(roundRegion(popup->size()));
    return false;
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return m_theme.px(kIndicator);
    case PM_SliderThickness:
    case PM_SliderControlThickness:
    case PM_SliderLength:
        return m_theme.px(kKnob);
    case PM_SmallIconSize: // of the actions in a field
        return m_theme.px(Measure::kIconRow);
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return m_theme.px(8);
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_SplitterWidth:
        return 1;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(
    StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* returnData) const {
    switch (hint) {
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton;
    case SH_ComboBox_Popup:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ItemView_ShowDecorationSelected:
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_ToolTip_WakeUpDelay:
        return 500;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QSize Style::sizeFromContents(
    ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const {
    // Of the words alone: what Fusion adds around them does not grow with the text size.
    if (type == CT_ComboBox)
        return {size.width() + m_theme.px(kComboLead + kComboArrow + kComboSpare),
            std::max(size.height(), m_theme.px(Measure::kField))};
    return QProxyStyle::sizeFromContents(type, option, size, widget);
}

QRect Style::subControlRect(
    ComplexControl control, const QStyleOptionComplex* option, SubControl part, const QWidget* widget) const {
    if (control == CC_ComboBox && part == SC_ComboBoxEditField) {
        const QRect field = option->rect.adjusted(m_theme.px(kComboLead), 1, -m_theme.px(kComboArrow), -1);
        return visualRect(option->direction, option->rect, field);
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

void Style::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const {
    switch (element) {
    case PE_IndicatorCheckBox:
        drawCheck(*option, *painter);
        return;
    case PE_IndicatorRadioButton:
        drawRadio(*option, *painter);
        return;
    case PE_FrameFocusRect: // one ring widget follows the focus
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const {
    if (control == CC_ComboBox)
        drawComboBox(*option, *painter);
    else if (control == CC_Slider)
        drawSlider(*option, *painter, widget);
    else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void Style::drawCheck(const QStyleOption& option, QPainter& painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool enabled = option.state & State_Enabled;
    const bool checked = option.state & State_On;
    const QColor edge = m_theme.color(!enabled ? Color::disabled : checked ? Color::accent : Color::control);
    painter.setPen(QPen(edge, 1));
    painter.setBrush(checked ? edge : m_theme.color(Color::page));
    painter.drawRoundedRect(inner(option.rect, 0.5), 4, 4);
    if (checked) {
        const QRectF box = option.rect;
        painter.setPen(QPen(m_theme.color(Color::onAccent), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF{box.topLeft() + QPointF(0.26, 0.53) * box.width(),
            box.topLeft() + QPointF(0.44, 0.70) * box.width(), box.topLeft() + QPointF(0.76, 0.34) * box.width()});
    }
    painter.restore();
}

void Style::drawRadio(const QStyleOption& option, QPainter& painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool enabled = option.state & State_Enabled;
    const bool checked = option.state & State_On;
    const QColor edge = m_theme.color(!enabled ? Color::disabled : checked ? Color::accent : Color::control);
    painter.setPen(QPen(edge, 1));
    painter.setBrush(checked ? edge : m_theme.color(Color::page));
    painter.drawEllipse(inner(option.rect, 0.5));
    if (checked) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(Color::onAccent));
        painter.drawEllipse(inner(option.rect, option.rect.width() * 0.31));
    }
    painter.restore();
}

void Style::drawComboBox(const QStyleOptionComplex& option, QPainter& painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const bool enabled = option.state & State_Enabled;
    const bool hovered = enabled && (option.state & State_MouseOver);
    painter.setPen(QPen(m_theme.color(Color::outline), 1));
    painter.setBrush(m_theme.color(hovered ? Color::hover : Color::page));
    painter.drawRoundedRect(inner(option.rect, 0.5), Measure::kRadiusControl, Measure::kRadiusControl);
    const int size = m_theme.px(Measure::kIconRow);
    const QRect arrow = visualRect(option.direction, option.rect,
        QRect(option.rect.right() - m_theme.px(10) - size + 1, option.rect.center().y() - size / 2 + 1, size, size));
    const Color color = enabled ? Color::text2 : Color::disabled;
    painter.drawPixmap(
        arrow, m_theme.pixmap(QStringLiteral("chevron-down"), size, color, painter.device()->devicePixelRatioF()));
    painter.restore();
}

void Style::drawSlider(const QStyleOptionComplex& option, QPainter& painter, const QWidget* widget) const {
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(&option);
    if (slider == nullptr || slider->orientation != Qt::Horizontal) {
        QProxyStyle::drawComplexControl(CC_Slider, &option, &painter, widget);
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF knob = subControlRect(CC_Slider, slider, SC_SliderHandle, widget);
    const double middle = option.rect.center().y() + 0.5;
    const double groove = m_theme.px(kGroove), size = m_theme.px(kKnob);
    QRectF track(option.rect.left(), middle - groove / 2, option.rect.width(), groove);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Color::press));
    painter.drawRoundedRect(track, groove / 2, groove / 2);
    const bool enabled = option.state & State_Enabled;
    const QColor mark = m_theme.color(enabled ? Color::accent : Color::disabled);
    const bool fromRight = slider->upsideDown;
    if (fromRight)
        track.setLeft(knob.center().x());
    else
        track.setRight(knob.center().x());
    painter.setBrush(mark);
    painter.drawRoundedRect(track, groove / 2, groove / 2);
    painter.setBrush(m_theme.color(Color::page));
    painter.setPen(QPen(mark, 2));
    painter.drawEllipse(QPointF(knob.center().x(), middle), size / 2 - 1, size / 2 - 1);
    painter.restore();
}

} // namespace vitrine::ui
