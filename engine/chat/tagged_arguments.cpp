// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: arguments between tags.
#include "engine/chat/tagged_arguments.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/grammar/json_schema.h"
#include "engine/grammar/schema_alternatives.h"

namespace vitrine::engine {
namespace {

using Json = nlohmann::ordered_json;

TagStyle function_tag_style(const ToolFormat& format) {
    const bool seed = format.begin.starts_with("<seed:"); // values on the tag's line
    TagStyle style;
    style.behind_begin = "\n";
    style.between_calls = "\n";
    style.before_name = "<function=";
    style.behind_name = ">\n";
    style.before_key = "<parameter=";
    style.behind_key = seed ? ">" : ">\n";
    style.close_value = seed ? "</parameter>" : "\n</parameter>";
    style.behind_value = "\n";
    style.behind_arguments = "</function>\n";
    return style;
}

TagStyle arg_key_style(const ToolFormat& format) {
    const std::size_t colon = format.begin.find(':');
    const std::string suffix =
        colon == std::string::npos ? "" : format.begin.substr(colon, format.begin.size() - colon - 1);
    TagStyle style;
    style.between_calls = "\n";
    style.behind_name = "\n";
    style.before_key = "\x02<arg_key" + suffix + ">\x03";
    style.behind_key = "\x02</arg_key" + suffix + ">\x03\n\x02<arg_value" + suffix + ">\x03";
    style.close_value = "</arg_value" + suffix + ">";
    style.behind_value = "\n";
    return style;
}

TagStyle invoke_style(const ToolFormat& format) {
    const bool dsml = format.begin.find("DSML") != std::string::npos;
    const std::string prefix = dsml ? "｜DSML｜" : "";
    TagStyle style;
    style.shares_block = true;
    style.behind_begin = "\n";
    style.before_name = "<" + prefix + "invoke name=\"";
    style.behind_name = "\">\n";
    style.before_key = "<" + prefix + "parameter name=\"";
    style.behind_key = dsml ? "\" string=\"false\">" : "\">";
    style.string_attribute = dsml ? "\" string=\"true\">" : "";
    style.close_value = "</" + prefix + "parameter>";
    style.behind_value = "\n";
    style.behind_arguments = "</" + prefix + "invoke>\n";
    return style;
}

TagStyle function_param_style() {
    TagStyle style;
    style.opens_block = false;
    style.between_calls = "\n";
    style.before_name = "<function name=\"";
    style.behind_name = "\">";
    style.before_key = "<param name=\"";
    style.behind_key = "\">";
    style.close_value = "</param>";
    style.behind_arguments = "</function>";
    return style;
}

TagStyle kimi_k3_style() {
    TagStyle style;
    style.opens_block = false;
    style.before_name = "\x02<|open|>\x03"
                        "call tool=\"";
    style.behind_name = "\" index=\"1\"\x02<|sep|>\x03";
    style.before_key = "\x02<|open|>\x03"
                       "argument key=\"";
    style.behind_key = "\" type=\"json\"\x02<|sep|>\x03";
    style.string_attribute = "\" type=\"string\"\x02<|sep|>\x03";
    style.close_value = "<|close|>";
    style.behind_value = "argument\x02<|sep|>\x03";
    style.behind_arguments = "\x02<|close|>\x03"
                             "call\x02<|sep|>\x03";
    return style;
}

/// Draws one call's arguments.
class TaggedDrawing {
public:
    TaggedDrawing(GrammarBuilder& builder, JsonText& json, const TagStyle& style, const TaggedSchema& schema)
        : builder_(builder), json_(json), style_(style), schema_(schema) {}

    GrammarNode draw(GrammarNode from) {
        if (!schema_.parameters.is_object() || !schema_.parameters.contains("properties") ||
            !schema_.parameters["properties"].is_object())
            return from;
        const Json required = schema_.parameters.value("required", Json::array());
        for (const auto& [name, property] : schema_.parameters["properties"].items()) {
            const GrammarNode behind = draw_argument(name, property, from);
            if (std::ranges::find(required, Json(name)) == required.end())
                builder_.epsilon(from, behind);
            from = behind;
        }
        return from;
    }

private:
    GrammarNode draw_argument(const std::string& name, const Json& property, GrammarNode from) {
        const std::string path = joined_path(joined_path(schema_.path, "properties"), name);
        const GrammarNode key = builder_.text(draw_marked_text(builder_, from, style_.before_key), name);
        const GrammarNode end = builder_.add_node();
        const Json meant = resolved(property, path);
        const unsigned types = meant.is_object() ? types_of(meant, path) : kAllTypes;
        const bool says_type = meant.is_object() && meant.contains("type");
        const bool lists = meant.is_object() && (meant.contains("enum") || meant.contains("const"));
        // The reader takes untyped text for what it is as JSON, and else for a string without quotes.
        const bool is_text = lists || (says_type ? (types & kString) != 0 : may_be_text(meant));
        const unsigned others = says_type && !lists ? types & ~static_cast<unsigned>(kString) : 0;
        if (is_text)
            builder_.epsilon(draw_text_value(name, meant, path, draw_marked_text(builder_, key, string_key())), end);
        if (!is_text || others != 0)
            builder_.epsilon(
                draw_json_value(name, others, is_text, path, draw_marked_text(builder_, key, style_.behind_key)), end);
        return draw_marked_text(builder_, end, style_.behind_value);
    }

