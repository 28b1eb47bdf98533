// SPDX-License-Identifier: GPL-3.0-or-later
// No stage sorts the vocabulary: heads of the sorted order are found by selection, which is linear.
#include "kernels/ref/sampling_filters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/ref/exp_sum.h"

namespace vitrine::kernels {
namespace {

using Candidate = SamplingScratch::Candidate;
using Ranked = SamplingScratch::Ranked;

constexpr float kNegativeInfinity = -std::numeric_limits<float>::infinity();
constexpr float kForbiddenBias = -100;
constexpr float kForcedBias = 100;

bool in_range(std::int32_t token, std::size_t vocab) {
    return token >= 0 && static_cast<std::size_t>(token) < vocab;
}

bool higher(const Candidate& a, const Candidate& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
}

bool nearer(const Ranked& a, const Ranked& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.candidate.token < b.candidate.token;
}

/// Length of the shortest head of the order `less` whose mass reaches `target`; at least one.  Reorders the range so that
/// the head comes first.  Linear: each round halves what is left.
template <class Item, class Mass, class Less>
std::size_t shortest_head(std::span<Item> items, double target, Mass mass, Less less) {
    std::size_t low = 0;
    std::size_t high = items.size();
    double reached = 0;
    const auto at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        std::nth_element(at(low), at(middle), at(high), less);
        double part = 0;
        for (std::size_t i = low; i < middle; ++i)
            part += mass(items[i]);
        if (reached + part >= target) {
            high = middle;
        } else {
            reached += part;
            low = middle;
        }
    }
    return low + 1;
}

void apply_biases(std::span<float> logits, std::span<const TokenBias> biases) {
    for (const TokenBias& entry : biases) {
        if (!in_range(entry.token, logits.size()))
            continue;
        float& logit = logits[static_cast<std::size_t>(entry.token)];
        logit = entry.bias <= kForbiddenBias ? kNegativeInfinity : logit + entry.bias;
    }
}

void apply_mask(std::span<float> logits, std::span<const std::uint32_t> allowed) {
    for (std::size_t token = 0; token < logits.size(); ++token) {
        if (((allowed[token / 32] >> (token % 32)) & 1U) == 0)
            logits[token] = kNegativeInfinity;
    }
}

/// Forced tokens push all others out, unless none of them is legal in this row.
void apply_forced(std::span<float> logits, std::span<const TokenBias> biases) {
    std::vector<Candidate> forced;
    for (const TokenBias& entry : biases) {
        if (entry.bias < kForcedBias || !in_range(entry.token, logits.size()))
            continue;
        const float logit = logits[static_cast<std::size_t>(entry.token)];
        if (logit > kNegativeInfinity)
            forced.push_back({logit, entry.token});
    }
    if (forced.empty())
        return;
    std::fill(logits.begin(), logits.end(), kNegativeInfinity);
    for (const Candidate& candidate : forced)
        logits[static_cast<std::size_t>(candidate.token)] = candidate.logit;
}

TokenCount& count_of(std::vector<TokenCount>& counts, std::int32_t token) {
    const auto found =
        std::find_if(counts.begin(), counts.end(), [token](const TokenCount& entry) { return entry.token == token; });
    if (found != counts.end())
        return *found;
    return counts.emplace_back(TokenCount{token, 0, false});
}

void apply_penalties(std::span<float> logits, const SamplingSequence& sequence, std::span<const TokenCount> counts) {
    for (const TokenCount& entry : counts) {
        if (!in_range(entry.token, logits.size()))
            continue;
        float& logit = logits[static_cast<std::size_t>(entry.token)];
        if (entry.repeat && sequence.repetition_penalty != 1)
            logit = logit > 0 ? logit / sequence.repetition_penalty : logit * sequence.repetition_penalty;
        if (entry.output_count > 0) {
            logit -= sequence.frequency_penalty * static_cast<float>(entry.output_count);
            logit -= sequence.presence_penalty;
        }
    }
}

bool changes_logits(const SamplingSequence& sequence) {
    return !sequence.biases.empty() || !sequence.allowed.empty() || sequence.repetition_penalty != 1 ||
        sequence.frequency_penalty != 0 || sequence.presence_penalty != 0;
}

PenalizedRow with_argmax(std::span<const float> logits) {
    PenalizedRow row{logits, kNegativeInfinity, -1};
    for (std::size_t token = 0; token < logits.size(); ++token) {
        if (logits[token] > row.max) { // false for NaN
            row.max = logits[token];
            row.argmax = static_cast<std::int32_t>(token);
        }
    }
    return row;
}

/// A logit of +inf wins: those ids share the mass, all others are out.  Keeps inf - inf out of the softmax.
PenalizedRow only_infinite(const PenalizedRow& row, std::vector<float>& storage) {
    std::vector<float> flags(row.logits.size());
    std::transform(row.logits.begin(), row.logits.end(), flags.begin(),
        [&row](float logit) { return logit == row.max ? 0.0F : kNegativeInfinity; });
    storage = std::move(flags);
    return {storage, 0, row.argmax};
}

void collect_from(std::span<const float> logits, float temperature, float threshold, std::vector<Candidate>& out) {
    out.clear();
    for (std::size_t token = 0; token < logits.size(); ++token) {
        const float logit = logits[token] / temperature;
        if (logit >= threshold && logit > kNegativeInfinity)
            out.push_back({logit, static_cast<std::int32_t>(token)});
    }
}

double total_mass(std::span<const Candidate> candidates, float max) {
    double total = 0;
    for (const Candidate& candidate : candidates)
        total += std::exp(static_cast<double>(candidate.logit) - max);
    return total;
}

void apply_min_p(std::vector<Candidate>& candidates, float max, float min_p, std::int32_t argmax) {
    if (min_p <= 0)
        return;
    std::erase_if(candidates, [&](const Candidate& candidate) {
        if (min_p > 1)
            return candidate.token != argmax;
        return std::exp(static_cast<double>(candidate.logit) - max) < static_cast<double>(min_p);
    });
}

void apply_top_p(std::vector<Candidate>& candidates, float max, double target) {
    const auto mass = [max](
                          const Candidate& candidate) { return std::exp(static_cast<double>(candidate.logit) - max); };
    candidates.resize(shortest_head(std::span(candidates), target, mass, higher));
}

void apply_typical_p(SamplingScratch& scratch, float max, double total, float typical_p) {
    const double log_total = std::log(total);
    const auto surprise = [&](const Candidate& candidate) {
        return log_total - (static_cast<double>(candidate.logit) - max); // -ln p
    };
    double entropy = 0;
    for (const Candidate& candidate : scratch.candidates) {
        const double bits = surprise(candidate);
        entropy += std::exp(-bits) * bits;
    }
    scratch.ranked.clear();
    for (const Candidate& candidate : scratch.candidates)
        scratch.ranked.push_back({std::abs(surprise(candidate) - entropy), candidate});
    const auto mass = [&](const Ranked& entry) { return std::exp(-surprise(entry.candidate)); };
    const std::size_t kept = shortest_head(std::span(scratch.ranked), static_cast<double>(typical_p), mass, nearer);
    scratch.candidates.clear();
    for (std::size_t i = 0; i < kept; ++i)
        scratch.candidates.push_back(scratch.ranked[i].candidate);
}

/// Candidates of a row that only top-p filters: those near the maximum whose mass reaches `top_p`, or all.  Returns the mass
/// of the whole row, to 2e-7: close to 1, where the tail counts token by token, every exponential is computed instead.
double collect_for_top_p(const PenalizedRow& row, float temperature, float max, float top_p, SamplingScratch& scratch) {
    constexpr float kTailCounts = 0.999F;
    if (top_p <= kTailCounts) {
        const double total = sum_of_exp(row.logits, temperature, max);
        for (const float near : {3.0F, 6.0F, 12.0F}) {
            collect_from(row.logits, temperature, max - near, scratch.candidates);
            if (total_mass(scratch.candidates, max) >= static_cast<double>(top_p) * total)
                return total;
        }
    }
    collect_from(row.logits, temperature, kNegativeInfinity, scratch.candidates);
    return total_mass(scratch.candidates, max);
}

} // namespace

