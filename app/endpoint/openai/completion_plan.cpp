// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/openai/completion_plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/endpoint/json_fields.h"
#include "app/endpoint/openai/sampling_fields.h"
#include "app/endpoint/openai/structure_fields.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxMessages = 4096;
constexpr std::size_t kMaxTools = 256;
constexpr std::size_t kMaxPrompts = 256;

template <std::size_t N>
bool one_of(std::string_view text, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), text) != names.end();
}

void check_part(Fields& fields, const Json& part, const std::string& param) {
    const bool typed = part.is_object() && part.contains("type") && part["type"].is_string();
    if (!typed) {
        fields.refuse(
            invalid_value(param, fmt::format("'{}' must be an object with a 'type'.", param), "invalid_type"));
        return;
    }
    const std::string type = part["type"];
    if (type == "text" || type == "input_text" || type == "refusal") {
        if (!part.contains(type == "refusal" ? "refusal" : "text"))
            fields.refuse(invalid_value(param, fmt::format("'{}' has no text.", param)));
        return;
    }
    fields.refuse(unsupported(param, fmt::format("'{}' is of type '{}'; this model reads text only.", param, type)));
}

void check_content(Fields& fields, const Json& message, const std::string& role, const std::string& param) {
    const auto content = message.find("content");
    const bool absent = content == message.end() || content->is_null();
    if (absent) {
        const bool calls = role == "assistant" &&
            (message.contains("tool_calls") || message.contains("function_call") || content != message.end());
        if (!calls)
            fields.refuse(invalid_value(
                param + ".content", fmt::format("'{}.content' is missing.", param), "missing_required_parameter"));
        return;
    }
    if (content->is_string())
        return;
    if (!content->is_array()) {
        fields.refuse(invalid_value(param + ".content",
            fmt::format(
                "'{}.content' must be a string or an array of parts, but it is {}.", param, content->type_name()),
            "invalid_type"));
        return;
    }
    for (std::size_t i = 0; i < content->size(); ++i)
        check_part(fields, (*content)[i], fmt::format("{}.content[{}]", param, i));
}

void check_message(Fields& fields, const Json& message, const std::string& param) {
    constexpr std::array<std::string_view, 6> kRoles{"system", "developer", "user", "assistant", "tool", "function"};
    if (!message.is_object() || !message.contains("role") || !message["role"].is_string()) {
        fields.refuse(
            invalid_value(param + ".role", fmt::format("'{}.role' is missing.", param), "missing_required_parameter"));
        return;
    }
    const std::string role = message["role"];
    if (!one_of(role, kRoles)) {
        fields.refuse(invalid_value(param + ".role",
            fmt::format("'{}.role' is '{}'; it must be system, developer, user, assistant or tool.", param, role)));
        return;
    }
    if (message.contains("audio") && !message["audio"].is_null())
        fields.refuse(unsupported(param + ".audio", "Audio is not supported."));
    if (role == "tool" && (!message.contains("tool_call_id") || !message["tool_call_id"].is_string()))
        fields.refuse(invalid_value(param + ".tool_call_id", fmt::format("'{}.tool_call_id' is missing.", param),
            "missing_required_parameter"));
    check_content(fields, message, role, param);
}

const Json* read_messages(Fields& fields) {
    const Json* messages = fields.find("messages");
    if (messages == nullptr) {
        fields.refuse(invalid_value("messages", "'messages' is missing.", "missing_required_parameter"));
        return nullptr;
    }
    if (!messages->is_array() || messages->empty() || messages->size() > kMaxMessages) {
        fields.refuse(
            invalid_value("messages", fmt::format("'messages' must be an array of 1 to {} messages.", kMaxMessages),
                messages->is_array() ? "invalid_value" : "invalid_type"));
        return nullptr;
    }
    for (std::size_t i = 0; i < messages->size(); ++i)
        check_message(fields, (*messages)[i], fmt::format("messages[{}]", i));
    if (fields.error())
        return nullptr;
    const std::size_t n = messages->size();
    if (n >= 2 && (*messages)[n - 1]["role"] == "assistant" && (*messages)[n - 2]["role"] == "assistant")
        fields.refuse(
            invalid_value("messages", "The last two messages are both from the assistant; at most one is continued."));
    return messages;
}

