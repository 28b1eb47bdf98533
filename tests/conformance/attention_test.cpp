// SPDX-License-Identifier: GPL-3.0-or-later
// Rotation, cache writes and attention; expected values: the reference backend (double precision, same cache type).
#include <cmath>

#include <gtest/gtest.h>

#include "tests/conformance/case_runner.h"
#include "tests/conformance/compare.h"

namespace vitrine::testing {
namespace {

using enum kernels::WeightFormat;

struct Shape {
    HeadLayout heads{4, 2, 64};
    RopeStyle style = RopeStyle::neox;
    int rotary_dim = 64; // 0: no rotation
    bool biases = false;
    bool qk_norm = false;
    float softcap = 0;
    std::optional<int> window{};
    bool causal = true;
    bool sinks = false;
};

constexpr std::int64_t kInputDim = 256;
constexpr std::int64_t kNumTokens = 64; // rows of the input table

/// gather -> q, k, v with rotation and cache write -> attention.  The inputs are exact in 8 bits, so that what is compared is
/// not the rounding of activations.
struct AttentionCase {
    CaseBuilder builder{5};
    ActivationId query;
    ActivationId mixed;

    explicit AttentionCase(const Shape& shape, Inputs inputs = Inputs::int8_exact)
        : AttentionCase(shape, [&](CaseBuilder& b) { return b.input(inputs, kNumTokens, kInputDim); }) {}
    /// `make_input`: adds the op that the inputs come from.
    template <class MakeInput>
    AttentionCase(const Shape& shape, MakeInput&& make_input) {
        const HeadLayout& heads = shape.heads;
        const std::int64_t query_dim = std::int64_t{heads.num_heads} * heads.head_dim;
        const std::int64_t kv_dim = std::int64_t{heads.num_kv_heads} * heads.head_dim;
        const ActivationId x = make_input(builder);
        query = builder.activation("query", query_dim);
        mixed = builder.activation("mixed", query_dim);
        const LayerId layer = builder.layer(heads.num_kv_heads, heads.head_dim);
        RopeKvEpilogue target{query, layer, heads, {}, {}, {}, {}, {}, {}};
        if (shape.rotary_dim > 0)
            target.rope = builder.rope(shape.style, shape.rotary_dim);
        if (shape.biases) {
            target.q_bias = builder.vector(query_dim, 0, 0.5F);
            target.k_bias = builder.vector(kv_dim, 0, 0.5F);
            target.v_bias = builder.vector(kv_dim, 0, 0.5F);
        }
        if (shape.qk_norm) {
            target.q_norm = builder.norm(heads.head_dim);
            target.k_norm = builder.norm(heads.head_dim);
        }
        const WeightGroupId weights =
            builder.matrices(WeightRole::qkv, {q4_1, q4_1, q8_0}, {query_dim, kv_dim, kv_dim}, kInputDim);
        builder.op(LinearOp{x, NoPrologue{}, weights, target, RowSet::all});
        const float scale = shape.qk_norm ? 1 / std::sqrt(static_cast<float>(heads.head_dim)) : 0.02F;
        AttentionOp attention{query, mixed, layer, heads, scale, shape.softcap, shape.window, {}, shape.causal};
        if (shape.sinks)
            attention.sinks = builder.vector(heads.num_heads, 0, 2);
        builder.op(attention);
    }
    Case showing(ActivationId watched) {
        builder.observe(watched);
        return builder.finish();
    }
};

const std::vector<Shape>& shapes() {
    static const std::vector<Shape> kShapes{
        {}, {{9, 3, 64}, RopeStyle::interleaved}, // SmolLM2
        {{4, 1, 128}, RopeStyle::neox, 128, false, true, 0, 20}, // Gemma-like: norms, window
        {{4, 4, 64}, RopeStyle::neox, 32, true}, // partial rotation, biases
        {{2, 1, 64}, RopeStyle::interleaved, 16, true, false, 15}, // partial rotation, softcap
        {{4, 2, 32}, RopeStyle::neox, 0, false, true}, // no rotation
        {{2, 1, 256}, RopeStyle::neox, 256, false, true, 0, 300}, // Gemma 3's head
        {{7, 1, 64}, RopeStyle::neox, 64, true}, // an odd group, Qwen2's biases
        {{8, 1, 64}, RopeStyle::neox, 64, true, false, 0, 24, true, true}, // gpt-oss: sinks beside a window
        {{3, 1, 20}, RopeStyle::neox, 20},
        {{4, 1, 576}, RopeStyle::interleaved, 64}, // odd heads; DeepSeek's latent ones
    };
    return kShapes;
}

double attention_bound(const Implementation& implementation, KvType type) {
    if (implementation.quantized == NumberPath::float64)
        return 1e-5;
    const double products = 3 * linear_bound(implementation.quantized).own + linear_bound(implementation.dense).own;
    return products + (type == KvType::fp8_e4m3 ? kAttentionInt8Bound : kAttentionBound);
}

double stored_bound(const Implementation& implementation, KvType type) {
    const double product = 2 * linear_bound(implementation.quantized).own + kRopeBound;
    switch (type) {
    case KvType::f16:
        return product + kF16StoreBound;
    case KvType::bf16:
        return product + kBf16KvBound;
    case KvType::int8:
    case KvType::int8_head:
        return product + kInt8KvBound;
    case KvType::fp8_e4m3:
        break;
    }
    return product + kFp8KvBound;
}

constexpr KvType kTypes[]{KvType::f16, KvType::bf16, KvType::int8, KvType::int8_head, KvType::fp8_e4m3};

} // namespace

class Attention : public ::testing::TestWithParam<Implementation> {};

TEST_P(Attention, QueriesAreRotatedNormedAndBiased) {
    for (std::size_t i = 0; i < shapes().size(); ++i) {
        AttentionCase entry(shapes()[i]);
        const Case shown = entry.showing(entry.query);
        const auto width = static_cast<std::size_t>(shown.program.vocab_size);
        CaseRunner tested(GetParam(), shown, {32});
        CaseRunner oracle(reference(), shown, {32});
        const double bound =
            2 * linear_bound(GetParam().quantized).own + linear_bound(GetParam().dense).own + kNormBound;
        for (const int rows : {1, 19, 3, 1, 6}) { // positions go on
            const auto tokens = token_run(rows, kNumTokens, rows);
            expect_close(tested.logits(tokens), oracle.logits(tokens), bound, width, "shape " + std::to_string(i));
        }
    }
}

TEST_P(Attention, CacheHoldsKeysAndValuesInItsType) {
    for (const KvType type : kTypes) {
        for (std::size_t i = 0; i < shapes().size(); ++i) {
            AttentionCase entry(shapes()[i]);
            const Case shown = entry.showing(entry.query);
            RunLimits limits{40};
            limits.kv_type = type;
            CaseRunner tested(GetParam(), shown, limits);
            CaseRunner oracle(reference(), shown, limits);
            ASSERT_TRUE(tested.usable());
            for (CaseRunner* runner : {&tested, &oracle}) {
                static_cast<void>(runner->logits(token_run(37, kNumTokens)));
                static_cast<void>(runner->logits(token_run(1, kNumTokens, 40)));
            }
            for (const int index : {0, 1}) { // full blocks
                const auto block = tested.block_of(0, index);
                const auto out = tested.pool().read_block({0}, block);
                const auto ref = oracle.pool().read_block({0}, block);
                ASSERT_TRUE(out && ref);
                expect_close(*out, *ref, stored_bound(GetParam(), type), ref->size() / 2,
                    std::string(kv_type_name(type)) + ", shape " + std::to_string(i));
            }
        }
    }
}

TEST_P(Attention, MixedBatchesOfChunksAndDecodeRowsAgree) {
    for (const KvType type : kTypes) {
        // Every shape on the default type; on the others those that differ in how the cache is walked.
        const std::size_t num_shapes = type == KvType::f16 ? shapes().size() : 3;
        for (std::size_t i = 0; i < num_shapes; ++i) {
            AttentionCase entry(shapes()[i]);
            const Case shown = entry.showing(entry.mixed);
            const auto width = static_cast<std::size_t>(shown.program.vocab_size);
            RunLimits limits{80, 3, 512};
            limits.kv_type = type;
            CaseRunner tested(GetParam(), shown, limits);
            CaseRunner oracle(reference(), shown, limits);
            const auto run = [](int count, int first) { return token_run(count, kNumTokens, first); };
            const std::vector<std::vector<Piece>> steps{{{0, run(37, 0)}}, {{0, run(20, 3)}, {1, run(5, 11)}},
                {{0, run(1, 7)}, {1, run(1, 2)}, {2, run(33, 5)}}, {{2, run(1, 1)}, {0, run(4, 9)}, {1, run(1, 30)}}};
            for (std::size_t s = 0; s < steps.size(); ++s) {
                const int padding = s % 2 == 0 ? 0 : 3;
                expect_close(tested.step(steps[s], {}, padding).logits, oracle.step(steps[s], {}, padding).logits,
                    attention_bound(GetParam(), type), width,
                    std::string(kv_type_name(type)) + ", shape " + std::to_string(i) + ", step " + std::to_string(s));
            }
        }
    }
}

/// Two layers of different groups: one sees everything, one a window whose blocks are given back as it moves on.
TEST_P(Attention, EachGroupOfLayersHasItsOwnBlocks) {
    if (!(*GetParam().make())->takes_kv_groups())
        GTEST_SKIP() << "keeps all layers in one group";
    constexpr int kWindow = 20;
    const HeadLayout heads{4, 2, 64};
    for (const KvType type : kTypes) {
        CaseBuilder builder(31);
        const std::int64_t query_dim = std::int64_t{heads.num_heads} * heads.head_dim;
        const std::int64_t kv_dim = std::int64_t{heads.num_kv_heads} * heads.head_dim;
        const ActivationId x = builder.input(Inputs::int8_exact, kNumTokens, kInputDim);
        const ActivationId query = builder.activation("query", query_dim);
        ActivationId mixed[2];
        for (int group = 0; group < 2; ++group) {
            const LayerId layer = builder.layer(heads.num_kv_heads, heads.head_dim, group);
            RopeKvEpilogue target{query, layer, heads, builder.rope(RopeStyle::neox, 64), {}, {}, {}, {}, {}};
            const WeightGroupId weights =
                builder.matrices(WeightRole::qkv, {q4_1, q4_1, q8_0}, {query_dim, kv_dim, kv_dim}, kInputDim);
            builder.op(LinearOp{x, NoPrologue{}, weights, target, RowSet::all});
            mixed[group] = builder.activation("mixed", query_dim);
            AttentionOp attention{query, mixed[group], layer, heads, 0.02F, 0, {}, {}, true};
            if (group == 1)
                attention.window_tokens = kWindow;
            builder.op(attention);
        }
        builder.op(AddOp{mixed[0], mixed[1], 1, {}});
        builder.observe(mixed[0]);
        const Case shown = builder.finish();
        RunLimits limits{80, 3, 256};
        limits.kv_type = type;
        CaseRunner tested(GetParam(), shown, limits);
        CaseRunner oracle(reference(), shown, limits);
        ASSERT_TRUE(tested.usable());
        for (CaseRunner* runner : {&tested, &oracle})
            runner->drop_blocks_behind(1, kWindow);
        const auto run = [](int count, int first) { return token_run(count, kNumTokens, first); };
        const std::vector<std::vector<Piece>> steps{{{0, run(37, 0)}}, {{0, run(20, 3)}, {1, run(5, 11)}},
            {{0, run(1, 7)}, {1, run(1, 2)}, {2, run(33, 5)}}, {{2, run(1, 1)}, {0, run(4, 9)}, {1, run(1, 30)}}};
        for (std::size_t s = 0; s < steps.size(); ++s)
            expect_close(tested.step(steps[s], {}, 2).logits, oracle.step(steps[s], {}, 2).logits,
                attention_bound(GetParam(), type), static_cast<std::size_t>(shown.program.vocab_size),
                std::string(kv_type_name(type)) + ", step " + std::to_string(s));
    }
}

TEST_P(Attention, EncodersSeeTheWholeSequence) {
    Shape shape;
    shape.causal = false;
    AttentionCase entry(shape);
    const Case shown = entry.showing(entry.mixed);
    if (!is_runnable(GetParam(), shown))
        GTEST_SKIP() << "declines attention to later tokens";
    const auto width = static_cast<std::size_t>(shown.program.vocab_size);
    const RunLimits limits{340, 3, 320};
    CaseRunner tested(GetParam(), shown, limits);
    CaseRunner oracle(reference(), shown, limits);
    // A long sequence with several query blocks and splits, a short one, one token.
    const std::vector<Piece> pieces{
        {0, token_run(300, kNumTokens)}, {1, token_run(5, kNumTokens, 9)}, {2, token_run(1, kNumTokens, 3)}};
    const std::vector<float> logits = tested.step(pieces).logits;
    expect_close(logits, oracle.step(pieces).logits, attention_bound(GetParam(), KvType::f16), width, "whole");
    // The first of five rows changes with the last: nothing hides it.
    CaseRunner changed(GetParam(), shown, limits);
    const std::vector<float> other = changed.step({{1, {9, 10, 11, 12, 40}}}).logits;
    ASSERT_EQ(other.size(), 5 * width);
    EXPECT_GT(norm_error(std::span(other).first(width), std::span(logits).subspan(300 * width, width)), 1e-3);
}

TEST_P(Attention, LongContextsCrossTheSplits) {
    AttentionCase entry(shapes()[1]);
    const Case shown = entry.showing(entry.mixed);
    const auto width = static_cast<std::size_t>(shown.program.vocab_size);
    const RunLimits limits{300, 2, 640};
    CaseRunner tested(GetParam(), shown, limits);
    CaseRunner oracle(reference(), shown, limits);
    for (const int rows : {255, 1, 1, 1, 254, 1, 3}) { // 256 and 512 tokens are crossed by one row each
        const std::vector<Piece> pieces{{0, token_run(rows, kNumTokens, rows)}, {1, {5}}};
        expect_close(tested.step(pieces).logits, oracle.step(pieces).logits, attention_bound(GetParam(), KvType::f16),
            width, "rows " + std::to_string(rows));
    }
}

/// Chunks of several tiles of queries and keys: whole ones, those that the newest rows see in part, and those that a window ends
/// in; beside a short sequence.
TEST_P(Attention, ChunksOfPromptsCrossTheTiles) {
    const std::vector<Shape> shapes{{{4, 1, 128}, RopeStyle::neox, 128}, {{6, 2, 64}, RopeStyle::interleaved},
        {{4, 1, 128}, RopeStyle::neox, 128, false, true, 0, 200},
        {{8, 1, 64}, RopeStyle::neox, 64, true, false, 0, 130, true, true}};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        AttentionCase entry(shapes[i]);
        const Case shown = entry.showing(entry.mixed);
        const auto width = static_cast<std::size_t>(shown.program.vocab_size);
        for (const KvType type : kTypes) {
            if (type != KvType::f16 && i + 1 < shapes.size())
                continue; // the other types: with a window and sinks
            RunLimits limits{220, 2, 400};
            limits.kv_type = type;
            CaseRunner tested(GetParam(), shown, limits);
            CaseRunner oracle(reference(), shown, limits);
            for (const int rows : {140, 75, 130}) { // 140, 215 and 345 tokens
                const std::vector<Piece> pieces{
                    {0, token_run(rows, kNumTokens, rows)}, {1, token_run(25, kNumTokens, 9)}};
                expect_close(tested.step(pieces).logits, oracle.step(pieces).logits, attention_bound(GetParam(), type),
                    width,
                    std::string(kv_type_name(type)) + ", shape " + std::to_string(i) + ", rows " +
                        std::to_string(rows));
            }
        }
    }
}

