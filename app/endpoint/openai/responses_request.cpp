// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/openai/responses_request.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/endpoint/json_fields.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSameName[] = {"model", "stream", "temperature", "top_p", "top_k", "min_p", "seed", "stop",
    "frequency_penalty", "presence_penalty", "logit_bias", "parallel_tool_calls", "chat_template_kwargs",
    "top_logprobs", "cache_salt"};

std::string text_field(const Json& object, const char* name) {
    const auto it = object.find(name);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string{};
}

/// Builds the messages item by item; calls that follow each other belong to one assistant message.
class MessageList {
public:
    explicit MessageList(Fields& fields) : fields_(fields) {}

    void add(const Json& item, const std::string& param) {
        const std::string type =
            item.is_object() && item.contains("type") && item["type"].is_string() ? item["type"] : Json("message");
        if (!item.is_object())
            fields_.refuse(invalid_value(param, fmt::format("'{}' must be an object.", param), "invalid_type"));
        else if (type == "message")
            add_message(item, param);
        else if (type == "function_call")
            add_call(item, param);
        else if (type == "function_call_output")
            add_output(item, param);
        else if (type == "reasoning")
            add_reasoning(item);
        else
            fields_.refuse(unsupported(param + ".type",
                fmt::format("'{}.type' is '{}'; it must be message, function_call, "
                            "function_call_output or reasoning.",
                    param, type)));
    }
    void add_text(const char* role, const std::string& text) {
        messages_.push_back({{"role", role}, {"content", text}});
    }
    [[nodiscard]] Json take() { return std::move(messages_); }
    [[nodiscard]] bool empty() const { return messages_.empty(); }

private:
    void add_message(const Json& item, const std::string& param) {
        Json message = {{"role", item.contains("role") ? item["role"] : Json(nullptr)}};
        message["content"] = item.contains("content") ? parts(item["content"]) : Json(nullptr);
        if (!item.contains("content"))
            fields_.refuse(invalid_value(
                param + ".content", fmt::format("'{}.content' is missing.", param), "missing_required_parameter"));
        if (message["role"] == "assistant")
            attach_reasoning(message);
        messages_.push_back(std::move(message));
    }
    /// input_text and output_text are text; what else there is the chat's check judges.
    static Json parts(const Json& content) {
        if (!content.is_array())
            return content;
        Json out = Json::array();
        for (Json part : content) {
            if (part.is_object() &&
                (part.value("type", Json()) == "input_text" || part.value("type", Json()) == "output_text"))
                part = {{"type", "text"}, {"text", part.value("text", Json())}};
            out.push_back(std::move(part));
        }
        return out;
    }
    void add_call(const Json& item, const std::string& param) {
        if (text_field(item, "name").empty() || text_field(item, "call_id").empty()) {
            fields_.refuse(invalid_value(
                param, fmt::format("'{}' needs a call_id and a name.", param), "missing_required_parameter"));
            return;
        }
        const bool joins =
            !messages_.empty() && messages_.back()["role"] == "assistant" && messages_.back().contains("tool_calls");
        if (!joins) {
            Json message = {{"role", "assistant"}, {"content", nullptr}, {"tool_calls", Json::array()}};
            attach_reasoning(message);
            messages_.push_back(std::move(message));
        }
        messages_.back()["tool_calls"].push_back({{"id", item["call_id"]}, {"type", "function"},
            {"function", {{"name", item["name"]}, {"arguments", text_field(item, "arguments")}}}});
    }
    void add_output(const Json& item, const std::string& param) {
        if (text_field(item, "call_id").empty() || !item.contains("output")) {
            fields_.refuse(invalid_value(
                param, fmt::format("'{}' needs a call_id and an output.", param), "missing_required_parameter"));
            return;
        }
        messages_.push_back({{"role", "tool"}, {"tool_call_id", item["call_id"]}, {"content", parts(item["output"])}});
    }
    void add_reasoning(const Json& item) {
        for (const char* name : {"content", "summary"}) {
            const auto list = item.find(name);
            if (list == item.end() || !list->is_array() || !reasoning_.empty())
                continue;
            for (const Json& part : *list)
                reasoning_ += part.is_object() ? text_field(part, "text") : std::string{};
        }
    }
    void attach_reasoning(Json& message) {
        if (!reasoning_.empty())
            message["reasoning_content"] = std::exchange(reasoning_, {});
    }

    Fields& fields_;
    Json messages_ = Json::array();
    std::string reasoning_; // of the assistant message that comes next
};

