// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sample: from a request's parameters to the backend's sampling row.
#include "engine/sample/sampler_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr float kForbidden = -100; // <= -100: -inf, kernels/api/sampling.h
constexpr float kGreedyBelow = 1e-5F;

struct Range {
    const char* name;
    float value;
    float low;
    float high;
};

bool penalties_on(const SamplingParams& params) {
    return params.repetition_penalty != 1 || params.frequency_penalty != 0 || params.presence_penalty != 0;
}

std::vector<kernels::TokenBias> make_biases(const SamplingParams& params) {
    std::vector<kernels::TokenBias> biases;
    biases.reserve(params.logit_bias.size());
    for (const auto& [token, bias] : params.logit_bias)
        biases.push_back({.token = token, .bias = bias});
    return biases;
}

} // namespace

Result<void> check_sampling(const SamplingParams& params, int vocab_size) {
    constexpr float kAny = std::numeric_limits<float>::max();
    const Range ranges[] = {
        {"temperature", params.temperature, 0, 2},
        {"min_p", params.min_p, 0, 1},
        {"top_p", params.top_p, 0, 1},
        {"typical_p", params.typical_p, 0, 1},
        {"repetition_penalty", params.repetition_penalty, 1e-3F, kAny},
        {"frequency_penalty", params.frequency_penalty, -2, 2},
        {"presence_penalty", params.presence_penalty, -2, 2},
    };
    for (const Range& range : ranges) {
        if (std::isfinite(range.value) && range.value >= range.low && range.value <= range.high)
            continue;
        return fail(ErrorCode::invalid_argument,
            range.high == kAny
                ? say(Sentence::option_too_low, range.name, six_digits(range.value), six_digits(range.low))
                : say(Sentence::option_not_allowed, range.name, six_digits(range.value), six_digits(range.low),
                      six_digits(range.high)),
            say(Sentence::choose_inside_range, range.name));
    }
    for (const auto& [token, bias] : params.logit_bias) {
        if (token < 0 || token >= vocab_size)
            return fail(ErrorCode::invalid_argument,
                say(Sentence::bias_of_unknown_token, std::to_string(token), std::to_string(vocab_size - 1)),
                say(Sentence::remove_entry));
        if (!std::isfinite(bias))
            return fail(ErrorCode::invalid_argument, say(Sentence::bias_not_finite, std::to_string(token)),
                say(Sentence::use_bias_range));
    }
    return {};
}

SamplerState::SamplerState(SamplerOptions options, std::span<const TokenId> prompt)
    : options_(std::move(options)), counts_(penalties_on(options_.params), options_.params.repeat_last_n, prompt),
      grammar_(options_.grammar), biases_(make_biases(options_.params)) {
    if (options_.min_tokens <= 0)
        return;
    biases_before_min_ = biases_;
    for (const TokenId token : options_.end_tokens) {
        const auto same = std::ranges::find(biases_before_min_, token, &kernels::TokenBias::token);
        if (same != biases_before_min_.end())
            same->bias = kForbidden;
        else
            biases_before_min_.push_back({.token = token, .bias = kForbidden});
    }
}

void SamplerState::append(TokenId token) {
    counts_.append(token);
    grammar_.append(token);
    ++position_;
}

bool SamplerState::greedy() const noexcept {
    return options_.params.temperature < kGreedyBelow;
}

int SamplerState::max_drafts() const noexcept {
    if (position_ >= options_.min_tokens)
        return std::numeric_limits<int>::max();
    return options_.min_tokens - 1 - position_;
}

kernels::SamplingSequence SamplerState::row(std::int32_t logit_row, std::span<const TokenId> drafts,
    std::span<const std::uint32_t> allowed, int num_ahead) const {
    const int position = position_ + num_ahead;
    const SamplingParams& params = options_.params;
    kernels::SamplingSequence row;
    row.logit_row = logit_row;
    row.drafts = drafts;
    row.temperature = params.temperature;
    row.min_p = params.min_p;
    row.top_k = params.top_k;
    row.top_p = params.top_p;
    row.typical_p = params.typical_p;
    row.repetition_penalty = params.repetition_penalty;
    row.frequency_penalty = params.frequency_penalty;
    row.presence_penalty = params.presence_penalty;
    row.counts = counts_.counts();
    row.repeat_last_n = params.repeat_last_n;
    row.recent = counts_.recent();
    // A complete text that nothing can follow ends, even before min_tokens.
    row.biases =
        position < options_.min_tokens && !(grammar_.active() && grammar_.must_end()) ? biases_before_min_ : biases_;
    row.allowed = allowed;
    row.seed = options_.seed;
    row.choice = static_cast<std::uint32_t>(options_.choice);
    row.position = static_cast<std::uint32_t>(position);
    row.num_logprobs = options_.num_logprobs;
    return row;
}

} // namespace vitrine::engine
