// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/store: chats on disk: order, damage, full disk, journals, search, export.
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <csignal>
#include <future>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ui/store/answer_journal.h"
#include "ui/store/chat_database.h"
#include "ui/store/chat_export.h"
#include "ui/store/chat_search.h"
#include "ui/store/chat_store.h"
#include "ui/store/settings.h"
#include "ui/store/store_worker.h"

namespace vitrine::ui {

namespace {

MessageRecord message(ChatId chat, MessageId parent, MessageRole role, const QString& text) {
    MessageRecord record;
    record.id = newRecordId();
    record.parent = parent;
    record.chat = chat;
    record.role = role;
    record.content = text;
    record.createdMs = 1'790'000'000'000;
    return record;
}

QList<ChatTree> treesOf(int numChats) { // four turns each
    QList<ChatTree> trees;
    for (int i = 0; i < numChats; ++i) {
        ChatTree tree;
        tree.chat.id = newRecordId();
        tree.chat.title = QStringLiteral("two\nlines %1").arg(i);
        MessageId parent = 0;
        for (int turn = 0; turn < 4; ++turn) {
            tree.messages.append(message(tree.chat.id, parent, MessageRole::user, QStringLiteral("words of it")));
            parent = tree.messages.last().id;
        }
        tree.chat.leaf = parent;
        trees.append(tree);
    }
    return trees;
}

class StoreTest : public ::testing::Test {
protected:
    void open() {
        m_store = std::make_unique<ChatStore>(m_dir.path());
        QSignalSpy opened(m_store.get(), &ChatStore::opened);
        m_store->open();
        ASSERT_TRUE(opened.wait(5'000));
        m_numRecovered = opened.first().first().toInt();
    }
    void reopen() {
        m_store.reset();
        open();
    }
    ChatTree tree(ChatId chat) {
        ChatTree found;
        bool isDone = false;
        m_store->loadChat(chat, m_store.get(), [&](const ChatTree& read) {
            found = read;
            isDone = true;
        });
        EXPECT_TRUE(QTest::qWaitFor([&] { return isDone; }, 5'000));
        return found;
    }
    bool commit(const MessageRecord& record) {
        std::optional<bool> stored;
        m_store->commitUserTurn(record, m_store.get(), [&](bool done) { stored = done; });
        EXPECT_TRUE(QTest::qWaitFor([&] { return stored.has_value(); }, 5'000));
        return stored.value_or(false);
    }
    QList<SearchHit> search(const QString& query) {
        QList<SearchHit> hits;
        bool isDone = false;
        m_store->search(query, m_store.get(), [&](const QList<SearchHit>& found) {
            hits = found;
            isDone = true;
        });
        EXPECT_TRUE(QTest::qWaitFor([&] { return isDone; }, 5'000));
        return hits;
    }
    void sql(const QString& statement) { // on the closed database
        {
            QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", "damage");
            database.setDatabaseName(m_dir.filePath("chats/chats.sqlite"));
            ASSERT_TRUE(database.open());
            ASSERT_TRUE(QSqlQuery(database).exec(statement)) << statement.toStdString();
        }
        QSqlDatabase::removeDatabase("damage");
    }
    QString journalFolder() const { return m_dir.filePath("chats/journal"); }

    QTemporaryDir m_dir;
    std::unique_ptr<ChatStore> m_store;
    int m_numRecovered = 0;
};

} // namespace

TEST_F(StoreTest, KeepsAChatWithItsAnswerAndStatistics) {
    open();
    const ChatId chat = m_store->createChat().id;
    const MessageRecord turn = message(chat, 0, MessageRole::user, "What is a heat pump?");
    ASSERT_TRUE(commit(turn));
    MessageRecord answer = message(chat, turn.id, MessageRole::assistant, "A machine that moves heat.");
    answer.reasoning = "Simple.";
    answer.stats.outputTokens = 7;
    answer.stats.decodeSeconds = 0.5;
    m_store->beginAnswer(answer);
    m_store->finishAnswer(answer);
    reopen();
    ASSERT_EQ(m_store->chats().size(), 1);
    EXPECT_EQ(m_store->chats()[0].title, "What is a heat pump?");
    EXPECT_EQ(m_store->chats()[0].leaf, answer.id);
    const ChatTree stored = tree(chat);
    ASSERT_EQ(stored.messages.size(), 2);
    EXPECT_EQ(stored.messages[1].content, answer.content);
    EXPECT_EQ(stored.messages[1].reasoning, "Simple.");
    EXPECT_DOUBLE_EQ(stored.messages[1].stats.tokensPerSecond(), 12.0); // 6 intervals in 0.5 s
    EXPECT_TRUE(AnswerJournal::filesIn(journalFolder()).isEmpty());
}

TEST_F(StoreTest, AChatWithoutATurnIsNotListed) {
    open();
    m_store->createChat();
    reopen();
    EXPECT_TRUE(m_store->chats().isEmpty());
}

TEST_F(StoreTest, ATemporaryChatNeverReachesTheDisk) {
    open();
    const ChatId chat = m_store->createChat(true).id;
    ASSERT_TRUE(commit(message(chat, 0, MessageRole::user, "xyzzy")));
    EXPECT_EQ(tree(chat).messages.size(), 1);
    EXPECT_TRUE(search("xyzzy").isEmpty());
    reopen();
    EXPECT_TRUE(m_store->chats().isEmpty());
}

TEST_F(StoreTest, FoldsInTheJournalOfAKilledProcessOnce) {
    open();
    const ChatId chat = m_store->createChat().id;
    const MessageRecord turn = message(chat, 0, MessageRole::user, "Go");
    ASSERT_TRUE(commit(turn));
    m_store.reset();
    const MessageRecord answer = message(chat, turn.id, MessageRole::assistant, "");
    {
        auto journal = AnswerJournal::create(journalFolder(), answer); // left open, as by kill -9
        ASSERT_TRUE(journal);
        ASSERT_TRUE(journal->append("Hello ", ""));
        ASSERT_TRUE(journal->append("wörld", ""));
    }
    const QString path = AnswerJournal::filesIn(journalFolder()).value(0);
    QFile::copy(path, m_dir.filePath("copy"));
    open();
    EXPECT_EQ(m_numRecovered, 1);
    ASSERT_EQ(tree(chat).messages.size(), 2);
    EXPECT_EQ(tree(chat).messages[1].content, QStringLiteral("Hello wörld"));
    EXPECT_EQ(tree(chat).messages[1].state, MessageState::interrupted);
    EXPECT_EQ(m_store->chat(chat)->leaf, answer.id);
    // Killed between the transaction and the removal of the file: the second time changes nothing.
    m_store.reset();
    ASSERT_TRUE(QFile::copy(m_dir.filePath("copy"), path));
    open();
    EXPECT_EQ(m_numRecovered, 0);
    EXPECT_EQ(tree(chat).messages.size(), 2);
    EXPECT_TRUE(AnswerJournal::filesIn(journalFolder()).isEmpty());
}

TEST_F(StoreTest, AJournalOfAnErasedChatIsDropped) {
    open();
    m_store.reset();
    ASSERT_TRUE(AnswerJournal::create(journalFolder(), message(77, 0, MessageRole::assistant, "orphan")));
    open();
    EXPECT_EQ(m_numRecovered, 0);
    EXPECT_TRUE(m_store->chats().isEmpty());
    EXPECT_TRUE(AnswerJournal::filesIn(journalFolder()).isEmpty());
}

TEST_F(StoreTest, ANullFieldHidesOnlyItsMessageAndChildrenMoveUp) {
    open();
    const ChatId chat = m_store->createChat().id;
    const MessageRecord first = message(chat, 0, MessageRole::user, "one");
    const MessageRecord second = message(chat, first.id, MessageRole::assistant, "two");
    const MessageRecord third = message(chat, second.id, MessageRole::user, "three");
    ASSERT_TRUE(commit(first));
    m_store->finishAnswer(second);
    ASSERT_TRUE(commit(third));
    m_store.reset();
    sql(QStringLiteral("UPDATE message SET content = NULL WHERE id = %1").arg(second.id));
    open();
    const ChatTree stored = tree(chat);
    ASSERT_EQ(stored.messages.size(), 2);
    EXPECT_EQ(stored.hiddenMessages, 1);
    EXPECT_EQ(stored.messages[1].content, "three");
    EXPECT_EQ(stored.messages[1].parent, first.id);
}

TEST_F(StoreTest, ANewerDatabaseIsRefusedAndLeftAlone) {
    open();
    m_store.reset();
    sql("PRAGMA user_version = 99");
    ChatStore store(m_dir.path());
    QSignalSpy failed(&store, &ChatStore::openFailed);
    store.open();
    ASSERT_TRUE(failed.wait(5'000));
    EXPECT_TRUE(failed.first().first().toString().contains("version 99"));
}

TEST_F(StoreTest, ADamagedDatabaseIsKeptAsideAndWhatCanBeReadComesBack) {
    open();
    QList<ChatId> chats;
    for (int i = 0; i < 40; ++i) {
        chats += m_store->createChat().id;
        ASSERT_TRUE(commit(message(chats.last(), 0, MessageRole::user, QString("turn %1 ").arg(i).repeated(200))));
    }
    m_store.reset();
    QFile file(m_dir.filePath("chats/chats.sqlite"));
    ASSERT_TRUE(file.open(QIODevice::ReadWrite));
    const qint64 bytes = file.size();
    ASSERT_GT(bytes, 100'000);
    file.seek(bytes * 3 / 4); // pages in the last quarter
    file.write(QByteArray(8'192, '\x5A'));
    file.close();
    QString keptAside;
    int numRescued = -1;
    m_store = std::make_unique<ChatStore>(m_dir.path());
    QObject::connect(m_store.get(), &ChatStore::rescued, m_store.get(), [&](const QString& path, int number) {
        keptAside = path;
        numRescued = number;
    });
    QSignalSpy opened(m_store.get(), &ChatStore::opened);
    m_store->open();
    ASSERT_TRUE(!opened.isEmpty() || opened.wait(5'000));
    EXPECT_TRUE(QFile::exists(keptAside)) << keptAside.toStdString();
    EXPECT_GT(numRescued, 20);
    EXPECT_EQ(m_store->chats().size(), numRescued);
    ASSERT_TRUE(commit(message(m_store->createChat().id, 0, MessageRole::user, "goes on")));
    reopen();
    EXPECT_EQ(m_store->chats().size(), numRescued + 1);
}

TEST_F(StoreTest, AFileThatIsNoDatabaseIsKeptAside) {
    ASSERT_TRUE(QDir(m_dir.path()).mkpath("chats"));
    QFile file(m_dir.filePath("chats/chats.sqlite"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(20'000, 'x'));
    file.close();
    open();
    ASSERT_TRUE(commit(message(m_store->createChat().id, 0, MessageRole::user, "a fresh start")));
    EXPECT_EQ(QDir(m_dir.filePath("chats")).entryList({"*.damaged-*"}, QDir::Files).size(), 1);
}

TEST_F(StoreTest, AFullDiskKeepsTheTurnInMemoryAndSavesItLater) {
    open();
    const ChatId chat = m_store->createChat().id;
    ASSERT_TRUE(commit(message(chat, 0, MessageRole::user, "small")));
    QSignalSpy failed(m_store.get(), &ChatStore::writeFailed);
    QSignalSpy recovered(m_store.get(), &ChatStore::writesRecovered);
    // No file of this process may grow beyond a byte: to SQLite that is a disk without space.
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit tiny = before;
    tiny.rlim_cur = 1;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tiny), 0);
    const MessageRecord big = message(chat, 0, MessageRole::user, QString(50'000, u'x'));
    EXPECT_FALSE(commit(big));
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_EQ(failed.count(), 1);
    ASSERT_EQ(tree(chat).messages.size(), 2); // from memory
    ASSERT_TRUE(commit(message(chat, big.id, MessageRole::user, "after")));
    EXPECT_EQ(recovered.count(), 1);
    reopen();
    EXPECT_EQ(tree(chat).messages.size(), 3);
}

TEST_F(StoreTest, SearchFindsTitlesWordsAndUnspacedScripts) {
    open();
    const ChatId first = m_store->createChat().id;
    ASSERT_TRUE(commit(message(first, 0, MessageRole::user, "Compare three heat pumps for an old house")));
    const ChatId second = m_store->createChat().id;
    ASSERT_TRUE(commit(message(second, 0, MessageRole::user, QStringLiteral("京都三日間の旅程"))));
    ASSERT_EQ(search("hous").size(), 2); // title and text
    EXPECT_EQ(search("hous")[1].chat, first);
    EXPECT_TRUE(search("hous")[1].snippet.contains(QString(kHitBegin) + "house" + kHitEnd));
    EXPECT_EQ(search(QStringLiteral("三日")).size(), 2);
    EXPECT_TRUE(search("\"; DROP TABLE chat; --").isEmpty());
    EXPECT_TRUE(search("absent").isEmpty());
}

TEST_F(StoreTest, ReplacedTextIsFoundAndTheOldOneIsNot) {
    open();
    const ChatId chat = m_store->createChat().id;
    const MessageRecord turn = message(chat, 0, MessageRole::user, "question");
    ASSERT_TRUE(commit(turn));
    MessageRecord answer = message(chat, turn.id, MessageRole::assistant, "alpha");
    m_store->finishAnswer(answer);
    answer.content = "omega";
    m_store->finishAnswer(answer);
    EXPECT_TRUE(search("alpha").isEmpty());
    EXPECT_EQ(search("omega").size(), 1);
}

TEST_F(StoreTest, TrashRestoreAndErase) {
    open();
    const ChatId chat = m_store->createChat().id;
    ASSERT_TRUE(commit(message(chat, 0, MessageRole::user, "bin")));
    m_store->moveToTrash(chat);
    reopen();
    EXPECT_GT(m_store->chat(chat)->trashedMs, 0);
    m_store->restore(chat);
    reopen();
    EXPECT_EQ(m_store->chat(chat)->trashedMs, 0);
    m_store->erase(chat);
    reopen();
    EXPECT_EQ(m_store->chat(chat), nullptr);
    EXPECT_TRUE(tree(chat).messages.isEmpty());
}

TEST(AnswerJournal, CutsATornTailAtTheLastGoodRecord) {
    QTemporaryDir dir;
    MessageRecord record = message(5, 4, MessageRole::assistant, "");
    QString path;
    {
        auto journal = AnswerJournal::create(dir.path(), record);
        ASSERT_TRUE(journal);
        path = journal->path();
        ASSERT_TRUE(journal->append("first", "thought"));
        ASSERT_TRUE(journal->append("second", ""));
    }
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    file.close();
    const auto readCut = [&](qsizetype length) {
        QFile cut(dir.filePath("cut.journal"));
        EXPECT_TRUE(cut.open(QIODevice::WriteOnly | QIODevice::Truncate));
        cut.write(whole.left(length));
        cut.close();
        return AnswerJournal::read(cut.fileName());
    };
    EXPECT_EQ(readCut(whole.size())->content, "firstsecond");
    EXPECT_EQ(readCut(whole.size())->reasoning, "thought");
    for (qsizetype length = 0; length < whole.size(); ++length) {
        const MessageRecord read = readCut(length).value_or(MessageRecord{});
        EXPECT_TRUE(QStringLiteral("firstsecond").startsWith(read.content)) << length;
    }
    EXPECT_EQ(readCut(whole.size() - 1)->content, "first");
    QByteArray flipped = whole;
    flipped[whole.size() - 1] = 'X';
    QFile damaged(dir.filePath("damaged.journal"));
    ASSERT_TRUE(damaged.open(QIODevice::WriteOnly));
    damaged.write(flipped);
    damaged.close();
    EXPECT_EQ(AnswerJournal::read(damaged.fileName())->content, "first");
}

TEST_F(StoreTest, AnImportOfThousandsDoesNotStandBeforeTheChatThatIsOpened) {
    open();
    const QList<ChatTree> many = treesOf(2'000);
    const ChatRecord last = many.last().chat, middle = many[1'000].chat;
    QSignalSpy changes(m_store.get(), &ChatStore::chatsChanged);
    QSignalSpy written(m_store.get(), &ChatStore::contentsAdded);
    QElapsedTimer timer;
    timer.start();
    m_store->addChats(many);
    EXPECT_EQ(changes.count(), 1);
    EXPECT_EQ(tree(last.id).messages.size(), 4);
    std::printf("2,000 chats of 4 turns: one is read after %lld ms\n", static_cast<long long>(timer.elapsed()));

    ASSERT_TRUE(commit(message(last.id, last.leaf, MessageRole::user, "a fifth turn")));
    EXPECT_EQ(tree(last.id).messages.size(), 5);
    m_store->eraseMessages(middle.id, {middle.leaf});
    m_store->erase(many.first().chat.id);
    EXPECT_EQ(tree(middle.id).messages.size(), 3);
    ASSERT_TRUE(QTest::qWaitFor([&] { return written.count() == 1; }, 60'000));
    std::printf("    and all are written after %lld ms\n", static_cast<long long>(timer.elapsed()));
    EXPECT_FALSE(search(QStringLiteral("words")).isEmpty());
    reopen();
    EXPECT_EQ(m_store->chats().size(), 1'999);
    EXPECT_EQ(m_store->chat(last.id)->title, "two lines 1999");
    EXPECT_EQ(tree(last.id).messages.size(), 5);
    EXPECT_EQ(tree(middle.id).messages.size(), 3);
    EXPECT_EQ(tree(many[1].chat.id).messages.size(), 4);
}

TEST_F(StoreTest, JobsComeBeforeAnImportAndAChangeWaitsForItsOwnChatAlone) {
    std::promise<void> allAsked, allWritten;
    std::atomic<bool> isWritten = false;
    StoreWorker worker(m_dir.path(),
        {[](const QString&) {}, [] {},
            [&] {
                isWritten = true;
                allWritten.set_value();
            }});
    const QList<ChatTree> trees = treesOf(40);
    const ChatRecord first = trees.first().chat, last = trees.last().chat;
    const auto isOnDisk = [&](const ChatRecord& chat) {
        ChatDatabase other;
        return other.open(m_dir.filePath("chats/chats.sqlite")) && other.tree(chat.id).messages.size() >= 4;
    };
    worker.post([&](StoreWorker& store) {
        allAsked.get_future().wait();
        EXPECT_TRUE(store.open().error.isEmpty());
        for (const ChatTree& tree : trees) {
            ChatWrite write;
            write.trees = {tree};
            store.writeLater(std::move(write));
        }
    });
    worker.post([&](StoreWorker& store) {
        EXPECT_EQ(store.tree(last.id).messages.size(), 4);
        EXPECT_FALSE(isOnDisk(first));
    });
    worker.post([&](StoreWorker& store) {
        ChatWrite turn;
        turn.message = message(last.id, last.leaf, MessageRole::user, "a fifth turn");
        EXPECT_TRUE(store.write(turn));
        EXPECT_EQ(store.tree(last.id).messages.size(), 5);
        EXPECT_TRUE(isOnDisk(last));
        EXPECT_FALSE(isOnDisk(first));
        EXPECT_FALSE(isWritten);
    });
    allAsked.set_value();
    allWritten.get_future().wait();
    EXPECT_TRUE(isOnDisk(first));
}

TEST_F(StoreTest, AnImportIsWholeWhenTheWindowClosesAtOnce) {
    open();
    const QList<ChatTree> many = treesOf(100);
    m_store->addChats(many);
    reopen();
    EXPECT_EQ(m_store->chats().size(), 100);
    EXPECT_EQ(tree(many.last().chat.id).messages.size(), 4);
}

/// The rights of nobody while it lives: root may write everywhere.
class AsNobody {
public:
    AsNobody() { m_changed = ::geteuid() == 0 && ::seteuid(65'534) == 0; }
    ~AsNobody() {
        if (m_changed && ::seteuid(0) != 0)
            std::abort(); // every later test would run as somebody else
    }

private:
    bool m_changed = false;
};

TEST_F(StoreTest, AFolderThatTakesNothingStillGivesItsChats) {
    open();
    const ChatRecord chat = m_store->createChat();
    ASSERT_TRUE(commit(message(chat.id, 0, MessageRole::user, "still here")));
    m_store.reset();
    const QString folder = m_dir.filePath(QStringLiteral("chats"));
    const auto readers = QFile::ReadOwner | QFile::ReadGroup | QFile::ReadOther;
    const auto walkers = readers | QFile::ExeOwner | QFile::ExeGroup | QFile::ExeOther;
    for (const QFileInfo& file : QDir(folder).entryInfoList(QDir::Files))
        ASSERT_TRUE(QFile::setPermissions(file.filePath(), readers));
    ASSERT_TRUE(QFile::setPermissions(folder, walkers) && QFile::setPermissions(m_dir.path(), walkers));
    {
        const AsNobody nobody;
        open();
        ASSERT_EQ(m_store->chats().size(), 1);
        EXPECT_EQ(tree(chat.id).messages.value(0).content, "still here");
        QSignalSpy failed(m_store.get(), &ChatStore::writeFailed);
        EXPECT_FALSE(commit(message(chat.id, 0, MessageRole::user, "not on disk")));
        EXPECT_TRUE(failed.count() > 0 || failed.wait(2'000));
        EXPECT_EQ(tree(chat.id).messages.size(), 2) << "but in memory";
        m_store.reset();
    }
    QFile::setPermissions(folder, walkers | QFile::WriteOwner);
    QFile::setPermissions(m_dir.path(), walkers | QFile::WriteOwner);
}

TEST(ChatExport, JsonComesBackAsTheSameTree) {
    ChatTree tree;
    tree.chat.title = "Pumps";
    tree.chat.systemPrompt = "Be brief.";
    tree.chat.sampling.temperature = 0.25;
    const MessageRecord turn = message(1, 0, MessageRole::user, "a\n```\nb");
    const MessageRecord answer = message(1, turn.id, MessageRole::assistant, "c <d>");
    tree.messages = {turn, answer};
    tree.chat.leaf = answer.id;
    const auto back = chatFromJson(chatToJson(tree));
    ASSERT_TRUE(back);
    ASSERT_EQ(back->messages.size(), 2);
    EXPECT_EQ(back->messages[0].content, turn.content);
    EXPECT_EQ(back->messages[1].parent, back->messages[0].id);
    EXPECT_EQ(back->chat.leaf, back->messages[1].id);
    EXPECT_DOUBLE_EQ(back->chat.sampling.temperature, 0.25);
    EXPECT_TRUE(chatToMarkdown(tree).contains("## Assistant\n\nc <d>\n"));
    EXPECT_FALSE(chatFromJson("{\"messages\": []}"));
    EXPECT_FALSE(chatFromJson("{"));
}

TEST(ChatRecords, TitlesComeFromTheFirstLineWithText) {
    EXPECT_EQ(titleFrom("\n  \n  Hello   there \nmore"), "Hello there");
    const QString title = titleFrom(QString("word ").repeated(40));
    EXPECT_LE(title.size(), 61);
    EXPECT_TRUE(title.endsWith(QChar(0x2026)));
}

TEST(ChatRecords, ATitleSaysWhatWasAskedAboutAFile) {
    const QString readme = QStringLiteral("# Title\n\n```sh\nmake\n```\n\nend");
    const QString attached = attachedText("READ\nME.md", readme);
    EXPECT_TRUE(attached.startsWith("READ ME.md:\n````\n# Title\n")) << attached.toStdString();
    EXPECT_TRUE(attached.endsWith("\nend\n````\n\n")) << "the file's own fences close nothing";
    EXPECT_EQ(titleFrom(attached + attachedText("b.txt", "x") + "What does it do?"), "What does it do?");
    EXPECT_EQ(titleFrom(attached), "READ ME.md");
    const QString big = QString(9'000, u'x') + u'\n';
    QString turn = attached + attachedText("Pasted text", big) + "What?\n```\nfence\n```\n";
    const QList<Attachment> files = takeAttachments(turn);
    ASSERT_EQ(files.size(), 2);
    EXPECT_EQ(files[0].text, readme);
    EXPECT_EQ(files[1].text, big);
    EXPECT_EQ(turn, "What?\n```\nfence\n```\n") << "what the user wrote stays as it is";
    EXPECT_EQ(titleFrom("Look at this:\n```\ncode\n```\n\nand fix it"), "Look at this:") << "typed by hand";
    const QString family = QString::fromUtf8("👨‍👩‍👧");
    const QString title = titleFrom(family.repeated(30));
    EXPECT_EQ(title.size() % family.size(), 1) << "no character is cut in two: " << title.toStdString();
    EXPECT_LE(titleFrom(QString(10'000'000, u'x')).size(), 61);
}

TEST(ChatRecords, IdsRiseAlsoAfterAClockThatWasSetBack) {
    QTemporaryDir dir;
    const qint64 future = newRecordId() + (qint64(1) << 50); // written when the clock stood years ahead
    {
        ChatDatabase database;
        ASSERT_TRUE(database.open(dir.filePath("chats/chats.sqlite")));
        MessageRecord turn = message(7, 0, MessageRole::user, "from the future");
        turn.id = future;
        ChatRecord chat;
        chat.id = 7;
        ASSERT_TRUE(database.write({.chat = chat, .message = turn, .erase = 0, .eraseMessages = {}, .durable = false}));
    }
    StoreWorker worker(dir.path(), {[](const QString&) {}, [] {}, [] {}});
    std::promise<void> opened;
    worker.post([&](StoreWorker& self) {
        EXPECT_EQ(self.open().error, "");
        opened.set_value();
    });
    opened.get_future().wait();
    EXPECT_GT(newRecordId(), future) << "an answer stands behind its question";
}

TEST(ChatRecords, IdsRiseAndARingOfParentsEnds) {
    const qint64 first = newRecordId();
    EXPECT_GT(newRecordId(), first);
    ChatTree tree;
    MessageRecord a = message(1, 0, MessageRole::user, "a");
    MessageRecord b = message(1, a.id, MessageRole::user, "b");
    a.parent = b.id;
    tree.messages = {a, b};
    EXPECT_LE(branchTo(tree, b.id).size(), 2);
}

} // namespace vitrine::ui
