// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: one function a call syntax.  The texts: text.md section 5.
#include "engine/chat/tool_call_grammar.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/chat/tagged_arguments.h"
#include "engine/grammar/json_schema.h"

namespace vitrine::engine {
namespace {

using Json = nlohmann::ordered_json;

struct Function {
    std::string name;
    Json parameters;
    bool strict = false;
    std::string path; // of its parameters
};

std::vector<Function> read_functions(std::string_view tools_json) {
    const Json tools = parse_ordered_json(tools_json, "tools");
    std::vector<Function> functions;
    for (std::size_t i = 0; tools.is_array() && i < tools.size(); ++i) {
        if (!tools[i].is_object())
            continue;
        const bool nested = tools[i].contains("function") && tools[i]["function"].is_object();
        const Json& function = nested ? tools[i]["function"] : tools[i];
        if (!function.contains("name") || !function["name"].is_string())
            continue;
        Function one;
        one.name = function["name"];
        one.parameters = function.value("parameters", Json(nullptr));
        one.strict = function.value("strict", Json(false)) == true;
        one.path = fmt::format("tools[{}]{}.parameters", i, nested ? ".function" : "");
        functions.push_back(std::move(one));
    }
    return functions;
}

/// Draws the calls of one request.
class CallDrawing {
public:
    CallDrawing(GrammarBuilder& builder, JsonText& json, const ToolCallRules& rules)
        : builder_(builder), json_(json), rules_(rules), functions_(read_functions(rules.tools_json)) {
        std::erase_if(functions_, [&](const Function& one) { return !rules.only.empty() && one.name != rules.only; });
        if (functions_.empty())
            throw GrammarError{Error{ErrorCode::invalid_argument, fmt::format("no tool is named '{}'", rules.only),
                                   "Name one of the tools."},
                "tool_choice"};
    }

    GrammarNode draw(GrammarNode from) {
        const GrammarNode end = builder_.add_node();
        GrammarNode begin = from;
        if (rules_.free_text) {
            // Without a trigger the message itself is the call, so it cannot begin like one.
            const std::string& trigger = rules_.format.begin;
            begin = builder_.add_node();
            if (trigger.empty()) {
                builder_.epsilon(from, begin);
                builder_.epsilon(draw_plain_text(from), end);
            } else {
                builder_.epsilon(builder_.text_without(from, trigger), begin);
                builder_.epsilon(begin, end);
            }
        }
        builder_.epsilon(draw_block(begin), end);
        if (rules_.response) {
            GrammarNode at = json_.space(builder_.text(from, "{"));
            at = json_.space(builder_.text(at, "\"response\":"));
            builder_.epsilon(builder_.text(json_.space(builder_.call(at, json_.string())), "}"), end);
        }
        return end;
    }

private:
    /// A text that does not begin as a call does: the model may answer in JSON of its own.
    GrammarNode draw_plain_text(GrammarNode from) {
        constexpr std::string_view kCallBegin = "{\"name\"";
        const GrammarNode rest = builder_.add_node();
        for (const char c : kCallBegin) {
            const auto expected = static_cast<char32_t>(static_cast<unsigned char>(c));
            builder_.epsilon(from, rest);
            const GrammarNode other = builder_.add_node();
            builder_.code_points(from, complement_of(normalized({{expected, expected}})), other);
            builder_.code_points(other, complement_of({}), other);
            builder_.epsilon(other, rest);
            const GrammarNode next = builder_.add_node();
            builder_.bytes(from, static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c), next);
            from = next;
        }
        return rest;
    }

    GrammarRule arguments_of(const Function& function) {
        if (function.parameters.is_null() || function.parameters == Json::object())
            return json_.object();
        // Arguments are those listed, strict or not: further ones would only confuse the function.
        if (rules_.forced || function.strict)
            return add_json_schema(builder_, json_, function.parameters, true, function.path);
        try {
            return add_json_schema(builder_, json_, function.parameters, true, function.path);
        } catch (const GrammarError& error) {
            if (error.error.code != ErrorCode::invalid_schema)
                throw;
            return json_.object(); // nobody was promised more
        }
    }

    /// For each function: the texts around its name and its arguments.
    template <class Draw>
    GrammarNode each_function(GrammarNode from, Draw draw_one) {
        const GrammarNode end = builder_.add_node();
        for (const Function& function : functions_) {
            const GrammarNode begin = builder_.add_node();
            builder_.epsilon(from, begin);
            builder_.epsilon(draw_one(function, begin), end);
        }
        return end;
    }

    /// {"name": "f", "arguments": {...}}, in the family's spelling of the two keys.
    GrammarNode named_object(
        GrammarNode from, std::string_view name_key, std::string_view arguments_key, std::string_view before = {}) {
        return each_function(from, [&](const Function& function, GrammarNode at) {
            at = builder_.text(at, fmt::format("{{{}\"{}\": ", before, name_key));
            at = builder_.text(json_.quoted(at, function.name), fmt::format(", \"{}\": ", arguments_key));
            return builder_.text(builder_.call(at, arguments_of(function)), "}");
        });
    }

