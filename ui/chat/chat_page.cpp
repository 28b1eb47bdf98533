// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the Chat page as the frame sees it.
#include "ui/chat/chat_page.h"

#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QShortcut>

#include "ui/chat/chat_page_private.h"

namespace vitrine::ui {

namespace {

QStringList filesOf(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            paths += url.toLocalFile();
    return paths;
}

} // namespace

ChatPage::ChatPage(const Context& context, QWidget* parent)
    : QWidget(parent), d(std::make_unique<Private>(*this, context)) {
    setFocusProxy(d->m_composer);
    setAcceptDrops(true);
    // A text field with the focus takes Ctrl+Z for itself first.
    auto* undoKey = new QShortcut(QKeySequence::Undo, this);
    undoKey->setContext(Qt::WidgetWithChildrenShortcut);
    connect(undoKey, &QShortcut::activated, this, &ChatPage::undo);
}

ChatPage::~ChatPage() = default;

ChatId ChatPage::currentChat() const {
    return d->current() != nullptr ? d->current()->chatId() : 0;
}

ChatId ChatPage::chatBeside() const {
    return d->beside() != nullptr ? d->beside()->chatId() : 0;
}

bool ChatPage::isGenerating() const {
    return d->current() != nullptr && d->current()->isGenerating();
}

void ChatPage::keepDrafts() {
    d->keepDraftsNow();
}

void ChatPage::closeTurns() {
    d->closeTurns();
}

void ChatPage::newChat() {
    d->startChat(false);
    focusComposer();
}

void ChatPage::newTemporaryChat() {
    d->startChat(true);
    focusComposer();
}

void ChatPage::openChat(qint64 chat) {
    d->show(chat);
}

void ChatPage::send(const QString& text) {
    d->send(text);
}

void ChatPage::stop() {
    if (ChatSession* session = d->focused())
        session->stop();
}

void ChatPage::regenerateLast() {
    if (ChatSession* session = d->focused())
        d->actFocused(TurnAction::regenerate, session->lastAnswer());
}

void ChatPage::continueLast() {
    if (ChatSession* session = d->focused())
        session->continueAnswer(session->lastAnswer());
}

void ChatPage::showPreviousBranch() {
    if (ChatSession* session = d->focused())
        d->actFocused(TurnAction::previousBranch, session->lastAnswer());
}

void ChatPage::showNextBranch() {
    if (ChatSession* session = d->focused())
        d->actFocused(TurnAction::nextBranch, session->lastAnswer());
}

void ChatPage::editLastTurn() {
    if (d->current() != nullptr)
        d->editTurn(d->current()->lastUserTurn());
}

void ChatPage::copyLastAnswer() {
    if (ChatSession* session = d->focused())
        d->actFocused(TurnAction::copy, session->lastAnswer());
}

void ChatPage::copyLastCodeBlock() {
    const ChatSession* session = d->focused();
    const auto turn = session != nullptr ? session->turn(session->lastAnswer()) : std::nullopt;
    if (!turn)
        return;
    const QString code = lastCodeOf(turn->message.content);
    if (!code.isEmpty())
        d->copy(code);
}

void ChatPage::jumpToLatest() {
    if (d->isPaneFocused())
        d->m_pane->jumpToLatest();
    else
        d->m_view->jumpToLatest();
}

void ChatPage::focusComposer() {
    d->m_composer->focusText();
}

void ChatPage::findInChat() {
    if (d->isPaneFocused())
        return d->m_pane->find();
    d->m_find->open();
    d->place();
}

void ChatPage::findInAllChats() {
    d->setListVisible(true);
    d->m_list->focusSearch();
}

void ChatPage::toggleInspector() {
    d->setInspectorVisible(!d->wantsInspector());
}

void ChatPage::toggleChatList() {
    d->setListVisible(!d->wantsList());
}

void ChatPage::importChats() {
    d->importChats();
}

void ChatPage::showBeside(qint64 chat) {
    d->showBeside(chat);
}

void ChatPage::undo() {
    d->m_undo->undo();
}

void ChatPage::dragEnterEvent(QDragEnterEvent* event) {
    if (!filesOf(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

/// Files that fall anywhere on a chat go to its composer.
void ChatPage::dropEvent(QDropEvent* event) {
    const bool isBeside = d->beside() != nullptr && d->m_pane->isVisible() &&
        d->m_pane->rect().contains(d->m_pane->mapFrom(this, event->position().toPoint()));
    Composer& composer = isBeside ? d->m_pane->composer() : *d->m_composer;
    if (const QStringList paths = filesOf(event->mimeData()); !paths.isEmpty()) {
        event->acceptProposedAction();
        emit composer.filesDropped(paths);
        composer.focusText();
    }
}

void ChatPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && d->focused() != nullptr && d->focused()->isGenerating()) {
        stop();
        return;
    }
    // Whoever types while the messages have the focus means the composer.
    const bool isText = !event->text().isEmpty() && event->text().front().isPrint() &&
        !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (isText) {
        Composer& composer = d->isPaneFocused() ? d->m_pane->composer() : *d->m_composer;
        composer.focusText();
        QCoreApplication::sendEvent(composer.focusProxy(), event);
        return;
    }
    QWidget::keyPressEvent(event);
}

void ChatPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    d->place();
}

void ChatPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    d->place();
    d->pageShown();
}

} // namespace vitrine::ui
