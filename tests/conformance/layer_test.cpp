// SPDX-License-Identifier: GPL-3.0-or-later
// Whole small models, and the sampling op on the logits that an implementation itself computed.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/api/cut_program.h"
#include "kernels/ref/ref_sampling.h"
#include "tests/conformance/case_runner.h"
#include "tests/conformance/compare.h"

namespace vitrine::testing {
namespace {

using enum kernels::WeightFormat;

constexpr std::int64_t kVocab = 320;
constexpr std::int64_t kDim = 256;
constexpr std::int64_t kFeedForward = 512;

struct ModelShape {
    HeadLayout heads{4, 2, 64};
    RopeStyle style = RopeStyle::interleaved;
    GateKind gate = GateKind::silu;
    bool gemma = false; // norms of q, k and after the blocks, window, scaled embedding, softcap
    bool biases = false;
    std::vector<WeightFormat> formats{q4_1, q4_1, q8_0}; // q and k; gate and up; v, o, down and head
    std::int64_t dim = kDim, feed_forward = kFeedForward;
    float gain = 1; // of the norms
    bool window = false; // in the first layer
};

RmsNormPrologue norm_of(CaseBuilder& builder, const ModelShape& shape) {
    return {builder.vector(shape.dim, shape.gain, 0.2F * shape.gain), 1e-5F};
}

void add_attention(CaseBuilder& builder, const ModelShape& shape, ActivationId residual, bool window) {
    const HeadLayout& heads = shape.heads;
    const std::int64_t query_dim = std::int64_t{heads.num_heads} * heads.head_dim;
    const std::int64_t kv_dim = std::int64_t{heads.num_kv_heads} * heads.head_dim;
    const ActivationId query = builder.activation("query", query_dim);
    const ActivationId mixed = builder.activation("mixed", query_dim);
    const LayerId layer = builder.layer(heads.num_kv_heads, heads.head_dim);
    RopeKvEpilogue target{query, layer, heads, builder.rope(shape.style, heads.head_dim), {}, {}, {}, {}, {}};
    if (shape.gemma) {
        target.q_norm = builder.norm(heads.head_dim);
        target.k_norm = builder.norm(heads.head_dim);
    }
    if (shape.biases) {
        target.q_bias = builder.vector(query_dim, 0, 0.3F);
        target.k_bias = builder.vector(kv_dim, 0, 0.3F);
        target.v_bias = builder.vector(kv_dim, 0, 0.3F);
    }
    const WeightGroupId qkv = builder.matrices(WeightRole::qkv, {shape.formats[0], shape.formats[0], shape.formats[2]},
        {query_dim, kv_dim, kv_dim}, shape.dim);
    builder.op(LinearOp{residual, norm_of(builder, shape), qkv, target, RowSet::all});
    AttentionOp attention{query, mixed, layer, heads, 1 / std::sqrt(static_cast<float>(heads.head_dim)), 0, {}};
    if (window)
        attention.window_tokens = 12;
    builder.op(attention);
    AddResidualEpilogue add{residual, {}, {}, {}, 1};
    if (shape.gemma)
        add.post_norm = builder.norm(shape.dim);
    builder.op(LinearOp{mixed, NoPrologue{}, builder.matrix(WeightRole::plain, shape.formats[2], shape.dim, query_dim),
        add, RowSet::all});
}

void add_feed_forward(CaseBuilder& builder, const ModelShape& shape, ActivationId residual) {
    const ActivationId gated = builder.activation("gated", shape.feed_forward);
    const WeightGroupId gate_up = builder.matrices(
        WeightRole::gate_up, {shape.formats[1], shape.formats[1]}, {shape.feed_forward, shape.feed_forward}, shape.dim);
    builder.op(LinearOp{residual, norm_of(builder, shape), gate_up, GatedEpilogue{gated, shape.gate}, RowSet::all});
    AddResidualEpilogue add{residual, {}, {}, {}, 1};
    if (shape.gemma)
        add.post_norm = builder.norm(shape.dim);
    builder.op(LinearOp{gated, NoPrologue{},
        builder.matrix(WeightRole::plain, shape.formats[2], shape.dim, shape.feed_forward), add, RowSet::all});
}

Case model(const ModelShape& shape) {
    CaseBuilder builder(101);
    const WeightGroupId table = builder.matrix(WeightRole::embedding, q8_0, kVocab, shape.dim);
    const ActivationId residual = builder.activation("residual", shape.dim);
    builder.op(GatherOp{table, residual, shape.gemma ? 16.0F : 1.0F, {}});
    for (int layer = 0; layer < 2; ++layer) {
        add_attention(builder, shape, residual, (shape.gemma || shape.window) && layer == 0);
        add_feed_forward(builder, shape, residual);
    }
    builder.head(residual, shape.formats[2], kVocab, true, 1, shape.gemma ? 30.0F : 0.0F);
    return builder.finish();
}

std::vector<ModelShape> models() {
    return {{}, {{4, 1, 64}, RopeStyle::neox, GateKind::gelu_tanh, true, false, {q4_k, q5_k, q6_k}},
        {{6, 2, 64}, RopeStyle::neox, GateKind::silu, false, true, {q4_0, q5_1, q8_0}},
        {{4, 2, 64}, RopeStyle::interleaved, GateKind::silu, false, false, {bf16, f16, bf16}}};
}

} // namespace

class Layers : public ::testing::TestWithParam<Implementation> {};

// Two layers, seven products in a row: errors add up like the root of their number, so three bounds are ample.
TEST_P(Layers, WholeModelsAgreeWithTheReference) {
    for (std::size_t i = 0; i < models().size(); ++i) {
        const ModelShape shape = models()[i];
        const Case entry = model(shape);
        const RunLimits limits{64, 3, 128};
        CaseRunner tested(GetParam(), entry, limits);
        CaseRunner oracle(reference(), entry, limits);
        const double products = 3 * linear_bound(GetParam().path(shape.formats[0])).unrounded;
        const bool exact = GetParam().quantized == NumberPath::float64;
        const double bound = products + (exact ? 0 : kAttentionBound);
        const std::vector<std::vector<Piece>> steps{{{0, token_run(21, kVocab)}, {1, token_run(3, kVocab, 100)}},
            {{0, token_run(1, kVocab, 9)}, {1, token_run(1, kVocab, 5)}, {2, token_run(30, kVocab, 50)}},
            {{2, {1}}, {1, {2}}, {0, {3}}}};
        for (const std::vector<Piece>& pieces : steps)
            expect_close(tested.step(pieces, {}, 2).logits, oracle.step(pieces, {}, 2).logits, bound, kVocab,
                "model " + std::to_string(i));
    }
}

/// The groups of the whole case that a part has.
Case case_of(const ProgramPart& part, const Case& whole) {
    Case entry{part.program, {}};
    for (const WeightGroupId id : part.groups)
        entry.bytes.push_back(whole.bytes[static_cast<std::size_t>(id.value)]);
    return entry;
}

// A model in two parts, as two devices would share it: the rows handed over are those that the whole has there.
TEST_P(Layers, PartsOfAModelHandOverTheirRows) {
    for (std::size_t i = 0; i < models().size(); ++i) {
        const ModelShape shape = models()[i];
        const Case entry = model(shape);
        const auto parts = cut_program(entry.program, 1);
        ASSERT_TRUE(parts) << parts.error().message;
        const RunLimits limits{64, 2, 128};
        CaseRunner front(GetParam(), case_of(parts->front, entry), limits);
        CaseRunner back(GetParam(), case_of(parts->back, entry), limits);
        CaseRunner whole(GetParam(), entry, limits);
        const double rounding =
            GetParam().batch_invariant ? 1e-6 : linear_bound(GetParam().path(shape.formats[0])).unrounded;
        const std::vector<std::vector<Piece>> steps{{{0, token_run(21, kVocab)}, {1, token_run(3, kVocab, 100)}},
            {{1, token_run(1, kVocab, 9)}, {0, token_run(2, kVocab, 5)}}, {{0, {3}}}};
        for (const std::vector<Piece>& pieces : steps) {
            const StepResult rows = front.step(pieces, {}, 2);
            EXPECT_TRUE(rows.logits.empty());
            const std::vector<float> logits = back.step(pieces, {}, 2, rows.output).logits;
            expect_close(logits, whole.step(pieces, {}, 2).logits, rounding, kVocab, "model " + std::to_string(i));
        }
    }
}

// A token at a time, as one user's model runs; layers of one format may then be one kernel.  Gains make activations that 16-bit
// floats cannot hold, or only with few bits.
TEST_P(Layers, OneTokenAfterTheOtherAgreesWithTheReference) {
    const std::vector<WeightFormat> equal{q4_1, q4_1, q4_1};
    std::vector<ModelShape> shapes{{{9, 3, 64}, RopeStyle::neox, GateKind::silu, false, false, equal, 320, 640},
        {{4, 2, 64}, RopeStyle::interleaved, GateKind::gelu_tanh, false, false, equal},
        {{8, 1, 128}, RopeStyle::neox, GateKind::silu, false, false, {q4_0, q4_0, q4_0}}};
    shapes.push_back(shapes[0]);
    shapes.back().gain = 2e-4F;
    shapes.push_back(shapes[1]);
    shapes.back().gain = 300;
    shapes.push_back(shapes[0]);
    shapes.back().window = true;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Case entry = model(shapes[i]);
        const RunLimits limits{64, 1, 128};
        CaseRunner tested(GetParam(), entry, limits);
        CaseRunner oracle(reference(), entry, limits);
        const bool exact = GetParam().quantized == NumberPath::float64;
        const double bound = 3 * linear_bound(GetParam().path(q4_1)).unrounded + (exact ? 0 : kAttentionBound);
        for (int position = 0; position < 37; ++position) {
            const std::vector<std::int32_t> token = token_run(position == 20 ? 5 : 1, kVocab, position * 7);
            expect_close(tested.logits(token), oracle.logits(token), bound, kVocab, "model " + std::to_string(i));
        }
    }
}

