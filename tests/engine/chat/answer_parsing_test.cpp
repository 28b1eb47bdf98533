// SPDX-License-Identifier: GPL-3.0-or-later
// Reasoning and tool calls in a model's text, whole and cut after every byte.
#include "engine/chat/fallback_templates.h"
#include "engine/chat/reasoning_splitter.h"
#include "engine/chat/template_probe.h"
#include "engine/chat/tool_call_parser.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace vitrine::engine {
namespace {

const std::filesystem::path kRoot = std::filesystem::path(VITRINE_TESTS_DIR).parent_path();

std::string read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::pair<std::string, std::string> split(
    const ReasoningTags& tags, bool inside, const std::string& text, std::size_t step) {
    ReasoningSplitter splitter(tags, inside);
    std::vector<ChatEvent> events;
    for (std::size_t i = 0; i < text.size(); i += step)
        splitter.feed(std::string_view(text).substr(i, step), events);
    splitter.finish(events);
    std::pair<std::string, std::string> parts;
    for (const ChatEvent& event : events)
        (event.kind == ChatEventKind::reasoning ? parts.first : parts.second) += event.text;
    return parts;
}

TEST(ReasoningSplitter, SplitsAtEveryCut) {
    const ReasoningTags tags = ReasoningTags::detect("x <think> y </think>");
    for (const std::size_t step : {1, 2, 3, 7, 100}) {
        EXPECT_EQ(split(tags, false, "<think>\nsum\n</think>\n2 <think>", step),
            (std::pair<std::string, std::string>("sum", "2 <think>")));
        EXPECT_EQ(split(tags, true, "sum</think>\n2", step), (std::pair<std::string, std::string>("sum", "2")));
        EXPECT_EQ(split(tags, true, "sum no end", step), (std::pair<std::string, std::string>("sum no end", "")));
        EXPECT_EQ(split(tags, false, "plain <th", step), (std::pair<std::string, std::string>("", "plain <th")));
        EXPECT_EQ(split({}, false, "<think>a</think>", step).second, "<think>a</think>");
    }
}

TEST(ReasoningSplitter, ReadsHarmonyChannels) {
    const std::string text = "<|channel|>analysis<|message|>why<|end|><|start|>assistant<|channel|>final<|message|>Hi";
    for (const std::size_t step : {1, 5, 100})
        EXPECT_EQ(split(ReasoningTags::detect("<|channel|>"), false, text, step),
            (std::pair<std::string, std::string>("why", "Hi")));
}

struct CallCase {
    const char* family; // template file
    const char* text;
};

class ToolCalls : public testing::TestWithParam<CallCase> {};

const std::vector<ToolSchema> kTools = {
    {"f", R"({"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}}})"}};

/// Of every call; each begins with its name.
std::string joined_arguments(const std::vector<ChatEvent>& events) {
    std::string joined;
    int begun = -1;
    for (const ChatEvent& event : events) {
        if (event.kind == ChatEventKind::tool_begin) {
            EXPECT_EQ(event.tool_index, ++begun);
        }
        if (event.kind != ChatEventKind::tool_arguments)
            continue;
        EXPECT_EQ(event.tool_index, begun);
        joined += event.text;
    }
    return joined;
}

TEST_P(ToolCalls, AreReadWholeAndCutAnywhere) {
    const ToolFormat format =
        ToolFormat::detect(read_file(kRoot / "tests/golden/templates" / (std::string(GetParam().family) + ".jinja")));
    ASSERT_NE(format.syntax, ToolSyntax::none);
    const std::string text = GetParam().text;
    for (const std::size_t step : {std::size_t{1}, std::size_t{4}, text.size()}) {
        ToolCallParser parser(format, kTools);
        std::vector<ChatEvent> events;
        for (std::size_t i = 0; i < text.size(); i += step)
            parser.feed(std::string_view(text).substr(i, step), events);
        parser.finish(events);
        ASSERT_EQ(parser.num_calls(), 1) << tool_syntax_name(format.syntax) << " step " << step;
        EXPECT_EQ(joined_arguments(events), R"({"city": "Zürich"})") << tool_syntax_name(format.syntax);
        for (const ChatEvent& event : events) {
            EXPECT_NE(event.kind, ChatEventKind::content) << event.text;
            if (event.kind == ChatEventKind::tool_end) {
                EXPECT_EQ(event.call.name, "f");
                EXPECT_EQ(event.call.arguments_json, R"({"city": "Zürich"})");
            }
        }
    }
}

