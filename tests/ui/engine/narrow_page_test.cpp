// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/engine: what stands beside and above the curves is whole at every width and size of text.
#include "tests/ui/support/language.h"
#include "tests/ui/support/stage.h"
#include "ui/engine/engine_page.h"
#include "ui/engine/engine_tracks.h"
#include "ui/widgets/plot_legend.h"
#include "ui/widgets/segmented_control.h"

#include <QTest>

#include <gtest/gtest.h>

#include <map>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

class NarrowPage : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override { ASSERT_TRUE(m_language.isLoaded()); }
    /// `heights`: of the curves, by plot, where there is room for everything.
    static void expectWhole(EnginePage& page, std::map<const LivePlot*, int>& heights, const QString& where) {
        int legends = 0;
        for (const LivePlot* plot : page.findChildren<LivePlot*>()) {
            if (!plot->isVisibleTo(&page))
                continue;
            const QString name = plot->accessibleName() + where;
            EXPECT_FALSE(plot->shownLabel().contains(u'\u2026')) << qPrintable(plot->shownLabel() + u' ' + name);
            const auto* legend = plot->findChild<PlotLegend*>();
            if (legend == nullptr)
                continue;
            ++legends;
            EXPECT_TRUE(legend->isVisibleTo(&page)) << qPrintable(name);
            EXPECT_TRUE(plot->rect().contains(legend->geometry())) << qPrintable(name);
            EXPECT_LE(legend->geometry().bottom(), plot->curveArea().top()) << qPrintable(name);
            const int height = heights.try_emplace(plot, plot->curveArea().height()).first->second;
            EXPECT_EQ(plot->curveArea().height(), height) << "a legend takes nothing from " << qPrintable(name);
        }
        EXPECT_GE(legends, 2) << qPrintable(where);
    }

private:
    vitrine::testing::InLanguage m_language{QLatin1String(GetParam())};
};

TEST_P(NarrowPage, LabelsAndLegendsOfTheTracksAreWhole) {
    Stage stage;
    stage.engine.change([](engine::Snapshot& snapshot) { snapshot.blocks.total = 65'536; });
    OpenRecording recording;
    QWidget window; // the page is as narrow as the window makes it, whatever it would like to be
    EnginePage page(
        {stage.theme, stage.client, stage.snapshots, stage.steps, stage.sequences, stage.dialogs, recording}, &window);
    window.show();
    stage.snapshots.pollNow();
    const auto look = [&](int percent, const QString& source) {
        stage.theme.setTextPercent(percent);
        std::map<const LivePlot*, int> heights;
        for (const int width : {1792, 1216, 836, percent == 100 ? 576 : 836}) {
            page.resize(width, 900);
            QTest::qWait(30);
            ASSERT_EQ(page.width(), width);
            expectWhole(page, heights, QStringLiteral(" (%1, %2 px, %3 %)").arg(source).arg(page.width()).arg(percent));
        }
    };
    look(100, QStringLiteral("engine"));
    look(200, QStringLiteral("engine"));
    ServerFacts facts;
    facts.name = QStringLiteral("gpu7");
    facts.kind = ServerKind::vllm;
    stage.steps.restart(facts);
    ServerReading reading;
    reading.time = 1;
    reading.running = 3;
    reading.waiting = 2;
    reading.kvUsage = 0.25;
    stage.steps.addReading(reading);
    look(100, QStringLiteral("server"));
    look(200, QStringLiteral("server"));
}

/// A recording has two buttons more.
TEST_P(NarrowPage, NothingInTheHeaderStandsOnAnother) {
    Stage stage;
    OpenRecording live;
    SessionHistory session;
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->model = std::make_shared<const LoadedModel>();
    session.add(snapshot);
    OpenRecording recorded{
        std::make_shared<const SessionHistory>(std::move(session)), QStringLiteral("monday-evening.json")};
    for (OpenRecording* recording : {&live, &recorded}) {
        QWidget window;
        EnginePage page(
            {stage.theme, stage.client, stage.snapshots, stage.steps, stage.sequences, stage.dialogs, *recording},
            &window);
        window.show();
        QWidget* const header = page.findChild<SegmentedControl*>()->parentWidget();
        const auto look = [&](int width) {
            const auto parts = header->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
            for (const QWidget* a : parts) {
                EXPECT_TRUE(!a->isVisible() || header->rect().contains(a->geometry()))
                    << width << ": " << qPrintable(a->accessibleName());
                for (const QWidget* b : parts)
                    EXPECT_FALSE(a < b && a->isVisible() && b->isVisible() && a->geometry().intersects(b->geometry()))
                        << width << (recording == &live ? "" : " recording") << ": " << qPrintable(a->accessibleName())
                        << " and " << qPrintable(b->accessibleName());
            }
        };
        for (const int width : {576, 640, 700, 736, 800, 860, 899, 900, 950, 1000, 1050, 1100, 1216}) {
            page.resize(width, 700);
            QTest::qWait(20);
            look(width);
        }
        stage.theme.setTextPercent(200); // nothing else moves
        QTest::qWait(50);
        look(page.width());
        stage.theme.setTextPercent(100);
    }
}

INSTANTIATE_TEST_SUITE_P(Languages, NarrowPage, ::testing::Values("en", "de", "zh_CN"));

} // namespace
} // namespace vitrine::ui
