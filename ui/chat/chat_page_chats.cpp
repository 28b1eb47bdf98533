// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: what the Chat page does with chats and turns.
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenu>
#include <QScrollBar>
#include <QSplitter>

#include "ui/bridge/qt_convert.h"
#include "ui/chat/chat_page_private.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr int kPaneWidth = 340;

} // namespace

void ChatPage::Private::connectSessions() {
    OpenChats& sessions = m_context.sessions;
    connect(&sessions, &OpenChats::opened, this, [this](ChatSession* session) { watch(*session); });
    for (ChatSession* session : sessions.all()) { // of a window before this one, which spoke another language
        watch(*session);
        m_list->setGenerating(session->chatId(), session->isGenerating());
    }
}

void ChatPage::Private::watch(ChatSession& session) {
    connect(&session, &ChatSession::generatingChanged, this, [this, &session](bool generating) {
        m_list->setGenerating(session.chatId(), generating);
        if (&session != m_current)
            return;
        m_composer->setGenerating(generating);
        emit m_page.generatingChanged(generating);
    });
    connect(&session, &ChatSession::branchChanged, this, [this, &session] {
        if (&session == m_current)
            refreshCurrent();
    });
    connect(&session, &ChatSession::loaded, this, [this, &session] {
        if (&session == m_current && session.tree().hiddenMessages > 0)
            m_banner->showMessage(ErrorBanner::Kind::warning,
                tr("Messages of this chat that could not be read: %1.").arg(countText(session.tree().hiddenMessages)),
                tr("They are hidden; the rest is complete."));
    });
    connect(&session, &ChatSession::turnChanged, this, [this, &session] {
        if (&session == beside())
            refreshContext();
        if (&session != m_current)
            return;
        if (!m_inspectorTimer.isActive())
            m_inspectorTimer.start();
        refreshContext();
    });
    connect(&session, &ChatSession::queueChanged, this, [this, &session] {
        if (&session == m_current)
            m_composer->setQueued(session.queued());
    });
    connect(&session, &ChatSession::modelNeeded, this, &Private::loadLastModel);
    connect(&session, &ChatSession::answerFinished, this, [this, &session] { onFinished(session); });
}

void ChatPage::Private::onFinished(ChatSession& session) {
    if ((&session == m_current || &session == beside()) && m_page.isVisible()) {
        refreshContext();
        refreshInspector();
        return;
    }
    if (const ChatRecord* chat = m_context.store.chat(session.chatId())) {
        ChatRecord changed = *chat;
        changed.unread = true;
        m_context.store.updateChat(changed);
    }
}

void ChatPage::Private::show(ChatId chat) {
    m_hasChosen = true;
    if (m_current && m_current->chatId() == chat)
        return;
    if (beside() != nullptr && beside()->chatId() == chat)
        closePane();
    keepDraft();
    m_current = &session(chat);
    giveDraft(chat);
    m_messages.setSession(m_current);
    m_list->setCurrent(chat);
    pageShown();
    m_context.sessions.forgetIdle({m_current, beside()});
    refreshCurrent();
    countSystemPrompt();
    emit m_page.generatingChanged(m_current->isGenerating());
}

void ChatPage::Private::pageShown() {
    const ChatRecord* known = m_current ? m_context.store.chat(m_current->chatId()) : nullptr;
    if (known == nullptr || !known->unread)
        return;
    ChatRecord changed = *known;
    changed.unread = false;
    m_context.store.updateChat(changed);
}

ChatSampling ChatPage::Private::defaultSampling() const {
    ChatSampling sampling;
    sampling.temperature = m_context.settings.value(keys::kTemperature);
    sampling.topP = m_context.settings.value(keys::kTopP);
    return sampling;
}

ChatRecord ChatPage::Private::createChat(bool temporary) {
    ChatRecord chat = m_context.store.createChat(temporary);
    chat.systemPrompt = m_context.settings.value(keys::kSystemPrompt);
    chat.sampling = defaultSampling();
    m_context.store.updateChat(chat);
    return chat;
}

