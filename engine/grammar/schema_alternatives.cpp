// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: combining keywords multiplied out.  Semantics: JSON Schema 2020-12, validation.
#include "engine/grammar/schema_alternatives.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "engine/grammar/grammar_builder.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxAlternatives = 256;
constexpr int kMaxDepth = 48;

// Without meaning for what is valid.
const std::set<std::string_view> kAnnotations{"title", "description", "default", "examples", "example", "$schema",
    "$id", "$comment", "$defs", "definitions", "deprecated", "readOnly", "writeOnly", "contentMediaType",
    "contentEncoding", "contentSchema", "discriminator", "externalDocs", "xml", "$anchor", "id", "strict"};
// Known, with a meaning, and not to be had as a grammar.
const std::set<std::string_view> kRefused{"not", "if", "then", "else", "dependentSchemas", "dependentRequired",
    "dependencies", "patternProperties", "propertyNames", "contains", "minContains", "maxContains",
    "unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef"};

bool is_harmless(const std::string& keyword, const SchemaJson& value) {
    if (keyword == "patternProperties" || keyword == "dependencies" || keyword == "dependentSchemas" ||
        keyword == "dependentRequired")
        return value.is_object() && value.empty();
    return keyword.starts_with("unevaluated") || keyword == "propertyNames" ? value == true : false;
}

void check_keywords(const SchemaPart& part) {
    for (const auto& [keyword, value] : part.schema.items())
        if (kRefused.contains(keyword) && !is_harmless(keyword, value))
            refuse_grammar(fmt::format("the keyword '{}' cannot be enforced", keyword), joined_path(part.path, keyword),
                "Describe the value without it.");
}

bool says_nothing(const SchemaJson& schema) {
    if (schema.is_boolean())
        return schema == true;
    return std::ranges::all_of(schema.items(), [](const auto& item) { return kAnnotations.contains(item.key()); });
}

SchemaJson all_of(const SchemaJson& a, const SchemaJson& b) {
    if (says_nothing(a))
        return b;
    if (says_nothing(b) || a == b)
        return a;
    return {{"allOf", SchemaJson::array({a, b})}};
}

SchemaJson numeric_exclusives(SchemaJson schema) { // draft 4 wrote them as booleans
    for (const auto& [exclusive, inclusive] :
        {std::pair{"exclusiveMinimum", "minimum"}, std::pair{"exclusiveMaximum", "maximum"}}) {
        if (!schema.contains(exclusive) || !schema[exclusive].is_boolean())
            continue;
        const bool on = schema[exclusive].get<bool>() && schema.contains(inclusive);
        schema.erase(exclusive);
        if (!on)
            continue;
        schema[exclusive] = schema[inclusive];
        schema.erase(inclusive);
    }
    return schema;
}

SchemaJson listed(const SchemaJson& schema, const char* single, const char* list) {
    SchemaJson out = schema.contains(list) ? schema[list] : SchemaJson::array();
    if (schema.contains(single))
        out.push_back(schema[single]);
    return out;
}

} // namespace

std::string joined_path(const std::string& path, const std::string& member) {
    return path.empty() ? member : path + "." + member;
}

std::string joined_path(const std::string& path, std::size_t index) {
    return fmt::format("{}[{}]", path, index);
}

unsigned type_of_value(const SchemaJson& value) {
    switch (value.type()) {
    case SchemaJson::value_t::null:
        return kNull;
    case SchemaJson::value_t::boolean:
        return kBoolean;
    case SchemaJson::value_t::object:
        return kObject;
    case SchemaJson::value_t::array:
        return kArray;
    case SchemaJson::value_t::string:
        return kString;
    case SchemaJson::value_t::number_float: {
        const double number = value.get<double>();
        return number == static_cast<double>(static_cast<long long>(std::clamp(number, -9e15, 9e15)))
            ? kNumber | kInteger
            : kNumber;
    }
    default:
        return kNumber | kInteger;
    }
}

