// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/engine: golden sessions: step records of known stories in, through a recording's file, the state of
// the page's widgets out.  Expected values follow from the records by hand.
#include "tests/ui/support/stage.h"
#include "ui/bridge/session_file.h"
#include "ui/engine/block_map.h"
#include "ui/engine/engine_page.h"
#include "ui/engine/engine_tracks.h"
#include "ui/engine/lane_history.h"
#include "ui/engine/position_bars.h"
#include "ui/engine/step_series.h"
#include "ui/engine/step_table.h"
#include "ui/widgets/time_axis.h"

#include <QFile>
#include <QSignalSpy>
#include <QTableView>

#include <gtest/gtest.h>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

constexpr std::uint64_t kStepUs = 100'000;
enum Kind : std::uint8_t { prefill, decode, verify, preempted, finished };

/// Steps of 100 ms from second 1 on, each with the lines of its sequences.
class Story {
public:
    StepRecord& step() {
        StepRecord record;
        record.step = ++m_step;
        record.start_us = 1'000'000 + (m_step - 1) * kStepUs;
        record.forward_us = kStepUs;
        m_records.push_back(record);
        return m_records.back();
    }
    SequenceLine& line(std::uint32_t sequence, Kind kind, std::uint32_t count) {
        SequenceLine line;
        line.step = m_step;
        line.time_us = m_records.back().start_us;
        line.request = line.sequence = sequence;
        line.kind = kind;
        line.count = count;
        ++m_records.back().num_lines;
        m_lines.push_back(line);
        return m_lines.back();
    }
    /// One token of one sequence.
    void decodeStep(std::uint32_t sequence) {
        StepRecord& record = step();
        record.decode_rows = record.running = 1;
        record.emitted = 1;
        line(sequence, Kind::decode, 1);
    }
    SessionHistory session(const std::function<void(Snapshot&)>& last) const {
        SessionHistory history;
        for (const StepRecord& record : m_records)
            history.add(record);
        for (const SequenceLine& line : m_lines)
            history.add(line);
        auto snapshot = std::make_shared<Snapshot>();
        auto model = std::make_shared<LoadedModel>();
        model->info.name = "Story";
        snapshot->model = model;
        snapshot->engine_us = 1'000'000 + m_step * kStepUs;
        snapshot->last_step = m_step;
        snapshot->block_map.resize(8);
        last(*snapshot);
        for (const BlockStatus& block : snapshot->block_map) {
            ++snapshot->blocks.total;
            snapshot->blocks.free += block.state == BlockState::free;
            snapshot->blocks.cached += block.state == BlockState::cached;
            snapshot->blocks.active += block.state == BlockState::active;
        }
        history.add(std::shared_ptr<const Snapshot>(snapshot));
        return history;
    }

private:
    std::uint64_t m_step = 0;
    std::vector<StepRecord> m_records;
    std::vector<SequenceLine> m_lines;
};

class RecordedSession : public ::testing::Test {
protected:
    RecordedSession()
        : m_page({m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.steps, m_stage.sequences, m_stage.dialogs,
              m_recording}) {
        m_page.resize(1216, 1400);
        m_page.show();
    }
    void open(const SessionHistory& session) {
        QFile file(m_stage.dir.filePath(QStringLiteral("story.json")));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly) && file.write(sessionToJson(session)) > 0);
        file.close();
        QSignalSpy opened(&m_page, &EnginePage::recordingOpened);
        m_page.openRecording(file.fileName());
        ASSERT_TRUE(Stage::waitFor([&] { return opened.count() == 1; }));
        ASSERT_TRUE(m_page.isRecording());
        m_lanes.readLines(m_page.recording()->steps());
        m_lanes.readNotes(m_page.recording()->requests());
    }
    /// "prefill 1.0-1.2" for each stretch.
    std::string segments(std::uint32_t sequence) const {
        constexpr const char* kNames[] = {"queued", "prefill", "decode", "preempted"};
        const Lane* lane = m_lanes.find(sequence);
        QStringList texts;
        for (const LaneSegment& segment : lane != nullptr ? lane->segments : std::vector<LaneSegment>())
            texts += QStringLiteral("%1 %2-%3")
                         .arg(QLatin1String(kNames[static_cast<int>(segment.kind)]))
                         .arg(segment.start, 0, 'f', 1)
                         .arg(segment.end, 0, 'f', 1);
        return texts.join(QStringLiteral(", ")).toStdString();
    }
    QString cell(int row, int column) const {
        const auto* table = m_page.findChild<QTableView*>()->model();
        return table->index(row, column).data().toString();
    }
    int legend(LegendRow::Kind kind) const {
        int count = 0;
        for (const LegendRow& row : m_page.findChild<BlockMap*>()->legend())
            count += row.kind == kind ? row.count : 0;
        return count;
    }
    StepTotals totals() const { return sumSteps(m_page.recording()->steps(), 0, 60); }

    Stage m_stage;
    OpenRecording m_recording;
    EnginePage m_page;
    LaneHistory m_lanes;
};

