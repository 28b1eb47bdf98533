// SPDX-License-Identifier: GPL-3.0-or-later
// Model directories (safetensors in shards, tokenizer.json) against `transformers` and `tokenizers`; made by
// make_tiny_directory.py.
#include <algorithm>
#include <cmath>

#include "app/cli/open_model.h"
#include "engine/lab/direct_model.h"
#include "engine/model/model_file.h"
#include "engine/text/tokenizer.h"
#include "tests/golden/golden_data.h"

namespace vitrine::testing {
namespace {

class ModelDirectory : public ::testing::TestWithParam<std::string> {
protected:
    static std::string folder() { return std::string(VITRINE_TESTS_DIR) + "/golden/tiny/directory/"; }
    static nlohmann::json record() {
        std::ifstream file(folder() + "directory.json");
        return nlohmann::json::parse(file)[GetParam()];
    }
};

TEST_P(ModelDirectory, GivesTheLogitsOfTransformers) {
    app::ModelOptions options;
    options.model = folder() + GetParam() + "/"; // as shells complete it
    options.config.device = "ref";
    auto model = app::open_direct(options, 64, 1);
    ASSERT_TRUE(model) << model.error().message;
    const auto expected = record()["logits"].get<std::vector<double>>();
    std::vector<float> last;
    const auto ids = record()["ids"].get<std::vector<engine::TokenId>>();
    ASSERT_TRUE(
        model->feed(0, 0, ids, [&](int, std::span<const float> logits) { last.assign(logits.begin(), logits.end()); }));
    ASSERT_EQ(last.size(), expected.size());
    for (std::size_t i = 0; i < last.size(); ++i)
        EXPECT_NEAR(last[i], expected[i], 5e-5) << "token " << i;
}

class DirectoryTokenizer : public ModelDirectory {};

TEST_P(DirectoryTokenizer, TokenizesAsTokenizersDoes) {
    const auto file = engine::open_model_file(folder() + GetParam());
    ASSERT_TRUE(file) << file.error().message;
    const auto tokenizer = engine::make_tokenizer(**file);
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    EXPECT_EQ((*tokenizer)->vocab_size(), record()["vocab_size"].get<int>()); // padding rows included
    for (const auto& entry : record()["texts"]) {
        const auto text = entry["text"].get<std::string>();
        const auto ids = (*tokenizer)->encode(text, {.add_special = false, .parse_special = false});
        ASSERT_TRUE(ids) << ids.error().message;
        EXPECT_EQ(*ids, entry["ids"].get<std::vector<engine::TokenId>>()) << text;
    }
    EXPECT_EQ((*tokenizer)->adds_bos(), GetParam() == "spaced"); // its post-processor says so
    EXPECT_EQ((*tokenizer)->adds_eos(), GetParam() == "unigram");
    EXPECT_NE((*file)->find("tokenizer.chat_template"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Models, ModelDirectory, ::testing::Values("bytes", "spaced", "unigram", "deepseek_v2", "deepseek_v3"));
INSTANTIATE_TEST_SUITE_P(Tokenizers, DirectoryTokenizer, ::testing::Values("bytes", "spaced", "unigram"));

} // namespace
} // namespace vitrine::testing
