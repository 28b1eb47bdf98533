// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: properties in order, then others; items one after the other.
#include "engine/grammar/schema_objects.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engine/base/utf8.h"

namespace vitrine::engine {
namespace {

constexpr int kMaxItems = 20'000;

struct Property {
    std::string name;
    SchemaPart schema;
    bool required = false;
};

struct ObjectShape {
    std::vector<Property> properties;
    bool has_others = true;
    SchemaPart others;
    int min_others = 0;
    int max_others = -1;
};

std::vector<Property> read_properties(const SchemaPart& part) {
    std::vector<Property> properties;
    if (!part.schema.contains("properties"))
        return properties;
    const SchemaJson& listed = part.schema["properties"];
    const std::string path = joined_path(part.path, "properties");
    if (!listed.is_object())
        refuse_grammar("'properties' must be an object", path);
    for (const auto& [name, schema] : listed.items())
        properties.push_back({name, {schema, joined_path(path, name)}, false});
    return properties;
}

void read_required(ObjectShape& shape, const SchemaPart& part) {
    if (!part.schema.contains("required"))
        return;
    const std::string path = joined_path(part.path, "required");
    const SchemaJson& required = part.schema["required"];
    if (!required.is_array())
        refuse_grammar("'required' must be an array of names", path);
    for (std::size_t i = 0; i < required.size(); ++i) {
        if (!required[i].is_string())
            refuse_grammar("'required' must be an array of names", joined_path(path, i));
        const std::string name = required[i];
        const auto found = std::ranges::find(shape.properties, name, &Property::name);
        if (found != shape.properties.end())
            found->required = true;
        else if (shape.has_others)
            shape.properties.push_back({name, shape.others, true});
        else
            refuse_grammar(fmt::format("'required' names '{}', which is no property and no others are allowed", name),
                joined_path(path, i));
    }
}

void read_counts(ObjectShape& shape, const SchemaPart& part) {
    const auto [min, max] = limits_of(part, "minProperties", "maxProperties", kMaxItems);
    const auto num_required = static_cast<int>(std::ranges::count(shape.properties, true, &Property::required));
    const auto num_listed = static_cast<int>(shape.properties.size());
    // Keys of others may repeat, so that more than one of them proves nothing.
    if (min > num_required && !(num_listed == num_required && shape.has_others && min == num_required + 1))
        refuse_grammar(
            fmt::format("at least {} properties cannot be enforced", min), joined_path(part.path, "minProperties"));
    if (min > num_required)
        shape.min_others = 1;
    if (max < 0)
        return;
    if (max >= num_listed && !shape.has_others)
        return;
    if (num_listed != num_required || max < num_required)
        refuse_grammar(
            fmt::format("at most {} properties cannot be enforced", max), joined_path(part.path, "maxProperties"));
    shape.max_others = max - num_required;
}

ObjectShape read_shape(const SchemaPart& part, bool strict) {
    ObjectShape shape;
    shape.properties = read_properties(part);
    const bool listed = part.schema.contains("properties");
    const SchemaJson others = part.schema.value("additionalProperties", SchemaJson(!(strict && listed)));
    shape.others = {others, joined_path(part.path, "additionalProperties")};
    shape.has_others = others != false;
    read_required(shape, part);
    read_counts(shape, part);
    return shape;
}

/// A key that is none of `names`, spelled in one way only, so that no escape hides one of them.
GrammarNode draw_other_key(SchemaDrawer& drawer, const std::vector<Property>& properties, GrammarNode from) {
    struct Branch {
        std::map<char32_t, std::size_t> next;
        bool is_name = false;
    };
    std::vector<Branch> branches(1);
    for (const Property& property : properties) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < property.name.size();) {
            const Utf8Step step = decode_utf8(property.name, i);
            i += static_cast<std::size_t>(step.length);
            const auto [found, fresh] = branches[at].next.try_emplace(step.code_point, branches.size());
            const std::size_t next = found->second;
            if (fresh)
                branches.emplace_back();
            at = next;
        }
        branches[at].is_name = true;
    }
    GrammarBuilder& builder = drawer.builder();
    const CodePointSet any = complement_of({});
    const GrammarNode end = builder.add_node();
    const GrammarNode free = builder.add_node();
    builder.call(free, drawer.json().character_of(any), free);
    builder.epsilon(free, end);
    std::vector<GrammarNode> nodes;
    for (std::size_t i = 0; i < branches.size(); ++i)
        nodes.push_back(builder.add_node());
    builder.epsilon(builder.text(from, "\""), nodes.front());
    for (std::size_t i = 0; i < branches.size(); ++i) {
        CodePointSet known;
        for (const auto& [code_point, next] : branches[i].next) {
            known.push_back({code_point, code_point});
            builder.call(nodes[i], drawer.json().character_of({{code_point, code_point}}), nodes[next]);
        }
        builder.call(nodes[i], drawer.json().character_of(complement_of(normalized(known))), free);
        if (!branches[i].is_name)
            builder.epsilon(nodes[i], end);
    }
    return builder.text(end, "\"");
}

