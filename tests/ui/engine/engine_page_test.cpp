// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/engine: the legend is the allocator's, tables and lanes say what the records say, idle costs nothing.
#include "ui/engine/engine_page.h"

#include "tests/ui/support/stage.h"
#include "ui/engine/block_map.h"
#include "ui/engine/engine_tracks.h"
#include "ui/engine/lane_history.h"
#include "ui/engine/lane_sheet.h"
#include "ui/engine/request_lanes.h"
#include "ui/engine/slow_line.h"
#include "ui/engine/step_series.h"
#include "ui/engine/step_table.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

class EnginePageTest : public ::testing::Test {
protected:
    EnginePageTest()
        : m_page({m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.steps, m_stage.sequences, m_stage.dialogs,
              m_recording}) {}
    Stage m_stage;
    OpenRecording m_recording;
    EnginePage m_page;
};

int legendCount(const BlockMap& map, LegendRow::Kind kind) {
    int count = 0;
    for (const LegendRow& row : map.legend())
        count += row.kind == kind ? row.count : 0;
    return count;
}

TEST_F(EnginePageTest, LegendCountsEqualTheAllocatorsCounters) {
    BlockMap map(m_stage.theme, m_stage.sequences);
    map.setSnapshot(m_stage.engine.snapshot());
    const BlockCounts counts = m_stage.engine.snapshot()->blocks;
    EXPECT_EQ(legendCount(map, LegendRow::Kind::shared), counts.shared);
    EXPECT_EQ(legendCount(map, LegendRow::Kind::cached), counts.cached);
    EXPECT_EQ(legendCount(map, LegendRow::Kind::free), counts.free);
    EXPECT_EQ(legendCount(map, LegendRow::Kind::sequence) + legendCount(map, LegendRow::Kind::others),
        counts.active - counts.shared);
    EXPECT_EQ(counts.shared, 160); // of the scene
}

TEST_F(EnginePageTest, LegendFoldsManySequencesIntoOneLineAndStaysExact) {
    m_stage.engine.change([](engine::Snapshot& snapshot) {
        for (std::size_t i = 0; i < snapshot.block_map.size(); ++i)
            if (snapshot.block_map[i].state == BlockState::active && snapshot.block_map[i].references < 2)
                snapshot.block_map[i].owner = static_cast<std::uint32_t>(1 + i % 9);
    });
    BlockMap map(m_stage.theme, m_stage.sequences);
    map.setSnapshot(m_stage.engine.snapshot());
    const BlockCounts counts = m_stage.engine.snapshot()->blocks;
    EXPECT_GT(legendCount(map, LegendRow::Kind::others), 0);
    EXPECT_EQ(legendCount(map, LegendRow::Kind::sequence) + legendCount(map, LegendRow::Kind::others),
        counts.active - counts.shared);
}

TEST_F(EnginePageTest, BlockMapBuildsItsImageOnlyWhenABlockLooksDifferent) {
    BlockMap map(m_stage.theme, m_stage.sequences);
    map.resize(1200, 200);
    map.show();
    map.setSnapshot(m_stage.engine.snapshot());
    (void)map.grab();
    const int builds = map.imageBuilds();
    m_stage.engine.change([](engine::Snapshot& snapshot) { snapshot.block_map[0].last_used_ms += 100; });
    map.setSnapshot(m_stage.engine.snapshot());
    (void)map.grab();
    EXPECT_EQ(map.imageBuilds(), builds);
    EXPECT_EQ(map.cellRepaints(), 0);
    m_stage.engine.change([](engine::Snapshot& snapshot) { snapshot.block_map[0].state = BlockState::free; });
    map.setSnapshot(m_stage.engine.snapshot());
    (void)map.grab();
    EXPECT_EQ(map.imageBuilds(), builds);
    EXPECT_EQ(map.cellRepaints(), 1) << "the one cell that looks different";
}

