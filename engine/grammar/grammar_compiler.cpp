// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: one door to all readers.
#include "engine/grammar/grammar_compiler.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/grammar/gbnf_parser.h"
#include "engine/grammar/json_schema.h"
#include "engine/grammar/regex_parser.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxChoices = 4096;

GrammarRule add_choices(GrammarBuilder& builder, const std::string& list) {
    const nlohmann::ordered_json choices = parse_ordered_json(list, "the list of choices");
    if (!choices.is_array() || choices.empty() || choices.size() > kMaxChoices)
        refuse_grammar(fmt::format("choices are an array of 1 to {} strings", kMaxChoices));
    const GrammarRule rule = builder.add_rule("the choices");
    for (const nlohmann::ordered_json& choice : choices) {
        if (!choice.is_string() || choice.get_ref<const std::string&>().empty())
            refuse_grammar("each choice is a string with at least one character");
        builder.epsilon(builder.text(builder.start(rule), choice.get_ref<const std::string&>()), builder.accept(rule));
    }
    return rule;
}

GrammarRule add_any(GrammarBuilder& builder, JsonText& json, const OutputConstraint& constraint) {
    switch (constraint.kind) {
    case ConstraintKind::gbnf:
        return add_gbnf(builder, constraint.source);
    case ConstraintKind::regex:
        return add_regex(builder, constraint.source);
    case ConstraintKind::choice:
        return add_choices(builder, constraint.source);
    case ConstraintKind::json_object:
        return json.object();
    case ConstraintKind::json_schema:
        return add_json_schema(builder, json, std::string_view(constraint.source), constraint.strict, constraint.param);
    case ConstraintKind::none:
        break;
    }
    refuse_grammar("there is no constraint");
}

} // namespace

GrammarRule add_constraint(GrammarBuilder& builder, JsonText& json, const OutputConstraint& constraint) {
    try {
        return add_any(builder, json, constraint);
    } catch (GrammarError& error) {
        if (error.path.empty())
            error.path = constraint.param;
        throw;
    }
}

GrammarResult compile_grammar(GrammarContext context, const std::function<GrammarRule(GrammarBuilder&)>& draw) {
    try {
        GrammarBuilder builder(std::move(context));
        const GrammarRule root = draw(builder);
        return std::move(builder).finish(root);
    } catch (GrammarError& error) {
        return tl::unexpected(std::move(error));
    } catch (const nlohmann::json::exception& error) { // a schema member of a type nobody asked about
        return tl::unexpected(GrammarError{
            Error{ErrorCode::invalid_schema, fmt::format("the schema is malformed: {}", error.what()), {}}, {}});
    }
}

} // namespace vitrine::engine
