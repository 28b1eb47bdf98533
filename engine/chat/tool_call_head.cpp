// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: heads of calls, by family.
#include "engine/chat/tool_call_head.h"

#include "engine/chat/jinja_value.h"

#include <algorithm>
#include <array>
#include <optional>

namespace vitrine::engine {
namespace {

using Outcome = CallHead::Outcome;
constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kSpace = " \t\r\n";
const CallHead kUnreadable{Outcome::unreadable, {}, {}, 0};

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

/// Reads the members of a call object up to its arguments: {"id": "x", "name": "f", "arguments": {
class ObjectHead {
public:
    ObjectHead(const ToolFormat& format, std::string_view text, std::size_t at)
        : format_(format), text_(text), at_(at) {}

    CallHead read() {
        if (!skip("}],; \t\r\n[")) // what ended the call before, and the list's own bracket
            return {};
        if (text_[at_] != '{')
            return kUnreadable;
        ++at_;
        for (bool first = true;; first = false) {
            const CallHead head = read_member(first);
            if (done_)
                return head;
        }
    }

private:
    bool skip(std::string_view characters) {
        at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
        return at_ < text_.size();
    }

    CallHead end(CallHead head) {
        done_ = true;
        return head;
    }

    /// nullopt: not complete.
    std::optional<std::string> quoted() {
        const std::size_t begin = at_;
        for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
            if (text_[i] == '\\')
                ++i;
            else if (text_[i] == '"') {
                at_ = i + 1;
                const auto value = jinja_from_json(text_.substr(begin, at_ - begin), false, "key");
                return value && value->is_text() ? value->as_text().bytes : std::string();
            }
        }
        return std::nullopt;
    }

    CallHead read_member(bool first) {
        if (!skip(kSpace))
            return end({});
        if (text_[at_] != '"')
            return end(kUnreadable);
        const auto key = quoted();
        if (!key || !skip(kSpace))
            return end({});
        if (text_[at_] != ':')
            return end(kUnreadable);
        ++at_;
        if (!skip(kSpace))
            return end({});
        return read_value(*key, first);
    }

    CallHead read_value(const std::string& key, bool first) {
        const bool wraps = format_.syntax == ToolSyntax::generic_json && first && !inside_ && key == "tool_call";
        const bool is_arguments = key == "arguments" || key == "parameters" || key == "args";
        if (text_[at_] == '{') {
            if (wraps || (key == "function" && !inside_)) {
                inside_ = true;
                ++at_;
                return {};
            }
            if (is_arguments && !name_.empty())
                return end({Outcome::found, id_, name_, at_});
            // {"f": {...}}
            if (first && !inside_ && format_.begin == "<|tools_prefix|>")
                return end({Outcome::found, {}, key, at_});
            return end(kUnreadable);
        }
        if (text_[at_] == '[' || is_arguments)
            return end(kUnreadable);
        if (format_.syntax == ToolSyntax::generic_json && first && !inside_ && key == "response" && text_[at_] == '"')
            return end({Outcome::response, {}, {}, at_ + 1});
        if (text_[at_] == '"') {
            const auto value = quoted();
            if (!value)
                return end({});
            if (key == "name" || key == "tool_name" || key == "function")
                name_ = *value;
            else if (key == "id" || key == "tool_call_id")
                id_ = *value;
        } else {
            at_ = std::min(text_.find_first_of(",} \t\r\n", at_), text_.size());
        }
        if (!skip(kSpace))
            return end({});
        if (text_[at_] != ',')
            return end(kUnreadable);
        ++at_;
        return {};
    }

