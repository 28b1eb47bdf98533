// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the controls of one turn.
#include "ui/chat/turn_widgets.h"

#include <QEvent>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>

#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

TurnActions::TurnActions(const Theme& theme, bool isUser, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_isUser(isUser) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    if (isUser)
        layout->addStretch();
    addButton(QStringLiteral("copy"), tr("Copy"), TurnAction::copy);
    if (isUser) {
        m_edit = addButton(QStringLiteral("edit"), tr("Edit as a new branch"), TurnAction::edit);
    } else {
        m_regenerate = addButton(QStringLiteral("regenerate"), tr("Regenerate"), TurnAction::regenerate);
        m_continue = addButton(QStringLiteral("continue"), tr("Continue"), TurnAction::continueAnswer);
    }
    m_previous = addButton(QStringLiteral("branch-left"), tr("Previous branch"), TurnAction::previousBranch);
    m_branch = makeLabel({}, "small", this);
    layout->addWidget(m_branch);
    m_next = addButton(QStringLiteral("branch-right"), tr("Next branch"), TurnAction::nextBranch);
    m_more = new IconButton(theme, QStringLiteral("more"),
        isUser ? tr("More actions for this message") : tr("More actions for this answer"), this);
    m_more->installEventFilter(this);
    connect(m_more, &IconButton::clicked, this, &TurnActions::showMore);
    layout->addWidget(m_more);
    if (!isUser)
        layout->addStretch();
    setGraphicsEffect(new QGraphicsOpacityEffect(this));
    refresh();
}

IconButton* TurnActions::addButton(const QString& icon, const QString& name, TurnAction action) {
    auto* button = new IconButton(m_theme, icon, name, this);
    button->installEventFilter(this);
    connect(button, &IconButton::clicked, this, [this, action] { emit triggered(action); });
    layout()->addWidget(button);
    return button;
}

void TurnActions::setTurn(const TurnItem& turn) {
    const bool isRunning = turn.isRunning();
    for (IconButton* button : {m_regenerate, m_edit, m_more})
        if (button != nullptr)
            button->setEnabled(!isRunning);
    if (m_continue != nullptr)
        m_continue->setEnabled(!isRunning && !turn.message.content.isEmpty() && turn.isLast);
    const bool hasBranches = turn.numBranches > 1;
    for (QWidget* part :
        {static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_branch), static_cast<QWidget*>(m_next)})
        part->setVisible(hasBranches);
    m_previous->setEnabled(turn.branch > 1);
    m_next->setEnabled(turn.branch < turn.numBranches);
    m_branch->setText(QStringLiteral("%1/%2").arg(turn.branch).arg(turn.numBranches));
}

void TurnActions::setRevealed(bool revealed) {
    m_isRevealed = revealed;
    refresh();
}

/// Transparent rather than hidden: a hidden button could not be reached by Tab.
void TurnActions::refresh() {
    const QWidget* focus = focusWidget();
    const bool isSeen = m_isRevealed || (focus != nullptr && focus->hasFocus());
    auto* effect = static_cast<QGraphicsOpacityEffect*>(graphicsEffect());
    effect->setOpacity(isSeen ? 1 : 0);
    effect->setEnabled(!isSeen);
}

bool TurnActions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        QMetaObject::invokeMethod(
            this, [this] { refresh(); }, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

void TurnActions::showMore() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!m_isUser) {
        menu->addAction(m_theme.icon(QStringLiteral("copy"), Measure::kIconRow), tr("Copy as Markdown"), this,
            [this] { emit triggered(TurnAction::copyMarkdown); });
        menu->addAction(m_theme.icon(QStringLiteral("eye"), Measure::kIconRow), tr("Show exact prompt"), this,
            [this] { emit triggered(TurnAction::showPrompt); });
        menu->addSeparator();
    }
    menu->addAction(m_theme.icon(QStringLiteral("trash"), Measure::kIconRow), tr("Delete from here"), this,
        [this] { emit triggered(TurnAction::remove); });
    menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

CodeTools::CodeTools(const Theme& theme, QWidget* parent) : QWidget(parent) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* wrap = new IconButton(theme, QStringLiteral("wrap"), tr("Wrap lines"), this);
    auto* copy = new IconButton(theme, QStringLiteral("copy"), tr("Copy code"), this);
    connect(wrap, &IconButton::clicked, this, &CodeTools::wrapToggled);
    connect(copy, &IconButton::clicked, this, &CodeTools::copyRequested);
    layout->addWidget(wrap);
    layout->addWidget(copy);
}

ReasoningFold::ReasoningFold(const Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setCheckable(true);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
}

void ReasoningFold::setTurn(const TurnItem& turn) {
    const QString title = reasoningTitle(turn);
    if (title == text())
        return;
    setText(title);
    setAccessibleName(tr("%1, show or hide").arg(title));
    resize(sizeHint());
    update();
}

QSize ReasoningFold::sizeHint() const {
    const int width = QFontMetrics(m_theme.font(TextRole::base)).horizontalAdvance(text());
    return {width + m_theme.px(16 + Measure::kSpace2), m_theme.px(24)};
}

void ReasoningFold::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Color color = underMouse() ? Color::text2 : Color::text3;
    const int icon = m_theme.px(Measure::kIconInline);
    painter.drawPixmap(QPoint(-m_theme.px(4), (height() - icon) / 2),
        m_theme.pixmap(isChecked() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), icon, color,
            devicePixelRatioF()));
    painter.setFont(m_theme.font(TextRole::base));
    painter.setPen(m_theme.color(color));
    painter.drawText(rect().adjusted(m_theme.px(16), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
}

} // namespace vitrine::ui
