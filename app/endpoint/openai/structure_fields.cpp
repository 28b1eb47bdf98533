// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/openai/structure_fields.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/endpoint/api_error.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;
using engine::ConstraintKind;
using engine::OutputConstraint;

ApiError wrong_type(const std::string& param, const char* needed) {
    return invalid_value(param, fmt::format("'{}' must be {}.", param, needed), "invalid_type");
}

/// A field whose value is the constraint itself.
struct ConstraintField {
    const char* name;
    ConstraintKind kind;
};

void add_constraint(Fields& fields, const Json& value, const ConstraintField& field, const std::string& param,
    std::vector<OutputConstraint>& found) {
    OutputConstraint constraint{field.kind, {}, false, param};
    switch (field.kind) {
    case ConstraintKind::json_schema:
        if (!value.is_object() && !value.is_boolean() && !value.is_string())
            return fields.refuse(wrong_type(param, "a JSON schema"));
        constraint.source = value.is_string() ? value.get<std::string>() : dump_json(value);
        break;
    case ConstraintKind::choice:
        if (!value.is_array() || value.empty())
            return fields.refuse(wrong_type(param, "an array of strings"));
        constraint.source = dump_json(value);
        break;
    case ConstraintKind::json_object:
        if (!value.is_boolean())
            return fields.refuse(wrong_type(param, "true or false"));
        if (value == false)
            return;
        break;
    default:
        if (!value.is_string())
            return fields.refuse(wrong_type(param, "a string"));
        constraint.source = value.get<std::string>();
        if (constraint.source.empty())
            return;
        break;
    }
    found.push_back(std::move(constraint));
}

void read_response_format(Fields& fields, std::vector<OutputConstraint>& found) {
    const Json* format = fields.find("response_format");
    if (format == nullptr)
        return;
    if (!format->is_object() || !format->contains("type") || !(*format)["type"].is_string())
        return fields.refuse(
            invalid_value("response_format", "'response_format' must be an object with a 'type'.", "invalid_type"));
    const std::string type = (*format)["type"];
    if (type == "text")
        return;
    if (type == "json_object") {
        const bool has_schema = format->contains("schema") && (*format)["schema"].is_object(); // llama.cpp
        if (has_schema)
            return add_constraint(
                fields, (*format)["schema"], {"", ConstraintKind::json_schema}, "response_format.schema", found);
        found.push_back({ConstraintKind::json_object, {}, false, "response_format"});
        return;
    }
    if (type != "json_schema")
        return fields.refuse(invalid_value("response_format.type",
            fmt::format("'response_format.type' is '{}'; it must be text, json_object or json_schema.", type)));
    const bool has_schema = format->contains("json_schema") && (*format)["json_schema"].is_object() &&
        (*format)["json_schema"].contains("schema");
    if (!has_schema)
        return fields.refuse(invalid_value("response_format.json_schema.schema",
            "'response_format.json_schema.schema' is missing.", "missing_required_parameter"));
    const Json& schema = (*format)["json_schema"];
    add_constraint(
        fields, schema["schema"], {"", ConstraintKind::json_schema}, "response_format.json_schema.schema", found);
    if (!found.empty())
        found.back().strict = schema.contains("strict") && schema["strict"] == true;
}

} // namespace

void read_structure_fields(Fields& fields, engine::Request& request) {
    constexpr std::array<ConstraintField, 6> kTop{
        {{"grammar", ConstraintKind::gbnf}, {"json_schema", ConstraintKind::json_schema},
            {"guided_json", ConstraintKind::json_schema}, {"guided_regex", ConstraintKind::regex},
            {"guided_choice", ConstraintKind::choice}, {"guided_grammar", ConstraintKind::gbnf}}};
    constexpr std::array<ConstraintField, 5> kStructured{
        {{"json", ConstraintKind::json_schema}, {"regex", ConstraintKind::regex}, {"choice", ConstraintKind::choice},
            {"grammar", ConstraintKind::gbnf}, {"json_object", ConstraintKind::json_object}}};
    std::vector<OutputConstraint> found;
    read_response_format(fields, found);
    for (const ConstraintField& field : kTop)
        if (const Json* value = fields.find(field.name))
            add_constraint(fields, *value, field, field.name, found);
    if (const Json* outputs = fields.find("structured_outputs")) {
        if (!outputs->is_object())
            return fields.refuse(wrong_type("structured_outputs", "an object"));
        for (const ConstraintField& field : kStructured)
            if (outputs->contains(field.name) && !(*outputs)[field.name].is_null())
                add_constraint(
                    fields, (*outputs)[field.name], field, fmt::format("structured_outputs.{}", field.name), found);
    }
    if (found.size() > 1)
        return fields.refuse(invalid_value(found[1].param,
            fmt::format(
                "'{}' and '{}' both say what the answer must look like; send one.", found[0].param, found[1].param)));
    if (!found.empty())
        request.constraint = std::move(found.front());
}

bool read_tool_choice(Fields& fields, const Json& tools, engine::Request& request) {
    request.parallel_tool_calls = fields.boolean("parallel_tool_calls", true);
    const bool legacy = fields.find("tool_choice") == nullptr && fields.find("function_call") != nullptr;
    const char* param = legacy ? "function_call" : "tool_choice";
    const Json* choice = fields.find(param);
    if (choice == nullptr)
        return true;
    if (*choice == "none")
        return false;
    if (tools.empty()) {
        if (*choice != "auto")
            fields.refuse(invalid_value(param, fmt::format("'{}' needs 'tools'.", param)));
        return true;
    }
    if (*choice == "auto")
        return true;
    if (*choice == "required" || *choice == "any") {
        request.tool_choice = engine::ToolChoice::required;
        return true;
    }
    const Json* holder = choice->is_object() && choice->contains("function") ? &(*choice)["function"] : choice;
    if (!holder->is_object() || !holder->contains("name") || !(*holder)["name"].is_string()) {
        fields.refuse(invalid_value(
            param, fmt::format("'{}' must be none, auto, required or name a function.", param), "invalid_value"));
        return true;
    }
    request.tool_choice = engine::ToolChoice::named;
    request.tool_name = (*holder)["name"];
    const bool known = std::ranges::any_of(tools, [&](const Json& tool) {
        return tool.contains("function") && tool["function"].is_object() && tool["function"].contains("name") &&
            tool["function"]["name"] == request.tool_name;
    });
    if (!known)
        fields.refuse(invalid_value(
            param, fmt::format("'{}' names '{}', which is none of the tools.", param, request.tool_name)));
    return true;
}

} // namespace vitrine::app
