// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/ollama/ollama_request.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/endpoint/json_fields.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxTokens = 1 << 30;
constexpr double kLongest = 1e9; // seconds

std::string text_field(const Json& object, const char* name) {
    const auto it = object.find(name);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string{};
}

void read_options(Fields& fields, Json& out) {
    const Json* options = fields.find("options");
    if (options == nullptr)
        return;
    if (!options->is_object()) {
        fields.refuse(invalid_value("options", "'options' must be an object.", "invalid_type"));
        return;
    }
    for (const char* name : {"temperature", "seed", "stop", "top_k", "top_p", "min_p", "typical_p", "repeat_penalty",
             "repeat_last_n", "presence_penalty", "frequency_penalty"}) {
        if (const auto it = options->find(name); it != options->end() && !it->is_null())
            out[name] = *it;
    }
    if (out.contains("stop") && out["stop"].is_array() && out["stop"].empty())
        out.erase("stop");
    Fields inner(*options);
    const std::int64_t most = inner.integer("num_predict", -1, -2, kMaxTokens);
    if (inner.error())
        fields.refuse(*inner.error());
    if (most >= 0)
        out["max_tokens"] = most;
}

void read_format(Fields& fields, Json& out) {
    const Json* format = fields.find("format");
    if (format == nullptr || *format == "")
        return;
    if (*format == "json")
        out["response_format"] = {{"type", "json_object"}};
    else if (format->is_object())
        out["response_format"] = {{"type", "json_schema"}, {"json_schema", {{"name", "output"}, {"schema", *format}}}};
    else
        fields.refuse(invalid_value("format", "'format' must be \"json\" or a JSON schema."));
}

void read_think(Fields& fields, Json& out) {
    const Json* think = fields.find("think");
    if (think == nullptr)
        return;
    if (*think == false)
        out["reasoning_effort"] = "none";
    else if (*think == true)
        out["chat_template_kwargs"] = {{"enable_thinking", true}};
    else if (think->is_string())
        out["reasoning_effort"] = *think;
    else
        fields.refuse(invalid_value("think", "'think' must be true, false or a level.", "invalid_type"));
}

void refuse_images(Fields& fields, const Json& object, const std::string& param) {
    const auto images = object.find("images");
    if (images != object.end() && images->is_array() && !images->empty())
        fields.refuse(unsupported(param + "images", "This model reads text only; send no images."));
}

/// model, stream (true unless said otherwise), options, format, think.
Json common(Fields& fields) {
    Json out = {{"model", fields.text("model", fields.text("name"))}, {"stream", fields.boolean("stream", true)}};
    read_options(fields, out);
    read_format(fields, out);
    read_think(fields, out);
    return out;
}

/// Arguments are an object here; calls have no ids, so results are matched by their order.
class MessageList {
public:
    explicit MessageList(Fields& fields) : fields_(fields) {}
    void add(const Json& message, const std::string& param) {
        if (!message.is_object()) {
            fields_.refuse(invalid_value(param, fmt::format("'{}' must be an object.", param), "invalid_type"));
            return;
        }
        refuse_images(fields_, message, param + ".");
        Json out = {{"role", message.value("role", Json())}, {"content", message.value("content", Json(""))}};
        if (const std::string thinking = text_field(message, "thinking"); !thinking.empty())
            out["reasoning_content"] = thinking;
        const auto calls = message.find("tool_calls");
        if (calls != message.end() && calls->is_array()) {
            for (const Json& call : *calls)
                add_call(call, out);
        }
        if (out["role"] == "tool") {
            out["tool_call_id"] = fmt::format("call_{}", num_answered_++);
            if (const std::string name = text_field(message, "tool_name"); !name.empty())
                out["name"] = name;
        }
        messages_.push_back(std::move(out));
    }
    [[nodiscard]] Json take() { return std::move(messages_); }

private:
    void add_call(const Json& call, Json& out) {
        const Json function = call.is_object() ? call.value("function", Json::object()) : Json::object();
        const Json arguments = function.is_object() ? function.value("arguments", Json::object()) : Json::object();
        out["tool_calls"].push_back({{"id", fmt::format("call_{}", num_calls_++)}, {"type", "function"},
            {"function",
                {{"name", function.is_object() ? text_field(function, "name") : ""},
                    {"arguments", arguments.is_string() ? arguments : Json(dump_json(arguments))}}}});
    }

