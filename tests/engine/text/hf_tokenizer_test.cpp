// SPDX-License-Identifier: GPL-3.0-or-later
// tokenizer.json that claims too much: an error, whatever it claims.
#include "engine/text/hf_tokenizer.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

std::string with_model(const std::string& model) {
    return R"({"pre_tokenizer":{"type":"ByteLevel"},"model":)" + model + "}";
}

TEST(HfTokenizer, ReadsAByteLevelModel) {
    const auto pairs = read_hf_tokenizer(
        {"t.json", with_model(R"({"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]})"), "", "", "", 4});
    ASSERT_TRUE(pairs) << pairs.error().message;
}

TEST(HfTokenizer, RefusesDeepNestingAndIdsBeyondEveryVocabulary) {
    const std::string deep = with_model(std::string(200'000, '[') + std::string(200'000, ']'));
    const std::string far = with_model(R"({"type":"BPE","vocab":{"a":16777000},"merges":["a b"]})");
    for (const std::string& text : {deep, far}) {
        const auto pairs = read_hf_tokenizer({"t.json", text, "", "", "", 0});
        ASSERT_FALSE(pairs);
        EXPECT_EQ(pairs.error().code, ErrorCode::bad_file);
    }
}

TEST(HfTokenizer, DeepNestingInTheOtherFilesIsAsIfTheyWereNotThere) {
    const std::string deep = R"({"bos_token":)" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
    const auto pairs = read_hf_tokenizer(
        {"t.json", with_model(R"({"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]})"), deep, deep, "", 4});
    EXPECT_TRUE(pairs);
}

} // namespace
} // namespace vitrine::engine
