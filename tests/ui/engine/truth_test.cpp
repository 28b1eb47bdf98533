// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/engine: the page over the real engine: every number on screen equals the engine's own count.
#include "ui/bridge/engine_client.h"
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/snapshot_feed.h"
#include "ui/bridge/step_feed.h"
#include "ui/engine/block_map.h"
#include "ui/engine/engine_page.h"
#include "ui/engine/engine_tracks.h"
#include "ui/engine/kernel_table.h"
#include "ui/engine/lane_history.h"
#include "ui/engine/lane_sheet.h"
#include "ui/engine/position_bars.h"
#include "ui/engine/step_table.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/sequence_index.h"

#include "tests/ui/support/stage.h"

#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#include "engine/base/data_dir.h"
#pragma pop_macro("slots")

#include <QApplication>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>
#include <thread>

namespace vitrine::ui {
namespace {

/// Four requests with one head, drafts and a pool too small for all: hits, verifications, preemptions, evictions.
std::vector<Request> requests() {
    std::vector<Request> list;
    for (int i = 0; i < 4; ++i) {
        Request request;
        request.label = "request " + std::to_string(i);
        request.prompt =
            engine::TextPrompt{"One two three four five six. One two three four five six. One two three four "
                               "five six. One two three four five six. Part " +
                std::to_string(i) + ": one two"};
        request.sampling.temperature = 0;
        request.stop.max_tokens = 40;
        request.stop.ignore_eos = true;
        list.push_back(std::move(request));
    }
    return list;
}

class EngineTruth : public ::testing::Test {
protected:
    void SetUp() override {
        const auto path = engine::data_dir() / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
        if (!std::filesystem::exists(path))
            GTEST_SKIP() << path << " is not there";
        m_engine = engine::make_engine();
        m_client = std::make_unique<EngineClient>(*m_engine);
        m_snapshots = std::make_unique<SnapshotFeed>(*m_engine);
        m_steps = std::make_unique<StepFeed>(*m_engine, *m_snapshots);
        m_theme.applyTo(*qApp);
        EngineConfig config;
        config.device = "cpu";
        config.draft = "ngram";
        config.num_blocks = 26;
        config.context = 256;
        ASSERT_TRUE(m_client->load(QString::fromStdString(path.string()), config));
        ASSERT_TRUE(QTest::qWaitFor([this] { return m_client->model() != nullptr; }, 30'000));
        m_snapshots->setWindowVisible(true);
        m_page = std::make_unique<EnginePage>(
            EnginePage::Context{m_theme, *m_client, *m_snapshots, *m_steps, m_sequences, m_dialogs, m_recording});
        m_page->resize(1200, 1400);
        m_page->show();
    }
    void TearDown() override {
        m_page.reset();
        if (m_engine)
            m_engine->stop();
    }
    std::vector<LabAnswer> runAll() {
        std::atomic<bool> never{false}, done{false};
        std::vector<LabAnswer> answers;
        const auto bench = m_client->makeBench(never);
        std::thread worker([&] {
            for (int round = 0; round < 2; ++round) { // the second finds the first in the cache
                auto result = bench->run(requests());
                EXPECT_TRUE(result) << result.error().message;
                if (result)
                    answers.insert(answers.end(), result->begin(), result->end());
            }
            done = true;
        });
        while (!done) {
            m_snapshots->pollNow();
            QTest::qWait(20);
        }
        worker.join();
        m_snapshots->pollNow();
        QTest::qWait(60); // the snapshot of the end is published within 50 ms
        m_snapshots->pollNow();
        return answers;
    }
    QString readout(EngineTracks::Track track) {
        return m_page->findChild<EngineTracks*>()->plot(track)->accessibleDescription();
    }

    std::unique_ptr<engine::Engine> m_engine;
    Theme m_theme;
    SequenceIndex m_sequences;
    vitrine::testing::FakeDialogs m_dialogs;
    std::unique_ptr<EngineClient> m_client;
    std::unique_ptr<SnapshotFeed> m_snapshots;
    std::unique_ptr<StepFeed> m_steps;
    OpenRecording m_recording;
    std::unique_ptr<EnginePage> m_page;
};

/// Every series of every plot against sums over the engine's own ring.
void expectPlotsTellTheRecords(const std::vector<StepRecord>& records, const StepHistory& history) {
    const double end = std::ceil(stepEnd(records.back())) + 1;
    const StepSeries series = collectSeries(history, 0, end); // bins of a second or less, all complete
    double emitted = 0, prefilled = 0;
    for (std::size_t i = 0; i < series.time.size(); ++i) {
        emitted += series.decodeRate[i] * series.bin;
        prefilled += std::isnan(series.prefillRate[i]) ? 0 : series.prefillRate[i] * series.bin;
        const double from = series.time[i] - series.bin;
        double rows = 0, tokens = 0, steps = 0, forward = 0, host = 0, verified = 0, accepted = 0;
        const StepRecord* last = nullptr;
        for (const StepRecord& record : records) {
            if (stepStart(record) < series.time[i])
                last = &record;
            if (stepStart(record) < from || stepStart(record) >= series.time[i])
                continue;
            ++steps;
            rows += record.decode_rows + record.prefill_seqs;
            tokens += record.prefill_tokens + record.decode_rows + record.draft_rows;
            forward += record.forward_us / 1e3;
            host += (record.draft_us + record.schedule_us + record.sample_us + record.commit_us) / 1e3;
            verified += record.verify_seqs;
            accepted += record.draft_rows > 0 ? record.accepted : 0;
        }
        if (last != nullptr) {
            EXPECT_EQ(series.active[i], last->blocks_active) << i;
            EXPECT_EQ(series.cached[i], last->blocks_cached) << i;
            EXPECT_EQ(series.shared[i], last->blocks_shared) << i;
        }
        if (steps == 0)
            continue;
        EXPECT_DOUBLE_EQ(series.batch[i], rows / steps);
        EXPECT_DOUBLE_EQ(series.tokens[i], tokens / steps);
        EXPECT_NEAR(series.forwardMs[i], forward / steps, 1e-9);
        EXPECT_NEAR(series.scheduleMs[i] + series.sampleMs[i] + series.commitMs[i], host / steps, 1e-9);
        if (verified > 0) {
            EXPECT_DOUBLE_EQ(series.accepted[i], accepted / verified);
        }
    }
    const auto total = [&](auto field) {
        double sum = 0;
        for (const StepRecord& record : records)
            sum += record.*field;
        return sum;
    };
    EXPECT_NEAR(emitted, total(&StepRecord::emitted), 1e-6);
    EXPECT_NEAR(prefilled, total(&StepRecord::prefill_tokens), 1e-6);
}

TEST_F(EngineTruth, EveryNumberEqualsTheEnginesCount) {
    const std::vector<LabAnswer> answers = runAll();
    ASSERT_EQ(answers.size(), 8U);
    const auto snapshot = m_engine->snapshot();
    const Counters& counters = snapshot->counters;
    const SessionHistory& history = m_steps->history();
    const double end = stepEnd(history.steps().steps().back()) + 1;

    // Steps: what the plots add up is what the engine counted.
    const StepTotals totals = sumSteps(history.steps(), 0, end);
    EXPECT_EQ(static_cast<std::uint64_t>(totals.steps), counters.steps);
    EXPECT_EQ(totals.prefillTokens, counters.prompt_tokens);
    EXPECT_EQ(totals.emitted, counters.generation_tokens);
    EXPECT_EQ(totals.queries, counters.prefix_queries);
    EXPECT_EQ(totals.hits, counters.prefix_hits);
    EXPECT_EQ(totals.draftRows, counters.draft_tokens);
    EXPECT_EQ(totals.accepted, counters.accepted_tokens);
    EXPECT_GT(totals.accepted, 0U) << "the text repeats itself";
    EXPECT_GT(totals.hits, 0U);
    for (std::size_t p = 0; p < 16; ++p)
        EXPECT_EQ(totals.acceptedAt[p], counters.accepted_per_position[p]) << p;
    const PositionCounts positions = countPositions(history.steps(), 0, end);
    EXPECT_EQ(positions.accepted, totals.acceptedAt);
    EXPECT_EQ(std::accumulate(positions.offered.begin(), positions.offered.end(), quint64{0}), totals.draftRows);

    // Step table, cell by cell, against the engine's own ring.
    std::vector<StepRecord> records(4096);
    records.resize(m_engine->read_steps(0, records));
    const auto* table = m_page->findChild<QTableView*>()->model();
    ASSERT_EQ(table->rowCount(), static_cast<int>(std::min<std::size_t>(records.size(), 1000)));
    for (int row = 0; row < table->rowCount(); ++row) {
        const StepRecord& record = records[records.size() - 1 - static_cast<std::size_t>(row)];
        const auto cell = [&](int column) { return table->index(row, column).data().toString(); };
        ASSERT_EQ(cell(StepTableModel::step), countText(static_cast<qint64>(record.step)));
        EXPECT_EQ(cell(StepTableModel::prefill), countText(record.prefill_tokens));
        EXPECT_EQ(cell(StepTableModel::rows), QStringLiteral("%1 + %2").arg(record.decode_rows).arg(record.draft_rows));
        EXPECT_EQ(cell(StepTableModel::emitted), countText(record.emitted));
        EXPECT_EQ(cell(StepTableModel::taken), countText(record.blocks_taken));
        EXPECT_EQ(cell(StepTableModel::freed), countText(record.blocks_released));
        EXPECT_EQ(cell(StepTableModel::evicted), countText(record.blocks_evicted));
        EXPECT_EQ(cell(StepTableModel::device), fixedText(record.forward_us / 1e3, 1));
        EXPECT_EQ(cell(StepTableModel::host),
            fixedText((record.draft_us + record.schedule_us + record.sample_us + record.commit_us) / 1e3, 1));
        EXPECT_EQ(cell(StepTableModel::age), fixedText(stepStart(records.back()) - stepStart(record), 2));
    }
    expectPlotsTellTheRecords(records, history.steps());

    // Block map.
    int shared = 0, cached = 0, free = 0, owned = 0;
    for (const LegendRow& row : m_page->findChild<BlockMap*>()->legend()) {
        shared += row.kind == LegendRow::Kind::shared ? row.count : 0;
        cached += row.kind == LegendRow::Kind::cached ? row.count : 0;
        free += row.kind == LegendRow::Kind::free ? row.count : 0;
        owned += row.kind == LegendRow::Kind::sequence || row.kind == LegendRow::Kind::others ? row.count : 0;
    }
    EXPECT_EQ(shared, snapshot->blocks.shared);
    EXPECT_EQ(cached, snapshot->blocks.cached);
    EXPECT_EQ(free, snapshot->blocks.free);
    EXPECT_EQ(owned, snapshot->blocks.active - snapshot->blocks.shared);

    // Read-outs: the engine's own rates, as text.
    const Rates& rates = snapshot->rates;
    EXPECT_TRUE(readout(EngineTracks::rate).startsWith(rateText(rates.decode_tokens_per_s)));
    EXPECT_TRUE(readout(EngineTracks::kv).startsWith(countText(snapshot->blocks.active)));
    EXPECT_TRUE(readout(EngineTracks::prefix).startsWith(fixedText(rates.prefix_hit_rate_60s * 100, 0)));
    EXPECT_TRUE(readout(EngineTracks::batch).startsWith(fixedText(rates.mean_batch, 1)));
    EXPECT_TRUE(readout(EngineTracks::accepted).startsWith(fixedText(rates.accepted_per_step, 1)));
    EXPECT_TRUE(readout(EngineTracks::itl).contains(fixedText(rates.itl_s[1] * 1000, rates.itl_s[1] < 0.1 ? 1 : 0)))
        << qPrintable(readout(EngineTracks::itl));
    EXPECT_TRUE(readout(EngineTracks::memory)
                    .startsWith(bytesText(static_cast<double>(
                        snapshot->model->measured_weight_bytes + snapshot->model->measured_kv_bytes))));

    EXPECT_TRUE(readout(EngineTracks::ttft)
                    .contains(rates.ttft_s[0] < 1 ? fixedText(rates.ttft_s[0] * 1000, rates.ttft_s[0] < 0.1 ? 1 : 0)
                                                  : fixedText(rates.ttft_s[0], 2)))
        << qPrintable(readout(EngineTracks::ttft));

    // Kernels: as many as the loaded model reports, none invented.
    const auto* kernels = m_page->findChildren<QTableView*>().at(1)->model();
    int numKernels = 0;
    for (int row = 0; row < kernels->rowCount(); ++row)
        numKernels += QLocale().toInt(kernels->index(row, KernelTableModel::count).data().toString());
    EXPECT_EQ(static_cast<std::size_t>(numKernels), snapshot->model->kernels.size());

    // Lanes and their sheets against what each client was told.
    LaneHistory lanes;
    lanes.readLines(history.steps());
    lanes.readNotes(history.requests());
    auto* sheet = m_page->findChild<LaneSheet*>();
    int matched = 0;
    for (const auto& [sequence, note] : history.requests()) {
        const Lane* lane = lanes.find(sequence);
        ASSERT_NE(lane, nullptr);
        ++matched;
        // Two threads prepare requests, so ids need not follow the order of submitting: the nearest first token tells.
        const LabAnswer& answer = *std::ranges::min_element(answers, {}, [&](const LabAnswer& candidate) {
            return std::abs(lane->firstToken - toSeconds(candidate.timings.first_token));
        });
        EXPECT_EQ(lane->promptTokens, answer.usage.prompt_tokens);
        EXPECT_EQ(lane->hitTokens, answer.usage.cached_tokens);
        EXPECT_EQ(lane->outputTokens, answer.usage.output_tokens);
        EXPECT_EQ(lane->preemptions, answer.usage.preemptions);
        EXPECT_TRUE(lane->ended);
        EXPECT_EQ(lane->finish, answer.finish);
        EXPECT_NEAR(lane->firstToken, toSeconds(answer.timings.first_token), 0.005);
        m_page->showRequest(sequence);
        EXPECT_EQ(sheet->facts()[4].second, QStringLiteral("%1 tokens").arg(countText(answer.usage.output_tokens)));
    }
    EXPECT_EQ(matched, 8);
    EXPECT_GT(m_page->findChildren<QTableView*>().at(1)->model()->rowCount(), 3) << "kernels of the model";
}

} // namespace
} // namespace vitrine::ui
