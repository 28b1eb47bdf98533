// SPDX-License-Identifier: GPL-3.0-or-later
// A vocabulary written as tokenizer.json and read again gives the ids of the independent tokenizers (tests/golden/vocab).
#include "engine/text/hf_tokenizer_writer.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/text/tokenizer.h"

namespace vitrine::engine {
namespace {

std::string golden(const std::string& name) {
    return std::string(VITRINE_TESTS_DIR) + "/golden/vocab/" + name;
}

class WrittenVocabulary : public testing::TestWithParam<const char*> {};

TEST_P(WrittenVocabulary, GivesTheSameIds) {
    const std::string name = GetParam();
    const auto source = gguf::File::open(golden(name + ".gguf"));
    ASSERT_TRUE(source) << source.error().message;
    auto files = write_hf_tokenizer(**source);
    ASSERT_TRUE(files) << files.error().message;
    auto pairs = read_hf_tokenizer(*files);
    ASSERT_TRUE(pairs) << pairs.error().message;
    gguf::Assembly assembly;
    assembly.path = name;
    assembly.metadata = *std::move(pairs);
    const auto file = gguf::File::assemble(std::move(assembly));
    ASSERT_TRUE(file) << file.error().message;
    const auto tokenizer = make_tokenizer(**file);
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    const auto original = make_tokenizer(**source);
    ASSERT_TRUE(original) << original.error().message;
    EXPECT_EQ((*tokenizer)->adds_bos(), (*original)->adds_bos());
    std::ifstream in(golden(name + ".json"));
    const auto rows = nlohmann::json::parse(in);
    ASSERT_FALSE(rows.empty());
    for (const auto& row : rows) {
        const auto ids =
            (*tokenizer)->encode(row.at("text").get<std::string>(), {.add_special = false, .parse_special = false});
        ASSERT_TRUE(ids) << ids.error().message;
        EXPECT_EQ(*ids, row.at("ids").get<std::vector<TokenId>>()) << row.at("text").dump();
    }
}

INSTANTIATE_TEST_SUITE_P(All, WrittenVocabulary,
    testing::Values("deepseek-llm", "gpt-2", "llama-bpe", "qwen2", "starcoder", "llama-spm", "phi-3", "tekken",
        "gpt-4o", "deepseek-v3", "deepseek-coder", "default", "falcon", "bloom", "viking", "glm4", "dbrx"),
    [](const auto& row) {
        std::string name = row.param;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

} // namespace
} // namespace vitrine::engine