void check_tool(Fields& fields, const Json& tool, const std::string& param) {
    const bool shaped = tool.is_object() && tool.contains("type") && tool["type"].is_string();
    if (!shaped) {
        fields.refuse(
            invalid_value(param, fmt::format("'{}' must be an object with a 'type'.", param), "invalid_type"));
        return;
    }
    if (tool["type"] != "function") {
        fields.refuse(unsupported(param + ".type",
            fmt::format("'{}.type' is {}; only function tools are supported.", param, dump_json(tool["type"]))));
        return;
    }
    if (!tool.contains("function") || !tool["function"].is_object() || !tool["function"].contains("name") ||
        !tool["function"]["name"].is_string())
        fields.refuse(invalid_value(param + ".function.name", fmt::format("'{}.function.name' is missing.", param),
            "missing_required_parameter"));
}

/// tools and tool_choice; the legacy functions become tools.
std::string read_tools(Fields& fields, engine::Request& request) {
    Json tools = Json::array();
    if (const Json* field = fields.find("tools")) {
        if (!field->is_array() || field->size() > kMaxTools) {
            fields.refuse(invalid_value(
                "tools", fmt::format("'tools' must be an array of at most {} tools.", kMaxTools), "invalid_type"));
            return {};
        }
        tools = *field;
    } else if (const Json* functions = fields.find("functions"); functions != nullptr && functions->is_array()) {
        for (const Json& function : *functions)
            tools.push_back({{"type", "function"}, {"function", function}});
    }
    for (std::size_t i = 0; i < tools.size(); ++i)
        check_tool(fields, tools[i], fmt::format("tools[{}]", i));
    const bool shown = !fields.error() && read_tool_choice(fields, tools, request);
    return tools.empty() || !shown ? std::string{} : dump_json(tools);
}

void refuse_promises(Fields& fields) {
    if (const Json* modalities = fields.find("modalities"); modalities != nullptr && modalities->is_array()) {
        for (const Json& modality : *modalities) {
            if (modality != "text")
                fields.refuse(unsupported("modalities", "Only text can be generated."));
        }
    }
    for (const char* name : {"audio", "web_search_options"}) {
        if (fields.find(name) != nullptr)
            fields.refuse(unsupported(name, fmt::format("'{}' is not supported.", name)));
    }
}

std::string read_variables(Fields& fields) {
    Json variables = Json::object();
    if (const Json* kwargs = fields.find("chat_template_kwargs")) {
        if (kwargs->is_object())
            variables = *kwargs;
        else
            fields.refuse(
                invalid_value("chat_template_kwargs", "'chat_template_kwargs' must be an object.", "invalid_type"));
    }
    if (const std::string effort = fields.text("reasoning_effort"); !effort.empty()) {
        variables["reasoning_effort"] = effort;
        if (effort == "none")
            variables["enable_thinking"] = false;
    }
    return variables.empty() ? std::string{} : dump_json(variables);
}

void read_chat_logprobs(Fields& fields, CompletionPlan& plan, engine::Request& request) {
    plan.logprobs = fields.boolean("logprobs", false);
    plan.top_logprobs = static_cast<int>(fields.integer("top_logprobs", 0, 0, 20));
    if (fields.find("top_logprobs") != nullptr && !plan.logprobs)
        fields.refuse(invalid_value("top_logprobs", "'top_logprobs' needs 'logprobs': true."));
    if (plan.logprobs)
        request.num_logprobs = plan.top_logprobs;
}

/// One prompt as text or ids.
void add_prompt(Fields& fields, const Json& prompt, const std::string& param, const engine::TextModel& text,
    const engine::Request& base, CompletionPlan& plan) {
    engine::Request request = base;
    if (prompt.is_string()) {
        plan.echo_texts.push_back(prompt);
        request.prompt = engine::TextPrompt{prompt};
        plan.requests.push_back(std::move(request));
        return;
    }
    engine::TokenPrompt tokens;
    for (const Json& id : prompt) {
        if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= text.vocab_size()) {
            fields.refuse(invalid_value(param,
                fmt::format("'{}' holds {}, which is no token id of this model's {} tokens; were the ids made by "
                            "another tokenizer?",
                    param, dump_json(id), text.vocab_size())));
            return;
        }
        tokens.ids.push_back(id.get<engine::TokenId>());
    }
    plan.echo_texts.push_back(text.detokenize(tokens.ids, true));
    request.prompt = std::move(tokens);
    plan.requests.push_back(std::move(request));
}

