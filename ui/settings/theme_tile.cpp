// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: scheme previews.
#include "ui/settings/theme_tile.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionButton>

namespace vitrine::ui {
namespace {

constexpr int kWidth = 152, kPicture = 90, kLabel = 36;
constexpr int kInset = 3;

} // namespace

ThemeTile::ThemeTile(const Theme& theme, SchemeChoice choice, const QString& name, QWidget* parent)
    : QAbstractButton(parent), m_theme(theme), m_choice(choice) {
    setText(name);
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QSize ThemeTile::sizeHint() const {
    return {m_theme.px(kWidth), kPicture + m_theme.px(kLabel)};
}
QSize ThemeTile::minimumSizeHint() const {
    return {110, sizeHint().height()};
}

void ThemeTile::paintPreview(QPainter& painter, const QRectF& rect, Scheme scheme) const {
    const auto ink = [scheme](Color color) { return tokenColor(scheme, color); };
    const auto bar = [&](double x, double y, double width, Color color, double height = 2) {
        painter.fillRect(QRectF(rect.left() + x, rect.top() + y, width, height), ink(color));
    };
    painter.fillRect(rect, ink(Color::page));
    painter.fillRect(QRectF(rect.left(), rect.top(), 52, rect.height()), ink(Color::side));
    bar(14, 0, 1, Color::hairline, rect.height());
    bar(52, 0, 1, Color::hairline, rect.height());
    painter.fillRect(QRectF(rect.left() + 4, rect.top() + 6, 7, 7), ink(Color::accent));
    bar(5, 20, 5, Color::text3);
    bar(5, 29, 5, Color::text3);
    painter.fillRect(QRectF(rect.left() + 19, rect.top() + 6, 28, 7), ink(Color::accentSoft));
    for (const int y : {20, 27, 34})
        bar(20, y, 22, Color::text3);
    const double right = rect.width();
    painter.fillRect(QRectF(rect.left() + right - 62, rect.top() + 8, 50, 13), ink(Color::well));
    bar(right - 55, 14, 30, Color::text2);
    for (const int y : {31, 38})
        bar(62, y, right - 74, Color::text1);
    bar(62, 45, (right - 74) * 0.6, Color::text1);
    painter.setPen(QPen(ink(Color::outline), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect.left() + 62.5, rect.bottom() - 32.5, right - 75, 16), 4, 4);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - 9, right, 9), ink(Color::side));
    bar(8, rect.height() - 6, 22, Color::accent);
    bar(38, rect.height() - 6, 14, Color::text3);
}

void ThemeTile::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF picture(kInset, kInset, width() - 2 * kInset, kPicture - 2 * kInset);
    QPainterPath shape;
    shape.addRoundedRect(picture, 6, 6);
    painter.save();
    painter.setClipPath(shape);
    switch (m_choice) {
    case SchemeChoice::light:
        paintPreview(painter, picture, Scheme::light);
        break;
    case SchemeChoice::dark:
        paintPreview(painter, picture, Scheme::dark);
        break;
    case SchemeChoice::contrast:
        paintPreview(painter, picture, Scheme::contrast);
        break;
    case SchemeChoice::system: {
        paintPreview(painter, picture, Scheme::light);
        QPainterPath half(picture.topRight());
        half.lineTo(picture.bottomRight());
        half.lineTo(picture.bottomLeft());
        half.closeSubpath();
        painter.setClipPath(half, Qt::IntersectClip);
        paintPreview(painter, picture, Scheme::dark);
        break;
    }
    }
    painter.restore();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.color(Color::outline), 1));
    painter.drawPath(shape);
    if (isChecked()) {
        painter.setPen(QPen(m_theme.color(Color::accent), 2));
        painter.drawRoundedRect(picture.adjusted(-2, -2, 2, 2), 8, 8);
    }
    QStyleOptionButton radio;
    const int size = m_theme.px(16), top = kPicture + (m_theme.px(kLabel) - size) / 2;
    radio.rect = QStyle::visualRect(layoutDirection(), rect(), QRect(kInset, top, size, size));
    radio.state = QStyle::State_Enabled | (isChecked() ? QStyle::State_On : QStyle::State_Off);
    style()->drawPrimitive(QStyle::PE_IndicatorRadioButton, &radio, &painter, this);
    painter.setFont(m_theme.font(isChecked() ? TextRole::strong : TextRole::base));
    painter.setPen(m_theme.color(Color::text1));
    const QRect label(kInset + size + 8, kPicture, width() - size - 14, m_theme.px(kLabel));
    painter.drawText(QStyle::visualRect(layoutDirection(), rect(), label),
        Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, text());
}

} // namespace vitrine::ui
