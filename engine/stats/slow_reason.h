// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: one sentence that says what the tokens wait for.
#pragma once

#include <string>

#include "engine/api/snapshot.h"

namespace vitrine::engine {

/// What the rest of the snapshot does not say; over the last 10 s.
struct SlowFacts {
    int preemptions = 0;
    double prefill_share = 0; // of all rows
    double overhead_share = 0; // of step time: outside forward and sample
};

struct SlowReason {
    SlowCause cause = SlowCause::none;
    SlowFigures figures{};
    std::string text; // one sentence; empty with none
};
/// The strongest cause first: too few blocks, places, a prompt read again, prefill beside decode, overhead, no GPU, many
/// that share.  Empty: nothing slows.  Uses every field of the snapshot but slow_*.
[[nodiscard]] SlowReason slow_reason(const Snapshot& snapshot, const SlowFacts& facts);

} // namespace vitrine::engine
