// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the probes.  What they look for: text.md section 4.3.
#include "engine/chat/template_probe.h"

#include "engine/chat/message_adapter.h"

#include <algorithm>
#include <array>

namespace vitrine::engine {
namespace {

constexpr std::string_view kTools =
    R"([{"type":"function","function":{"name":"probe_weather","description":"Get the weather","parameters":{"type":"object","properties":{"city":{"type":"string","description":"City"}},"required":["city"]}}}])";

/// Renders probe conversations; empty: the template raised.
class Prober {
public:
    Prober(const ChatTemplate& compiled, const std::string& bos, const std::string& eos) : template_(compiled) {
        input_.bos_token = bos;
        input_.eos_token = eos;
    }
    [[nodiscard]] std::string render(
        std::string messages, bool with_tools = false, bool generation_prompt = true, std::string variables = {}) {
        input_.messages_json = std::move(messages);
        input_.tools_json = with_tools ? std::string(kTools) : std::string();
        input_.add_generation_prompt = generation_prompt;
        input_.variables_json = std::move(variables);
        auto rendered = template_.render(input_);
        return rendered ? std::move(rendered->text) : std::string();
    }

private:
    const ChatTemplate& template_;
    RenderInput input_;
};

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string call_messages(bool as_object, EmptyContent content, int num_calls) {
    std::string calls;
    for (int i = 0; i < num_calls; ++i) {
        calls += i > 0 ? "," : "";
        calls += R"({"id":"call0000)" + std::to_string(i + 1) +
            R"(","type":"function","function":{"name":"probe_weather","arguments":)" +
            (as_object ? R"({"city":"Zürich"})" : R"("{\"city\": \"Zürich\"}")") + "}}";
    }
    const std::string text = content == EmptyContent::empty_string ? R"("content":"",)"
        : content == EmptyContent::null                            ? R"("content":null,)"
                                                                   : "";
    std::string tools;
    for (int i = 0; i < num_calls; ++i)
        tools += R"({"role":"tool","content":"{\"temp\": 21}","tool_call_id":"call0000)" + std::to_string(i + 1) +
            R"(","name":"probe_weather"},)";
    return R"([{"role":"user","content":"ProbeUser"},{"role":"assistant",)" + text + R"("tool_calls":[)" + calls +
        "]}," + tools + R"({"role":"assistant","content":"It is 21 degrees."},{"role":"user","content":"Thanks"}])";
}

bool shows_call(const std::string& text) {
    const std::size_t user = text.find("ProbeUser");
    if (user == std::string::npos)
        return false;
    const std::string after = text.substr(user);
    return (has(after, "Zürich") || has(after, "Z\\u00fcrich")) && has(after, "probe_weather") &&
        !has(after, "\\\"city\\\"") && !has(after, "{'city'") && !has(after, "None");
}

void probe_calls(Prober& prober, TemplateTraits& traits) {
    for (const bool as_object : {true, false}) {
        for (const EmptyContent content : {EmptyContent::empty_string, EmptyContent::null, EmptyContent::absent}) {
            if (!shows_call(prober.render(call_messages(as_object, content, 1), true)))
                continue;
            traits.calls_shown = true;
            traits.arguments = as_object ? ArgumentShape::object : ArgumentShape::string;
            traits.call_content = content;
            const std::string two = prober.render(call_messages(as_object, content, 2), true);
            const std::size_t first = two.find("Zürich");
            traits.takes_parallel_calls =
                first != std::string::npos && two.find("Zürich", first + 1) != std::string::npos;
            return;
        }
    }
}

void probe_messages(Prober& prober, TemplateTraits& traits) {
    const std::string system =
        prober.render(R"([{"role":"system","content":"ProbeSystem"},{"role":"user","content":"ProbeUser"}])");
    traits.takes_system = has(system, "ProbeSystem") && has(system, "ProbeUser");
    const std::string parts = prober.render(
        R"([{"role":"user","content":[{"type":"text","text":"ProbeOne"},{"type":"text","text":"ProbeTwo"}]}])");
    traits.takes_parts =
        has(parts, "ProbeOne") && has(parts, "ProbeTwo") && !has(parts, "'text'") && !has(parts, "\"text\"");
    const std::string tools = prober.render(R"([{"role":"user","content":"ProbeUser"}])", true);
    traits.shows_tools = has(tools, "probe_weather");
    const std::string twice =
        prober.render(R"([{"role":"user","content":"ProbeOne"},{"role":"user","content":"ProbeTwo"}])");
    traits.takes_repeated_user = has(twice, "ProbeOne") && has(twice, "ProbeTwo");
}

void probe_generation(Prober& prober, TemplateTraits& traits) {
    const std::string user = R"([{"role":"user","content":"ProbeUser"}])";
    const std::string with = prober.render(user);
    const std::string without = prober.render(user, false, false);
    if (with.size() > without.size() && with.starts_with(without))
        traits.generation_prompt = with.substr(without.size());
    traits.reasoning_open = reasoning_is_open(with, traits.reasoning);
    traits.has_thinking_switch = prober.render(user, false, true, R"({"enable_thinking":true})") !=
        prober.render(user, false, true, R"({"enable_thinking":false})");
}

} // namespace

ChatFormat::ChatFormat(std::unique_ptr<const ChatTemplate> compiled, std::string bos_token, std::string eos_token)
    : template_(std::move(compiled)), bos_token_(std::move(bos_token)), eos_token_(std::move(eos_token)) {}

Result<std::unique_ptr<const ChatFormat>> ChatFormat::create(
    std::string source, std::string bos_token, std::string eos_token) {
    auto compiled = ChatTemplate::compile(std::move(source));
    if (!compiled)
        return tl::unexpected<Error>(std::move(compiled).error());
    std::unique_ptr<ChatFormat> format(
        new ChatFormat(std::move(*compiled), std::move(bos_token), std::move(eos_token)));
    Prober prober(*format->template_, format->bos_token_, format->eos_token_);
    TemplateTraits& traits = format->traits_;
    traits.reasoning = ReasoningTags::detect(format->template_->source());
    traits.tools = ToolFormat::detect(format->template_->source());
    probe_calls(prober, traits);
    probe_messages(prober, traits);
    probe_generation(prober, traits);
    return std::unique_ptr<const ChatFormat>(std::move(format));
}

Result<RenderedText> ChatFormat::render_as_given(RenderInput input) const {
    input.bos_token = bos_token_;
    input.eos_token = eos_token_;
    return template_->render(input);
}

Result<AdaptedText> ChatFormat::render(const RenderInput& input) const {
    RenderInput own = input;
    own.bos_token = bos_token_;
    own.eos_token = eos_token_;
    return render_adapted(*template_, traits_, own);
}

} // namespace vitrine::engine
