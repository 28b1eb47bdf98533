// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the left panel: search, chats, trash.
#include "ui/chat/chat_list.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListView>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/chat/chat_list_delegate.h"
#include "ui/store/chat_store.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/menu_text.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr int kSearchDelayMs = 120;
constexpr int kSpinnerMs = 83; // twelve steps a second

} // namespace

ChatList::ChatList(const Theme& theme, ChatStore& store, Dialogs& dialogs, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_store(store), m_dialogs(dialogs), m_model(new ChatListModel(store, this)),
      m_search(new SearchField(theme, tr("Search chats"))), m_view(new QListView), m_empty(makeLabel({}, "hint")),
      m_trash(new Button(theme, tr("Trash"), Button::Kind::quiet, QStringLiteral("trash"))),
      m_trashCount(makeLabel({}, "hint")), m_emptyTrash(new Button(theme, tr("Empty"), Button::Kind::link)),
      m_searchTimer(new QTimer(this)), m_spinTimer(new QTimer(this)) {
    setProperty("surface", QStringLiteral("side"));
    setAttribute(Qt::WA_StyledBackground);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 8, 8);
    head->setSpacing(6);
    m_search->setAccessibleName(tr("Search chats"));
    auto* newChat = new IconButton(theme, QStringLiteral("new-chat"), tr("New chat"));
    head->addWidget(m_search, 1);
    head->addWidget(newChat);
    layout->addLayout(head);
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(20, 12, 20, 0);
    layout->addWidget(m_empty);
    auto* delegate = new ChatListDelegate(theme, this);
    m_view->setModel(m_model);
    m_view->setItemDelegate(delegate);
    m_view->setAccessibleName(tr("Chats"));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setMouseTracking(true);
    m_view->setUniformItemSizes(false);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setProperty("focusRing", QStringLiteral("inset"));
    m_view->installEventFilter(this);
    m_view->viewport()->installEventFilter(this);
    layout->addWidget(m_view, 1);
    layout->addWidget(new Hairline(theme));
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(8, 6, 20, 6);
    m_trash->setCheckable(true);
    m_trash->setObjectName(QStringLiteral("trash"));
    m_emptyTrash->setObjectName(QStringLiteral("emptyTrash"));
    foot->addWidget(m_trash);
    foot->addStretch();
    foot->addWidget(m_emptyTrash);
    foot->addWidget(m_trashCount);
    layout->addLayout(foot);

    m_searchTimer->setSingleShot(true);
    m_searchTimer->setInterval(kSearchDelayMs);
    m_spinTimer->setInterval(kSpinnerMs);
    connect(m_searchTimer, &QTimer::timeout, this, &ChatList::search);
    connect(m_search, &SearchField::textChanged, m_searchTimer, qOverload<>(&QTimer::start));
    connect(&m_store, &ChatStore::contentsAdded, this, [this] {
        if (m_model->mode() == ChatListModel::Mode::search)
            m_searchTimer->start();
    });
    connect(newChat, &IconButton::clicked, this, &ChatList::newChatRequested);
    connect(m_view, &QListView::clicked, this, &ChatList::choose);
    connect(m_view, &QListView::activated, this, &ChatList::choose);
    connect(m_view, &QListView::customContextMenuRequested, this, &ChatList::showMenu);
    connect(m_trash, &Button::toggled, this, [this](bool on) {
        m_model->setMode(on ? ChatListModel::Mode::trash : ChatListModel::Mode::chats);
        refresh();
    });
    connect(m_emptyTrash, &Button::clicked, this, [this] {
        m_dialogs.confirm(this,
            {tr("Empty the Trash?"), tr("Chats that go for good: %1.").arg(countText(m_model->numTrashed())),
                tr("Empty Trash"), true},
            [this](bool yes) {
                if (yes)
                    m_store.emptyTrash();
            });
    });
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, &ChatList::keepPlace);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        refresh();
        takePlace();
    });
    connect(m_spinTimer, &QTimer::timeout, this, [this, delegate, step = 0]() mutable {
        delegate->setSpinnerStep(++step % 12);
        for (const ChatId chat : m_model->generating())
            if (const int row = m_model->rowOf(chat); row >= 0)
                m_view->viewport()->update(
                    delegate->stateRect(layoutDirection(), m_view->visualRect(m_model->index(row))));
    });
    refresh();
}

