// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the Chat page as the frame sees it.
#include "ui/chat/chat_page.h"

#include <QKeyEvent>
#include <QShortcut>

#include "ui/chat/chat_page_private.h"

namespace vitrine::ui {

ChatPage::ChatPage(const Context& context, QWidget* parent)
    : QWidget(parent), d(std::make_unique<Private>(*this, context)) {
    setFocusProxy(d->m_composer);
    // A text field with the focus takes Ctrl+Z for itself first.
    auto* undoKey = new QShortcut(QKeySequence::Undo, this);
    undoKey->setContext(Qt::WidgetWithChildrenShortcut);
    connect(undoKey, &QShortcut::activated, this, &ChatPage::undo);
}

ChatPage::~ChatPage() = default;

ChatId ChatPage::currentChat() const {
    return d->current() != nullptr ? d->current()->chatId() : 0;
}

bool ChatPage::isGenerating() const {
    return d->current() != nullptr && d->current()->isGenerating();
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
    if (d->current() != nullptr)
        d->current()->stop();
}

void ChatPage::regenerateLast() {
    if (d->current() != nullptr)
        d->current()->regenerate(d->current()->lastAnswer());
}

void ChatPage::continueLast() {
    if (d->current() != nullptr)
        d->current()->continueAnswer(d->current()->lastAnswer());
}

void ChatPage::showPreviousBranch() {
    d->act(TurnAction::previousBranch, d->current() != nullptr ? d->current()->lastAnswer() : 0);
}

void ChatPage::showNextBranch() {
    d->act(TurnAction::nextBranch, d->current() != nullptr ? d->current()->lastAnswer() : 0);
}

void ChatPage::editLastTurn() {
    if (d->current() != nullptr)
        d->editTurn(d->current()->lastUserTurn());
}

void ChatPage::copyLastAnswer() {
    d->act(TurnAction::copy, d->current() != nullptr ? d->current()->lastAnswer() : 0);
}

void ChatPage::copyLastCodeBlock() {
    const auto turn = d->current() != nullptr ? d->current()->turn(d->current()->lastAnswer()) : std::nullopt;
    if (!turn)
        return;
    const QString code = lastCodeOf(turn->message.content);
    if (!code.isEmpty())
        d->copy(code);
}

void ChatPage::jumpToLatest() {
    d->m_view->jumpToLatest();
}

void ChatPage::focusComposer() {
    d->m_composer->focusText();
}

void ChatPage::findInChat() {
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

void ChatPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isGenerating()) {
        stop();
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
