// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: engine.md 4.2, 5.2 and 5.3 (numpy and Random123).
#include "kernels/ref/ref_sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/ref/exp_sum.h"
#include "kernels/ref/philox.h"

namespace vitrine::kernels {
namespace {

using ::testing::ElementsAre;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> log_of(const std::vector<double>& probs) {
    std::vector<float> logits;
    for (const double p : probs)
        logits.push_back(static_cast<float>(std::log(p)));
    return logits;
}

std::vector<float> example_logits() {
    return log_of({.10, .40, .04, .25, .15, .06});
}

std::vector<float> probabilities(const std::vector<float>& logits, const SamplingSequence& sequence) {
    SamplingScratch scratch;
    std::vector<float> probs(logits.size());
    filtered_probabilities(logits, sequence, 0, scratch, probs);
    return probs;
}

void expect_probs(const SamplingSequence& sequence, const std::vector<double>& expected) {
    const std::vector<float> probs = probabilities(example_logits(), sequence);
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(probs[i], expected[i], 1e-6) << "id " << i;
}

std::int32_t sampled_token(const std::vector<float>& logits, const SamplingSequence& sequence) {
    return sample_sequence(logits, static_cast<std::int64_t>(logits.size()), sequence).tokens.back().token;
}

/// Pearson's statistic of counts against probabilities; every expectation must be positive or its count zero.
double chi_square(const std::vector<int>& counts, const std::vector<double>& probs) {
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (probs[i] == 0) {
            EXPECT_EQ(counts[i], 0) << "id " << i << " is outside the support";
            continue;
        }
        const double expected = probs[i] * total;
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return sum;
}

} // namespace

TEST(Philox, GivesThePublishedVectors) {
    EXPECT_THAT(philox4x32_10({0, 0, 0, 0}, {0, 0}), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
    constexpr std::uint32_t kOnes = 0xFFFFFFFF;
    EXPECT_THAT(philox4x32_10({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
        ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
    EXPECT_THAT(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
        ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(Philox, StreamsUseSeedPositionChoiceAndPurpose) {
    const RandomStream plain{42, 0, 0, RandomPurpose::draw};
    EXPECT_THAT(plain.block(0), ElementsAre(0x9ceaf053, 0x77f5493b, 0x12bf50ad, 0x5742b3d7));
    EXPECT_NEAR(uniform_of_word(plain.block(0)[0]), .612959921, 1e-7);
    EXPECT_NEAR(uniform_of_word(plain.block(0)[3]), .340861499, 1e-7);
    const RandomStream other{(1ULL << 32) + 7, 5, 1, RandomPurpose::draw};
    EXPECT_THAT(other.block(1), ElementsAre(0xd6486224, 0x37eb9a6a, 0xe3968229, 0xecf4ab5d));
    const RandomStream accept{42, 0, 0, RandomPurpose::accept};
    EXPECT_EQ(accept.block(0)[0], 0x20439b04U);
    EXPECT_NEAR(uniform_of_word(accept.block(0)[0]), .126031578, 1e-7);
}

TEST(Sampling, TemperatureReshapesTheDistribution) {
    expect_probs({.temperature = .5F}, {.038432, .614912, .006149, .2402, .086472, .013836});
    expect_probs({.temperature = 2}, {.13864, .27728, .087684, .219209, .169798, .10739});
}

TEST(Sampling, EachFilterKeepsItsKnownSet) {
    for (const SamplingSequence& sequence :
        {SamplingSequence{.min_p = .3F}, SamplingSequence{.top_p = .7F}, SamplingSequence{.typical_p = .5F}})
        expect_probs(sequence, {0, .5, 0, .3125, .1875, 0});
    expect_probs({.top_k = 2}, {0, .615385, 0, .384615, 0, 0});
    expect_probs({.top_p = .3F}, {0, 1, 0, 0, 0, 0});
    expect_probs({.top_p = 0}, {0, 1, 0, 0, 0, 0});
    expect_probs({.typical_p = .2F}, {0, 0, 0, 1, 0, 0});
    expect_probs({.min_p = 1.5F}, {0, 1, 0, 0, 0, 0});
}

TEST(Sampling, FiltersRunInTheDocumentedOrder) {
    expect_probs({.temperature = .5F, .top_p = .9F}, {0, .653061, 0, .255102, .091837, 0});
    expect_probs({.temperature = 2, .min_p = .45F, .top_k = 4}, {.172239, .344478, 0, .272334, .210949, 0});
    expect_probs({.temperature = 2, .min_p = .45F, .top_k = 4, .top_p = .8F}, {0, .416157, 0, .329001, .254843, 0});
    expect_probs(
        {.temperature = 2, .min_p = .45F, .top_k = 4, .top_p = .8F, .typical_p = .6F}, {0, .558482, 0, .441518, 0, 0});
}

TEST(Sampling, PenaltiesFollowTheWorkedExample) {
    const std::vector<float> logits{3, 1.5, 0, -1.5};
    // prompt 0 1, output 0 3 3: distinct ids 0, 1, 3
    const std::array<TokenCount, 3> counts{{{0, 1, true}, {1, 0, true}, {3, 2, true}}};
    SamplingSequence sequence{.repetition_penalty = 1.2F, .counts = counts};
    std::vector<float> probs = probabilities(logits, sequence);
    EXPECT_NEAR(std::log(probs[0] / probs[2]), 2.5, 1e-5);
    EXPECT_NEAR(std::log(probs[1] / probs[2]), 1.25, 1e-5);
    EXPECT_NEAR(std::log(probs[3] / probs[2]), -1.8, 1e-5);
    sequence.presence_penalty = .4F;
    sequence.frequency_penalty = .3F;
    probs = probabilities(logits, sequence);
    const std::vector<double> expected{.5707, .3293, .0943, .0057};
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(probs[i], expected[i], 5e-5);
}

TEST(Sampling, DrawsTheKnownSequenceForSeed42) {
    const std::vector<float> logits{2, 1, .5, 0, -1};
    const std::array<std::vector<int>, 2> expected{
        {{4, 0, 1, 0, 2, 1, 1, 0, 2, 0, 1, 0, 2, 2, 0, 0}, {3, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1}}};
    for (std::uint32_t choice = 0; choice < 2; ++choice) {
        for (std::uint32_t position = 0; position < 16; ++position) {
            SamplingSequence sequence{.seed = 42, .choice = choice, .position = position};
            EXPECT_EQ(sampled_token(logits, sequence), expected[choice][position]);
            sequence.top_k = 4096; // off, larger than the vocabulary
            sequence.typical_p = .999999F; // the path through candidates
            EXPECT_EQ(sampled_token(logits, sequence), expected[choice][position]);
        }
    }
}

TEST(Sampling, GreedyTakesTheLowestIdOfATie) {
    EXPECT_EQ(sampled_token({1, 3, 3, 2}, {.temperature = 0}), 1);
    EXPECT_EQ(sampled_token({1, kNan, 3, 2}, {.temperature = 0}), 2);
    EXPECT_EQ(sampled_token({1, kInf, 3, kInf}, {.temperature = 0}), 1);
}

TEST(Sampling, InfiniteLogitWinsAndNanNeverDoes) {
    for (std::uint32_t position = 0; position < 50; ++position)
        EXPECT_EQ(sampled_token({1, kNan, kInf, 2}, {.top_p = .9F, .position = position}), 2);
    EXPECT_EQ(probabilities({kNan, 0, kInf, kInf}, {})[3], .5F);
}

TEST(Sampling, BiasForbidsAndForces) {
    const std::array<TokenBias, 1> forbid{{{1, -100}}};
    EXPECT_EQ(sampled_token(example_logits(), {.temperature = 0, .biases = forbid}), 3);
    const std::array<TokenBias, 1> force{{{2, 100}}};
    EXPECT_EQ(probabilities(example_logits(), {.biases = force})[2], 1);
    const std::array<TokenBias, 1> add{{{0, 2}}};
    EXPECT_EQ(sampled_token(example_logits(), {.temperature = 0, .biases = add}), 0);
}

TEST(Sampling, MaskLeavesOnlyAllowedIdsAndAnEmptySetIsAnError) {
    const std::array<std::uint32_t, 1> mask{0b010001}; // ids 0 and 4
    EXPECT_EQ(sampled_token(example_logits(), {.temperature = 0, .allowed = mask}), 4);
    const std::array<std::uint32_t, 1> none{0};
    EXPECT_EQ(sampled_token(example_logits(), {.temperature = 0, .allowed = none}), -1);
    EXPECT_EQ(sampled_token(example_logits(), {.allowed = none}), -1);
    const std::array<TokenBias, 1> force{{{2, 100}}}; // not allowed: the mask stands
    EXPECT_EQ(sampled_token(example_logits(), {.temperature = 0, .biases = force, .allowed = mask}), 4);
}

// The sets that the filters keep against a full sort, on vocabularies where the fast paths differ.
TEST(Sampling, FilteredSetsEqualThoseOfAFullSort) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, 3);
    for (const std::size_t vocab : {33UL, 1000UL, 20000UL}) {
        std::vector<float> logits(vocab);
        for (float& logit : logits)
            logit = std::round(normal(random) * 4) / 4; // many ties
        std::vector<std::size_t> order(vocab);
        std::iota(order.begin(), order.end(), 0UL);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return logits[a] > logits[b]; });
        const double max = logits[order[0]];
        double total = 0;
        for (const float logit : logits)
            total += std::exp(logit - max);
        for (const std::size_t k : {1UL, 2UL, 17UL, 40UL, vocab - 1}) {
            const auto probs = probabilities(logits, {.top_k = static_cast<std::int32_t>(k)});
            for (std::size_t i = 0; i < vocab; ++i)
                ASSERT_EQ(probs[order[i]] > 0, i < k) << "top-k " << k << " rank " << i << " of " << vocab;
        }
        for (const float top_p : {.1F, .5F, .9F, .999F, .9999999F}) {
            const auto probs = probabilities(logits, {.top_p = top_p});
            double head = 0;
            for (std::size_t i = 0; i < vocab; ++i) {
                const bool kept = head < static_cast<double>(top_p) * total * (1 + 1e-12);
                const bool borderline = std::abs(head / total - static_cast<double>(top_p)) < 1e-12;
                if (!borderline) {
                    ASSERT_EQ(probs[order[i]] > 0, kept) << "top-p " << top_p << " rank " << i << " of " << vocab;
                }
                head += std::exp(logits[order[i]] - max);
            }
        }
        const auto probs = probabilities(logits, {.min_p = .05F});
        for (std::size_t i = 0; i < vocab; ++i)
            ASSERT_EQ(probs[i] > 0, std::exp(logits[i] - max) >= static_cast<double>(.05F));
    }
}

// Chi-square with 5 degrees of freedom: 20.5 at p = 0.001.
TEST(Sampling, DrawsFollowTheFilteredDistribution) {
    const std::vector<float> logits = example_logits();
    for (const SamplingSequence& setting : {SamplingSequence{.temperature = 1.3F, .top_p = .97F}, SamplingSequence{}}) {
        SamplingSequence sequence = setting;
        sequence.seed = 2026;
        const std::vector<float> probs = probabilities(logits, sequence);
        std::vector<int> counts(logits.size());
        SamplingScratch scratch;
        for (std::uint32_t position = 0; position < 100000; ++position) {
            sequence.position = position;
            ++counts[static_cast<std::size_t>(sample_sequence(logits, 6, sequence, scratch).tokens.back().token)];
        }
        EXPECT_LT(chi_square(counts, {probs.begin(), probs.end()}), 20.5);
    }
}

// The pruning bounds must not change a draw: compared with all scores computed.
TEST(Sampling, UnfilteredDrawEqualsTheExhaustiveArgMax) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal(0, 4);
    std::vector<float> logits(5001);
    for (float& logit : logits)
        logit = normal(random);
    for (std::uint32_t position = 0; position < 200; ++position) {
        const RandomStream stream{99, position, 0, RandomPurpose::draw};
        double best = -1e300;
        std::int32_t expected = -1;
        for (std::uint32_t id = 0; id < logits.size(); ++id) {
            const double u = uniform_of_word(stream.block(id / 4)[id % 4]);
            const double score = static_cast<double>(logits[id] / 1.5F) - std::log(-std::log(u));
            if (score > best) {
                best = score;
                expected = static_cast<std::int32_t>(id);
            }
        }
        EXPECT_EQ(sampled_token(logits, {.temperature = 1.5F, .seed = 99, .position = position}), expected);
    }
}

TEST(Sampling, LogprobsAreOfTheRawLogits) {
    const std::array<TokenBias, 1> force{{{2, 100}}};
    const SamplingOutcome outcome =
        sample_sequence(example_logits(), 6, {.temperature = .2F, .biases = force, .num_logprobs = 3});
    const SampledToken& token = outcome.tokens.at(0);
    EXPECT_EQ(token.token, 2);
    EXPECT_NEAR(token.logprob, std::log(.04), 1e-6);
    ASSERT_EQ(token.top.size(), 3U);
    EXPECT_EQ(token.top[0].token, 1);
    EXPECT_NEAR(token.top[0].logprob, std::log(.4), 1e-6);
    EXPECT_EQ(token.top[2].token, 4);
    EXPECT_TRUE(sample_sequence(example_logits(), 6, {}).tokens.at(0).top.empty());
}

// Against std::exp in double precision.
TEST(Sampling, SumOfExpIsExactToFloatPrecision) {
    std::mt19937 random(21);
    std::normal_distribution<float> normal(0, 6);
    for (const std::size_t count : {1UL, 3UL, 4UL, 1001UL}) {
        std::vector<float> logits(count);
        for (float& logit : logits)
            logit = normal(random);
        const float max = *std::max_element(logits.begin(), logits.end()) / .7F;
        double expected = 0;
        for (const float logit : logits)
            expected += std::exp(static_cast<double>(logit / .7F) - max);
        EXPECT_NEAR(sum_of_exp(logits, .7F, max), expected, 3e-7 * expected);
        logits.push_back(kNan);
        logits.push_back(-kInf);
        EXPECT_NEAR(sum_of_exp(logits, .7F, max), expected, 3e-7 * expected);
    }
}

TEST(Sampling, LogprobsTakeNanAsMinusInfinityAndInfinityAsCertain) {
    const std::vector<float> logits{0, kNan, kInf, 3};
    const SampledToken token = logprobs_of(logits, 1, 4);
    EXPECT_EQ(token.logprob, -kInf);
    EXPECT_EQ(token.top.at(0).token, 2);
    EXPECT_EQ(token.top.at(0).logprob, 0);
}

TEST(Verification, GreedyAcceptsWhileTheArgMaxAgrees) {
    const std::vector<float> logits{0, 1, 0, 0, /**/ 2, 1, 0, 0, /**/ 0, 0, 0, 5};
    const std::array<std::int32_t, 2> good{1, 0};
    SamplingOutcome outcome = sample_sequence(logits, 4, {.drafts = good, .temperature = 0});
    EXPECT_EQ(outcome.num_accepted, 2);
    ASSERT_EQ(outcome.tokens.size(), 3U);
    EXPECT_EQ(outcome.tokens[2].token, 3);
    const std::array<std::int32_t, 2> bad{1, 2};
    outcome = sample_sequence(logits, 4, {.drafts = bad, .temperature = 0});
    EXPECT_EQ(outcome.num_accepted, 1);
    ASSERT_EQ(outcome.tokens.size(), 2U);
    EXPECT_EQ(outcome.tokens[1].token, 0);
}

TEST(Verification, EarlierDraftsCountForPenalties) {
    const std::vector<float> logits{1, 0, /**/ 1, .5};
    const std::array<std::int32_t, 1> drafts{0};
    const SamplingOutcome outcome =
        sample_sequence(logits, 2, {.drafts = drafts, .temperature = 0, .presence_penalty = 1});
    ASSERT_EQ(outcome.tokens.size(), 2U);
    EXPECT_EQ(outcome.tokens[1].token, 1); // 1 - 1 < .5
}

TEST(Verification, MaskOfEachRowJudgesItsDraft) {
    const std::vector<float> logits{1, 0, /**/ 1, 0};
    const std::array<std::int32_t, 1> drafts{0};
    const std::array<std::uint32_t, 2> masks{0b11, 0b10};
    const SamplingOutcome outcome = sample_sequence(logits, 2, {.drafts = drafts, .temperature = 0, .allowed = masks});
    ASSERT_EQ(outcome.tokens.size(), 2U);
    EXPECT_EQ(outcome.tokens[1].token, 1);
}

// p = [.5 .2 .2 .1], q = [.25 .5 .25 0]: acceptance 1, .4, .8; overall .65; the marginal is p (chi-square, 3 degrees: 16.3).
TEST(Verification, RejectionKeepsTheTargetDistribution) {
    const std::vector<double> p{.5, .2, .2, .1};
    const std::vector<float> q{.25F, .5F, .25F, 0};
    std::vector<float> logits = log_of(p);
    logits.insert(logits.end(), {0, 0, 0, 0});
    std::mt19937 random(3);
    std::discrete_distribution<std::int32_t> draft_of(q.begin(), q.end());
    std::vector<int> first(4);
    std::vector<int> residual(4);
    std::array<int, 4> drafted{};
    std::array<int, 4> accepted{};
    SamplingScratch scratch;
    constexpr int kRounds = 200000;
    for (int round = 0; round < kRounds; ++round) {
        const std::array<std::int32_t, 1> drafts{draft_of(random)};
        const SamplingOutcome outcome = sample_sequence(logits, 4,
            {.drafts = drafts, .draft_probs = q, .seed = 5, .position = static_cast<std::uint32_t>(round)}, scratch);
        const auto draft = static_cast<std::size_t>(drafts[0]);
        ++drafted[draft];
        accepted[draft] += outcome.num_accepted;
        ++first[static_cast<std::size_t>(outcome.tokens[0].token)];
        if (outcome.num_accepted == 0)
            ++residual[static_cast<std::size_t>(outcome.tokens[0].token)];
    }
    EXPECT_EQ(accepted[0], drafted[0]);
    EXPECT_NEAR(static_cast<double>(accepted[1]) / drafted[1], .4, .006);
    EXPECT_NEAR(static_cast<double>(accepted[2]) / drafted[2], .8, .006);
    EXPECT_LT(chi_square(first, p), 16.3);
    EXPECT_LT(chi_square(residual, {.714286, 0, 0, .285714}), 10.9); // 1 degree
}

// One-hot draft of id 1 under the same p: accept .2, residual [.625 0 .25 .125].
TEST(Verification, OneHotDraftIsAcceptedWithItsProbability) {
    std::vector<float> logits = log_of({.5, .2, .2, .1});
    logits.insert(logits.end(), {0, 0, 0, 0});
    const std::array<std::int32_t, 1> drafts{1};
    std::vector<int> residual(4);
    int accepted = 0;
    constexpr int kRounds = 100000;
    for (int round = 0; round < kRounds; ++round) {
        const SamplingOutcome outcome =
            sample_sequence(logits, 4, {.drafts = drafts, .seed = 8, .position = static_cast<std::uint32_t>(round)});
        accepted += outcome.num_accepted;
        if (outcome.num_accepted == 0)
            ++residual[static_cast<std::size_t>(outcome.tokens[0].token)];
    }
    EXPECT_NEAR(static_cast<double>(accepted) / kRounds, .2, .005);
    EXPECT_LT(chi_square(residual, {.625, 0, .25, .125}), 13.8);
}

// The whole loop with the drafter's own noise: drafts from draft_token, judged with the same filters, must give p.
TEST(Verification, DraftsOfADraftModelKeepTheFilteredTargetDistribution) {
    std::vector<float> target = log_of({.5, .2, .2, .1});
    const std::vector<float> drafter = log_of({.2, .5, .2, .1});
    const SamplingSequence filters{.temperature = 1.4F, .top_p = .95F, .seed = 77};
    const std::vector<float> expected = probabilities(target, filters);
    target.insert(target.end(), {0, 0, 0, 0});
    std::vector<int> counts(4);
    SamplingScratch scratch;
    std::vector<float> q(4);
    for (std::uint32_t position = 0; position < 100000; ++position) {
        SamplingSequence sequence = filters;
        sequence.position = position;
        const std::array<std::int32_t, 1> drafts{draft_token(drafter, sequence, 0, scratch, q)};
        sequence.drafts = drafts;
        sequence.draft_probs = q;
        ++counts[static_cast<std::size_t>(sample_sequence(target, 4, sequence, scratch).tokens[0].token)];
    }
    EXPECT_LT(chi_square(counts, {expected.begin(), expected.end()}), 16.3);
}

} // namespace vitrine::kernels
