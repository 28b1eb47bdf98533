// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the left panel: search, chats, trash.
#pragma once

#include <QWidget>

#include "ui/chat/chat_list_model.h"
#include "ui/theme/theme.h"

class QLabel;
class QListView;
class QMenu;
class QTimer;

namespace vitrine::ui {

class Button;
class ChatStore;
class Dialogs;
class SearchField;

/// Thread: GUI.  Deleting moves to the Trash, with undo by the page; only emptying the Trash destroys, after a question.
/// No key alone deletes but Delete, which can be undone; Backspace does nothing.
class ChatList final : public QWidget {
    Q_OBJECT
public:
    ChatList(const Theme& theme, ChatStore& store, Dialogs& dialogs, QWidget* parent = nullptr);

    void setCurrent(ChatId chat);
    void setGenerating(ChatId chat, bool generating);
    void focusSearch();
    void focusChats();
    [[nodiscard]] ChatListModel& model() { return *m_model; }
    [[nodiscard]] QListView& view() { return *m_view; }

signals:
    void chatChosen(qint64 chat, qint64 message); // message: of a search hit, else 0
    void newChatRequested();
    void trashed(qint64 chat);
    void renamed(qint64 chat, const QString& oldTitle);
    void exportRequested(qint64 chat);
    void besideRequested(qint64 chat); // as the second chat on screen
    void moved(qint64 chat, const QString& oldFolder);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void showMenu(QPoint point);
    void rename(ChatId chat);
    void addFolderMenu(QMenu& menu, const ChatRecord& chat);
    void moveToFolder(ChatId chat, const QString& folder);
    void refresh();
    void choose(const QModelIndex& index);
    void keepPlace(); // before the rows are made anew
    void takePlace();

    const Theme& m_theme;
    ChatStore& m_store;
    Dialogs& m_dialogs;
    ChatListModel* m_model;
    SearchField* m_search;
    QListView* m_view;
    QLabel* m_empty;
    Button* m_trash;
    QLabel* m_trashCount;
    Button* m_emptyTrash;
    QTimer* m_searchTimer;
    QTimer* m_spinTimer;
    ChatId m_current = 0;
    ChatId m_keptRow = 0; // the row under the keys, while the rows are made anew
    int m_keptScroll = 0;
    ChatListModel::Mode m_shownMode = ChatListModel::Mode::chats;
};

} // namespace vitrine::ui