    /// Once, or again and again with `between`.
    template <class Draw>
    GrammarNode repeated(GrammarNode from, std::string_view between, Draw draw_one) {
        const GrammarRule rule = builder_.add_rule("a call");
        builder_.epsilon(draw_one(builder_.start(rule)), builder_.accept(rule));
        const GrammarNode end = builder_.call(from, rule);
        if (rules_.parallel)
            builder_.call(builder_.text(end, between), rule, end);
        return end;
    }

    GrammarNode id_characters(GrammarNode from, int count) {
        for (int i = 0; i < count; ++i) {
            const GrammarNode to = builder_.add_node();
            builder_.code_points(from, {{U'0', U'9'}, {U'A', U'Z'}, {U'a', U'z'}}, to);
            from = to;
        }
        return from;
    }

    GrammarNode draw_json_list(GrammarNode from) {
        const std::string& begin = rules_.format.begin;
        const bool cohere = begin == "<|START_ACTION|>";
        GrammarNode at = builder_.text(builder_.marker(from, begin), "[");
        at = repeated(at, ", ", [&](GrammarNode one) {
            if (begin == "<|tools_prefix|>")
                return each_function(one, [&](const Function& function, GrammarNode name) {
                    name = builder_.text(json_.quoted(builder_.text(name, "{"), function.name), ": ");
                    return builder_.text(builder_.call(name, arguments_of(function)), "}");
                });
            return cohere ? named_object(one, "tool_name", "parameters", "\"tool_call_id\": \"0\", ")
                          : named_object(one, "name", "arguments");
        });
        return builder_.marker(builder_.text(at, "]"), rules_.format.end);
    }

    GrammarNode draw_mistral_list(GrammarNode from) {
        GrammarNode at = builder_.text(builder_.marker(from, rules_.format.begin), "[");
        at = repeated(at, ", ", [&](GrammarNode one) {
            return each_function(one, [&](const Function& function, GrammarNode call) {
                call =
                    builder_.text(json_.quoted(builder_.text(call, "{\"name\": "), function.name), ", \"arguments\": ");
                call = builder_.text(builder_.call(call, arguments_of(function)), ", \"id\": \"");
                return builder_.text(id_characters(call, 9), "\"}");
            });
        });
        return builder_.text(at, "]");
    }

    GrammarNode draw_mistral_args(GrammarNode from) {
        return repeated(from, "", [&](GrammarNode one) {
            return each_function(builder_.marker(one, "[TOOL_CALLS]"), [&](const Function& function, GrammarNode at) {
                at = builder_.text(at, function.name);
                const GrammarNode arguments = builder_.add_node();
                builder_.epsilon(at, arguments);
                builder_.epsilon(id_characters(builder_.marker(at, "[CALL_ID]"), 9), arguments);
                return builder_.call(builder_.marker(arguments, "[ARGS]"), arguments_of(function));
            });
        });
    }

    GrammarNode draw_deepseek(GrammarNode from, bool fenced) {
        GrammarNode at = builder_.marker(from, rules_.format.begin);
        at = repeated(at, "\n", [&](GrammarNode one) {
            one = builder_.marker(one, "<｜tool▁call▁begin｜>");
            return each_function(one, [&](const Function& function, GrammarNode call) {
                if (fenced)
                    call = builder_.text(builder_.marker(builder_.text(call, "function"), "<｜tool▁sep｜>"),
                        function.name + "\n```json\n");
                else
                    call = builder_.marker(builder_.text(call, function.name), "<｜tool▁sep｜>");
                call = builder_.call(call, arguments_of(function));
                return builder_.marker(fenced ? builder_.text(call, "\n```") : call, "<｜tool▁call▁end｜>");
            });
        });
        return builder_.marker(at, rules_.format.end);
    }

    GrammarNode draw_kimi_k2(GrammarNode from) {
        GrammarNode at = builder_.marker(from, rules_.format.begin);
        at = repeated(at, "", [&](GrammarNode one) {
            one = builder_.marker(one, "<|tool_call_begin|>");
            return each_function(one, [&](const Function& function, GrammarNode call) {
                call = builder_.text(call, "functions." + function.name + ":");
                const GrammarNode digits = builder_.add_node();
                builder_.bytes(call, '0', '9', digits);
                call = builder_.call(builder_.marker(digits, "<|tool_call_argument_begin|>"), arguments_of(function));
                return builder_.marker(call, "<|tool_call_end|>");
            });
        });
        return builder_.marker(at, rules_.format.end);
    }

    GrammarNode draw_solar(GrammarNode from) {
        return repeated(from, "\n", [&](GrammarNode one) {
            one = builder_.marker(id_characters(builder_.marker(one, "<|tool_call:begin|>"), 9), "<|tool_call:name|>");
            return each_function(one, [&](const Function& function, GrammarNode call) {
                call = builder_.marker(builder_.text(call, function.name), "<|tool_call:args|>");
                return builder_.marker(builder_.call(call, arguments_of(function)), "<|tool_call:end|>");
            });
        });
    }

