// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/bench: what the Engine page costs with 65,536 blocks and 256 sequences: processor time of one refresh,
// paint included, and its share of a core at 20 Hz.
// Usage: engine_page_bench [REFRESHES]      QT_QPA_PLATFORM=offscreen
#include "tests/ui/support/stage.h"
#include "ui/engine/engine_page.h"

#include <QApplication>
#include <QStandardPaths>
#include <QTest>

#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace vitrine;

namespace {

constexpr int kBlocks = 65'536, kSequences = 256, kBlocksEach = 200;
constexpr double kFrequency = 20;

double processorSeconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void fill(engine::Snapshot& snapshot) {
    snapshot.block_map.assign(kBlocks, {});
    snapshot.sequences.clear();
    for (int i = 0; i < kSequences; ++i) {
        engine::SequenceStatus status;
        status.sequence = static_cast<std::uint32_t>(1000 + i);
        status.request = engine::RequestId{static_cast<std::uint64_t>(1000 + i)};
        status.label = "Request " + std::to_string(i);
        status.state = engine::SequenceState::decode;
        status.prompt_tokens = 3000;
        snapshot.sequences.push_back(status);
        for (int block = 0; block < kBlocksEach; ++block)
            snapshot.block_map[static_cast<std::size_t>(block * kSequences + i)] = {
                engine::BlockState::active, 1, status.sequence, 10};
    }
    snapshot.running = kSequences;
}

/// One step of 50 ms: 16 sequences take a block each.
void advance(testing::Stage& stage, int step) {
    stage.engine.change([step](engine::Snapshot& snapshot) {
        snapshot.engine_us += 50'000;
        for (int i = 0; i < kSequences / 16; ++i) {
            const auto block = static_cast<std::size_t>(kBlocksEach * kSequences + (step * 16 + i) % 14'000);
            snapshot.block_map[block] = {
                engine::BlockState::active, 1, static_cast<std::uint32_t>(1000 + (step * 16 + i) % kSequences), 0};
        }
        snapshot.last_step += 1;
    });
    engine::StepRecord record;
    const auto& steps = stage.steps.steps();
    record.step = steps.back().step + 1;
    record.start_us = steps.back().start_us + 50'000;
    record.forward_us = 48'000;
    record.decode_rows = kSequences;
    record.emitted = kSequences;
    record.running = kSequences;
    record.blocks_active = static_cast<std::uint32_t>(kBlocksEach * kSequences + step * 16);
    record.blocks_free = kBlocks - record.blocks_active;
    stage.engine.add_step(record);
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    const int refreshes = argc > 1 ? std::max(1, std::atoi(argv[1])) : 200;
    testing::Stage stage;
    ui::EnginePage page({stage.theme, stage.client, stage.snapshots, stage.steps, stage.sequences, stage.dialogs});
    stage.engine.change(fill);
    page.resize(1216, 760);
    page.show();
    stage.snapshots.pollNow();
    QTest::qWait(100);
    double withPage = 0, without = 0;
    for (const bool visible : {true, false}) {
        page.setVisible(visible);
        QTest::qWait(50);
        double sum = 0;
        for (int i = 0; i < refreshes; ++i) {
            advance(stage, i); // not counted: it stands for the engine
            const double start = processorSeconds();
            stage.snapshots.pollNow();
            QCoreApplication::processEvents();
            sum += processorSeconds() - start;
        }
        (visible ? withPage : without) = sum / refreshes;
    }
    std::printf("blocks %d  sequences %d  refreshes %d\n", kBlocks, kSequences, refreshes);
    std::printf("refresh with the page   %.3f ms  %.2f %% of a core at %.0f Hz\n", withPage * 1e3,
        withPage * kFrequency * 100, kFrequency);
    std::printf("page hidden, feeds only %.3f ms  %.2f %% of a core at %.0f Hz\n", without * 1e3,
        without * kFrequency * 100, kFrequency);
    return 0;
}