/// Slots of a block that hold no token of the sequence yet may hold anything, infinities too: nobody sees them, and they count
/// for nothing.
TEST_P(Attention, StaleSlotsCountForNothing) {
    constexpr int kBlocks = 16; // of 16 tokens
    const auto with_huge_row = [](CaseBuilder& builder) { // the last one's keys and values are beyond f16
        std::vector<float> values(static_cast<std::size_t>((kNumTokens + 1) * kInputDim));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const int code = i % 32 == 0 ? 127 : static_cast<int>(i * 37 % 255) - 127; // exact in 8 bits
            values[i] = i < values.size() - kInputDim ? static_cast<float>(code) / 64 : 1e6F;
        }
        const ActivationId input = builder.activation("input", kInputDim);
        const WeightGroupId rows = builder.table(WeightRole::embedding, kNumTokens + 1, kInputDim, values);
        builder.op(GatherOp{rows, input, 1, {}});
        return input;
    };
    for (const KvType type : {KvType::f16, KvType::int8}) { // types without a scale of the whole head
        for (const int head_dim : {64, 128}) {
            AttentionCase entry({{4, 1, head_dim}, RopeStyle::neox, head_dim}, with_huge_row);
            const Case shown = entry.showing(entry.mixed);
            RunLimits limits{kBlocks * 16, 2, kBlocks * 16};
            limits.kv_type = type;
            CaseRunner tested(GetParam(), shown, limits);
            CaseRunner oracle(reference(), shown, limits);
            ASSERT_TRUE(tested.usable());
            static_cast<void>(tested.step({{1, std::vector<std::int32_t>(kBlocks * 16, kNumTokens)}}));
            std::vector<BlockCopy> copies;
            for (int i = 0; i < kBlocks; ++i)
                copies.push_back({tested.block_of(1, i), tested.block_of(0, i)});
            ASSERT_TRUE(tested.pool().copy_blocks(copies));
            for (const int rows : {140, 75, 1}) {
                const std::vector<Piece> pieces{{0, token_run(rows, kNumTokens, rows)}};
                expect_close(tested.step(pieces).logits, oracle.step(pieces).logits, attention_bound(GetParam(), type),
                    static_cast<std::size_t>(shown.program.vocab_size),
                    std::string(kv_type_name(type)) + ", heads of " + std::to_string(head_dim) + ", rows " +
                        std::to_string(rows));
            }
        }
    }
}

