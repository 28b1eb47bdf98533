// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle itself, against values worked out by hand or by the formula named.
#include "kernels/ref/ref_backend.h"

#include <cmath>
#include <cstring>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/ref/kv_codec.h"
#include "kernels/ref/ref_attention.h"
#include "kernels/ref/ref_floor_ops.h"
#include "kernels/ref/ref_kv_pool.h"
#include "kernels/ref/ref_linear.h"

namespace vitrine::kernels {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

KvSpec one_layer(KvType type, int head_dim = 2) {
    return {type, 16, {{1, head_dim}}};
}

std::span<const std::byte> bytes_of(const std::vector<float>& values) {
    return std::as_bytes(std::span(values));
}

/// gather (table 2 x 2) -> head (unit matrix), vocabulary 2.
Program tiny_program() {
    Program program;
    program.activations = {{"x", 2}, {"logits", 2}};
    program.weights = {{WeightRole::embedding, {{"table", 2, 2, WeightFormat::f32}}},
        {WeightRole::head, {{"head", 2, 2, WeightFormat::f32}}}};
    program.ops = {GatherOp{{0}, {0}, 2, {}},
        LinearOp{{0}, NoPrologue{}, {1}, LogitsEpilogue{{1}, 0.5F, 10}, RowSet::needs_logits}, SamplingOp{{1}}};
    program.vocab_size = 2;
    program.max_positions = 16;
    return program;
}

struct TinyRun {
    std::unique_ptr<Backend> backend = make_ref_backend();
    Program program = tiny_program();
    std::unique_ptr<KvPool> pool;
    std::unique_ptr<Executable> executable;

    TinyRun() {
        const std::vector<float> table{1, 2, 30, -40};
        const std::vector<float> unit{1, 0, 0, 1};
        const std::vector<std::span<const std::byte>> first{bytes_of(table)};
        const std::vector<std::span<const std::byte>> second{bytes_of(unit)};
        EXPECT_TRUE(backend->upload(program, {0}, first));
        EXPECT_TRUE(backend->upload(program, {1}, second));
        pool = *backend->make_kv_pool({KvType::f16, 16, {}}, 2);
        executable = *backend->compile(program, *pool, {4, 2, 4, 16}, Numerics::fast);
    }
};

} // namespace

TEST(RefLinear, MultipliesAndAddsTheBias) {
    const RefMatrix weights{2, 3, {1, 2, 3, -1, 0, 0.5F}};
    const std::vector<double> x{1, 10, 100, 2, 0, 4};
    const std::vector<float> bias{0.25F, -1};
    EXPECT_THAT(multiply(weights, x, bias, 1), ElementsAre(321.25, 48, 14.25, -1));
}

TEST(RefLinear, RowsAreBitEqualInEveryBatch) {
    RefMatrix weights{3, 29, {}};
    for (int i = 0; i < 3 * 29; ++i)
        weights.values.push_back(static_cast<float>(std::sin(i)));
    std::vector<double> x;
    for (int i = 0; i < 29 * 6; ++i)
        x.push_back(std::cos(i));
    const std::vector<double> batch = multiply(weights, x, {}, 1);
    for (std::size_t row = 0; row < 6; ++row) {
        const std::vector<double> alone = multiply(weights, std::span(x).subspan(row * 29, 29), {}, 1);
        for (std::size_t o = 0; o < 3; ++o)
            EXPECT_EQ(alone[o], batch[row * 3 + o]);
    }
}

TEST(RefLinear, ResultsDoNotDependOnTheThreads) {
    RefMatrix weights{257, 4099, {}};
    for (int i = 0; i < 257 * 4099; ++i)
        weights.values.push_back(static_cast<float>(std::sin(i)));
    std::vector<double> x(4099 * 3);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = std::cos(static_cast<double>(i));
    EXPECT_EQ(multiply(weights, x, {}, 3), multiply(weights, x, {}, 1));
}

TEST(RefFloorOps, NormDividesByTheRootMeanSquare) {
    std::vector<double> values{3, 4, 0, 0}; // groups of two: rms 3.5355 and 0
    rms_norm(values, std::vector<float>{1, 2}, 1e-6F);
    EXPECT_NEAR(values[0], 3 / std::sqrt(12.5 + 1e-6), 1e-9);
    EXPECT_NEAR(values[1], 8 / std::sqrt(12.5 + 1e-6), 1e-9);
    EXPECT_EQ(values[2], 0);
}