    /// Behind the references that stand alone.
    [[nodiscard]] Json resolved(const Json& property, const std::string& path) const {
        constexpr int kMaxHops = 16;
        Json meant = property;
        for (int hops = 0; hops < kMaxHops && SchemaAlternatives::is_reference(meant) && meant["$ref"].is_string();
             ++hops)
            meant = SchemaAlternatives(schema_.parameters, true).resolve(meant["$ref"], path).schema;
        return meant;
    }

    [[nodiscard]] static bool may_be_text(const Json& meant) {
        if (!meant.is_object())
            return true;
        const bool combines = meant.contains("anyOf") || meant.contains("oneOf") || meant.contains("allOf");
        return !combines || meant.dump().find("\"string\"") != std::string::npos;
    }

    [[nodiscard]] const std::string& string_key() const {
        return style_.string_attribute.empty() ? style_.behind_key : style_.string_attribute;
    }

    /// Any text up to the closing tag, or one of an enum.
    GrammarNode draw_text_value(
        const std::string& name, const Json& property, const std::string& path, GrammarNode from) {
        if (!property.contains("enum") && !property.contains("const")) {
            for (const char* keyword : {"pattern", "format", "minLength", "maxLength"})
                if (schema_.enforced && property.contains(keyword))
                    return builder_.marker(
                        builder_.call(from, add_bare_text(builder_, json_, schema_.parameters, name, path)),
                        style_.close_value);
            return builder_.until_marker(from, style_.close_value);
        }
        const Json values = property.contains("enum") ? property["enum"] : Json::array({property["const"]});
        const GrammarNode end = builder_.add_node();
        for (const Json& value : values)
            builder_.epsilon(builder_.text(from, value.is_string() ? value.get<std::string>() : value.dump()), end);
        return builder_.marker(end, style_.close_value);
    }

    GrammarNode draw_json_value(
        const std::string& name, unsigned types, bool besides_text, const std::string& path, GrammarNode from) {
        GrammarNode end{};
        if (besides_text) { // the value's other types alone
            end = builder_.add_node();
            if ((types & kNull) != 0)
                builder_.epsilon(builder_.text(from, "null"), end);
            if ((types & (kNumber | kInteger)) != 0)
                builder_.call(from, (types & kNumber) != 0 ? json_.number() : json_.integer(), end);
            if ((types & kBoolean) != 0) {
                builder_.epsilon(builder_.text(from, "true"), end);
                builder_.epsilon(builder_.text(from, "false"), end);
            }
            if ((types & kObject) != 0)
                builder_.call(from, json_.object(), end);
            if ((types & kArray) != 0)
                builder_.call(from, json_.array(), end);
        } else {
            end = builder_.call(from, property_rule(name, path));
        }
        return builder_.marker(end, style_.close_value);
    }

    GrammarRule property_rule(const std::string& name, const std::string& path) {
        try {
            return add_schema_property(builder_, json_, schema_.parameters, name, true, path);
        } catch (const GrammarError& error) {
            if (schema_.enforced || error.error.code != ErrorCode::invalid_schema)
                throw;
            return json_.value();
        }
    }

    GrammarBuilder& builder_;
    JsonText& json_;
    const TagStyle& style_;
    const TaggedSchema& schema_;
};

} // namespace

TagStyle tag_style_of(const ToolFormat& format) {
    switch (format.syntax) {
    case ToolSyntax::arg_key_tag:
        return arg_key_style(format);
    case ToolSyntax::invoke_tag:
        return invoke_style(format);
    case ToolSyntax::function_param:
        return function_param_style();
    case ToolSyntax::kimi_k3:
        return kimi_k3_style();
    default:
        return function_tag_style(format);
    }
}

GrammarNode draw_marked_text(GrammarBuilder& builder, GrammarNode from, const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const bool marked = text[at] == '\x02';
        const std::size_t end = std::min(text.find(marked ? '\x03' : '\x02', at), text.size());
        const std::string part = text.substr(at + (marked ? 1 : 0), end - at - (marked ? 1 : 0));
        from = marked ? builder.marker(from, part) : builder.text(from, part);
        at = end + (marked ? 1 : 0);
    }
    return from;
}

GrammarNode draw_tagged_arguments(
    GrammarBuilder& builder, JsonText& json, const TagStyle& style, const TaggedSchema& schema, GrammarNode from) {
    return TaggedDrawing(builder, json, style, schema).draw(from);
}

} // namespace vitrine::engine
