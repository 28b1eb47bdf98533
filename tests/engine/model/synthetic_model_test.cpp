// SPDX-License-Identifier: GPL-3.0-or-later
// A synthetic file is what other programs expect of a GGUF: counts are unsigned, and it says that it has no vocabulary.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>
#include <variant>

#include "engine/gguf/file.h"
#include "engine/model/architecture_registry.h"
#include "engine/model/synthetic_model.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {
namespace {

TEST(SyntheticModel, KeepsTheTypesThatOtherReadersExpect) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("vitrine_synth_" + std::to_string(getpid()) + ".gguf")).string();
    const ShapePreset tiny{"tiny", "llama", 1, 2, 1, 32, 64, 64, 96, 128, 10000, true, 0};
    const auto mix = quant_mix_from_name("q8_0");
    ASSERT_TRUE(mix);
    ASSERT_TRUE(write_synthetic_model(tiny, *mix, 1, path));
    const auto file = gguf::File::open(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(file) << file.error().message;
    for (const char* key : {"general.file_type", "llama.block_count", "llama.context_length", "llama.vocab_size"}) {
        const gguf::Value* value = (*file)->find(key);
        ASSERT_NE(value, nullptr) << key;
        EXPECT_TRUE(std::holds_alternative<std::uint64_t>(*value)) << key << ": llama.cpp wants u32";
    }
    EXPECT_FALSE(has_vocabulary(**file));
}

// Every architecture of the presets, small: what is written is what its program reads, experts included.
TEST(SyntheticModel, ProgramsOfAllPresetsReadWhatIsWritten) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("vitrine_synth_all_" + std::to_string(getpid()) + ".gguf")).string();
    const auto mix = quant_mix_from_name("q8_0");
    ASSERT_TRUE(mix);
    std::set<std::string_view> seen;
    for (ShapePreset preset : shape_presets()) {
        if (!seen.insert(preset.num_experts > 0 ? preset.name : preset.architecture).second)
            continue;
        preset.num_layers = 2;
        preset.num_heads = 4;
        preset.num_kv_heads = 2;
        preset.head_dim = 32;
        preset.embedding_dim = preset.feed_forward_dim = 64;
        preset.vocab_size = 96;
        preset.num_experts = std::min(preset.num_experts, 16);
        ASSERT_TRUE(write_synthetic_model(preset, *mix, 1, path)) << preset.name;
        const auto file = gguf::File::open(path);
        std::filesystem::remove(path);
        ASSERT_TRUE(file) << file.error().message;
        const auto config = read_model_config(**file);
        ASSERT_TRUE(config) << preset.name << ": " << config.error().message;
        EXPECT_EQ(config->experts.num_experts, preset.num_experts);
        EXPECT_EQ(config->experts.num_used, preset.num_experts_used);
        const auto program = build_program(**file, *config, ProgramOptions{});
        EXPECT_TRUE(program) << preset.name << ": " << (program ? "" : program.error().message);
    }
    EXPECT_TRUE(seen.contains("gpt-oss-20b") && seen.contains("mixtral-8x7b") && seen.contains("qwen3-30b-a3b"));
}

// The published sizes: 46.7, 20.9 and 30.5 billion.
TEST(ShapePresets, CountTheParametersOfMixtures) {
    const std::pair<const char*, double> sizes[] = {
        {"mixtral-8x7b", 46.7}, {"gpt-oss-20b", 20.9}, {"qwen3-30b-a3b", 30.5}};
    for (const auto& [name, billions] : sizes) {
        const auto preset = find_shape_preset(name);
        ASSERT_TRUE(preset);
        EXPECT_NEAR(static_cast<double>(describe_preset(*preset).parameters) / 1e9, billions, 0.05) << name;
    }
}

} // namespace
} // namespace vitrine::engine