// As many sequences as a step of theirs has rows: products and attentions that hand rows on to each other are others than above.
TEST_P(Layers, StepsOfManySequencesAgreeWithTheReference) {
    for (const std::size_t i : {0U, 3U}) {
        const ModelShape shape = models()[i];
        const Case entry = model(shape);
        const double products = 3 * linear_bound(GetParam().path(shape.formats[0])).unrounded;
        const double bound = products + (GetParam().quantized == NumberPath::float64 ? 0 : kAttentionBound);
        for (const int seqs : {12, 40, 100}) {
            const RunLimits limits{seqs, seqs, 64};
            CaseRunner tested(GetParam(), entry, limits);
            CaseRunner oracle(reference(), entry, limits);
            for (int step = 0; step < 4; ++step) { // lengths of 1 to 4, then one token each
                std::vector<Piece> pieces;
                for (int s = 0; s < seqs; ++s) {
                    if (step == 3 || s % 4 >= step)
                        pieces.push_back({s, token_run(1, kVocab, s * 7 + step)});
                }
                expect_close(tested.step(pieces).logits, oracle.step(pieces).logits, bound, kVocab,
                    "model " + std::to_string(i) + ", sequences " + std::to_string(seqs));
            }
        }
    }
}

TEST_P(Layers, OneTokenBehindALongContextAgreesWithTheReference) {
    ModelShape shape{{6, 3, 64}, RopeStyle::neox, GateKind::silu, false, false, {q4_1, q4_1, q4_1}};
    Case entry = model(shape);
    // So long that each warp of a GPU's attention has keys more than once; elsewhere that costs only time.
    const int context = GetParam().name.find("cuda") != std::string::npos ? 1500 : 200;
    entry.program.max_positions = context + 8;
    const RunLimits limits{context, 1, context + 8};
    CaseRunner tested(GetParam(), entry, limits);
    CaseRunner oracle(reference(), entry, limits);
    const bool exact = GetParam().quantized == NumberPath::float64;
    const double bound = 3 * linear_bound(GetParam().path(q4_1)).unrounded + (exact ? 0 : kAttentionBound);
    (void)tested.logits(token_run(context, kVocab));
    (void)oracle.logits(token_run(context, kVocab));
    for (int token = 0; token < 3; ++token)
        expect_close(tested.logits({token}), oracle.logits({token}), bound, kVocab, "token " + std::to_string(token));
}

