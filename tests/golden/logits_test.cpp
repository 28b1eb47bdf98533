// SPDX-License-Identifier: GPL-3.0-or-later
// Logits, arg maxima and likelihoods of whole models against a float64 forward pass over exactly dequantized weights, made
// by another program (make_reference.py).
#include <algorithm>
#include <cmath>

#include "app/cli/open_model.h"
#include "engine/lab/direct_model.h"
#include "engine/lab/text_scoring.h"
#include "tests/golden/golden_data.h"

namespace vitrine::testing {
namespace {

using engine::DirectModel;

struct PromptLogits {
    std::vector<float> last; // logits of the last position
    std::vector<int> argmax_each;
    std::vector<float> gap_each; // highest minus second
};

PromptLogits run_prompt(engine::DirectModel& model, const std::vector<engine::TokenId>& ids) {
    PromptLogits result;
    const auto fed = model.feed(0, 0, ids, [&](int, std::span<const float> logits) {
        result.last.assign(logits.begin(), logits.end());
        const auto best = std::max_element(logits.begin(), logits.end()) - logits.begin();
        float second = -1e30F;
        for (std::ptrdiff_t i = 0; i < std::ssize(logits); ++i)
            if (i != best)
                second = std::max(second, logits[i]);
        result.argmax_each.push_back(static_cast<int>(best));
        result.gap_each.push_back(logits[best] - second);
    });
    EXPECT_TRUE(fed) << fed.error().message;
    return result;
}

struct LogitBounds {
    double mean = 0;
    double max = 0;
    float clear_gap = 0; // where the gap is larger, the arg max must agree
};

void compare_with_reference(
    const GoldenModel& golden, const std::string& device, LogitBounds bounds, std::size_t count) {
    auto model = open_direct(model_options(golden, device), 256, 1);
    ASSERT_TRUE(model) << model.error().message;
    const auto records = golden_json(golden, "reference");
    ASSERT_GE(records.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto& record = records[i];
        SCOPED_TRACE(record["name"].get<std::string>());
        const auto ids = record["ids"].get<std::vector<engine::TokenId>>();
        const PromptLogits ours = run_prompt(*model, ids);
        const auto top20 = record["last_top20"].get<std::vector<std::pair<int, double>>>();
        double sum = 0, highest = 0;
        for (const auto& [id, logit] : top20) {
            const double difference = std::abs(ours.last[static_cast<std::size_t>(id)] - logit);
            sum += difference;
            highest = std::max(highest, difference);
        }
        EXPECT_LE(sum / 20, bounds.mean);
        EXPECT_LE(highest, bounds.max);
        const auto argmax = record["argmax_each"].get<std::vector<int>>();
        for (std::size_t p = 0; p < argmax.size(); ++p)
            if (ours.gap_each[p] > bounds.clear_gap) {
                EXPECT_EQ(ours.argmax_each[p], argmax[p]) << "position " << p << ", gap " << ours.gap_each[p];
            }
    }
}

/// Feeds the reference's own continuation, so that one near-tie does not hide what comes behind it.
void compare_greedy(const GoldenModel& golden, const std::string& device, double clear_gap) {
    auto model = open_direct(model_options(golden, device), 256, 1);
    ASSERT_TRUE(model) << model.error().message;
    for (const auto& record : golden_json(golden, "reference")) {
        SCOPED_TRACE(record["name"].get<std::string>());
        auto ids = record["ids"].get<std::vector<engine::TokenId>>();
        const auto greedy = record["greedy"].get<std::vector<engine::TokenId>>();
        const auto gaps = record["greedy_gap"].get<std::vector<double>>();
        const std::size_t prompt = ids.size();
        ids.insert(ids.end(), greedy.begin(), greedy.end());
        const PromptLogits ours = run_prompt(*model, ids);
        for (std::size_t i = 0; i < greedy.size(); ++i)
            if (gaps[i] > clear_gap) {
                EXPECT_EQ(ours.argmax_each[prompt - 1 + i], greedy[i]) << "step " << i << ", gap " << gaps[i];
            }
    }
}

void compare_likelihood(const GoldenModel& golden, const std::string& device, double bound, int max_windows) {
    auto model = open_direct(model_options(golden, device), 512, 1);
    ASSERT_TRUE(model) << model.error().message;
    const auto expected = golden_json(golden, "nll");
    const auto windows = engine::cut_windows(*model->session().text, licence_text(), 512, max_windows);
    ASSERT_TRUE(windows) << windows.error().message;
    for (std::size_t i = 0; i < windows->size(); ++i) {
        const auto& record = expected["windows"][i];
        std::int64_t ids_sum = 0;
        for (const auto id : (*windows)[i])
            ids_sum += id;
        EXPECT_EQ(ids_sum, record["ids_sum"].get<std::int64_t>()) << "the tokenizer differs";
        const auto score = engine::score_window(*model, (*windows)[i]);
        ASSERT_TRUE(score) << score.error().message;
        EXPECT_NEAR(score->mean_nll(), record["mean_nll"].get<double>(), bound) << "window " << i;
    }
}

// The project's bounds for a CPU are 0.12 and 0.45; the default for models of this size (16-bit activations) is far below
// them: mean 0.004, max 0.007 measured on SmolLM2.
constexpr LogitBounds kCpuBounds{0.02, 0.06, 0.3F};
// The reference backend computes and keeps everything in double.
constexpr LogitBounds kRefBounds{0.001, 0.001, 0.02F};

// Activations are f16 on a GPU at this size.
constexpr LogitBounds kGpuBounds{0.05, 0.2, 0.3F};

/// tests/gpu/goldens.sh runs these on the GPU machine.
class OnGpu : public ::testing::TestWithParam<GoldenModel> {
protected:
    void SetUp() override {
        if (const std::string why = why_no_gpu(); !why.empty())
            GTEST_SKIP() << why;
        if (!is_there(GetParam()))
            GTEST_SKIP() << path_of(GetParam()) << " is not there";
    }
};

TEST_P(OnGpu, AgreesWithTheReferenceLogits) {
    compare_with_reference(GetParam(), "cuda", kGpuBounds, golden_json(GetParam(), "reference").size());
}

TEST_P(OnGpu, ContinuesGreedilyAsTheReferenceDoes) {
    compare_greedy(GetParam(), "cuda", 0.5);
}

TEST_P(OnGpu, GivesTheReferenceLikelihood) {
    compare_likelihood(GetParam(), "cuda", 0.02, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Golden, OnGpu, ::testing::Values(smollm2(), gemma3()), [](const auto& model) { return model.param.name; });

TEST(SmolLm2OnCpu, AgreesWithTheReferenceLogits) {
    if (!is_there(smollm2()))
        GTEST_SKIP() << path_of(smollm2()) << " is not there";
    compare_with_reference(smollm2(), "cpu", kCpuBounds, 5);
}

TEST(SmolLm2OnCpu, ContinuesGreedilyAsTheReferenceDoes) {
    if (!is_there(smollm2()))
        GTEST_SKIP() << path_of(smollm2()) << " is not there";
    compare_greedy(smollm2(), "cpu", 0.5);
}

TEST(SmolLm2OnCpu, GivesTheReferenceLikelihood) {
    if (!is_there(smollm2()))
        GTEST_SKIP() << path_of(smollm2()) << " is not there";
    compare_likelihood(smollm2(), "cpu", 0.02, 0);
}

TEST(SmolLm2OnRef, AgreesWithTheReferenceLogits) {
    if (!is_there(smollm2()))
        GTEST_SKIP() << path_of(smollm2()) << " is not there";
    compare_with_reference(smollm2(), "ref", kRefBounds, 2);
}

TEST(Gemma3OnCpu, AgreesWithTheReferenceLogits) {
    if (!is_there(gemma3()))
        GTEST_SKIP() << path_of(gemma3()) << " is not there";
    compare_with_reference(gemma3(), "cpu", kCpuBounds, 4);
}

TEST(Gemma3OnCpu, ContinuesGreedilyAsTheReferenceDoes) {
    if (!is_there(gemma3()))
        GTEST_SKIP() << path_of(gemma3()) << " is not there";
    compare_greedy(gemma3(), "cpu", 0.5);
}

TEST(Gemma3OnCpu, GivesTheReferenceLikelihood) {
    if (!is_there(gemma3()))
        GTEST_SKIP() << path_of(gemma3()) << " is not there";
    compare_likelihood(gemma3(), "cpu", 0.02, 0);
}

TEST(Gemma3OnRef, AgreesWithTheReferenceLogits) {
    if (!is_there(gemma3()))
        GTEST_SKIP() << path_of(gemma3()) << " is not there";
    compare_with_reference(gemma3(), "ref", kRefBounds, 1);
}

} // namespace
} // namespace vitrine::testing
