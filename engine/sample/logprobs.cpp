// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sample: logprobs for clients, and scores of given tokens.
#include "engine/sample/logprobs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/base/check.h"

namespace vitrine::engine {
namespace {

float clean(float logit) {
    return std::isnan(logit) ? -std::numeric_limits<float>::infinity() : logit;
}

/// ln of the sum of exp, shifted by the maximum.
double log_sum_exp(std::span<const float> row) {
    float highest = -std::numeric_limits<float>::infinity();
    for (const float logit : row)
        highest = std::max(highest, clean(logit));
    if (!std::isfinite(highest))
        return highest;
    double sum = 0;
    for (const float logit : row)
        sum += std::exp(static_cast<double>(clean(logit)) - highest);
    return highest + std::log(sum);
}

float log_prob(float logit, double norm) {
    if (!std::isfinite(norm)) // all -inf, or a +inf that wins
        return logit == norm && norm > 0 ? 0.0F : -std::numeric_limits<float>::infinity();
    return static_cast<float>(static_cast<double>(clean(logit)) - norm);
}

std::vector<kernels::TokenLogprob> top_of(std::span<const float> row, double norm, int num_top) {
    std::vector<std::int32_t> ids(row.size());
    std::iota(ids.begin(), ids.end(), 0);
    const auto count = std::min(static_cast<std::size_t>(std::max(num_top, 0)), ids.size());
    const auto before = [&](std::int32_t a, std::int32_t b) {
        const float left = clean(row[static_cast<std::size_t>(a)]);
        const float right = clean(row[static_cast<std::size_t>(b)]);
        return left != right ? left > right : a < b;
    };
    std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(), before);
    std::vector<kernels::TokenLogprob> top;
    for (std::size_t i = 0; i < count; ++i)
        top.push_back({ids[i], log_prob(row[static_cast<std::size_t>(ids[i])], norm)});
    return top;
}

} // namespace

TokenLogprobs make_logprobs(const kernels::SampledToken& sampled, int num_top, bool from_draft,
    const std::function<std::string(TokenId)>& bytes_of) {
    TokenLogprobs logprobs;
    logprobs.token = sampled.token;
    logprobs.bytes = bytes_of(sampled.token);
    logprobs.logprob = sampled.logprob;
    logprobs.from_draft = from_draft;
    const auto count = std::min(sampled.top.size(), static_cast<std::size_t>(std::max(num_top, 0)));
    for (std::size_t i = 0; i < count; ++i) {
        logprobs.top.emplace_back(sampled.top[i].token, sampled.top[i].logprob);
        logprobs.top_bytes.push_back(bytes_of(sampled.top[i].token));
    }
    return logprobs;
}

std::vector<kernels::SampledToken> score_tokens(
    std::span<const float> logits, int vocab_size, std::span<const TokenId> tokens, int num_top) {
    const auto width = static_cast<std::size_t>(vocab_size);
    VT_CHECK(logits.size() >= tokens.size() * width);
    std::vector<kernels::SampledToken> scored;
    scored.reserve(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::span<const float> row = logits.subspan(i * width, width);
        const double norm = log_sum_exp(row);
        kernels::SampledToken token;
        token.token = tokens[i];
        token.logprob = log_prob(row[static_cast<std::size_t>(tokens[i])], norm);
        token.top = top_of(row, norm, num_top);
        scored.push_back(std::move(token));
    }
    return scored;
}

} // namespace vitrine::engine
