// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/api/resolve.h"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vitrine::kernels {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Accepts what a test says; makes nothing.
class PickyBackend final : public Backend {
public:
    using Accepts = std::function<bool(const Op&)>;
    explicit PickyBackend(Accepts accepts) : accepts_(std::move(accepts)) {}

    [[nodiscard]] DeviceInfo device() const override { return {"picky", "Picky", "none", 0, 0, 0}; }
    [[nodiscard]] Verdict check(const Program&, const Op& op, Numerics) const override {
        if (accepts_(op))
            return Accepted{"kernel"};
        return Declined{"no kernel"};
    }
    [[nodiscard]] Footprint estimate(const Program&, const KvSpec&, const StepLimits&) const override { return {}; }
    Result<void> upload(const Program&, WeightGroupId, WeightGroupBytes) override { return {}; }
    [[nodiscard]] std::int64_t held_weight_bytes() const noexcept override { return 0; }
    Result<std::unique_ptr<KvPool>> make_kv_pool(const KvSpec&, int) override {
        return fail(ErrorCode::unsupported, "none");
    }
    Result<std::unique_ptr<Executable>> compile(const Program&, KvPool&, const StepLimits&, Numerics) override {
        return fail(ErrorCode::unsupported, "none");
    }

private:
    Accepts accepts_;
};

bool is_floor(const Op& op) {
    return !std::holds_alternative<LinearOp>(op);
}

/// One layer's worth of fused ops.  Weights: 0 embedding, 1 gain, 2 qkv, 3 output, 4 gate and up, 5 head.
Program layer_program() {
    Program program;
    program.activations = {{"residual", 64}, {"query", 64}, {"mixed", 64}, {"gated", 96}, {"logits", 100}};
    const auto member = [](const char* name, std::int64_t out, std::int64_t in, WeightFormat format) {
        return WeightMember{name, out, in, format};
    };
    program.weights = {{WeightRole::embedding, {member("token_embd.weight", 100, 64, WeightFormat::q8_0)}},
        {WeightRole::vector, {member("norm.weight", 1, 64, WeightFormat::f32)}},
        {WeightRole::qkv,
            {member("blk.0.attn_q.weight", 64, 64, WeightFormat::q4_1),
                member("blk.0.attn_k.weight", 32, 64, WeightFormat::q4_1),
                member("blk.0.attn_v.weight", 32, 64, WeightFormat::q8_0)}},
        {WeightRole::plain, {member("blk.0.attn_output.weight", 64, 64, WeightFormat::q4_1)}},
        {WeightRole::gate_up,
            {member("blk.0.ffn_gate.weight", 96, 64, WeightFormat::q4_1),
                member("blk.0.ffn_up.weight", 96, 64, WeightFormat::q4_1)}},
        {WeightRole::head, {member("output.weight", 100, 64, WeightFormat::q8_0)}}};
    program.ropes = {{RopeStyle::neox, 32, std::vector<double>(16, 1.0), 1}};
    program.kv_layers = {{1, 32}};
    program.vocab_size = 100;
    const RmsNormPrologue norm{{1}, 1e-5F};
    const ActivationId residual{0};
    const HeadLayout heads{2, 1, 32};
    AddResidualEpilogue add{residual, {}, norm, norm, 0.5F};
    program.ops = {GatherOp{{0}, residual, 1, norm},
        LinearOp{residual, norm, {2}, RopeKvEpilogue{{1}, {0}, heads, {0}, {}, {1}, {}, norm, norm}, RowSet::all},
        AttentionOp{{1}, {2}, {0}, heads, 0.1F, 0, {}}, LinearOp{{2}, NoPrologue{}, {3}, add, RowSet::all},
        LinearOp{residual, norm, {4}, GatedEpilogue{{3}, GateKind::silu}, RowSet::all},
        LinearOp{residual, norm, {5}, LogitsEpilogue{{4}, 1, 0}, RowSet::needs_logits}, SamplingOp{{4}}};
    return program;
}

std::vector<std::string> described(const Program& program) {
    std::vector<std::string> texts;
    for (const Op& op : program.ops)
        texts.push_back(describe(program, op));
    return texts;
}

} // namespace

TEST(Resolve, DescribesOpsInAFewWords) {
    EXPECT_THAT(described(layer_program()),
        ElementsAre("gather q8_0", "linear q4_1+q4_1+q8_0 rms_norm qk_norm rope_kv", "attention",
            "linear q4_1 post_norm add_residual", "linear q4_1+q4_1 rms_norm gated_silu", "linear q8_0 rms_norm logits",
            "sampling"));
}

TEST(Resolve, KeepsAProgramThatEveryOpOfIsAccepted) {
    const PickyBackend backend([](const Op&) { return true; });
    const auto resolved = resolve(layer_program(), backend, Numerics::fast);
    ASSERT_TRUE(resolved);
    EXPECT_EQ(described(resolved->program), described(layer_program()));
    ASSERT_EQ(resolved->kernels.size(), 7U);
    EXPECT_EQ(resolved->kernels[3].op, "linear q4_1 post_norm add_residual blk.0.attn_output");
    EXPECT_TRUE(resolved->kernels[3].fused);
    EXPECT_EQ(resolved->program.activations.size(), 5U);
}