// tokens.md, section 3, the table for a map 972 px wide.
TEST(BlockGrid, FollowsTheTableOfTheDesign) {
    const std::tuple<int, int, int, int, int> rows[] = {{384, 16, 2, 48, 8}, {1024, 10, 2, 80, 13},
        {4096, 4, 1, 192, 22}, {16'384, 3, 0, 320, 52}, {62'352, 2, 0, 480, 65}};
    for (const auto& [blocks, cell, gap, columns, numRows] : rows) {
        const BlockGrid grid = BlockGrid::fit(blocks, 972, 160);
        EXPECT_EQ(grid.cell, cell) << blocks;
        EXPECT_EQ(grid.gap, gap) << blocks;
        EXPECT_EQ(grid.columns, columns) << blocks;
        EXPECT_EQ(grid.rows, numRows) << blocks;
    }
    EXPECT_EQ(BlockGrid::fit(62'352, 972, 160).blocksPerCell, 2);
}

TEST_F(EnginePageTest, StepTableIsAConsistentModelOfTheLastThousand) {
    StepTableModel table;
    QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
    HistoryRing<StepRecord> ring(5000);
    StepRecord record;
    for (int i = 1; i <= 2500; ++i) {
        record.step = static_cast<std::uint64_t>(i);
        record.start_us = static_cast<std::uint64_t>(i) * 70'000;
        ring.push(record);
        if (i % 130 == 0 || i > 2480)
            table.append(ring);
    }
    EXPECT_EQ(table.rowCount(), StepTableModel::kMaxRows);
    EXPECT_EQ(table.index(0, StepTableModel::step).data().toString(), QStringLiteral("2,500"));
    EXPECT_EQ(table.index(10, StepTableModel::age).data().toString(), QStringLiteral("0.70"));
    table.setRange(ring, 100, 110);
    EXPECT_EQ(table.rowCount(), 10);
    EXPECT_EQ(table.index(0, StepTableModel::step).data().toString(), QStringLiteral("110"));
    table.append(ring);
    EXPECT_EQ(table.rowCount(), StepTableModel::kMaxRows);
}

TEST_F(EnginePageTest, LanesFollowTheLinesOfTheScene) {
    m_stage.snapshots.pollNow();
    LaneHistory history;
    history.readLines(m_stage.steps.history().steps());
    const double now = stepEnd(m_stage.steps.steps().back());
    history.readStatuses(*m_stage.engine.snapshot(), now);
    history.readNotes(m_stage.steps.history().requests());
    const auto lanes = history.inWindow(now - 60, now);
    ASSERT_EQ(lanes.size(), 5U);
    EXPECT_FALSE(lanes[0]->ended);
    EXPECT_TRUE(lanes[4]->ended) << "ended ones come last";
    EXPECT_EQ(lanes[4]->label, QStringLiteral("Bakery menu"));
    EXPECT_EQ(lanes[1]->hitTokens, 2560);
    ASSERT_EQ(lanes[0]->segments.size(), 3U); // from its arrival to its first step it waits
    EXPECT_EQ(lanes[0]->segments[0].kind, LaneSegment::Kind::queued);
    EXPECT_EQ(lanes[0]->segments[1].kind, LaneSegment::Kind::prefill);
    EXPECT_NEAR(lanes[0]->segments[1].end - lanes[0]->segments[1].start, 2.4, 0.2);
    EXPECT_EQ(history.inWindow(now - 10, now).size(), 4U) << "the ended one has left a window of 10 s";
}

TEST_F(EnginePageTest, SeriesKeepEveryToken) {
    m_stage.snapshots.pollNow();
    const double end = stepEnd(m_stage.steps.steps().back());
    const double last = std::floor(end / 0.5) * 0.5; // end of the last complete bin
    double emitted = 0;
    for (std::size_t i = 0; i < m_stage.steps.steps().size(); ++i) {
        const StepRecord& step = m_stage.steps.steps()[i];
        if (stepEnd(step) <= last)
            emitted += step.emitted;
    }
    const StepSeries series = collectSeries(m_stage.steps.history().steps(), end - 60.5, end);
    ASSERT_DOUBLE_EQ(series.bin, 1.0);
    const StepSeries fine = collectSeries(m_stage.steps.history().steps(), end - 59.9, end);
    ASSERT_DOUBLE_EQ(fine.bin, 0.5);
    const double sum = std::accumulate(fine.decodeRate.begin(), fine.decodeRate.end(), 0.0) * fine.bin;
    EXPECT_NEAR(sum, emitted, 20); // the steps that straddle the edges
    EXPECT_GT(emitted, 3000);
    EXPECT_NEAR(fine.drafted, 4, 1e-9);
}

/// Steps of 45 to 70 ms with verified drafts, some of them long.
StepHistory madeHistory(int numSteps, int firstStep = 1, double firstStart = 100) {
    StepHistory history;
    double at = firstStart;
    for (int i = firstStep; i < firstStep + numSteps; ++i) {
        StepRecord step;
        step.step = static_cast<std::uint64_t>(i);
        step.start_us = static_cast<std::uint64_t>(at * 1e6);
        step.forward_us = static_cast<std::uint32_t>(i % 50 == 0 ? 1'300'000 : 45'000 + i * 7'919 % 25'000);
        step.emitted = static_cast<std::uint32_t>(i % 7);
        step.prefill_tokens = i % 50 == 0 ? 512 : 0;
        step.decode_rows = step.verify_seqs = 3;
        step.draft_rows = 12;
        step.accepted = static_cast<std::uint16_t>(i % 5);
        step.blocks_active = static_cast<std::uint32_t>(100 + i);
        step.prefix_queries = static_cast<std::uint32_t>(i % 3);
        step.prefix_hits = static_cast<std::uint32_t>(i % 2);
        history.add(step);
        for (std::uint32_t sequence = 1; sequence <= 3; ++sequence) {
            SequenceLine line;
            line.step = step.step;
            line.sequence = sequence;
            line.kind = 2;
            line.count = 5;
            line.accepted = static_cast<std::uint16_t>((i + sequence) % 5);
            history.add(line);
        }
        at = stepEnd(step) + 0.001;
    }
    return history;
}

void expectSame(const StepSeries& a, const StepSeries& b) {
    ASSERT_EQ(a.time, b.time);
    const auto same = [](const std::vector<double>& x, const std::vector<double>& y) {
        ASSERT_EQ(x.size(), y.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (!std::isnan(x[i]) || !std::isnan(y[i])) {
                ASSERT_NEAR(x[i], y[i], 1e-6) << i;
            }
        }
    };
    for (const auto member : {&StepSeries::decodeRate, &StepSeries::prefillRate, &StepSeries::active,
             &StepSeries::hitRate, &StepSeries::accepted, &StepSeries::batch, &StepSeries::tokens,
             &StepSeries::scheduleMs, &StepSeries::forwardMs})
        same(a.*member, b.*member);
    EXPECT_NEAR(a.peakDecode, b.peakDecode, 1e-6);
    EXPECT_EQ(a.drafted, b.drafted);
}

TEST(SeriesCollector, ReadsEachStepOnceAndTellsTheSame) {
    const StepHistory all = madeHistory(2500);
    for (const double span : {10.0, 60.0}) {
        SeriesCollector collector;
        PositionWindow positions;
        StepHistory history;
        for (std::size_t i = 0; i < all.steps().size(); ++i) {
            history.add(all.steps()[i]);
            for (std::size_t line = 0; line < 3; ++line)
                history.add(all.lines()[i * 3 + line]);
            if (i % 17 != 0)
                continue;
            const double end = stepEnd(history.steps().back()) + 0.02;
            expectSame(collector.collect(history, end - span, end), collectSeries(history, end - span, end));
            const PositionCounts kept = positions.count(history, end - span, end);
            const PositionCounts anew = countPositions(history, end - span, end);
            ASSERT_EQ(kept.offered, anew.offered);
            ASSERT_EQ(kept.accepted, anew.accepted);
            ASSERT_EQ(kept.positions, anew.positions);
        }
    }
}

TEST(SeriesCollector, BeginsAnewWithAnotherEngineAndAnotherWindow) {
    SeriesCollector collector;
    PositionWindow positions;
    const StepHistory before = madeHistory(400), after = madeHistory(500, 1, 90);
    double end = stepEnd(before.steps().back());
    (void)collector.collect(before, end - 10, end);
    (void)positions.count(before, end - 10, end);
    end = stepEnd(after.steps().back());
    expectSame(collector.collect(after, end - 10, end), collectSeries(after, end - 10, end));
    EXPECT_EQ(positions.count(after, end - 10, end).offered, countPositions(after, end - 10, end).offered);
    expectSame(collector.collect(after, end - 60, end), collectSeries(after, end - 60, end));
    EXPECT_EQ(positions.count(after, end - 20, end).accepted, countPositions(after, end - 20, end).accepted);
    expectSame(collector.collect(after, end - 70, end - 10), collectSeries(after, end - 70, end - 10));
}

TEST(SeriesCollector, TellsNoBinThatAStepStillRunsIn) {
    const StepHistory history = madeHistory(300);
    const double last = stepEnd(history.steps().back());
    const StepSeries series = SeriesCollector().collect(history, last - 9, last + 1, last);
    ASSERT_FALSE(series.time.empty());
    EXPECT_LE(series.time.back(), last);
    EXPECT_GT(series.time.back(), last - 2 * series.bin);
    EXPECT_GT(SeriesCollector().collect(history, last - 9, last + 1).time.back(), last) << "an idle engine makes zeros";
}

TEST_F(EnginePageTest, PaintsNoLaneAndNoCurveWhileNothingLooksDifferent) {
    m_page.resize(1200, 900);
    m_page.show();
    m_stage.snapshots.pollNow();
    m_page.togglePause(); // the window stands
    QTest::qWait(60);
    auto* lanes = m_page.findChild<RequestLanes*>();
    const auto* plot = m_page.findChild<EngineTracks*>()->plot(EngineTracks::rate);
    const int painted = lanes->paintCount(), drawn = plot->drawCount();
    EXPECT_GT(painted, 0);
    EXPECT_GT(drawn, 0);
    for (int i = 0; i < 5; ++i) {
        m_stage.engine.change([](engine::Snapshot& snapshot) {
            for (engine::SequenceStatus& status : snapshot.sequences)
                status.output_tokens += status.state == SequenceState::finished ? 0 : 3; // running lanes do not show it
        });
        m_stage.snapshots.pollNow();
        QTest::qWait(20);
    }
    EXPECT_EQ(lanes->paintCount(), painted);
    EXPECT_EQ(plot->drawCount(), drawn);
}

TEST_F(EnginePageTest, FollowsTheEngineTwentyTimesASecondWhileShown) {
    m_page.resize(1200, 900);
    m_stage.snapshots.setWindowVisible(true);
    EXPECT_EQ(m_stage.snapshots.intervalMs(), 100);
    m_page.show();
    EXPECT_EQ(m_stage.snapshots.intervalMs(), 50);
    m_page.hide();
    EXPECT_EQ(m_stage.snapshots.intervalMs(), 100);
    m_stage.snapshots.setWindowVisible(false);
    m_page.show();
    EXPECT_EQ(m_stage.snapshots.intervalMs(), 0) << "nobody sees the window";
}

TEST_F(EnginePageTest, SelectionFiltersTableLanesAndReadouts) {
    m_page.resize(1200, 900);
    m_page.show();
    m_stage.snapshots.pollNow();
    auto* plot = m_page.findChild<EngineTracks*>()->plot(EngineTracks::rate);
    const int y = plot->height() / 2;
    QTest::mousePress(plot, Qt::LeftButton, {}, {400, y});
    QTest::mouseMove(plot, {500, y});
    QTest::mouseMove(plot, {600, y});
    QTest::mouseRelease(plot, Qt::LeftButton, {}, {600, y});
    const auto* table = m_page.findChild<QTableView*>()->model();
    EXPECT_GT(table->rowCount(), 20);
    EXPECT_LT(table->rowCount(), 400);
    const int selected = table->rowCount();
    EXPECT_LT(m_page.findChild<RequestLanes*>()->laneCount(), 5) << "only those active in the selection";
    QTest::keyClick(&m_page, Qt::Key_Escape);
    EXPECT_FALSE(m_page.findChild<QTableView*>()->model()->rowCount() == selected &&
        m_page.findChild<RequestLanes*>()->laneCount() < 5);
}

TEST_F(EnginePageTest, PlayheadReplaysTheBlockMapOfThen) {
    m_page.resize(1200, 900);
    m_page.show();
    m_stage.snapshots.pollNow();
    auto* map = m_page.findChild<BlockMap*>();
    const int before = legendCount(*map, LegendRow::Kind::free);
    StepRecord step;
    step.start_us = m_stage.engine.snapshot()->engine_us + 1'000'000;
    step.forward_us = 50'000;
    m_stage.engine.add_step(step);
    m_stage.engine.change([](engine::Snapshot& snapshot) {
        snapshot.engine_us += 5'000'000;
        for (engine::BlockStatus& block : snapshot.block_map)
            block = {};
    });
    m_stage.snapshots.pollNow();
    EXPECT_EQ(legendCount(*map, LegendRow::Kind::free), m_stage.engine.snapshot()->blocks.total);
    m_page.togglePause();
    QTest::keyClick(&m_page, Qt::Key_Left); // to the end of the last step, before the change
    EXPECT_EQ(legendCount(*map, LegendRow::Kind::free), before);
    EXPECT_TRUE(map->isKnown());
    QTest::keyClick(&m_page, Qt::Key_Left, Qt::ShiftModifier); // before the first frame
    EXPECT_FALSE(map->isKnown()) << "counts of another moment are not told";
    m_page.togglePause();
    EXPECT_TRUE(map->isKnown());
    EXPECT_EQ(legendCount(*map, LegendRow::Kind::free), m_stage.engine.snapshot()->blocks.total);
}

TEST_F(EnginePageTest, HoverSaysOwnerReferencesAndLastUse) {
    BlockMap map(m_stage.theme, m_stage.sequences);
    map.setNames([](std::uint32_t sequence) { return sequence == 1 ? QStringLiteral("Torque table") : QString(); });
    map.setSnapshot(m_stage.engine.snapshot());
    const auto& blocks = m_stage.engine.snapshot()->block_map;
    const auto shared =
        std::find_if(blocks.begin(), blocks.end(), [](const BlockStatus& block) { return block.references == 4; });
    const QStringList facts = map.blockFacts(static_cast<int>(shared - blocks.begin()) + 1);
    ASSERT_EQ(facts.size(), 2);
    EXPECT_TRUE(facts[0].contains(QStringLiteral("Torque table"))) << qPrintable(facts[0]);
    EXPECT_TRUE(facts[1].contains(QStringLiteral("4 references"))) << qPrintable(facts[1]);
    EXPECT_TRUE(facts[1].contains(QStringLiteral("0.04"))) << qPrintable(facts[1]);
}

TEST_F(EnginePageTest, RecordingComesBackAsItWas) {
    m_page.resize(1200, 900);
    m_page.show();
    m_stage.snapshots.pollNow();
    m_stage.dialogs.saved = m_stage.dir.filePath(QStringLiteral("session.json"));
    QSignalSpy exported(&m_page, &EnginePage::exported), opened(&m_page, &EnginePage::recordingOpened);
    m_page.exportAs(EnginePage::Export::recording);
    ASSERT_TRUE(Stage::waitFor([&] { return exported.count() == 1; }));
    const auto* map = m_page.findChild<BlockMap*>();
    const std::vector<LegendRow> legend = map->legend();
    const int lanes = m_page.findChild<RequestLanes*>()->laneCount();
    m_stage.engine.play_empty(); // no engine: what is shown comes from the file
    m_stage.snapshots.pollNow();
    m_page.openRecording(m_stage.dialogs.saved);
    ASSERT_TRUE(Stage::waitFor([&] { return opened.count() == 1; }));
    EXPECT_TRUE(m_page.isRecording());
    EXPECT_EQ(map->legend(), legend);
    EXPECT_EQ(m_page.findChild<RequestLanes*>()->laneCount(), lanes);
    { // the page of a window that is made anew, in another language
        EnginePage page({m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.steps, m_stage.sequences,
            m_stage.dialogs, m_recording});
        page.resize(1200, 900);
        page.show();
        EXPECT_TRUE(page.isRecording());
        EXPECT_EQ(page.recordingName(), QStringLiteral("session.json"));
        EXPECT_EQ(page.findChild<RequestLanes*>()->laneCount(), lanes);
    }
    QFile file(m_stage.dialogs.saved);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_FALSE(file.readAll().contains("Torque")) << "names of requests stay at home";
    m_page.backToLive();
    EXPECT_FALSE(m_page.isRecording());
}

TEST_F(EnginePageTest, SheetOfALaneSaysWhatTheEngineCounted) {
    m_page.resize(1200, 900);
    m_page.show();
    m_stage.snapshots.pollNow();
    m_page.showRequest(2);
    const auto* sheet = m_page.findChild<LaneSheet*>();
    ASSERT_TRUE(sheet->isVisible());
    const auto fact = [&](const char* name) {
        for (const auto& [known, value] : sheet->facts())
            if (known == QLatin1String(name))
                return value;
        return QString();
    };
    EXPECT_EQ(fact("Prompt"), QStringLiteral("2,611 tokens"));
    EXPECT_EQ(fact("From the cache"), QStringLiteral("2,560 tokens"));
    EXPECT_EQ(fact("Answer"), QStringLiteral("700 tokens"));
    QTest::keyClick(&m_page, Qt::Key_Escape);
    EXPECT_FALSE(sheet->isVisible());
}

TEST_F(EnginePageTest, SaysThatDraftsDoNotPayWhereNothingWeighsMore) {
    m_stage.snapshots.setWindowVisible(true);
    m_page.resize(1200, 900);
    m_page.show();
    const auto sentence = [&] { return m_page.findChild<SlowLine*>()->findChildren<QLabel*>().at(1)->text(); };
    const auto play = [&](SlowCause cause, double accepted) {
        m_stage.engine.change([&](engine::Snapshot& snapshot) {
            snapshot.slow_cause = cause;
            snapshot.rates.drafts_per_step = 4;
            snapshot.rates.accepted_per_step = accepted;
        });
        m_stage.snapshots.pollNow();
        m_page.togglePause(); // numbers at once
        m_page.togglePause();
        return sentence();
    };
    EXPECT_FALSE(play(SlowCause::sharing, 2.7).contains(QStringLiteral("drafts")));
    EXPECT_FALSE(play(SlowCause::preemption, 0.3).contains(QStringLiteral("drafts")));
    EXPECT_TRUE(play(SlowCause::sharing, 0.3).startsWith(QStringLiteral("Of 4.0 drafts a step 0.3 are accepted")))
        << qPrintable(sentence());
}

TEST_F(EnginePageTest, EveryCauseIsWordedFromItsFigures) {
    m_stage.snapshots.setWindowVisible(true);
    m_page.resize(1200, 900);
    m_page.show();
    const auto sentence = [&](SlowCause cause, const SlowFigures& figures) {
        m_stage.engine.change([&](engine::Snapshot& snapshot) {
            snapshot.slow_cause = cause;
            snapshot.slow_figures = figures;
            snapshot.rates.drafts_per_step = 0;
        });
        m_stage.snapshots.pollNow();
        m_page.togglePause(); // numbers at once
        m_page.togglePause();
        return m_page.findChild<SlowLine*>()->findChildren<QLabel*>().at(1)->text().toStdString();
    };
    auto miss = std::make_shared<PrefixMiss>();
    miss->reason = MissReason::evicted;
    miss->missed_tokens = 1'500;
    miss->prompt_tokens = 2'000;
    SlowFigures read_again;
    read_again.miss = miss;
    EXPECT_EQ(sentence(SlowCause::missed_prefix, read_again),
        "1,500 of 2,000 tokens of a prompt are read again: their blocks went to other requests.");
    EXPECT_EQ(sentence(SlowCause::places, {.count = 3, .amount = 8, .miss = {}}),
        "Requests waiting: 3. All 8 places are taken.");
    EXPECT_EQ(sentence(SlowCause::blocks, {.count = 1, .amount = 10, .of = 100, .miss = {}}),
        "Requests waiting for KV blocks: 1. 10 of 100 blocks are free.");
    EXPECT_EQ(sentence(SlowCause::prefill, {.count = 2, .tokens = 3'000, .miss = {}}),
        "A prompt is read beside 2 running answers: 3,000 of its tokens are left.");
    EXPECT_EQ(sentence(SlowCause::sharing, {.count = 5, .tokens_per_s = 40, .miss = {}}),
        "5 answers share 40 tokens per second: about 8.0 each.");
}

TEST_F(EnginePageTest, SheetSaysWhyTokensWereNotFound) {
    m_stage.engine.change([](engine::Snapshot& snapshot) {
        engine::PrefixMiss miss;
        miss.reason = engine::MissReason::context;
        miss.missed_tokens = 1'024;
        miss.prompt_tokens = 2'611;
        miss.context_field = "LoRA";
        snapshot.sequences[1].miss = std::make_shared<const engine::PrefixMiss>(miss);
    });
    m_page.resize(1200, 900);
    m_page.show();
    m_stage.snapshots.pollNow();
    m_page.showRequest(2);
    bool found = false;
    for (const QLabel* label : m_page.findChild<LaneSheet*>()->findChildren<QLabel*>())
        found = found ||
            (label->isVisible() &&
                label->text() ==
                    QStringLiteral(
                        "1,024 of 2,611 tokens were not in the cache: they are cached for another LoRA adapter."));
    EXPECT_TRUE(found);
}

TEST_F(EnginePageTest, DoesNothingWhileHiddenAndCatchesUpWhenShown) {
    m_stage.snapshots.pollNow();
    EXPECT_EQ(m_page.refreshCount(), 0);
    m_page.resize(1200, 760);
    m_page.show();
    EXPECT_GT(m_page.refreshCount(), 0);
    EXPECT_GT(m_page.findChild<QTableView*>()->model()->rowCount(), 100);
    m_page.hide();
    const int before = m_page.refreshCount();
    m_stage.snapshots.pollNow();
    EXPECT_EQ(m_page.refreshCount(), before);
}

TEST_F(EnginePageTest, DimsWhenTheEngineIsIdle) {
    m_page.resize(1200, 760);
    m_page.show();
    m_stage.snapshots.pollNow();
    EXPECT_FALSE(m_page.isDimmed());
    m_stage.engine.play_idle();
    ASSERT_TRUE(Stage::waitFor([&] { return m_stage.snapshots.isIdle(); }));
    EXPECT_TRUE(m_page.isDimmed());
    const int refreshes = m_page.refreshCount();
    QTest::qWait(300); // three periods of the busy timer
    EXPECT_EQ(m_page.refreshCount(), refreshes);
}

} // namespace
} // namespace vitrine::ui