/// Two rows of places: nothing stands before, something does.
struct Places {
    GrammarNode first;
    GrammarNode later;
};

class ObjectDrawing {
public:
    ObjectDrawing(SchemaDrawer& drawer, const ObjectShape& shape)
        : drawer_(drawer), builder_(drawer.builder()), shape_(shape) {}

    GrammarNode draw(GrammarNode from) {
        JsonText& json = drawer_.json();
        Places at{json.space(builder_.text(from, "{")), builder_.add_node()};
        for (const Property& property : shape_.properties)
            at = draw_property(property, at);
        if (shape_.has_others)
            at = draw_others(at);
        const GrammarNode end = builder_.add_node();
        builder_.bytes(at.first, '}', '}', end);
        builder_.bytes(json.space(at.later), '}', '}', end);
        return end;
    }

private:
    /// Where a key may begin: at once, or behind a comma.
    GrammarNode key_place(const Places& at) {
        JsonText& json = drawer_.json();
        const GrammarNode key = builder_.add_node();
        builder_.epsilon(at.first, key);
        builder_.epsilon(json.space(builder_.text(json.space(at.later), ",")), key);
        return key;
    }
    GrammarNode colon(GrammarNode from) {
        JsonText& json = drawer_.json();
        return json.space(builder_.text(json.space(from), ":"));
    }

    Places draw_property(const Property& property, const Places& at) {
        const GrammarNode key = key_place(at);
        const GrammarNode value = colon(drawer_.json().quoted(key, property.name));
        const Places next{builder_.add_node(), builder_.add_node()};
        builder_.epsilon(drawer_.draw(property.schema, value), next.later);
        if (!property.required) {
            builder_.epsilon(at.first, next.first);
            builder_.epsilon(at.later, next.later);
        }
        return next;
    }

    Places draw_others(const Places& at) {
        const GrammarRule pair = builder_.add_rule("a further property");
        const GrammarNode value = colon(draw_other_key(drawer_, shape_.properties, builder_.start(pair)));
        builder_.epsilon(drawer_.draw(shape_.others, value), builder_.accept(pair));
        Places place = at;
        const Places end{builder_.add_node(), builder_.add_node()};
        const auto step = [&] {
            const Places next{builder_.add_node(), builder_.add_node()}; // next.first is never reached
            builder_.call(key_place(place), pair, next.later);
            place = next;
        };
        for (int i = 0; i < shape_.min_others; ++i)
            step();
        if (shape_.max_others < 0) {
            const Places loop{place.first, builder_.add_node()};
            builder_.epsilon(place.later, loop.later);
            builder_.call(key_place(loop), pair, loop.later);
            return loop;
        }
        for (int i = shape_.min_others; i < shape_.max_others; ++i) {
            builder_.epsilon(place.first, end.first);
            builder_.epsilon(place.later, end.later);
            step();
        }
        builder_.epsilon(place.first, end.first);
        builder_.epsilon(place.later, end.later);
        return end;
    }

    SchemaDrawer& drawer_;
    GrammarBuilder& builder_;
    const ObjectShape& shape_;
};

struct ArrayShape {
    std::vector<SchemaPart> first; // one an item
    SchemaPart rest;
    int min = 0;
    int max = -1;
};