std::span<const TokenCount> counts_with_drafts(
    const SamplingSequence& sequence, std::int32_t num_drafts, std::vector<TokenCount>& merged) {
    if (num_drafts == 0)
        return sequence.counts;
    const auto drafts = sequence.drafts.first(static_cast<std::size_t>(num_drafts));
    merged.assign(sequence.counts.begin(), sequence.counts.end());
    for (const std::int32_t draft : drafts)
        ++count_of(merged, draft).output_count;
    if (sequence.repeat_last_n < 0) {
        for (const std::int32_t draft : drafts)
            count_of(merged, draft).repeat = true;
        return merged;
    }
    for (TokenCount& entry : merged)
        entry.repeat = false;
    const auto window = static_cast<std::size_t>(sequence.repeat_last_n);
    const std::size_t num_new = std::min(drafts.size(), window);
    const std::size_t num_old = std::min(sequence.recent.size(), window - num_new);
    for (const std::int32_t token : sequence.recent.last(num_old))
        count_of(merged, token).repeat = true;
    for (const std::int32_t token : drafts.last(num_new))
        count_of(merged, token).repeat = true;
    return merged;
}

PenalizedRow penalize_row(
    std::span<const float> logits, const SamplingSequence& sequence, std::int32_t row, SamplingScratch& scratch) {
    std::span<const float> changed = logits;
    if (changes_logits(sequence)) {
        scratch.logits.assign(logits.begin(), logits.end());
        const std::span<float> target(scratch.logits);
        apply_biases(target, sequence.biases);
        if (!sequence.allowed.empty()) {
            const std::size_t words = (logits.size() + 31) / 32;
            apply_mask(target, sequence.allowed.subspan(static_cast<std::size_t>(row) * words, words));
        }
        apply_forced(target, sequence.biases);
        apply_penalties(target, sequence, counts_with_drafts(sequence, row, scratch.counts));
        changed = target;
    }
    const PenalizedRow result = with_argmax(changed);
    return std::isinf(result.max) && result.max > 0 ? only_infinite(result, scratch.logits) : result;
}

