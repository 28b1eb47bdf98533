// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: one sentence that says what the tokens wait for.
#pragma once

#include <string>

#include "engine/api/snapshot.h"

namespace vitrine::engine {

/// What snapshot values alone do not say.
struct SlowFacts {
    std::uint64_t preemptions_last_10s = 0;
    double prefill_share = 0; // of the rows of the last 10 s
    double schedule_share = 0; // of step time outside forward and sample
    int prefill_backlog_tokens = 0; // prompt tokens not computed, all unfinished sequences
    int decoding = 0; // sequences in decode
    bool gpu_wanted_but_absent = false;
    std::string device_reason; // with gpu_wanted_but_absent
};

/// The strongest cause first: too few blocks, places, prefill beside decode, many sharing, no GPU.  Empty: nothing slows.
[[nodiscard]] std::string slow_reason(const Snapshot& snapshot, const SlowFacts& facts, int max_seqs);

} // namespace vitrine::engine