unsigned types_of(const SchemaJson& schema, const std::string& path) {
    static constexpr std::array<std::pair<std::string_view, unsigned>, 7> kNames{
        {{"null", kNull}, {"boolean", kBoolean}, {"object", kObject}, {"array", kArray}, {"number", kNumber | kInteger},
            {"integer", kInteger}, {"string", kString}}};
    if (!schema.is_object() || !schema.contains("type"))
        return kAllTypes;
    const SchemaJson& type = schema["type"];
    const SchemaJson names = type.is_array() ? type : SchemaJson::array({type});
    unsigned types = 0;
    for (const SchemaJson& name : names) {
        const auto* const found = std::ranges::find_if(
            kNames, [&](const auto& known) { return name.is_string() && known.first == name.get<std::string>(); });
        if (found == kNames.end())
            refuse_grammar(fmt::format("the type {} is unknown", name.dump()), joined_path(path, "type"),
                "Use null, boolean, object, array, number, integer or string.");
        types |= found->second;
    }
    if (types == 0)
        refuse_grammar("no type is allowed", joined_path(path, "type"));
    return types | (schema.value("nullable", SchemaJson(false)) == true ? kNull : 0U);
}

bool SchemaAlternatives::is_reference(const SchemaJson& schema) {
    if (!schema.is_object() || !schema.contains("$ref"))
        return false;
    return std::ranges::all_of(
        schema.items(), [](const auto& item) { return item.key() == "$ref" || kAnnotations.contains(item.key()); });
}

SchemaPart SchemaAlternatives::resolve(const std::string& reference, const std::string& path) const {
    const std::string where = joined_path(path, "$ref");
    if (!reference.starts_with('#'))
        refuse_grammar(fmt::format("the reference '{}' leads outside the schema", reference), where,
            "Copy what it names into $defs.");
    const std::string pointer = reference.substr(1);
    if (!pointer.empty() && !pointer.starts_with('/'))
        refuse_grammar(fmt::format("the reference '{}' names an anchor", reference), where, "Use #/$defs/NAME.");
    const SchemaJson* at = &root_;
    std::string target;
    for (std::size_t begin = 0; begin < pointer.size();) {
        const std::size_t end = std::min(pointer.find('/', begin + 1), pointer.size());
        std::string key;
        for (std::size_t i = begin + 1; i < end; ++i) { // RFC 6901, inside a URI fragment
            if (pointer[i] == '~' && i + 1 < end && (pointer[i + 1] == '0' || pointer[i + 1] == '1'))
                key += pointer[++i] == '0' ? '~' : '/';
            else if (pointer[i] == '%' && i + 2 < end &&
                std::isxdigit(static_cast<unsigned char>(pointer[i + 1])) != 0 &&
                std::isxdigit(static_cast<unsigned char>(pointer[i + 2])) != 0) {
                key += static_cast<char>(std::stoi(pointer.substr(i + 1, 2), nullptr, 16));
                i += 2;
            } else
                key += pointer[i];
        }
        const bool is_index = at->is_array() && !key.empty() && key.size() < 8 &&
            key.find_first_not_of("0123456789") == std::string::npos;
        if (at->is_object() && at->contains(key))
            at = &(*at)[key];
        else if (is_index && std::stoul(key) < at->size())
            at = &(*at)[std::stoul(key)];
        else
            refuse_grammar(fmt::format("the reference '{}' names nothing in the schema", reference), where);
        target = joined_path(target, key);
        begin = end;
    }
    return {*at, target};
}

/// Before schemas are merged, what a missing additionalProperties means must be said.
SchemaJson SchemaAlternatives::with_defaults(SchemaJson schema) const {
    schema = numeric_exclusives(std::move(schema));
    if (strict_ && schema.contains("properties") && !schema.contains("additionalProperties"))
        schema["additionalProperties"] = false;
    if (schema.contains("const")) {
        const SchemaJson only = SchemaJson::array({schema["const"]});
        schema.erase("const");
        schema = schema.contains("enum") ? merged(schema, {{"enum", only}}, {}) : [&] {
            schema["enum"] = only;
            return schema;
        }();
    }
    return schema;
}

