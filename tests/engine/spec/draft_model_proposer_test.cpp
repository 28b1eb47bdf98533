// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: drafts of a model and of n-grams through the real verification keep the target's distribution (chi-square
// over 100,000 texts), and the drafter stays in step.
#include "engine/spec/draft_model_proposer.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "engine/spec/ngram_proposer.h"
#include "tests/support/hash_backend.h"

namespace vitrine::engine {
namespace {

constexpr int kVocab = 5;
constexpr int kTexts = 100000;
constexpr int kLength = 3; // tokens of a text that are counted

/// Logits that depend on the last token alone: a model whose distribution over texts can be written down.
std::vector<float> table_row(TokenId last, double sharpness, int shift) {
    std::vector<float> row(kVocab);
    for (int i = 0; i < kVocab; ++i)
        row[static_cast<std::size_t>(i)] = static_cast<float>(sharpness * std::sin(1.7 * last + 2.3 * i + shift));
    return row;
}
std::vector<float> target_row(TokenId last) {
    return table_row(last, 1.1, 0);
}

class TableExecutable final : public kernels::Executable {
public:
    Result<kernels::Ticket> submit(const kernels::StepArgs& step) override {
        result_ = {};
        for (const std::int32_t row : step.logit_rows) {
            const auto logits = table_row(step.tokens[static_cast<std::size_t>(row)], .9, 1);
            result_.logits.insert(result_.logits.end(), logits.begin(), logits.end());
        }
        return kernels::Ticket{1};
    }
    Result<kernels::StepResult> wait(kernels::Ticket) override { return std::move(result_); }
    [[nodiscard]] std::span<const kernels::KernelReport> kernels() const noexcept override { return {}; }

private:
    kernels::StepResult result_;
};

constexpr kernels::StepLimits kLimits{.max_rows = 64, .max_seqs = 8, .max_logit_rows = 8, .max_context = 64};

DraftModelProposer::Parts parts_with(std::unique_ptr<kernels::Executable> executable, int vocab, int target_vocab) {
    DraftModelProposer::Parts parts;
    parts.pool = std::make_unique<testing::HashKvPool>(kernels::KvSpec{kernels::KvType::f16, 4, {{1, 2}}}, 65);
    parts.executable = std::move(executable);
    parts.limits = kLimits;
    parts.vocab_size = vocab;
    parts.target_vocab_size = target_vocab;
    parts.kv = {.num_blocks = 64,
        .hash = {.model = "draft", .kv_type = "f16", .block_tokens = 4, .rope = "", .seed = {}},
        .prefix_cache = true};
    return parts;
}

SamplerOptions sampling_of(const SamplingParams& params, std::uint64_t seed) {
    SamplerOptions options;
    options.params = params;
    options.seed = seed;
    return options;
}

/// The first kLength tokens of a text that is drafted and verified until it has them.
std::array<TokenId, kLength> speculative_text(
    Proposer& proposer, const SamplingParams& params, std::vector<TokenId> tokens, std::uint64_t seed, int gamma) {
    SamplerState sampler(sampling_of(params, seed), tokens);
    const BlockExtras extras;
    const std::size_t num_prompt = tokens.size();
    kernels::SamplingScratch scratch;
    while (tokens.size() < num_prompt + kLength) {
        const DraftRequest request{SequenceId{1}, tokens, gamma, &sampler, &extras, nullptr};
        const Draft draft = std::move(proposer.propose(std::span(&request, 1))->front());
        std::vector<float> rows = target_row(tokens.back());
        for (const TokenId token : draft.tokens) {
            const auto row = target_row(token);
            rows.insert(rows.end(), row.begin(), row.end());
        }
        auto sequence = sampler.row(0, draft.tokens, {});
        sequence.draft_probs = draft.probs;
        for (const auto& sampled : kernels::sample_sequence(rows, kVocab, sequence, scratch).tokens) {
            tokens.push_back(sampled.token);
            sampler.append(sampled.token);
        }
    }
    proposer.forget(SequenceId{1});
    std::array<TokenId, kLength> text{};
    std::copy_n(tokens.begin() + static_cast<std::ptrdiff_t>(num_prompt), kLength, text.begin());
    return text;
}

/// Probability of a text under the target with every filter and penalty, token by token.
double text_probability(const SamplingParams& params, std::vector<TokenId> tokens, std::span<const TokenId> text) {
    SamplerState sampler(sampling_of(params, 0), tokens);
    kernels::SamplingScratch scratch;
    std::vector<float> probs(kVocab);
    double probability = 1;
    for (const TokenId token : text) {
        kernels::filtered_probabilities(target_row(tokens.back()), sampler.row(0, {}, {}), 0, scratch, probs);
        probability *= static_cast<double>(probs[static_cast<std::size_t>(token)]);
        tokens.push_back(token);
        sampler.append(token);
    }
    return probability;
}

/// Chi-square over all texts, in standard deviations above its mean; texts expected fewer than 5 times share one cell.
double chi_square_excess(Proposer& proposer, const SamplingParams& params, const std::vector<TokenId>& prompt) {
    constexpr int kCells = kVocab * kVocab * kVocab;
    std::vector<int> counts(kCells);
    for (std::uint64_t seed = 0; seed < kTexts; ++seed) {
        const auto text = speculative_text(proposer, params, prompt, seed, 1 + static_cast<int>(seed % 4));
        ++counts[static_cast<std::size_t>((text[0] * kVocab + text[1]) * kVocab + text[2])];
    }
    double chi_square = 0;
    double rare = 0;
    int rare_count = 0;
    int cells = 0;
    for (int cell = 0; cell < kCells; ++cell) {
        const std::array<TokenId, kLength> text{cell / 25, cell / 5 % 5, cell % 5};
        const double expected = kTexts * text_probability(params, prompt, text);
        const int count = counts[static_cast<std::size_t>(cell)];
        if (expected < 5) {
            rare += expected;
            rare_count += count;
            continue;
        }
        chi_square += (count - expected) * (count - expected) / expected;
        ++cells;
    }
    if (rare < 1e-6)
        EXPECT_EQ(rare_count, 0) << "a text the filters forbid";
    else
        chi_square += (rare_count - rare) * (rare_count - rare) / rare;
    const double freedom = cells - (rare < 1e-6 ? 1 : 0);
    return (chi_square - freedom) / std::sqrt(2 * freedom);
}

SamplingParams everything() {
    SamplingParams params;
    params.temperature = 1.3F;
    params.top_p = .93F;
    params.min_p = .03F;
    params.frequency_penalty = .4F;
    params.repetition_penalty = 1.15F;
    params.repeat_last_n = 3;
    params.logit_bias = {{2, .5F}};
    return params;
}

TEST(SpeculativeSampling, DraftModelKeepsTheDistributionWithTemperatureAndTopP) {
    DraftModelProposer proposer(parts_with(std::make_unique<TableExecutable>(), kVocab, kVocab));
    SamplingParams params;
    params.temperature = .8F;
    params.top_p = .9F;
    EXPECT_LT(chi_square_excess(proposer, params, {3, 1}), 4);
}

TEST(SpeculativeSampling, DraftModelKeepsTheDistributionWithPenaltiesAndBias) {
    DraftModelProposer proposer(parts_with(std::make_unique<TableExecutable>(), kVocab, kVocab));
    EXPECT_LT(chi_square_excess(proposer, everything(), {3, 1}), 4);
}

TEST(SpeculativeSampling, NgramsKeepTheDistributionWithTemperatureAndTopP) {
    NgramProposer proposer;
    SamplingParams params;
    params.temperature = .8F;
    params.top_p = .9F;
    EXPECT_LT(chi_square_excess(proposer, params, {1, 4, 2, 0, 3, 1, 4, 2}), 4);
}

TEST(SpeculativeSampling, NgramsKeepTheDistributionWithPenaltiesAndBias) {
    NgramProposer proposer;
    EXPECT_LT(chi_square_excess(proposer, everything(), {1, 4, 2, 0, 3, 1, 4, 2}), 4);
}

// ---- in step: the hash model's guess changes with any wrong slot or stale draft ------------------------------------
class FollowingTest : public ::testing::Test {
protected:
    static constexpr int kHashVocab = 40;
    static DraftModelProposer::Parts parts() {
        auto made = parts_with(nullptr, kHashVocab, kHashVocab);
        made.executable = std::make_unique<testing::HashExecutable>(testing::HashModel(kHashVocab, {}),
            dynamic_cast<testing::HashKvPool&>(*made.pool), kLimits, testing::HashBackendOptions{});
        return made;
    }
    /// Drafts for one greedy sequence, which must be the drafter's own continuation.
    Draft propose(std::uint32_t sequence, const std::vector<TokenId>& tokens, int count) {
        SamplingParams greedy;
        greedy.temperature = 0;
        const SamplerState sampler(sampling_of(greedy, 0), tokens);
        const DraftRequest request{SequenceId{sequence}, tokens, count, &sampler, &extras, nullptr};
        Draft draft = std::move(proposer.propose(std::span(&request, 1))->front());
        EXPECT_EQ(draft.tokens, model.greedy(tokens, static_cast<int>(draft.tokens.size())));
        EXPECT_TRUE(draft.probs.empty());
        return draft;
    }
    BlockExtras extras;
    testing::HashModel model{kHashVocab, {}};
    DraftModelProposer proposer{parts()};
};

TEST_F(FollowingTest, AfterFullAcceptanceTwoTokensAreReadAndAfterRejectionStaleOnesAreOverwritten) {
    std::vector<TokenId> tokens{4, 8, 15, 16, 23, 7};
    EXPECT_EQ(propose(1, tokens, 3).num_followed, 5);
    for (int accepted = 0; accepted <= 3; ++accepted) {
        const Draft draft = propose(1, tokens, 3);
        ASSERT_EQ(draft.tokens.size(), 3U);
        tokens.insert(tokens.end(), draft.tokens.begin(), draft.tokens.begin() + accepted);
        tokens.push_back((draft.tokens[0] + 11) % kHashVocab); // the verifier's own token
        EXPECT_EQ(propose(1, tokens, 3).num_followed, accepted == 3 ? 1 : 0);
    }
    tokens.insert(tokens.end(), {1, 2, 3, 4, 5, 6, 7}); // steps without drafts
    EXPECT_EQ(propose(1, tokens, 2).num_followed, 6);
}

TEST_F(FollowingTest, ASecondTextWithTheSameHeadHitsTheDraftersOwnCache) {
    std::vector<TokenId> tokens{4, 8, 15, 16, 23, 7, 9, 1, 2};
    EXPECT_EQ(propose(1, tokens, 2).num_followed, 8);
    tokens.push_back(3);
    EXPECT_EQ(propose(1, tokens, 2).num_followed, 0); // and enters the full blocks
    EXPECT_EQ(propose(2, tokens, 2).num_followed, 1); // 8 of 10 tokens found
    extras.salt = "other";
    EXPECT_EQ(propose(3, tokens, 2).num_followed, 9);
}

TEST_F(FollowingTest, ForgottenSequencesGiveTheirBlocksBack) {
    const std::vector<TokenId> tokens{4, 8, 15, 16, 23};
    static_cast<void>(propose(1, tokens, 2));
    EXPECT_GT(proposer.kv().counts().active, 0);
    proposer.forget(SequenceId{1});
    proposer.forget(SequenceId{1});
    EXPECT_EQ(proposer.kv().counts().active, 0);
}

TEST_F(FollowingTest, ReadsALongTextInPartsAndStopsAtItsContext) {
    std::vector<TokenId> tokens(64);
    for (int i = 0; i < 64; ++i)
        tokens[static_cast<std::size_t>(i)] = i % kHashVocab;
    const std::vector<TokenId> shorter(tokens.begin(), tokens.begin() + 62);
    EXPECT_EQ(propose(1, shorter, 8).tokens.size(), 3U); // positions up to 63: t0 at 61, then d1 and d2
    EXPECT_EQ(propose(1, tokens, 8).tokens.size(), 1U);
    tokens.push_back(1);
    EXPECT_TRUE(propose(1, tokens, 8).tokens.empty());
}

TEST(DraftModelProposer, NeverDraftsPaddingOrWhatItDoesNotKnow) {
    DraftModelProposer proposer(parts_with(std::make_unique<TableExecutable>(), kVocab, 3)); // the target has 3 ids
    SamplingParams params;
    const std::vector<TokenId> tokens{0, 1};
    const SamplerState sampler(sampling_of(params, 5), tokens);
    const BlockExtras extras;
    const DraftRequest request{SequenceId{1}, tokens, 6, &sampler, &extras, nullptr};
    const Draft draft = std::move(proposer.propose(std::span(&request, 1))->front());
    ASSERT_EQ(draft.tokens.size(), 6U);
    EXPECT_EQ(draft.probs.size(), 6U * 3U);
    for (const TokenId token : draft.tokens)
        EXPECT_LT(token, 3);
    const std::vector<TokenId> unknown{0, kVocab};
    const DraftRequest beyond{SequenceId{2}, unknown, 2, &sampler, &extras, nullptr};
    EXPECT_TRUE(proposer.propose(std::span(&beyond, 1))->front().tokens.empty());
}

class OnlyOdd final : public DraftMask {
public:
    [[nodiscard]] std::span<const std::uint32_t> after(std::span<const TokenId> drafts) override {
        word_[0] = drafts.size() < 2 ? 0b01010 : 0b00100; // then only token 2
        return word_;
    }

private:
    std::array<std::uint32_t, 1> word_{};
};

TEST(DraftModelProposer, DrawsUnderTheMaskOfEachRow) {
    DraftModelProposer proposer(parts_with(std::make_unique<TableExecutable>(), kVocab, kVocab));
    OnlyOdd mask;
    const std::vector<TokenId> tokens{0, 1};
    const SamplerState sampler(sampling_of({}, 5), tokens);
    const BlockExtras extras;
    const DraftRequest request{SequenceId{1}, tokens, 3, &sampler, &extras, &mask};
    const Draft draft = std::move(proposer.propose(std::span(&request, 1))->front());
    ASSERT_EQ(draft.tokens.size(), 3U);
    EXPECT_EQ(draft.tokens[0] % 2 + draft.tokens[1] % 2, 2);
    EXPECT_EQ(draft.tokens[2], 2);
    NgramProposer ngrams;
    const std::vector<TokenId> repeated{1, 3, 1, 3, 0, 1, 3};
    const DraftRequest copied{SequenceId{1}, repeated, 4, &sampler, &extras, &mask};
    EXPECT_TRUE(ngrams.propose(std::span(&copied, 1))->front().tokens.empty()); // 0 is even
}

} // namespace
} // namespace vitrine::engine
