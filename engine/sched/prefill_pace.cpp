// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: running means of what decoding and prompt tokens cost.
#include "engine/sched/prefill_pace.h"

#include <algorithm>

namespace vitrine::engine {
namespace {

constexpr double kWeight = 0.2; // of the newest step
constexpr int kFewRows = 16; // fewer prompt rows say little about one of them

void follow(double& mean, double value) {
    mean = mean == 0 ? value : mean + kWeight * (value - mean);
}

} // namespace

void PrefillPace::on_step(int prefill_rows, int decode_rows, double seconds) {
    if (seconds <= 0)
        return;
    // One step has one price to tell: that of prompt rows where they dominate, else that of decoding.
    const bool dominated = prefill_rows >= kFewRows && prefill_rows >= 4 * decode_rows;
    if (dominated && (decode_rows == 0 || decode_s_ > 0)) {
        const double decode_s = decode_rows > 0 ? std::min(decode_s_, seconds / 2) : 0;
        follow(token_s_, (seconds - decode_s) / prefill_rows);
    } else if (decode_rows > 0 && (prefill_rows == 0 || token_s_ > 0)) {
        follow(decode_s_, std::max(seconds - token_s_ * prefill_rows, seconds / 10));
    }
}

int PrefillPace::prefill_allowance(double ratio, int block_tokens) const {
    if (decode_s_ == 0 || token_s_ == 0)
        return 0;
    const double tokens = std::min((ratio - 1) * decode_s_ / token_s_, 1e6);
    return std::max(static_cast<int>(tokens) / block_tokens, 1) * block_tokens;
}

} // namespace vitrine::engine
