// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <gtest/gtest.h>

#include "engine/model/rope_scaling.h"

namespace vitrine::engine {
namespace {

RopeConfig plain(double base, int rotary_dim) {
    RopeConfig rope;
    rope.base = base;
    rope.rotary_dim = rotary_dim;
    return rope;
}

TEST(MakeRope, GivesTheGeometricSeries) {
    const auto spec = make_rope(plain(10000, 64), kernels::RopeStyle::neox, {}, 2048);
    ASSERT_EQ(spec.inv_freq.size(), 32U);
    EXPECT_DOUBLE_EQ(spec.inv_freq[0], 1);
    EXPECT_NEAR(spec.inv_freq[16], 0.01, 1e-15); // 10000^(-32/64)
    EXPECT_DOUBLE_EQ(spec.attention_factor, 1);
}

TEST(MakeRope, DividesByTheLinearFactor) {
    RopeConfig rope = plain(1e6, 128);
    rope.scaling = RopeScaling::linear;
    rope.factor = 8;
    EXPECT_DOUBLE_EQ(make_rope(rope, kernels::RopeStyle::neox, {}, 131072).inv_freq[0], 0.125);
}

TEST(MakeRope, DividesByTheFactorsOfTheFile) {
    const std::vector<float> factors{1, 2, 4, 8};
    const auto spec = make_rope(plain(10000, 8), kernels::RopeStyle::interleaved, factors, 131072);
    EXPECT_NEAR(spec.inv_freq[3], std::pow(10000.0, -0.75) / 8, 1e-15);
}

// Values of transformers' _compute_yarn_parameters (base 10000, dim 128, factor 4, original 4096, beta 32 and 1): low 20,
// high 46, so pair 0 stays, pair 63 is interpolated, pair 33 lies half way.  Attention factor 0.1 ln 4 + 1.
TEST(MakeRope, BlendsByPartsUnderYarn) {
    RopeConfig rope = plain(10000, 128);
    rope.scaling = RopeScaling::yarn;
    rope.factor = 4;
    rope.original_context = 4096;
    const auto spec = make_rope(rope, kernels::RopeStyle::neox, {}, 16384);
    EXPECT_DOUBLE_EQ(spec.inv_freq[0], 1);
    EXPECT_NEAR(spec.inv_freq[63], std::pow(10000.0, -126.0 / 128) / 4, 1e-12);
    EXPECT_NEAR(spec.inv_freq[33], std::pow(10000.0, -66.0 / 128) * (0.5 + 0.5 / 4), 1e-12);
    EXPECT_NEAR(spec.attention_factor, 1.138629436, 1e-8);
}

TEST(MakeRope, GivesLongRopeItsAttentionFactor) {
    RopeConfig rope = plain(10000, 96);
    rope.scaling = RopeScaling::longrope;
    rope.original_context = 4096;
    // Phi-3.5: sqrt(1 + ln(131072 / 4096) / ln 4096) = 1.190238
    EXPECT_NEAR(make_rope(rope, kernels::RopeStyle::neox, {}, 131072).attention_factor, 1.1902380, 1e-6);
}

} // namespace
} // namespace vitrine::engine