Json read_messages(Fields& fields) {
    MessageList messages(fields);
    if (const std::string instructions = fields.text("instructions"); !instructions.empty())
        messages.add_text("system", instructions);
    const Json* input = fields.find("input");
    if (input == nullptr) {
        fields.refuse(invalid_value("input", "'input' is missing.", "missing_required_parameter"));
    } else if (input->is_string()) {
        messages.add_text("user", *input);
    } else if (!input->is_array() || input->empty()) {
        fields.refuse(invalid_value("input", "'input' must be a string or an array of at least one item.",
            input->is_array() ? "invalid_value" : "invalid_type"));
    } else {
        for (std::size_t i = 0; i < input->size(); ++i)
            messages.add((*input)[i], fmt::format("input[{}]", i));
    }
    return messages.take();
}

void read_tools(Fields& fields, Json& chat) {
    Json tools = Json::array();
    const Json* given = fields.find("tools");
    if (given != nullptr && !given->is_array())
        fields.refuse(invalid_value("tools", "'tools' must be an array.", "invalid_type"));
    for (const Json& tool : given != nullptr && given->is_array() ? *given : Json::array()) {
        if (!tool.is_object() || tool.value("type", Json()) != "function")
            continue; // tools that run at the vendor's
        Json function = tool;
        function.erase("type");
        tools.push_back({{"type", "function"}, {"function", std::move(function)}});
    }
    const Json* choice = fields.find("tool_choice");
    if (!tools.empty())
        chat["tools"] = tools;
    if (choice == nullptr || (tools.empty() && (*choice == "auto" || *choice == "none")))
        return;
    chat["tool_choice"] = choice->is_object() && choice->value("type", Json()) == "function" && choice->contains("name")
        ? Json{{"type", "function"}, {"function", {{"name", (*choice)["name"]}}}}
        : *choice;
}

void read_text_format(Fields& fields, Json& chat) {
    const Json* text = fields.find("text");
    if (text == nullptr)
        return;
    if (!text->is_object()) {
        fields.refuse(invalid_value("text", "'text' must be an object.", "invalid_type"));
        return;
    }
    const auto format = text->find("format");
    if (format == text->end() || format->is_null())
        return;
    chat["response_format"] = *format;
    if (format->is_object() && format->value("type", Json()) == "json_schema") {
        Json schema = *format;
        schema.erase("type");
        chat["response_format"] = {{"type", "json_schema"}, {"json_schema", std::move(schema)}};
    }
}

void refuse_stored(Fields& fields) {
    for (const char* name : {"previous_response_id", "conversation", "prompt"}) {
        if (fields.find(name) != nullptr)
            fields.refuse(unsupported(name,
                fmt::format(
                    "'{}' refers to something stored, and this server stores nothing; send the whole input.", name)));
    }
    if (fields.boolean("background", false))
        fields.refuse(unsupported("background", "'background' is not supported; stream the answer instead."));
}

void replace_start(std::string& text, std::string_view from, std::string_view to) {
    if (text.starts_with(from))
        text.replace(0, from.size(), to);
}

} // namespace

tl::expected<Json, ApiError> chat_from_responses(const Json& body) {
    Fields fields(body);
    refuse_stored(fields);
    Json chat = Json::object();
    for (const char* name : kSameName) {
        if (const Json* field = fields.find(name))
            chat[name] = *field;
    }
    chat["messages"] = read_messages(fields);
    read_tools(fields, chat);
    read_text_format(fields, chat);
    if (const Json* most = fields.find("max_output_tokens"))
        chat["max_completion_tokens"] = *most;
    if (const Json* reasoning = fields.find("reasoning"); reasoning != nullptr && reasoning->is_object())
        chat["reasoning_effort"] = reasoning->value("effort", Json());
    const Json* include = fields.find("include");
    for (const Json& wanted : include != nullptr && include->is_array() ? *include : Json::array()) {
        if (wanted == "message.output_text.logprobs")
            chat["logprobs"] = true;
    }
    if (!chat.contains("logprobs"))
        chat.erase("top_logprobs");
    if (fields.error())
        return tl::unexpected(*fields.error());
    return chat;
}

ApiError responses_error(ApiError error) {
    replace_start(error.param, "messages", "input");
    replace_start(error.param, "max_completion_tokens", "max_output_tokens");
    replace_start(error.param, "response_format", "text.format");
    replace_start(error.param, "reasoning_effort", "reasoning.effort");
    return error;
}

} // namespace vitrine::app