bool filters_are_off(const SamplingSequence& sequence, std::size_t vocab) noexcept {
    const bool top_k_off = sequence.top_k <= 0 || static_cast<std::size_t>(sequence.top_k) >= vocab;
    return sequence.min_p <= 0 && top_k_off && sequence.top_p >= 1 && sequence.typical_p >= 1;
}

void collect_top_k(
    std::span<const float> logits, float temperature, std::size_t k, std::vector<Candidate>& candidates) {
    candidates.clear();
    if (k == 0)
        return;
    // A buffer of twice k is cut back to k whenever it is full; from then on only what beats its lowest enters.  Tokens
    // come in ascending order, so an equal logit loses against the ids already kept.
    const std::size_t room = 2 * k + 64;
    float threshold = kNegativeInfinity;
    const auto kth = [&] { return candidates.begin() + static_cast<std::ptrdiff_t>(k); };
    for (std::size_t token = 0; token < logits.size(); ++token) {
        const float logit = logits[token] / temperature;
        if (!(logit > threshold))
            continue;
        candidates.push_back({logit, static_cast<std::int32_t>(token)});
        if (candidates.size() == room) {
            std::nth_element(candidates.begin(), kth() - 1, candidates.end(), higher);
            candidates.resize(k);
            threshold = candidates.back().logit;
        }
    }
    if (candidates.size() > k) {
        std::nth_element(candidates.begin(), kth() - 1, candidates.end(), higher);
        candidates.resize(k);
    }
}

KeptSet keep_candidates(const PenalizedRow& row, const SamplingSequence& sequence, SamplingScratch& scratch) {
    const float temperature = sequence.temperature;
    const float max = row.max / temperature;
    std::vector<Candidate>& candidates = scratch.candidates;
    const bool use_top_k = sequence.top_k > 0 && static_cast<std::size_t>(sequence.top_k) < row.logits.size();
    const bool use_top_p = sequence.top_p < 1;
    double total = 0;
    // Min-p and top-k both keep a head of the same order, so the smaller set may be collected first.
    if (use_top_k) {
        collect_top_k(row.logits, temperature, static_cast<std::size_t>(sequence.top_k), candidates);
    } else if (sequence.min_p > 0) {
        const float margin = std::log(std::min(sequence.min_p, 1.0F)) - 0.01F; // the exact test follows
        collect_from(row.logits, temperature, max + margin, candidates);
    } else if (use_top_p) {
        total = collect_for_top_p(row, temperature, max, sequence.top_p, scratch);
    } else {
        collect_from(row.logits, temperature, kNegativeInfinity, candidates);
    }
    apply_min_p(candidates, max, sequence.min_p, row.argmax);
    if (use_top_p) {
        if (use_top_k || sequence.min_p > 0)
            total = total_mass(candidates, max);
        apply_top_p(candidates, max, static_cast<double>(sequence.top_p) * total);
    }
    total = total_mass(candidates, max);
    if (sequence.typical_p < 1) {
        apply_typical_p(scratch, max, total, sequence.typical_p);
        total = total_mass(candidates, max);
    }
    return {max, total};
}

} // namespace vitrine::kernels
