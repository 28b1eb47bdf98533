// SPDX-License-Identifier: GPL-3.0-or-later
// One JSON object in pieces: what is taken, what is refused, where it ends.
#include "engine/chat/json_progress.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace vitrine::engine {
namespace {

using Status = JsonProgress::Status;

/// Output and what is left of the text; the status in front.
std::string run(std::string_view text, std::size_t step) {
    JsonProgress progress;
    std::string out;
    Status status = Status::more;
    std::size_t at = 0;
    while (at < text.size() && status == Status::more) {
        const auto read = progress.feed(text.substr(at, step), out);
        status = read.status;
        at += read.size;
    }
    return (status == Status::done          ? "done "
                   : status == Status::more ? "more "
                                            : "broken ") +
        out + "|" + std::string(text.substr(at));
}

TEST(JsonProgress, TakesWholeObjectsAndNoMore) {
    for (const std::size_t step : {1U, 2U, 5U, 1000U}) {
        EXPECT_EQ(run(R"({"a": [1, -2.5e3, true, null, "x\"}", {}], "b": {"c": []}} tail)", step),
            R"(done {"a": [1, -2.5e3, true, null, "x\"}", {}], "b": {"c": []}}| tail)");
        EXPECT_EQ(run("{}", step), "done {}|");
        EXPECT_EQ(run(R"({"a": "half)", step), R"(more {"a": "half|)");
    }
}

TEST(JsonProgress, RefusesWhatIsNoJson) {
    for (const char* text : {"[1]", "{a: 1}", R"({"a" 1})", R"({"a": })", R"({"a": 1,})", R"({"a": [1 2]})",
             R"({"a": 01})", R"({"a": nul})", R"({"a": "\x"})", R"({"a": "\u12g4"})", R"({"a": 1]})", R"({'a': 1})"})
        for (const std::size_t step : {1U, 3U, 1000U})
            EXPECT_TRUE(run(text, step).starts_with("broken ")) << text << " gives " << run(text, step);
    EXPECT_TRUE(run("{\"a\":" + std::string(200, '['), 7).starts_with("broken "));
    // Found by tool_call_fuzz: a zero byte ended a number, and what followed it came through.
    EXPECT_TRUE(run(std::string_view("{\"n\": 2\0x\", }", 15), 1000).starts_with("broken "));
}

TEST(JsonProgress, MendsControlCharactersAndHalfPairs) {
    const std::string text = "{\"a\n\": \"\\ud83d\\ude42 \\ud83d! \\ude42 \\ud83d\\u0041 \\ud83d\\n\"}";
    for (const std::size_t step : {1U, 4U, 1000U}) {
        const std::string result = run(text, step);
        EXPECT_EQ(result, "done {\"a\\u000a\": \"\\ud83d\\ude42 \\ufffd! \\ufffd \\ufffd\\u0041 \\ufffd\\n\"}|");
        EXPECT_TRUE(nlohmann::json::accept(result.substr(5, result.size() - 6)));
    }
}

} // namespace
} // namespace vitrine::engine
