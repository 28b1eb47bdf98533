// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the call syntaxes of text.md section 5.
#include "engine/chat/tool_call_syntax.h"

#include "engine/chat/tool_call_head.h"
#include "engine/chat/tool_call_literals.h"

#include <algorithm>
#include <array>
#include <optional>

namespace vitrine::engine {
namespace {

using Outcome = ToolBlock::Outcome;
constexpr std::size_t kNone = std::string_view::npos;

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

/// One newline on either side belongs to the tags.
std::string_view tag_value(std::string_view text) {
    if (text.starts_with('\n'))
        text.remove_prefix(1);
    if (text.ends_with('\n'))
        text.remove_suffix(1);
    return text;
}

std::string to_json(const JinjaValue& value) {
    try {
        return jinja_to_json(value, {}).bytes;
    } catch (const JinjaError&) {
        return "{}";
    }
}

const ToolSchema* find_tool(const std::vector<ToolSchema>& tools, std::string_view name) {
    const auto found =
        std::find_if(tools.begin(), tools.end(), [&](const ToolSchema& tool) { return tool.name == name; });
    return found == tools.end() ? nullptr : &*found;
}

/// Builds a block; a call without a name or with unreadable arguments spoils it.
class Builder {
public:
    explicit Builder(const std::vector<ToolSchema>& tools) : tools_(tools) {}

    void add(std::string_view name, std::string arguments, std::string_view id = {}) {
        const std::string_view clean = trimmed(name);
        if (find_tool(tools_, clean) == nullptr)
            good_ = false;
        else
            block_.calls.push_back({std::string(id), std::string(clean), std::move(arguments)});
    }
    void add_json(std::string_view name, std::string_view json, std::string_view id = {}) {
        auto value =
            jinja_from_json(trimmed(json).empty() ? std::string_view("{}") : trimmed(json), false, "arguments");
        if (value && value->is_text()) // double-encoded
            value = jinja_from_json(value->as_text().bytes, false, "arguments");
        if (value && value->is_map())
            add(name, to_json(*value), id);
        else
            good_ = false;
    }
    /// {"name", "arguments"} in the spellings of the families, or {f: {...}}.
    void add_object(const JinjaValue& object) {
        if (!object.is_map())
            return spoil();
        const JinjaMap* map = object.as_map().get();
        if (const JinjaValue* inner = map->find("function"); inner != nullptr && inner->is_map())
            map = inner->as_map().get();
        const JinjaValue* name = first_of(*map, {"name", "tool_name", "function"});
        const JinjaValue* arguments = first_of(*map, {"arguments", "parameters", "args"});
        const JinjaValue* id = first_of(*object.as_map(), {"id", "tool_call_id"});
        const std::string id_text = id != nullptr ? jinja_str(*id).bytes : std::string();
        if (name != nullptr && name->is_text())
            return add_value(name->as_text().bytes, arguments, id_text);
        if (map->entries.size() != 1 || !map->entries[0].second.is_map())
            return spoil();
        add_value(jinja_str(map->entries[0].first).bytes, &map->entries[0].second, id_text);
    }
    void add_objects(const JinjaValue& value) {
        if (!value.is_list())
            return add_object(value);
        for (const JinjaValue& item : value.as_list()->items)
            add_object(item);
    }
    void spoil() { good_ = false; }
    [[nodiscard]] ToolBlock take(std::size_t size) {
        block_.size = size;
        block_.outcome =
            good_ && (!block_.calls.empty() || !block_.content.empty()) ? Outcome::calls : Outcome::not_calls;
        return std::move(block_);
    }
    [[nodiscard]] const std::vector<ToolSchema>& tools() const { return tools_; }
    std::string& content() { return block_.content; }

private:
    static const JinjaValue* first_of(const JinjaMap& map, std::initializer_list<std::string_view> names) {
        for (const std::string_view name : names) {
            if (const JinjaValue* value = map.find(name); value != nullptr)
                return value;
        }
        return nullptr;
    }
    void add_value(std::string_view name, const JinjaValue* arguments, std::string_view id) {
        if (arguments == nullptr || arguments->is_null())
            return add(name, "{}", id);
        add_json(name, arguments->is_text() ? arguments->as_text().bytes : to_json(*arguments), id);
    }

