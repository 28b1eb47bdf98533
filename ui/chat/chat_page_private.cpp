// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the parts of the Chat page and how they talk.
#include "ui/chat/chat_page_private.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/bridge/qt_convert.h"
#include "ui/chat/links.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr int kPaneAndInspector = 1300; // room for both beside the first chat
constexpr int kListWidth = 260;
constexpr int kInspectorWidth = 300;
constexpr int kNarrowPage = 1'000, kTinyPage = 640;
constexpr int kCenterMinimum = 360;
constexpr int kInspectorIntervalMs = 250;

} // namespace

ChatPage::Private::Private(ChatPage& page, const Context& context)
    : m_page(page), m_context(context), m_list(new ChatList(context.theme, context.store, context.dialogs)),
      m_header(new ChatHeader(context.theme)), m_banner(new ErrorBanner(context.theme)), m_stack(new QStackedWidget),
      m_first(new FirstState(context.theme, context.client, context.settings, context.store.dataDir())),
      m_firstArea(new QScrollArea), m_view(new MessageView(context.theme, m_messages)),
      m_composer(new Composer(context.theme)), m_composerArea(new QWidget),
      m_composerLayout(new QHBoxLayout(m_composerArea)),
      m_inspector(new TurnInspector(context.theme, context.settings, context.dialogs)), m_splitter(new QSplitter) {
    build();
    m_inspectorTimer.setSingleShot(true);
    m_inspectorTimer.setInterval(kInspectorIntervalMs);
    connect(&m_inspectorTimer, &QTimer::timeout, this, &Private::refreshInspector);
    m_draftTimer.setSingleShot(true);
    connect(&m_draftTimer, &QTimer::timeout, this, &Private::keepDraftsNow);
    connectList();
    connectView();
    connectComposer();
    connectInspector();
    connectEngine();
    connectStore();
    connectSessions();
    setInspectorVisible(context.settings.value(keys::kInspectorVisible));
    setListVisible(context.settings.value(keys::kChatListVisible));
    m_composer->setEnterSends(context.settings.value(keys::kEnterSends));
    connect(&context.theme, &Theme::changed, this, &Private::place);
    refreshModel();
    startChat(false);
    m_hasChosen = false;
    takeStoredDrafts(); // of a window before this one, which spoke another language
}

void ChatPage::Private::build() {
    auto* center = new QWidget;
    center->setProperty("surface", QStringLiteral("page"));
    center->setAttribute(Qt::WA_StyledBackground);
    center->setMinimumWidth(kCenterMinimum);
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bannerArea = new QWidget;
    auto* bannerLayout = new QHBoxLayout(bannerArea);
    bannerLayout->setContentsMargins(32, 0, 32, 0);
    bannerLayout->addWidget(m_banner);
    m_banner->setClosable(true);
    m_firstArea->setWidgetResizable(true);
    m_firstArea->setFrameShape(QFrame::NoFrame);
    m_firstArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_first->setProperty("surface", QStringLiteral("none"));
    m_firstArea->setWidget(m_first);
    m_stack->addWidget(m_firstArea);
    m_stack->addWidget(m_view);
    m_composerLayout->setContentsMargins(32, 0, 32, 16);
    m_composerLayout->addWidget(m_composer);
    column->addWidget(m_header);
    column->addWidget(bannerArea);
    column->addWidget(m_stack, 1);
    column->addWidget(m_composerArea);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_list);
    m_splitter->addWidget(center);
    m_splitter->addWidget(m_inspector);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setStretchFactor(2, 0);
    auto* layout = new QHBoxLayout(&m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    m_pill = new LatestPill(m_context.theme, center);
    m_undo = new UndoBar(m_context.theme, &m_page);
    m_find = new FindBar(m_context.theme, center);
}