void ChatList::refresh() {
    const bool isTrash = m_model->mode() == ChatListModel::Mode::trash;
    const bool isSearch = m_model->mode() == ChatListModel::Mode::search;
    m_empty->setText(isTrash ? tr("The Trash is empty.")
            : isSearch       ? tr("No chat contains “%1”.").arg(m_search->text())
                             : tr("No chats yet. The first one starts when you send a message."));
    m_empty->setVisible(m_model->rowCount() == 0);
    const int numTrashed = m_model->numTrashed();
    m_trashCount->setText(numTrashed > 0 ? countText(numTrashed) : QString());
    m_emptyTrash->setVisible(isTrash && numTrashed > 0);
    setCurrent(m_current);
}

/// Rows come anew with every answer that ends, in whatever chat: who scrolls or walks through the list stays where he is.
void ChatList::keepPlace() {
    m_keptRow = m_view->hasFocus() ? m_model->chatAt(m_view->currentIndex().row()) : 0;
    const bool isSameList = m_model->mode() == m_shownMode && m_shownMode != ChatListModel::Mode::search;
    m_keptScroll = isSameList ? m_view->verticalScrollBar()->value() : 0;
    m_shownMode = m_model->mode();
}

void ChatList::takePlace() {
    if (const int row = m_model->rowOf(m_keptRow); row >= 0)
        m_view->setCurrentIndex(m_model->index(row));
    m_view->doItemsLayout(); // else there is nothing to scroll yet
    m_view->verticalScrollBar()->setValue(m_keptScroll);
}

void ChatList::setCurrent(ChatId chat) {
    m_current = chat;
    const int row = m_model->rowOf(chat);
    if (row >= 0)
        m_view->setCurrentIndex(m_model->index(row));
    else
        m_view->selectionModel()->clear();
}

void ChatList::setGenerating(ChatId chat, bool generating) {
    m_model->setGenerating(chat, generating);
    if (!m_model->generating().isEmpty() && !m_theme.lessMotion())
        m_spinTimer->start();
    else
        m_spinTimer->stop();
}

void ChatList::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void ChatList::focusChats() {
    m_view->setFocus(Qt::ShortcutFocusReason);
}

void ChatList::search() {
    const QString query = m_search->text().trimmed();
    if (query.isEmpty()) {
        m_model->setMode(ChatListModel::Mode::chats);
        return;
    }
    m_store.search(query, this, [this, query](const QList<SearchHit>& hits) {
        if (query == m_search->text().trimmed()) // not an older one
            m_model->setHits(query, hits);
    });
}

void ChatList::choose(const QModelIndex& index) {
    if (const ChatId chat = m_model->chatAt(index.row()); chat != 0)
        emit chatChosen(chat, m_model->messageAt(index.row()));
}

void ChatList::rename(ChatId chat) {
    const ChatRecord* known = m_store.chat(chat);
    if (known == nullptr)
        return;
    m_dialogs.askText(
        this, tr("Rename chat"), tr("Title"), known->title, [this, chat](bool accepted, const QString& title) {
            const ChatRecord* now = m_store.chat(chat);
            if (!accepted || now == nullptr || title.trimmed().isEmpty())
                return;
            ChatRecord changed = *now;
            changed.title = title.trimmed();
            emit renamed(chat, now->title);
            m_store.updateChat(changed);
        });
}

