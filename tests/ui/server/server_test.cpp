// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/server: the log as a model, the switch, a taken port, snippets with the real address.
#include "ui/server/server_page.h"

#include "tests/ui/support/stage.h"
#include "ui/server/origin_list.h"
#include "ui/server/request_log_model.h"
#include "ui/server/request_sheet.h"
#include "ui/server/snippets.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/switch.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QPersistentModelIndex>
#include <QProcess>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

#include <gtest/gtest.h>

#include <algorithm>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

class ServerTest : public ::testing::Test {
protected:
    ServerTest() : m_page({m_stage.theme, m_stage.client, m_stage.endpoint, m_stage.settings, m_stage.dialogs}) {
        m_page.resize(1216, 772);
        m_page.show();
    }
    QString baseUrl() const {
        for (QLineEdit* edit : m_page.findChildren<QLineEdit*>())
            if (edit->accessibleName() == QStringLiteral("Base URL"))
                return edit->text();
        return {};
    }
    Stage m_stage;
    ServerPage m_page;
};

TEST(Origins, AreNormalisedAsBrowsersSendThem) {
    const auto origin = [](const char* text) { return normalisedOrigin(QString::fromUtf8(text)).toStdString(); };
    EXPECT_EQ(origin(" HTTP://LocalHost:3000/ "), "http://localhost:3000");
    EXPECT_EQ(origin("https://notes.example:443"), "https://notes.example");
    for (const char* bad :
        {"*", "localhost", "file:///tmp", "https://a.example/path", "https://u@a.example", "null", ""})
        EXPECT_EQ(origin(bad), "") << bad;
}

TEST(RequestLogModel, KeepsTheChosenRowUnderAFilterAndInAFullRing) {
    RequestLogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    HistoryRing<EndpointLogRow> ring(8);
    quint64 number = 0;
    const auto push = [&](int status) {
        EndpointLogRow row;
        row.number = ++number;
        row.finished = true;
        row.status = status;
        ring.push(row);
    };
    for (int i = 0; i < 8; ++i)
        push(i % 2 == 0 ? 200 : 400);
    model.update(ring);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    const QPersistentModelIndex chosen = model.index(2, 0); // number 6
    push(200);
    push(400);
    model.update(ring);
    EXPECT_EQ(model.rowCount(), 8) << "two came, the two oldest went";
    ASSERT_TRUE(chosen.isValid());
    EXPECT_EQ(model.row(chosen.row()).number, 6U);
    model.setFilter(RequestLogModel::Filter::errors, {});
    reset.clear();
    const QPersistentModelIndex error = model.index(1, 0); // number 8
    push(200);
    push(500);
    model.update(ring);
    EXPECT_EQ(reset.count(), 0);
    ASSERT_TRUE(error.isValid());
    EXPECT_EQ(model.row(error.row()).number, 8U);
}

TEST(RequestLogModel, GrowsByInsertionsAndReplacesRunningRows) {
    RequestLogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    HistoryRing<EndpointLogRow> ring(100);
    for (quint64 number = 1; number <= 5; ++number) {
        EndpointLogRow row;
        row.number = number;
        row.finished = number < 5;
        row.status = number < 5 ? 200 : 0;
        ring.push(row);
    }
    model.update(ring);
    EXPECT_EQ(inserted.count(), 1) << "one insertion however many requests";
    ASSERT_EQ(model.rowCount(), 5);
    EXPECT_EQ(model.index(0, RequestLogModel::finish).data().toString(), QStringLiteral("running"));
    EndpointLogRow done = ring.back();
    done.finished = true;
    done.status = 400;
    ring.push(done);
    model.update(ring);
    ASSERT_EQ(model.rowCount(), 5);
    EXPECT_EQ(model.index(0, RequestLogModel::status).data().toString(), QStringLiteral("400"));
    EXPECT_EQ(model.count(RequestLogModel::Filter::errors), 1);
    model.setFilter(RequestLogModel::Filter::errors, {});
    EXPECT_EQ(model.rowCount(), 1);
}

