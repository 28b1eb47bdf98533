// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: every call syntax with a grammar: what its template writes is in it, what is not a call is not, and a text
// drawn from it is read back as calls.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/chat/tool_call_grammar.h"
#include "engine/grammar/grammar_automaton.h"
#include "engine/grammar/grammar_compiler.h"

namespace vitrine::engine {
namespace {

constexpr const char* kTools =
    R"([{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string","maxLength":6},"days":{"type":"integer","minimum":1,"maximum":20},"unit":{"enum":["C","F"]}},"required":["city"],"additionalProperties":false}}},
        {"type":"function","function":{"name":"stop","parameters":{"type":"object","properties":{}}}}])";

GrammarResult calls_grammar(const ToolCallRules& rules) {
    return compile_grammar({}, [&](GrammarBuilder& builder) {
        JsonText json(builder);
        const GrammarRule root = builder.add_rule("calls");
        builder.epsilon(draw_tool_calls(builder, json, rules, builder.start(root)), builder.accept(root));
        return root;
    });
}

bool accepts(const std::shared_ptr<const Grammar>& grammar, std::string_view text) {
    GrammarAutomaton automaton(grammar);
    auto config = automaton.start();
    for (const char byte : text)
        config = config < 0 ? config : automaton.next(config, static_cast<std::uint8_t>(byte));
    return config >= 0 && automaton.may_end(config);
}

/// A text of the grammar: letters where it can choose, so that strings stay readable.
std::string drawn(const std::shared_ptr<const Grammar>& grammar, std::mt19937& random) {
    GrammarAutomaton automaton(grammar);
    auto config = automaton.start();
    std::string text;
    // What ends a raw value, which random letters would hardly spell.
    const std::vector<std::string> closers{
        "\n</parameter>", "</parameter>", "</param>", "</arg_value>", "<|close|>", "</｜DSML｜parameter>"};
    while (text.size() < 2000) {
        for (const std::string& closer : closers) {
            auto behind = config;
            for (const char byte : closer)
                behind = behind < 0 ? behind : automaton.next(behind, static_cast<std::uint8_t>(byte));
            if (behind < 0 || random() % 8 != 0)
                continue;
            config = behind;
            text += closer;
        }
        std::vector<std::uint8_t> alive;
        for (int byte = 32; byte < 127; ++byte)
            if (automaton.next(config, static_cast<std::uint8_t>(byte)) >= 0 && byte != '\\')
                alive.push_back(static_cast<std::uint8_t>(byte));
        for (int byte = 128; byte < 256 && alive.empty(); ++byte)
            if (automaton.next(config, static_cast<std::uint8_t>(byte)) >= 0)
                alive.push_back(static_cast<std::uint8_t>(byte));
        if (alive.empty() && automaton.next(config, '\n') >= 0)
            alive.push_back('\n');
        if (alive.empty() || (automaton.may_end(config) && random() % 2 == 0))
            return automaton.may_end(config) ? text : "dead end behind " + text;
        // Closing characters are likely, so that strings end.
        std::uint8_t chosen = alive[random() % alive.size()];
        for (const std::uint8_t byte : alive)
            if ((byte == '"' || byte == '<') && random() % 3 == 0)
                chosen = byte;
        config = automaton.next(config, chosen);
        text += static_cast<char>(chosen);
    }
    return "unfinished " + text;
}

struct Family {
    ToolSyntax syntax;
    const char* begin;
    const char* end;
    const char* example; // of get_weather(city = Ulm), as the family's template writes it
};

