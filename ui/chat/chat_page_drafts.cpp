// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: what was typed and not sent: it waits in its chat, and over a restart.
#include "ui/chat/chat_page_private.h"

namespace vitrine::ui {

namespace {

constexpr int kKeepMs = 1'000; // from a key to the disk; a hard end costs that much typing

} // namespace

void ChatPage::Private::keepDraft() {
    Draft draft = m_composer->takeDraft();
    draft.edited = std::exchange(m_edited, 0);
    if (m_current && !draft.isEmpty())
        m_drafts.insert(m_current->chatId(), draft);
}

void ChatPage::Private::keepPaneDraft() {
    if (beside() == nullptr)
        return;
    const ChatId chat = beside()->chatId();
    if (const Draft draft = m_pane->takeDraft(); !draft.isEmpty())
        m_drafts.insert(chat, draft);
}

void ChatPage::Private::giveDraft(ChatId chat) {
    const Draft draft = m_drafts.take(chat);
    m_edited = draft.edited;
    m_composer->setDraft(draft);
}

/// Not at once: the draft of a megabyte is written once, not once a key.
void ChatPage::Private::keepDraftsSoon() {
    m_draftTimer.setInterval(kKeepMs);
    if (!m_draftTimer.isActive())
        m_draftTimer.start();
}

void ChatPage::Private::keepDraftsNow() {
    m_draftTimer.stop();
    Drafts all = m_drafts;
    const auto add = [&all](const ChatSession* session, Draft draft, MessageId edited) {
        draft.edited = edited;
        if (session != nullptr && !draft.isEmpty())
            all.insert(session->chatId(), draft);
    };
    add(m_current, m_composer->unsent(), m_edited);
    if (m_pane != nullptr)
        add(beside(), m_pane->composer().unsent(), m_pane->edited());
    if (all != m_context.store.drafts())
        m_context.store.keepDrafts(all);
}

/// The end: turns that wait behind an answer are text of the user's too.
void ChatPage::Private::keepUnsent() {
    for (ChatSession* open : m_context.sessions.all()) {
        QStringList waiting;
        while (!open->queued().isEmpty())
            waiting += open->takeQueued(0);
        if (waiting.isEmpty())
            continue;
        const QString text = waiting.join(QStringLiteral("\n\n"));
        if (open == m_current)
            m_composer->addDraftText(text);
        else if (open == beside())
            m_pane->composer().addDraftText(text);
        else
            m_drafts[open->chatId()].text += text;
    }
    keepDraftsNow();
}

/// After a start, or in a window made anew.
void ChatPage::Private::takeStoredDrafts() {
    const Drafts& stored = m_context.store.drafts();
    for (auto it = stored.begin(); it != stored.end(); ++it) {
        if (it.key() != 0 && m_context.store.isUnsaved(it.key()))
            m_newChat = it.key();
        const ChatId chat = it.key() != 0 ? it.key() : m_newChat;
        if (m_context.store.chat(chat) != nullptr && !m_drafts.contains(chat))
            m_drafts.insert(chat, it.value());
    }
    if (m_current && m_composer->unsent().isEmpty() && m_drafts.contains(m_current->chatId()))
        giveDraft(m_current->chatId());
}

} // namespace vitrine::ui
