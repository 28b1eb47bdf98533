// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the second chat.
#include "ui/chat/chat_pane.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/chat/floating_bars.h"
#include "ui/chat/links.h"
#include "ui/chat/message_view.h"
#include "ui/store/chat_store.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"

namespace vitrine::ui {

ChatPane::ChatPane(const Theme& theme, const ChatStore& store, Dialogs& dialogs, QWidget* parent)
    : QWidget(parent), m_store(store), m_dialogs(dialogs),
      m_title(new ElidedLabel(theme, TextRole::section, Color::text1)), m_view(new MessageView(theme, m_messages)),
      m_composer(new Composer(theme)), m_pill(new LatestPill(theme, this)), m_find(new FindBar(theme, this)),
      m_composerLayout(new QHBoxLayout) {
    setProperty("surface", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QWidget* header = makeHeaderBar(theme);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(32, 0, 12, 0);
    row->addWidget(m_title, 1);
    auto* close = new IconButton(theme, QStringLiteral("close"), tr("Close the second chat"));
    row->addWidget(close);
    column->addWidget(header);
    column->addWidget(m_view, 1);
    m_composerLayout->setContentsMargins(32, 0, 32, 16);
    m_composerLayout->addWidget(m_composer);
    column->addLayout(m_composerLayout);
    connect(close, &IconButton::clicked, this, &ChatPane::closed);
    connect(&store, &ChatStore::chatsChanged, this, &ChatPane::refresh);
    connectView();
    connectComposer();
}

void ChatPane::connectView() {
    connect(m_view, &MessageView::actionTriggered, this, &ChatPane::act);
    connect(
        m_view, &MessageView::copied, this, [](const QString& text) { QGuiApplication::clipboard()->setText(text); });
    connect(m_view, &MessageView::columnChanged, this, &ChatPane::place);
    connect(
        m_view, &MessageView::linkActivated, this, [this](const QString& link) { openLink(m_dialogs, this, link); });
    connect(m_view, &MessageView::followingChanged, this, [this](bool following) {
        m_pill->setVisible(!following);
        place();
    });
    connect(m_pill, &QAbstractButton::clicked, m_view, &MessageView::jumpToLatest);
    connect(m_find, &FindBar::findRequested, this,
        [this](const QString& text, bool forward) { m_find->showResult(m_view->find(text, forward)); });
    connect(m_find, &FindBar::closed, m_view, [this] { m_view->setFocus(); });
}

void ChatPane::find() {
    m_find->open();
    place();
}

void ChatPane::jumpToLatest() {
    m_view->jumpToLatest();
}

void ChatPane::connectComposer() {
    connect(m_composer, &Composer::submitted, this, [this](const QString& text, bool isEdit) {
        const MessageId edited = std::exchange(m_edited, 0);
        if (!m_session)
            return;
        if (!isEdit || edited == 0 || !m_session->turn(edited))
            return m_session->send(text);
        if (!m_session->isGenerating())
            return m_session->editUserTurn(edited, text);
        m_edited = edited; // an answer was begun meanwhile: what was written stays in the field
        m_composer->beginEdit(text);
        emit busy();
    });
    connect(m_composer, &Composer::editCancelled, this, [this] { m_edited = 0; });
    connect(m_composer, &Composer::stopRequested, this, [this] {
        if (m_session)
            m_session->stop();
    });
    connect(m_composer, &Composer::editLastRequested, this, [this] {
        if (m_session)
            act(TurnAction::edit, m_session->lastUserTurn());
    });
    connect(m_composer, &Composer::queuedEditRequested, this, [this](int index) {
        if (m_session)
            m_composer->addDraftText(m_session->takeQueued(index));
    });
    connect(m_composer, &Composer::queuedSendRequested, this, [this] {
        if (m_session)
            m_session->sendQueued();
    });
    connect(m_composer, &Composer::queuedRemoved, this, [this](int index) {
        if (m_session)
            m_session->takeQueued(index);
    });
}

void ChatPane::setSession(ChatSession* session) {
    if (m_session == session)
        return;
    if (m_session)
        m_session->disconnect(this);
    m_session = session;
    m_edited = 0;
    m_composer->setDraft({});
    m_messages.setSession(session);
    if (session != nullptr) {
        connect(session, &ChatSession::generatingChanged, m_composer, &Composer::setGenerating);
        connect(session, &ChatSession::queueChanged, this, &ChatPane::refresh);
    }
    refresh();
}

Draft ChatPane::takeDraft() {
    Draft draft = m_composer->takeDraft();
    draft.edited = std::exchange(m_edited, 0);
    return draft;
}

void ChatPane::setDraft(const Draft& draft) {
    m_composer->setDraft(draft);
    m_edited = draft.edited;
}

void ChatPane::setModelName(const QString& name, bool chats) {
    m_composer->setModelName(name, chats);
}

void ChatPane::act(TurnAction action, MessageId message) {
    const auto turn = m_session ? m_session->turn(message) : std::nullopt;
    if (!turn)
        return;
    switch (action) {
    case TurnAction::copy:
    case TurnAction::copyMarkdown:
        QGuiApplication::clipboard()->setText(turn->message.content);
        break;
    case TurnAction::edit:
        if (m_session->isGenerating())
            return emit busy();
        m_edited = message;
        m_composer->beginEdit(turn->message.content);
        break;
    case TurnAction::regenerate:
    case TurnAction::retry:
        if (m_session->isGenerating())
            return emit busy();
        m_composer->focusText();
        m_session->regenerate(message);
        break;
    case TurnAction::continueAnswer:
        m_composer->focusText();
        m_session->continueAnswer(message);
        break;
    case TurnAction::previousBranch:
        m_session->showBranch(message, -1);
        break;
    case TurnAction::nextBranch:
        m_session->showBranch(message, +1);
        break;
    case TurnAction::showPrompt: // the inspector belongs to the first chat; the text can still be had
        QGuiApplication::clipboard()->setText(m_session->exactPrompt());
        break;
    case TurnAction::remove:
        emit removeRequested(message);
        break;
    case TurnAction::openModel:
        emit modelRequested();
        break;
    }
}

void ChatPane::refresh() {
    const ChatRecord* chat = m_session ? m_store.chat(m_session->chatId()) : nullptr;
    if (m_session && chat == nullptr) // erased meanwhile
        return emit closed();
    m_title->setText(chat == nullptr || chat->title.isEmpty() ? tr("New chat") : chat->title);
    m_composer->setGenerating(m_session && m_session->isGenerating());
    m_composer->setQueued(m_session ? m_session->queued() : QStringList());
}

void ChatPane::place() {
    const int column = m_view->columnRect().width();
    const bool hasColumn = column > 1;
    const int left = hasColumn ? m_view->columnRect().left() : 32;
    m_composerLayout->setContentsMargins(left, 0, hasColumn ? std::max(width() - left - column, 0) : 32, 16);
    m_composer->setMaximumTextHeight(height() * 2 / 5);
    const QRect view = m_view->geometry();
    const QSize pill = m_pill->sizeHint();
    m_pill->setGeometry(
        view.center().x() - pill.width() / 2, view.bottom() - pill.height() - 12, pill.width(), pill.height());
    m_pill->raise();
    const QSize find = m_find->sizeHint();
    const int findWidth = std::min(find.width(), view.width() - 16);
    m_find->setGeometry(view.right() - findWidth - 8, view.top() + 8, findWidth, find.height());
    m_find->raise();
}

void ChatPane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

} // namespace vitrine::ui
