// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: drawing of one schema after the other.
#include "engine/grammar/json_schema.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/utf8.h"
#include "engine/grammar/number_range.h"
#include "engine/grammar/schema_alternatives.h"
#include "engine/grammar/schema_objects.h"
#include "engine/grammar/string_language.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxSchemaBytes = 256U << 10U;
constexpr int kMaxDepth = 100; // schemas within schemas
constexpr int kMaxJsonDepth = 200;
constexpr std::size_t kMaxKeys = 4096;
constexpr int kMaxLength = 100'000;

class Compiler final : public SchemaDrawer {
public:
    Compiler(GrammarBuilder& builder, JsonText& json, const SchemaJson& root, bool strict)
        : builder_(builder), json_(json), alternatives_(root, strict), strict_(strict) {}

    GrammarRule compile(const SchemaJson& schema) {
        const GrammarRule rule = builder_.add_rule("the schema");
        builder_.epsilon(draw({schema, {}}, builder_.start(rule)), builder_.accept(rule));
        while (!open_references_.empty()) {
            const auto [part, target] = std::move(open_references_.back());
            open_references_.pop_back();
            builder_.epsilon(draw(part, builder_.start(target)), builder_.accept(target));
        }
        return rule;
    }

    /// A string without quotes, between tags.
    GrammarRule compile_bare(const SchemaJson& schema) {
        const GrammarRule rule = builder_.add_rule("a text");
        const CharacterSpelling spelling = tag_spelling(builder_);
        for (const SchemaPart& part : alternatives_.expand({schema, {}})) {
            if (!part.schema.is_object() || SchemaAlternatives::is_reference(part.schema))
                refuse_grammar("this text cannot be enforced between tags", part.path);
            const auto [min, max] = length_limits(part);
            const GrammarNode end =
                draw_string_language(builder_, spelling, patterns_of(part), min, max, builder_.start(rule));
            builder_.epsilon(end, builder_.accept(rule));
        }
        return rule;
    }

    GrammarNode draw(const SchemaPart& part, GrammarNode from) override {
        if (++depth_ > kMaxDepth)
            refuse_grammar(fmt::format("schemas nest deeper than {}", kMaxDepth), part.path);
        const std::vector<SchemaPart> parts = alternatives_.expand(part);
        const GrammarNode end = builder_.add_node();
        for (const SchemaPart& one : parts) {
            if (one.schema == false)
                continue;
            const GrammarNode begin = builder_.add_node();
            builder_.epsilon(from, begin);
            draw_one(one, begin, end);
        }
        --depth_;
        return end;
    }
    GrammarBuilder& builder() override { return builder_; }
    JsonText& json() override { return json_; }

private:
    void draw_one(const SchemaPart& part, GrammarNode from, GrammarNode end) {
        const auto& [schema, path] = part;
        if (schema == true)
            return builder_.call(from, json_.value(), end);
        if (SchemaAlternatives::is_reference(schema))
            return builder_.call(from, referenced(schema["$ref"], path), end);
        unsigned types = types_of(schema, path);
        if (schema.contains("enum"))
            return draw_enum(part, types, from, end);
        if (types == kAllTypes)
            types = implied_types(schema);
        if (types == kAllTypes)
            return builder_.call(from, json_.value(), end);
        const auto draw_type = [&](GrammarNode to) { builder_.epsilon(to, end); };
        if ((types & kNull) != 0)
            draw_type(builder_.text(from, "null"));
        if ((types & kBoolean) != 0) {
            draw_type(builder_.text(from, "true"));
            draw_type(builder_.text(from, "false"));
        }
        if ((types & (kNumber | kInteger)) != 0)
            draw_type(draw_number(part, (types & kNumber) == 0, from));
        if ((types & kString) != 0)
            draw_type(draw_string(part, from));
        if ((types & kArray) != 0)
            draw_type(draw_array(*this, part, from));
        if ((types & kObject) != 0)
            draw_type(draw_object(*this, part, strict_, from));
    }

