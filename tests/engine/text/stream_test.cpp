// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: streamed text: whole characters and stop strings, at every cutting.
#include <gtest/gtest.h>
#include <random>

#include "engine/base/utf8.h"
#include "engine/text/stop_matcher.h"
#include "engine/text/stream_decoder.h"

namespace vitrine::engine {
namespace {

/// All ways to cut `text`, one bit a border.
template <class Check>
void for_each_cutting(const std::string& text, const Check& check) {
    for (std::uint32_t cuts = 0; cuts < (1U << (text.size() - 1)); ++cuts) {
        std::vector<std::string> parts(1);
        for (std::size_t i = 0; i < text.size(); ++i) {
            parts.back() += text[i];
            if (i + 1 < text.size() && ((cuts >> i) & 1U) != 0)
                parts.emplace_back();
        }
        check(parts);
    }
}

TEST(StreamDecoder, GivesTheSameTextAtEveryCutting) {
    for (const std::string text : {"a\xC3\xA4\xF0\x9F\x99\x82z", "\xF0\x9F\x99", "\xE2\x82x\xFF\xC3",
             "\xED\xA0\x80\xF4\x90\x80", " \xE6\x97\xA5\xE6\x9C"}) {
        for_each_cutting(text, [&](const std::vector<std::string>& parts) {
            StreamDecoder decoder;
            std::string out;
            for (const std::string& part : parts) {
                const std::string now = decoder.push(part);
                ASSERT_TRUE(is_valid_utf8(now));
                out += now;
            }
            ASSERT_EQ(out + decoder.finish(), replace_invalid_utf8(text));
        });
    }
}

TEST(StreamDecoder, DropsOneLeadingSpaceOnce) {
    StreamDecoder decoder(true);
    EXPECT_EQ(decoder.push(""), "");
    EXPECT_EQ(decoder.push("  a"), " a");
    EXPECT_EQ(decoder.push(" b"), " b");
    EXPECT_EQ(StreamDecoder(true).push("x"), "x");
}

struct Stopped {
    std::string text;
    std::optional<int> index;
};

Stopped stream(const std::vector<std::string>& stops, const std::vector<std::string>& parts) {
    StopMatcher matcher(stops);
    Stopped result;
    const auto take = [&](StopMatcher::Output output) {
        result.text += output.text;
        if (output.stop_index)
            result.index = output.stop_index;
    };
    for (const std::string& part : parts)
        take(matcher.push(part));
    take(matcher.finish());
    return result;
}

/// By search over the whole text: earliest start, then longest.
Stopped searched(const std::vector<std::string>& stops, const std::string& text) {
    std::size_t start = std::string::npos;
    std::optional<int> index;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        const std::size_t at = stops[i].empty() ? std::string::npos : text.find(stops[i]);
        if (at == std::string::npos)
            continue;
        const bool longer = index && stops[i].size() > stops[static_cast<std::size_t>(*index)].size();
        if (at < start || (at == start && longer)) {
            start = at;
            index = static_cast<int>(i);
        }
    }
    return {text.substr(0, start), index};
}

TEST(StopMatcher, EarliestThenLongestWinsAtEveryCutting) {
    const std::vector<std::vector<std::string>> lists{{"STOP"}, {"ab", "abc"}, {"bc", "abcd"}, {"b", "abX", "cde"},
        {""}, {"aab", "ab"}, {"a", "aa", "aaa"}, {"x"}, {}};
    for (const auto& stops : lists) {
        for (const std::string text : {"xxSTOPyy", "zabcd", "aabcxab", "aaab", "abXcde", "STOSTOP", "aa"}) {
            const Stopped expected = searched(stops, text);
            for_each_cutting(text, [&](const std::vector<std::string>& parts) {
                const Stopped found = stream(stops, parts);
                ASSERT_EQ(found.text, expected.text) << text;
                ASSERT_EQ(found.index, expected.index) << text;
            });
        }
    }
}

TEST(StopMatcher, AgreesWithASearchOnRandomTexts) {
    std::mt19937 random(7);
    const auto text_of = [&](int longest, int letters) {
        std::string text;
        for (int i = static_cast<int>(random() % static_cast<unsigned>(longest)) + 1; i > 0; --i)
            text += static_cast<char>('a' + random() % static_cast<unsigned>(letters));
        return text;
    };
    for (int round = 0; round < 5000; ++round) {
        std::vector<std::string> stops;
        for (int i = 0; i < 3; ++i)
            stops.push_back(text_of(5, 3));
        const std::string text = text_of(30, 3);
        std::vector<std::string> parts;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size = random() % 4 + 1;
            parts.push_back(text.substr(at, size));
            at += size;
        }
        const Stopped expected = searched(stops, text);
        const Stopped found = stream(stops, parts);
        ASSERT_EQ(found.text, expected.text) << text;
        // Of equal stops the first is meant by both.
        ASSERT_EQ(found.index.has_value(), expected.index.has_value());
        if (found.index) {
            ASSERT_EQ(stops[static_cast<std::size_t>(*found.index)], stops[static_cast<std::size_t>(*expected.index)]);
        }
    }
}

TEST(StopMatcher, HoldsBackOnlyWhatMayBecomeAStop) {
    const std::vector<std::string> stops{"<end>"};
    StopMatcher matcher(stops);
    EXPECT_EQ(matcher.push("hello <e").text, "hello ");
    EXPECT_EQ(matcher.held_bytes(), 2U);
    EXPECT_EQ(matcher.push("x").text, "<ex");
    EXPECT_EQ(matcher.push("<").text, "");
    EXPECT_EQ(matcher.finish().text, "<");
}

TEST(StopMatcher, SaysNothingAfterAStop) {
    const std::vector<std::string> stops{"\n"};
    StopMatcher matcher(stops);
    const StopMatcher::Output output = matcher.push("a\nb");
    EXPECT_EQ(output.text, "a");
    EXPECT_EQ(output.stop_index, 0);
    EXPECT_EQ(matcher.push("c").text, "");
    EXPECT_EQ(matcher.finish().text, "");
}

} // namespace
} // namespace vitrine::engine