std::vector<SchemaPart> SchemaAlternatives::expand(const SchemaPart& part, int depth) const {
    const auto& [schema, path] = part;
    if (schema.is_boolean())
        return {part};
    if (!schema.is_object())
        refuse_grammar(fmt::format("a schema is an object, true or false, but this is {}", schema.type_name()), path);
    if (depth > kMaxDepth)
        refuse_grammar(fmt::format("schemas combine more than {} deep", kMaxDepth), path);
    if (is_reference(schema))
        return {part};
    check_keywords(part);
    SchemaJson base = schema;
    for (const char* keyword : {"allOf", "anyOf", "oneOf", "$ref"})
        base.erase(keyword);
    Parts parts{{with_defaults(std::move(base)), path}};
    if (schema.contains("$ref")) {
        if (!schema["$ref"].is_string())
            refuse_grammar("a reference is a string", joined_path(path, "$ref"));
        parts = crossed(parts, expand(resolve(schema["$ref"], path), depth + 1), path, depth);
    }
    for (const char* keyword : {"allOf", "anyOf", "oneOf"}) {
        if (!schema.contains(keyword))
            continue;
        const std::string where = joined_path(path, keyword);
        if (!schema[keyword].is_array() || schema[keyword].empty())
            refuse_grammar(fmt::format("'{}' must be an array of schemas", keyword), where);
        Parts any;
        for (std::size_t i = 0; i < schema[keyword].size(); ++i) {
            const Parts member = expand({schema[keyword][i], joined_path(where, i)}, depth + 1);
            if (keyword == std::string_view("allOf"))
                parts = crossed(parts, member, path, depth);
            else
                any.insert(any.end(), member.begin(), member.end());
        }
        if (keyword == std::string_view("oneOf"))
            check_one_of(any, where);
        if (keyword != std::string_view("allOf"))
            parts = crossed(parts, any, path, depth);
    }
    return parts;
}

std::vector<SchemaPart> SchemaAlternatives::crossed(
    const Parts& left, const Parts& right, const std::string& path, int depth) const {
    if (left.size() * right.size() > kMaxAlternatives)
        refuse_grammar(fmt::format("the schema has more than {} alternatives", kMaxAlternatives), path);
    Parts out;
    for (const SchemaPart& a : left) {
        for (const SchemaPart& b : right) {
            if (says_nothing(a.schema)) {
                out.push_back(b);
            } else if (says_nothing(b.schema)) {
                out.push_back(a);
            } else if (is_reference(a.schema) || is_reference(b.schema)) {
                const auto opened = [&](const SchemaPart& one) {
                    return is_reference(one.schema) ? expand(resolve(one.schema["$ref"], one.path), depth + 1)
                                                    : Parts{one};
                };
                if (depth > kMaxDepth)
                    refuse_grammar("a recursive reference stands beside other keywords", path);
                for (SchemaPart& one : crossed(opened(a), opened(b), path, depth + 1))
                    out.push_back(std::move(one));
            } else {
                out.push_back({merged(a.schema, b.schema, path), b.path});
            }
        }
    }
    return out;
}