void ChatList::showMenu(QPoint point) {
    const ChatId chat = m_model->chatAt(m_view->indexAt(point).row());
    const ChatRecord* known = m_store.chat(chat);
    if (known == nullptr)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu, &QMenu::aboutToHide, this, [this] { setCurrent(m_current); });
    const auto icon = [this](const char* name) { return m_theme.icon(QLatin1String(name), Measure::kIconRow); };
    if (known->trashedMs > 0) {
        menu->addAction(icon("regenerate"), tr("Restore"), this, [this, chat] { m_store.restore(chat); });
    } else {
        const bool isPinned = known->pinned;
        menu->addAction(icon("pin"), isPinned ? tr("Unpin") : tr("Pin"), this, [this, chat, isPinned] {
            if (const ChatRecord* now = m_store.chat(chat)) {
                ChatRecord changed = *now;
                changed.pinned = !isPinned;
                m_store.updateChat(changed);
            }
        });
        menu->addAction(icon("edit"), tr("Rename…"), this, [this, chat] { rename(chat); });
        menu->addAction(icon("split"), tr("Open beside"), this, [this, chat] { emit besideRequested(chat); })
            ->setEnabled(chat != m_current);
        addFolderMenu(*menu, *known);
        menu->addAction(icon("export"), tr("Export…"), this, [this, chat] { emit exportRequested(chat); });
        menu->addSeparator();
        menu->addAction(icon("trash"), tr("Move to Trash"), this, [this, chat] { emit trashed(chat); });
    }
    menu->popup(m_view->viewport()->mapToGlobal(point));
}

void ChatList::addFolderMenu(QMenu& menu, const ChatRecord& chat) {
    QMenu* folders = menu.addMenu(m_theme.icon(QStringLiteral("folder"), Measure::kIconRow), tr("Move to folder"));
    QStringList names;
    for (const ChatRecord& other : m_store.chats())
        if (!other.folder.isEmpty() && other.trashedMs == 0 && !names.contains(other.folder))
            names += other.folder;
    names.sort(Qt::CaseInsensitive);
    for (const QString& name : std::as_const(names))
        if (name != chat.folder)
            folders->addAction(menuText(name), this, [this, id = chat.id, name] { moveToFolder(id, name); });
    if (!folders->isEmpty())
        folders->addSeparator();
    folders->addAction(tr("New folder…"), this, [this, id = chat.id] {
        m_dialogs.askText(this, tr("New folder"), tr("Name"), {}, [this, id](bool accepted, const QString& name) {
            if (accepted && !name.trimmed().isEmpty())
                moveToFolder(id, name.trimmed());
        });
    });
    if (!chat.folder.isEmpty())
        folders->addAction(
            tr("Out of %1").arg(menuText(chat.folder)), this, [this, id = chat.id] { moveToFolder(id, {}); });
}

void ChatList::moveToFolder(ChatId chat, const QString& folder) {
    const ChatRecord* known = m_store.chat(chat);
    if (known == nullptr || known->folder == folder)
        return;
    ChatRecord changed = *known;
    const QString before = std::exchange(changed.folder, folder);
    m_store.updateChat(changed);
    emit moved(chat, before);
}

/// The row that is lit is the chat on screen, but while keys or a menu are at another one.
bool ChatList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport() && event->type() == QEvent::MouseButtonPress)
        return m_model->chatAt(m_view->indexAt(static_cast<QMouseEvent*>(event)->pos()).row()) == 0;
    if (watched == m_view && event->type() == QEvent::FocusOut) {
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason)
            setCurrent(m_current);
    }
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const ChatId chat = m_model->chatAt(m_view->currentIndex().row());
        if (key == Qt::Key_Delete && chat != 0 && m_model->mode() != ChatListModel::Mode::trash) {
            emit trashed(chat);
            return true;
        }
        if (key == Qt::Key_F2 && chat != 0) {
            rename(chat);
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            choose(m_view->currentIndex());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace vitrine::ui