void ChatPage::Private::startChat(bool temporary) {
    // What was typed into a new chat and left there is found again by the button that began it.
    if (!temporary && m_newChat != 0 && m_drafts.contains(m_newChat) && session(m_newChat).lastUserTurn() == 0)
        return show(m_newChat);
    if (!temporary && m_current && m_current->chatId() == m_newChat && m_current->lastUserTurn() == 0)
        return;
    const ChatId chat = createChat(temporary).id;
    if (!temporary)
        m_newChat = chat;
    show(chat);
}

void ChatPage::Private::send(const QString& text) {
    if (m_current)
        m_current->send(text);
    m_list->setCurrent(m_current ? m_current->chatId() : 0);
}

void ChatPage::Private::changeCurrent(const std::function<void(ChatRecord&)>& change) {
    const ChatRecord* chat = m_current ? m_context.store.chat(m_current->chatId()) : nullptr;
    if (chat == nullptr)
        return;
    ChatRecord changed = *chat;
    change(changed);
    m_context.store.updateChat(changed);
}

void ChatPage::Private::trash(ChatId chat) {
    if (ChatSession* open = m_context.sessions.find(chat))
        open->stop();
    if (beside() != nullptr && beside()->chatId() == chat)
        closePane();
    m_context.store.moveToTrash(chat);
    if (m_current && m_current->chatId() == chat)
        startChat(false);
    m_undo->offer(tr("Chat moved to the Trash"), [this, chat] {
        m_context.store.restore(chat);
        show(chat);
    });
    place();
}

void ChatPage::Private::showBeside(ChatId chat) {
    if (chat == 0)
        chat = createChat(false).id;
    if (m_current && m_current->chatId() == chat) // one chat is not shown twice
        return;
    if (m_pane == nullptr)
        makePane();
    keepPaneDraft();
    m_pane->setSession(&session(chat));
    m_pane->setDraft(m_drafts.take(chat));
    m_pane->show();
    shareWidth();
    place();
    m_pane->composer().focusText();
}

void ChatPage::Private::makePane() {
    m_pane = new ChatPane(m_context.theme, m_context.store, m_context.dialogs);
    m_pane->setMinimumWidth(kPaneWidth);
    m_splitter->insertWidget(m_splitter->indexOf(m_inspector), m_pane);
    m_splitter->setStretchFactor(m_splitter->indexOf(m_pane), 1);
    connect(m_pane, &ChatPane::closed, this, &Private::closePane);
    connect(m_pane, &ChatPane::modelRequested, &m_page, &ChatPage::modelPickerRequested);
    connect(m_pane, &ChatPane::busy, this, &Private::sayBusy);
    connect(m_pane, &ChatPane::removeRequested, this, [this](qint64 message) {
        if (beside() != nullptr)
            removeTurn(*beside(), message);
    });
    connect(&m_pane->composer(), &Composer::countRequested, this, [this](const QString& text) {
        m_paneTicket = m_context.client.countTokens(text);
        keepDraftsSoon();
    });
    connect(&m_pane->composer(), &Composer::submitted, this, &Private::keepDraftsNow);
    connectAttachments(m_pane->composer());
    m_pane->composer().setEnterSends(m_context.settings.value(keys::kEnterSends));
    const auto model = m_context.client.model();
    m_pane->setModelName(model ? toQString(model->info.name) : QString(), !model || model->is_chat_model);
    m_sharedPercent = 0; // the widths are shared out anew
}

void ChatPage::Private::closePane() {
    if (m_pane == nullptr)
        return;
    keepPaneDraft();
    m_pane->hide();
    m_pane->setSession(nullptr);
    shareWidth();
    place();
    m_composer->focusText();
}

void ChatPage::Private::closeTurns() {
    keepUnsent();
    for (ChatSession* open : m_context.sessions.all())
        open->close();
}

