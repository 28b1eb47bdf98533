// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: everything that differs between two steps of one program.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/api/sampling.h"

namespace vitrine::kernels {

/// One varlen batch.  Rows of one sequence are consecutive and ordered by position.  All spans are copied by submit().
/// slot = block * block_tokens + offset; slot < block_tokens lies in the null block: written, never read.
/// Slots and block tables come once for each group of the pool's KvSpec (KvLayer::group); most models have one.
struct StepArgs {
    /// [num_rows]; -1 - i: the last token that entry i of `sampling` of the step submitted before gives
    /// (Executable::keeps_tokens()); any token if that entry ends with an error.
    std::span<const std::int32_t> tokens{};
    std::span<const std::int32_t> positions{}; // [num_rows]
    std::span<const std::int32_t> slots{}; // [num_groups, num_rows] where the row's K and V go
    std::span<const std::int32_t> query_starts{}; // [num_seqs + 1] row range of each sequence
    std::span<const std::int32_t> context_lens{}; // [num_seqs] tokens visible to the last row, itself included
    /// [num_groups, num_seqs, max_blocks], padded with 0; 0 as well where a window has left a block behind.
    std::span<const std::int32_t> block_tables{};
    std::int32_t max_blocks = 0;
    std::span<const std::int32_t> logit_rows{}; // [num_logit_rows] rows that need logits, ascending
    std::span<const SamplingSequence> sampling{}; // may be empty
    bool want_logits = false; // return the logits of all logit rows (prompt scoring, `logits`)
    bool want_hidden = false; // return what the head reads of all logit rows (embeddings)
    std::span<const float> input{}; // [num_rows, dim] values of Program::input, if the program has one
    // [num_seqs, Program::num_adapters] of LoRA; 0: not used; empty: no sequence uses any
    std::span<const float> adapter_weights{};

    [[nodiscard]] std::span<const std::int32_t> group_slots(int group) const { // [num_rows]
        return slots.subspan(static_cast<std::size_t>(group) * tokens.size(), tokens.size());
    }
    [[nodiscard]] std::span<const std::int32_t> group_tables(int group) const { // [num_seqs, max_blocks]
        const std::size_t size = context_lens.size() * static_cast<std::size_t>(max_blocks);
        return block_tables.subspan(static_cast<std::size_t>(group) * size, size);
    }
};

struct StepResult {
    std::vector<SamplingOutcome> sampled; // one for each StepArgs::sampling
    std::vector<float> logits; // [num_logit_rows, vocab] if asked for
    std::vector<float> hidden; // [num_logit_rows, dim] after the final norm, if asked for; empty: the device gives none
    std::span<const float> output; // [num_rows, dim] of Program::output; good until the executable's next submit()
    std::chrono::nanoseconds forward_time{0};
    std::chrono::nanoseconds sample_time{0};
    bool graph_replayed = false; // the step was a recorded graph, started as one
    int pad_rows = 0; // rows added to reach a recorded size
};

} // namespace vitrine::kernels