TEST_F(RecordedSession, APromptReadInChunksBehindItsReusedPart) {
    Story story;
    for (const std::uint32_t chunk : {512U, 288U}) { // 400 of 1,200 tokens were in the cache
        StepRecord& record = story.step();
        record.prefill_tokens = chunk;
        record.prefill_seqs = record.running = 1;
        record.blocks_taken = chunk / 16;
        record.emitted = chunk == 288 ? 1 : 0;
        record.prefix_queries = chunk == 512 ? 1'200 : 0;
        record.prefix_hits = chunk == 512 ? 400 : 0;
        story.line(1, prefill, chunk).hit = chunk == 512 ? 400 : 0;
    }
    for (int i = 0; i < 10; ++i)
        story.decodeStep(1);
    open(story.session([](Snapshot& snapshot) { snapshot.block_map[0] = {BlockState::active, 1, 1, 0}; }));
    EXPECT_EQ(segments(1), "prefill 1.0-1.2, decode 1.2-2.2");
    EXPECT_EQ(m_lanes.find(1)->hitTokens, 400) << "the second chunk looks nothing up";
    EXPECT_EQ(totals().prefillTokens, 800U);
    EXPECT_EQ(totals().hits, 400U);
    EXPECT_EQ(totals().queries, 1'200U);
    EXPECT_EQ(totals().emitted, 11U);
    EXPECT_EQ(cell(11, StepTableModel::prefill), QStringLiteral("512"));
    EXPECT_EQ(cell(10, StepTableModel::prefill), QStringLiteral("288"));
    EXPECT_EQ(cell(10, StepTableModel::taken), QStringLiteral("18"));
    EXPECT_EQ(cell(0, StepTableModel::rows), QStringLiteral("1 + 0"));
    EXPECT_EQ(legend(LegendRow::Kind::sequence), 1);
    EXPECT_EQ(legend(LegendRow::Kind::free), 7);
}

TEST_F(RecordedSession, TheAxisEndsWithTheRecordingNotNow) {
    const auto* axis = m_page.findChild<TimeAxis*>();
    EXPECT_EQ(axis->edgeText(), QStringLiteral("now"));
    Story story;
    story.step();
    open(story.session([](Snapshot&) {}));
    EXPECT_EQ(axis->edgeText(), QStringLiteral("end"));
    m_page.backToLive();
    EXPECT_EQ(axis->edgeText(), QStringLiteral("now"));
}

TEST_F(RecordedSession, APreemptedRequestIsReadAgain) {
    Story story;
    StepRecord& first = story.step();
    first.prefill_tokens = 64;
    story.line(1, prefill, 64);
    for (int i = 0; i < 3; ++i)
        story.decodeStep(1);
    StepRecord& lost = story.step(); // another one takes its blocks
    lost.preempted = 1;
    lost.blocks_released = 5;
    story.line(1, preempted, 0);
    story.line(2, decode, 1);
    story.decodeStep(2);
    StepRecord& again = story.step();
    again.prefill_tokens = 67;
    again.recomputed_tokens = 67;
    story.line(1, prefill, 67).hit = 16; // of its own blocks: no reuse
    story.decodeStep(1);
    story.line(1, finished, 0);
    open(story.session([](Snapshot& snapshot) { snapshot.counters.preemptions = 1; }));
    EXPECT_EQ(segments(1), "prefill 1.0-1.1, decode 1.1-1.4, preempted 1.4-1.6, prefill 1.6-1.7, decode 1.7-1.8");
    EXPECT_EQ(m_lanes.find(1)->hitTokens, 0);
    EXPECT_TRUE(m_lanes.find(1)->ended);
    EXPECT_EQ(segments(2), "decode 1.4-1.6");
    EXPECT_FALSE(m_lanes.find(2)->ended);
    EXPECT_EQ(cell(3, StepTableModel::freed), QStringLiteral("5"));
    EXPECT_EQ(totals().prefillTokens, 131U);
}

TEST_F(RecordedSession, DraftsAreVerifiedAndSomeRejected) {
    Story story;
    for (const std::uint16_t accepted : {std::uint16_t{4}, std::uint16_t{1}, std::uint16_t{0}}) {
        StepRecord& record = story.step();
        record.decode_rows = record.verify_seqs = record.running = 1;
        record.draft_rows = 4;
        record.accepted = accepted;
        record.emitted = accepted + 1U;
        for (std::size_t place = 0; place < accepted; ++place)
            record.accepted_per_position[place] = 1;
        story.line(1, verify, 5).accepted = accepted;
    }
    open(story.session([](Snapshot& snapshot) { snapshot.rates.accepted_per_step = 5.0 / 3; }));
    EXPECT_EQ(totals().draftRows, 12U);
    EXPECT_EQ(totals().accepted, 5U);
    EXPECT_EQ(totals().emitted, 8U) << "each step gives one token more than it accepts";
    const PositionCounts positions = countPositions(m_page.recording()->steps(), 0, 60);
    EXPECT_EQ(positions.positions, 4);
    for (std::size_t place = 0; place < 4; ++place)
        EXPECT_EQ(positions.offered[place], 3U) << place;
    EXPECT_EQ(positions.accepted[0], 2U);
    EXPECT_EQ(positions.accepted[1], 1U);
    EXPECT_EQ(positions.accepted[3], 1U);
    EXPECT_EQ(cell(0, StepTableModel::rows), QStringLiteral("1 + 4"));
    EXPECT_EQ(cell(0, StepTableModel::emitted), QStringLiteral("1"));
    EXPECT_EQ(cell(2, StepTableModel::emitted), QStringLiteral("5"));
    EXPECT_TRUE(m_page.findChild<EngineTracks*>()
                    ->plot(EngineTracks::accepted)
                    ->accessibleDescription()
                    .startsWith(QStringLiteral("1.7")));
}

TEST_F(RecordedSession, AWindowLeavesBlocksBehind) {
    Story story;
    for (int i = 0; i < 4; ++i)
        story.decodeStep(1);
    StepRecord& moved = story.step();
    moved.decode_rows = moved.running = 1;
    moved.emitted = 1;
    moved.blocks_window_freed = moved.blocks_released = 3;
    story.line(1, decode, 1);
    open(story.session([](Snapshot& snapshot) {
        snapshot.counters.window_freed = 3;
        snapshot.block_map[0] = {BlockState::active, 1, 1, 0};
        for (std::size_t i = 1; i < 4; ++i) // two of them may be found again, one is empty
            snapshot.block_map[i] = {.state = i == 3 ? BlockState::free : BlockState::cached,
                .references = 0,
                .owner = 0,
                .last_used_ms = 100,
                .group = 0,
                .window_freed = true};
    }));
    EXPECT_EQ(legend(LegendRow::Kind::windowFreed), 3) << "among the cached and the free ones";
    EXPECT_EQ(legend(LegendRow::Kind::cached), 2);
    EXPECT_EQ(legend(LegendRow::Kind::free), 5);
    EXPECT_EQ(legend(LegendRow::Kind::sequence), 1);
    EXPECT_EQ(cell(0, StepTableModel::freed), QStringLiteral("3"));
}

} // namespace
} // namespace vitrine::ui
