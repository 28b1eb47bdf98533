// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the Chat page: list of chats, messages, composer and inspector.
#pragma once

#include <QWidget>
#include <memory>

#include "ui/bridge/values.h"
#include "ui/store/chat_records.h"

namespace vitrine::ui {

class ChatStore;
class Dialogs;
class EngineClient;
class OpenChats;
class Settings;
class SnapshotFeed;
class Theme;

/// Thread: GUI.  Takes references that the application keeps alive longer than any page.  Answers of several chats may
/// stream at once; the page shows one of them.
class ChatPage final : public QWidget {
    Q_OBJECT
public:
    struct Context {
        const Theme& theme;
        EngineClient& client;
        SnapshotFeed& snapshots;
        ChatStore& store;
        Settings& settings;
        Dialogs& dialogs;
        OpenChats& sessions;
    };
    explicit ChatPage(const Context& context, QWidget* parent = nullptr);
    ~ChatPage() override;

    [[nodiscard]] ChatId currentChat() const;
    [[nodiscard]] ChatId chatBeside() const; // the second chat on screen; 0: none
    [[nodiscard]] bool isGenerating() const; // the chat on screen
    /// What is typed and not sent goes to the store: a window made anew has it again.
    void keepDrafts();
    /// Ends every answer as stopped and hands it to the store: step 2 of the shutdown.
    void closeTurns();

public slots:
    void newChat();
    void newTemporaryChat();
    void openChat(qint64 chat);
    /// Sends `text` as a turn of the chat on screen; as Enter in the composer does.
    void send(const QString& text);
    void stop();
    void regenerateLast();
    void continueLast();
    void showPreviousBranch();
    void showNextBranch();
    void editLastTurn();
    void copyLastAnswer();
    void copyLastCodeBlock();
    void jumpToLatest();
    void focusComposer();
    void findInChat();
    void findInAllChats();
    void toggleInspector();
    void toggleChatList();
    void importChats();
    void showBeside(qint64 chat); // a second chat on screen; 0: a new one
    void undo(); // delete, move, rename

signals:
    void modelPickerRequested(); // Ctrl+L: the Models page
    void enginePickerRequested(const QPoint& below); // a click on the model's name: who answers
    void downloadRequested(); // of a model, there
    void openModelFileRequested(); // a file dialog for a .gguf
    void engineRequested(quint64 request); // "Show in Engine"
    void titleChanged(const QString& title);
    void generatingChanged(bool generating);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace vitrine::ui