const Family kFamilies[] = {
    {ToolSyntax::json_tag, "<tool_call>", "</tool_call>",
        "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Ulm\"}}\n</tool_call>"},
    {ToolSyntax::json_list_tag, "<TOOLCALL>", "</TOOLCALL>",
        "<TOOLCALL>[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Ulm\"}}]</TOOLCALL>"},
    {ToolSyntax::json_list_tag, "<|START_ACTION|>", "<|END_ACTION|>",
        "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": {\"city\": "
        "\"Ulm\"}}]<|END_ACTION|>"},
    {ToolSyntax::json_list_tag, "<|tools_prefix|>", "<|tools_suffix|>",
        "<|tools_prefix|>[{\"get_weather\": {\"city\": \"Ulm\"}}]<|tools_suffix|>"},
    {ToolSyntax::function_tag, "<tool_call>", "</tool_call>",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nUlm\n</parameter>\n</function>\n</tool_call>"},
    {ToolSyntax::function_tag, "<seed:tool_call>", "</seed:tool_call>",
        "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Ulm</parameter>\n</function>\n</seed:tool_call>"},
    {ToolSyntax::arg_key_tag, "<tool_call>", "</tool_call>",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Ulm</arg_value>\n</tool_call>"},
    {ToolSyntax::llama3_json, "", "", "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Ulm\"}}"},
    {ToolSyntax::functionary_31, "<function=", "</function>", "<function=get_weather>{\"city\": \"Ulm\"}</function>"},
    {ToolSyntax::functionary_32, ">>>", "", "get_weather\n{\"city\": \"Ulm\"}"},
    {ToolSyntax::function_param, "<function name=", "</function>",
        "<function name=\"get_weather\"><param name=\"city\">Ulm</param></function>"},
    {ToolSyntax::mistral_list, "[TOOL_CALLS]", "",
        "[TOOL_CALLS][{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Ulm\"}, \"id\": \"abcdefghi\"}]"},
    {ToolSyntax::mistral_args, "[TOOL_CALLS]", "", "[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Ulm\"}"},
    {ToolSyntax::deepseek_r1, "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\": "
        "\"Ulm\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"},
    {ToolSyntax::deepseek_v31, "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": "
        "\"Ulm\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"},
    {ToolSyntax::invoke_tag, "<minimax:tool_call>", "</minimax:tool_call>",
        "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter "
        "name=\"city\">Ulm</parameter>\n</invoke>\n</minimax:tool_call>"},
    {ToolSyntax::invoke_tag, "<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>",
        "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" "
        "string=\"true\">Ulm</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>"},
    {ToolSyntax::harmony, "to=functions.", "<|call|>",
        "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\": \"Ulm\"}"},
    {ToolSyntax::kimi_k2, "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\": "
        "\"Ulm\"}<|tool_call_end|><|tool_calls_section_end|>"},
    {ToolSyntax::kimi_k3, "<|open|>call ", "<|close|>call<|sep|>",
        "<|open|>call tool=\"get_weather\" index=\"1\"<|sep|><|open|>argument key=\"city\" "
        "type=\"string\"<|sep|>Ulm<|close|>argument<|sep|><|close|>call<|sep|>"},
    {ToolSyntax::solar, "<|tool_call:begin|>", "<|tool_call:end|>",
        "<|tool_call:begin|>abcdefghi<|tool_call:name|>get_weather<|tool_call:args|>{\"city\": "
        "\"Ulm\"}<|tool_call:end|>"},
    {ToolSyntax::function_call_tag, "<|function_call|>", "",
        "<|function_call|>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Ulm\"}}"},
    {ToolSyntax::generic_json, "", "",
        "{\"tool_call\": {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Ulm\"}}}"},
};

TEST(ToolCallGrammar, HoldsWhatTheFamilyWritesAndIsReadBack) {
    std::mt19937 random(5);
    for (const Family& family : kFamilies) {
        const std::string name = std::string(tool_syntax_name(family.syntax)) + " " + family.begin;
        ASSERT_TRUE(can_draw_calls(family.syntax)) << name;
        const ToolFormat format{family.syntax, family.begin, family.end};
        const auto grammar = calls_grammar({format, kTools, "", true, true, false, false});
        ASSERT_TRUE(grammar) << name << ": " << grammar.error().path << " " << grammar.error().error.message;
        EXPECT_TRUE(accepts(*grammar, family.example)) << name;
        EXPECT_FALSE(accepts(*grammar, "Hello")) << name;
        EXPECT_FALSE(accepts(*grammar, "")) << name;
        const auto tools = tool_schemas_from_json(kTools);
        EXPECT_EQ(parse_tool_calls(format, tools, family.example).tool_calls.size(), 1U) << name;
        for (int i = 0; i < 12; ++i) {
            const std::string text = drawn(*grammar, random);
            const AssistantMessage message = parse_tool_calls(format, tools, text);
            ASSERT_FALSE(message.tool_calls.empty()) << name << "\n" << text;
            EXPECT_EQ(message.content, "") << name << "\n" << text;
            for (const ToolCall& call : message.tool_calls) {
                const auto arguments = nlohmann::json::parse(call.arguments_json, nullptr, false);
                ASSERT_TRUE(arguments.is_object()) << name << "\n" << text;
                if (call.name == "get_weather") {
                    ASSERT_TRUE(arguments.contains("city") && arguments["city"].is_string()) << name << "\n" << text;
                    EXPECT_LE(arguments["city"].get<std::string>().size(), 6U) << name << "\n" << text;
                    EXPECT_TRUE(!arguments.contains("unit") || arguments["unit"] == "C" || arguments["unit"] == "F")
                        << name << "\n"
                        << text;
                    EXPECT_TRUE(!arguments.contains("days") || arguments["days"].is_number_integer()) << text;
                }
            }
        }
    }
}

TEST(ToolCallGrammar, NamesOneFunctionAndOneCall) {
    const ToolFormat format{ToolSyntax::json_tag, "<tool_call>", "</tool_call>"};
    const auto grammar = calls_grammar({format, kTools, "stop", true, false, false, false});
    ASSERT_TRUE(grammar);
    const std::string stop = "<tool_call>\n{\"name\": \"stop\", \"arguments\": {}}\n</tool_call>";
    EXPECT_TRUE(accepts(*grammar, stop));
    EXPECT_FALSE(accepts(*grammar, stop + "\n" + stop));
    EXPECT_FALSE(accepts(*grammar, kFamilies[0].example));
    const auto nobody = calls_grammar({format, kTools, "nobody", true, false, false, false});
    ASSERT_FALSE(nobody);
    EXPECT_EQ(nobody.error().path, "tool_choice");
}

TEST(ToolCallGrammar, LetsTextStandBeforeTheTrigger) {
    const ToolFormat format{ToolSyntax::json_tag, "<tool_call>", "</tool_call>"};
    const auto grammar = calls_grammar({format, kTools, "", false, true, true, false});
    ASSERT_TRUE(grammar);
    EXPECT_TRUE(accepts(*grammar, "It rains. <tool or not>"));
    EXPECT_TRUE(accepts(*grammar, std::string("Let me look.\n") + kFamilies[0].example));
    EXPECT_FALSE(accepts(*grammar, "Look: <tool_call>\n{\"name\": \"other\""));
}

TEST(ToolCallGrammar, RefusesASchemaWithItsPathWhereACallIsForced) {
    const char* tools =
        R"([{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"x":{"not":{}}}}}}])";
    const ToolFormat format{ToolSyntax::json_tag, "<tool_call>", "</tool_call>"};
    const auto forced = calls_grammar({format, tools, "", true, true, false, false});
    ASSERT_FALSE(forced);
    EXPECT_EQ(forced.error().path, "tools[0].function.parameters.properties.x.not");
    EXPECT_TRUE(calls_grammar({format, tools, "", false, true, true, false})) << "nothing was promised";
}

} // namespace
} // namespace vitrine::engine
