// SPDX-License-Identifier: GPL-3.0-or-later
// Whole forward passes of small random models: against the double-precision reference, and against themselves in other
// batches, chunks and thread counts.
#include <cmath>
#include <gtest/gtest.h>

#include "kernels/api/cpu_isa.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/ref/ref_backend.h"
#include "tests/kernels/cpu/random_model.h"

namespace vitrine::kernels::testing {
namespace {

constexpr StepLimits kLimits{320, 20, 20, 640};

std::unique_ptr<Backend> cpu(const std::string& isa, int threads = 2) {
    CpuOptions options;
    options.isa = isa;
    options.num_threads = threads;
    options.pin_threads = false;
    auto backend = make_cpu_backend(options);
    return backend ? std::move(*backend) : nullptr;
}

bool has_isa(const std::string& isa) {
    return vitrine::kernels::choose_cpu_isa(isa).has_value();
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        difference += std::pow(static_cast<double>(a[i]) - b[i], 2);
        size += std::pow(static_cast<double>(b[i]), 2);
    }
    return std::sqrt(difference / size);
}

std::vector<std::int32_t> prompt(int length, int salt = 0) {
    std::vector<std::int32_t> tokens;
    for (int i = 0; i < length; ++i)
        tokens.push_back((i * 31 + 5 + salt * 13) % 77);
    return tokens;
}

/// Logits after a prompt, then after one more token.
std::vector<float> two_steps(ModelSession& session, int length) {
    std::vector<float> logits = session.step({{0, 0, prompt(length)}});
    const std::vector<float> more = session.step({{0, length, {3}}});
    logits.insert(logits.end(), more.begin(), more.end());
    return logits;
}

class CpuModel : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (!has_isa(GetParam()))
            GTEST_SKIP() << "this CPU lacks " << GetParam();
    }
    /// Against the reference: two-plane activations carry 16 bits, so little but the cache's rounding is left.
    void expect_near_reference(const ModelShape& shape, KvType kv, int length, double limit, Numerics mode) {
        const RandomModel model = make_random_model(shape);
        ModelSession reference(make_ref_backend(), model, kLimits, mode, kv);
        ModelSession session(cpu(GetParam()), model, kLimits, mode, kv);
        const double e = distance(two_steps(session, length), two_steps(reference, length));
        EXPECT_LT(e, limit) << format_info(shape.format).name << " " << kv_type_name(kv);
    }
};

TEST_P(CpuModel, MatchesTheReferenceInEveryFormat) {
    for (int f = 0; f < kNumWeightFormats; ++f) {
        ModelShape shape;
        shape.format = static_cast<WeightFormat>(f);
        shape.head_format = shape.format;
        if (format_info(shape.format).block_weights == 256) {
            shape.dim = 256;
            shape.ff_dim = 512;
            shape.num_heads = 16;
        }
        expect_near_reference(shape, KvType::f16, 19, 1e-3, Numerics::exact);
        expect_near_reference(shape, KvType::f16, 19, 3e-2, Numerics::fast);
    }
}

TEST_P(CpuModel, MatchesTheReferenceInEveryCacheType) {
    // Codes near a rounding boundary may differ from the reference's, whose values differ in the last bits.
    const double limits[kNumKvTypes] = {1e-3, 2e-3, 6e-3, 6e-3, 4e-2};
    for (int type = 0; type < kNumKvTypes; ++type)
        expect_near_reference({}, static_cast<KvType>(type), 40, limits[type], Numerics::exact);
}

TEST_P(CpuModel, MatchesTheReferenceInEveryArchitecture) {
    ModelShape qwen;
    qwen.qwen = true;
    qwen.rope = RopeStyle::neox;
    qwen.head_dim = 32;
    expect_near_reference(qwen, KvType::f16, 70, 1e-3, Numerics::exact);
    ModelShape gemma;
    gemma.gemma = true;
    gemma.window = 24;
    gemma.rope = RopeStyle::neox;
    gemma.head_dim = 48;
    gemma.num_kv_heads = 1;
    gemma.vocab = 77; // no multiple of a band
    expect_near_reference(gemma, KvType::f16, 300, 1e-3, Numerics::exact);
}

TEST_P(CpuModel, GivesTheSameBitsInAnyBatchChunkAndThreadCount) {
    ModelShape shape;
    shape.window = 280;
    const RandomModel model = make_random_model(shape);
    constexpr int kLength = 300; // beyond one split of keys
    ModelSession whole(cpu(GetParam(), 1), model, kLimits, Numerics::fast);
    const std::vector<float> expected = two_steps(whole, kLength);
    const std::vector<float> after_prompt(expected.begin(), expected.begin() + shape.vocab);

    ModelSession pieces(cpu(GetParam(), 3), model, kLimits, Numerics::fast);
    const std::vector<std::int32_t> tokens = prompt(kLength);
    std::vector<float> last;
    int position = 0;
    for (const int size : {1, 2, 5, 7, 3, 128, 33, 17, 9, 60, 31, 1, 1, 1, 1}) {
        // A batch mate of another length in every step.
        last = pieces.step({{1, 0, prompt(size % 6 + 1, 9)},
            {0, position, {tokens.begin() + position, tokens.begin() + position + size}}});
        position += size;
    }
    ASSERT_EQ(position, kLength);
    EXPECT_EQ(std::vector<float>(last.begin() + shape.vocab, last.end()), after_prompt);
    const std::vector<float> decoded = pieces.step({{1, 0, prompt(4, 9)}, {0, kLength, {3}}});
    EXPECT_EQ(std::vector<float>(decoded.begin() + shape.vocab, decoded.end()),
        std::vector<float>(expected.begin() + shape.vocab, expected.end()));
}

TEST_P(CpuModel, GivesTheSameValuesWhenEveryOpIsDecomposed) {
    for (const bool gemma : {false, true}) {
        ModelShape shape;
        shape.gemma = gemma;
        shape.qwen = !gemma;
        const RandomModel model = make_random_model(shape);
        ModelSession fused(cpu(GetParam()), model, kLimits, Numerics::fast);
        ModelSession floor(cpu(GetParam()), model, kLimits, Numerics::fast, KvType::f16, true);
        EXPECT_LT(distance(two_steps(floor, 37), two_steps(fused, 37)), 1e-6);
    }
}

TEST_P(CpuModel, SamplesTheFirstLargestLogit) {
    const RandomModel model = make_random_model({});
    ModelSession session(cpu(GetParam()), model, kLimits, Numerics::fast);
    const std::vector<float> logits = session.step({{0, 0, prompt(9)}});
    const auto best = std::max_element(logits.begin(), logits.end()) - logits.begin();
    EXPECT_EQ(session.sampled, std::vector<std::int32_t>{static_cast<std::int32_t>(best)});
}

INSTANTIATE_TEST_SUITE_P(Isa, CpuModel, ::testing::Values("scalar", "avx2", "avxvnni", "avx512", "amx"),
    [](const auto& param) { return param.param; });

} // namespace
} // namespace vitrine::kernels::testing