TEST_P(Layers, StepsAreRepeatable) {
    const Case entry = model(models()[0]);
    CaseRunner tested(GetParam(), entry, {32});
    const std::vector<float> first = tested.logits(token_run(20, kVocab));
    tested.truncate(0, 0);
    EXPECT_EQ(tested.logits(token_run(20, kVocab)), first);
}

TEST_P(Layers, SamplingChoosesByTheRulesFromItsOwnLogits) {
    const Case entry = model(models()[0]);
    CaseRunner tested(GetParam(), entry, {32, 3, 64});
    const std::array<TokenBias, 1> biases{{{17, -100}}};
    const std::array<TokenCount, 2> counts{{{3, 2, true}, {9, 0, true}}};
    const std::array<std::int32_t, 3> drafts{10, 11, 12};
    std::vector<std::uint32_t> allowed(kVocab / 32, 0x55555555);
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const std::vector<SamplingSequence> sampling{
            {.logit_row = 0, .temperature = 0, .num_logprobs = 3},
            {.logit_row = 1,
                .drafts = drafts,
                .temperature = 1.5F,
                .top_k = 40,
                .top_p = .9F,
                .biases = biases,
                .seed = seed},
            {.logit_row = 5,
                .temperature = .7F,
                .min_p = .01F,
                .repetition_penalty = 1.2F,
                .presence_penalty = .5F,
                .counts = counts,
                .allowed = allowed,
                .seed = seed,
                .position = 4},
        };
        const StepResult result = tested.step({{0, {1}}, {1, token_run(4, kVocab, 9)}, {2, {2}}}, sampling);
        ASSERT_EQ(result.sampled.size(), sampling.size());
        for (std::size_t i = 0; i < sampling.size(); ++i) {
            const std::span<const float> rows = std::span(result.logits)
                                                    .subspan(static_cast<std::size_t>(sampling[i].logit_row) * kVocab,
                                                        (sampling[i].drafts.size() + 1) * kVocab);
            const SamplingOutcome expected = sample_sequence(rows, kVocab, sampling[i]);
            ASSERT_EQ(result.sampled[i].num_accepted, expected.num_accepted) << i;
            ASSERT_EQ(result.sampled[i].tokens.size(), expected.tokens.size()) << i;
            for (std::size_t t = 0; t < expected.tokens.size(); ++t) {
                EXPECT_EQ(result.sampled[i].tokens[t].token, expected.tokens[t].token) << i;
                EXPECT_EQ(result.sampled[i].tokens[t].top.size(), expected.tokens[t].top.size()) << i;
            }
        }
        for (int sequence = 0; sequence < 3; ++sequence)
            tested.truncate(sequence, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Conformance, Layers, ::testing::ValuesIn(implementations()), [](const auto& param) { return param.param.name; });

} // namespace vitrine::testing