void ChatPage::Private::connectList() {
    connect(m_list, &ChatList::chatChosen, this, [this](qint64 chat, qint64 message) {
        closeSheet();
        show(chat);
        if (message != 0) {
            ChatSession& chosen = session(chat);
            const auto reveal = [this, message] { m_view->scrollToTurn(message); };
            if (chosen.isLoaded())
                reveal();
            else
                connect(&chosen, &ChatSession::loaded, m_view, reveal, Qt::QueuedConnection);
        }
    });
    connect(m_list, &ChatList::newChatRequested, this, [this] {
        closeSheet();
        startChat(false);
        m_composer->focusText();
    });
    connect(m_list, &ChatList::trashed, this, &Private::trash);
    connect(m_list, &ChatList::besideRequested, this, &Private::showBeside);
    connect(m_list, &ChatList::exportRequested, this, &Private::exportChat);
    connect(m_list, &ChatList::moved, this, [this](qint64 chat, const QString& oldFolder) {
        m_undo->offer(tr("Chat moved"), [this, chat, oldFolder] {
            if (const ChatRecord* known = m_context.store.chat(chat)) {
                ChatRecord changed = *known;
                changed.folder = oldFolder;
                m_context.store.updateChat(changed);
            }
        });
        place();
    });
    connect(m_list, &ChatList::renamed, this, [this](qint64 chat, const QString& oldTitle) {
        m_undo->offer(tr("Chat renamed"), [this, chat, oldTitle] {
            if (const ChatRecord* known = m_context.store.chat(chat)) {
                ChatRecord changed = *known;
                changed.title = oldTitle;
                m_context.store.updateChat(changed);
            }
        });
        place();
    });
}

void ChatPage::Private::connectView() {
    connect(m_view, &MessageView::actionTriggered, this, &Private::act);
    connect(m_view, &MessageView::copied, this, &Private::copy);
    connect(m_view, &MessageView::linkActivated, this,
        [this](const QString& link) { openLink(m_context.dialogs, &m_page, link); });
    connect(m_view, &MessageView::followingChanged, this, [this](bool following) {
        m_pill->setVisible(!following);
        place();
    });
    connect(m_view, &MessageView::columnChanged, this, &Private::place);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, m_header,
        [this](int value) { m_header->setScrolled(value > 0); });
    connect(m_pill, &QAbstractButton::clicked, m_view, &MessageView::jumpToLatest);
    connect(m_find, &FindBar::findRequested, this,
        [this](const QString& text, bool forward) { m_find->showResult(m_view->find(text, forward)); });
    connect(m_find, &FindBar::closed, m_view, [this] { m_view->setFocus(); });
    connect(m_header, &ChatHeader::modelClicked, &m_page, &ChatPage::enginePickerRequested);
    connect(m_header, &ChatHeader::moreClicked, this, &Private::showMenu);
    connect(m_header, &ChatHeader::inspectorToggled, this, [this] { setInspectorVisible(!wantsInspector()); });
    connect(m_header, &ChatHeader::listRequested, this, [this] {
        setListVisible(true);
        m_list->focusChats();
    });
    connect(m_first, &FirstState::promptChosen, this, &Private::send);
    connect(m_first, &FirstState::loadRequested, this, &Private::load);
    connect(m_first, &FirstState::openFileRequested, &m_page, &ChatPage::openModelFileRequested);
    connect(m_first, &FirstState::modelsRequested, &m_page, &ChatPage::modelPickerRequested);
    connect(m_first, &FirstState::downloadRequested, &m_page, &ChatPage::downloadRequested);
}

