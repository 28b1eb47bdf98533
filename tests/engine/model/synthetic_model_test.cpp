// SPDX-License-Identifier: GPL-3.0-or-later
// A synthetic file is what other programs expect of a GGUF: counts are unsigned, and it says that it has no vocabulary.
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>
#include <variant>

#include "engine/gguf/file.h"
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

} // namespace
} // namespace vitrine::engine