TEST(RequestLogModel, CutsWhatTheRingHasForgotten) {
    RequestLogModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    HistoryRing<EndpointLogRow> ring(10);
    for (quint64 number = 1; number <= 25; ++number) {
        EndpointLogRow row;
        row.number = number;
        ring.push(row);
        model.update(ring);
    }
    EXPECT_EQ(model.rowCount(), 10);
    EXPECT_EQ(model.row(0).number, 25U);
    EXPECT_EQ(model.row(9).number, 16U);
}

TEST(Snippets, CarryAddressModelAndKey) {
    for (const SnippetLanguage language :
        {SnippetLanguage::curl, SnippetLanguage::python, SnippetLanguage::javascript}) {
        const QString text = makeSnippet(
            language, QStringLiteral("http://127.0.0.1:9999/v1"), QStringLiteral("smol"), QStringLiteral("vt-k"));
        EXPECT_TRUE(text.contains(QStringLiteral("http://127.0.0.1:9999/v1")));
        EXPECT_TRUE(text.contains(QStringLiteral("\"smol\"")));
        EXPECT_TRUE(text.contains(QStringLiteral("vt-k")));
    }
    EXPECT_FALSE(makeSnippet(SnippetLanguage::curl, QStringLiteral("u"), QStringLiteral("m"), {})
                     .contains(QStringLiteral("Authorization")));
}

TEST(Snippets, ACopiedRequestReachesCurlByteForByte) {
    const QString url = QStringLiteral("http://127.0.0.1:8080/v1/chat/completions?a=1&b='$HOME'");
    const QString body = QStringLiteral("{\"content\": \"it's `date` $HOME \\\\ \\n 日本\"}\n");
    const QString text = curlOf(QStringLiteral("POST"), url, QStringLiteral("sk-'1"), body);
    QProcess shell; // curl itself is replaced by a list of what it was given
    shell.start(QStringLiteral("/bin/sh"),
        {QStringLiteral("-c"), QStringLiteral("curl() { printf '%s\\0' \"$@\"; }\n") + text});
    ASSERT_TRUE(shell.waitForFinished());
    QList<QByteArray> given = shell.readAllStandardOutput().split('\0');
    given.removeLast();
    const QList<QByteArray> wanted{"-X", "POST", url.toUtf8(), "-H", "Authorization: Bearer sk-'1", "-H",
        "Content-Type: application/json", "--data-raw", body.toUtf8()};
    EXPECT_EQ(given, wanted) << text.toStdString();
}

TEST_F(ServerTest, ARequestThatIsNotKeptWholeIsNotSentAgain) {
    EndpointLogRow row;
    row.number = 1;
    row.method = QStringLiteral("POST");
    row.route = QStringLiteral("/v1/chat/completions");
    row.status = 200;
    row.requestBody = QStringLiteral("{\"messages\": [");
    auto* sheet = m_page.findChild<RequestSheet*>();
    const auto button = [&](const QString& text) -> QAbstractButton* {
        for (auto* found : sheet->findChildren<QAbstractButton*>())
            if (found->text() == text)
                return found;
        return nullptr;
    };
    for (const bool isCut : {false, true}) {
        row.isBodyCut = isCut;
        sheet->showRow(row, QStringLiteral("http://127.0.0.1:1/v1"), {});
        for (const char* name : {"Replay", "Copy as curl"}) {
            EXPECT_EQ(button(QLatin1String(name))->isEnabled(), !isCut) << name;
            EXPECT_EQ(button(QLatin1String(name))->toolTip().contains(QStringLiteral("64 KiB")), isCut) << name;
        }
    }
}

TEST_F(ServerTest, SwitchStartsAndStopsTheEndpoint) {
    m_page.toggle();
    EXPECT_EQ(m_stage.endpoint.state(), EndpointControl::State::running);
    EXPECT_EQ(m_stage.endpoint.started.port, 8080);
    EXPECT_EQ(baseUrl(), QStringLiteral("http://127.0.0.1:8080/v1"));
    EXPECT_TRUE(m_stage.settings.value(keys::kServerEnabled));
    m_page.toggle();
    EXPECT_EQ(m_stage.endpoint.state(), EndpointControl::State::off);
}