    const ToolFormat& format_;
    std::string_view text_;
    std::size_t at_;
    std::string name_, id_;
    bool inside_ = false; // of {"tool_call": or "function":
    bool done_ = false;
};

/// Families that write the name between two marks and JSON behind them.
struct NamedJson {
    ToolSyntax syntax;
    std::string_view before;
    std::string_view behind;
    std::string_view fence; // may stand before the JSON
};
constexpr std::array<NamedJson, 8> kNamedJson = {{
    {ToolSyntax::functionary_31, "<function=", ">", ""},
    {ToolSyntax::functionary_32, "", "\n", ""},
    {ToolSyntax::mistral_args, "[TOOL_CALLS]", "[ARGS]", ""},
    {ToolSyntax::deepseek_r1, "<｜tool▁sep｜>", "\n", "```json\n"},
    {ToolSyntax::deepseek_v31, "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", ""},
    {ToolSyntax::kimi_k2, "<|tool_call_begin|>", "<|tool_call_argument_begin|>", ""},
    {ToolSyntax::solar, "<|tool_call:begin|>", "<|tool_call:args|>", ""},
    {ToolSyntax::harmony, "to=", "<|message|>", ""},
}};

/// The name, and maybe an id, in what stands between the marks.
void read_label(ToolSyntax syntax, std::string_view label, CallHead& head) {
    const auto cut = [&](std::string_view mark) {
        const std::size_t at = label.find(mark);
        const std::string_view rest = at == kNone ? std::string_view() : label.substr(at + mark.size());
        label = label.substr(0, at);
        return rest;
    };
    if (syntax == ToolSyntax::mistral_args) {
        head.id = trimmed(cut("[CALL_ID]"));
    } else if (syntax == ToolSyntax::solar) {
        const std::string_view name = cut("<|tool_call:name|>");
        head.id = trimmed(label);
        label = name;
    } else if (syntax == ToolSyntax::kimi_k2) {
        head.id = trimmed(label);
        label = label.substr(0, label.rfind(':'));
    } else if (syntax == ToolSyntax::harmony) {
        label = label.substr(0, label.find_first_of(" <"));
    } else if (syntax == ToolSyntax::functionary_32 && label.starts_with(">>>")) {
        label.remove_prefix(3);
    }
    label = trimmed(label);
    const bool has_prefix = syntax == ToolSyntax::kimi_k2 || syntax == ToolSyntax::harmony;
    if (has_prefix && label.starts_with("functions."))
        label.remove_prefix(10);
    head.name = label;
}

CallHead find_named_json(const NamedJson& family, std::string_view block, std::size_t from) {
    const std::size_t before = block.find(family.before, from);
    if (before == kNone)
        return {};
    const std::size_t name = before + family.before.size();
    const std::size_t behind = block.find(family.behind, name);
    if (behind == kNone)
        return {};
    std::size_t at = behind + family.behind.size();
    const std::string_view rest = block.substr(at);
    if (!family.fence.empty()) {
        if (rest.size() < family.fence.size() && family.fence.starts_with(rest))
            return {};
        if (rest.starts_with(family.fence))
            at += family.fence.size();
    }
    at = std::min(block.find_first_not_of(kSpace, at), block.size());
    if (at == block.size())
        return {};
    if (block[at] != '{')
        return kUnreadable;
    CallHead head{Outcome::found, {}, {}, at};
    read_label(family.syntax, block.substr(name, behind - name), head);
    return head;
}

/// What stands between `before` and `behind`.
struct Between {
    std::string_view text;
    std::size_t end = kNone; // behind `behind`; npos: not complete
};
Between between(std::string_view block, std::size_t from, std::string_view before, std::string_view behind) {
    const std::size_t begin = block.find(before, from);
    const std::size_t stop = begin == kNone ? kNone : block.find(behind, begin + before.size());
    if (stop == kNone)
        return {};
    return {block.substr(begin + before.size(), stop - begin - before.size()), stop + behind.size()};
}

CallHead named(std::string_view name, std::size_t at) {
    return {Outcome::found, {}, std::string(trimmed(name)), at};
}

CallHead find_tagged(const ToolFormat& format, std::string_view block, std::size_t from) {
    if (format.syntax == ToolSyntax::function_tag) {
        const Between name = between(block, from, "<function=", ">");
        return name.end == kNone ? CallHead{} : named(name.text, name.end);
    }
    if (format.syntax == ToolSyntax::arg_key_tag) {
        const std::size_t begin = from == 0 ? format.begin.size() : from;
        // The name ends with its line or where the first tag begins.
        const std::size_t first = std::min(block.find_first_not_of(kSpace, begin), block.size());
        const std::size_t end = block.find_first_of("\n<", first);
        return end == kNone ? CallHead{} : named(block.substr(first, end - first), end);
    }
    const bool is_kimi = format.syntax == ToolSyntax::kimi_k3;
    const bool is_param = format.syntax == ToolSyntax::function_param;
    const std::string prefix = format.begin.find("DSML") != std::string::npos ? "｜DSML｜" : "";
    const std::string before = is_kimi ? "<|open|>call " : is_param ? "<function " : "<" + prefix + "invoke ";
    const Between tag = between(block, from, before, is_kimi ? "<|sep|>" : ">");
    return tag.end == kNone ? CallHead{} : named(tag_attribute(tag.text, is_kimi ? "tool" : "name"), tag.end);
}

CallHead find_literals(const ToolFormat& format, std::string_view block, std::size_t from) {
    const bool is_gemma = format.syntax == ToolSyntax::gemma4;
    std::size_t begin = from == 0 ? format.begin.size() : from;
    begin = std::min(block.find_first_not_of(is_gemma ? " \t\r\n}" : " \t\r\n[),", begin), block.size());
    const std::size_t open = block.find(is_gemma ? '{' : '(', begin);
    if (open == kNone)
        return {};
    std::string_view name = block.substr(begin, open - begin);
    if (is_gemma && name.starts_with("call:"))
        name.remove_prefix(5);
    return named(name, open + 1);
}

} // namespace

