// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the painted messages as a screen reader meets them: a list, one item a turn.
#pragma once

#include <QAccessibleWidget>
#include <QHash>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

class MessageView;

/// One turn: who said it is the name, its text the value.
class MessageAccessible final : public QAccessibleInterface {
public:
    MessageAccessible(MessageView& view, MessageId message);
    [[nodiscard]] bool isValid() const override;
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* parent() const override;
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text, const QString&) override {} // messages are not edited in place
    [[nodiscard]] QRect rect() const override; // on the screen
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
    [[nodiscard]] QAccessible::State state() const override;

private:
    [[nodiscard]] int row() const; // -1: gone

    QPointer<MessageView> m_view;
    MessageId m_message;
};

/// The view: its turns come first, then the buttons that float over them.
class MessageViewAccessible final : public QAccessibleWidget {
public:
    explicit MessageViewAccessible(MessageView& view);
    ~MessageViewAccessible() override;
    [[nodiscard]] int childCount() const override;
    [[nodiscard]] QAccessibleInterface* child(int index) const override;
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override;
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override;

private:
    [[nodiscard]] MessageView& view() const;
    [[nodiscard]] int numTurns() const;

    mutable QHash<MessageId, QAccessible::Id> m_turns;
};

/// For QAccessible::installFactory(): makes the interface of a MessageView, null for other objects.
QAccessibleInterface* makeMessageViewAccessible(const QString& className, QObject* object);

} // namespace vitrine::ui
