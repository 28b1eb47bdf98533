// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/anthropic/messages_request.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/endpoint/json_fields.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxTokens = 1 << 30;
// Claude Code's first system block; its hash changes with every request and would defeat the prefix cache.
constexpr std::string_view kBillingMark = "x-anthropic-billing-header";

std::string text_field(const Json& object, const char* name) {
    const auto it = object.find(name);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string{};
}

std::string type_of(const Json& block) {
    return block.is_object() ? text_field(block, "type") : std::string{};
}

ApiError wrong_block(const std::string& param, const std::string& type, const char* allowed) {
    return unsupported(
        param, fmt::format("'{}' is of type '{}'; this model takes {}.", param, type.empty() ? "none" : type, allowed));
}

/// Text of a string or of text blocks.
std::string joined_text(Fields& fields, const Json& content, const std::string& param) {
    if (content.is_string())
        return content;
    std::string text;
    if (!content.is_array()) {
        fields.refuse(
            invalid_value(param, fmt::format("'{}' must be a string or an array of blocks.", param), "invalid_type"));
        return text;
    }
    for (std::size_t i = 0; i < content.size(); ++i) {
        const std::string type = type_of(content[i]);
        if (type != "text")
            fields.refuse(wrong_block(fmt::format("{}[{}]", param, i), type, "text"));
        else
            text += (text.empty() ? "" : "\n") + text_field(content[i], "text");
    }
    return text;
}

std::string system_text(Fields& fields) {
    const Json* system = fields.find("system");
    if (system == nullptr)
        return {};
    if (!system->is_array())
        return joined_text(fields, *system, "system");
    Json kept = Json::array();
    for (const Json& block : *system) {
        if (!(block.is_object() && text_field(block, "text").starts_with(kBillingMark)))
            kept.push_back(block);
    }
    return joined_text(fields, kept, "system");
}

/// Tool results are messages of their own, in the order of the blocks.
void add_user(Fields& fields, const Json& content, const std::string& param, Json& messages) {
    Json parts = Json::array();
    const auto flush = [&] {
        if (!parts.empty())
            messages.push_back({{"role", "user"}, {"content", std::exchange(parts, Json::array())}});
    };
    for (std::size_t i = 0; i < content.size(); ++i) {
        const Json& block = content[i];
        const std::string type = type_of(block);
        const std::string at = fmt::format("{}.content[{}]", param, i);
        if (type == "text") {
            parts.push_back({{"type", "text"}, {"text", text_field(block, "text")}});
        } else if (type == "tool_result") {
            flush();
            std::string text = block.contains("content") && !block["content"].is_null()
                ? joined_text(fields, block["content"], at + ".content")
                : std::string{};
            if (block.value("is_error", Json(false)) == true)
                text = "Error: " + text;
            if (text_field(block, "tool_use_id").empty())
                fields.refuse(invalid_value(at + ".tool_use_id", fmt::format("'{}.tool_use_id' is missing.", at),
                    "missing_required_parameter"));
            messages.push_back(
                {{"role", "tool"}, {"tool_call_id", text_field(block, "tool_use_id")}, {"content", std::move(text)}});
        } else {
            fields.refuse(wrong_block(at, type, "text and tool_result"));
        }
    }
    flush();
}

void add_assistant(Fields& fields, const Json& content, const std::string& param, Json& messages) {
    Json message = {{"role", "assistant"}, {"content", nullptr}};
    std::string text;
    std::string thinking;
    for (std::size_t i = 0; i < content.size(); ++i) {
        const Json& block = content[i];
        const std::string type = type_of(block);
        if (type == "text")
            text += text_field(block, "text");
        else if (type == "thinking")
            thinking += text_field(block, "thinking");
        else if (type == "tool_use")
            message["tool_calls"].push_back({{"id", text_field(block, "id")}, {"type", "function"},
                {"function",
                    {{"name", text_field(block, "name")},
                        {"arguments", dump_json(block.value("input", Json::object()))}}}});
        else if (type != "redacted_thinking")
            fields.refuse(wrong_block(
                fmt::format("{}.content[{}]", param, i), type, "text, thinking, redacted_thinking and tool_use"));
    }
    if (!text.empty() || !message.contains("tool_calls"))
        message["content"] = text;
    if (!thinking.empty())
        message["reasoning_content"] = thinking;
    messages.push_back(std::move(message));
}

void add_message(Fields& fields, const Json& message, const std::string& param, Json& messages) {
    const std::string role = message.is_object() ? text_field(message, "role") : std::string{};
    if (role != "user" && role != "assistant") {
        fields.refuse(invalid_value(
            param + ".role", fmt::format("'{}.role' must be user or assistant; instructions go to 'system'.", param)));
        return;
    }
    const auto content = message.find("content");
    if (content == message.end() || content->is_null()) {
        fields.refuse(invalid_value(
            param + ".content", fmt::format("'{}.content' is missing.", param), "missing_required_parameter"));
    } else if (content->is_string()) {
        messages.push_back({{"role", role}, {"content", *content}});
    } else if (!content->is_array()) {
        fields.refuse(invalid_value(param + ".content",
            fmt::format("'{}.content' must be a string or an array of blocks.", param), "invalid_type"));
    } else if (role == "user") {
        add_user(fields, *content, param, messages);
    } else {
        add_assistant(fields, *content, param, messages);
    }
}

