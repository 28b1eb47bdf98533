// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/ref_sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "kernels/ref/exp_sum.h"
#include "kernels/ref/philox.h"
#include "kernels/ref/sampling_filters.h"

namespace vitrine::kernels {
namespace {

using Candidate = SamplingScratch::Candidate;

double gumbel(float uniform) {
    return -std::log(-std::log(static_cast<double>(uniform)));
}

/// An upper bound of gumbel(u) without a logarithm: -ln(-ln u) <= -ln(1 - u) <= ln 2 * ceil(-log2(1 - u)).
double gumbel_bound(std::uint32_t word) {
    const std::uint32_t complement = ((1U << 23) - (word >> 9)) * 2 - 1; // (1 - u) * 2^24, odd
    return std::numbers::ln2 * (25 - std::bit_width(complement));
}

/// Arg max of score + Gumbel noise, lowest id on ties: a draw with probability proportional to exp(score).
class GumbelDraw {
public:
    explicit GumbelDraw(const RandomStream& stream) : stream_(stream) {}

    void offer(std::int32_t token, double score) {
        if (score + kLargestGumbel < best_)
            return;
        const std::uint32_t word = word_of(token);
        if (score + gumbel_bound(word) < best_)
            return;
        const double noisy = score + gumbel(uniform_of_word(word));
        if (token_ < 0 || noisy > best_ || (noisy == best_ && token < token_)) {
            best_ = noisy;
            token_ = token;
        }
    }
    [[nodiscard]] double best() const noexcept { return best_; }
    [[nodiscard]] std::int32_t token() const noexcept { return token_; } // -1: nothing was offered

private:
    std::uint32_t word_of(std::int32_t token) {
        const std::uint32_t index = static_cast<std::uint32_t>(token) / 4;
        if (index != block_index_) {
            block_ = stream_.block(index);
            block_index_ = index;
        }
        return block_[static_cast<std::uint32_t>(token) % 4];
    }

