// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/engine: the page over a server elsewhere: what it tells is shown as it told it, the rest is named.
#include "tests/ui/support/stage.h"
#include "ui/bridge/session_file.h"
#include "ui/engine/engine_page.h"
#include "ui/engine/engine_tracks.h"
#include "ui/engine/reading_series.h"
#include "ui/engine/reading_table.h"
#include "ui/engine/server_panel.h"
#include "ui/engine/slow_line.h"
#include "ui/widgets/numbers.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QLabel>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

constexpr double kInf = std::numeric_limits<double>::infinity();

constexpr double kStart = 3370; // half a minute before the clock of the scripted engine

/// A reading a second: 40 tokens a second, 100 of 200 looked-up tokens found, five first tokens of 50 ms.
ServerReading readingAt(int second) {
    ServerReading reading;
    reading.time = kStart + second;
    reading.running = 3;
    reading.waiting = second % 2 == 0 ? 2 : 0;
    reading.kvUsage = 0.25;
    reading.generationTokens = 1'000 + 40.0 * second;
    reading.promptTokens = 500 + 100.0 * second;
    reading.prefixQueries = 200.0 * second;
    reading.prefixHits = 100.0 * second;
    reading.firstToken = {{0.04, 0.06, kInf}, {0, 5.0 * second, 5.0 * second}, 0.25 * second};
    return reading;
}

class ServerPage : public ::testing::Test {
protected:
    ServerPage()
        : m_page({m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.steps, m_stage.sequences, m_stage.dialogs,
              m_recording}) {
        m_page.resize(1216, 1100);
        m_page.show();
        ServerFacts facts;
        facts.name = QStringLiteral("gpu7");
        facts.host = QStringLiteral("gpu7:8000");
        facts.kind = ServerKind::vllm;
        facts.version = QStringLiteral("0.10.2");
        m_stage.snapshots.pollNow();
        m_stage.steps.restart(facts);
    }
    void read(int from, int to) {
        for (int second = from; second <= to; ++second)
            m_stage.steps.addReading(readingAt(second));
        QTest::qWait(300);
    }
    LivePlot* plot(EngineTracks::Track track) { return m_page.findChild<EngineTracks*>()->plot(track); }
    QString panelText() {
        QString text;
        for (const QLabel* label : m_page.findChild<ServerPanel*>()->findChildren<QLabel*>())
            text += label->text() + u'\n';
        return text;
    }
    Stage m_stage;
    OpenRecording m_recording;
    EnginePage m_page;
};

TEST_F(ServerPage, ShowsWhatTheServerTellsAndNamesTheRest) {
    read(1, 30);
    EXPECT_TRUE(plot(EngineTracks::rate)->accessibleDescription().startsWith(QStringLiteral("40")))
        << qPrintable(plot(EngineTracks::rate)->accessibleDescription());
    EXPECT_TRUE(plot(EngineTracks::batch)->accessibleDescription().startsWith(QStringLiteral("3 running")));
    EXPECT_TRUE(plot(EngineTracks::kv)->accessibleDescription().startsWith(QStringLiteral("25.0")));
    EXPECT_TRUE(plot(EngineTracks::prefix)->accessibleDescription().startsWith(QStringLiteral("50")));
    EXPECT_TRUE(plot(EngineTracks::ttft)->accessibleDescription().startsWith(QStringLiteral("50.0 ms")))
        << qPrintable(plot(EngineTracks::ttft)->accessibleDescription());
    for (const auto track : {EngineTracks::accepted, EngineTracks::itl, EngineTracks::stepTime, EngineTracks::memory})
        EXPECT_FALSE(plot(track)->isVisibleTo(&m_page)) << track;
    const QString text = panelText();
    EXPECT_TRUE(text.contains(QStringLiteral("gpu7 · vLLM 0.10.2")));
    for (const char* untold : {"which block holds what", "drafts", "times between tokens", "its memory"})
        EXPECT_TRUE(text.contains(QLatin1String(untold))) << untold;
    EXPECT_FALSE(text.contains(QStringLiteral("prefix hits")));
    EXPECT_TRUE(m_page.findChild<SlowLine*>()->findChildren<QLabel*>().at(1)->text().contains(
        QStringLiteral("2 requests wait at gpu7: 3 run")));
}

TEST_F(ServerPage, TellsAnAddressThatIsTheNameOnce) {
    ServerFacts facts = *m_stage.steps.history().server();
    facts.name = facts.host;
    m_stage.steps.noteServer(facts);
    read(1, 3);
    EXPECT_EQ(panelText().count(facts.host), 1) << qPrintable(panelText());
}

TEST_F(ServerPage, TableEqualsTheReadingsCellByCell) {
    read(1, 30);
    auto* table = m_page.findChildren<QTableView*>().at(2)->model();
    QAbstractItemModelTester tester(table, QAbstractItemModelTester::FailureReportingMode::Fatal);
    ASSERT_EQ(table->rowCount(), 30);
    for (int row = 0; row < 30; ++row) {
        const ServerReading reading = readingAt(30 - row);
        const auto cell = [&](int column) { return table->index(row, column).data().toString(); };
        EXPECT_EQ(cell(ReadingTableModel::running), QStringLiteral("3"));
        EXPECT_EQ(QLocale().toInt(cell(ReadingTableModel::generated)), static_cast<int>(reading.generationTokens));
        EXPECT_EQ(QLocale().toInt(cell(ReadingTableModel::hits)), static_cast<int>(reading.prefixHits));
        EXPECT_EQ(cell(ReadingTableModel::kv), QStringLiteral("25.0"));
        EXPECT_EQ(cell(ReadingTableModel::preempted), QString(kNone)); // not told
    }
}

