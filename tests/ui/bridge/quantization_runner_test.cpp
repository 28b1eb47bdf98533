// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/bridge: a quantization beside the window: progress, cancel, texts, leaving while it runs.
#include "ui/bridge/quantization_runner.h"

#include "tests/ui/support/stage.h"

#include <QSignalSpy>
#include <QTemporaryDir>

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

QuantizationResult small_result() {
    QuantizationResult result;
    result.written.bytes_before = 200;
    result.written.bytes_after = 100;
    result.written.tensors.push_back({"blk.0.attn_q.weight", "f16", "q4_0", 64, 36, 0.08});
    return result;
}

TEST(QuantizationRunner, ReportsProgressAndTheResult) {
    QuantizationRunner runner([](const QuantizationTask& task, const QuantizationRun& run) {
        for (int i = 1; i <= 1000; ++i)
            run.progress({QuantizationPhase::writing, i, 1000});
        EXPECT_EQ(task.type, "q4_0");
        return Result<QuantizationResult>(small_result());
    });
    int numProgress = 0;
    QuantizationProgress last;
    std::optional<QuantizationOutcome> outcome;
    QObject::connect(&runner, &QuantizationRunner::progressed, [&](const QuantizationProgress& progress) {
        ++numProgress;
        last = progress;
    });
    QObject::connect(&runner, &QuantizationRunner::finished, [&](const QuantizationOutcome& what) { outcome = what; });
    QuantizationTask task;
    task.type = "q4_0";
    runner.start(task);
    EXPECT_TRUE(runner.isRunning());
    ASSERT_TRUE(Stage::waitFor([&] { return outcome.has_value(); }));
    EXPECT_FALSE(runner.isRunning());
    ASSERT_TRUE(outcome->result);
    EXPECT_EQ(last.done, 1000) << "the last one always arrives";
    EXPECT_LT(numProgress, 20) << "and not every one in between";
    const QByteArray markdown = QuantizationRunner::reportFile(*outcome->result, QStringLiteral("r.md"));
    EXPECT_TRUE(markdown.contains("| blk.0.attn_q.weight | f16 | q4_0 |"));
    const QByteArray json = QuantizationRunner::reportFile(*outcome->result, QStringLiteral("r.json"));
    EXPECT_TRUE(json.contains("\"bytes_after\": 100"));
}

TEST(QuantizationRunner, CancelStopsTheJob) {
    QuantizationRunner runner([](const QuantizationTask&, const QuantizationRun& run) -> Result<QuantizationResult> {
        while (!run.stop.stop_requested())
            std::this_thread::yield();
        return fail(ErrorCode::cancelled, "stopped");
    });
    std::optional<QuantizationOutcome> outcome;
    QObject::connect(&runner, &QuantizationRunner::finished, [&](const QuantizationOutcome& what) { outcome = what; });
    runner.start({});
    runner.cancel();
    ASSERT_TRUE(Stage::waitFor([&] { return outcome.has_value(); }));
    ASSERT_FALSE(outcome->result);
    EXPECT_EQ(outcome->result.error().code, ErrorCode::cancelled);
}

TEST(QuantizationRunner, ReadsTheTextBesideTheWindow) {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("text.txt")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("what it will be asked");
    file.close();
    QuantizationRunner runner([](const QuantizationTask& task, const QuantizationRun&) {
        EXPECT_EQ(task.calibration_text, "what it will be asked");
        return Result<QuantizationResult>(small_result());
    });
    std::optional<QuantizationOutcome> outcome;
    QObject::connect(&runner, &QuantizationRunner::finished, [&](const QuantizationOutcome& what) { outcome = what; });
    runner.start({}, file.fileName());
    ASSERT_TRUE(Stage::waitFor([&] { return outcome.has_value(); }));
    EXPECT_TRUE(outcome->result);
    outcome.reset();
    runner.start({}, folder.filePath(QStringLiteral("none.txt")));
    ASSERT_TRUE(Stage::waitFor([&] { return outcome.has_value(); }));
    ASSERT_FALSE(outcome->result);
    EXPECT_NE(outcome->result.error().message.find("none.txt"), std::string::npos);
}

TEST(QuantizationRunner, MayGoWhileAJobRuns) {
    std::atomic<bool> ended{false};
    {
        QuantizationRunner runner(
            [&](const QuantizationTask&, const QuantizationRun& run) -> Result<QuantizationResult> {
                while (!run.stop.stop_requested())
                    run.progress({QuantizationPhase::writing, 1, 2});
                ended = true;
                return fail(ErrorCode::cancelled, "stopped");
            });
        runner.start({});
    }
    EXPECT_TRUE(ended) << "the thread is joined";
    QCoreApplication::processEvents(); // what it had queued is gone
}

} // namespace
} // namespace vitrine::ui
