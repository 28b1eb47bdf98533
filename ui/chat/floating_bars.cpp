// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: what floats over the messages.
#include "ui/chat/floating_bars.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QTimer>
#include <utility>

#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"

namespace vitrine::ui {

namespace {

constexpr int kUndoMs = 8'000;

void paintPopup(QPainter& painter, const Theme& theme, const QRectF& rect, double radius) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(Color::outline));
    painter.setBrush(theme.color(Color::popup));
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

} // namespace

LatestPill::LatestPill(const Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setText(tr("Latest"));
    setAccessibleName(tr("Jump to the latest text and follow"));
    setToolTip(tr("Jump to the latest text and follow (End)"));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    hide();
}

QSize LatestPill::sizeHint() const {
    const int width = QFontMetrics(m_theme.font(TextRole::medium)).horizontalAdvance(text());
    return {width + m_theme.px(12 + Measure::kIconInline + 8 + 12), m_theme.px(28)};
}

void LatestPill::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPopup(painter, m_theme, rect(), height() / 2.0);
    const int icon = m_theme.px(Measure::kIconInline);
    painter.drawPixmap(QPoint(m_theme.px(12), (height() - icon) / 2),
        m_theme.pixmap(QStringLiteral("chevron-down"), icon, Color::text2, devicePixelRatioF()));
    painter.setFont(m_theme.font(TextRole::medium));
    painter.setPen(m_theme.color(Color::text1));
    painter.drawText(rect().adjusted(m_theme.px(12 + 8) + icon, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
}

UndoBar::UndoBar(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_text(makeLabel({}, "")), m_timer(new QTimer(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->setSpacing(16);
    auto* undoButton = new Button(theme, tr("Undo"), Button::Kind::link);
    auto* close = new IconButton(theme, QStringLiteral("close"), tr("Close"));
    layout->addWidget(m_text);
    layout->addWidget(undoButton);
    layout->addWidget(makeLabel(tr("Ctrl+Z"), "small"));
    layout->addWidget(close);
    m_timer->setSingleShot(true);
    m_timer->setInterval(kUndoMs);
    connect(m_timer, &QTimer::timeout, this, &QWidget::hide);
    connect(close, &IconButton::clicked, this, &QWidget::hide);
    connect(undoButton, &Button::clicked, this, &UndoBar::undo);
    hide();
}

void UndoBar::offer(const QString& text, std::function<void()> undo) {
    m_undo = std::move(undo);
    m_text->setText(text);
    adjustSize();
    show();
    raise();
    m_timer->start();
}

bool UndoBar::undo() {
    hide();
    if (!m_undo)
        return false;
    std::exchange(m_undo, nullptr)();
    return true;
}

void UndoBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPopup(painter, m_theme, rect(), Measure::kRadiusCard);
}

FindBar::FindBar(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_field(new SearchField(theme, tr("Find in chat"))),
      m_result(makeLabel({}, "small")) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(4);
    m_field->setAccessibleName(tr("Find in chat"));
    m_field->setMinimumWidth(theme.px(220));
    auto* previous = new IconButton(theme, QStringLiteral("branch-left"), tr("Previous hit"));
    auto* next = new IconButton(theme, QStringLiteral("branch-right"), tr("Next hit"));
    auto* close = new IconButton(theme, QStringLiteral("close"), tr("Close"));
    layout->addWidget(m_field);
    layout->addWidget(m_result);
    layout->addWidget(previous);
    layout->addWidget(next);
    layout->addWidget(close);
    connect(m_field, &SearchField::returnPressed, this, [this] { emit findRequested(m_field->text(), true); });
    connect(previous, &IconButton::clicked, this, [this] { emit findRequested(m_field->text(), false); });
    connect(next, &IconButton::clicked, this, [this] { emit findRequested(m_field->text(), true); });
    connect(close, &IconButton::clicked, this, [this] {
        hide();
        emit closed();
    });
    hide();
}

void FindBar::open() {
    m_result->clear();
    adjustSize();
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FindBar::showResult(bool found) {
    m_result->setText(found ? QString() : tr("not found"));
    adjustSize();
}

void FindBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPopup(painter, m_theme, rect(), Measure::kRadiusCard);
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape)
        return QFrame::keyPressEvent(event);
    hide();
    emit closed();
}

} // namespace vitrine::ui
