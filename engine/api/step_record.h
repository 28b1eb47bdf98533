// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: one step of the engine, in a ring that readers may lag behind.
#pragma once

#include <array>
#include <cstdint>

namespace vitrine::engine {

/// Fixed size, trivially copyable.  Times in microseconds of the engine's monotonic clock, from engine start.
struct StepRecord {
    std::uint64_t step = 0;
    std::uint64_t start_us = 0;
    std::uint32_t draft_us = 0; // the proposer, before scheduling
    std::uint32_t schedule_us = 0;
    std::uint32_t forward_us = 0;
    std::uint32_t sample_us = 0;
    std::uint32_t commit_us = 0; // detokenize, stop checks and events included
    std::uint32_t prefill_tokens = 0;
    std::uint16_t prefill_seqs = 0;
    std::uint16_t decode_rows = 0; // one a decoding sequence
    std::uint16_t verify_seqs = 0; // decoding sequences with drafts
    std::uint16_t draft_rows = 0;
    std::uint16_t accepted = 0;
    std::uint32_t recomputed_tokens = 0; // rows that were computed before a preemption
    std::uint32_t emitted = 0; // tokens
    std::uint32_t blocks_used = 0; // active while the step ran
    std::uint32_t blocks_free = 0; // after the step
    std::uint32_t blocks_cached = 0;
    std::uint32_t blocks_active = 0;
    std::uint32_t blocks_shared = 0;
    std::uint32_t blocks_taken = 0;
    std::uint32_t blocks_released = 0;
    std::uint32_t blocks_evicted = 0;
    std::uint32_t prefix_queries = 0; // tokens looked up in this step
    std::uint32_t prefix_hits = 0;
    std::uint16_t running = 0;
    std::uint16_t waiting = 0;
    std::uint16_t preempted = 0;
    std::uint16_t num_lines = 0; // SequenceLines written for this step (first 256 sequences)
    std::array<std::uint16_t, 16> accepted_per_position{};
    std::uint32_t blocks_window_freed = 0; // left behind by windows that moved on; of blocks whose reference fell
    std::uint16_t graph_replays = 0; // parts of the step that ran as recorded graphs
    std::uint16_t graph_pad_rows = 0; // rows added to reach a recorded size
};

/// What one sequence did in one step, or what happened to it.
struct SequenceLine {
    std::uint64_t step = 0; // of the kinds 3 to 5: the step that was running or comes next
    std::uint64_t time_us = 0; // kinds 0 to 3: start of the step; 4, 5: when it happened, 5 being the submit
    std::uint64_t request = 0;
    std::uint32_t sequence = 0;
    std::uint32_t first_position = 0;
    std::uint32_t count = 0; // tokens planned
    std::uint32_t hit = 0; // tokens taken from the prefix cache when it was admitted in this step
    std::uint16_t accepted = 0; // of its drafts
    std::uint8_t kind = 0; // 0 prefill, 1 decode, 2 verify, 3 preempted, 4 finished, 5 submitted
    std::uint8_t finish = 0; // FinishReason, with kind 4
};

} // namespace vitrine::engine
