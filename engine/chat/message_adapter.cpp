// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: rewrites messages: roles, parts, system, calls, reasoning, a trailing assistant message.
#include "engine/chat/message_adapter.h"

#include "engine/chat/jinja_value.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace vitrine::engine {
namespace {

using Value = JinjaValue;
using Messages = std::vector<Value>;

/// How this attempt deviates from the probe's answer.
struct Attempt {
    ArgumentShape arguments;
    bool fold_system;
};

std::string role_of(const Value& message) {
    const Value* role = message.as_map()->find("role");
    return role != nullptr && role->is_text() ? role->as_text().bytes : std::string();
}

/// Text of a content: itself, or its text parts joined.
JinjaText content_text(const Value* content) {
    JinjaText text;
    if (content == nullptr || content->is_null())
        return text;
    if (!content->is_list())
        return jinja_str(*content);
    for (const Value& part : content->as_list()->items) {
        if (part.is_text())
            text.append(part.as_text());
        else if (part.is_map()) {
            const Value* piece = part.as_map()->find("text");
            piece = piece != nullptr ? piece : part.as_map()->find("refusal");
            if (piece != nullptr && piece->is_text())
                text.append(piece->as_text());
        }
    }
    return text;
}

bool only_text_parts(const Value& content) {
    const auto& parts = content.as_list()->items;
    return std::all_of(parts.begin(), parts.end(), [](const Value& part) {
        const Value* type = part.is_map() ? part.as_map()->find("type") : nullptr;
        return part.is_text() ||
            (type != nullptr && type->is_text() &&
                (type->as_text().bytes == "text" || type->as_text().bytes == "input_text" ||
                    type->as_text().bytes == "output_text" || type->as_text().bytes == "refusal"));
    });
}

Value reshaped_arguments(const Value& arguments, ArgumentShape shape) {
    if (shape == ArgumentShape::string) {
        if (arguments.is_text())
            return arguments;
        try {
            JinjaText text = jinja_to_json(arguments, {});
            text.marks.assign(text.bytes.size(), '\1');
            return Value(std::move(text));
        } catch (const JinjaError&) {
            return Value::text("{}");
        }
    }
    if (!arguments.is_text())
        return arguments.is_null() ? Value(std::make_shared<JinjaMap>()) : arguments;
    if (arguments.as_text().bytes.empty())
        return Value(std::make_shared<JinjaMap>());
    auto parsed = jinja_from_json(arguments.as_text().bytes, true, "arguments");
    return parsed && parsed->is_map() ? *parsed : arguments;
}

Value reshaped_calls(const Value& calls, ArgumentShape shape) {
    Messages result;
    for (const Value& call : calls.as_list()->items) {
        if (!call.is_map()) {
            result.push_back(call);
            continue;
        }
        auto copy = std::make_shared<JinjaMap>(*call.as_map());
        const Value* function = copy->find("function");
        if (function != nullptr && function->is_map()) {
            auto inner = std::make_shared<JinjaMap>(*function->as_map());
            const Value* arguments = inner->find("arguments");
            Value given;
            if (arguments != nullptr)
                given = *arguments;
            inner->set("arguments", reshaped_arguments(given, shape));
            copy->set("function", Value(std::move(inner)));
        }
        result.emplace_back(std::move(copy));
    }
    return Value::list(std::move(result));
}

/// One kind of reasoning key gives all of them, as the transformers package does.
void spread_reasoning(JinjaMap& message) {
    static constexpr std::array<std::string_view, 3> kKeys = {"reasoning_content", "thinking", "reasoning"};
    std::optional<Value> text;
    for (const std::string_view key : kKeys) {
        const Value* value = message.find(key);
        if (!text && value != nullptr && value->is_text() && !value->as_text().bytes.empty())
            text = *value;
    }
    for (const std::string_view key : kKeys) {
        if (text)
            message.set(key, *text);
    }
}

Value adapted_message(const Value& message, const TemplateTraits& traits, ArgumentShape shape) {
    auto copy = std::make_shared<JinjaMap>(*message.as_map());
    if (role_of(message) == "developer")
        copy->set("role", Value::text("system"));
    const Value* content = copy->find("content");
    if (content != nullptr && content->is_list() && (!traits.takes_parts || only_text_parts(*content)))
        copy->set("content", Value(content_text(content)));
    const Value* calls = copy->find("tool_calls");
    const bool has_calls = calls != nullptr && calls->is_list() && !calls->as_list()->items.empty();
    if (has_calls)
        copy->set("tool_calls", reshaped_calls(*calls, shape));
    else
        copy->erase("tool_calls");
    content = copy->find("content");
    const bool is_empty =
        content == nullptr || content->is_null() || (content->is_text() && content->as_text().bytes.empty());
    if (is_empty && has_calls && traits.call_content == EmptyContent::null)
        copy->set("content", Value());
    else if (is_empty && has_calls && traits.call_content == EmptyContent::absent)
        copy->erase("content");
    else if (is_empty)
        copy->set("content", Value::text(""));
    spread_reasoning(*copy);
    return Value(std::move(copy));
}

/// Systems go, joined, before the first user message.
Messages with_folded_system(const Messages& messages) {
    JinjaText system;
    Messages rest;
    for (const Value& message : messages) {
        if (role_of(message) != "system") {
            rest.push_back(message);
            continue;
        }
        if (!system.bytes.empty())
            system.append("\n\n");
        system.append(content_text(message.as_map()->find("content")));
    }
    if (system.bytes.empty())
        return rest;
    const auto user =
        std::find_if(rest.begin(), rest.end(), [](const Value& message) { return role_of(message) == "user"; });
    if (user == rest.end()) {
        auto added = std::make_shared<JinjaMap>();
        added->set("role", Value::text("user"));
        added->set("content", Value(system));
        rest.insert(rest.begin(), Value(std::move(added)));
        return rest;
    }
    auto copy = std::make_shared<JinjaMap>(*user->as_map());
    JinjaText text = system;
    text.append("\n\n");
    text.append(content_text(copy->find("content")));
    copy->set("content", Value(std::move(text)));
    *user = Value(std::move(copy));
    return rest;
}

/// Neighbours of role user become one, with a blank line between.
Messages with_merged_users(const Messages& messages) {
    Messages merged;
    for (const Value& message : messages) {
        if (merged.empty() || role_of(message) != "user" || role_of(merged.back()) != "user") {
            merged.push_back(message);
            continue;
        }
        auto copy = std::make_shared<JinjaMap>(*merged.back().as_map());
        JinjaText text = content_text(copy->find("content"));
        text.append("\n\n");
        text.append(content_text(message.as_map()->find("content")));
        copy->set("content", Value(std::move(text)));
        merged.back() = Value(std::move(copy));
    }
    return merged;
}

/// Our own words for a template that ignores tools; the answer's grammar is generic_json.
void add_tools_text(Messages& messages, const std::string& tools_json) {
    JinjaText text("You can call these functions:\n");
    text.append(JinjaText::from_user(tools_json));
    text.append(
        "\nAnswer with one JSON object: {\"tool_call\": {\"name\": ..., \"arguments\": {...}}} to call a function, "
        "or {\"response\": \"...\"} to answer.");
    if (!messages.empty() && role_of(messages.front()) == "system") {
        auto copy = std::make_shared<JinjaMap>(*messages.front().as_map());
        JinjaText joined = content_text(copy->find("content"));
        joined.append("\n\n");
        joined.append(text);
        copy->set("content", Value(std::move(joined)));
        messages.front() = Value(std::move(copy));
        return;
    }
    auto system = std::make_shared<JinjaMap>();
    system->set("role", Value::text("system"));
    system->set("content", Value(std::move(text)));
    messages.insert(messages.begin(), Value(std::move(system)));
}

/// For a template that drops calls: a call and its result as plain text turns.
void tell_calls_as_text(Messages& messages) {
    for (Value& message : messages) {
        const Value* calls = message.as_map()->find("tool_calls");
        const bool is_tool = role_of(message) == "tool";
        if (calls == nullptr && !is_tool)
            continue;
        auto copy = std::make_shared<JinjaMap>(*message.as_map());
        JinjaText text = content_text(copy->find("content"));
        if (is_tool) {
            JinjaText result("Function result: ");
            result.append(text);
            text = std::move(result);
            copy->set("role", Value::text("user"));
        } else {
            for (const Value& call : calls->as_list()->items) {
                const Value* function = call.is_map() ? call.as_map()->find("function") : nullptr;
                if (function == nullptr || !function->is_map())
                    continue;
                auto shown = std::make_shared<JinjaMap>();
                for (const std::string_view key : {"name", "arguments"}) {
                    if (const Value* value = function->as_map()->find(key); value != nullptr)
                        shown->set(key, *value);
                }
                auto outer = std::make_shared<JinjaMap>();
                outer->set("tool_call", Value(std::move(shown)));
                text.append(text.bytes.empty() ? "" : "\n");
                text.append(jinja_to_json(Value(std::move(outer)), {}));
            }
            copy->erase("tool_calls");
        }
        copy->set("content", Value(std::move(text)));
        message = Value(std::move(copy));
    }
}

/// Does the request need our own words about its tools?
bool needs_own_tools(const TemplateTraits& traits, const RenderInput& input) {
    return !input.tools_json.empty() && (!traits.shows_tools || traits.tools.syntax == ToolSyntax::none);
}

/// Mistral's templates refuse ids that are not 9 letters or digits.
Value nine_letter_id(const Value& id) {
    std::string letters;
    for (const char c : jinja_str(id).bytes) {
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            letters.push_back(c);
    }
    letters.insert(0, letters.size() < 9 ? 9 - letters.size() : 0, '0');
    return Value(JinjaText::from_user(letters.substr(letters.size() - 9)));
}

/// Tool results get the name of their call, which the API does not send; ids are shortened where the template asks.
void link_results(Messages& messages, bool nine_letters) {
    JinjaMap names;
    for (Value& message : messages) {
        const Value* calls = message.as_map()->find("tool_calls");
        for (const Value& call : calls != nullptr && calls->is_list() ? calls->as_list()->items : Messages()) {
            const Value* id = call.is_map() ? call.as_map()->find("id") : nullptr;
            const Value* function = call.is_map() ? call.as_map()->find("function") : nullptr;
            const Value* name = function != nullptr && function->is_map() ? function->as_map()->find("name") : nullptr;
            if (id == nullptr || !id->is_text())
                continue;
            if (name != nullptr)
                names.set(id->as_text().bytes, *name);
            if (nine_letters)
                call.as_map()->set("id", nine_letter_id(*id)); // the call is a copy of ours already
        }
        const Value* id = message.as_map()->find("tool_call_id");
        if (id == nullptr || !id->is_text())
            continue;
        const Value* name = names.find(id->as_text().bytes);
        if (name != nullptr && message.as_map()->find("name") == nullptr)
            message.as_map()->set("name", *name);
        if (nine_letters)
            message.as_map()->set("tool_call_id", nine_letter_id(*id));
    }
}

Result<RenderedText> attempt(const ChatTemplate& compiled, const TemplateTraits& traits, const RenderInput& input,
    const Messages& given, const Attempt& how) {
    Messages messages;
    for (const Value& message : given)
        messages.push_back(adapted_message(message, traits, how.arguments));
    RenderInput own = input;
    link_results(messages, compiled.source().find("!= 9") != std::string::npos);
    if (needs_own_tools(traits, input)) {
        add_tools_text(messages, input.tools_json);
        own.tools_json.clear();
    }
    if (!traits.calls_shown)
        tell_calls_as_text(messages);
    if (how.fold_system)
        messages = with_folded_system(messages);
    if (!traits.takes_repeated_user)
        messages = with_merged_users(messages);
    return compiled.render(own, Value::list(std::move(messages)));
}

/// The best of the attempts; the error is the first one's.
Result<RenderedText> render_any_shape(
    const ChatTemplate& compiled, const TemplateTraits& traits, const RenderInput& input, const Messages& messages) {
    const ArgumentShape other =
        traits.arguments == ArgumentShape::object ? ArgumentShape::string : ArgumentShape::object;
    auto first = attempt(compiled, traits, input, messages, {traits.arguments, !traits.takes_system});
    if (first)
        return first;
    for (const Attempt& how :
        {Attempt{other, !traits.takes_system}, Attempt{traits.arguments, true}, Attempt{other, true}}) {
        auto next = attempt(compiled, traits, input, messages, how);
        if (next)
            return next;
    }
    return first;
}

/// Cuts the prompt after the last message's text, so that the model goes on writing it.
Result<RenderedText> continued(const ChatTemplate& compiled, const TemplateTraits& traits, RenderInput input,
    Messages messages, const JinjaText& tail) {
    // A mark that no template changes stands for the text; the real text follows the prompt before it.
    constexpr std::string_view kMark = "VITRINE-CONTINUES-HERE";
    auto copy = std::make_shared<JinjaMap>(*messages.back().as_map());
    copy->set("content", Value::text(kMark));
    messages.back() = Value(std::move(copy));
    input.add_generation_prompt = false;
    auto rendered = render_any_shape(compiled, traits, input, messages);
    VT_TRY(rendered);
    const std::size_t place = rendered->text.rfind(kMark);
    if (place == std::string::npos)
        return fail(ErrorCode::template_error, "chat template: the last assistant message is not in the prompt",
            "Send a user message last.");
    rendered->text.resize(place);
    rendered->user_bytes.resize(place);
    rendered->text += tail.bytes;
    rendered->user_bytes.resize(rendered->text.size(), 1);
    return rendered;
}

/// Values nested to the limit can fail in jinja_to_json.
template <class Work>
Result<RenderedText> guarded(Work work) {
    try {
        return work();
    } catch (const JinjaError& error) {
        return fail(ErrorCode::invalid_argument, "messages: " + error.message, "Send less deeply nested JSON.");
    }
}

} // namespace

