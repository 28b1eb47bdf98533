// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: UTF-8.  Expected replacements: Unicode standard 15, section 3.9, tables 3-8 to 3-11.
#include "engine/base/utf8.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

TEST(Utf8, ReplacesMaximalSubpartsAsTheStandardShows) {
    const std::string r = "\xEF\xBF\xBD";
    EXPECT_EQ(replace_invalid_utf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), r + r + r + r + r + r + r + r + "A");
    EXPECT_EQ(replace_invalid_utf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), r + r + r + r + r + r + r + r + "A");
    EXPECT_EQ(replace_invalid_utf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), r + r + r + r + r + "A" + r + r + "B");
    EXPECT_EQ(replace_invalid_utf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), r + r + r + r + "A");
}

TEST(Utf8, EveryScalarValueMakesTheRoundTrip) {
    for (char32_t c = 0; c < 0x110000; c = c == 0xD7FF ? 0xE000 : c + 1) {
        std::string text;
        append_utf8(text, c);
        const Utf8Step step = decode_utf8(text, 0);
        ASSERT_TRUE(step.valid);
        ASSERT_EQ(step.code_point, c);
        ASSERT_EQ(static_cast<std::size_t>(step.length), text.size());
        for (std::size_t cut = 1; cut < text.size(); ++cut)
            ASSERT_EQ(incomplete_utf8_tail("x" + text.substr(0, cut)), cut);
    }
}

TEST(Utf8, TailsThatCannotBecomeCharactersAreNotHeld) {
    EXPECT_EQ(incomplete_utf8_tail("a"), 0U);
    EXPECT_EQ(incomplete_utf8_tail("\x80\x80"), 0U);
    EXPECT_EQ(incomplete_utf8_tail("\xED\xA0"), 0U); // a surrogate in the making
    EXPECT_EQ(incomplete_utf8_tail("\xF0\x9F\x99"), 3U);
    EXPECT_EQ(incomplete_utf8_tail("\xF5"), 0U);
    EXPECT_EQ(count_code_points("a\xC3\xA4\xF0\x9F\x99\x82\xFF"), 4U);
}

} // namespace
} // namespace vitrine::engine
