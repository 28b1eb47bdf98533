// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/greedy_picks.h"

#include <algorithm>

#include "kernels/ref/sampling_filters.h"

namespace vitrine::kernels::cpu {

void GreedyPicks::allocate(int max_logit_rows, int num_workers) {
    constexpr std::size_t kLine = 64 / sizeof(Pick);
    const auto rows = static_cast<std::size_t>(max_logit_rows);
    num_workers_ = static_cast<std::size_t>(num_workers);
    worker_stride_ = (rows + kLine - 1) / kLine * kLine + kLine; // the allocation starts anywhere in a line
    picks_.resize(num_workers_ * worker_stride_);
    uses_.reserve(rows);
    head_rows_.reserve(rows);
    logit_rows_.reserve(rows);
}

void GreedyPicks::plan(const StepArgs& step, bool may_pick) {
    are_taken_ = may_pick;
    uses_.assign(step.logit_rows.size(), LogitUse{false, step.want_logits});
    for (const SamplingSequence& sequence : step.sampling) {
        const auto first = uses_.begin() + sequence.logit_row;
        bool LogitUse::*use = may_pick && is_plain_greedy(sequence) ? &LogitUse::pick : &LogitUse::logits;
        std::for_each(first, first + std::ssize(sequence.drafts) + 1, [use](LogitUse& row) { row.*use = true; });
    }
    // A row that no sequence claims is there for its logits, unless the step asks for what the head reads.
    for (LogitUse& row : uses_)
        row.logits = row.logits || (!row.pick && !step.want_hidden);
    head_rows_.clear();
    logit_rows_.clear();
    for (std::size_t row = 0; row < uses_.size(); ++row) {
        if (!uses_[row].pick && !uses_[row].logits)
            continue;
        head_rows_.push_back(step.logit_rows[row]);
        logit_rows_.push_back(static_cast<std::int32_t>(row));
    }
    for (std::size_t worker = 0; worker < num_workers_; ++worker)
        std::fill_n(picks_.begin() + static_cast<std::ptrdiff_t>(worker * worker_stride_), uses_.size(), Pick{});
}

std::int32_t GreedyPicks::best(int logit_row) const noexcept {
    Pick best;
    for (std::size_t worker = 0; worker < num_workers_; ++worker) {
        const Pick& pick = picks_[index(static_cast<int>(worker), logit_row)];
        if (pick.token < 0)
            continue;
        const bool better = pick.logit > best.logit || (pick.logit == best.logit && pick.token < best.token);
        if (best.token < 0 || better)
            best = pick;
    }
    return best.token;
}

bool is_plain_greedy(const SamplingSequence& sequence) noexcept {
    const bool penalizes =
        sequence.repetition_penalty != 1 || sequence.frequency_penalty != 0 || sequence.presence_penalty != 0;
    const bool is_raw = sequence.counts.empty() && sequence.biases.empty() && sequence.allowed.empty() &&
        (sequence.drafts.empty() || !penalizes); // a draft counts as output in the rows after it
    return is_raw && sequence.temperature < kGreedyTemperature && sequence.num_logprobs < 0;
}

SamplingOutcome verify_greedy(const GreedyPicks& picks, const SamplingSequence& sequence) {
    SamplingOutcome outcome;
    for (std::size_t row = 0; row <= sequence.drafts.size(); ++row) {
        const std::int32_t token = picks.best(sequence.logit_row + static_cast<int>(row));
        outcome.tokens.push_back({token, 0, {}});
        if (row == sequence.drafts.size() || token != sequence.drafts[row] || token < 0)
            break;
        ++outcome.num_accepted;
    }
    return outcome;
}

} // namespace vitrine::kernels::cpu
