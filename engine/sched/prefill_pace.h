// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: how many prompt tokens may ride along before a decoding stream stutters (engine.md 2.4).
#pragma once

namespace vitrine::engine {

/// Model of a step's time: decode + prefill_rows * token.  Both are running means, so they follow the batch and the device.
/// Thread: engine.
class PrefillPace {
public:
    void on_step(int prefill_rows, int decode_rows, double seconds);
    /// Prompt tokens, a multiple of `block_tokens` and at least one block, that keep a step with decoding sequences within
    /// `ratio` times a step without prompts.  0: not known yet, no limit.
    [[nodiscard]] int prefill_allowance(double ratio, int block_tokens) const;

private:
    double decode_s_ = 0; // 0: not seen yet
    double token_s_ = 0;
};

} // namespace vitrine::engine