void ChatPage::Private::connectComposer() {
    connect(m_composer, &Composer::submitted, this, [this](const QString& text, bool isEdit) {
        const MessageId edited = std::exchange(m_edited, 0);
        if (!isEdit || edited == 0 || !m_current || !m_current->turn(edited))
            return send(text);
        if (!m_current->isGenerating())
            return m_current->editUserTurn(edited, text);
        m_edited = edited; // an answer was begun meanwhile: what was written stays in the field
        m_composer->beginEdit(text);
        sayBusy();
    });
    connect(m_composer, &Composer::submitted, this, &Private::keepDraftsNow); // sent: it is no draft any more
    connect(m_composer, &Composer::editCancelled, this, [this] { m_edited = 0; });
    connect(m_composer, &Composer::stopRequested, &m_page, &ChatPage::stop);
    connect(m_composer, &Composer::editLastRequested, &m_page, &ChatPage::editLastTurn);
    connect(m_composer, &Composer::countRequested, this, [this](const QString& text) {
        m_draftTicket = m_context.client.countTokens(text);
        keepDraftsSoon();
    });
    connect(m_composer, &Composer::queuedEditRequested, this, [this](int index) {
        if (m_current)
            m_composer->addDraftText(m_current->takeQueued(index));
    });
    connect(m_composer, &Composer::queuedSendRequested, this, [this] {
        if (m_current)
            m_current->sendQueued();
    });
    connect(m_composer, &Composer::queuedRemoved, this, [this](int index) {
        if (m_current)
            m_current->takeQueued(index);
    });
    connectAttachments(*m_composer);
}

void ChatPage::Private::connectInspector() {
    connect(m_inspector, &TurnInspector::closed, this, &Private::closeSheet);
    connect(m_inspector, &TurnInspector::systemPromptEdited, this, [this](const QString& text) {
        changeCurrent([&text](ChatRecord& chat) { chat.systemPrompt = text; });
        refreshInspector();
        countSystemPrompt();
    });
    connect(m_inspector, &TurnInspector::samplingEdited, this, [this](const ChatSampling& sampling) {
        changeCurrent([&sampling](ChatRecord& chat) { chat.sampling = sampling; });
        refreshInspector();
        refreshContext();
    });
    connect(
        m_inspector, &TurnInspector::presetChosen, this, [this](const QString& prompt, const ChatSampling& sampling) {
            changeCurrent([&](ChatRecord& chat) {
                chat.systemPrompt = prompt;
                chat.sampling = sampling;
            });
            refreshInspector();
            refreshContext();
            countSystemPrompt();
        });
    m_inspector->setDefaults(defaultSampling());
    m_inspector->setWantsAlternatives(m_context.sessions.wantsAlternatives());
    connect(m_inspector, &TurnInspector::alternativesToggled, &m_context.sessions, &OpenChats::setWantsAlternatives);
    connect(m_inspector, &TurnInspector::engineRequested, &m_page, &ChatPage::engineRequested);
}

void ChatPage::Private::connectEngine() {
    connect(&m_context.client, &EngineClient::modelChanged, this, &Private::refreshModel);
    connect(&m_context.client, &EngineClient::loadChanged, this, &Private::onLoad);
    connect(&m_context.client, &EngineClient::tokensCounted, this, [this](const TokenCount& count) {
        if (count.ticket == m_systemTicket) {
            m_systemTokens = std::max(count.tokens, 0);
        } else if (count.ticket == m_draftTicket) {
            m_draftTokens = std::max(count.tokens, 0);
            m_composer->setDraftTokens(count.tokens);
        } else if (count.ticket == m_paneTicket && m_pane != nullptr) {
            m_paneDraftTokens = std::max(count.tokens, 0);
            m_pane->composer().setDraftTokens(count.tokens);
        } else if (const MessageId leaf = m_branchTickets.take(count.ticket); leaf != 0) {
            m_branchTokens.insert(leaf, std::max(count.tokens, 0));
        }
        refreshContext();
        countSystemPrompt();
    });
    connect(m_banner, &ErrorBanner::actionTriggered, this, [this](int index) {
        if (index == 0)
            emit m_page.modelPickerRequested();
        m_banner->dismiss();
    });
}