ArrayShape read_array(const SchemaPart& part) {
    const auto& [schema, path] = part;
    ArrayShape shape;
    SchemaJson items = schema.value("items", SchemaJson(true));
    std::string prefix = "prefixItems";
    shape.rest = {items, joined_path(path, "items")};
    if (items.is_array()) { // before 2020-12 a list of schemas stood here
        prefix = "items";
        shape.rest = {schema.value("additionalItems", SchemaJson(true)), joined_path(path, "additionalItems")};
    }
    if (schema.contains(prefix)) {
        const SchemaJson& listed = schema[prefix];
        if (!listed.is_array() && prefix == "prefixItems")
            refuse_grammar("'prefixItems' must be an array of schemas", joined_path(path, prefix));
        for (std::size_t i = 0; listed.is_array() && i < listed.size(); ++i)
            shape.first.push_back({listed[i], joined_path(joined_path(path, prefix), i)});
    }
    std::tie(shape.min, shape.max) = limits_of(part, "minItems", "maxItems", kMaxItems);
    const auto num_first = static_cast<int>(shape.first.size());
    if (shape.rest.schema == false)
        shape.max = shape.max < 0 ? num_first : std::min(shape.max, num_first);
    if (schema.value("uniqueItems", SchemaJson(false)) == true && (shape.max < 0 || shape.max > 1))
        refuse_grammar("'uniqueItems' cannot be enforced", joined_path(path, "uniqueItems"), "Leave it out.");
    if (shape.max >= 0 && shape.min > shape.max)
        refuse_grammar(fmt::format("at least {} items and at most {} cannot both be", shape.min, shape.max),
            joined_path(path, "minItems"));
    return shape;
}

} // namespace

std::pair<int, int> limits_of(const SchemaPart& part, const char* min_keyword, const char* max_keyword, int most) {
    const auto read = [&](const char* keyword, int absent) {
        if (!part.schema.contains(keyword))
            return absent;
        const SchemaJson& value = part.schema[keyword];
        const double number = value.is_number() ? value.get<double>() : -1;
        if (number < 0 || number != static_cast<double>(static_cast<std::int64_t>(std::min(number, 1e15))))
            refuse_grammar(
                fmt::format("'{}' must be a whole number, 0 or more", keyword), joined_path(part.path, keyword));
        if (number > most)
            refuse_grammar(fmt::format("'{}' is {}, at most {} can be enforced", keyword, value.dump(), most),
                joined_path(part.path, keyword), "Make it smaller or leave it out.");
        return static_cast<int>(number);
    };
    const std::pair limits{read(min_keyword, 0), read(max_keyword, -1)};
    if (limits.second >= 0 && limits.first > limits.second)
        refuse_grammar(fmt::format("'{}' is {} and '{}' is {}: nothing can be both", min_keyword, limits.first,
                           max_keyword, limits.second),
            joined_path(part.path, min_keyword));
    return limits;
}

GrammarNode draw_object(SchemaDrawer& drawer, const SchemaPart& part, bool strict, GrammarNode from) {
    const ObjectShape shape = read_shape(part, strict);
    return ObjectDrawing(drawer, shape).draw(from);
}

GrammarNode draw_array(SchemaDrawer& drawer, const SchemaPart& part, GrammarNode from) {
    const ArrayShape shape = read_array(part);
    GrammarBuilder& builder = drawer.builder();
    JsonText& json = drawer.json();
    const auto num_first = static_cast<int>(shape.first.size());
    GrammarNode empty = json.space(builder.text(from, "["));
    const GrammarNode close = builder.add_node(); // behind an item and its white space
    std::optional<GrammarRule> item;
    const auto rest_item = [&] {
        if (!item) {
            item = builder.add_rule("an item");
            builder.epsilon(drawer.draw(shape.rest, builder.start(*item)), builder.accept(*item));
        }
        return *item;
    };
    GrammarNode begin = empty; // of the next item
    GrammarNode behind = empty;
    const int fixed = std::max(num_first, shape.max < 0 ? shape.min : shape.max);
    int count = 0;
    for (; count < fixed && (shape.max < 0 || count < shape.max); ++count) {
        if (count > 0)
            begin = json.space(builder.text(behind, ","));
        const GrammarNode end = count < num_first ? drawer.draw(shape.first[static_cast<std::size_t>(count)], begin)
                                                  : builder.call(begin, rest_item());
        behind = json.space(end);
        if (count + 1 >= shape.min)
            builder.epsilon(behind, close);
    }
    if (shape.max < 0) {
        const GrammarNode more = builder.add_node(); // a further item begins
        builder.epsilon(count > 0 ? json.space(builder.text(behind, ",")) : empty, more);
        const GrammarNode further = json.space(builder.call(more, rest_item()));
        builder.epsilon(further, close);
        builder.epsilon(json.space(builder.text(further, ",")), more);
    }
    const GrammarNode end = builder.add_node();
    if (shape.min == 0)
        builder.bytes(empty, ']', ']', end);
    builder.bytes(close, ']', ']', end);
    return end;
}

} // namespace vitrine::engine