TEST(RefFloorOps, RotationPairsFollowTheStyle) {
    RopeSpec rope{RopeStyle::neox, 4, {1.0, 0.5}, 1};
    const std::vector<std::int32_t> positions{2};
    std::vector<double> values{1, 0, 0, 1, 7}; // head of five, the last passes through
    rotate(values, positions, 1, 5, rope);
    // pairs (0, 2) by 2 rad and (1, 3) by 1 rad
    EXPECT_THAT(values,
        ElementsAre(DoubleNear(std::cos(2.0), 1e-12), DoubleNear(-std::sin(1.0), 1e-12),
            DoubleNear(std::sin(2.0), 1e-12), DoubleNear(std::cos(1.0), 1e-12), 7));
    rope.style = RopeStyle::interleaved;
    rope.attention_factor = 3;
    values = {1, 0, 0, 1, 7}; // pairs (0, 1) and (2, 3)
    rotate(values, positions, 1, 5, rope);
    EXPECT_THAT(values,
        ElementsAre(DoubleNear(3 * std::cos(2.0), 1e-12), DoubleNear(3 * std::sin(2.0), 1e-12),
            DoubleNear(-3 * std::sin(1.0), 1e-12), DoubleNear(3 * std::cos(1.0), 1e-12), 7));
}

// silu(1) = 1 / (1 + e^-1); gelu_tanh(1) = 0.841192 (PyTorch's documentation formula).
TEST(RefFloorOps, GatesMatchTheirFormulas) {
    EXPECT_NEAR(gated(GateKind::silu, 1, 2), 2 * 0.7310585786300049, 1e-12);
    EXPECT_NEAR(gated(GateKind::gelu_tanh, 1, 1), 0.8411919906082768, 1e-9);
    EXPECT_NEAR(soft_capped(10, 5), 5 * std::tanh(2.0), 1e-12);
    EXPECT_EQ(soft_capped(10, 0), 10);
}

// Two keys of scores 0 and ln 3: weights 1/4 and 3/4.
TEST(RefAttention, WeighsValuesBySoftmaxAndHidesWhatIsAhead) {
    RefKvPool pool(one_layer(KvType::f16), 3);
    const std::vector<std::int32_t> slots{32, 33}; // block 2
    pool.write({0}, slots, std::vector<double>{0, 0, 1, 0}, std::vector<double>{4, 0, 8, 16});
    const std::vector<std::int32_t> starts{0, 2};
    const std::vector<std::int32_t> contexts{2};
    const std::vector<std::int32_t> table{2};
    StepArgs step;
    step.query_starts = starts;
    step.context_lens = contexts;
    step.block_tables = table;
    step.max_blocks = 1;
    AttentionOp op{{0}, {1}, {0}, {1, 1, 2}, 1, 0, {}};
    std::vector<double> output(4);
    const double log3 = std::log(3.0);
    attend(op, step, pool, std::vector<double>{log3, 5, log3, 5}, output);
    EXPECT_THAT(output, ElementsAre(4, 0, DoubleNear(7, 1e-6), DoubleNear(12, 1e-6)));
    op.window_tokens = 1;
    attend(op, step, pool, std::vector<double>{log3, 5, log3, 5}, output);
    EXPECT_THAT(output, ElementsAre(4, 0, 8, 16));
}

// engine.md 3.5: amax / 127, round half to even, amax 0 gives scale 0.
TEST(KvCodec, Int8FollowsItsRoundingRule) {
    const float scale = kv_scale(KvType::int8, 12.7F);
    EXPECT_FLOAT_EQ(scale, 0.1F);
    EXPECT_EQ(kv_int8_code(2.5F, 1), 2);
    EXPECT_EQ(kv_int8_code(3.5F, 1), 4);
    EXPECT_EQ(kv_int8_code(-1000, 1), -127);
    EXPECT_EQ(kv_int8_code(5, 0), 0);
}

TEST(RefKvPool, EveryTypeReturnsWhatItsRoundingLeaves) {
    const std::vector<std::int32_t> slots{16, 17};
    const std::vector<double> keys{1, -0.5, 0.001, 0};
    const std::vector<double> values{2, 3, 0, 0};
    for (const auto& [type, tolerance] : {std::pair{KvType::f16, 1e-3}, std::pair{KvType::bf16, 8e-3},
             std::pair{KvType::int8, 0.013}, std::pair{KvType::int8_head, 0.025}, std::pair{KvType::fp8_e4m3, 0.1}}) {
        RefKvPool pool(one_layer(type), 2);
        pool.write({0}, slots, keys, values);
        const auto block = pool.read_block({0}, 1);
        ASSERT_TRUE(block);
        ASSERT_EQ(block->size(), 2U * 16 * 2);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_NEAR((*block)[i], keys[i], tolerance) << kv_type_name(type);
            EXPECT_NEAR((*block)[32 + i], values[i], tolerance) << kv_type_name(type);
        }
    }
}

TEST(RefKvPool, ExactPoolRoundsNothing) {
    RefKvPool pool(one_layer(KvType::int8), 3, true);
    const double third = 1.0 / 3;
    pool.write({0}, std::vector<std::int32_t>{17}, std::vector<double>{third, -third}, std::vector<double>{1, 2});
    ASSERT_TRUE(pool.copy_blocks(std::vector<BlockCopy>{{1, 2}}));
    std::vector<double> row(2);
    pool.read({0}, KvPart::keys, 0, 2, 1, row.data());
    EXPECT_THAT(row, ElementsAre(third, -third));
}

