// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: messages for screen readers.
#include "ui/chat/message_accessible.h"

#include "ui/chat/message_list_model.h"
#include "ui/chat/message_view.h"

namespace vitrine::ui {

MessageAccessible::MessageAccessible(MessageView& view, MessageId message) : m_view(&view), m_message(message) {}

int MessageAccessible::row() const {
    return m_view ? m_view->model().rowOf(m_message) : -1;
}

bool MessageAccessible::isValid() const {
    return row() >= 0;
}

QAccessibleInterface* MessageAccessible::parent() const {
    return m_view ? QAccessible::queryAccessibleInterface(m_view) : nullptr;
}

QString MessageAccessible::text(QAccessible::Text kind) const {
    const int place = row();
    if (place < 0)
        return {};
    const TurnItem& turn = m_view->model().turn(place);
    switch (kind) {
    case QAccessible::Name:
        return turn.isUser() ? MessageView::tr("You: %1").arg(turn.message.content)
            : turn.isRunning() && turn.message.content.isEmpty()
            ? MessageView::tr("Answer: %1").arg(waitingText(turn))
            : MessageView::tr("Answer: %1").arg(turn.message.content);
    case QAccessible::Value:
        return turn.message.content;
    case QAccessible::Description:
        return turn.message.error.isEmpty() ? footerText(turn) : turn.message.error;
    default:
        return {};
    }
}

QRect MessageAccessible::rect() const {
    const int place = row();
    if (place < 0)
        return {};
    const QRect inside = m_view->turnRect(place);
    return {m_view->viewport()->mapToGlobal(inside.topLeft()), inside.size()};
}

QAccessible::State MessageAccessible::state() const {
    QAccessible::State state;
    const int place = row();
    state.readOnly = true;
    state.invalid = place < 0;
    state.busy = place >= 0 && m_view->model().turn(place).isRunning();
    state.offscreen = place >= 0 && !m_view->viewport()->rect().intersects(m_view->turnRect(place));
    return state;
}

MessageViewAccessible::MessageViewAccessible(MessageView& view) : QAccessibleWidget(&view, QAccessible::List) {}

MessageViewAccessible::~MessageViewAccessible() {
    for (const QAccessible::Id id : std::as_const(m_turns))
        QAccessible::deleteAccessibleInterface(id);
}

MessageView& MessageViewAccessible::view() const {
    return *static_cast<MessageView*>(widget());
}

int MessageViewAccessible::numTurns() const {
    return view().model().rowCount();
}

int MessageViewAccessible::childCount() const {
    return numTurns() + QAccessibleWidget::childCount();
}

QAccessibleInterface* MessageViewAccessible::child(int index) const {
    if (index < 0 || index >= numTurns())
        return QAccessibleWidget::child(index - numTurns());
    const MessageId message = view().model().turn(index).message.id;
    auto known = m_turns.find(message);
    if (known == m_turns.end())
        known =
            m_turns.insert(message, QAccessible::registerAccessibleInterface(new MessageAccessible(view(), message)));
    return QAccessible::accessibleInterface(*known);
}

int MessageViewAccessible::indexOfChild(const QAccessibleInterface* child) const {
    for (int row = 0; row < numTurns(); ++row)
        if (this->child(row) == child)
            return row;
    const int place = QAccessibleWidget::indexOfChild(child);
    return place < 0 ? -1 : place + numTurns();
}

QAccessibleInterface* MessageViewAccessible::childAt(int x, int y) const {
    if (QAccessibleInterface* button = QAccessibleWidget::childAt(x, y);
        button != nullptr && button->object() != view().viewport())
        return button;
    for (int row = 0; row < numTurns(); ++row)
        if (QAccessibleInterface* turn = child(row); turn->rect().contains(x, y))
            return turn;
    return nullptr;
}

QAccessibleInterface* makeMessageViewAccessible(const QString&, QObject* object) {
    auto* view = qobject_cast<MessageView*>(object);
    return view != nullptr ? new MessageViewAccessible(*view) : nullptr;
}

} // namespace vitrine::ui