void ChatPage::Private::connectStore() {
    ChatStore& store = m_context.store;
    connect(&store, &ChatStore::opened, this, [this](int numRecovered) {
        if (numRecovered > 0)
            m_banner->showMessage(ErrorBanner::Kind::success, tr("Answers recovered: %1.").arg(countText(numRecovered)),
                tr("Vitrine was interrupted while they were written."));
        takeStoredDrafts();
        // What was on screen last, unless the user has begun something else.
        if (m_hasChosen || !m_composer->draftText().isEmpty())
            return;
        for (const ChatRecord& chat : m_context.store.chats())
            if (chat.trashedMs == 0) {
                show(chat.id);
                break;
            }
    });
    connect(&store, &ChatStore::rescued, this, [this](const QString& keptAside, int numChats) {
        m_banner->showMessage(ErrorBanner::Kind::warning,
            tr("The chat database was damaged. Chats saved from it: %1.").arg(countText(numChats)),
            tr("The damaged file is kept as %1; a backup can replace it.").arg(keptAside));
    });
    connect(&store, &ChatStore::openFailed, this, [this](const QString& message) {
        m_banner->showMessage(ErrorBanner::Kind::error, tr("Chats could not be opened."), message);
    });
    connect(&store, &ChatStore::writeFailed, this, [this](const QString& message) {
        m_banner->showMessage(ErrorBanner::Kind::warning, tr("Not saved yet."),
            tr("%1. The chat stays in memory and is saved when the disk takes it.").arg(message));
    });
    connect(&store, &ChatStore::writesRecovered, this, [this] {
        m_banner->showMessage(ErrorBanner::Kind::success, tr("Saved."), tr("Everything is on disk again."));
    });
    connect(&store, &ChatStore::chatsChanged, this, [this] {
        refreshTitle();
        const ChatRecord* chat = m_current ? m_context.store.chat(m_current->chatId()) : nullptr;
        if (m_current && chat == nullptr)
            startChat(false);
    });
    connect(&m_context.settings, &Settings::changed, this, [this](const QString& name) {
        if (name == QLatin1String(keys::kTemperature.name) || name == QLatin1String(keys::kTopP.name))
            m_inspector->setDefaults(defaultSampling());
        if (name == QLatin1String(keys::kEnterSends.name))
            for (Composer* composer : m_page.findChildren<Composer*>())
                composer->setEnterSends(m_context.settings.value(keys::kEnterSends));
    });
}

void ChatPage::Private::setInspectorVisible(bool visible) {
    if (isTiny()) {
        m_sheet = visible ? Sheet::inspector : Sheet::none;
    } else {
        m_wantsInspector = visible;
        m_context.settings.set(keys::kInspectorVisible, visible);
    }
    shareWidth();
    if (visible)
        refreshInspector();
}

void ChatPage::Private::setListVisible(bool visible) {
    if (isTiny()) {
        m_sheet = visible ? Sheet::list : Sheet::none;
    } else {
        m_wantsList = visible;
        m_context.settings.set(keys::kChatListVisible, visible);
    }
    shareWidth();
}

bool ChatPage::Private::isTiny() const {
    return m_page.isVisible() && m_page.width() < m_context.theme.px(kTinyPage);
}

void ChatPage::Private::closeSheet() {
    if (std::exchange(m_sheet, Sheet::none) != Sheet::none)
        shareWidth();
}

