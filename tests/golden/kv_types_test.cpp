// SPDX-License-Identifier: GPL-3.0-or-later
// What a smaller KV cache costs in likelihood and gives in memory, on both models.
#include "app/cli/open_model.h"
#include "engine/lab/direct_model.h"
#include "engine/lab/text_scoring.h"
#include "tests/golden/golden_data.h"

namespace vitrine::testing {
namespace {

constexpr int kWindow = 512;
constexpr std::size_t kWindows = 8; // on 256 tokens the loss moves by half a percent by chance

class KvTypes : public ::testing::TestWithParam<GoldenModel> {};

struct Scored {
    double mean_nll = 0;
    std::int64_t bytes_per_token = 0;
    std::int64_t computed_bytes_per_token = 0;
};

Scored score(const GoldenModel& golden, kernels::KvType type) {
    auto options = model_options(golden, "cpu");
    options.config.kv_type = type;
    options.config.max_seqs = 1;
    options.config.max_batch_tokens = 32; // the window is read back from the cache fifteen times of sixteen
    auto model = app::open_direct(options, kWindow, 1);
    EXPECT_TRUE(model) << model.error().message;
    const auto windows = engine::cut_windows(*model->session().text, whole_licence_text(), kWindow, kWindows);
    EXPECT_TRUE(windows);
    EXPECT_EQ(windows->size(), kWindows);
    double sum = 0;
    for (const auto& window : *windows) {
        const auto scored = engine::score_window(*model, window);
        EXPECT_TRUE(scored);
        sum += scored->mean_nll();
    }
    const engine::LoadedModel& loaded = *model->session().model;
    const auto geometry = model->session().runner->kv_geometry();
    const engine::ModelInfo& info = loaded.info;
    const std::int64_t heads = 2LL * info.num_layers * info.num_kv_heads; // K and V
    const std::int64_t scales = type == kernels::KvType::int8 ? 4 : 0; // one float a token and head
    const std::int64_t width = type == kernels::KvType::f16 || type == kernels::KvType::bf16 ? 2 : 1;
    Scored result;
    result.mean_nll = sum / static_cast<double>(windows->size());
    result.bytes_per_token = geometry.bytes_per_block / geometry.block_tokens;
    result.computed_bytes_per_token = heads * (info.head_dim * width + scales);
    return result;
}

TEST_P(KvTypes, CostLittleOfTheLossAndTheComputedMemory) {
    if (!is_there(GetParam()))
        GTEST_SKIP() << path_of(GetParam()) << " is not there";
    const Scored exact = score(GetParam(), kernels::KvType::f16);
    RecordProperty("f16", std::to_string(exact.mean_nll));
    EXPECT_EQ(exact.bytes_per_token, exact.computed_bytes_per_token);
    for (const auto type : {kernels::KvType::int8, kernels::KvType::int8_head, kernels::KvType::fp8_e4m3}) {
        const Scored scored = score(GetParam(), type);
        const std::string name(kernels::kv_type_name(type));
        RecordProperty(name, std::to_string(scored.mean_nll));
        EXPECT_NEAR(scored.mean_nll, exact.mean_nll, 0.005 * exact.mean_nll) << name;
        EXPECT_EQ(scored.bytes_per_token, scored.computed_bytes_per_token) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Models, KvTypes, ::testing::Values(smollm2(), gemma3()), [](const auto& model) { return model.param.name; });

} // namespace
} // namespace vitrine::testing
