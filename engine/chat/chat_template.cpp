// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: compile and render; the border that no exception crosses.
#include "engine/chat/chat_template.h"

#include "engine/chat/jinja_eval.h"
#include "engine/chat/jinja_parser.h"
#include "kernels/api/sentence.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <new>

namespace vitrine::engine {
namespace {

Error template_error(const JinjaError& error) {
    return make_error(ErrorCode::template_error,
        say(Sentence::template_failed, std::to_string(error.line), std::to_string(error.column), error.message),
        say(Sentence::choose_other_template_or_messages));
}

Error memory_error() {
    return make_error(ErrorCode::out_of_memory, say(Sentence::template_out_of_memory), say(Sentence::shorten_talk));
}

/// Role names are ours, not the user's, when they are well known.
void trust_roles(const JinjaValue& messages) {
    static constexpr std::array<std::string_view, 6> kRoles = {
        "system", "user", "assistant", "tool", "developer", "function"};
    if (!messages.is_list())
        return;
    for (const JinjaValue& message : messages.as_list()->items) {
        if (!message.is_map())
            continue;
        const JinjaValue* role = message.as_map()->find("role");
        if (role == nullptr || !role->is_text())
            continue;
        const std::string name = role->as_text().bytes;
        if (std::find(kRoles.begin(), kRoles.end(), name) != kRoles.end())
            message.as_map()->set("role", JinjaValue::text(name));
    }
}

Result<JinjaValue> parse_optional(const std::string& json, std::string_view what) {
    return json.empty() ? Result<JinjaValue>(JinjaValue()) : jinja_from_json(json, true, what);
}

Result<JinjaScope> make_context(const RenderInput& input, const JinjaValue& messages) {
    auto tools = parse_optional(input.tools_json, "tools");
    VT_TRY(tools);
    auto documents = parse_optional(input.documents_json, "documents");
    VT_TRY(documents);
    auto variables = parse_optional(input.variables_json, "template variables");
    VT_TRY(variables);
    if (!variables->is_null() && !variables->is_map())
        return fail(
            ErrorCode::invalid_argument, "template variables: a JSON object is needed", "Pass {\"name\": value}.");
    JinjaScope context;
    context.set("messages", messages);
    context.set("tools", *tools);
    context.set("documents", *documents);
    context.set("add_generation_prompt", JinjaValue(input.add_generation_prompt));
    context.set("bos_token", JinjaValue::text(input.bos_token));
    context.set("eos_token", JinjaValue::text(input.eos_token));
    if (!tools->is_null())
        context.set("functions", *tools);
    if (variables->is_map()) {
        for (const auto& [name, value] : variables->as_map()->entries)
            context.set(name.as_text().bytes, value);
    }
    return context;
}

} // namespace

TemplateTime TemplateTime::now() {
    const std::time_t seconds = std::time(nullptr);
    std::tm local{};
    localtime_r(&seconds, &local);
    return {local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec};
}

Result<TemplateTime> TemplateTime::parse(std::string_view text) {
    TemplateTime time;
    int end = 0;
    const std::string copy(text);
    const int fields = std::sscanf(copy.c_str(), "%4d-%2d-%2d%*1[T ]%2d:%2d%n:%2d%n", &time.year, &time.month,
        &time.day, &time.hour, &time.minute, &end, &time.second, &end);
    const bool in_range = time.year >= 1 && time.month >= 1 && time.month <= 12 && time.day >= 1 && time.day <= 31 &&
        time.hour >= 0 && time.hour < 24 && time.minute >= 0 && time.minute < 60 && time.second >= 0 &&
        time.second < 61;
    if (fields < 5 || !in_range || static_cast<std::size_t>(end) != copy.size())
        return fail(ErrorCode::invalid_argument, fmt::format("'{}' is no date and time", text),
            "Write it as 2026-07-26T09:00:00.");
    return time;
}

ChatTemplate::ChatTemplate(std::string source, std::unique_ptr<const JinjaProgram> program)
    : source_(std::move(source)), program_(std::move(program)) {}

ChatTemplate::~ChatTemplate() = default;

Result<std::unique_ptr<const ChatTemplate>> ChatTemplate::compile(std::string source) {
    if (source.size() > kMaxSourceBytes)
        return fail(ErrorCode::template_error, say(Sentence::template_too_long, source.size(), kMaxSourceBytes),
            say(Sentence::choose_other_template));
    try {
        auto program = jinja_parse(source);
        return std::unique_ptr<const ChatTemplate>(new ChatTemplate(std::move(source), std::move(program)));
    } catch (const JinjaError& error) {
        return tl::unexpected<Error>(template_error(error));
    } catch (const std::bad_alloc&) {
        return tl::unexpected<Error>(memory_error());
    }
}

Result<RenderedText> ChatTemplate::render(const RenderInput& input) const {
    auto messages = jinja_from_json(input.messages_json, true, "messages");
    VT_TRY(messages);
    if (!messages->is_list())
        return fail(ErrorCode::invalid_argument, "messages: a JSON array is needed",
            "Pass [{\"role\": \"user\", \"content\": \"...\"}].");
    return render(input, *messages);
}

Result<RenderedText> ChatTemplate::render(const RenderInput& input, const JinjaValue& messages) const {
    trust_roles(messages);
    auto context = make_context(input, messages);
    VT_TRY(context);
    try {
        JinjaEvaluator evaluator(*program_, std::move(*context), input.now);
        JinjaText text = evaluator.run();
        RenderedText rendered;
        rendered.user_bytes.assign(text.bytes.size(), 0);
        std::transform(text.marks.begin(), text.marks.end(), rendered.user_bytes.begin(),
            [](char mark) { return static_cast<std::uint8_t>(mark); });
        rendered.text = std::move(text.bytes);
        return rendered;
    } catch (const JinjaError& error) {
        return tl::unexpected<Error>(template_error(error));
    } catch (const std::bad_alloc&) {
        return tl::unexpected<Error>(memory_error());
    }
}

bool ChatTemplate::reads_variable(std::string_view name) const {
    return program_->names.contains(std::string(name));
}

} // namespace vitrine::engine