/// Wide: list, chat and inspector beside each other.  Narrow: one panel beside the chat.  Tiny: a panel covers the chat.
void ChatPage::Private::shareWidth() {
    const Theme& theme = m_context.theme;
    const bool isNarrow = m_page.width() < theme.px(kNarrowPage);
    const bool isSheet = isTiny();
    if (!isSheet)
        m_sheet = Sheet::none;
    // Large text or a small window: the list keeps its plain width, and the inspector takes its place.
    m_list->setMinimumWidth(isSheet ? 0 : isNarrow ? 200 : theme.px(200));
    m_list->setMaximumWidth(isSheet ? QWIDGETSIZE_MAX : isNarrow ? kListWidth : theme.px(360));
    m_inspector->setMinimumWidth(isSheet ? 0 : theme.px(260));
    m_inspector->setMaximumWidth(isSheet ? QWIDGETSIZE_MAX : theme.px(420));
    m_stack->parentWidget()->setMinimumWidth(isSheet ? 0 : kCenterMinimum);
    m_splitter->setOrientation(isSheet ? Qt::Vertical : Qt::Horizontal); // of two chats
    const bool hasRoom = isSheet || beside() == nullptr || m_page.width() >= theme.px(kPaneAndInspector);
    m_inspector->setVisible(wantsInspector() && hasRoom);
    m_list->setVisible(wantsList() && (isSheet || !(isNarrow && (m_wantsInspector || beside() != nullptr))));
    m_stack->parentWidget()->setVisible(m_sheet == Sheet::none);
    if (m_pane != nullptr)
        m_pane->setVisible(m_sheet == Sheet::none);
    m_inspector->setCloseVisible(isSheet);
    m_header->setInspectorOpen(wantsInspector());
    m_header->setListButtonVisible(m_list->isHidden());
    if (theme.textPercent() != m_sharedPercent) {
        m_sharedPercent = theme.textPercent();
        if (m_pane == nullptr)
            m_splitter->setSizes({theme.px(kListWidth), 10'000, theme.px(kInspectorWidth)});
        else
            m_splitter->setSizes({theme.px(kListWidth), 10'000, 10'000, theme.px(kInspectorWidth)});
    }
}

void ChatPage::Private::place() {
    shareWidth();
    QWidget* center = m_stack->parentWidget();
    // The composer stands under the column of text, whatever scroll bar there is.
    const bool hasColumn = m_stack->currentWidget() == m_view && m_view->columnRect().width() > 1;
    const int width = center->width();
    const int column = hasColumn ? m_view->columnRect().width() : std::min(width - 64, m_context.theme.px(760));
    const int left = hasColumn ? m_view->columnRect().left() : (width - column) / 2;
    const int right = std::max(width - left - column, 0);
    m_composerLayout->setContentsMargins(left, 0, right, 16);
    m_composer->setMaximumTextHeight(m_page.height() * 2 / 5);
    m_header->setContentsMargins(0, 0, 0, 0);
    const QRect view = m_stack->geometry();
    const QSize pill = m_pill->sizeHint();
    m_pill->setGeometry(
        view.center().x() - pill.width() / 2, view.bottom() - pill.height() - 12, pill.width(), pill.height());
    m_pill->raise();
    const QSize find = m_find->sizeHint();
    m_find->setGeometry(view.right() - find.width() - 24, view.top() + 8, find.width(), find.height());
    const QSize undo = m_undo->sizeHint();
    // Above the composer: what one writes next, and its buttons, stay in view.
    const bool isCovered = m_composerArea->isHidden() || m_stack->parentWidget()->isHidden();
    const int floor = isCovered ? m_page.height() : m_composerArea->mapTo(&m_page, QPoint()).y();
    m_undo->setGeometry((m_page.width() - undo.width()) / 2, floor - undo.height() - 12, undo.width(), undo.height());
}

void ChatPage::Private::refreshModel() {
    const auto model = m_context.client.model();
    const QString name = model ? toQString(model->info.name) : QString();
    m_header->setModel(name, model ? toQString(model->info.quantization) : QString());
    const bool chats = !model || model->is_chat_model;
    m_composer->setModelName(name, chats);
    if (m_pane != nullptr)
        m_pane->setModelName(name, chats);
    m_countedSystem.clear(); // another tokenizer
    m_branchTokens.clear();
    m_branchTickets.clear();
    countSystemPrompt();
    m_draftTicket = m_context.client.countTokens(m_composer->draft());
    refreshContext();
}

void ChatPage::Private::onLoad(const LoadState& state) {
    const QString name = QUrl::fromLocalFile(state.path).fileName();
    switch (state.stage) {
    case LoadStage::failed:
        refreshModel();
        m_banner->showMessage(ErrorBanner::Kind::error, tr("%1 was not loaded.").arg(name),
            toQString(state.error.message) + u'\n' + toQString(state.error.remedy), {tr("Models")});
        m_loadFailure = m_banner->title();
        break;
    case LoadStage::done:
        if (m_banner->title() == m_loadFailure) // what is said of chats and disks stays until it is read
            m_banner->dismiss();
        refreshModel();
        break;
    case LoadStage::cancelled:
        refreshModel();
        break;
    default:
        m_header->setModel(name,
            state.bytesTotal > 0 ? tr("loading %1").arg(percentText(double(state.bytesDone) / double(state.bytesTotal)))
                                 : tr("loading"));
    }
}

void ChatPage::Private::refreshTitle() {
    const ChatRecord* chat = m_current ? m_context.store.chat(m_current->chatId()) : nullptr;
    const QString title = chat == nullptr || chat->title.isEmpty()
        ? (chat != nullptr && chat->temporary ? tr("Temporary chat") : tr("New chat"))
        : chat->title;
    m_header->setTitle(title);
    emit m_page.titleChanged(title);
}

void ChatPage::Private::refreshCurrent() {
    const bool hasTurns = m_current && m_current->lastUserTurn() != 0; // the model may not have its rows yet
    const bool isNewChat = !hasTurns && (!m_current || m_current->isLoaded());
    m_stack->setCurrentWidget(isNewChat ? static_cast<QWidget*>(m_firstArea) : m_view);
    m_composer->setGenerating(m_current && m_current->isGenerating());
    m_composer->setQueued(m_current ? m_current->queued() : QStringList());
    place();
    refreshTitle();
    refreshContext();
    refreshInspector();
}

void ChatPage::Private::refreshInspector() {
    if (!m_inspector->isVisible() || !m_current)
        return;
    if (const ChatRecord* chat = m_context.store.chat(m_current->chatId()))
        m_inspector->setChat(*chat);
    m_inspector->setTurn(m_current->turn(m_current->lastAnswer()), m_current);
}

ContextUse ChatPage::Private::contextOf(const ChatSession& session, int draftTokens, int systemTokens) const {
    ContextUse use;
    const auto model = m_context.client.model();
    if (!model)
        return use;
    use.context = model->context;
    use.system = systemTokens;
    if (const auto last = session.turn(session.lastAnswer())) {
        const int prompt = last->isRunning() ? last->live.promptTokens : last->message.stats.promptTokens;
        const int output = last->isRunning() ? last->live.outputTokens : last->message.stats.outputTokens;
        use.history = std::max(prompt + output - use.system, 0);
    }
    if (!isCounted(session))
        use.history = std::max(m_branchTokens.value(session.leaf()) - use.system, 0);
    use.draft = draftTokens;
    const ChatRecord* chat = m_context.store.chat(session.chatId());
    const int most = chat != nullptr ? chat->sampling.maxTokens : -1;
    use.reserve = std::min(most > 0 ? most : use.context / 8, use.context);
    return use;
}

bool ChatPage::Private::isCounted(const ChatSession& session) const {
    const auto last = session.turn(session.lastAnswer());
    return last && (last->isRunning() || last->message.stats.promptTokens > 0);
}

/// An imported chat, or one whose answers came from elsewhere, has no counts yet: its text is counted, without the template's
/// own tokens.
void ChatPage::Private::countHistory(const ChatSession& session) {
    const MessageId leaf = session.leaf();
    if (leaf == 0 || isCounted(session) || m_branchTokens.contains(leaf) || !m_context.client.model())
        return;
    m_branchTokens.insert(leaf, 0);
    m_branchTickets.insert(m_context.client.countTokens(session.plainText(leaf)), leaf);
}

void ChatPage::Private::refreshContext() {
    if (m_current)
        countHistory(*m_current);
    if (const ChatSession* second = beside())
        countHistory(*second);
    m_composer->setContextUse(m_current ? contextOf(*m_current, m_draftTokens, m_systemTokens) : ContextUse{});
    if (const ChatSession* second = beside()) // its system prompt counts as history
        m_pane->composer().setContextUse(contextOf(*second, m_paneDraftTokens, 0));
}

void ChatPage::Private::countSystemPrompt() {
    const ChatRecord* chat = m_current ? m_context.store.chat(m_current->chatId()) : nullptr;
    const QString system = chat != nullptr ? chat->systemPrompt : QString();
    if (system == m_countedSystem)
        return;
    m_countedSystem = system;
    m_branchTokens.clear(); // which were counted with the one before
    m_branchTickets.clear();
    m_systemTicket = m_context.client.countTokens(system);
}

} // namespace vitrine::ui
