// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: requests that arrive by the clock, and what became of each of them.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/api/engine.h"
#include "engine/base/clock.h"

namespace vitrine::engine {

struct TimedRequest {
    std::chrono::microseconds arrival{0}; // after the start of the load
    std::optional<std::chrono::microseconds> cancel_after; // its arrival
    Request request;
};

struct RequestOutcome {
    std::optional<Error> rejected;
    std::vector<std::vector<TokenId>> ids; // by choice
    std::vector<Finished> finished; // by choice, in order of their end
    std::vector<TokenLogprobs> prompt_logprobs;
    double ttft_s = 0; // first token of any choice - scheduled arrival
    double end_s = 0; // last event, after the start of the load
    std::vector<double> token_times_s; // of the first choice's tokens, after the start of the load
    [[nodiscard]] int num_tokens() const {
        std::size_t count = 0;
        for (const auto& choice : ids)
            count += choice.size();
        return static_cast<int>(count);
    }
};

/// Submits each request at its time and waits for all.  `stop` cancels what runs; then the error is `cancelled`.
/// Blocks; thread: any but the engine's.
[[nodiscard]] Result<std::vector<RequestOutcome>> run_load(
    Engine& engine, std::span<const TimedRequest> load, const std::stop_token& stop);

/// One request a line: {"prompt" or "ids" or "messages", "arrival_s", "cancel_after_s", "max_tokens", "priority",
/// "temperature", "seed", "n", "ignore_eos"}, or a string.  `bad_file` names the line, the field and the value.
[[nodiscard]] Result<std::vector<TimedRequest>> parse_workload(std::string_view jsonl);

} // namespace vitrine::engine