    static unsigned implied_types(const SchemaJson& schema) {
        static constexpr std::pair<const char*, unsigned> kKeywords[] = {{"properties", kObject}, {"required", kObject},
            {"additionalProperties", kObject}, {"minProperties", kObject}, {"maxProperties", kObject},
            {"items", kArray}, {"prefixItems", kArray}, {"minItems", kArray}, {"maxItems", kArray},
            {"uniqueItems", kArray}, {"minLength", kString}, {"maxLength", kString}, {"pattern", kString},
            {"format", kString}, {kAllPatterns, kString}, {kAllFormats, kString}, {"minimum", kNumber | kInteger},
            {"maximum", kNumber | kInteger}, {"exclusiveMinimum", kNumber | kInteger},
            {"exclusiveMaximum", kNumber | kInteger}, {"multipleOf", kNumber | kInteger}};
        unsigned types = 0;
        for (const auto& [keyword, type] : kKeywords)
            types |= schema.contains(keyword) ? type : 0U;
        return types == 0 ? kAllTypes : types;
    }

    GrammarRule referenced(const SchemaJson& reference, const std::string& path) {
        if (!reference.is_string())
            refuse_grammar("a reference is a string", joined_path(path, "$ref"));
        const auto [found, fresh] = references_.try_emplace(reference.get<std::string>());
        if (fresh) {
            SchemaPart part = alternatives_.resolve(found->first, path);
            found->second = builder_.add_rule(found->first);
            open_references_.emplace_back(std::move(part), found->second);
        }
        return found->second;
    }

    void draw_enum(const SchemaPart& part, unsigned types, GrammarNode from, GrammarNode end) {
        const auto& [schema, path] = part;
        const SchemaJson& values = schema["enum"];
        if (!values.is_array() || values.empty())
            refuse_grammar("'enum' must be an array of values", joined_path(path, "enum"));
        for (const SchemaJson& value : values) {
            if ((types & type_of_value(value)) == 0 || !fits(value, part))
                continue;
            builder_.epsilon(json_.literal(from, value), end);
        }
    }

    /// Do the keywords beside `enum` allow the value?
    bool fits(const SchemaJson& value, const SchemaPart& part) {
        const auto& [schema, path] = part;
        if (value.is_string()) {
            const auto& text = value.get_ref<const std::string&>();
            const auto [min, max] = length_limits(part);
            const int length = static_cast<int>(count_code_points(text));
            return length >= min && (max < 0 || length <= max) &&
                std::ranges::all_of(patterns_of(part), [&](const auto& pattern) { return pattern.matches(text); });
        }
        if (value.is_number()) {
            const auto number = Decimal::parse(value.dump());
            const NumberRange range = range_of(part, false);
            if (schema.contains("multipleOf"))
                refuse_grammar("'enum' beside 'multipleOf' cannot be enforced", joined_path(path, "multipleOf"));
            const bool too_low = number && range.low &&
                (compare(*number, range.low->value) < 0 ||
                    (compare(*number, range.low->value) == 0 && !range.low->inclusive));
            const bool too_high = number && range.high &&
                (compare(*number, range.high->value) > 0 ||
                    (compare(*number, range.high->value) == 0 && !range.high->inclusive));
            return !too_low && !too_high;
        }
        if (!value.is_structured())
            return true;
        for (const char* keyword : {"properties", "required", "additionalProperties", "items", "prefixItems",
                 "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems"})
            if (schema.contains(keyword))
                refuse_grammar("objects and arrays in 'enum' cannot be checked against other keywords",
                    joined_path(path, keyword), "Leave the other keywords out.");
        return true;
    }