    const std::vector<ToolSchema>& tools_;
    ToolBlock block_;
    bool good_ = true;
};

/// The text of a block between its tags.
struct Body {
    std::string_view text;
    std::size_t size = 0; // with both tags
    bool complete = false;
};

Body body_between(std::string_view text, std::string_view begin, std::string_view end, bool at_end) {
    const std::size_t start = text.starts_with(begin) ? begin.size() : 0;
    const std::size_t stop = end.empty() ? kNone : text.find(end, start);
    if (stop == kNone)
        return {text.substr(start), text.size(), at_end};
    return {text.substr(start, stop - start), stop + end.size(), true};
}

ToolBlock read_json_objects(Builder& builder, const Body& body) {
    std::string_view rest = trimmed(body.text);
    while (!rest.empty()) {
        const std::size_t end = json_value_end(rest, 0);
        auto value = end == kNone ? tl::unexpected(Error{}) : jinja_from_json(rest.substr(0, end), false, "call");
        if (!value) {
            builder.spoil();
            break;
        }
        builder.add_objects(*value);
        rest = trimmed(rest.substr(end));
        if (rest.starts_with(';') || rest.starts_with(','))
            rest = trimmed(rest.substr(1));
    }
    return builder.take(body.size);
}

/// <open NAME_MARK name CLOSE ... > blocks: the parts between `begin` and `end` in turn.
template <class Read>
void for_each_part(std::string_view text, std::string_view begin, std::string_view end, Read read) {
    for (std::size_t at = text.find(begin); at != kNone; at = text.find(begin, at)) {
        at += begin.size();
        const std::size_t stop = std::min(text.find(end, at), text.size());
        read(text.substr(at, stop - at));
        at = stop;
    }
}

/// name CLOSE rest: "f>..." to {f, ...}.
std::pair<std::string_view, std::string_view> cut_at(std::string_view text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    return at == kNone ? std::pair{text, std::string_view()}
                       : std::pair{text.substr(0, at), text.substr(at + mark.size())};
}

std::string arguments_of(const std::shared_ptr<JinjaMap>& map) {
    return to_json(JinjaValue(map));
}

/// <function=f><parameter=k>v</parameter></function>
ToolBlock read_function_tags(Builder& builder, const Body& body) {
    for_each_part(body.text, "<function=", "</function>", [&](std::string_view part) {
        const auto [name, rest] = cut_at(part, ">");
        auto map = std::make_shared<JinjaMap>();
        const ToolSchema* tool = find_tool(builder.tools(), trimmed(name));
        for_each_part(rest, "<parameter=", "</parameter>", [&](std::string_view parameter) {
            const auto [key, value] = cut_at(parameter, ">");
            map->set(trimmed(key), convert_tag_value(tool, trimmed(key), tag_value(value)));
        });
        builder.add(name, arguments_of(map));
    });
    return builder.take(body.size);
}

/// f <arg_key>k</arg_key><arg_value>v</arg_value>, tags maybe with a suffix such as ":opensource".
ToolBlock read_arg_keys(Builder& builder, const Body& body, std::string_view suffix) {
    const std::string key_begin = "<arg_key" + std::string(suffix) + ">";
    const std::string key_end = "</arg_key" + std::string(suffix) + ">";
    const std::string value_begin = "<arg_value" + std::string(suffix) + ">";
    const std::string value_end = "</arg_value" + std::string(suffix) + ">";
    std::string_view text = body.text;
    const std::size_t name_end = std::min({text.find(key_begin), text.find('\n'), text.find("<tool_sep"), text.size()});
    const std::string_view name = trimmed(text.substr(0, name_end));
    const ToolSchema* tool = find_tool(builder.tools(), name);
    auto map = std::make_shared<JinjaMap>();
    for (std::size_t at = text.find(key_begin); at != kNone; at = text.find(key_begin, at)) {
        at += key_begin.size();
        const std::size_t stop = text.find(key_end, at);
        const std::size_t begin = stop == kNone ? kNone : text.find(value_begin, stop);
        if (begin == kNone)
            break;
        const std::size_t first = begin + value_begin.size();
        const std::size_t last = std::min(text.find(value_end, first), text.size());
        const std::string_view key = trimmed(text.substr(at, stop - at));
        map->set(key, convert_tag_value(tool, key, tag_value(text.substr(first, last - first))));
        at = last;
    }
    builder.add(name, arguments_of(map));
    return builder.take(body.size);
}

/// <invoke name="f"><parameter name="k">v</parameter></invoke>, with a tag prefix; also <function name=><param name=>.
ToolBlock read_named_tags(
    Builder& builder, const Body& body, const std::string& prefix, std::string_view outer, std::string_view inner) {
    const std::string call_begin = "<" + prefix + std::string(outer) + " ";
    const std::string call_end = "</" + prefix + std::string(outer) + ">";
    const std::string value_begin = "<" + prefix + std::string(inner) + " ";
    const std::string value_end = "</" + prefix + std::string(inner) + ">";
    for_each_part(body.text, call_begin, call_end, [&](std::string_view part) {
        const auto [tag, rest] = cut_at(part, ">");
        const std::string_view name = tag_attribute(tag, "name");
        const ToolSchema* tool = find_tool(builder.tools(), name);
        auto map = std::make_shared<JinjaMap>();
        for_each_part(rest, value_begin, value_end, [&](std::string_view parameter) {
            const auto [head, value] = cut_at(parameter, ">");
            const std::string_view key = tag_attribute(head, "name");
            const std::string_view is_string = tag_attribute(head, "string");
            JinjaValue converted = is_string == "true" ? JinjaValue::text(tag_value(value))
                                                       : convert_tag_value(tool, key, tag_value(value));
            map->set(key, std::move(converted));
        });
        builder.add(name, arguments_of(map));
    });
    return builder.take(body.size);
}

/// Repeated NAME_BEGIN name ARGS_BEGIN {json} ...; ends is what may follow.
ToolBlock read_name_then_json(
    Builder& builder, const Body& body, std::string_view name_begin, std::string_view args_begin) {
    std::string_view rest = body.text;
    while (true) {
        const std::size_t begin = rest.find(name_begin);
        if (begin == kNone)
            break;
        rest.remove_prefix(begin + name_begin.size());
        const std::size_t args = rest.find(args_begin);
        const std::size_t json = args == kNone ? kNone : rest.find('{', args);
        const std::size_t end = json == kNone ? kNone : json_value_end(rest, json);
        if (end == kNone) {
            builder.spoil();
            break;
        }
        builder.add_json(rest.substr(0, args), rest.substr(json, end - json));
        rest.remove_prefix(end);
    }
    return builder.take(body.size);
}

/// [TOOL_CALLS]f[CALL_ID]id[ARGS]{...}, repeated.
ToolBlock read_mistral_args(Builder& builder, std::string_view text, bool at_end) {
    constexpr std::string_view kCall = "[TOOL_CALLS]";
    constexpr std::string_view kArgs = "[ARGS]";
    const std::size_t args = text.find(kArgs);
    const std::size_t json = args == kNone ? kNone : text.find('{', args);
    const std::size_t end = json == kNone ? kNone : json_value_end(text, json);
    if (end == kNone)
        return at_end ? ToolBlock{Outcome::not_calls, text.size(), {}, {}} : ToolBlock{};
    const auto [name, id] = cut_at(text.substr(kCall.size(), args - kCall.size()), "[CALL_ID]");
    builder.add_json(name, text.substr(json, end - json), id);
    return builder.take(end);
}

ToolBlock read_harmony(Builder& builder, std::string_view text, bool at_end) {
    constexpr std::string_view kTo = "to=";
    constexpr std::string_view kMessage = "<|message|>";
    const Body body = body_between(text, {}, "<|call|>", at_end);
    const std::size_t to = body.text.find(kTo);
    const std::size_t message = body.text.find(kMessage);
    if (!body.complete)
        return {};
    if (to == kNone || message == kNone || to > message)
        return {Outcome::not_calls, body.size, {}, {}};
    std::string_view name = body.text.substr(to + kTo.size());
    name = name.substr(0, name.find_first_of(" <"));
    if (name.starts_with("functions."))
        name.remove_prefix(10);
    std::string_view arguments = body.text.substr(message + kMessage.size());
    builder.add_json(name, cut_at(arguments, "<|end|>").first);
    return builder.take(body.size);
}

ToolBlock read_kimi_k2(Builder& builder, const Body& body) {
    for_each_part(body.text, "<|tool_call_begin|>", "<|tool_call_end|>", [&](std::string_view part) {
        const auto [id, arguments] = cut_at(part, "<|tool_call_argument_begin|>");
        std::string_view name = trimmed(id);
        if (name.starts_with("functions."))
            name.remove_prefix(10);
        builder.add_json(name.substr(0, name.rfind(':')), arguments, trimmed(id));
    });
    return builder.take(body.size);
}

ToolBlock read_kimi_k3(Builder& builder, const Body& body) {
    const auto [head, rest] = cut_at(body.text, "<|sep|>");
    const std::string_view name = tag_attribute(head, "tool");
    const ToolSchema* tool = find_tool(builder.tools(), name);
    auto map = std::make_shared<JinjaMap>();
    for_each_part(rest, "<|open|>argument ", "<|close|>argument<|sep|>", [&](std::string_view part) {
        const auto [tag, value] = cut_at(part, "<|sep|>");
        const std::string_view key = tag_attribute(tag, "key");
        const bool is_text = tag_attribute(tag, "type") == "string";
        map->set(key, is_text ? JinjaValue::text(value) : convert_tag_value(tool, key, value));
    });
    builder.add(name, arguments_of(map));
    return builder.take(body.size);
}

ToolBlock read_solar(Builder& builder, const Body& body) {
    const auto [id, rest] = cut_at(body.text, "<|tool_call:name|>");
    const auto [name, arguments] = cut_at(rest, "<|tool_call:args|>");
    builder.add_json(name, arguments, trimmed(id));
    return builder.take(body.size);
}

ToolBlock read_gemma4(Builder& builder, const Body& body) {
    std::string_view text = trimmed(body.text);
    if (text.starts_with("call:"))
        text.remove_prefix(5);
    const std::size_t open = std::min(text.find('{'), text.size());
    const auto value = read_gemma_value(text.substr(open));
    if (value && value->is_map())
        builder.add(text.substr(0, open), to_json(*value));
    else
        builder.spoil();
    return builder.take(body.size);
}

ToolBlock read_pythonic(Builder& builder, const Body& body) {
    const auto calls = read_python_calls(trimmed(body.text));
    if (!calls)
        builder.spoil();
    else
        for (const auto& [name, arguments] : *calls)
            builder.add(name, to_json(arguments));
    return builder.take(body.size);
}

/// >>>f\n{...}; also without >>> at the start of the message.  "all" is the channel of plain text.
ToolBlock read_functionary_32(Builder& builder, std::string_view text, bool at_end) {
    const std::size_t start = text.starts_with(">>>") ? 3 : 0;
    const std::size_t line = text.find('\n');
    if (line == kNone)
        return at_end ? ToolBlock{Outcome::not_calls, text.size(), {}, {}} : ToolBlock{};
    const std::string_view name = text.substr(start, line - start);
    if (name == "all")
        return {Outcome::calls, line + 1, {}, {}};
    if (find_tool(builder.tools(), name) == nullptr)
        return {Outcome::not_calls, line + 1, {}, {}};
    const std::size_t end = json_value_end(text, line + 1);
    if (end == kNone)
        return at_end ? ToolBlock{Outcome::not_calls, text.size(), {}, {}} : ToolBlock{};
    builder.add_json(name, text.substr(line + 1, end - line - 1));
    return builder.take(end);
}

/// The message is one JSON value (or several): Llama 3, GigaChat, our own system text.
ToolBlock read_whole_json(Builder& builder, std::string_view text, std::string_view begin, bool at_end, bool generic) {
    const std::size_t start = text.starts_with(begin) ? begin.size() : 0;
    const std::size_t first = text.find_first_not_of(" \t\r\n", start);
    const std::size_t end = first == kNone ? kNone : json_value_end(text, first);
    if (end == kNone)
        return at_end ? ToolBlock{Outcome::not_calls, text.size(), {}, {}} : ToolBlock{};
    const auto value = jinja_from_json(text.substr(first, end - first), false, "call");
    if (!value || !value->is_map())
        return {Outcome::not_calls, end, {}, {}};
    if (!generic) {
        builder.add_object(*value);
        return builder.take(end);
    }
    if (const JinjaValue* response = value->as_map()->find("response"); response != nullptr)
        builder.content() = jinja_str(*response).bytes;
    else if (const JinjaValue* call = value->as_map()->find("tool_call"); call != nullptr)
        builder.add_objects(*call);
    else
        builder.spoil();
    return builder.take(end);
}

/// The schema's "type" of one parameter.
std::optional<JinjaValue> type_of_parameter(const ToolSchema* tool, std::string_view key) {
    const auto schema =
        tool != nullptr ? jinja_from_json(tool->parameters_json, false, "schema") : Result<JinjaValue>(JinjaValue());
    if (!schema || !schema->is_map())
        return std::nullopt;
    const JinjaValue* properties = schema->as_map()->find("properties");
    const JinjaValue* property =
        properties != nullptr && properties->is_map() ? properties->as_map()->find(key) : nullptr;
    const JinjaValue* type = property != nullptr && property->is_map() ? property->as_map()->find("type") : nullptr;
    return type != nullptr ? std::optional(*type) : std::nullopt;
}

bool allows(const std::optional<JinjaValue>& type, std::string_view name) {
    if (!type)
        return false;
    return type->is_list() ? jinja_contains_text(*type, name) : jinja_str(*type).bytes == name;
}

} // namespace

JinjaValue convert_tag_value(const ToolSchema* tool, std::string_view key, std::string_view text) {
    const std::optional<JinjaValue> type = type_of_parameter(tool, key);
    if (allows(type, "string") && !(allows(type, "null") && trimmed(text) == "null"))
        return JinjaValue::text(text);
    if (allows(type, "boolean") && (trimmed(text) == "True" || trimmed(text) == "False")) // Python's spelling
        return JinjaValue(trimmed(text) == "True");
    auto value = jinja_from_json(trimmed(text), false, "value");
    const bool untyped_text = !type && value && value->is_text();
    return value && !untyped_text ? *value : JinjaValue::text(text);
}

bool takes_text_only(const ToolSchema* tool, std::string_view key) {
    const std::optional<JinjaValue> type = type_of_parameter(tool, key);
    return allows(type, "string") && !allows(type, "null");
}

std::vector<std::string> tool_block_begins(const ToolFormat& format) {
    switch (format.syntax) {
    case ToolSyntax::none:
        return {};
    case ToolSyntax::llama3_json:
        return {"<|python_tag|>", ""};
    case ToolSyntax::generic_json:
        return {""};
    case ToolSyntax::functionary_32:
        return {">>>", ""};
    case ToolSyntax::harmony:
        return {"<|start|>assistant", "<|channel|>commentary", " to=functions.", "to=functions."};
    case ToolSyntax::function_tag:
        return {format.begin, "<function="};
    default:
        return {format.begin};
    }
}

ToolBlock read_tool_block(
    const ToolFormat& format, const std::vector<ToolSchema>& tools, std::string_view text, bool at_end) {
    Builder builder(tools);
    switch (format.syntax) {
    case ToolSyntax::llama3_json:
        return read_whole_json(builder, text, "<|python_tag|>", at_end, false);
    case ToolSyntax::function_call_tag:
        return read_whole_json(builder, text, format.begin, at_end, false);
    case ToolSyntax::generic_json:
        return read_whole_json(builder, text, {}, at_end, true);
    case ToolSyntax::functionary_32:
        return read_functionary_32(builder, text, at_end);
    case ToolSyntax::harmony:
        return read_harmony(builder, text, at_end);
    case ToolSyntax::mistral_args:
        return read_mistral_args(builder, text, at_end);
    default:
        break;
    }
    const bool is_bare = format.syntax == ToolSyntax::function_tag && text.starts_with("<function=");
    Body body = body_between(text, is_bare ? std::string_view() : std::string_view(format.begin),
        is_bare ? std::string_view("</function>") : std::string_view(format.end), at_end);
    if (format.syntax == ToolSyntax::mistral_list) {
        const std::size_t end =
            json_value_end(body.text, std::min(body.text.find_first_not_of(" \n"), body.text.size()));
        body.complete = at_end || end != kNone;
        if (end != kNone)
            body = {body.text.substr(0, end), format.begin.size() + end, true};
    }
    if (!body.complete)
        return {};
    switch (format.syntax) {
    case ToolSyntax::function_tag:
        return read_function_tags(builder, body);
    case ToolSyntax::arg_key_tag: {
        const std::size_t colon = format.begin.find(':');
        const std::string suffix = colon == kNone ? "" : format.begin.substr(colon, format.begin.size() - colon - 1);
        return read_arg_keys(builder, body, suffix);
    }
    case ToolSyntax::functionary_31: {
        const auto [name, arguments] = cut_at(body.text, ">");
        builder.add_json(name, arguments);
        return builder.take(body.size);
    }
    case ToolSyntax::function_param: {
        const Body whole{text.substr(0, body.size), body.size, true};
        return read_named_tags(builder, whole, {}, "function", "param");
    }
    case ToolSyntax::invoke_tag:
        return read_named_tags(
            builder, body, format.begin.find("DSML") != std::string::npos ? "｜DSML｜" : "", "invoke", "parameter");
    case ToolSyntax::deepseek_r1:
        return read_name_then_json(builder, body, "<｜tool▁sep｜>", "\n");
    case ToolSyntax::deepseek_v31:
        return read_name_then_json(builder, body, "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>");
    case ToolSyntax::gemma4:
        return read_gemma4(builder, body);
    case ToolSyntax::kimi_k2:
        return read_kimi_k2(builder, body);
    case ToolSyntax::kimi_k3:
        return read_kimi_k3(builder, body);
    case ToolSyntax::pythonic:
        return read_pythonic(builder, body);
    case ToolSyntax::solar:
        return read_solar(builder, body);
    default:
        return read_json_objects(builder, body);
    }
}

} // namespace vitrine::engine
