// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: which chats are open.
#include "ui/chat/open_chats.h"

#include "ui/chat/chat_session.h"

namespace vitrine::ui {

namespace {

constexpr int kMaxIdle = 12;

} // namespace

OpenChats::OpenChats(EngineClient& client, ChatStore& store, QObject* parent)
    : QObject(parent), m_client(client), m_store(store) {}

ChatSession& OpenChats::open(ChatId chat) {
    ChatSession*& session = m_sessions[chat];
    if (session == nullptr) {
        session = new ChatSession(m_client, m_store, chat, this);
        session->setWantsAlternatives(m_wantsAlternatives);
        emit opened(session);
    }
    return *session;
}

void OpenChats::forgetIdle(const QList<const ChatSession*>& onScreen) {
    int numIdle = 0;
    for (ChatSession* session : all()) {
        if (onScreen.contains(session) || session->isGenerating() || !session->queued().isEmpty() ||
            ++numIdle <= kMaxIdle)
            continue;
        m_sessions.remove(session->chatId());
        session->deleteLater();
    }
}

void OpenChats::setWantsAlternatives(bool wanted) {
    m_wantsAlternatives = wanted;
    for (ChatSession* session : all())
        session->setWantsAlternatives(wanted);
}

} // namespace vitrine::ui
