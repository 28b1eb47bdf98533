// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/core/output_stream.h"

namespace vitrine::engine {
namespace {

struct Output {
    std::string text, reasoning;
    std::vector<TokenId> ids;
    bool stopped = false;
};

/// Each piece is a token with ids 0, 1, 2 ...
Output run(OutputOptions options, const std::vector<std::string>& pieces) {
    OutputStream stream(std::move(options));
    Output output;
    const auto take = [&] {
        const Delta delta = stream.take_delta(0);
        output.text += delta.text;
        output.reasoning += delta.reasoning;
        output.ids.insert(output.ids.end(), delta.ids.begin(), delta.ids.end());
    };
    for (std::size_t i = 0; i < pieces.size() && !output.stopped; ++i) {
        output.stopped = stream.push(OutputToken{static_cast<TokenId>(i), pieces[i], false, {}});
        take();
    }
    stream.finish();
    take();
    return output;
}

TEST(OutputStream, GivesWholeCharactersAndEveryId) {
    const Output output = run({}, {"Z", "\xC3", "\xBC", "rich"});
    EXPECT_EQ(output.text, "Z\xC3\xBCrich");
    EXPECT_EQ(output.ids, (std::vector<TokenId>{0, 1, 2, 3}));
}

TEST(OutputStream, CutsAtAStopStringAcrossTokens) {
    OutputOptions options;
    options.stops = {"\n\n"};
    const Output output = run(options, {"one", "\n", "two", "\n", "\nthree"});
    EXPECT_EQ(output.text, "one\ntwo");
    EXPECT_TRUE(output.stopped);
    EXPECT_EQ(output.ids, (std::vector<TokenId>{0, 1, 2})); // the stop's own tokens go with its text
}

TEST(OutputStream, HoldsBackWhatMayBecomeAStop) {
    OutputOptions options;
    options.stops = {"END"};
    OutputStream stream(options);
    EXPECT_FALSE(stream.push(OutputToken{7, "xE", false, {}}));
    EXPECT_EQ(stream.take_delta(0).text, "x");
    EXPECT_FALSE(stream.push(OutputToken{8, "N", false, {}}));
    EXPECT_EQ(stream.take_delta(0).text, "");
    stream.finish();
    EXPECT_EQ(stream.take_delta(0).text, "EN");
}

TEST(OutputStream, PartsReasoningAndIgnoresStopsInIt) {
    OutputOptions options;
    options.splits_reasoning = true;
    options.reasoning = ReasoningTags{"<think>", "</think>", false};
    options.stops = {"stop"};
    const Output output = run(options, {"<think>", "I may stop", "</think>", "Yes", " stop", " no"});
    EXPECT_EQ(output.reasoning, "I may stop");
    EXPECT_EQ(output.text, "Yes ");
    EXPECT_TRUE(output.stopped);
}

TEST(OutputStream, ReportsToolCallsWithIds) {
    OutputOptions options;
    options.tools = ToolFormat{ToolSyntax::json_tag, "<tool_call>", "</tool_call>"};
    options.tool_schemas = {ToolSchema{"weather", R"({"type":"object"})"}};
    OutputStream stream(options);
    stream.push(OutputToken{0, "Let me look. <tool_call>\n{\"name\": \"weather\", ", false, {}});
    stream.push(OutputToken{1, "\"arguments\": {\"city\": \"Bern\"}}\n</tool_call>", false, {}});
    stream.finish();
    const auto parts = stream.take_call_parts(2);
    ASSERT_EQ(parts.size(), 1U); // of one take: joined
    EXPECT_EQ(parts[0].choice, 2);
    EXPECT_EQ(parts[0].name, "weather");
    const auto calls = stream.take_calls();
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(parts[0].id, calls[0].id);
    EXPECT_EQ(parts[0].arguments, calls[0].arguments_json);
    EXPECT_EQ(calls[0].name, "weather");
    EXPECT_EQ(calls[0].id.size(), 5U + 24U);
    EXPECT_NE(calls[0].arguments_json.find("Bern"), std::string::npos);
    EXPECT_EQ(stream.num_calls(), 1);
}

} // namespace
} // namespace vitrine::engine
