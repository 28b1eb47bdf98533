// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: composition of the output's grammar.
#include "engine/core/output_grammar.h"

#include <optional>

#include <fmt/format.h>

#include "engine/chat/tool_call_grammar.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

struct OutputPlan {
    bool constrained = false;
    bool calls = false; // may or must be written
    bool free_text = false; // may stand before calls, or instead of any
    bool optional = false; // nobody was promised a grammar: without one the model writes as it likes
    bool reasons = false;
};

GrammarError refuse(std::string message, std::string param) {
    return {Error{ErrorCode::invalid_argument, std::move(message), {}}, std::move(param)};
}

/// Everything the grammar depends on, besides the model.
std::string key_of(
    const Request& request, const ToolFormat& tools, const std::string& tools_json, bool open, bool reasons) {
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", static_cast<int>(request.constraint.kind),
        request.constraint.strict, static_cast<int>(request.tool_choice), request.parallel_tool_calls, open, reasons,
        static_cast<int>(tools.syntax), tools.begin, request.tool_name, tools_json.size(), tools_json,
        request.constraint.source);
}

GrammarNode draw_newlines(GrammarBuilder& builder, GrammarNode from, int most) {
    const GrammarNode end = builder.add_node();
    for (int i = 0; i < most; ++i) {
        builder.epsilon(from, end);
        from = builder.text(from, "\n");
    }
    builder.epsilon(from, end);
    return end;
}

GrammarNode draw_harmony_reasoning(GrammarBuilder& builder, GrammarNode from, bool final_channel) {
    const GrammarNode answer = builder.add_node();
    builder.epsilon(from, answer);
    GrammarNode at = builder.marker(builder.text(builder.marker(from, "<|channel|>"), "analysis"), "<|message|>");
    at = builder.marker(builder.until_marker(at, "<|end|>"), "<|start|>");
    builder.epsilon(builder.text(at, "assistant"), answer);
    if (!final_channel)
        return answer;
    return builder.marker(builder.text(builder.marker(answer, "<|channel|>"), "final"), "<|message|>");
}

/// What may stand before the answer; the answer itself is drawn behind it.
GrammarNode draw_reasoning(GrammarBuilder& builder, const ReasoningTags& tags, bool open, int newlines,
    std::optional<GrammarNode> may_stop, GrammarNode from) {
    const auto let_stop = [&](GrammarNode inside) { // a model may end without an answer
        if (may_stop)
            builder.epsilon(builder.text_without(inside, tags.end), *may_stop);
    };
    if (open) {
        let_stop(from);
        return draw_newlines(builder, builder.until_marker(from, tags.end), newlines);
    }
    const GrammarNode answer = builder.add_node();
    builder.epsilon(from, answer);
    const GrammarNode inside = builder.marker(draw_newlines(builder, from, 2), tags.begin);
    let_stop(inside);
    builder.epsilon(draw_newlines(builder, builder.until_marker(inside, tags.end), newlines), answer);
    return answer;
}

OutputPlan make_plan(
    const Request& request, const LoadedText& text, const ToolFormat& tools, const std::string& tools_json) {
    OutputPlan plan;
    plan.constrained = request.constraint.kind != ConstraintKind::none;
    const bool has_tools = !tools_json.empty() && request.parse_tool_calls;
    const bool forced = request.tool_choice != ToolChoice::automatic;
    const bool generic = tools.syntax == ToolSyntax::generic_json;
    // In these two what leads to a call is part of the message's head, so that a text and a call have no one trigger.
    const bool has_trigger = tools.syntax != ToolSyntax::functionary_32 && tools.syntax != ToolSyntax::harmony;
    plan.calls = has_tools && (forced || generic || (can_draw_calls(tools.syntax) && has_trigger));
    plan.free_text = plan.calls && !forced && !generic && !plan.constrained;
    plan.optional = plan.free_text && !has_strict_tool(tools_json);
    plan.reasons = std::holds_alternative<ChatPrompt>(request.prompt) && text.reasoning().exists();
    return plan;
}

GrammarRule draw_output(GrammarBuilder& builder, const Request& request, const OutputPlan& plan, const LoadedText& text,
    const ToolCallRules& calls, bool open) {
    JsonText json(builder);
    const GrammarRule root = builder.add_rule("the output");
    const auto branch = [&](int newlines, bool final_channel) {
        GrammarNode at = builder.add_node();
        builder.epsilon(builder.start(root), at);
        if (plan.reasons && text.reasoning().harmony)
            at = draw_harmony_reasoning(builder, at, final_channel);
        else if (plan.reasons)
            at = draw_reasoning(builder, text.reasoning(), open, newlines,
                plan.free_text ? std::optional(builder.accept(root)) : std::nullopt, at);
        return at;
    };
    if (plan.calls) {
        const GrammarNode at = branch(2, false);
        builder.epsilon(draw_tool_calls(builder, json, calls, at), builder.accept(root));
    }
    if (plan.constrained && request.tool_choice == ToolChoice::automatic) {
        // One newline behind the reasoning belongs to its tag.
        builder.call(branch(1, true), add_constraint(builder, json, request.constraint), builder.accept(root));
    }
    return root;
}

} // namespace

GrammarResult compile_output_grammar(const Request& request, const LoadedText& text, ToolFormat& tools,
    const PromptEnd& prompt, GrammarStore& store, const std::function<bool()>& cancelled) {
    const auto* chat = std::get_if<ChatPrompt>(&request.prompt);
    const std::string tools_json = chat != nullptr ? chat->tools_json : std::string();
    if (request.tool_choice != ToolChoice::automatic && tools_json.empty())
        return tl::unexpected(refuse("a tool call is demanded and no tools are given", "tool_choice"));
    if (request.tool_choice != ToolChoice::automatic && !can_draw_calls(tools.syntax))
        tools = ToolFormat{ToolSyntax::generic_json, {}, {}};
    OutputPlan plan = make_plan(request, text, tools, tools_json);
    plan.reasons = plan.reasons && !prompt.reasoning_closed;
    const bool open = prompt.reasoning_open;
    if (!plan.constrained && !plan.calls)
        return std::shared_ptr<const Grammar>();
    if (text.tokenizer() == nullptr)
        return tl::unexpected(
            GrammarError{make_error(ErrorCode::unsupported, say(Sentence::model_without_grammar)), {}});
    std::string key = key_of(request, tools, tools_json, open, plan.reasons);
    if (auto known = store.find(key))
        return known;
    GrammarContext context;
    context.cancelled = cancelled;
    context.control_token = [&text](std::string_view spelling) -> std::optional<TokenId> {
        const auto id = text.tokenizer()->find_token(spelling);
        return id && text.tokenizer()->is_control(*id) ? id : std::nullopt;
    };
    const ToolCallRules calls{tools, tools_json, request.tool_choice == ToolChoice::named ? request.tool_name : "",
        request.tool_choice != ToolChoice::automatic, request.parallel_tool_calls, plan.free_text,
        tools.syntax == ToolSyntax::generic_json && request.tool_choice == ToolChoice::automatic && !plan.constrained};
    auto grammar = compile_grammar(std::move(context),
        [&](GrammarBuilder& builder) { return draw_output(builder, request, plan, text, calls, open); });
    if (grammar)
        store.keep(std::move(key), *grammar);
    else if (plan.optional && grammar.error().error.code != ErrorCode::cancelled)
        return std::shared_ptr<const Grammar>(); // too large a schema, for one
    else if (grammar.error().path.empty())
        grammar.error().path = plan.constrained ? request.constraint.param : "tools";
    return grammar;
}

} // namespace vitrine::engine