    Fields& fields_;
    Json messages_ = Json::array();
    int num_calls_ = 0;
    int num_answered_ = 0;
};

std::optional<double> unit_seconds(std::string_view unit) {
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
    for (const auto& [name, value] : kUnits) {
        if (name == unit)
            return value;
    }
    return std::nullopt;
}

/// Go's durations: "1h30m", "300ms", "-1s"; a bare number is seconds.
std::optional<double> duration_seconds(std::string_view text) {
    const double sign = text.starts_with('-') ? -1 : 1;
    if (text.starts_with('-'))
        text.remove_prefix(1);
    double total = 0;
    bool any = false;
    while (!text.empty()) {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || !std::isfinite(value))
            return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        const std::size_t letters = std::min(text.find_first_of("0123456789."), text.size());
        const auto unit = letters == 0 && !any ? std::optional<double>(1) : unit_seconds(text.substr(0, letters));
        if (!unit)
            return std::nullopt;
        total += value * *unit;
        text.remove_prefix(letters);
        any = true;
    }
    return any ? std::optional(sign * total) : std::nullopt;
}

} // namespace

tl::expected<Json, ApiError> chat_from_ollama_chat(const Json& body) {
    Fields fields(body);
    Json chat = common(fields);
    MessageList messages(fields);
    const Json* given = fields.find("messages");
    if (given != nullptr && !given->is_array())
        fields.refuse(invalid_value("messages", "'messages' must be an array.", "invalid_type"));
    else if (given != nullptr)
        for (std::size_t i = 0; i < given->size(); ++i)
            messages.add((*given)[i], fmt::format("messages[{}]", i));
    chat["messages"] = messages.take();
    if (const Json* tools = fields.find("tools"); tools != nullptr && !(tools->is_array() && tools->empty()))
        chat["tools"] = *tools;
    if (fields.error())
        return tl::unexpected(*fields.error());
    return chat;
}

tl::expected<Json, ApiError> chat_from_ollama_generate(const Json& body) {
    Fields fields(body);
    Json chat = common(fields);
    refuse_images(fields, body, "");
    if (!fields.text("template").empty())
        fields.refuse(unsupported("template", "'template' is not supported; use 'raw' with a finished prompt."));
    chat["messages"] = Json::array();
    if (const std::string system = fields.text("system"); !system.empty())
        chat["messages"].push_back({{"role", "system"}, {"content", system}});
    chat["messages"].push_back({{"role", "user"}, {"content", fields.text("prompt")}});
    if (fields.error())
        return tl::unexpected(*fields.error());
    return chat;
}

tl::expected<Json, ApiError> completion_from_ollama_generate(const Json& body) {
    Fields fields(body);
    Json completion = common(fields);
    completion.erase("chat_template_kwargs");
    completion.erase("reasoning_effort");
    refuse_images(fields, body, "");
    completion["prompt"] = fields.text("prompt");
    if (const std::string suffix = fields.text("suffix"); !suffix.empty())
        completion["suffix"] = suffix;
    if (!completion.contains("max_tokens"))
        completion["max_tokens"] = kMaxTokens;
    if (fields.error())
        return tl::unexpected(*fields.error());
    return completion;
}

tl::expected<std::optional<std::chrono::milliseconds>, ApiError> read_keep_alive(const Json& body) {
    const Json given = body.value("keep_alive", Json());
    if (given.is_null() || given == "")
        return std::nullopt;
    std::optional<double> time;
    if (given.is_number())
        time = given.get<double>();
    else if (given.is_string())
        time = duration_seconds(given.get_ref<const std::string&>());
    if (!time || !std::isfinite(*time))
        return tl::unexpected(
            invalid_value("keep_alive", "'keep_alive' must be a duration such as \"5m\", or seconds."));
    return std::chrono::milliseconds(*time < 0 ? -1 : static_cast<std::int64_t>(std::min(*time, kLongest) * 1000));
}

} // namespace vitrine::app
