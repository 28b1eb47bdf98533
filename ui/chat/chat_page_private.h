// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the parts of the Chat page and how they talk.  Included by chat_page*.cpp only.
#pragma once

#include <QHash>
#include <QPointer>
#include <QTimer>

#include "ui/bridge/engine_client.h"
#include "ui/chat/chat_header.h"
#include "ui/chat/chat_list.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/chat_pane.h"
#include "ui/chat/chat_session.h"
#include "ui/chat/composer.h"
#include "ui/chat/first_state.h"
#include "ui/chat/floating_bars.h"
#include "ui/chat/message_list_model.h"
#include "ui/chat/message_view.h"
#include "ui/chat/open_chats.h"
#include "ui/chat/turn_inspector.h"
#include "ui/store/chat_store.h"
#include "ui/store/settings.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/error_banner.h"

class QHBoxLayout;
class QScrollArea;
class QSplitter;
class QStackedWidget;

namespace vitrine::ui {

class ChatPage::Private final : public QObject {
    Q_OBJECT
public:
    Private(ChatPage& page, const Context& context);

    // Chats.
    [[nodiscard]] ChatSession& session(ChatId chat) { return m_context.sessions.open(chat); }
    [[nodiscard]] ChatSession* current() const { return m_current; }
    void show(ChatId chat);
    void startChat(bool temporary);
    [[nodiscard]] ChatSampling defaultSampling() const; // of the settings
    [[nodiscard]] ChatRecord createChat(bool temporary); // with those defaults
    void send(const QString& text);
    void trash(ChatId chat);
    void showBeside(ChatId chat); // 0: a new one
    void closePane();
    [[nodiscard]] ChatSession* beside() const { return m_pane != nullptr ? m_pane->session() : nullptr; }
    [[nodiscard]] bool isPaneFocused() const; // keys mean the second chat then
    [[nodiscard]] ChatSession* focused() const { return isPaneFocused() ? beside() : m_current.data(); }
    void actFocused(TurnAction action, MessageId message);
    void removeTurn(ChatSession& session, MessageId message);
    void sayBusy(); // an answer runs, so that the turn cannot be changed
    void exportChat(ChatId chat);
    void writeChat(const QString& path, const ChatTree& tree); // on a pool thread; says how it ended
    void importChats();
    void closeTurns();
    void keepDraftsNow();
    void pageShown(); // what waited for it counts as read
    // Turns.
    void act(TurnAction action, MessageId message);
    void editTurn(MessageId message);
    void copy(const QString& text);
    void load(const QString& path);
    // Looks.
    void setInspectorVisible(bool visible);
    void setListVisible(bool visible);
    void showMenu(QPoint position);
    void shareWidth(); // who gives way when the page is narrow
    void place(); // floating parts, composer below the column

    ChatPage& m_page;
    Context m_context;
    MessageListModel m_messages;
    ChatList* m_list;
    ChatHeader* m_header;
    ErrorBanner* m_banner;
    QString m_loadFailure; // title of the banner that told of one
    QStackedWidget* m_stack; // first state, messages
    FirstState* m_first;
    QScrollArea* m_firstArea;
    MessageView* m_view;
    Composer* m_composer;
    QWidget* m_composerArea;
    QHBoxLayout* m_composerLayout;
    TurnInspector* m_inspector;
    ChatPane* m_pane = nullptr; // a second chat; made when first asked for
    QSplitter* m_splitter;
    LatestPill* m_pill;
    UndoBar* m_undo;
    FindBar* m_find;

    [[nodiscard]] bool wantsList() const { return isTiny() ? m_sheet == Sheet::list : m_wantsList; }
    [[nodiscard]] bool wantsInspector() const { return isTiny() ? m_sheet == Sheet::inspector : m_wantsInspector; }
    /// Room for one thing alone: the chat, or a panel over it.
    [[nodiscard]] bool isTiny() const;
    void closeSheet();

private:
    void build();
    void connectList();
    void connectView();
    void connectComposer();
    void connectInspector();
    void connectEngine();
    void connectStore();
    void connectSessions();
    void watch(ChatSession& session);
    void refreshTitle();
    void refreshModel();
    void refreshCurrent(); // after the session on screen or its branch changed
    void refreshInspector(); // at most four times a second
    void refreshContext();
    void countSystemPrompt();
    void changeCurrent(const std::function<void(ChatRecord&)>& change);
    void connectAttachments(Composer& composer);
    void keepDraft(); // for the next visit
    void keepPaneDraft();
    void giveDraft(ChatId chat);
    void keepDraftsSoon();
    void keepUnsent();
    void takeStoredDrafts();
    void loadLastModel();
    void makePane();
    [[nodiscard]] ContextUse contextOf(const ChatSession& session, int draftTokens, int systemTokens) const;
    [[nodiscard]] bool isCounted(const ChatSession& session) const; // by the engine, in an answer or while it runs
    void countHistory(const ChatSession& session);
    void sayImported(const QString& file, const Stored<ReadChats>& read);
    void onFinished(ChatSession& session);
    void onLoad(const LoadState& state);

    Drafts m_drafts; // of chats not on screen
    QTimer m_draftTimer;
    QPointer<ChatSession> m_current;
    QTimer m_inspectorTimer;
    bool m_wantsList = true; // as the user set it; a narrow page shows one panel at a time
    bool m_wantsInspector = false;
    enum class Sheet : quint8 { none, list, inspector };
    Sheet m_sheet = Sheet::none; // of a tiny page
    int m_sharedPercent = 0; // text size the panels were given their widths for
    MessageId m_edited = 0; // the user turn in the composer
    int m_draftTokens = 0;
    int m_systemTokens = 0;
    QString m_countedSystem;
    quint64 m_draftTicket = 0;
    quint64 m_systemTicket = 0;
    int m_paneDraftTokens = 0;
    quint64 m_paneTicket = 0;
    QHash<MessageId, int> m_branchTokens; // of branches that no answer of this app counted, by their end; 0: asked for
    QHash<quint64, MessageId> m_branchTickets;
    ChatId m_newChat = 0; // the one without a turn that "New chat" shows
    bool m_hasChosen = false; // the user, or open(), decided which chat is on screen
};

} // namespace vitrine::ui
