// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/engine: bins of steps: what a plot says of a moment is what ran then.
#include "ui/engine/step_series.h"

#include <cmath>
#include <gtest/gtest.h>

namespace vitrine::ui {
namespace {

StepRecord stepAt(double start, double seconds, int rows) {
    static std::uint64_t number = 0;
    StepRecord step;
    step.step = ++number;
    step.start_us = static_cast<std::uint64_t>(start * 1e6);
    step.forward_us = static_cast<std::uint32_t>(seconds * 1e6);
    step.prefill_seqs = static_cast<std::uint16_t>(rows);
    step.prefill_tokens = static_cast<std::uint32_t>(64 * rows);
    return step;
}

/// A prefill of half a second in bins of a tenth: its sequences run all the time, not in its first bin alone.
TEST(StepSeries, ALongStepRunsThroughTheBinsItLasts) {
    StepHistory history;
    history.add(stepAt(101.02, 0.5, 6));
    history.add(stepAt(101.53, 0.02, 2));
    history.add(stepAt(108.0, 0.02, 1));
    const StepSeries series = collectSeries(history, 100, 110);
    ASSERT_DOUBLE_EQ(series.bin, 0.1);
    const auto at = [&](double time) {
        for (std::size_t i = 0; i < series.time.size(); ++i)
            if (series.time[i] > time)
                return std::pair(series.batch[i], series.tokens[i]);
        return std::pair(-1.0, -1.0);
    };
    for (const double time : {101.05, 101.15, 101.25, 101.35, 101.45})
        EXPECT_EQ(at(time), std::pair(6.0, 384.0)) << time;
    EXPECT_EQ(at(101.55).first, 2) << "a step that began then says it";
    EXPECT_EQ(at(101.75).first, 0) << "nothing ran";
    EXPECT_EQ(at(100.95).first, 0);
}

/// Six decode and one of them had four drafts, of which three were taken: three of four, whoever else decoded.
TEST(StepSeries, AcceptedDraftsAreOfThoseThatHadSome) {
    StepHistory history;
    StepRecord step = stepAt(101.02, 0.02, 0);
    step.decode_rows = step.running = 6;
    step.verify_seqs = 1;
    step.draft_rows = 4;
    step.accepted = 3;
    history.add(step);
    StepRecord plain = stepAt(105.02, 0.02, 0); // nobody had one
    plain.decode_rows = 6;
    history.add(plain);
    const StepSeries series = collectSeries(history, 100, 110);
    double accepted = 0, drafts = 0;
    int bins = 0;
    for (std::size_t i = 0; i < series.time.size(); ++i)
        if (!std::isnan(series.accepted[i])) {
            accepted = series.accepted[i];
            drafts = series.drafts[i];
            ++bins;
        }
    EXPECT_EQ(bins, 1);
    EXPECT_EQ(accepted, 3);
    EXPECT_EQ(drafts, 4);
    EXPECT_EQ(series.peakDrafts, 4);
    const StepTotals totals = sumSteps(history, 100, 110);
    EXPECT_EQ(totals.draftedSeqs, 1U);
}

} // namespace
} // namespace vitrine::ui