bool reasoning_is_open(std::string_view prompt, const ReasoningTags& tags) {
    if (tags.harmony || !tags.exists())
        return false;
    const std::size_t end = prompt.find_last_not_of(" \n");
    return end != std::string_view::npos && prompt.substr(0, end + 1).ends_with(tags.begin);
}

Result<AdaptedText> render_adapted(
    const ChatTemplate& compiled, const TemplateTraits& traits, const RenderInput& input) {
    auto parsed = jinja_from_json(input.messages_json, true, "messages");
    VT_TRY(parsed);
    const bool well_formed = parsed->is_list() && !parsed->as_list()->items.empty() &&
        std::all_of(parsed->as_list()->items.begin(), parsed->as_list()->items.end(),
            [](const Value& message) { return message.is_map(); });
    if (!well_formed)
        return fail(ErrorCode::invalid_argument, "messages: an array of at least one message object is needed",
            "Pass [{\"role\": \"user\", \"content\": \"...\"}].");
    const Messages& messages = parsed->as_list()->items;
    const Value& last = messages.back();
    const Value* calls = last.as_map()->find("tool_calls");
    const bool continues = role_of(last) == "assistant" && (calls == nullptr || !calls->truthy());
    auto rendered = guarded([&] {
        return continues ? continued(compiled, traits, input, messages, content_text(last.as_map()->find("content")))
                         : render_any_shape(compiled, traits, input, messages);
    });
    VT_TRY(rendered);
    AdaptedText result;
    result.reasoning_open = reasoning_is_open(rendered->text, traits.reasoning);
    result.tools = traits.tools;
    if (needs_own_tools(traits, input))
        result.tools = {ToolSyntax::generic_json, {}, {}};
    result.prompt = std::move(*rendered);
    return result;
}

} // namespace vitrine::engine