TEST(Resolve, TakesEverythingApartDownToTheFloor) {
    const PickyBackend backend([](const Op&) { return true; });
    const auto resolved = resolve(layer_program(), backend, Numerics::fast, true);
    ASSERT_TRUE(resolved);
    EXPECT_THAT(described(resolved->program),
        ElementsAre("gather q8_0", "norm", "linear q4_1 member", "linear q4_1 bias member", "linear q8_0 member",
            "norm heads", "norm heads", "rope", "rope", "kv_write", "attention", "linear q4_1 member", "norm", "add",
            "norm", "linear q4_1 member", "linear q4_1 member", "gate silu", "norm", "linear q8_0 member", "sampling"));
    EXPECT_EQ(resolved->kernels.size(), resolved->program.ops.size());
    EXPECT_FALSE(resolved->kernels[1].fused);
    EXPECT_EQ(resolved->kernels[1].reason, "decomposed on request");
}

TEST(Resolve, DecomposesOnlyWhatIsDeclinedAndSaysWhy) {
    const PickyBackend backend([](const Op& op) {
        const auto* linear = std::get_if<LinearOp>(&op);
        return linear == nullptr || !std::holds_alternative<GatedEpilogue>(linear->epilogue);
    });
    const auto resolved = resolve(layer_program(), backend, Numerics::fast);
    ASSERT_TRUE(resolved);
    EXPECT_THAT(described(resolved->program),
        ElementsAre("gather q8_0", "linear q4_1+q4_1+q8_0 rms_norm qk_norm rope_kv", "attention",
            "linear q4_1 post_norm add_residual", "norm", "linear q4_1 member", "linear q4_1 member", "gate silu",
            "linear q8_0 rms_norm logits", "sampling"));
    EXPECT_EQ(resolved->kernels[5].reason, "no kernel");
    EXPECT_TRUE(resolved->kernels[8].fused);
}

TEST(Resolve, ReachesTheFloorFromEveryOp) {
    const PickyBackend backend(is_floor);
    EXPECT_TRUE(resolve(layer_program(), backend, Numerics::fast).has_value());
}

TEST(Resolve, NamesOpTensorAndBackendWhenNothingIsLeft) {
    const PickyBackend backend([](const Op& op) {
        const auto* member = std::get_if<MemberLinearOp>(&op);
        return member != nullptr ? member->weights.value != 3 : is_floor(op);
    });
    const auto resolved = resolve(layer_program(), backend, Numerics::fast);
    ASSERT_FALSE(resolved);
    EXPECT_EQ(resolved.error().code, ErrorCode::unsupported);
    EXPECT_THAT(resolved.error().message, HasSubstr("picky"));
    EXPECT_THAT(resolved.error().message, HasSubstr("q4_1"));
    EXPECT_THAT(resolved.error().message, HasSubstr("blk.0.attn_output"));
    EXPECT_FALSE(resolved.error().remedy.empty());
}

TEST(Decompose, ResidualKeepsBiasPostNormAndScale) {
    Program program = layer_program();
    auto linear = std::get<LinearOp>(program.ops[3]);
    std::get<AddResidualEpilogue>(linear.epilogue).bias = {1};
    const std::vector<Op> pieces = decompose(program, linear);
    ASSERT_EQ(pieces.size(), 3U);
    const auto& store = std::get<StoreEpilogue>(std::get<LinearOp>(pieces[0]).epilogue);
    EXPECT_EQ(store.bias.value, 1);
    EXPECT_EQ(std::get<NormOp>(pieces[1]).input, store.output);
    EXPECT_EQ(std::get<NormOp>(pieces[1]).output, store.output);
    EXPECT_EQ(std::get<AddOp>(pieces[2]).source, store.output);
    EXPECT_EQ(std::get<AddOp>(pieces[2]).target.value, 0);
    EXPECT_EQ(std::get<AddOp>(pieces[2]).scale, 0.5F);
    EXPECT_EQ(program.activations.back().dim, 64);
}

TEST(Decompose, ScratchActivationsAreSharedByOpsOfOneShape) {
    Program program = layer_program();
    static_cast<void>(decompose(program, program.ops[4]));
    const std::size_t once = program.activations.size();
    static_cast<void>(decompose(program, Op(program.ops[4])));
    EXPECT_EQ(program.activations.size(), once);
}

// No op of the floor scales or caps logits, so such a head stays whole once its norm is off.
TEST(Decompose, CappedLogitsLoseOnlyTheirNorm) {
    Program program = layer_program();
    auto linear = std::get<LinearOp>(program.ops[5]);
    std::get<LogitsEpilogue>(linear.epilogue).softcap = 30;
    const std::vector<Op> pieces = decompose(program, linear);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_TRUE(std::holds_alternative<NormOp>(pieces[0]));
    EXPECT_TRUE(decompose(program, pieces[1]).empty());
}

TEST(Decompose, FloorOpsAreWhole) {
    Program program = layer_program();
    for (const Op& op : {Op(AttentionOp{}), Op(SamplingOp{}), Op(NormOp{}), Op(RopeOp{}), Op(KvWriteOp{}), Op(AddOp{}),
             Op(GateOp{}), Op(MemberLinearOp{}), Op(GatherOp{})})
        EXPECT_TRUE(decompose(program, op).empty());
}

} // namespace vitrine::kernels
