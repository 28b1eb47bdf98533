// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: the toy trace and the reader of trace files.
#include "engine/lab/policy_trace.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/lab/json_input.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxRequests = 100'000;
constexpr double kMaxTicks = 1e6; // a longer trace is a mistake in the units
constexpr double kMaxWork = 2e8; // ticks x places: seconds of simulation
constexpr int kMaxTokens = 10'000'000;

tl::unexpected<Error> bad(std::string message) {
    return fail(ErrorCode::bad_file, "the trace: " + std::move(message),
        "a trace is {tick_s, prefill_tokens_per_tick, slots, kv_mb_per_token, requests[{id, arrival_s, prompt, "
        "output}]}");
}

/// A number inside [low, high]; absent: the default, or an error if there is none.
Result<double> number(const Json& object, const char* key, double low, double high, std::optional<double> fallback) {
    const auto found = object.find(key);
    if (found == object.end()) {
        if (fallback)
            return *fallback;
        return bad(fmt::format("{} is missing", key));
    }
    if (!found->is_number())
        return bad(fmt::format("{} is {}, a number is needed", key, brief(*found)));
    const double value = found->get<double>();
    if (!(value >= low && value <= high))
        return bad(fmt::format("{} is {:g}, allowed is {:g} to {:g}", key, value, low, high));
    return value;
}

Result<int> whole(const Json& object, const char* key, std::optional<double> fallback) {
    const Result<double> value = number(object, key, 1, kMaxTokens, fallback);
    if (!value)
        return tl::unexpected(value.error());
    if (*value != std::floor(*value))
        return bad(fmt::format("{} is {:g}, a whole number is needed", key, *value));
    return static_cast<int>(*value);
}

Result<TraceRequest> parse_request(const Json& json, std::size_t index) {
    if (!json.is_object())
        return bad(fmt::format("request {} is not an object", index + 1));
    TraceRequest request;
    const auto id = json.find("id");
    request.id = id != json.end() && id->is_string() ? id->get<std::string>() : fmt::format("R{:02}", index + 1);
    const Result<double> arrival = number(json, "arrival_s", 0, 1e6, std::nullopt);
    VT_TRY(arrival);
    const Result<int> prompt = whole(json, "prompt", std::nullopt);
    VT_TRY(prompt);
    const Result<int> output = whole(json, "output", std::nullopt);
    VT_TRY(output);
    request.arrival_us = std::llround(*arrival * 1e6);
    request.prompt = *prompt;
    request.output = *output;
    return request;
}

Result<void> check_length(const PolicyTrace& trace) {
    double ticks = 0;
    for (const TraceRequest& request : trace.requests)
        ticks += static_cast<double>(request.prompt) / trace.prefill_tokens_per_tick + request.output + 1;
    ticks += static_cast<double>(trace.requests.back().arrival_us) / static_cast<double>(trace.tick_us);
    if (ticks > kMaxTicks)
        return bad(fmt::format("it could take {:.0f} ticks, at most {:.0f} are simulated", ticks, kMaxTicks));
    const double places = std::min(static_cast<double>(trace.slots), static_cast<double>(trace.requests.size()));
    if (ticks * places > kMaxWork)
        return bad(fmt::format("it could take {:.0f} ticks with {:.0f} places, at most {:.0f} in all are simulated",
            ticks, places, kMaxWork));
    return {};
}

Result<PolicyTrace> parse_head(const Json& json) {
    PolicyTrace trace;
    const Result<double> tick = number(json, "tick_s", 1e-6, 1e3, static_cast<double>(trace.tick_us) / 1e6);
    VT_TRY(tick);
    const Result<int> prefill = whole(json, "prefill_tokens_per_tick", trace.prefill_tokens_per_tick);
    VT_TRY(prefill);
    const Result<int> slots = whole(json, "slots", trace.slots);
    VT_TRY(slots);
    const Result<double> kv = number(json, "kv_mb_per_token", 0, 1e6, trace.kv_mb_per_token);
    VT_TRY(kv);
    trace.tick_us = std::llround(*tick * 1e6);
    trace.prefill_tokens_per_tick = *prefill;
    trace.slots = *slots;
    trace.kv_mb_per_token = *kv;
    return trace;
}

} // namespace

PolicyTrace toy_trace() {
    PolicyTrace trace;
    trace.requests = {{"R01", 0, 18, 12}, {"R02", 100'000, 6, 2}, {"R03", 220'000, 5, 3}, {"R04", 380'000, 7, 2}};
    return trace;
}

Result<PolicyTrace> parse_trace(std::string_view text) {
    const Result<Json> parsed = parse_json(text);
    if (!parsed)
        return bad(parsed.error().message);
    const Json& json = *parsed;
    if (!json.is_object())
        return bad("it is not a JSON object");
    Result<PolicyTrace> trace = parse_head(json);
    if (!trace)
        return trace;
    const auto requests = json.find("requests");
    if (requests == json.end() || !requests->is_array() || requests->empty())
        return bad("requests is not an array with at least one request");
    if (requests->size() > kMaxRequests)
        return bad(fmt::format("it has {} requests, at most {} are taken", requests->size(), kMaxRequests));
    for (std::size_t i = 0; i < requests->size(); ++i) {
        Result<TraceRequest> request = parse_request((*requests)[i], i);
        if (!request)
            return tl::unexpected(std::move(request).error());
        trace->requests.push_back(std::move(*request));
    }
    std::ranges::stable_sort(trace->requests, {}, &TraceRequest::arrival_us);
    VT_TRY(check_length(*trace));
    return trace;
}

} // namespace vitrine::engine
