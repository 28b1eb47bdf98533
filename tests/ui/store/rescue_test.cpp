// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/store: what comes back of a damaged database.
#include "ui/store/chat_rescue.h"

#include <QFile>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include "ui/store/chat_database.h"

namespace vitrine::testing {

namespace {

using namespace ui;

constexpr int kChats = 24, kTurns = 2, kPage = 1024;

/// A sound file of kChats chats with kTurns messages each.
QByteArray soundFile(const QString& file) {
    {
        ChatDatabase database;
        EXPECT_TRUE(database.open(file));
        for (int i = 0; i < kChats; ++i) {
            ChatWrite write;
            ChatTree tree;
            tree.chat.id = 1'000 * (i + 1);
            tree.chat.title = QStringLiteral("Chat %1").arg(i);
            for (int turn = 1; turn <= kTurns; ++turn) {
                MessageRecord message;
                message.id = tree.chat.id + turn;
                message.chat = tree.chat.id;
                message.parent = turn == 1 ? 0 : message.id - 1;
                message.role = turn == 1 ? MessageRole::user : MessageRole::assistant;
                message.content = QStringLiteral("turn %1 of %2 ").arg(turn).arg(i).repeated(20);
                tree.chat.leaf = message.id;
                tree.messages.append(message);
            }
            write.trees = {tree};
            EXPECT_TRUE(database.write(write));
        }
    }
    QFile whole(file);
    EXPECT_TRUE(whole.open(QIODevice::ReadOnly));
    return whole.readAll();
}

/// Every page of the file in turn: what lies in the others comes back, and a chat that is counted has messages.
TEST(ChatRescue, ADamagedPageCostsWhatLiesInItAlone) {
    const QTemporaryDir dir;
    const QByteArray sound = soundFile(dir.filePath("sound.sqlite"));
    const auto numPages = sound.size() / kPage;
    ASSERT_GT(numPages, 30);
    int numPoor = 0; // pages that cost more than a fifth of the messages: roots of tables
    for (qsizetype page = 1; page < numPages; ++page) {
        const QTemporaryDir place;
        QByteArray bytes = sound;
        bytes.replace(page * kPage, kPage, QByteArray(kPage, '\x5A'));
        QFile damaged(place.filePath("damaged.sqlite"));
        ASSERT_TRUE(damaged.open(QIODevice::WriteOnly) && damaged.write(bytes) == bytes.size());
        damaged.close();
        ChatDatabase target;
        ASSERT_TRUE(target.open(place.filePath("chats.sqlite")));
        const int numRescued = rescueChats(damaged.fileName(), target);
        const QList<ChatRecord> chats = target.chats();
        EXPECT_EQ(numRescued, chats.size());
        qsizetype numMessages = 0;
        for (const ChatRecord& chat : chats) {
            const ChatTree tree = target.tree(chat.id);
            EXPECT_FALSE(tree.messages.isEmpty()) << "page " << page;
            numMessages += tree.messages.size();
        }
        numPoor += numMessages * 5 < kChats * kTurns * 4 ? 1 : 0;
    }
    EXPECT_LE(numPoor, 3) << "of " << numPages;
}

} // namespace

} // namespace vitrine::testing
