// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/store: a backup holds every chat; restoring it merges.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include "ui/store/chat_backup.h"
#include "ui/store/chat_import.h"
#include "ui/store/chat_store.h"

namespace vitrine::ui {

namespace {

ChatTree sampleChat(const QString& title) {
    ChatTree tree;
    tree.chat.id = newRecordId();
    tree.chat.title = title;
    tree.chat.folder = "Work";
    tree.chat.pinned = true;
    tree.chat.updatedMs = 1'700'000'000'000;
    for (int i = 0; i < 4; ++i) {
        MessageRecord message;
        message.id = newRecordId();
        message.chat = tree.chat.id;
        message.parent = tree.messages.isEmpty() ? 0 : tree.messages.last().id;
        message.role = i % 2 == 0 ? MessageRole::user : MessageRole::assistant;
        message.state = i == 3 ? MessageState::stopped : MessageState::complete;
        message.content = QStringLiteral("text %1 日本 \"q\"\n").arg(i);
        message.stats.outputTokens = i;
        tree.messages.append(message);
    }
    tree.chat.leaf = tree.messages.last().id;
    return tree;
}

class Opened {
public:
    explicit Opened(const QString& folder) : store(folder) {
        QSignalSpy opened(&store, &ChatStore::opened);
        store.open();
        if (opened.isEmpty())
            opened.wait(5'000);
    }
    QList<ChatTree> all() {
        QList<ChatTree> found;
        bool isDone = false;
        store.loadAll(&store, [&](const QList<ChatTree>& trees) {
            found = trees;
            isDone = true;
        });
        EXPECT_TRUE(QTest::qWaitFor([&] { return isDone; }));
        return found;
    }
    ChatStore::Merged merge(const QList<ChatTree>& chats) {
        ChatStore::Merged result;
        bool isDone = false;
        store.merge(chats, &store, [&](const ChatStore::Merged& merged) {
            result = merged;
            isDone = true;
        });
        EXPECT_TRUE(QTest::qWaitFor([&] { return isDone; }));
        return result;
    }
    ChatStore store;
};

} // namespace

TEST(ChatBackup, RestoresEverythingIntoAnEmptyStoreAndNothingTwice) {
    const QTemporaryDir first, second;
    const QString file = first.filePath("backup.json");
    {
        Opened here(first.path());
        here.store.addChat(sampleChat("one"));
        here.store.addChat(sampleChat("two"));
        ASSERT_TRUE(writeBackup(file, here.all()));
    }
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    const QByteArray bytes = written.readAll();
    const auto chats = readBackup(bytes);
    ASSERT_TRUE(chats) << chats.error().toStdString();
    Opened there(second.path());
    EXPECT_EQ(there.merge(chats->chats).chats, 2);
    const auto again = there.merge(chats->chats);
    EXPECT_EQ(again.chats, 0);
    EXPECT_EQ(again.messages, 0);
    const QList<ChatTree> trees = there.all();
    ASSERT_EQ(trees.size(), 2);
    for (const ChatTree& tree : trees) {
        EXPECT_EQ(tree.chat.folder, "Work");
        EXPECT_TRUE(tree.chat.pinned);
        ASSERT_EQ(tree.messages.size(), 4);
        EXPECT_EQ(tree.messages[3].state, MessageState::stopped);
        EXPECT_EQ(tree.messages[3].content, QString::fromUtf8("text 3 日本 \"q\"\n"));
        EXPECT_EQ(tree.messages[3].stats.outputTokens, 3);
        EXPECT_EQ(tree.chat.leaf, tree.messages[3].id);
    }
    EXPECT_FALSE(chatsFromFile(bytes)) << "Import says where a backup belongs";
    EXPECT_TRUE(chatsFromFile(bytes).error().contains("Settings"));
}

TEST(ChatBackup, AddsOnlyWhatIsMissingToAChatThatIsHere) {
    const QTemporaryDir folder;
    Opened here(folder.path());
    ChatTree full = sampleChat("old title");
    ChatTree part = full;
    part.messages.removeLast();
    part.chat.title = "newer title";
    part.chat.leaf = part.messages.last().id;
    part.messages[0].content = "changed here";
    here.store.addChat(part);
    const auto merged = here.merge({full});
    EXPECT_EQ(merged.chats, 0);
    EXPECT_EQ(merged.messages, 1);
    const QList<ChatTree> trees = here.all();
    ASSERT_EQ(trees.size(), 1);
    EXPECT_EQ(trees[0].chat.title, "newer title");
    EXPECT_EQ(trees[0].messages[0].content, "changed here");
    EXPECT_EQ(trees[0].messages.size(), 4);
}

TEST(ChatBackup, OneChatThatCannotBeReadKeepsNoOtherAway) {
    const QTemporaryDir folder;
    const QString file = folder.filePath("backup.json");
    ASSERT_TRUE(writeBackup(file, {sampleChat("one"), sampleChat("two")}));
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    QByteArray bytes = written.readAll();
    bytes.replace(bytes.indexOf("\"vitrine_chat\""), 14, "\"vitrine_chaX\"");
    const auto read = readBackup(bytes);
    ASSERT_TRUE(read) << read.error().toStdString();
    ASSERT_EQ(read->chats.size(), 1);
    EXPECT_EQ(read->numUnreadable, 1);
}

TEST(ChatBackup, WhatComesBackBelowTheEndOfABranchIsItsEnd) {
    const QTemporaryDir folder;
    Opened here(folder.path());
    const ChatTree full = sampleChat("cut");
    here.store.addChat(full);
    here.store.eraseMessages(full.chat.id, {full.messages[2].id, full.messages[3].id});
    ChatRecord cut = *here.store.chat(full.chat.id);
    cut.leaf = full.messages[1].id;
    here.store.updateChat(cut);
    EXPECT_EQ(here.merge({full}).messages, 2);
    EXPECT_EQ(here.store.chat(full.chat.id)->leaf, full.messages[3].id);
    EXPECT_EQ(branchTo(here.all()[0], here.store.chat(full.chat.id)->leaf).size(), 4);
}

TEST(ChatBackup, RefusesOtherFiles) {
    for (const char* bytes : {"", "{", "[]", "{\"vitrine_backup\":2}", "{\"vitrine_backup\":1,\"chats\":[{}]}"})
        EXPECT_FALSE(readBackup(bytes)) << bytes;
}

TEST(ChatStore, ErasedMessagesStayAwayAndComeBackWhenWritten) {
    const QTemporaryDir folder;
    const ChatTree tree = sampleChat("erase");
    {
        Opened here(folder.path());
        here.store.addChat(tree);
        here.store.eraseMessages(tree.chat.id, {tree.messages[2].id, tree.messages[3].id});
        EXPECT_EQ(here.all()[0].messages.size(), 2);
        here.store.updateMessage(tree.messages[2]);
    }
    Opened again(folder.path());
    EXPECT_EQ(again.all()[0].messages.size(), 3);
}

} // namespace vitrine::ui
