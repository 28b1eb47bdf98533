// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: an arrival trace for the scheduling laboratory (engine.md 8).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace vitrine::engine {

struct TraceRequest {
    std::string id;
    std::int64_t arrival_us = 0;
    int prompt = 0; // tokens
    int output = 0; // tokens, at least 1
};
struct PolicyTrace {
    std::int64_t tick_us = 50'000;
    int prefill_tokens_per_tick = 24;
    int slots = 3;
    double kv_mb_per_token = 0.25;
    std::vector<TraceRequest> requests; // by arrival
};

[[nodiscard]] PolicyTrace toy_trace();
/// {tick_s, prefill_tokens_per_tick, slots, kv_mb_per_token, requests[{id, arrival_s, prompt, output}]}.
/// `bad_file` names the field and the value.
[[nodiscard]] Result<PolicyTrace> parse_trace(std::string_view json);

} // namespace vitrine::engine