    RandomStream stream_;
    PhiloxBlock block_{};
    std::uint32_t block_index_ = std::numeric_limits<std::uint32_t>::max();
    double best_ = -std::numeric_limits<double>::infinity();
    std::int32_t token_ = -1;
};

RandomStream stream_of(const SamplingSequence& sequence, std::int32_t row, RandomPurpose purpose) {
    return {sequence.seed, sequence.position + static_cast<std::uint32_t>(row), sequence.choice, purpose};
}

std::int32_t draw_kept(std::span<const Candidate> candidates, const RandomStream& stream) {
    GumbelDraw draw(stream);
    for (const Candidate& candidate : candidates)
        draw.offer(candidate.token, candidate.logit);
    return draw.token();
}

/// Draw over the whole row.  The noisy score of the arg max comes first, so that most tokens fall to one comparison.
std::int32_t draw_unfiltered(const PenalizedRow& row, float temperature, const RandomStream& stream) {
    GumbelDraw draw(stream);
    draw.offer(row.argmax, row.max / temperature);
    for (std::size_t token = 0; token < row.logits.size(); ++token) {
        const float logit = row.logits[token] / temperature;
        if (logit + kLargestGumbel >= draw.best()) // false for NaN
            draw.offer(static_cast<std::int32_t>(token), logit);
    }
    return draw.token();
}

std::int32_t choose_token(
    const PenalizedRow& row, const SamplingSequence& sequence, const RandomStream& stream, SamplingScratch& scratch) {
    if (row.argmax < 0 || sequence.temperature < kGreedyTemperature)
        return row.argmax;
    if (filters_are_off(sequence, row.logits.size()))
        return draw_unfiltered(row, sequence.temperature, stream);
    static_cast<void>(keep_candidates(row, sequence, scratch));
    return draw_kept(scratch.candidates, stream);
}

double probability_of(std::int32_t token, const KeptSet& kept, std::span<const Candidate> candidates) {
    for (const Candidate& candidate : candidates) {
        if (candidate.token == token)
            return std::exp(static_cast<double>(candidate.logit) - kept.max) / kept.total;
    }
    return 0;
}

/// The distribution a draft was drawn from: a row of draft_probs, or all mass on the draft.
class DraftDistribution {
public:
    DraftDistribution(const SamplingSequence& sequence, std::int32_t row, std::size_t vocab)
        : draft_(sequence.drafts[static_cast<std::size_t>(row)]) {
        if (!sequence.draft_probs.empty())
            probs_ = sequence.draft_probs.subspan(static_cast<std::size_t>(row) * vocab, vocab);
    }
    [[nodiscard]] double operator()(std::int32_t token) const {
        if (probs_.empty())
            return token == draft_ ? 1 : 0;
        const bool known = token >= 0 && static_cast<std::size_t>(token) < probs_.size();
        return known ? static_cast<double>(probs_[static_cast<std::size_t>(token)]) : 0;
    }

private:
    std::int32_t draft_;
    std::span<const float> probs_;
};

/// Draw from max(0, p - q), from p where nothing is left.
std::int32_t draw_residual(const KeptSet& kept, std::span<const Candidate> candidates, const DraftDistribution& q,
    const RandomStream& stream) {
    GumbelDraw draw(stream);
    for (const Candidate& candidate : candidates) {
        const double p = std::exp(static_cast<double>(candidate.logit) - kept.max) / kept.total;
        const double rest = p - q(candidate.token);
        if (rest > 0)
            draw.offer(candidate.token, std::log(rest));
    }
    return draw.token() >= 0 ? draw.token() : draw_kept(candidates, stream);
}

/// Judges draft `row`: nothing when it is accepted, else the token that takes its place (-1: no legal token).
std::optional<std::int32_t> replacement_of_draft(
    const PenalizedRow& penalized, const SamplingSequence& sequence, std::int32_t row, SamplingScratch& scratch) {
    const std::int32_t draft = sequence.drafts[static_cast<std::size_t>(row)];
    if (penalized.argmax < 0 || sequence.temperature < kGreedyTemperature) {
        if (penalized.argmax == draft && draft >= 0)
            return std::nullopt;
        return penalized.argmax;
    }
    const KeptSet kept = keep_candidates(penalized, sequence, scratch);
    const DraftDistribution q(sequence, row, penalized.logits.size());
    const double p = probability_of(draft, kept, scratch.candidates);
    const std::uint32_t word = stream_of(sequence, row, RandomPurpose::accept).block(0)[0];
    if (p > 0 && static_cast<double>(uniform_of_word(word)) * q(draft) < p)
        return std::nullopt;
    return draw_residual(kept, scratch.candidates, q, stream_of(sequence, row, RandomPurpose::residual));
}

void emit(SamplingOutcome& outcome, std::span<const float> raw, std::int32_t token, std::int32_t num_logprobs) {
    if (num_logprobs >= 0)
        outcome.tokens.push_back(logprobs_of(raw, token, num_logprobs));
    else
        outcome.tokens.push_back({token, 0, {}});
}

} // namespace

SampledToken logprobs_of(std::span<const float> logits, std::int32_t token, std::int32_t num_top) {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    float max = kNone;
    for (const float logit : logits)
        max = logit > max ? logit : max;
    double total = 0;
    if (std::isinf(max)) // +inf takes all; all -inf: nothing
        total = max > 0 ? static_cast<double>(std::count(logits.begin(), logits.end(), max)) : 0;
    else
        total = sum_of_exp(logits, 1, max);
    const double log_total = std::log(total);
    const auto logprob = [&](float logit) -> float {
        if (!(logit > kNone))
            return kNone;
        if (std::isinf(max))
            return logit == max ? static_cast<float>(-log_total) : kNone;
        return static_cast<float>(static_cast<double>(logit) - max - log_total);
    };
    SampledToken result{token, kNone, {}};
    if (token >= 0 && static_cast<std::size_t>(token) < logits.size())
        result.logprob = logprob(logits[static_cast<std::size_t>(token)]);
    if (num_top <= 0)
        return result;
    std::vector<Candidate> best;
    collect_top_k(logits, 1, std::min(static_cast<std::size_t>(num_top), logits.size()), best);
    std::sort(best.begin(), best.end(), [](const Candidate& a, const Candidate& b) {
        return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
    });
    for (const Candidate& candidate : best)
        result.top.push_back({candidate.token, logprob(candidate.logit)});
    return result;
}

SamplingOutcome sample_sequence(
    std::span<const float> logits, std::int64_t vocab, const SamplingSequence& sequence, SamplingScratch& scratch) {
    const auto width = static_cast<std::size_t>(vocab);
    const auto num_drafts = static_cast<std::int32_t>(sequence.drafts.size());
    const auto raw_row = [&](std::int32_t row) { return logits.subspan(static_cast<std::size_t>(row) * width, width); };
    SamplingOutcome outcome;
    for (std::int32_t row = 0; row < num_drafts; ++row) {
        const PenalizedRow penalized = penalize_row(raw_row(row), sequence, row, scratch);
        if (const auto other = replacement_of_draft(penalized, sequence, row, scratch)) {
            emit(outcome, raw_row(row), *other, sequence.num_logprobs);
            return outcome;
        }
        emit(outcome, raw_row(row), sequence.drafts[static_cast<std::size_t>(row)], sequence.num_logprobs);
        ++outcome.num_accepted;
    }
    const PenalizedRow last = penalize_row(raw_row(num_drafts), sequence, num_drafts, scratch);
    const RandomStream stream = stream_of(sequence, num_drafts, RandomPurpose::draw);
    emit(outcome, raw_row(num_drafts), choose_token(last, sequence, stream, scratch), sequence.num_logprobs);
    return outcome;
}

SamplingOutcome sample_sequence(std::span<const float> logits, std::int64_t vocab, const SamplingSequence& sequence) {
    SamplingScratch scratch;
    return sample_sequence(logits, vocab, sequence, scratch);
}

void filtered_probabilities(std::span<const float> logits, const SamplingSequence& sequence, std::int32_t row,
    SamplingScratch& scratch, std::span<float> probs) {
    std::fill(probs.begin(), probs.end(), 0.0F);
    const PenalizedRow penalized = penalize_row(logits, sequence, row, scratch);
    if (penalized.argmax < 0)
        return;
    if (sequence.temperature < kGreedyTemperature) {
        probs[static_cast<std::size_t>(penalized.argmax)] = 1;
        return;
    }
    const KeptSet kept = keep_candidates(penalized, sequence, scratch);
    for (const Candidate& candidate : scratch.candidates) {
        const double p = std::exp(static_cast<double>(candidate.logit) - kept.max) / kept.total;
        probs[static_cast<std::size_t>(candidate.token)] = static_cast<float>(p);
    }
}

std::int32_t draft_token(std::span<const float> logits, const SamplingSequence& sequence, std::int32_t row,
    SamplingScratch& scratch, std::span<float> probs) {
    filtered_probabilities(logits, sequence, row, scratch, probs);
    const PenalizedRow penalized = penalize_row(logits, sequence, row, scratch);
    return choose_token(penalized, sequence, stream_of(sequence, row, RandomPurpose::draft), scratch);
}

} // namespace vitrine::kernels
