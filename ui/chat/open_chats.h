// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the chats that are open, with the answers that run in them.
#pragma once

#include <QHash>
#include <QObject>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

class ChatSession;
class ChatStore;
class EngineClient;

/// Thread: GUI.  Lives longer than any page: a window that is made anew in another language finds its answers running.
class OpenChats final : public QObject {
    Q_OBJECT
public:
    OpenChats(EngineClient& client, ChatStore& store, QObject* parent = nullptr);

    [[nodiscard]] ChatSession& open(ChatId chat); // the one that is open, or a new one: then opened()
    [[nodiscard]] ChatSession* find(ChatId chat) const { return m_sessions.value(chat); } // null: not open
    [[nodiscard]] QList<ChatSession*> all() const { return m_sessions.values(); }
    /// Lets chats go in which nothing runs or waits; keeps those on screen and a dozen more.
    void forgetIdle(const QList<const ChatSession*>& onScreen);
    /// Tokens come with what else the model might have said; of answers begun from now on, in every chat.
    void setWantsAlternatives(bool wanted);
    [[nodiscard]] bool wantsAlternatives() const noexcept { return m_wantsAlternatives; }

signals:
    void opened(vitrine::ui::ChatSession* session);

private:
    EngineClient& m_client;
    ChatStore& m_store;
    QHash<ChatId, ChatSession*> m_sessions;
    bool m_wantsAlternatives = false;
};

} // namespace vitrine::ui
