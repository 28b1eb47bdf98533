// SPDX-License-Identifier: GPL-3.0-or-later
// Arg max taken in the head against the sampler on written logits: same tokens, same ties, same accepted drafts.
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

#include "kernels/api/cpu_isa.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/greedy_picks.h"
#include "kernels/ref/ref_sampling.h"
#include "tests/kernels/cpu/random_model.h"

namespace vitrine::kernels::testing {
namespace {

constexpr int kVocab = 2602; // several tiles for every worker, no multiple of a band
constexpr StepLimits kLimits{64, 20, 40, 64};

ModelShape wide_head() {
    ModelShape shape;
    shape.vocab = kVocab;
    return shape;
}

/// Overwrites row `to` of the tied head.  value: a byte pattern, or none to copy row `from`.
void copy_head_row(RandomModel& model, int to, int from) {
    const std::int64_t bytes = row_bytes(WeightFormat::q8_0, model.program.weights[0].members[0].in_dim);
    std::byte* rows = model.bytes[0][0].data();
    std::memcpy(rows + to * bytes, rows + from * bytes, static_cast<std::size_t>(bytes));
}
void make_head_row_nan(RandomModel& model, int row) {
    const std::int64_t bytes = row_bytes(WeightFormat::q8_0, model.program.weights[0].members[0].in_dim);
    const std::uint16_t nan = 0x7E00; // f16, the scale of the row's first block
    std::memcpy(model.bytes[0][0].data() + row * bytes, &nan, sizeof nan);
}

/// Every second row of the head is the same as one of the first half: each logit occurs twice.
RandomModel model_of_ties() {
    RandomModel model = make_random_model(wide_head());
    for (int row = 0; row < kVocab / 2; ++row)
        copy_head_row(model, kVocab / 2 + row, row);
    return model;
}

class GreedyHead : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (!choose_cpu_isa(GetParam()))
            GTEST_SKIP() << "this CPU lacks " << GetParam();
    }
    static std::unique_ptr<Backend> backend(int threads) {
        CpuOptions options;
        options.isa = GetParam();
        options.num_threads = threads;
        options.pin_threads = false;
        return make_cpu_backend(options).value();
    }
    /// The outcome without logits equals what the sampler makes of the logits of the same step.
    static void expect_same_as_sampler(ModelSession& session, const std::vector<ModelSession::Chunk>& chunks) {
        const std::vector<float> logits = session.step(chunks, true);
        const std::vector<SamplingOutcome> beside_logits = session.outcomes;
        session.step(chunks, false);
        std::size_t row = 0;
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            SamplingSequence sequence = session.rules;
            if (chunks[i].verifies)
                sequence.drafts = std::span(chunks[i].tokens).subspan(1);
            const std::size_t count = (sequence.drafts.size() + 1) * kVocab;
            const SamplingOutcome expected =
                sample_sequence(std::span(logits).subspan(row * kVocab, count), kVocab, sequence);
            row += sequence.drafts.size() + 1;
            for (const SamplingOutcome& outcome : {session.outcomes[i], beside_logits[i]}) {
                ASSERT_EQ(outcome.num_accepted, expected.num_accepted) << "sequence " << i;
                ASSERT_EQ(outcome.tokens.size(), expected.tokens.size()) << "sequence " << i;
                for (std::size_t t = 0; t < expected.tokens.size(); ++t)
                    ASSERT_EQ(outcome.tokens[t].token, expected.tokens[t].token) << "sequence " << i;
            }
        }
    }
};

TEST_P(GreedyHead, GivesTheLowestIdOfEqualLogitsAtAnyBatchAndThreadCount) {
    const RandomModel model = model_of_ties();
    for (const int threads : {1, 2, 5}) {
        ModelSession session(backend(threads), model, kLimits, Numerics::fast);
        for (const int seqs : {1, 2, 7, 17}) {
            std::vector<ModelSession::Chunk> chunks;
            for (int s = 0; s < seqs; ++s)
                chunks.push_back({s, 0, {(s * 37 + seqs) % kVocab, s}});
            expect_same_as_sampler(session, chunks);
            for (const std::int32_t token : session.sampled) {
                ASSERT_GE(token, 0);
                ASSERT_LT(token, kVocab / 2) << "the higher of two equal rows";
            }
        }
    }
}

TEST_P(GreedyHead, AcceptsTheDraftsThatTheSamplerAccepts) {
    ModelSession session(backend(2), model_of_ties(), kLimits, Numerics::fast);
    std::vector<std::int32_t> right{5};
    for (int i = 0; i < 4; ++i) { // the model's own continuation
        session.step({{0, i, {right.back()}}}, false);
        right.push_back(session.sampled[0]);
    }
    for (std::size_t wrong_at = 1; wrong_at <= right.size(); ++wrong_at) {
        std::vector<std::int32_t> tokens = right;
        if (wrong_at < tokens.size())
            tokens[wrong_at] = (tokens[wrong_at] + 1) % kVocab;
        expect_same_as_sampler(session, {{1, 0, {9, 8}, false}, {0, 0, tokens, true}, {2, 0, {7}, false}});
        EXPECT_EQ(session.outcomes[1].num_accepted, static_cast<std::int32_t>(wrong_at) - 1);
    }
}

TEST_P(GreedyHead, LeavesPenalizedDraftsToTheSampler) {
    ModelSession session(backend(2), model_of_ties(), kLimits, Numerics::fast);
    session.rules.repetition_penalty = 5;
    session.step({{0, 0, {5}}}, false);
    const std::int32_t next = session.sampled[0];
    expect_same_as_sampler(session, {{0, 0, {5, next, next, next}, true}});
}

