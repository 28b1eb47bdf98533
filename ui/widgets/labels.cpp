// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: small still parts.
#include "ui/widgets/labels.h"

#include <QAction>
#include <QEvent>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>
#include <QVariant>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kLensPull = 7;
constexpr int kSpinnerSteps = 12;

} // namespace

QLabel* makeLabel(const QString& text, const char* role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", role);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QWidget* makeHeaderBar(const Theme& theme) {
    auto* bar = new QWidget;
    bar->setFixedHeight(theme.px(Measure::kHeader));
    QObject::connect(&theme, &Theme::changed, bar, [bar, &theme] { bar->setFixedHeight(theme.px(Measure::kHeader)); });
    return bar;
}

void setStyleProperty(QWidget* widget, const char* name, const QVariant& value) {
    if (widget->property(name) == value)
        return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

ElidedLabel::ElidedLabel(const Theme& theme, TextRole role, Color color, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_role(role), m_color(color) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void ElidedLabel::setText(const QString& text) {
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void ElidedLabel::setElideMode(Qt::TextElideMode mode) {
    m_mode = mode;
    update();
}

QSize ElidedLabel::sizeHint() const {
    const QFontMetrics metrics(m_theme.font(m_role));
    return {metrics.horizontalAdvance(m_text) + 2, m_theme.lineHeight(m_role)};
}

QSize ElidedLabel::minimumSizeHint() const {
    const QSize hint = sizeHint();
    return {std::min(hint.width(), m_theme.px(48)), hint.height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFont font = m_theme.font(m_role);
    painter.setFont(font);
    painter.setPen(m_theme.color(isEnabled() ? m_color : Color::disabled));
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        QFontMetrics(font).elidedText(m_text, m_mode, width()));
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && sizeHint().width() > width() + 2) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), m_text, this);
        return true;
    }
    return QWidget::event(event);
}

Hairline::Hairline(const Theme& theme, Qt::Orientation orientation, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_orientation(orientation) {
    if (orientation == Qt::Horizontal)
        setFixedHeight(1);
    else
        setFixedWidth(1);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void Hairline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintHairline(
        painter, rect(), m_orientation == Qt::Horizontal ? Qt::TopEdge : Qt::LeftEdge, m_theme.color(Color::hairline));
}

void paintHairline(QPainter& painter, const QRect& rect, Qt::Edge edge, const QColor& color) {
    const qreal scale = painter.device()->devicePixelRatioF();
    const qreal thick = std::max(1.0, std::floor(scale)) / scale; // whole device pixels at 125 and 150 % too
    const auto snapped = [&](qreal value) { return std::round(value * scale) / scale; };
    const QRectF area(rect);
    QRectF line;
    switch (edge) {
    case Qt::TopEdge:
        line = {area.left(), snapped(area.top()), area.width(), thick};
        break;
    case Qt::BottomEdge:
        line = {area.left(), snapped(area.bottom() - thick), area.width(), thick};
        break;
    case Qt::LeftEdge:
        line = {snapped(area.left()), area.top(), thick, area.height()};
        break;
    case Qt::RightEdge:
        line = {snapped(area.right() - thick), area.top(), thick, area.height()};
        break;
    }
    const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(line, color);
    painter.setRenderHint(QPainter::Antialiasing, smooth);
}

SearchField::SearchField(const Theme& theme, const QString& placeholder, QWidget* parent)
    : QLineEdit(parent), m_theme(theme), m_lens(addAction(QIcon(), LeadingPosition)) {
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    m_lens->setText(tr("Search")); // the name of its button
    const auto refresh = [this] {
        const int size = m_theme.px(Measure::kIconRow);
        m_lens->setIcon(m_theme.icon(QStringLiteral("search"), size));
        const int pull = -m_theme.px(kLensPull); // nearer to the lens than Qt has it
        setTextMargins(isRightToLeft() ? 0 : pull, 0, isRightToLeft() ? pull : 0, 0);
    };
    refresh();
    connect(&theme, &Theme::changed, this, refresh);
    QAction* clear = addAction(QIcon(), TrailingPosition);
    clear->setText(tr("Clear"));
    clear->setVisible(false);
    connect(clear, &QAction::triggered, this, &QLineEdit::clear);
    connect(this, &QLineEdit::textChanged, this, [this, clear](const QString& text) {
        clear->setIcon(m_theme.icon(QStringLiteral("close"), m_theme.px(Measure::kIconRow)));
        clear->setVisible(!text.isEmpty());
    });
}

void SearchField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && !text().isEmpty())
        clear();
    else
        QLineEdit::keyPressEvent(event);
}

Spinner::Spinner(const Theme& theme, int size, QWidget* parent) : QWidget(parent), m_theme(theme), m_size(size) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize Spinner::sizeHint() const {
    return {m_theme.px(m_size), m_theme.px(m_size)};
}

void Spinner::showEvent(QShowEvent*) {
    if (m_timer == 0 && !m_theme.lessMotion())
        m_timer = startTimer(1000 / kSpinnerSteps);
}

void Spinner::hideEvent(QHideEvent*) {
    if (m_timer != 0)
        killTimer(std::exchange(m_timer, 0));
}

void Spinner::timerEvent(QTimerEvent*) {
    m_step = (m_step + 1) % kSpinnerSteps;
    update();
}

void Spinner::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = m_theme.px(m_size) - 3;
    const QRectF ring((width() - side) / 2, (height() - side) / 2, side, side);
    painter.setPen(QPen(m_theme.color(Color::press), 2));
    painter.drawEllipse(ring);
    painter.setPen(QPen(m_theme.color(Color::accent), 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawArc(ring, (90 - m_step * 360 / kSpinnerSteps) * 16, -100 * 16);
}

} // namespace vitrine::ui
