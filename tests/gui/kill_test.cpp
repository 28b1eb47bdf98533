// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: kill -9 in the middle of an answer, again and again over one data directory.
#include <QElapsedTimer>
#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include "ui/store/chat_store.h"

namespace vitrine::testing {

namespace {

constexpr int kSecondMs = 1'000;

struct Seen {
    qint64 ms = 0;
    int tokens = 0; // on screen
};

/// Streams for `ms` after the first token, then dies by SIGKILL.  What was on screen, and when.
std::vector<Seen> streamAndKill(const QString& folder, int ms) {
    QProcess window;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    window.setProcessEnvironment(environment);
    window.start(QStringLiteral(VITRINE_STREAMING_WINDOW), {folder});
    std::vector<Seen> seen;
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < 30'000 && (seen.empty() || seen.back().ms - seen.front().ms < ms)) {
        if (!window.canReadLine() && !window.waitForReadyRead(10'000))
            break;
        while (window.canReadLine())
            seen.push_back({clock.elapsed(), window.readLine().trimmed().toInt()});
    }
    window.kill();
    window.waitForFinished();
    return seen;
}

/// All chats of the folder, as the next start finds them.
QList<ui::ChatTree> readBack(const QString& folder) {
    ui::ChatStore store(folder);
    QSignalSpy opened(&store, &ui::ChatStore::opened);
    store.open();
    if (opened.isEmpty())
        opened.wait(10'000);
    QList<ui::ChatTree> trees;
    const QList<ui::ChatRecord> chats = store.chats();
    QObject context;
    for (const ui::ChatRecord& chat : chats)
        store.loadChat(chat.id, &context, [&trees](const ui::ChatTree& tree) { trees.append(tree); });
    EXPECT_TRUE(QTest::qWaitFor([&] { return trees.size() == chats.size(); }, 10'000));
    store.close();
    return trees;
}

} // namespace

/// VITRINE_KILLS=50 is the long run (ctest -L slow); two by default.
TEST(Kill, LosesASecondAtMostHoweverOften) {
    const int numKills = std::max(1, qEnvironmentVariableIntValue("VITRINE_KILLS"));
    const QTemporaryDir folder;
    ASSERT_TRUE(folder.isValid());
    QRandomGenerator random(1);
    for (int kill = 1; kill <= numKills; ++kill) {
        const auto seen = streamAndKill(folder.path(), kill == 1 ? 2'600 : random.bounded(200, 2'000));
        ASSERT_FALSE(seen.empty()) << "start " << kill << " showed nothing";
        const QList<ui::ChatTree> trees = readBack(folder.path());
        ASSERT_EQ(trees.size(), 1) << "after kill " << kill;
        ASSERT_EQ(trees[0].hiddenMessages, 0);
        ASSERT_EQ(trees[0].messages.size(), 2 * kill) << "a turn and its answer each time";
        const ui::MessageRecord& answer = trees[0].messages.last();
        EXPECT_EQ(answer.state, ui::MessageState::interrupted);
        // The numbers on disk are a prefix of those on screen, a second behind at most.
        const QStringList numbers = answer.content.split(u' ', Qt::SkipEmptyParts);
        EXPECT_FALSE(answer.content.contains(QChar(0)));
        if (!numbers.isEmpty()) {
            EXPECT_EQ(numbers.last().toInt(), numbers.size() - 1);
        }
        int secondAgo = 0;
        for (const Seen& moment : seen)
            if (moment.ms < seen.back().ms - kSecondMs)
                secondAgo = moment.tokens;
        EXPECT_GE(numbers.size(), secondAgo) << "kill " << kill;
    }
}

} // namespace vitrine::testing