ArgumentStyle argument_style(ToolSyntax syntax) noexcept {
    switch (syntax) {
    case ToolSyntax::function_tag:
    case ToolSyntax::arg_key_tag:
    case ToolSyntax::function_param:
    case ToolSyntax::invoke_tag:
    case ToolSyntax::kimi_k3:
        return ArgumentStyle::tags;
    case ToolSyntax::gemma4:
    case ToolSyntax::pythonic:
        return ArgumentStyle::literals;
    default:
        return ArgumentStyle::json;
    }
}

CallHead find_call_head(const ToolFormat& format, std::string_view block, std::size_t from) {
    switch (argument_style(format.syntax)) {
    case ArgumentStyle::tags:
        return find_tagged(format, block, from);
    case ArgumentStyle::literals:
        return find_literals(format, block, from);
    case ArgumentStyle::json:
        break;
    }
    for (const NamedJson& family : kNamedJson)
        if (family.syntax == format.syntax)
            return find_named_json(family, block, from);
    constexpr std::string_view kPythonTag = "<|python_tag|>";
    const std::string_view begin = format.syntax == ToolSyntax::llama3_json ? kPythonTag : format.begin;
    return ObjectHead(format, block, from == 0 && block.starts_with(begin) ? begin.size() : from).read();
}

ParameterTags parameter_tags(const ToolFormat& format) {
    switch (format.syntax) {
    case ToolSyntax::arg_key_tag: {
        const std::size_t colon = format.begin.find(':');
        const std::string suffix =
            colon == std::string::npos ? ">" : format.begin.substr(colon, format.begin.size() - colon - 1) + ">";
        return {"<arg_key" + suffix, "<arg_value" + suffix, "</arg_value" + suffix, format.end};
    }
    case ToolSyntax::kimi_k3:
        return {"<|open|>argument ", "<|sep|>", "<|close|>argument<|sep|>", format.end, true, false};
    case ToolSyntax::function_param:
        return {"<param ", ">", "</param>", "</function>", true};
    case ToolSyntax::invoke_tag: {
        const std::string prefix = format.begin.find("DSML") != std::string::npos ? "｜DSML｜" : "";
        return {"<" + prefix + "parameter ", ">", "</" + prefix + "parameter>", "</" + prefix + "invoke>", true};
    }
    default:
        return {"<parameter=", ">", "</parameter>", "</function>"};
    }
}

std::string_view tag_attribute(std::string_view tag, std::string_view name) {
    const std::string mark = std::string(name) + "=\"";
    const std::size_t at = tag.find(mark);
    if (at == kNone)
        return {};
    const std::string_view rest = tag.substr(at + mark.size());
    return rest.substr(0, rest.find('"'));
}

} // namespace vitrine::engine