TEST_F(ServerTest, TheLimitOfWaitingRequestsIsRememberedAndUsed) {
    for (QSpinBox* box : m_page.findChildren<QSpinBox*>())
        if (box->accessibleName() == QStringLiteral("Requests that may wait")) {
            EXPECT_EQ(box->value(), 64);
            box->setValue(3);
        }
    m_page.toggle();
    EXPECT_EQ(m_stage.endpoint.started.maxWaiting, 3);
    EXPECT_EQ(m_stage.settings.value(keys::kServerMaxWaiting), 3);
}

TEST_F(ServerTest, TheChatsPrioritySwitchIsRemembered) {
    Switch* chatFirst = nullptr;
    for (Switch* one : m_page.findChildren<Switch*>())
        if (one->accessibleName() == QStringLiteral("This window's chats go first"))
            chatFirst = one;
    ASSERT_NE(chatFirst, nullptr);
    EXPECT_TRUE(chatFirst->isChecked());
    chatFirst->click();
    EXPECT_FALSE(m_stage.settings.value(keys::kChatFirst));
    m_stage.settings.flush();
    const ServerPage again({m_stage.theme, m_stage.client, m_stage.endpoint, m_stage.settings, m_stage.dialogs});
    for (const Switch* one : again.findChildren<Switch*>())
        if (one->accessibleName() == chatFirst->accessibleName()) {
            EXPECT_FALSE(one->isChecked());
        }
}

TEST_F(ServerTest, AnOpenRequestFollowsItsRow) {
    m_page.toggle();
    EndpointLogRow row;
    row.number = 7;
    row.finished = false;
    m_stage.endpoint.addRow(row);
    for (QTableView* table : m_page.findChildren<QTableView*>())
        if (qobject_cast<RequestLogModel*>(table->model()))
            table->selectRow(0);
    auto* sheet = m_page.findChild<RequestSheet*>();
    ASSERT_TRUE(sheet != nullptr && sheet->isVisible());
    const auto says = [sheet](const char* text) {
        const auto labels = sheet->findChildren<QLabel*>();
        return std::any_of(
            labels.begin(), labels.end(), [text](const QLabel* label) { return label->text() == QLatin1String(text); });
    };
    EXPECT_TRUE(says("running"));
    row.finished = true;
    row.status = 200;
    row.finish = QStringLiteral("length");
    m_stage.endpoint.addRow(row);
    EXPECT_FALSE(says("running"));
    EXPECT_TRUE(says("200") && says("length"));
}

TEST_F(ServerTest, TakenPortOffersTheNextFreeOne) {
    m_stage.endpoint.taken = {8080};
    m_page.toggle();
    auto* banner = m_page.findChild<ErrorBanner*>();
    ASSERT_FALSE(banner->isHidden());
    EXPECT_TRUE(banner->title().contains(QStringLiteral("8080")));
    EXPECT_FALSE(m_page.findChild<Switch*>()->isChecked());
    const auto actions = banner->findChildren<Button*>();
    ASSERT_EQ(actions.size(), 1);
    actions[0]->click();
    EXPECT_EQ(m_stage.endpoint.state(), EndpointControl::State::running);
    EXPECT_GT(m_stage.endpoint.started.port, 8080);
    EXPECT_TRUE(banner->isHidden());
}

TEST_F(ServerTest, LocalNetworkMakesAKey) {
    EXPECT_TRUE(ServerPage::endpointSettings(m_stage.settings).apiKey.isEmpty());
    for (QAbstractButton* button : m_page.findChildren<QAbstractButton*>())
        if (button->text() == QStringLiteral("Local network"))
            button->click();
    EXPECT_TRUE(ServerPage::endpointSettings(m_stage.settings).localNetwork);
    EXPECT_GE(ServerPage::endpointSettings(m_stage.settings).apiKey.size(), 32);
}

TEST_F(ServerTest, RestartsWithTheNewPortWhileRunning) {
    m_page.toggle();
    m_stage.settings.set(keys::kServerPort, 9100);
    for (QAbstractButton* button : m_page.findChildren<QAbstractButton*>())
        if (button->text() == QStringLiteral("Create key"))
            button->click();
    EXPECT_EQ(m_stage.endpoint.state(), EndpointControl::State::running);
    EXPECT_EQ(m_stage.endpoint.started.port, 9100);
    EXPECT_FALSE(m_stage.endpoint.started.apiKey.isEmpty());
}

} // namespace
} // namespace vitrine::ui