TEST_P(Attention, OverwrittenDraftsAndCopiedBlocksAreReadAsTheyAre) {
    for (const KvType type : kTypes) {
        AttentionCase entry(shapes()[0]);
        const Case shown = entry.showing(entry.mixed);
        RunLimits limits{40, 2, 64};
        limits.kv_type = type;
        CaseRunner tested(GetParam(), shown, limits);
        ASSERT_TRUE(tested.usable());
        static_cast<void>(tested.logits(token_run(20, kNumTokens)));
        const std::vector<float> plain = tested.logits({50});
        tested.truncate(0, 20);
        static_cast<void>(tested.logits({7, 8, 9})); // drafts that will be rejected
        tested.truncate(0, 20);
        EXPECT_EQ(tested.logits({50}), plain) << kv_type_name(type);
        // Sequence 1 gets copies of sequence 0's blocks instead of computing them.
        const std::vector<BlockCopy> copies{
            {tested.block_of(0, 0), tested.block_of(1, 0)}, {tested.block_of(0, 1), tested.block_of(1, 1)}};
        ASSERT_TRUE(tested.pool().copy_blocks(copies));
        tested.truncate(1, 20);
        EXPECT_EQ(tested.step({{1, {50}}}).logits, plain) << kv_type_name(type);
    }
}

