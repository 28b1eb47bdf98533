// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/models: search and download against a loopback server that speaks the Hub's API.
#include "ui/models/download_job.h"
#include "ui/models/hub_client.h"
#include "ui/models/hub_panel.h"

#include "tests/ui/support/fake_hub.h"
#include "tests/ui/support/stage.h"
#include "ui/widgets/error_banner.h"

#include <QAbstractButton>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QNetworkAccessManager>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace vitrine::ui {
namespace {

using State = DownloadJob::State;
using vitrine::testing::FakeHub;

class DownloadTest : public ::testing::Test {
protected:
    DownloadTest() {
        for (int i = 0; i < 3'000'000; ++i)
            m_hub.body += static_cast<char>(i * 7 + i / 255);
        m_hub.hash = QCryptographicHash::hash(m_hub.body, QCryptographicHash::Sha256).toHex();
    }
    [[nodiscard]] QString target() const { return m_dir.filePath(QStringLiteral("tiny.gguf")); }
    [[nodiscard]] QString part() const { return target() + QStringLiteral(".part"); }
    std::unique_ptr<DownloadJob> makeJob(const QByteArray& hash) {
        DownloadLimits limits;
        limits.stallMs = 300;
        limits.retryMs = 10;
        limits.maxRetries = 3;
        limits.freeBytes = [this](const QString&) { return m_free; };
        const HubClient client(m_hub.url(), m_network);
        return std::make_unique<DownloadJob>(
            DownloadSpec{client.fileUrl(QStringLiteral("lab/Tiny-GGUF"), QStringLiteral("tiny.gguf")),
                m_hub.body.size(), QString::fromLatin1(hash), target()},
            m_network, limits);
    }
    static bool waitFor(const DownloadJob& job, State state) {
        return QTest::qWaitFor([&] { return job.state() == state; }, 10'000);
    }
    [[nodiscard]] QByteArray read(const QString& path) const {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_dir;
    FakeHub m_hub;
    QNetworkAccessManager m_network;
    qint64 m_free = qint64(100) << 30;
};

TEST_F(DownloadTest, FetchesChecksAndRenames) {
    const auto job = makeJob(m_hub.hash);
    QSignalSpy finished(job.get(), &DownloadJob::finished);
    EXPECT_TRUE(m_hub.requests.isEmpty()) << "nothing is sent before start()";
    job->start();
    ASSERT_TRUE(waitFor(*job, State::done)) << job->error().toStdString();
    EXPECT_EQ(finished.count(), 1);
    EXPECT_EQ(read(target()), m_hub.body);
    EXPECT_EQ(QDir(m_dir.path()).entryList(QDir::Files), QStringList{QStringLiteral("tiny.gguf")});
}

TEST_F(DownloadTest, GoesOnWhereTheWireWasCut) {
    m_hub.cutAfter = m_hub.body.size() * 6 / 10;
    const auto job = makeJob(m_hub.hash);
    job->start();
    ASSERT_TRUE(waitFor(*job, State::done)) << job->error().toStdString();
    EXPECT_EQ(read(target()), m_hub.body);
    ASSERT_EQ(m_hub.ranges.size(), 2);
    EXPECT_TRUE(m_hub.ranges[1].startsWith("bytes=")) << m_hub.ranges[1].toStdString();
    EXPECT_NE(m_hub.ranges[1], "bytes=0-");
}

TEST_F(DownloadTest, ANewProcessFindsTheUnfinishedOneAndGoesOn) {
    m_hub.cutAfter = 1'000'000;
    {
        const auto job = makeJob(m_hub.hash);
        job->start();
        ASSERT_TRUE(QTest::qWaitFor([&] { return job->received() >= 1'000'000; }, 10'000));
        job->pause();
        EXPECT_EQ(job->state(), State::paused);
    }
    const auto specs = DownloadJob::unfinished(m_dir.path());
    ASSERT_EQ(specs.size(), 1);
    EXPECT_EQ(specs[0].target, target());
    EXPECT_EQ(specs[0].sha256.toLatin1(), m_hub.hash);
    EXPECT_FALSE(QFile::exists(target())) << "an unfinished file is never offered as a model";
    DownloadJob again(specs[0], m_network);
    EXPECT_EQ(again.received(), 1'000'000);
    again.start();
    ASSERT_TRUE(waitFor(again, State::done)) << again.error().toStdString();
    EXPECT_EQ(read(target()), m_hub.body);
    EXPECT_EQ(m_hub.ranges.last(), "bytes=1000000-");
}

TEST_F(DownloadTest, StartsAgainCleanlyWhenTheServerIgnoresRanges) {
    m_hub.ignoresRanges = true;
    QFile old(part());
    ASSERT_TRUE(old.open(QIODevice::WriteOnly));
    old.write("from before, and wrong");
    old.close();
    const auto job = makeJob(m_hub.hash);
    job->start();
    ASSERT_TRUE(waitFor(*job, State::done)) << job->error().toStdString();
    EXPECT_EQ(read(target()), m_hub.body);
}

TEST_F(DownloadTest, AWrongHashIsQuarantined) {
    const QByteArray other = QCryptographicHash::hash("something else", QCryptographicHash::Sha256).toHex();
    const auto job = makeJob(other);
    job->start();
    ASSERT_TRUE(waitFor(*job, State::failed));
    EXPECT_FALSE(QFile::exists(target()));
    EXPECT_TRUE(QFile::exists(target() + QStringLiteral(".bad")));
    EXPECT_TRUE(job->error().contains(QString::fromLatin1(other.left(12)))) << job->error().toStdString();
}

TEST_F(DownloadTest, ATooFullDiskIsRefusedUpFrontWithNumbers) {
    m_free = 1 << 20;
    const auto job = makeJob(m_hub.hash);
    job->start();
    EXPECT_EQ(job->state(), State::failed);
    EXPECT_TRUE(m_hub.requests.isEmpty());
    EXPECT_TRUE(job->error().contains(QStringLiteral("MiB"))) << job->error().toStdString();
}

TEST_F(DownloadTest, AStallIsSeenAndTriedAgain) {
    m_hub.stallAfter = 500'000;
    const auto job = makeJob(m_hub.hash);
    job->start();
    ASSERT_TRUE(waitFor(*job, State::waiting));
    ASSERT_TRUE(waitFor(*job, State::done)) << job->error().toStdString();
    EXPECT_EQ(read(target()), m_hub.body);
}

TEST_F(DownloadTest, OfflineItGivesUpAndKeepsWhatCame) {
    m_hub.cutAfter = 700'000;
    const auto job = makeJob(m_hub.hash);
    QObject::connect(job.get(), &DownloadJob::changed, job.get(), [&] {
        if (job->received() >= 700'000)
            m_hub.close(); // before the first retry
    });
    job->start();
    ASSERT_TRUE(waitFor(*job, State::failed));
    EXPECT_EQ(QFile(part()).size(), 700'000);
    EXPECT_FALSE(job->remedy().isEmpty());
}

TEST_F(DownloadTest, RemoveLeavesNothing) {
    m_hub.stallAfter = 500'000;
    const auto job = makeJob(m_hub.hash);
    job->start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return job->received() > 0; }, 10'000));
    job->remove();
    EXPECT_TRUE(QDir(m_dir.path()).entryList(QDir::Files).isEmpty());
}

TEST_F(DownloadTest, SearchAndListingReadTheApi) {
    HubClient client(m_hub.url(), m_network);
    QList<HubRepo> repos;
    QList<HubFile> files;
    QObject::connect(&client, &HubClient::found, &client, [&](const QList<HubRepo>& found) { repos = found; });
    QObject::connect(
        &client, &HubClient::listed, &client, [&](const QString&, const QList<HubFile>& found) { files = found; });
    client.search(QStringLiteral("tiny & small"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !repos.isEmpty(); }, 10'000));
    EXPECT_TRUE(m_hub.requests[0].contains("search=tiny%20%26%20small")) << m_hub.requests[0].toStdString();
    EXPECT_TRUE(m_hub.requests[0].contains("filter=gguf"));
    EXPECT_EQ(repos[0].id.toStdString(), "lab/Tiny-GGUF");
    EXPECT_EQ(repos[0].updated, QDate(2026, 10, 3));
    client.listFiles(repos[0].id);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !files.isEmpty(); }, 10'000));
    ASSERT_EQ(files.size(), 1) << "only .gguf files";
    EXPECT_EQ(files[0].bytes, m_hub.body.size());
    EXPECT_EQ(files[0].sha256.toLatin1(), m_hub.hash);
}

TEST_F(DownloadTest, ARepositoryThatGivesNothingShowsNoFilesOfAnother) {
    qputenv("HF_ENDPOINT", m_hub.url().toEncoded());
    vitrine::testing::Stage stage;
    Downloads downloads(m_dir.path());
    HubPanel panel(stage.theme, stage.client, downloads);
    qunsetenv("HF_ENDPOINT");
    panel.resize(440, 700);
    panel.show();
    auto* search = panel.findChild<QLineEdit*>();
    search->setText(QStringLiteral("tiny"));
    QTest::keyClick(search, Qt::Key_Return);
    const QList<QTableView*> tables = panel.findChildren<QTableView*>();
    ASSERT_EQ(tables.size(), 2);
    QTableView *repos = tables[0], *files = tables[1];
    ASSERT_TRUE(QTest::qWaitFor([&] { return repos->model()->rowCount() == 1; }, 10'000));
    repos->setCurrentIndex(repos->model()->index(0, 0));
    ASSERT_TRUE(QTest::qWaitFor([&] { return files->isVisible(); }, 10'000));
    m_hub.status = 403;
    repos->setCurrentIndex({});
    repos->setCurrentIndex(repos->model()->index(0, 0));
    EXPECT_FALSE(files->isVisible());
    EXPECT_EQ(files->model()->rowCount(), 0);
    auto* banner = panel.findChild<ErrorBanner*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return banner->isVisible(); }, 10'000));
    m_hub.status = 0;
    emit banner->actionTriggered(0); // asks for what failed, not for the search before it
    ASSERT_TRUE(QTest::qWaitFor([&] { return files->isVisible(); }, 10'000));
    EXPECT_FALSE(banner->isVisible());
    QString opened;
    QObject::connect(&panel, &HubPanel::openRequested, &panel, [&](const QString& path) { opened = path; });
    files->setCurrentIndex(files->model()->index(0, 0));
    emit files->activated(files->currentIndex());
    const auto link = [&](const QString& text) -> QAbstractButton* {
        for (QAbstractButton* button : panel.findChildren<QAbstractButton*>())
            if (button->isVisible() && button->text() == text)
                return button;
        return nullptr;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return link(QStringLiteral("Use it")) != nullptr; }, 10'000));
    link(QStringLiteral("Use it"))->click();
    EXPECT_EQ(QFileInfo(opened).fileName(), QStringLiteral("tiny.gguf"));
    EXPECT_NE(link(QStringLiteral("Hide")), nullptr) << "the file stays";
}

TEST_F(DownloadTest, EveryFailureOfASearchIsASentence) {
    HubClient client(m_hub.url(), m_network);
    QString what, remedy;
    QObject::connect(&client, &HubClient::failed, &client, [&](const QString& text, const QString& next) {
        what = text;
        remedy = next;
    });
    for (const int status : {401, 404, 429, 500}) {
        what.clear();
        m_hub.status = status;
        client.listFiles(QStringLiteral("lab/Tiny-GGUF"));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !what.isEmpty(); }, 10'000)) << status;
        EXPECT_TRUE(what.contains(QString::number(status))) << what.toStdString();
        EXPECT_FALSE(remedy.isEmpty());
    }
    what.clear();
    m_hub.close();
    client.search(QStringLiteral("x"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !what.isEmpty(); }, 10'000));
    EXPECT_TRUE(what.contains(QStringLiteral("cannot be reached"))) << what.toStdString();
}

} // namespace
} // namespace vitrine::ui