TEST(RefKvPool, HeadScalesAreFixedByTheFirstRealRows) {
    RefKvPool pool(one_layer(KvType::int8_head), 2);
    const std::vector<double> large{100, 100};
    pool.write({0}, std::vector<std::int32_t>{3}, large, large); // padding: does not calibrate
    pool.write({0}, std::vector<std::int32_t>{16}, std::vector<double>{1, 0}, std::vector<double>{1, 0});
    pool.write({0}, std::vector<std::int32_t>{17}, large, large); // saturates
    const auto block = pool.read_block({0}, 1);
    ASSERT_TRUE(block);
    EXPECT_NEAR((*block)[0], 1, 0.006);
    // Rotated the first row is (1, 1) / sqrt 2, the large one (141, 0): its first element saturates, and half of that comes back.
    EXPECT_NEAR((*block)[2], kInt8HeadHeadroom / 2, 0.01);
    EXPECT_NEAR((*block)[3], kInt8HeadHeadroom / 2, 0.01);
}

TEST(RefKvPool, CopiesBlocksInOrderAndRefusesWhatIsOutside) {
    RefKvPool pool(one_layer(KvType::int8), 4);
    pool.write({0}, std::vector<std::int32_t>{16}, std::vector<double>{1, 2}, std::vector<double>{3, 4});
    const std::vector<BlockCopy> chain{{1, 2}, {2, 3}};
    ASSERT_TRUE(pool.copy_blocks(chain));
    EXPECT_EQ(*pool.read_block({0}, 3), *pool.read_block({0}, 1));
    EXPECT_FALSE(pool.copy_blocks(std::vector<BlockCopy>{{1, 4}}));
    EXPECT_FALSE(pool.read_block({0}, 4));
    EXPECT_FALSE(pool.read_block({1}, 0));
}

TEST(RefBackend, RunsAStepAndSamples) {
    TinyRun run;
    const std::vector<std::int32_t> tokens{0, 1}, positions{0, 1}, slots{16, 17}, starts{0, 2}, contexts{2}, table{1};
    const std::vector<std::int32_t> logit_rows{1};
    const std::vector<SamplingSequence> sampling{{.temperature = 0}};
    const auto ticket =
        run.executable->submit({tokens, positions, slots, starts, contexts, table, 1, logit_rows, sampling, true});
    ASSERT_TRUE(ticket);
    const auto result = run.executable->wait(*ticket);
    ASSERT_TRUE(result);
    // row 1: 2 * (30, -40), times 0.5, capped at 10
    EXPECT_THAT(result->logits,
        ElementsAre(
            ::testing::FloatNear(10 * std::tanh(3.0F), 1e-5F), ::testing::FloatNear(-10 * std::tanh(4.0F), 1e-5F)));
    EXPECT_EQ(result->sampled.at(0).tokens.at(0).token, 0);
    EXPECT_EQ(run.executable->kernels().size(), 3U);
}

TEST(RefBackend, RefusesInconsistentSteps) {
    TinyRun run;
    const std::vector<std::int32_t> tokens{2}, zero{0}, starts{0, 1}, contexts{1}, table{1};
    const auto unknown = run.executable->submit({tokens, zero, zero, starts, contexts, table, 1, zero, {}, true});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(unknown.error().message, HasSubstr("vocabulary"));
    const std::vector<std::int32_t> far{32};
    EXPECT_FALSE(run.executable->submit({zero, zero, far, starts, contexts, table, 1, zero, {}, true}));
    EXPECT_FALSE(run.executable->submit({zero, zero, {}, starts, contexts, table, 1, zero, {}, true}));
    EXPECT_FALSE(run.executable->wait({9}));
}

TEST(RefBackend, RefusesWrongSizesAndMissingWeights) {
    const auto backend = make_ref_backend();
    const Program program = tiny_program();
    const std::vector<float> table{1, 2, 3};
    const std::vector<std::span<const std::byte>> bytes{bytes_of(table)};
    const auto short_upload = backend->upload(program, {0}, bytes);
    ASSERT_FALSE(short_upload);
    EXPECT_THAT(short_upload.error().message, HasSubstr("table"));
    EXPECT_FALSE(backend->upload(program, {0}, {}));
    EXPECT_FALSE(backend->upload(program, {7}, bytes));
    const auto pool = backend->make_kv_pool({KvType::f16, 16, {}}, 2);
    ASSERT_TRUE(pool);
    const auto early = backend->compile(program, **pool, {1, 1, 1, 16}, Numerics::fast);
    ASSERT_FALSE(early);
    EXPECT_THAT(early.error().message, HasSubstr("not uploaded"));
    EXPECT_FALSE(backend->make_kv_pool({KvType::f16, 16, {}}, 0));
}

} // namespace vitrine::kernels
