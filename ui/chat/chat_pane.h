// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: a second chat beside the one on screen.
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/chat/composer.h"
#include "ui/chat/message_list_model.h"
#include "ui/chat/turn_widgets.h"

class QHBoxLayout;

namespace vitrine::ui {

class ChatStore;
class Dialogs;
class ElidedLabel;
class FindBar;
class LatestPill;
class MessageView;

/// Messages and a composer of one session, which the page owns: both chats generate at once and share the batch.
/// Thread: GUI.
class ChatPane final : public QWidget {
    Q_OBJECT
public:
    ChatPane(const Theme& theme, const ChatStore& store, Dialogs& dialogs, QWidget* parent = nullptr);
    void setSession(ChatSession* session); // null: none
    [[nodiscard]] ChatSession* session() const { return m_session; }
    void setModelName(const QString& name, bool chats);
    [[nodiscard]] Composer& composer() { return *m_composer; }
    /// What is typed and not sent: the page keeps it for the next visit.
    [[nodiscard]] Draft takeDraft();
    void setDraft(const Draft& draft);
    [[nodiscard]] MessageId edited() const { return m_edited; }
    void act(TurnAction action, MessageId message);
    void find();
    void jumpToLatest();

signals:
    void closed();
    void modelRequested();
    void removeRequested(qint64 message);
    void busy(); // an answer runs, so that the turn cannot be changed

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectComposer();
    void connectView();
    void refresh();
    void place(); // the composer under the column of text, the floating parts over it

    const ChatStore& m_store;
    Dialogs& m_dialogs;
    MessageListModel m_messages;
    QPointer<ChatSession> m_session;
    MessageId m_edited = 0; // the user turn in the composer
    ElidedLabel* m_title;
    MessageView* m_view;
    Composer* m_composer;
    LatestPill* m_pill;
    FindBar* m_find;
    QHBoxLayout* m_composerLayout;
};

} // namespace vitrine::ui