/// What is known of the call when the model has written "Zü".
TEST_P(ToolCalls, AreGivenWhileTheyAreWritten) {
    const ToolFormat format =
        ToolFormat::detect(read_file(kRoot / "tests/golden/templates" / (std::string(GetParam().family) + ".jinja")));
    const std::string text = GetParam().text;
    ToolCallParser parser(format, kTools);
    std::vector<ChatEvent> events;
    parser.feed(text.substr(0, text.find("rich")), events);
    ASSERT_FALSE(events.empty()) << tool_syntax_name(format.syntax);
    EXPECT_EQ(events.front().kind, ChatEventKind::tool_begin);
    EXPECT_EQ(events.front().call.name, "f");
    EXPECT_EQ(parser.num_calls(), 0);
    // In these the value's own syntax must be complete before it is JSON.
    const bool by_value = format.syntax == ToolSyntax::gemma4 || format.syntax == ToolSyntax::pythonic;
    EXPECT_EQ(joined_arguments(events), by_value ? "" : R"({"city": "Zü)") << tool_syntax_name(format.syntax);
    parser.finish(events); // cut short: no call that a client could run
    EXPECT_EQ(parser.num_calls(), 0);
    for (const ChatEvent& event : events)
        EXPECT_NE(event.kind, ChatEventKind::tool_end);
}

INSTANTIATE_TEST_SUITE_P(Families, ToolCalls,
    testing::Values(CallCase{"Qwen-Qwen3-0.6B",
                        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"city\": \"Zürich\"}}\n</tool_call>"},
        CallCase{"Qwen3-Coder",
            "<tool_call>\n<function=f>\n<parameter=city>\nZürich\n</parameter>\n</function>\n</tool_call>"},
        CallCase{"ByteDance-Seed-OSS",
            "<seed:tool_call>\n<function=f>\n<parameter=city>Zürich</parameter>\n</function>\n</seed:tool_call>"},
        CallCase{"GLM-4.6", "<tool_call>f\n<arg_key>city</arg_key>\n<arg_value>Zürich</arg_value>\n</tool_call>"},
        CallCase{"tencent-Hy3",
            "<tool_call:opensource>f<arg_key:opensource>city</arg_key:opensource><arg_value:opensource>Zürich</"
            "arg_value:opensource></tool_call:opensource>"},
        CallCase{"meta-llama-Llama-3.1-8B-Instruct", "{\"name\": \"f\", \"parameters\": {\"city\": \"Zürich\"}}"},
        CallCase{"meta-llama-Llama-3.3-70B-Instruct",
            "<|python_tag|>{\"name\": \"f\", \"parameters\": {\"city\": \"Zürich\"}}"},
        CallCase{"meetkai-functionary-medium-v3.1", "<function=f>{\"city\": \"Zürich\"}</function>"},
        CallCase{"meetkai-functionary-medium-v3.2", "f\n{\"city\": \"Zürich\"}"},
        CallCase{"openbmb-MiniCPM5-1B", "<function name=\"f\"><param name=\"city\">Zürich</param></function>"},
        CallCase{"mistralai-Mistral-Nemo-Instruct-2407",
            "[TOOL_CALLS][{\"name\": \"f\", \"arguments\": {\"city\": \"Zürich\"}, \"id\": \"abcdefghi\"}]"},
        CallCase{"Mistral-Small-3.2-24B-Instruct-2506", "[TOOL_CALLS]f[CALL_ID]abcdefghi[ARGS]{\"city\": \"Zürich\"}"},
        CallCase{"unsloth-mistral-Devstral-Small-2507", "[TOOL_CALLS]f[ARGS]{\"city\": \"Zürich\"}"},
        CallCase{"deepseek-ai-DeepSeek-R1-Distill-Qwen-32B",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"city\": "
            "\"Zürich\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"},
        CallCase{"deepseek-ai-DeepSeek-V3.1",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"city\": "
            "\"Zürich\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"},
        CallCase{"deepseek-ai-DeepSeek-V3.2",
            "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"city\" "
            "string=\"true\">Zürich</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>"},
        CallCase{"openai-gpt-oss-120b",
            "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"city\": \"Zürich\"}<|call|>"},
        CallCase{"openai-gpt-oss-120b",
            " to=functions.f<|channel|>commentary json<|message|>{\"city\": \"Zürich\"}<|call|>"},
        CallCase{"google-gemma-4-31B-it", "<|tool_call>call:f{city:<|\"|>Zürich<|\"|>}<tool_call|>"},
        CallCase{"Kimi-K2-Instruct",
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"city\": "
            "\"Zürich\"}<|tool_call_end|><|tool_calls_section_end|>"},
        CallCase{"Kimi-K3",
            "<|open|>call tool=\"f\" index=\"1\"<|sep|><|open|>argument key=\"city\" "
            "type=\"string\"<|sep|>Zürich<|close|>argument<|sep|><|close|>call<|sep|>"},
        CallCase{"MiniMax-M2",
            "<minimax:tool_call>\n<invoke name=\"f\">\n<parameter "
            "name=\"city\">Zürich</parameter>\n</invoke>\n</minimax:tool_call>"},
        CallCase{"LFM2.5-8B-A1B", "<|tool_call_start|>[f(city='Zürich')]<|tool_call_end|>"},
        CallCase{"NVIDIA-Nemotron-Nano-v2",
            "<TOOLCALL>[{\"name\": \"f\", \"arguments\": {\"city\": \"Zürich\"}}]</TOOLCALL>"},
        CallCase{"CohereForAI-c4ai-command-r7b-12-2024-tool_use",
            "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"f\", \"parameters\": {\"city\": "
            "\"Zürich\"}}]<|END_ACTION|>"},
        CallCase{"Apertus-8B-Instruct", "<|tools_prefix|>[{\"f\": {\"city\": \"Zürich\"}}]<|tools_suffix|>"},
        CallCase{"unsloth-Apriel-1.5",
            "<tool_calls>[{\"name\": \"f\", \"arguments\": {\"city\": \"Zürich\"}, \"id\": \"0\"}]</tool_calls>"},
        CallCase{"upstage-Solar-Open-100B",
            "<|tool_call:begin|>id<|tool_call:name|>f<|tool_call:args|>{\"city\": \"Zürich\"}<|tool_call:end|>"},
        CallCase{
            "GigaChat3.1-10B-A1.8B", "<|function_call|>{\"name\": \"f\", \"arguments\": {\"city\": \"Zürich\"}}"}));

