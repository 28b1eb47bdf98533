// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: measures what decode steps and drafting take, so that draft lengths follow the machine.
#pragma once

#include <array>
#include <chrono>

#include "engine/spec/draft_costs.h"

namespace vitrine::engine {

/// Exponential means of step times by their number of rows; what was never measured is interpolated, or guessed at a fifth
/// of a step for each further row.  Thread: engine.
class StepCosts {
public:
    /// A step without prefill rows.
    void record_step(int num_rows, std::chrono::nanoseconds time) noexcept;
    /// One proposal for `num_seqs` sequences: `num_rounds` drafts for the one that got most, `num_followed` tokens read
    /// before.
    void record_drafting(int num_seqs, int num_rounds, int num_followed, std::chrono::nanoseconds time) noexcept;
    /// Of a batch of num_seqs decoding sequences that all draft equally many.
    [[nodiscard]] DraftCosts costs(int num_seqs) const noexcept;

private:
    struct Bucket {
        double rows = 0;
        double seconds = 0;
        int num_samples = 0;
    };
    [[nodiscard]] double seconds_of(double rows) const noexcept; // 0: nothing measured

    std::array<Bucket, 128> buckets_{};
    double draft_ = -1; // one round, in plain steps; < 0: not measured
    double follow_ = 0;
};

} // namespace vitrine::engine