    NumberRange range_of(const SchemaPart& part, bool whole) {
        const SchemaJson& schema = part.schema;
        const std::string& path = part.path;
        NumberRange range;
        range.max_fraction = whole ? 0 : 16;
        const auto tighten = [&](const char* keyword, std::optional<NumberBound>& bound, bool inclusive, int sign) {
            if (!schema.contains(keyword))
                return;
            const auto value = schema[keyword].is_number() ? Decimal::parse(schema[keyword].dump()) : std::nullopt;
            if (!value)
                refuse_grammar(
                    fmt::format("'{}' must be a number of at most 60 digits", keyword), joined_path(path, keyword));
            const int order = bound ? sign * compare(*value, bound->value) : 1;
            if (order > 0 || (order == 0 && !inclusive))
                bound = NumberBound{*value, inclusive};
        };
        tighten("minimum", range.low, true, 1);
        tighten("exclusiveMinimum", range.low, false, 1);
        tighten("maximum", range.high, true, -1);
        tighten("exclusiveMaximum", range.high, false, -1);
        if (schema.contains("multipleOf"))
            read_multiple(range, schema["multipleOf"], joined_path(path, "multipleOf"));
        return range;
    }

    static void read_multiple(NumberRange& range, const SchemaJson& step, const std::string& path) {
        const auto value = step.is_number() ? Decimal::parse(step.dump()) : std::nullopt;
        const bool whole = value && value->fraction.empty();
        const std::string digits = !value ? "" : whole ? value->whole : value->fraction;
        const std::size_t one = digits.find_first_not_of('0');
        const bool is_power = value && !value->negative && (whole || value->whole == "0") && one != std::string::npos &&
            digits[one] == '1' && digits.find_first_not_of('0', one + 1) == std::string::npos;
        if (!is_power)
            refuse_grammar(fmt::format("multiples of {} cannot be enforced", step.dump()), path, "Use a power of ten.");
        range.max_fraction = std::min(range.max_fraction, whole ? 0 : static_cast<int>(digits.size()));
        range.trailing_zeros = whole ? static_cast<int>(digits.size()) - 1 : 0;
    }

    GrammarNode draw_number(const SchemaPart& part, bool whole, GrammarNode from) {
        const NumberRange range = range_of(part, whole);
        if (!range.low && !range.high && !part.schema.contains("multipleOf"))
            return builder_.call(from, whole ? json_.integer() : json_.number());
        return draw_number_range(builder_, range, from);
    }

    std::pair<int, int> length_limits(const SchemaPart& part) {
        return limits_of(part, "minLength", "maxLength", kMaxLength);
    }

    std::vector<PatternAutomaton> patterns_of(const SchemaPart& part) {
        const SchemaJson& schema = part.schema;
        const std::string& path = part.path;
        std::vector<PatternAutomaton> automata;
        const auto each = [&](const char* single, const char* list, auto read) {
            if (schema.contains(single))
                read(schema[single], joined_path(path, single));
            if (schema.contains(list))
                for (const SchemaJson& value : schema[list])
                    read(value, joined_path(path, single));
        };
        each("pattern", kAllPatterns, [&](const SchemaJson& value, const std::string& where) {
            if (!value.is_string())
                refuse_grammar("a pattern is a string", where);
            automata.push_back(read_pattern(value.get<std::string>(), true, where));
        });
        each("format", kAllFormats, [&](const SchemaJson& value, const std::string& where) {
            const char* pattern = value.is_string() ? format_pattern(value.get<std::string>()) : nullptr;
            if (pattern == nullptr)
                refuse_grammar(fmt::format("the format {} is unknown", value.dump()), where,
                    "Use date, time, date-time, duration, uuid, email, hostname, ipv4, ipv6, uri or a pattern.");
            automata.push_back(read_pattern(pattern, false, where));
        });
        return automata;
    }

    static PatternAutomaton read_pattern(const std::string& pattern, bool search, const std::string& where) {
        try {
            return PatternAutomaton(pattern, search);
        } catch (GrammarError& error) {
            error.path = where;
            throw;
        }
    }