TEST(ToolCallParser, LeavesUnknownFunctionsAndPlainTextAsContent) {
    const ToolFormat format{ToolSyntax::json_tag, "<tool_call>", "</tool_call>"};
    const std::string unknown = "<tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>";
    EXPECT_EQ(parse_tool_calls(format, kTools, unknown).content, unknown);
    EXPECT_TRUE(parse_tool_calls(format, kTools, unknown).tool_calls.empty());
    EXPECT_EQ(parse_tool_calls(format, kTools, "a < b <tool").content, "a < b <tool");
    const auto both = parse_tool_calls(format, kTools,
        "Sure.\n<tool_call>{\"name\": \"f\", \"arguments\": {\"days\": 2}}</tool_call>\n<tool_call>{\"name\": \"f\", "
        "\"arguments\": {}}</tool_call>");
    EXPECT_EQ(both.content, "Sure.");
    ASSERT_EQ(both.tool_calls.size(), 2U);
    EXPECT_EQ(both.tool_calls[0].arguments_json, R"({"days": 2})");
}

TEST(ToolCallParser, ConvertsTagValuesByTheSchema) {
    const ToolFormat format{ToolSyntax::function_tag, "<tool_call>", "</tool_call>"};
    const auto message = parse_tool_calls(format, kTools,
        "<tool_call><function=f><parameter=city>\n12\n</parameter><parameter=days>\n12\n</parameter></function></"
        "tool_call>");
    ASSERT_EQ(message.tool_calls.size(), 1U);
    EXPECT_EQ(message.tool_calls[0].arguments_json, R"({"city": "12", "days": 12})");
}

struct StreamCase {
    ToolFormat format;
    const char* text;
    std::vector<std::string> calls; // name and arguments of those that are complete
    const char* content;
};