Json read_messages(Fields& fields) {
    Json messages = Json::array();
    if (std::string system = system_text(fields); !system.empty())
        messages.push_back({{"role", "system"}, {"content", std::move(system)}});
    const Json* given = fields.find("messages");
    if (given == nullptr || !given->is_array() || given->empty()) {
        fields.refuse(invalid_value("messages", "'messages' must be an array of at least one message.",
            given == nullptr ? "missing_required_parameter" : "invalid_value"));
        return messages;
    }
    for (std::size_t i = 0; i < given->size(); ++i)
        add_message(fields, (*given)[i], fmt::format("messages[{}]", i), messages);
    return messages;
}

void read_tools(Fields& fields, Json& chat) {
    const Json* tools = fields.find("tools");
    if (tools != nullptr && !tools->is_array())
        fields.refuse(invalid_value("tools", "'tools' must be an array.", "invalid_type"));
    for (const Json& tool : tools != nullptr && tools->is_array() ? *tools : Json::array()) {
        const std::string type = type_of(tool);
        if (!type.empty() && type != "custom")
            continue; // tools that run at the vendor's
        if (!tool.is_object())
            fields.refuse(invalid_value("tools", "Every tool must be an object.", "invalid_type"));
        else
            chat["tools"].push_back({{"type", "function"},
                {"function",
                    {{"name", tool.value("name", Json())}, {"description", text_field(tool, "description")},
                        {"parameters", tool.value("input_schema", Json::object())}}}});
    }
    const Json* choice = fields.find("tool_choice");
    if (choice == nullptr)
        return;
    const std::string type = type_of(*choice);
    if (choice->is_object() && choice->value("disable_parallel_tool_use", Json(false)) == true)
        chat["parallel_tool_calls"] = false;
    if (type == "any")
        chat["tool_choice"] = "required";
    else if (type == "tool")
        chat["tool_choice"] = {{"type", "function"}, {"function", {{"name", choice->value("name", Json())}}}};
    else if (type == "none" || (type == "auto" && chat.contains("tools")))
        chat["tool_choice"] = type;
    else if (type != "auto")
        fields.refuse(invalid_value(
            "tool_choice.type", fmt::format("'tool_choice.type' is '{}'; it must be auto, any, tool or none.", type)));
}

void read_thinking(Fields& fields, Json& chat) {
    const Json* thinking = fields.find("thinking");
    if (thinking == nullptr)
        return;
    const std::string type = type_of(*thinking);
    if (type == "disabled")
        chat["reasoning_effort"] = "none";
    else if (type == "enabled" || type == "adaptive")
        chat["chat_template_kwargs"] = {{"enable_thinking", true}};
    else
        fields.refuse(invalid_value(
            "thinking.type", fmt::format("'thinking.type' is '{}'; it must be enabled, disabled or adaptive.", type)));
}

void read_output_config(Fields& fields, Json& chat) {
    const Json* config = fields.find("output_config");
    if (config == nullptr || !config->is_object())
        return;
    const std::string effort = text_field(*config, "effort");
    if (!effort.empty() && !chat.contains("reasoning_effort"))
        chat["reasoning_effort"] = effort;
    const auto format = config->find("format");
    if (format == config->end() || format->is_null())
        return;
    if (type_of(*format) != "json_schema" || !format->contains("schema"))
        fields.refuse(
            invalid_value("output_config.format", "'output_config.format' must be a json_schema with a schema."));
    else
        chat["response_format"] = {
            {"type", "json_schema"}, {"json_schema", {{"name", "output"}, {"schema", (*format)["schema"]}}}};
}

} // namespace

tl::expected<Json, ApiError> chat_from_messages(const Json& body, bool needs_limit) {
    Fields fields(body);
    Json chat = Json::object();
    for (const char* name : {"model", "stream", "temperature", "top_p", "top_k", "cache_salt"}) {
        if (const Json* field = fields.find(name))
            chat[name] = *field;
    }
    if (needs_limit && fields.find("max_tokens") == nullptr)
        fields.refuse(invalid_value("max_tokens", "'max_tokens' is missing.", "missing_required_parameter"));
    if (fields.find("max_tokens") != nullptr)
        chat["max_tokens"] = fields.integer("max_tokens", 1, 1, kMaxTokens);
    if (const Json* stops = fields.find("stop_sequences"))
        chat["stop"] = *stops;
    chat["messages"] = read_messages(fields);
    read_tools(fields, chat);
    read_thinking(fields, chat);
    read_output_config(fields, chat);
    if (fields.error())
        return tl::unexpected(*fields.error());
    return chat;
}

} // namespace vitrine::app
