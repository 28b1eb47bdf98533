// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/api/cut_program.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/api/op_ids.h"

namespace vitrine::kernels {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kLayers = 3;

/// Three layers with a tied head.  Groups: 0 table, 1 gain of all norms, then qkv, output, gate and up, down of each layer.
Program three_layers() {
    Program program;
    program.activations = {{"residual", 64}, {"query", 64}, {"mixed", 64}, {"gated", 96}, {"logits", 100}};
    const auto member = [](std::int64_t out, std::int64_t in) { return WeightMember{"w", out, in, WeightFormat::f32}; };
    program.weights = {{WeightRole::tied_head, {member(100, 64)}}, {WeightRole::vector, {member(1, 64)}}};
    program.ropes = {{RopeStyle::neox, 32, std::vector<double>(16, 1.0), 1}};
    program.vocab_size = 100;
    const RmsNormPrologue norm{{1}, 1e-5F};
    const HeadLayout heads{2, 1, 32};
    const ActivationId residual{0};
    program.ops = {GatherOp{{0}, residual, 1, norm}};
    for (std::int32_t layer = 0; layer < kLayers; ++layer) {
        const std::int32_t first = 2 + 4 * layer;
        program.kv_layers.push_back({1, 32});
        program.weights.push_back({WeightRole::qkv, {member(64, 64), member(32, 64), member(32, 64)}});
        program.weights.push_back({WeightRole::plain, {member(64, 64)}});
        program.weights.push_back({WeightRole::gate_up, {member(96, 64), member(96, 64)}});
        program.weights.push_back({WeightRole::plain, {member(64, 96)}});
        program.ops.insert(program.ops.end(),
            {LinearOp{residual, norm, {first}, RopeKvEpilogue{{1}, {layer}, heads, {0}}},
                AttentionOp{{1}, {2}, {layer}, heads, 0.1F, 0, {}},
                LinearOp{{2}, NoPrologue{}, {first + 1}, AddResidualEpilogue{residual, {}, {}, norm}},
                LinearOp{residual, norm, {first + 2}, GatedEpilogue{{3}}},
                LinearOp{{3}, NoPrologue{}, {first + 3}, AddResidualEpilogue{residual, {}, {}, norm}}});
    }
    program.ops.push_back(LinearOp{residual, norm, {0}, LogitsEpilogue{{4}}, RowSet::needs_logits});
    program.ops.push_back(SamplingOp{{4}});
    return program;
}

TEST(CutProgram, GivesEachPartItsLayersAndWeightsAlone) {
    const auto parts = cut_program(three_layers(), 1);
    ASSERT_TRUE(parts) << parts.error().message;
    const Program& front = parts->front.program;
    const Program& back = parts->back.program;
    EXPECT_EQ(front.ops.size(), 1U + 5U);
    EXPECT_EQ(back.ops.size(), 2U * 5U + 2U);
    EXPECT_EQ(front.kv_layers.size(), 1U);
    EXPECT_EQ(back.kv_layers.size(), 2U);
    EXPECT_EQ(parts->back.first_layer, 1);
    EXPECT_EQ(front.activations[static_cast<std::size_t>(front.output.value)].name, "residual");
    EXPECT_EQ(back.activations[static_cast<std::size_t>(back.input.value)].name, "residual");
    EXPECT_FALSE(front.input.valid());
    EXPECT_FALSE(back.output.valid());
    EXPECT_EQ(front.activations.size(), 4U) << "no logits";
    std::vector<std::int32_t> whole;
    for (const WeightGroupId id : parts->front.groups)
        whole.push_back(id.value);
    EXPECT_THAT(whole, ElementsAre(0, 2, 1, 3, 4, 5));
    EXPECT_EQ(parts->back.groups.size(), 2U + 8U); // table and gain come to both
    const auto& first = std::get<LinearOp>(back.ops.front());
    EXPECT_EQ(std::get<RopeKvEpilogue>(first.epilogue).layer, LayerId{0});
}

TEST(CutProgram, StoresATiedTableForTheUseThatAPartHas) {
    const auto parts = cut_program(three_layers(), 2);
    ASSERT_TRUE(parts) << parts.error().message;
    EXPECT_EQ(parts->front.program.weights[0].role, WeightRole::embedding);
    const auto& groups = parts->back.groups;
    const auto table =
        static_cast<std::size_t>(std::find(groups.begin(), groups.end(), WeightGroupId{0}) - groups.begin());
    EXPECT_EQ(parts->back.program.weights[table].role, WeightRole::head);
}

TEST(CutProgram, NamesNothingOutsideAPart) {
    for (int layers = 1; layers < kLayers; ++layers) {
        const auto parts = cut_program(three_layers(), layers);
        ASSERT_TRUE(parts) << parts.error().message;
        for (const Program* program : {&parts->front.program, &parts->back.program}) {
            for (const Op& op : program->ops) {
                visit_ids(op, [&](const auto& id, auto...) {
                    using Id = std::decay_t<decltype(id)>;
                    if constexpr (std::is_same_v<Id, ActivationId>)
                        EXPECT_LT(id.value, std::ssize(program->activations));
                    else if constexpr (std::is_same_v<Id, WeightGroupId>)
                        EXPECT_LT(id.value, std::ssize(program->weights));
                    else if constexpr (std::is_same_v<Id, LayerId>)
                        EXPECT_LT(id.value, std::ssize(program->kv_layers));
                    else
                        EXPECT_LT(id.value, std::ssize(program->ropes));
                });
            }
        }
    }
}

TEST(CutProgram, RefusesAPartWithoutLayers) {
    for (const int layers : {-1, 0, kLayers, kLayers + 1}) {
        const auto parts = cut_program(three_layers(), layers);
        ASSERT_FALSE(parts) << layers;
        EXPECT_EQ(parts.error().code, ErrorCode::invalid_argument);
        EXPECT_THAT(parts.error().message, HasSubstr(std::to_string(layers)));
    }
}

TEST(CutProgram, RefusesLayersThatShareMoreThanOneActivation) {
    Program program = three_layers();
    const ActivationId kept{static_cast<std::int32_t>(program.activations.size())};
    program.activations.push_back({"kept", 64});
    program.ops.insert(program.ops.begin(), GatherOp{{0}, kept});
    program.ops.insert(program.ops.end() - 2, AddOp{{0}, kept}); // behind all layers
    const auto parts = cut_program(program, 1);
    ASSERT_FALSE(parts);
    EXPECT_EQ(parts.error().code, ErrorCode::unsupported);
    EXPECT_THAT(parts.error().message, HasSubstr("2 activations"));
}

TEST(CutProgram, PartsOfHeadsThatMakeAWholeLeaveNothingOfTheLayerBefore) {
    for (const int second : {20, 19}) { // of 32 values of each head; one is kept with 19
        Program program = three_layers();
        const ActivationId joined{static_cast<std::int32_t>(program.activations.size())};
        program.activations.push_back({"joined", 64});
        // Every layer puts its rows together from two parts, and its attention reads them.
        for (std::size_t layer = kLayers; layer-- > 0;) {
            const auto place = program.ops.begin() + static_cast<std::ptrdiff_t>(1 + 5 * layer + 1);
            std::get<AttentionOp>(*place).query = joined;
            program.ops.insert(place,
                {HeadCopyOp{{1}, joined, 2, 2, 0, 0, 12, false}, HeadCopyOp{{1}, joined, 2, 2, 0, 12, second, false}});
        }
        const auto parts = cut_program(program, 1);
        EXPECT_EQ(parts.has_value(), second == 20);
        if (!parts)
            EXPECT_THAT(parts.error().message, HasSubstr("2 activations"));
    }
}

TEST(KvOfPart, HasThePartsLayersWithTheirGroups) {
    const auto parts = cut_program(three_layers(), 2);
    ASSERT_TRUE(parts) << parts.error().message;
    const KvSpec whole{KvType::int8, 32, {{1, 32, 0}, {1, 32, 1}, {1, 32, 1}}};
    const KvSpec front = kv_of_part(whole, parts->front);
    ASSERT_EQ(front.layers.size(), 2U);
    EXPECT_EQ(front.layers[1].group, 1);
    EXPECT_EQ(front.type, KvType::int8);
    const KvSpec back = kv_of_part(whole, parts->back);
    ASSERT_EQ(back.layers.size(), 1U);
    EXPECT_EQ(back.layers[0].group, 1);
    EXPECT_EQ(back.block_tokens, 32);
}

} // namespace
} // namespace vitrine::kernels
