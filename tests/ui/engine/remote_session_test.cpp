// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/engine: golden sessions of servers elsewhere: the text of metrics pages in, a page a second, the
// state of the page's widgets out.  Names and labels are those of the recorded pages in tests/app/remote; expected
// values follow from the numbers by hand.
#include "app/remote/metric_names.h"
#include "tests/app/remote/recorded_pages.h"
#include "tests/ui/support/stage.h"
#include "ui/engine/engine_page.h"
#include "ui/engine/engine_tracks.h"
#include "ui/engine/reading_table.h"
#include "ui/engine/server_panel.h"
#include "ui/engine/slow_line.h"
#include "ui/widgets/numbers.h"

#include <QLabel>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

using vitrine::testing::sglangPage;
using vitrine::testing::vllmPage;

constexpr double kStart = 3370; // half a minute before the clock of the scripted engine
constexpr const char* kModel = vitrine::testing::kRecordedModel;

class RemoteSession : public ::testing::Test {
protected:
    RemoteSession()
        : m_page({m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.steps, m_stage.sequences, m_stage.dialogs,
              m_recording}) {
        m_page.resize(1216, 1100);
        m_page.show();
        m_stage.snapshots.pollNow();
    }
    void connectTo(const QString& name) {
        ServerFacts facts;
        facts.name = name;
        facts.host = QStringLiteral("gpu7:8000");
        facts.kind = ServerKind::unknown;
        m_stage.steps.restart(facts);
    }
    /// As RemoteEngine does with each page.
    void read(const QByteArray& page, int second) {
        const auto samples =
            app::parseMetrics(std::string_view(page.constData(), static_cast<std::size_t>(page.size())));
        ASSERT_TRUE(samples) << samples.error().message;
        ServerReading reading = app::readMetrics(*samples, kModel);
        reading.time = kStart + second;
        const auto& known = m_stage.steps.history().readings();
        reading.restarted = !known.empty() && app::hasRestarted(known.back(), reading);
        ServerFacts facts = *m_stage.steps.history().server();
        facts.kind = app::serverKind(*samples);
        m_stage.steps.noteServer(facts);
        m_stage.steps.addReading(reading);
    }
    std::string figure(EngineTracks::Track track) {
        LivePlot* plot = m_page.findChild<EngineTracks*>()->plot(track);
        return plot->isVisibleTo(&m_page) ? plot->accessibleDescription().toStdString() : "hidden";
    }
    std::string row(int index) {
        const auto* table = m_page.findChildren<QTableView*>().at(2)->model();
        QStringList cells;
        for (int column = 0; column < table->columnCount(); ++column)
            cells += table->index(index, column).data().toString();
        return cells.join(u'|').toStdString();
    }
    std::string slowLine() {
        return m_page.findChild<SlowLine*>()->findChildren<QLabel*>().at(1)->text().toStdString();
    }
    QString panel() { return m_page.findChild<ServerPanel*>()->accessibleDescription(); }

    Stage m_stage;
    OpenRecording m_recording;
    EnginePage m_page;
};

TEST_F(RemoteSession, OfVllm) {
    connectTo(QStringLiteral("cluster"));
    for (int second = 1; second <= 30; ++second)
        read(vllmPage(second), second);
    QTest::qWait(300);
    EXPECT_EQ(figure(EngineTracks::rate), "80 tok/s peak 80");
    EXPECT_EQ(figure(EngineTracks::batch), "22 running 3 waiting");
    EXPECT_EQ(figure(EngineTracks::kv), "37.5 % ");
    EXPECT_EQ(figure(EngineTracks::prefix), "50 % ");
    EXPECT_EQ(figure(EngineTracks::accepted), "2.5 of 4 ");
    // Half of ten lie in the first bucket: 0.1 * 5 / 8; 9.5 and 9.9 of ten in the second: 0.1 + 0.1 * 1.5 / 2.
    EXPECT_EQ(figure(EngineTracks::ttft), "62.5 ms p95 175 · p99 195");
    for (const auto track : {EngineTracks::itl, EngineTracks::stepTime, EngineTracks::memory})
        EXPECT_EQ(figure(track), "hidden") << track;
    EXPECT_EQ(row(0), "0.0|22|3|37.5|27,000|1,502,400|12,000|6,000|1,200|750|" + QString(kNone).toStdString());
    EXPECT_EQ(slowLine(), "3 requests wait at cluster: 22 run, and 38\xC2\xA0% of its KV cache is in use.");
    EXPECT_TRUE(panel().startsWith(QStringLiteral("cluster · vLLM\n"))) << qPrintable(panel());
    EXPECT_TRUE(panel().contains(QStringLiteral("27,000 KV blocks")));
}

TEST_F(RemoteSession, OfSglangThatIsStartedAnew) {
    connectTo(QStringLiteral("box"));
    for (int second = 1; second <= 20; ++second)
        read(sglangPage(second), second);
    for (int second = 21; second <= 30; ++second)
        read(sglangPage(second - 20), second); // from nothing again
    QTest::qWait(300);
    EXPECT_EQ(figure(EngineTracks::rate), "120 tok/s peak 120") << "no spike where the counters fell";
    EXPECT_EQ(figure(EngineTracks::batch), "162 running ");
    EXPECT_EQ(figure(EngineTracks::kv), "28.0 % ");
    EXPECT_EQ(figure(EngineTracks::prefix), "25 % ");
    EXPECT_EQ(figure(EngineTracks::accepted), "1.5  ");
    EXPECT_EQ(figure(EngineTracks::itl), "20.0 ms p95 38.0 · p99 39.6");
    EXPECT_EQ(figure(EngineTracks::ttft), "hidden");
    EXPECT_EQ(slowLine(), "Nothing waits at box.");
    EXPECT_TRUE(panel().startsWith(QStringLiteral("box · SGLang\n"))) << qPrintable(panel());
    const std::string begun = row(9);
    EXPECT_TRUE(begun.starts_with("9.0 restarted|162|0|28.0|1,000|120|")) << begun;
}

} // namespace
} // namespace vitrine::ui
