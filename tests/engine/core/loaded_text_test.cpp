// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/engine/core: what a model without a chat template says of itself.
#include "engine/core/loaded_text.h"

#include <gtest/gtest.h>

#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

TEST(LoadedText, SaysByNumberWhyThereIsNoChat) {
    gguf::Assembly parts;
    parts.path = "m";
    parts.metadata.emplace_back("general.architecture", std::string("llama"));
    const auto file = gguf::File::assemble(std::move(parts));
    ASSERT_TRUE(file) << file.error().message;
    const auto text = LoadedText::create(**file, 32);
    ASSERT_TRUE(text) << text.error().message;
    ASSERT_TRUE((*text)->template_note());
    EXPECT_EQ((*text)->template_note()->said.sentence, Sentence::vocabulary_missing) << "a window words it";
    const auto refused = (*text)->render({});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::template_error);
    EXPECT_EQ(refused.error().advised.sentence, Sentence::send_plain_text);
}

} // namespace
} // namespace vitrine::engine
