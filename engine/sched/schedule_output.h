// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: the plan of one step.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/strong_id.h"
#include "kernels/api/kv_pool.h"

namespace vitrine::engine {

class Sequence;

/// Values as in SequenceLine::kind.
enum class PlanKind : std::uint8_t { prefill, decode, verify };

/// Rows of one sequence: positions [first_position, first_position + count), tokens Sequence::token_at(position), slots
/// table().slot(position, block_tokens).  context_len of the sequence: first_position + count.
struct SequencePlan {
    SequenceId id{};
    Sequence* sequence = nullptr; // owned by the scheduler; good until commit() or its finish()
    PlanKind kind = PlanKind::prefill;
    int first_position = 0;
    int count = 0;
    int num_drafts = 0; // the last rows are drafts
    int hit_tokens = 0; // taken from the prefix cache, if admitted in this step
    bool first_look_up = false; // admitted for the first time, after a look-up: Sequence::look_up()
    bool samples = false; // gets a token: its last num_drafts + 1 rows need logits
    bool all_logits = false; // prompt logprobs: every row of this plan needs logits
    bool all_hidden = false; // embeddings: every row of this plan is wanted as the head reads it
    int token_from =
        -1; // stepping ahead: which of the step before's sampled tokens the row takes; -1: it has its tokens
    [[nodiscard]] int num_logit_rows() const noexcept {
        return all_logits || all_hidden ? count : samples ? num_drafts + 1 : 0;
    }
};

/// Empty plans: nothing to do now.
struct ScheduleOutput {
    std::uint64_t step = 0;
    std::vector<SequencePlan> plans; // decode and verify first, then prefill
    std::vector<kernels::BlockCopy> copies; // KvPool::copy_blocks, in order, before the step
    std::vector<SequenceId> preempted;
    int num_rows = 0; // sum of count
    int prefill_tokens = 0;
    int prefill_seqs = 0;
    int decode_rows = 0; // one a decoding sequence
    int verify_seqs = 0; // of them with drafts
    int draft_rows = 0;
    int recomputed_tokens = 0; // rows that were computed before a preemption
    int prefix_queries = 0; // tokens
    int prefix_hits = 0;
    int blocks_taken = 0;
    int blocks_evicted = 0;
    int blocks_used = 0; // active while the step runs
};

} // namespace vitrine::engine
