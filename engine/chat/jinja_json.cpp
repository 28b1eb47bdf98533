// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: JSON in (nlohmann's SAX reader, no-throw) and out (Python's json.dumps).
#include "engine/chat/jinja_unicode.h"
#include "engine/chat/jinja_value.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace vitrine::engine {
namespace {

class ValueReader final : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit ValueReader(bool from_user) : from_user_(from_user) {}

    bool null() override { return add(JinjaValue()); }
    bool boolean(bool value) override { return add(JinjaValue(value)); }
    bool number_integer(number_integer_t value) override { return add(JinjaValue(value)); }
    bool number_unsigned(number_unsigned_t value) override {
        if (value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            return add(JinjaValue(static_cast<std::int64_t>(value)));
        return add(big(std::to_string(value)));
    }
    bool number_float(number_float_t value, const string_t& digits) override {
        const bool is_integer = digits.find_first_of(".eE") == std::string::npos;
        return add(is_integer ? big(digits) : JinjaValue(value));
    }
    bool string(string_t& value) override { return add(text(value)); }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*size*/) override { return open(JinjaValue(std::make_shared<JinjaMap>())); }
    bool key(string_t& value) override {
        keys_.back() = text(value);
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*size*/) override { return open(JinjaValue::list({})); }
    bool end_array() override { return close(); }
    bool parse_error(
        std::size_t position, const std::string& last_token, const nlohmann::detail::exception& error) override {
        error_ = fmt::format("{} (byte {}, near '{}')", error.what(), position, last_token.substr(0, 40));
        return false;
    }

    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] JinjaValue take() { return std::move(root_); }

private:
    static JinjaValue big(const std::string& digits) {
        return JinjaValue(JinjaBigInt{std::make_shared<const std::string>(digits)});
    }
    [[nodiscard]] JinjaValue text(const std::string& value) const {
        return JinjaValue(from_user_ ? JinjaText::from_user(value) : JinjaText(value));
    }
    bool add(JinjaValue value) {
        if (open_.empty())
            root_ = std::move(value);
        else if (open_.back().is_list())
            open_.back().as_list()->items.push_back(std::move(value));
        else
            open_.back().as_map()->set(keys_.back(), std::move(value));
        return true;
    }
    bool open(JinjaValue container) {
        if (open_.size() >= JinjaLimits::kMaxNesting) {
            error_ = fmt::format("nested deeper than {}", JinjaLimits::kMaxNesting);
            return false;
        }
        add(container);
        open_.push_back(std::move(container));
        keys_.emplace_back();
        return true;
    }
    bool close() {
        open_.pop_back();
        keys_.pop_back();
        return true;
    }

    bool from_user_;
    JinjaValue root_;
    std::vector<JinjaValue> open_;
    std::vector<JinjaValue> keys_;
    std::string error_;
};

class JsonWriter {
public:
    explicit JsonWriter(const JinjaJsonOptions& options) : options_(options) {}

    void write(const JinjaValue& value, int depth) {
        if (depth > JinjaLimits::kMaxNesting)
            throw JinjaError{"RecursionError: a value for tojson is nested too deeply"};
        if (out_.bytes.size() > JinjaLimits::kMaxTextBytes) // parts may be shared: few values can make much text
            throw JinjaError{fmt::format("the text of tojson is longer than {} bytes", JinjaLimits::kMaxTextBytes)};
        if (value.is_text())
            write_string(value.as_text());
        else if (value.is_map())
            write_map(*value.as_map(), depth);
        else if (value.is_list() &&
            (value.as_list()->kind == JinjaListKind::list || value.as_list()->kind == JinjaListKind::tuple))
            write_list(value.as_list()->items, depth);
        else
            out_.append(scalar(value));
    }
    [[nodiscard]] JinjaText take() { return std::move(out_); }

private:
    static std::string scalar(const JinjaValue& value) {
        if (value.is_null())
            return "null";
        if (value.is_bool())
            return value.truthy() ? "true" : "false";
        if (value.is_int() || value.is_big())
            return jinja_str(value).bytes;
        if (!value.is_float())
            throw JinjaError{
                fmt::format("TypeError: Object of type {} is not JSON serializable", jinja_type_name(value))};
        const double number = value.as_double();
        if (std::isnan(number))
            return "NaN";
        if (std::isinf(number))
            return number > 0 ? "Infinity" : "-Infinity";
        return jinja_float_repr(number);
    }

