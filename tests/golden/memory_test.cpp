// SPDX-License-Identifier: GPL-3.0-or-later
// What the plan of a load foretells against what the system counts: private pages of this process after the load and after
// steps that fill the KV pool and every buffer.  Both real models, and shapes made here.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <malloc.h>
#include <numeric>
#include <unistd.h>

#include "engine/core/load_job.h"
#include "engine/core/model_session.h"
#include "engine/model/synthetic_model.h"
#include "tests/golden/golden_data.h"

namespace vitrine::testing {
namespace {

constexpr double kLargestError = 0.03;
constexpr int kNumBlocks = 64;

/// Pages that belong to this process alone, mapped files left out.
std::int64_t private_bytes() {
    ::malloc_trim(0);
    std::ifstream status("/proc/self/status");
    for (std::string key; status >> key;) {
        std::int64_t kibibytes = 0;
        if (key == "RssAnon:" && status >> kibibytes)
            return kibibytes * 1024;
    }
    ADD_FAILURE() << "/proc/self/status has no RssAnon line";
    return 0;
}

/// One sequence through the whole pool, in the widest steps there are, the first with as many logits as there may be.
void fill(engine::ModelRunner& runner) {
    const kernels::KvGeometry geometry = runner.kv_geometry();
    const auto groups = static_cast<std::size_t>(geometry.num_groups);
    const int num_tokens = kNumBlocks * geometry.block_tokens;
    std::vector<std::int32_t> tables;
    for (std::size_t group = 0; group < groups; ++group)
        for (int block = 1; block <= kNumBlocks; ++block)
            tables.push_back(block);
    for (int first = 0; first < num_tokens; first += runner.limits().max_rows) {
        const int rows = std::min(runner.limits().max_rows, num_tokens - first);
        std::vector<std::int32_t> positions(static_cast<std::size_t>(rows)), slots, logit_rows;
        std::iota(positions.begin(), positions.end(), first);
        for (std::size_t group = 0; group < groups; ++group)
            for (const std::int32_t position : positions)
                slots.push_back(geometry.block_tokens + position);
        for (int row = 0; row < (first == 0 ? std::min(rows, runner.limits().max_logit_rows) : 1); ++row)
            logit_rows.push_back(row);
        const std::vector<std::int32_t> tokens(positions.size(), 7), lens{first + rows}, starts{0, rows};
        kernels::StepArgs args;
        args.tokens = tokens;
        args.positions = positions;
        args.slots = slots;
        args.query_starts = starts;
        args.context_lens = lens;
        args.block_tables = tables;
        args.max_blocks = kNumBlocks;
        args.logit_rows = logit_rows;
        const auto step = runner.run_raw(args);
        ASSERT_TRUE(step) << step.error().message;
    }
}

/// path, and the configuration of the load.
void expect_foretold(const std::string& path, engine::EngineConfig config) {
    config.device = "cpu";
    config.num_blocks = kNumBlocks;
    config.context = kNumBlocks * 16;
    const std::int64_t before = private_bytes();
    auto setup = engine::set_up_load(path, config, engine::BackendCatalog(), {});
    ASSERT_TRUE(setup) << setup.error().message;
    const engine::LoadPlan plan = setup->plan;
    auto session = engine::finish_load(*std::move(setup), {});
    ASSERT_TRUE(session) << session.error().message;
    fill(*(*session)->runner);
    const auto foretold = static_cast<double>(plan.weights + plan.kv + plan.scratch);
    const auto counted = static_cast<double>(private_bytes() - before);
    ::testing::Test::RecordProperty("counted_over_foretold", fmt::format("{:.4f}", counted / foretold));
    EXPECT_NEAR(counted / foretold, 1, kLargestError)
        << path << ": foretold " << plan.weights << " of weights, " << plan.kv << " of KV, " << plan.scratch
        << " of scratch, counted " << counted;
    const engine::LoadedModel& model = *(*session)->model;
    EXPECT_NEAR(static_cast<double>(model.measured_weight_bytes) / static_cast<double>(plan.weights), 1, kLargestError);
    EXPECT_NEAR(static_cast<double>(model.measured_kv_bytes) / static_cast<double>(plan.kv), 1, kLargestError);
}

class PlannedMemory : public ::testing::TestWithParam<GoldenModel> {};

TEST_P(PlannedMemory, IsWhatARealModelTakes) {
    if (!is_there(GetParam()))
        GTEST_SKIP() << path_of(GetParam()) << " is not there";
    expect_foretold(path_of(GetParam()), {});
}

TEST_P(PlannedMemory, IsWhatARealModelTakesWithOtherTypes) {
    if (!is_there(GetParam()))
        GTEST_SKIP() << path_of(GetParam()) << " is not there";
    engine::EngineConfig config;
    config.quantize = "q8_0";
    config.kv_type = kernels::KvType::int8;
    expect_foretold(path_of(GetParam()), config);
}

INSTANTIATE_TEST_SUITE_P(
    Models, PlannedMemory, ::testing::Values(smollm2(), gemma3()), [](const auto& suite) { return suite.param.name; });

struct SyntheticShape {
    engine::ShapePreset preset;
    std::string type;
    friend void PrintTo(const SyntheticShape& shape, std::ostream* out) { *out << shape.preset.name; }
};

class PlannedMemoryOfShapes : public ::testing::TestWithParam<SyntheticShape> {};

TEST_P(PlannedMemoryOfShapes, IsWhatTheyTake) {
    const auto path =
        std::filesystem::temp_directory_path() / fmt::format("vitrine_{}_{}.gguf", getpid(), GetParam().preset.name);
    const auto mix = engine::quant_mix_from_name(GetParam().type);
    ASSERT_TRUE(mix) << mix.error().message;
    ASSERT_TRUE(engine::write_synthetic_model(GetParam().preset, *mix, 1, path));
    expect_foretold(path, {});
    // A plan made from the shape alone is the plan of the file.
    engine::EngineConfig config;
    config.device = "cpu";
    const engine::BackendCatalog catalog;
    const auto of_file = engine::set_up_load(path, config, catalog, {});
    const auto of_shape = engine::set_up_shapes(engine::shapes_of_preset(GetParam().preset, *mix), config, catalog);
    std::filesystem::remove(path);
    ASSERT_TRUE(of_file && of_shape);
    EXPECT_EQ(of_shape->plan.weights, of_file->plan.weights);
    EXPECT_EQ(of_shape->plan.scratch, of_file->plan.scratch);
    EXPECT_EQ(of_shape->plan.kv_block_bytes, of_file->plan.kv_block_bytes);
}

engine::ShapePreset with_layers(std::string_view name, int num_layers) {
    engine::ShapePreset preset = *engine::find_shape_preset(name);
    preset.num_layers = num_layers;
    return preset;
}

// Dense layers are as wide as real ones; a mixture of experts of a real size would take minutes to write.
INSTANTIATE_TEST_SUITE_P(Shapes, PlannedMemoryOfShapes,
    ::testing::Values(SyntheticShape{with_layers("smollm2-135m", 30), "q4_k_m"},
        SyntheticShape{with_layers("qwen3-0.6b", 6), "q4_0"}, SyntheticShape{with_layers("gemma-3-270m", 8), "bf16"},
        SyntheticShape{{"mixture", "qwen3moe", 6, 8, 2, 64, 512, 384, 32000, 4096, 1000000, false, 16, 4}, "q5_k_m"}),
    [](const auto& suite) {
        std::string name(suite.param.preset.name);
        std::replace_if(
            name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
        return name;
    });

} // namespace
} // namespace vitrine::testing