TEST_P(GreedyHead, PassesOverLogitsThatAreNoNumbers) {
    RandomModel model = make_random_model(wide_head());
    for (int row = 100; row < kVocab; ++row)
        if (row % 3 != 0)
            make_head_row_nan(model, row);
    ModelSession session(backend(2), model, kLimits, Numerics::fast);
    expect_same_as_sampler(session, {{0, 0, {1, 2, 3}}, {1, 0, {4}}});
    for (int row = 0; row < kVocab; ++row)
        make_head_row_nan(model, row);
    ModelSession lost(backend(2), model, kLimits, Numerics::fast);
    lost.step({{0, 0, {1}}}, false);
    EXPECT_EQ(lost.sampled[0], -1) << "no legal token";
}

// As an adapter of the head would do it; here an op negates what the head has computed.
TEST_P(GreedyHead, WaitsForAnOpThatChangesTheLogits) {
    RandomModel model = make_random_model(wide_head());
    const ActivationId logits = std::get<SamplingOp>(model.program.ops.back()).logits;
    model.program.ops.insert(model.program.ops.end() - 1, AddOp{logits, logits, -2, {}});
    ModelSession session(backend(2), model, kLimits, Numerics::fast);
    expect_same_as_sampler(session, {{0, 0, {5}}});
}

TEST_P(GreedyHead, ServesGreedyAndDrawnSequencesOfOneStep) {
    const RandomModel model = model_of_ties();
    ModelSession session(backend(2), model, kLimits, Numerics::fast);
    session.rules.temperature = 1;
    session.rules.seed = 11;
    expect_same_as_sampler(session, {{0, 0, {1, 2}}, {1, 0, {3}}}); // draws need the logits
    session.rules = {};
    session.rules.temperature = 0;
    session.rules.num_logprobs = 2;
    expect_same_as_sampler(session, {{0, 0, {1, 2}}, {1, 0, {3}}});
}

INSTANTIATE_TEST_SUITE_P(Isa, GreedyHead, ::testing::Values("scalar", "avx2", "avxvnni", "avx512", "amx"),
    [](const auto& param) { return param.param; });

} // namespace
} // namespace vitrine::kernels::testing

namespace vitrine::kernels::cpu {
namespace {

SamplingSequence greedy_at(std::int32_t logit_row) {
    SamplingSequence sequence;
    sequence.logit_row = logit_row;
    sequence.temperature = 0;
    return sequence;
}

TEST(GreedyPicks, PlansOnlyTheRowsThatSomeoneWants) {
    const std::int32_t rows[] = {3, 4, 9, 12};
    std::vector<SamplingSequence> sampling{greedy_at(1), greedy_at(3)};
    sampling[1].temperature = 0.7F;
    StepArgs step;
    step.logit_rows = rows;
    step.sampling = sampling;
    GreedyPicks picks;
    picks.allocate(4, 2);
    picks.plan(step, true);
    EXPECT_EQ(picks.head_rows().size(), 4U); // a row that nobody claims is there for its logits
    EXPECT_TRUE(picks.use(0).logits && picks.use(2).logits);
    step.want_hidden = true; // embeddings beside: the unclaimed rows are theirs
    picks.plan(step, true);
    EXPECT_EQ(std::vector(picks.head_rows().begin(), picks.head_rows().end()), (std::vector<std::int32_t>{4, 12}));
    EXPECT_EQ(picks.logit_row(1), 3);
    EXPECT_TRUE(picks.use(1).pick && !picks.use(1).logits);
    EXPECT_TRUE(!picks.use(3).pick && picks.use(3).logits);
    step.want_logits = true;
    picks.plan(step, true);
    EXPECT_EQ(picks.head_rows().size(), 4U);
    EXPECT_TRUE(picks.use(1).pick && picks.use(1).logits);
    step.want_logits = false;
    step.sampling = {};
    picks.plan(step, true);
    EXPECT_TRUE(picks.head_rows().empty()); // an embedding step has no use for the head
}

TEST(GreedyPicks, JoinsWorkersByValueThenByTheLowerId) {
    const std::int32_t row = 0;
    const SamplingSequence sequence = greedy_at(0);
    StepArgs step;
    step.logit_rows = {&row, 1};
    step.sampling = {&sequence, 1};
    GreedyPicks picks;
    picks.allocate(1, 3);
    picks.plan(step, true);
    EXPECT_EQ(picks.best(0), -1);
    picks.offer(2, 0, 70, -1.5F);
    picks.offer(0, 0, 8, -2.0F);
    picks.offer(1, 0, 40, -1.5F);
    picks.offer(1, 0, 41, -1.5F);
    EXPECT_EQ(picks.best(0), 40);
    picks.plan(step, true); // nothing is left of the step before
    EXPECT_EQ(picks.best(0), -1);
}

TEST(GreedyPicks, TakesNoneWhereTheLogitsChangeBeforeSampling) {
    const std::int32_t row = 0;
    const SamplingSequence sequence = greedy_at(0);
    StepArgs step;
    step.logit_rows = {&row, 1};
    step.sampling = {&sequence, 1};
    GreedyPicks picks;
    picks.allocate(1, 1);
    EXPECT_FALSE(picks.are_taken());
    picks.plan(step, false);
    EXPECT_FALSE(picks.are_taken());
    EXPECT_TRUE(picks.use(0).logits && !picks.use(0).pick);
}

} // namespace
} // namespace vitrine::kernels::cpu