    void write_string(const JinjaText& text) {
        out_.append("\"");
        for (std::size_t i = 0; i < text.bytes.size();) {
            const std::size_t length = utf8_length_at(text.bytes, i);
            write_char(text, i, length);
            i += length;
        }
        out_.append("\"");
    }

    void write_char(const JinjaText& text, std::size_t i, std::size_t length) {
        const char32_t c = utf8_decode_at(text.bytes, i);
        static constexpr std::string_view kNamed = "\"\\\n\r\t\b\f";
        static constexpr std::string_view kLetters = "\"\\nrtbf";
        const std::size_t named = c < 0x80 ? kNamed.find(static_cast<char>(c)) : std::string_view::npos;
        if (named != std::string_view::npos)
            out_.append(std::string{'\\', kLetters[named]});
        else if (c < 0x20 || (c >= 0x7F && options_.ensure_ascii && c < 0x10000))
            out_.append(fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c)));
        else if (c >= 0x10000 && options_.ensure_ascii)
            out_.append(fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + ((static_cast<std::uint32_t>(c) - 0x10000U) >> 10U),
                0xDC00U + ((static_cast<std::uint32_t>(c) - 0x10000U) & 0x3FFU)));
        else
            out_.append(text, i, i + length);
    }

    void new_line(int depth) {
        if (!options_.has_indent)
            return;
        out_.append("\n");
        for (int i = 0; i < depth; ++i)
            out_.append(options_.indent);
    }

    void write_list(const std::vector<JinjaValue>& items, int depth) {
        if (items.empty())
            return out_.append("[]");
        out_.append("[");
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i > 0)
                out_.append(options_.item_separator);
            new_line(depth + 1);
            write(items[i], depth + 1);
        }
        new_line(depth);
        out_.append("]");
    }

    void write_map(const JinjaMap& map, int depth) {
        if (map.entries.empty())
            return out_.append("{}");
        auto entries = map.entries;
        if (options_.sort_keys)
            std::stable_sort(entries.begin(), entries.end(),
                [](const auto& a, const auto& b) { return jinja_less(a.first, b.first); });
        out_.append("{");
        bool first = true;
        for (const auto& [key, value] : entries) {
            if (!first)
                out_.append(options_.item_separator);
            first = false;
            new_line(depth + 1);
            write_string(key.is_text() ? key.as_text() : JinjaText(scalar_key(key)));
            out_.append(options_.key_separator);
            write(value, depth + 1);
        }
        new_line(depth);
        out_.append("}");
    }

    static std::string scalar_key(const JinjaValue& key) {
        if (key.is_list() || key.is_map() || key.is_object() || key.is_undefined())
            throw JinjaError{
                fmt::format("TypeError: keys must be str, int, float, bool or None, not {}", jinja_type_name(key))};
        return scalar(key);
    }

    const JinjaJsonOptions& options_;
    JinjaText out_;
};

} // namespace

JinjaText jinja_to_json(const JinjaValue& value, const JinjaJsonOptions& options) {
    JsonWriter writer(options);
    writer.write(value, 0);
    return writer.take();
}

Result<JinjaValue> jinja_from_json(std::string_view json, bool from_user, std::string_view what) {
    ValueReader reader(from_user);
    if (!nlohmann::json::sax_parse(json.begin(), json.end(), &reader))
        return fail(ErrorCode::invalid_argument, fmt::format("{}: not valid JSON: {}", what, reader.error()),
            "Correct the JSON text.");
    return reader.take();
}

} // namespace vitrine::engine