void read_prompts(Fields& fields, const engine::TextModel& text, const engine::Request& base, CompletionPlan& plan) {
    const Json* prompt = fields.find("prompt");
    if (prompt == nullptr) {
        fields.refuse(invalid_value("prompt", "'prompt' is missing.", "missing_required_parameter"));
        return;
    }
    const bool id_list = prompt->is_array() && !prompt->empty() && (*prompt)[0].is_number();
    if (prompt->is_string() || id_list) {
        add_prompt(fields, *prompt, "prompt", text, base, plan);
        return;
    }
    if (!prompt->is_array() || prompt->empty() || prompt->size() > kMaxPrompts) {
        fields.refuse(invalid_value("prompt",
            fmt::format(
                "'prompt' must be a string, an array of token ids, or an array of 1 to {} of these.", kMaxPrompts),
            "invalid_type"));
        return;
    }
    for (std::size_t i = 0; i < prompt->size(); ++i) {
        const Json& one = (*prompt)[i];
        const std::string param = fmt::format("prompt[{}]", i);
        if (!one.is_string() && !one.is_array()) {
            fields.refuse(invalid_value(
                param, fmt::format("'{}' must be a string or an array of token ids.", param), "invalid_type"));
            return;
        }
        add_prompt(fields, one, param, text, base, plan);
    }
}

/// With a suffix the prompts become fill-in-the-middle prompts.
void read_suffix(Fields& fields, const engine::TextModel& text, CompletionPlan& plan) {
    const std::string suffix = fields.text("suffix");
    if (suffix.empty() || fields.error())
        return;
    for (engine::Request& request : plan.requests) {
        const auto* prompt = std::get_if<engine::TextPrompt>(&request.prompt);
        if (prompt == nullptr) {
            fields.refuse(unsupported("suffix", "'suffix' needs a prompt that is text, not token ids."));
            return;
        }
        auto ids = text.fill_in_middle(prompt->text, suffix);
        if (!ids) {
            ApiError error = from_engine_error(ids.error());
            error.param = "suffix";
            fields.refuse(std::move(error));
            return;
        }
        request.prompt = engine::TokenPrompt{*std::move(ids)};
    }
}

} // namespace

tl::expected<CompletionPlan, ApiError> plan_chat(const Json& body, const engine::TextModel& text) {
    CompletionPlan plan;
    engine::Request request;
    Fields fields(body);
    plan.model = fields.text("model");
    read_shared_fields(fields, text, plan, request);
    read_structure_fields(fields, request);
    read_chat_logprobs(fields, plan, request);
    refuse_promises(fields);
    engine::ChatPrompt prompt;
    prompt.tools_json = read_tools(fields, request);
    prompt.variables_json = read_variables(fields);
    const Json* messages = read_messages(fields);
    prompt.add_generation_prompt = fields.boolean("add_generation_prompt", true);
    plan.reasoning_inline = fields.text("reasoning_format") == "none";
    request.split_reasoning = !plan.reasoning_inline;
    request.parse_tool_calls = !prompt.tools_json.empty();
    if (fields.error())
        return tl::unexpected(*fields.error());
    if (messages->back()["role"] == "assistant" && !fields.boolean("add_generation_prompt", false))
        prompt.add_generation_prompt = false; // a trailing assistant message is continued
    prompt.messages_json = dump_json(*messages);
    request.prompt = std::move(prompt);
    plan.requests.push_back(std::move(request));
    return plan;
}

tl::expected<CompletionPlan, ApiError> plan_completion(const Json& body, const engine::TextModel& text) {
    CompletionPlan plan;
    plan.chat = false;
    engine::Request request;
    Fields fields(body);
    plan.model = fields.text("model");
    read_shared_fields(fields, text, plan, request);
    read_structure_fields(fields, request);
    plan.echo = fields.boolean("echo", false);
    plan.logprobs =
        fields.find("logprobs") != nullptr && !(fields.find("logprobs")->is_boolean() && !*fields.find("logprobs"));
    plan.top_logprobs = plan.logprobs ? static_cast<int>(fields.integer("logprobs", 0, 0, 20)) : 0;
    if (plan.logprobs)
        request.num_logprobs = plan.top_logprobs;
    request.echo_prompt_logprobs = plan.echo && plan.logprobs;
    request.split_reasoning = false;
    request.parse_tool_calls = false;
    const auto best_of = static_cast<int>(fields.integer("best_of", plan.num_choices, 1, 8));
    if (best_of < plan.num_choices || (best_of > plan.num_choices && plan.stream))
        fields.refuse(invalid_value("best_of",
            fmt::format("'best_of' is {}; it must be at least n = {}, and equal to it when streaming.", best_of,
                plan.num_choices)));
    request.best_of = best_of;
    read_prompts(fields, text, request, plan);
    read_suffix(fields, text, plan);
    if (fields.error())
        return tl::unexpected(*fields.error());
    return plan;
}

} // namespace vitrine::app