    GrammarNode draw_string(const SchemaPart& part, GrammarNode from) {
        const auto [min, max] = length_limits(part);
        const std::vector<PatternAutomaton> patterns = patterns_of(part);
        if (patterns.empty() && min == 0 && max < 0)
            return builder_.call(from, json_.string());
        try {
            from = draw_string_language(builder_, json_spelling(json_), patterns, min, max, builder_.text(from, "\""));
        } catch (GrammarError& error) {
            if (error.path.empty() && error.error.code == ErrorCode::invalid_schema)
                error.path = joined_path(part.path, patterns.empty() ? "maxLength" : "pattern");
            throw;
        }
        return builder_.text(from, "\"");
    }

    GrammarBuilder& builder_;
    JsonText& json_;
    SchemaAlternatives alternatives_;
    bool strict_;
    int depth_ = 0;
    std::map<std::string, GrammarRule> references_;
    std::vector<std::pair<SchemaPart, GrammarRule>> open_references_;
};

/// Errors of `draw` get the path of the whole before their own.
template <class Draw>
GrammarRule below(const std::string& path, Draw draw_schema) {
    try {
        return draw_schema();
    } catch (GrammarError& error) {
        error.path = path.empty() ? error.path : error.path.empty() ? path : joined_path(path, error.path);
        throw;
    }
}

} // namespace

GrammarRule add_bare_text(GrammarBuilder& builder, JsonText& json, const SchemaJson& schema, const std::string& name,
    const std::string& path) {
    return below(
        path, [&] { return Compiler(builder, json, schema, true).compile_bare(schema.at("properties").at(name)); });
}

nlohmann::ordered_json parse_ordered_json(std::string_view text, const char* what) {
    std::vector<std::size_t> keys(1);
    bool too_deep = false;
    bool too_many = false;
    const auto watch = [&](int depth, SchemaJson::parse_event_t event, SchemaJson&) {
        too_deep = too_deep || depth > kMaxJsonDepth;
        keys.resize(static_cast<std::size_t>(std::max(depth, 0)) + 2);
        if (event == SchemaJson::parse_event_t::object_start)
            keys[static_cast<std::size_t>(depth) + 1] = 0;
        if (event == SchemaJson::parse_event_t::key) // an ordered object looks for each key from its beginning
            too_many = too_many || ++keys[static_cast<std::size_t>(depth)] > kMaxKeys;
        return !too_deep && !too_many;
    };
    SchemaJson json = SchemaJson::parse(text, watch, false);
    if (too_deep)
        refuse_grammar(fmt::format("{} nests deeper than {} levels", what, kMaxJsonDepth));
    if (too_many)
        refuse_grammar(fmt::format("{} has an object with more than {} keys", what, kMaxKeys));
    if (json.is_discarded() || text.find('\0') != std::string_view::npos) // nlohmann takes a zero byte for the end
        refuse_grammar(fmt::format("{} is not valid JSON in UTF-8", what));
    return json;
}

GrammarRule add_json_schema(
    GrammarBuilder& builder, JsonText& json, const SchemaJson& schema, bool strict, const std::string& path) {
    return below(path, [&] { return Compiler(builder, json, schema, strict).compile(schema); });
}

GrammarRule add_schema_property(GrammarBuilder& builder, JsonText& json, const SchemaJson& schema,
    const std::string& name, bool strict, const std::string& path) {
    return below(
        path, [&] { return Compiler(builder, json, schema, strict).compile(schema.at("properties").at(name)); });
}

GrammarRule add_json_schema(
    GrammarBuilder& builder, JsonText& json, std::string_view schema_text, bool strict, const std::string& path) {
    if (schema_text.size() > kMaxSchemaBytes)
        refuse_grammar(
            fmt::format("the schema has {} bytes, at most {} are taken", schema_text.size(), kMaxSchemaBytes), path);
    return add_json_schema(builder, json, parse_ordered_json(schema_text, "the schema"), strict, path);
}

} // namespace vitrine::engine