TEST(ToolCallParser, FollowsCallsHoweverTheyAreCut) {
    const ToolFormat json{ToolSyntax::json_tag, "<tool_call>", "</tool_call>"};
    const ToolFormat list{ToolSyntax::json_list_tag, "<tool_calls>", "</tool_calls>"};
    const ToolFormat tags{ToolSyntax::function_tag, "<tool_call>", "</tool_call>"};
    const ToolFormat invoke{ToolSyntax::invoke_tag, "<minimax:tool_call>", "</minimax:tool_call>"};
    const ToolFormat python{ToolSyntax::pythonic, "<|tool_call_start|>", "<|tool_call_end|>"};
    const ToolFormat gemma{ToolSyntax::gemma4, "<|tool_call>", "<tool_call|>"};
    const ToolFormat generic{ToolSyntax::generic_json, "", ""};
    const ToolFormat llama{ToolSyntax::llama3_json, "", ""};
    const std::vector<StreamCase> cases = {
        {list,
            "<tool_calls>[{\"name\": \"f\", \"arguments\": {\"days\": 1}}, {\"arguments\": {}, \"name\": "
            "\"f\"}]</tool_calls>",
            {"f{\"days\": 1}", "f{}"}, ""},
        // The closing tag in a string is text; so is a newline, which JSON wants escaped.
        {json, "<tool_call>{\"name\": \"f\", \"arguments\": {\"city\": \"a</tool_call>\nb\"}}</tool_call>",
            {"f{\"city\": \"a</tool_call>\\u000ab\"}"}, ""},
        {json, "<tool_call>{\"name\": \"f\", \"arguments\": \"{\\\"days\\\": 1}\"}</tool_call>", {"f{\"days\": 1}"},
            ""},
        {json, "<tool_call>{\"name\": \"f\", \"arguments\": {days: 1}}</tool_call> x", {}, "days: 1}}</tool_call> x"},
        {tags,
            "<tool_call><function=f><parameter=city>\n\nif a:\n  "
            "b\n\n</parameter><parameter=days>2</parameter></function>"
            "<function=f></function></tool_call>",
            {"f{\"city\": \"\\nif a:\\n  b\\n\", \"days\": 2}", "f{}"}, ""},
        {tags, "<function=f><parameter=days>1</parameter></function> and <function=f></function>",
            {"f{\"days\": 1}", "f{}"}, " and"},
        {tags, "<tool_call><function=f><parameter=city></parameter></function></tool_call>", {"f{\"city\": \"\"}"}, ""},
        {tags, "<tool_call><function=f><parameter=city>\nBern\n</function></tool_call>", {"f{\"city\": \"Bern\"}"}, ""},
        {tags, "<tool_call><function=f><parameter=city>a</function>b</parameter></function></tool_call>",
            {"f{\"city\": \"a</function>b\"}"}, ""},
        {tags, "<tool_call><function=g><parameter=city>a</parameter></function></tool_call>", {},
            "<tool_call><function=g><parameter=city>a</parameter></function></tool_call>"},
        {invoke,
            "<minimax:tool_call><invoke name=\"f\"><parameter name=\"days\">1</parameter><parameter "
            "name=\"city\">\"q\"</parameter>"
            "</invoke><invoke name=\"f\"></invoke></minimax:tool_call>",
            {"f{\"days\": 1, \"city\": \"\\\"q\\\"\"}", "f{}"}, ""},
        {python, "<|tool_call_start|>[f(city='a,)', days=[1, 2]), f()]<|tool_call_end|>",
            {"f{\"city\": \"a,)\", \"days\": [1, 2]}", "f{}"}, ""},
        {gemma, "<|tool_call>call:f{city:<|\"|>a,}<|\"|>,days:3}<tool_call|>", {"f{\"city\": \"a,}\", \"days\": 3}"},
            ""},
        {generic, "{\"response\": \"a \\\"b\\\"\\n\\u00fc\"}", {}, "a \"b\"\nü"},
        {generic, "{\"response\": \"cut sho", {}, "cut sho"},
        {generic, "{\"tool_call\": {\"name\": \"f\", \"arguments\": {\"days\": 1}}}", {"f{\"days\": 1}"}, ""},
        {llama, "{\"name\": \"f\", \"parameters\": {}}; {\"name\": \"f\", \"parameters\": {\"days\": 1}}",
            {"f{}", "f{\"days\": 1}"}, ""},
    };
    for (const StreamCase& one : cases) {
        const std::string text = one.text;
        for (const std::size_t step : {std::size_t{1}, std::size_t{3}, std::size_t{7}, text.size()}) {
            ToolCallParser parser(one.format, kTools);
            std::vector<ChatEvent> events;
            for (std::size_t i = 0; i < text.size(); i += step)
                parser.feed(std::string_view(text).substr(i, step), events);
            parser.finish(events);
            std::vector<std::string> calls;
            std::string content;
            for (const ChatEvent& event : events) {
                if (event.kind == ChatEventKind::content)
                    content += event.text;
                else if (event.kind == ChatEventKind::tool_end)
                    calls.push_back(event.call.name + event.call.arguments_json);
            }
            EXPECT_EQ(calls, one.calls) << text << " step " << step;
            EXPECT_EQ(content, one.content) << text << " step " << step;
        }
    }
}

