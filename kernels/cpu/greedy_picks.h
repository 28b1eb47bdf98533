// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: the largest logit of each row, taken while the head's results are in the first-level cache.  Where
// only this is wanted of a row, its logits are never written; where nothing is, the head does not compute it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/api/step_args.h"

namespace vitrine::kernels::cpu {

/// What is wanted of a logit row.
struct LogitUse {
    bool pick = false; // the arg max
    bool logits = false;
};

/// plan() on the stepping thread before the region; offer() by each worker for itself; best() after a barrier.
class GreedyPicks {
public:
    void allocate(int max_logit_rows, int num_workers);
    /// may_pick: what the head computes is what is sampled from, no op in between.
    void plan(const StepArgs& step, bool may_pick);
    /// Whether plain greedy sequences find their answer here.
    [[nodiscard]] bool are_taken() const noexcept { return are_taken_; }

    /// Rows of the step that the head computes, and the logit row of each.
    [[nodiscard]] std::span<const std::int32_t> head_rows() const noexcept { return head_rows_; }
    [[nodiscard]] int logit_row(int head_row) const noexcept { return logit_rows_[static_cast<std::size_t>(head_row)]; }
    [[nodiscard]] LogitUse use(int logit_row) const noexcept { return uses_[static_cast<std::size_t>(logit_row)]; }
    /// A worker offers the tokens of a row in ascending order.
    void offer(int worker, int logit_row, std::int32_t token, float logit) noexcept {
        Pick& pick = picks_[index(worker, logit_row)];
        if (pick.token < 0 || logit > pick.logit)
            pick = {logit, token};
    }
    /// The largest logit's token, the lowest on ties; -1: none was offered.
    [[nodiscard]] std::int32_t best(int logit_row) const noexcept;

private:
    struct Pick {
        float logit = 0;
        std::int32_t token = -1;
    };
    [[nodiscard]] std::size_t index(int worker, int logit_row) const noexcept {
        return static_cast<std::size_t>(worker) * worker_stride_ + static_cast<std::size_t>(logit_row);
    }

    bool are_taken_ = false; // until a plan says so: a decomposed head never does
    std::vector<Pick> picks_; // [workers][worker_stride_]
    std::size_t worker_stride_ = 0; // rows, whole cache lines
    std::size_t num_workers_ = 0;
    std::vector<LogitUse> uses_; // [num_logit_rows]
    std::vector<std::int32_t> head_rows_;
    std::vector<std::int32_t> logit_rows_; // of each of head_rows_
};

/// The arg max of the raw logits is this sequence's answer, draft by draft.
[[nodiscard]] bool is_plain_greedy(const SamplingSequence& sequence) noexcept;

/// Drafts that equal their row's arg max are accepted; the first other arg max ends the outcome.
[[nodiscard]] SamplingOutcome verify_greedy(const GreedyPicks& picks, const SamplingSequence& sequence);

} // namespace vitrine::kernels::cpu