    /// One call: the end of the message follows its <|call|>.
    GrammarNode draw_harmony(GrammarNode from) {
        from = builder_.text(builder_.marker(from, "<|channel|>"), "commentary to=functions.");
        return each_function(from, [&](const Function& function, GrammarNode call) {
            call = builder_.marker(builder_.text(call, function.name + " "), "<|constrain|>");
            call = builder_.marker(builder_.text(call, "json"), "<|message|>");
            return builder_.call(call, arguments_of(function));
        });
    }

    GrammarNode draw_functionary_32(GrammarNode from) {
        // The generation prompt ends with the first ">>>".
        const GrammarNode name = builder_.add_node();
        builder_.epsilon(from, name);
        const GrammarNode end = each_function(name, [&](const Function& function, GrammarNode call) {
            return builder_.call(builder_.text(call, function.name + "\n"), arguments_of(function));
        });
        if (rules_.parallel)
            builder_.epsilon(builder_.text(end, "\n>>>"), name);
        return end;
    }

    GrammarNode draw_tagged(GrammarNode from) {
        const TagStyle style = tag_style_of(rules_.format);
        GrammarNode at = from;
        if (style.shares_block)
            at = builder_.text(builder_.marker(from, rules_.format.begin), style.behind_begin);
        at = repeated(at, style.between_calls, [&](GrammarNode one) {
            if (!style.shares_block && style.opens_block)
                one = builder_.text(builder_.marker(one, rules_.format.begin), style.behind_begin);
            one = each_function(one, [&](const Function& function, GrammarNode call) {
                call = draw_marked_text(builder_, call, style.before_name);
                call = draw_marked_text(builder_, builder_.text(call, function.name), style.behind_name);
                call = draw_tagged_arguments(builder_, json_, style,
                    {function.parameters, function.strict, rules_.forced || function.strict, function.path}, call);
                return draw_marked_text(builder_, call, style.behind_arguments);
            });
            return !style.shares_block && style.opens_block ? builder_.marker(one, rules_.format.end) : one;
        });
        return style.shares_block ? builder_.marker(at, rules_.format.end) : at;
    }

    GrammarNode draw_block(GrammarNode from) {
        const ToolFormat& format = rules_.format;
        switch (format.syntax) {
        case ToolSyntax::json_tag:
            return repeated(from, "\n", [&](GrammarNode one) {
                one = named_object(builder_.text(builder_.marker(one, format.begin), "\n"), "name", "arguments");
                return builder_.marker(builder_.text(one, "\n"), format.end);
            });
        case ToolSyntax::json_list_tag:
            return draw_json_list(from);
        case ToolSyntax::llama3_json: {
            const GrammarNode object = builder_.add_node();
            builder_.epsilon(from, object);
            builder_.epsilon(builder_.marker(from, "<|python_tag|>"), object);
            return named_object(object, "name", "parameters");
        }
        case ToolSyntax::function_call_tag:
            return named_object(builder_.marker(from, format.begin), "name", "arguments");
        case ToolSyntax::functionary_31:
            return repeated(from, "", [&](GrammarNode one) {
                return each_function(builder_.text(one, "<function="), [&](const Function& function, GrammarNode call) {
                    call = builder_.call(builder_.text(call, function.name + ">"), arguments_of(function));
                    return builder_.text(call, "</function>");
                });
            });
        case ToolSyntax::functionary_32:
            return draw_functionary_32(from);
        case ToolSyntax::mistral_list:
            return draw_mistral_list(from);
        case ToolSyntax::mistral_args:
            return draw_mistral_args(from);
        case ToolSyntax::deepseek_r1:
            return draw_deepseek(from, true);
        case ToolSyntax::deepseek_v31:
            return draw_deepseek(from, false);
        case ToolSyntax::kimi_k2:
            return draw_kimi_k2(from);
        case ToolSyntax::solar:
            return draw_solar(from);
        case ToolSyntax::harmony:
            return draw_harmony(from);
        case ToolSyntax::generic_json:
            return builder_.text(named_object(builder_.text(from, "{\"tool_call\": "), "name", "arguments"), "}");
        default:
            return draw_tagged(from);
        }
    }

    GrammarBuilder& builder_;
    JsonText& json_;
    const ToolCallRules& rules_;
    std::vector<Function> functions_;
};

} // namespace

bool can_draw_calls(ToolSyntax syntax) noexcept {
    return syntax != ToolSyntax::none && syntax != ToolSyntax::gemma4 && syntax != ToolSyntax::pythonic;
}

bool has_strict_tool(std::string_view tools_json) {
    const Json tools = Json::parse(tools_json, nullptr, false);
    return tools.is_array() && std::ranges::any_of(tools, [](const Json& tool) {
        if (!tool.is_object())
            return false;
        const Json& function = tool.contains("function") && tool["function"].is_object() ? tool["function"] : tool;
        return function.value("strict", Json(false)) == true;
    });
}

GrammarNode draw_tool_calls(GrammarBuilder& builder, JsonText& json, const ToolCallRules& rules, GrammarNode from) {
    return CallDrawing(builder, json, rules).draw(from);
}

} // namespace vitrine::engine