TEST_P(Attention, RowsAreBitEqualInEveryBatch) {
    if (!GetParam().batch_invariant)
        GTEST_SKIP() << "fast mode may choose kernels by batch size";
    AttentionCase entry(shapes()[1]);
    const Case shown = entry.showing(entry.mixed);
    const auto width = static_cast<std::size_t>(shown.program.vocab_size);
    const RunLimits limits{48, 3, 128};
    CaseRunner whole(GetParam(), shown, limits);
    CaseRunner chunked(GetParam(), shown, limits);
    const auto tokens = token_run(40, kNumTokens);
    const std::vector<float> at_once = whole.logits(tokens);
    std::vector<float> in_parts;
    for (const auto& [first, count] : {std::pair{0, 7}, std::pair{7, 1}, std::pair{8, 25}, std::pair{33, 7}}) {
        const std::vector<Piece> pieces{{1, token_run(2, kNumTokens, first)}, {0, token_run(count, kNumTokens, first)}};
        const std::vector<float> logits = chunked.step(pieces).logits;
        ASSERT_GT(logits.size(), 2 * width);
        in_parts.insert(in_parts.end(), logits.begin() + static_cast<std::ptrdiff_t>(2 * width), logits.end());
    }
    EXPECT_EQ(in_parts, at_once);
}

INSTANTIATE_TEST_SUITE_P(
    Conformance, Attention, ::testing::ValuesIn(implementations()), [](const auto& param) { return param.param.name; });

} // namespace vitrine::testing