TEST_F(ServerPage, ARestartIsAGapAndNoNegativeRate) {
    read(1, 10);
    ServerReading anew = readingAt(11);
    anew.generationTokens = 7;
    anew.promptTokens = anew.prefixQueries = anew.prefixHits = 0;
    anew.restarted = true;
    m_stage.steps.addReading(anew);
    ServerReading next = anew;
    next.time = kStart + 12;
    next.restarted = false;
    next.generationTokens = 27;
    m_stage.steps.addReading(next);
    const ReadingSeries series = collectReadings(m_stage.steps.history().readings(), kStart, kStart + 13);
    ASSERT_EQ(series.steps.decodeRate.size(), 11U);
    EXPECT_EQ(series.steps.decodeRate[8], 40);
    EXPECT_TRUE(std::isnan(series.steps.decodeRate[9]));
    EXPECT_EQ(series.steps.decodeRate[10], 20);
    const ReadingTotals totals = sumReadings(m_stage.steps.history().readings(), kStart, kStart + 13);
    EXPECT_EQ(totals.generated, 20); // of the new run of the server alone
}

/// While the page cannot be read the figures are this program's own: a million tokens of others are no spike after it.
TEST_F(ServerPage, FiguresOfItsOwnAreNoBaseForRates) {
    for (const int second : {1, 2, 3, 4, 5, 6}) {
        ServerReading reading = readingAt(second);
        reading.own = second == 3 || second == 4;
        if (reading.own) {
            reading.generationTokens = 12;
            reading.firstToken = {};
        } else {
            reading.generationTokens += 1e6;
        }
        m_stage.steps.addReading(reading);
    }
    const auto& readings = m_stage.steps.history().readings();
    const ReadingSeries series = collectReadings(readings, kStart, kStart + 7);
    ASSERT_EQ(series.steps.decodeRate.size(), 5U);
    EXPECT_EQ(series.steps.decodeRate[0], 40);
    EXPECT_TRUE(std::isnan(series.steps.decodeRate[1]));
    EXPECT_EQ(series.steps.decodeRate[2], 0);
    EXPECT_TRUE(std::isnan(series.steps.decodeRate[3]));
    EXPECT_EQ(series.steps.decodeRate[4], 40);
    EXPECT_TRUE(std::isnan(series.firstTokenMs[0][3])) << "of a minute that begins now nothing is counted yet";
    EXPECT_EQ(series.steps.peakDecode, 40);
    EXPECT_EQ(sumReadings(readings, kStart, kStart + 7).generated, 40);
}

TEST_F(ServerPage, TellsNoNumberOfWhatIsNotTold) {
    ServerReading reading = readingAt(2);
    reading.running = ServerReading::kUntold;
    m_stage.steps.addReading(reading);
    QTest::qWait(300);
    EXPECT_EQ(m_page.findChild<SlowLine*>()->findChildren<QLabel*>().at(1)->text(),
        QStringLiteral("2 requests wait at gpu7."));
}

TEST_F(ServerPage, SaysWhyThereAreNoMetrics) {
    ServerFacts facts;
    facts.name = QStringLiteral("gpu7");
    facts.metricsProblem = QStringLiteral("gpu7 has no metrics page.");
    m_stage.steps.noteServer(facts);
    read(1, 2);
    EXPECT_TRUE(m_page.findChild<SlowLine*>()->findChildren<QLabel*>().at(1)->text().contains(
        QStringLiteral("gpu7 has no metrics page")));
}

TEST_F(ServerPage, ARecordingHoldsTheReadings) {
    read(1, 30);
    const SessionHistory before = m_stage.steps.history();
    const QByteArray json = sessionToJson(before);
    const auto after = sessionFromJson(json);
    ASSERT_TRUE(after) << after.error().message;
    ASSERT_TRUE(after->server());
    EXPECT_EQ(after->server()->kind, ServerKind::vllm);
    ASSERT_EQ(after->readings().size(), 30U);
    EXPECT_EQ(after->readings()[29].generationTokens, readingAt(30).generationTokens);
    EXPECT_EQ(after->readings()[29].firstToken.counts, readingAt(30).firstToken.counts);
    EXPECT_TRUE(std::isnan(after->readings()[29].preemptions));
    EXPECT_FALSE(json.contains("gpu7:8000")) << "a recording can be shared: it names no host";
    QByteArray damaged = json;
    damaged.replace("\"running\":3", "\"running\":-3");
    EXPECT_FALSE(sessionFromJson(damaged).has_value());
    damaged.replace("\"running\":-3", "\"running\":1e300"); // no whole number holds it
    EXPECT_FALSE(sessionFromJson(damaged).has_value());
    const QByteArray csv = readingsToCsv(before.readings(), {});
    EXPECT_EQ(csv.count('\n'), 31);
    EXPECT_TRUE(csv.startsWith("time,restarted,running,waiting,"));
}

TEST_F(ServerPage, GoesBackToThisComputer) {
    read(1, 5);
    EXPECT_TRUE(m_page.findChild<ServerPanel*>()->isVisibleTo(&m_page));
    m_stage.steps.restart({});
    m_stage.snapshots.pollNow();
    EXPECT_FALSE(m_page.findChild<ServerPanel*>()->isVisibleTo(&m_page));
    EXPECT_TRUE(plot(EngineTracks::stepTime)->isVisibleTo(&m_page));
    m_stage.steps.addReading(readingAt(6)); // the last word of the server that was left
    EXPECT_TRUE(m_stage.steps.history().readings().empty());
}

} // namespace
} // namespace vitrine::ui