std::unique_ptr<const ChatFormat> format_of(const std::string& name) {
    auto format = ChatFormat::create(read_file(kRoot / "tests/golden/templates" / (name + ".jinja")), "<s>", "</s>");
    EXPECT_TRUE(format);
    return format ? std::move(*format) : nullptr;
}

// The counts of text.md section 4.3, measured in Python.
TEST(TemplateProbe, FindsTheShapeThatATemplateTakes) {
    EXPECT_EQ(format_of("Qwen-Qwen3-0.6B")->traits().arguments, ArgumentShape::object);
    const auto distill = format_of("deepseek-ai-DeepSeek-R1-Distill-Llama-8B");
    EXPECT_EQ(distill->traits().arguments, ArgumentShape::string);
    EXPECT_EQ(distill->traits().call_content, EmptyContent::null);
    EXPECT_TRUE(distill->traits().reasoning_open);
    const auto functionary = format_of("meetkai-functionary-medium-v3.2");
    EXPECT_EQ(functionary->traits().arguments, ArgumentShape::string);
    EXPECT_EQ(functionary->traits().call_content, EmptyContent::empty_string);
    EXPECT_FALSE(format_of("google-gemma-2-2b-it")->traits().takes_system);
    EXPECT_TRUE(format_of("Qwen-Qwen3-0.6B")->traits().has_thinking_switch);
    EXPECT_EQ(format_of("SmolLM2-135M-Instruct")->traits().generation_prompt, "<|im_start|>assistant\n");
}

std::string adapted(const std::string& name, const std::string& messages, const std::string& tools = {}) {
    const auto format = format_of(name);
    RenderInput input;
    input.messages_json = messages;
    input.tools_json = tools;
    const auto result = format->render(input);
    return result ? result->prompt.text : "error: " + result.error().message;
}

TEST(TemplateProbe, AdaptsMessages) {
    EXPECT_EQ(adapted("google-gemma-2-2b-it", R"([{"role":"system","content":"S"},{"role":"user","content":"Hi"}])"),
        "<s><start_of_turn>user\nS\n\nHi<end_of_turn>\n<start_of_turn>model\n");
    EXPECT_EQ(
        adapted("SmolLM2-135M-Instruct",
            R"([{"role":"developer","content":"D"},{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}])"),
        "<|im_start|>system\nD<|im_end|>\n<|im_start|>user\nab<|im_end|>\n<|im_start|>assistant\n");
    EXPECT_EQ(
        adapted("SmolLM2-135M-Instruct",
            R"([{"role":"system","content":"D"},{"role":"user","content":"a"},{"role":"assistant","content":"Once "}])"),
        "<|im_start|>system\nD<|im_end|>\n<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\nOnce ");
    EXPECT_TRUE(adapted("SmolLM2-135M-Instruct", "[]").starts_with("error: "));
}

TEST(FallbackTemplates, EqualTheirFilesAndRender) {
    for (const FallbackTemplate& preset : fallback_templates()) {
        EXPECT_EQ(read_file(kRoot / "resources/templates" / (std::string(preset.name) + ".jinja")),
            std::string(preset.source) + "\n");
        const auto format = ChatFormat::create(std::string(preset.source), "<s>", "</s>");
        ASSERT_TRUE(format) << preset.name << ": " << format.error().message;
        RenderInput input;
        input.messages_json = R"([{"role":"system","content":"S"},{"role":"user","content":"Hi"}])";
        const auto result = (*format)->render(input);
        ASSERT_TRUE(result) << preset.name << ": " << result.error().message;
        EXPECT_NE(result->prompt.text.find("Hi"), std::string::npos);
    }
}

} // namespace
} // namespace vitrine::engine