SchemaJson SchemaAlternatives::merged(const SchemaJson& a, const SchemaJson& b, const std::string& path) const {
    if (a == false || b == false)
        return false;
    SchemaJson out = a;
    for (const auto& [keyword, value] : b.items())
        if (!out.contains(keyword))
            out[keyword] = value;
    const auto both = [&](const char* keyword) { return a.contains(keyword) && b.contains(keyword); };
    if (a.contains("type") || b.contains("type")) {
        const unsigned types = types_of(a, path) & types_of(b, path);
        if (types == 0)
            return false;
        out.erase("nullable");
        SchemaJson names = SchemaJson::array();
        for (const auto& [bit, name] :
            {std::pair<unsigned, const char*>{kNull, "null"}, {kBoolean, "boolean"}, {kObject, "object"},
                {kArray, "array"}, {kNumber, "number"}, {kInteger, "integer"}, {kString, "string"}})
            if ((types & bit) != 0 && !(bit == kInteger && (types & kNumber) != 0))
                names.push_back(name);
        out["type"] = std::move(names);
    }
    for (const char* keyword : {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
        if (both(keyword))
            out[keyword] = std::max(a[keyword], b[keyword]);
    for (const char* keyword : {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
        if (both(keyword))
            out[keyword] = std::min(a[keyword], b[keyword]);
    if (both("multipleOf") && a["multipleOf"] != b["multipleOf"])
        out["multipleOf"] =
            std::max(a["multipleOf"], b["multipleOf"]); // powers of ten only: the larger contains the other
    if (both("enum")) {
        out["enum"] = SchemaJson::array();
        for (const SchemaJson& value : a["enum"])
            if (std::ranges::find(b["enum"], value) != b["enum"].end())
                out["enum"].push_back(value);
        if (out["enum"].empty())
            return false;
    }
    for (const auto& [single, list] : {std::pair{"pattern", kAllPatterns}, std::pair{"format", kAllFormats}}) {
        SchemaJson all = listed(a, single, list);
        for (const SchemaJson& value : listed(b, single, list))
            if (std::ranges::find(all, value) == all.end())
                all.push_back(value);
        out.erase(single);
        out.erase(list);
        if (!all.empty())
            out[list] = std::move(all);
    }
    if (both("uniqueItems"))
        out["uniqueItems"] = a["uniqueItems"] == true || b["uniqueItems"] == true;
    merge_objects(out, a, b, path);
    merge_arrays(out, a, b);
    return out;
}

void SchemaAlternatives::merge_objects(
    SchemaJson& out, const SchemaJson& a, const SchemaJson& b, const std::string& path) const {
    const auto member = [](const SchemaJson& schema, const std::string& name) {
        if (schema.contains("properties") && schema["properties"].is_object() && schema["properties"].contains(name))
            return schema["properties"][name];
        return schema.value("additionalProperties", SchemaJson(true));
    };
    if (a.contains("required") && b.contains("required") && a["required"].is_array()) {
        for (const SchemaJson& name : b["required"])
            if (std::ranges::find(out["required"], name) == out["required"].end())
                out["required"].push_back(name);
    }
    const bool any = a.contains("properties") || b.contains("properties") || a.contains("additionalProperties") ||
        b.contains("additionalProperties");
    if (!any)
        return;
    SchemaJson properties = SchemaJson::object();
    for (const SchemaJson* schema : {&a, &b}) {
        if (!schema->contains("properties"))
            continue;
        if (!(*schema)["properties"].is_object())
            refuse_grammar("'properties' must be an object", joined_path(path, "properties"));
        for (const auto& [name, value] : (*schema)["properties"].items())
            properties[name] = all_of(member(a, name), member(b, name));
    }
    if (!properties.empty())
        out["properties"] = std::move(properties);
    if (a.contains("additionalProperties") && b.contains("additionalProperties"))
        out["additionalProperties"] = all_of(a["additionalProperties"], b["additionalProperties"]);
}

void SchemaAlternatives::merge_arrays(SchemaJson& out, const SchemaJson& a, const SchemaJson& b) const {
    const auto prefix = [](const SchemaJson& schema) {
        return schema.contains("prefixItems") && schema["prefixItems"].is_array() ? schema["prefixItems"]
                                                                                  : SchemaJson::array();
    };
    const auto rest = [](const SchemaJson& schema) { return schema.value("items", SchemaJson(true)); };
    const SchemaJson first = prefix(a);
    const SchemaJson second = prefix(b);
    if (first.empty() && second.empty() && !(a.contains("items") && b.contains("items")))
        return;
    SchemaJson items = SchemaJson::array();
    for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i)
        items.push_back(all_of(i < first.size() ? first[i] : rest(a), i < second.size() ? second[i] : rest(b)));
    if (!items.empty())
        out["prefixItems"] = std::move(items);
    out["items"] = all_of(rest(a), rest(b));
}

/// oneOf is honoured as anyOf, which is wrong where two members allow one value.  Of numbers, strings, true, false and
/// null that can be seen; members that are objects or arrays are told apart by those who write them.
void SchemaAlternatives::check_one_of(const Parts& parts, const std::string& path) const {
    constexpr unsigned kScalar = kNull | kBoolean | kNumber | kInteger | kString;
    struct Seen {
        unsigned types = 0;
        const SchemaJson* values = nullptr;
    };
    std::vector<Seen> seen;
    for (const SchemaPart& part : parts) {
        Seen one;
        if (is_reference(part.schema) || part.schema.is_boolean())
            continue;
        one.types = types_of(part.schema, part.path) & kScalar;
        if (!part.schema.contains("type"))
            one.types = 0; // what is not said is taken for an object
        if (part.schema.contains("enum") && part.schema["enum"].is_array()) {
            one.values = &part.schema["enum"];
            unsigned types = 0;
            for (const SchemaJson& value : *one.values)
                types |= type_of_value(value);
            one.types = (part.schema.contains("type") ? one.types & types : types) & kScalar;
        }
        for (const Seen& other : seen) {
            if ((one.types & other.types) == 0)
                continue;
            const bool told_apart = one.values != nullptr && other.values != nullptr &&
                std::ranges::none_of(*one.values,
                    [&](const SchemaJson& v) { return std::ranges::find(*other.values, v) != other.values->end(); });
            if (!told_apart)
                refuse_grammar("two members of 'oneOf' may allow the same value, which a grammar cannot exclude", path,
                    "Use anyOf, or make the members exclude each other by type or enum.");
        }
        seen.push_back(one);
    }
}

} // namespace vitrine::engine