void ChatPage::Private::act(TurnAction action, MessageId message) {
    const auto turn = m_current ? m_current->turn(message) : std::nullopt;
    if (!turn)
        return;
    switch (action) {
    case TurnAction::copy:
    case TurnAction::copyMarkdown:
        copy(turn->message.content);
        break;
    case TurnAction::edit:
        editTurn(message);
        break;
    case TurnAction::regenerate:
    case TurnAction::retry:
        if (m_current->isGenerating())
            return sayBusy();
        m_composer->focusText(); // the button goes while the answer runs, and Esc must find somebody
        m_current->regenerate(message);
        break;
    case TurnAction::continueAnswer:
        m_composer->focusText();
        m_current->continueAnswer(message);
        break;
    case TurnAction::previousBranch:
        m_current->showBranch(message, -1);
        break;
    case TurnAction::nextBranch:
        m_current->showBranch(message, +1);
        break;
    case TurnAction::showPrompt:
        setInspectorVisible(true);
        m_inspector->showExactPrompt(m_current->exactPrompt());
        break;
    case TurnAction::remove:
        removeTurn(*m_current, message);
        break;
    case TurnAction::openModel:
        emit m_page.modelPickerRequested();
        break;
    }
}

void ChatPage::Private::editTurn(MessageId message) {
    const auto turn = m_current ? m_current->turn(message) : std::nullopt;
    if (!turn)
        return;
    if (m_current->isGenerating())
        return sayBusy();
    m_edited = message;
    m_composer->beginEdit(turn->message.content);
}

bool ChatPage::Private::isPaneFocused() const {
    return m_pane != nullptr && m_pane->isVisible() && m_pane->isAncestorOf(QApplication::focusWidget());
}

void ChatPage::Private::actFocused(TurnAction action, MessageId message) {
    if (isPaneFocused())
        m_pane->act(action, message);
    else
        act(action, message);
}

void ChatPage::Private::sayBusy() {
    m_banner->showMessage(ErrorBanner::Kind::info, tr("An answer is still being written."),
        tr("Stop it with Esc, then edit, regenerate or delete."));
}

void ChatPage::Private::removeTurn(ChatSession& session, MessageId message) {
    if (session.isGenerating())
        return sayBusy();
    const MessageId leaf = session.leaf();
    const ChatId chat = session.chatId();
    const QList<MessageRecord> removed = session.remove(message);
    if (removed.isEmpty())
        return;
    m_undo->offer(tr("Messages deleted: %1").arg(countText(removed.size())),
        [this, chat, removed, leaf] { this->session(chat).putBack(removed, leaf); });
    place();
}

void ChatPage::Private::copy(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
}

void ChatPage::Private::load(const QString& path) {
    const EngineConfig config = engineConfigFromJson(m_context.settings.loadOptions(path));
    if (const auto started = m_context.client.load(path, config); !started)
        m_banner->showMessage(
            ErrorBanner::Kind::warning, toQString(started.error().message), toQString(started.error().remedy));
}

void ChatPage::Private::loadLastModel() {
    for (const QString& path : m_context.settings.value(keys::kRecentModels))
        if (QFileInfo::exists(path))
            return load(path);
}

void ChatPage::Private::showMenu(QPoint position) {
    if (!m_current)
        return;
    const ChatId chat = m_current->chatId();
    const bool isSaved = m_messages.rowCount() > 0;
    auto* menu = new QMenu(&m_page);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto icon = [this](const char* name) { return m_context.theme.icon(QLatin1String(name), Measure::kIconRow); };
    menu->addAction(icon("new-chat"), tr("New temporary chat"), this, [this] { startChat(true); });
    menu->addAction(icon("split"), tr("Second chat beside this one"), this, [this] { showBeside(0); });
    menu->addAction(icon("search"), tr("Find in chat…"), this,
            [this] {
                m_find->open();
                place();
            })
        ->setEnabled(isSaved);
    menu->addAction(icon("export"), tr("Export…"), this, [this, chat] { exportChat(chat); })->setEnabled(isSaved);
    menu->addAction(icon("open"), tr("Import chats…"), this, &Private::importChats);
    menu->addSeparator();
    menu->addAction(icon("trash"), tr("Move to Trash"), this, [this, chat] { trash(chat); })->setEnabled(isSaved);
    menu->popup(position);
}

} // namespace vitrine::ui
