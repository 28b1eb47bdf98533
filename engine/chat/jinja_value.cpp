// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: values of a template: str, repr, equality, order, iteration.
#include "engine/chat/jinja_value.h"

#include "engine/chat/jinja_unicode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace vitrine::engine {
namespace {

/// Frees nested containers without recursion: a hostile template can nest lists as deep as its step limit.
void dispose(std::vector<JinjaValue> children) {
    thread_local std::vector<std::vector<JinjaValue>> queue;
    thread_local bool draining = false;
    if (children.empty())
        return;
    queue.push_back(std::move(children));
    if (draining)
        return;
    draining = true;
    while (!queue.empty()) {
        const std::vector<JinjaValue> next = std::move(queue.back());
        queue.pop_back();
    }
    draining = false;
    queue.shrink_to_fit();
}

void dispose_map(std::vector<std::pair<JinjaValue, JinjaValue>>& entries) {
    std::vector<JinjaValue> children;
    children.reserve(entries.size());
    for (auto& [key, value] : entries)
        children.push_back(std::move(value));
    dispose(std::move(children));
}

/// A walk through a value, which may share parts: a list of two references to a list of two references ... has 2^n leaves, so
/// depth alone bounds nothing.
struct Walk {
    int depth = 0;
    std::int64_t num_left = JinjaLimits::kMaxVisits;
};

/// One value of a walk, for as long as it lives.
class Visit {
public:
    explicit Visit(Walk& walk) : walk_(walk) {
        if (walk_.depth > JinjaLimits::kMaxNesting)
            throw JinjaError{"RecursionError: a value is nested too deeply"};
        if (--walk_.num_left < 0)
            throw JinjaError{fmt::format("a value has more than {} parts", JinjaLimits::kMaxVisits)};
        ++walk_.depth;
    }
    ~Visit() { --walk_.depth; }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

private:
    Walk& walk_;
};

void append_repr(JinjaText& out, const JinjaValue& value, Walk& walk);

void append_quoted(JinjaText& out, const JinjaText& text) {
    const std::string_view bytes = text.bytes;
    const bool has_single = bytes.find('\'') != std::string_view::npos;
    const char quote = has_single && bytes.find('"') == std::string_view::npos ? '"' : '\'';
    out.append(std::string_view(&quote, 1));
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = utf8_length_at(bytes, i);
        const char32_t c = utf8_decode_at(bytes, i);
        if (c == static_cast<unsigned char>(quote) || c == '\\')
            out.append("\\");
        if (c == '\n' || c == '\r' || c == '\t')
            out.append(c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
        else if (is_printable(c))
            out.append(text, i, i + length);
        else
            out.append(c < 0x100  ? fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c))
                    : c < 0x10000 ? fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c))
                                  : fmt::format("\\U{:08x}", static_cast<std::uint32_t>(c)));
        i += length;
    }
    out.append(std::string_view(&quote, 1));
}

void append_list_repr(JinjaText& out, const JinjaList& list, Walk& walk) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kBrackets = {{{"[", "]"}, {"(", ")"},
        {"", ""}, {"dict_keys([", "])"}, {"dict_values([", "])"}, {"dict_items([", "])"}, {"", ""}}};
    if (list.kind == JinjaListKind::generator)
        return out.append("<generator object>");
    if (list.kind == JinjaListKind::range)
        return out.append(list.range_repr);
    const auto [open, close] = kBrackets[static_cast<std::size_t>(list.kind)];
    out.append(open);
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        if (i > 0)
            out.append(", ");
        append_repr(out, list.items[i], walk);
    }
    if (list.kind == JinjaListKind::tuple && list.items.size() == 1)
        out.append(",");
    out.append(close);
}

void append_repr(JinjaText& out, const JinjaValue& value, Walk& walk) {
    const Visit visit(walk);
    if (out.bytes.size() > JinjaLimits::kMaxTextBytes)
        throw JinjaError{fmt::format("a text is longer than {} bytes", JinjaLimits::kMaxTextBytes)};
    if (value.is_text())
        return append_quoted(out, value.as_text());
    if (value.is_list())
        return append_list_repr(out, *value.as_list(), walk);
    if (value.is_undefined())
        return out.append("Undefined");
    if (!value.is_map())
        return out.append(jinja_str(value));
    out.append("{");
    bool first = true;
    for (const auto& [key, item] : value.as_map()->entries) {
        if (!first)
            out.append(", ");
        first = false;
        append_repr(out, key, walk);
        out.append(": ");
        append_repr(out, item, walk);
    }
    out.append("}");
}

bool equal_at(const JinjaValue& a, const JinjaValue& b, Walk& walk);

bool lists_equal(const JinjaList& a, const JinjaList& b, Walk& walk) {
    if (&a == &b)
        return true;
    if (a.kind != b.kind || a.items.size() != b.items.size() || a.kind == JinjaListKind::generator)
        return false;
    for (std::size_t i = 0; i < a.items.size(); ++i) {
        if (!equal_at(a.items[i], b.items[i], walk))
            return false;
    }
    return true;
}

bool maps_equal(const JinjaMap& a, const JinjaMap& b, Walk& walk) {
    if (a.entries.size() != b.entries.size())
        return false;
    return std::all_of(a.entries.begin(), a.entries.end(), [&](const auto& entry) {
        const JinjaValue* other = b.find(entry.first);
        return other != nullptr && equal_at(entry.second, *other, walk);
    });
}

bool numbers_equal(const JinjaValue& a, const JinjaValue& b) {
    if (a.is_integral() && b.is_integral())
        return a.as_int() == b.as_int();
    if (a.is_float() && b.is_float())
        return a.as_double() == b.as_double();
    const auto whole = static_cast<long double>(a.is_float() ? b.as_int() : a.as_int());
    return whole == static_cast<long double>(a.is_float() ? a.as_double() : b.as_double());
}

bool equal_at(const JinjaValue& a, const JinjaValue& b, Walk& walk) {
    const Visit visit(walk);
    if (a.is_number() && b.is_number())
        return numbers_equal(a, b);
    if (a.data().index() != b.data().index())
        return false;
    if (a.is_text())
        return a.as_text().bytes == b.as_text().bytes;
    if (a.is_list())
        return lists_equal(*a.as_list(), *b.as_list(), walk);
    if (a.is_map())
        return maps_equal(*a.as_map(), *b.as_map(), walk);
    if (a.is_object())
        return a.as_object() == b.as_object();
    if (a.is_big())
        return a.big_digits() == b.big_digits();
    return true; // None, Undefined
}

bool less_at(const JinjaValue& a, const JinjaValue& b, std::string_view op, Walk& walk) {
    const Visit visit(walk);
    if (a.is_number() && b.is_number()) {
        if (a.is_integral() && b.is_integral())
            return a.as_int() < b.as_int();
        const long double left = a.is_float() ? a.as_double() : static_cast<long double>(a.as_int());
        const long double right = b.is_float() ? b.as_double() : static_cast<long double>(b.as_int());
        return left < right;
    }
    if (a.is_text() && b.is_text())
        return a.as_text().bytes < b.as_text().bytes;
    if (a.is_undefined() || b.is_undefined())
        throw JinjaError{(a.is_undefined() ? a : b).undefined_why()};
    if (a.is_list() && b.is_list() && a.as_list()->kind == b.as_list()->kind && a.as_list()->is_sequence()) {
        const auto& left = a.as_list()->items;
        const auto& right = b.as_list()->items;
        for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
            if (!equal_at(left[i], right[i], walk))
                return less_at(left[i], right[i], op, walk);
        }
        return left.size() < right.size();
    }
    throw JinjaError{fmt::format("TypeError: '{}' not supported between instances of '{}' and '{}'", op,
        jinja_type_name(a), jinja_type_name(b))};
}

} // namespace

JinjaText JinjaText::from_user(std::string text) {
    JinjaText result(std::move(text));
    result.marks.assign(result.bytes.size(), '\1');
    return result;
}

void JinjaText::append(const JinjaText& other, std::size_t begin, std::size_t end) {
    if (!other.marks.empty() && marks.empty())
        marks.assign(bytes.size(), '\0');
    bytes.append(other.bytes, begin, end - begin);
    if (!other.marks.empty())
        marks.append(other.marks, begin, end - begin);
    else if (!marks.empty())
        marks.resize(bytes.size(), '\0');
}

void JinjaText::append(const JinjaText& other) {
    append(other, 0, other.bytes.size());
}

void JinjaText::append(std::string_view trusted) {
    bytes.append(trusted);
    if (!marks.empty())
        marks.resize(bytes.size(), '\0');
}

JinjaText JinjaText::slice(std::size_t begin, std::size_t end) const {
    JinjaText result;
    result.append(*this, begin, end);
    result.markup = markup;
    return result;
}

bool JinjaText::has_user_bytes() const {
    return marks.find('\1') != std::string::npos;
}

JinjaValue JinjaValue::undefined(std::string why) {
    JinjaValue value;
    value.data_ = JinjaUndefined{std::make_shared<const std::string>(std::move(why))};
    return value;
}

JinjaValue JinjaValue::list(std::vector<JinjaValue> items) {
    auto list = std::make_shared<JinjaList>();
    list->items = std::move(items);
    return JinjaValue(std::move(list));
}

JinjaValue JinjaValue::tuple(std::vector<JinjaValue> items) {
    JinjaValue value = list(std::move(items));
    value.as_list()->kind = JinjaListKind::tuple;
    return value;
}

JinjaValue JinjaValue::generator(std::vector<JinjaValue> items) {
    JinjaValue value = list(std::move(items));
    value.as_list()->kind = JinjaListKind::generator;
    return value;
}

std::int64_t JinjaValue::as_int() const {
    return is_bool() ? static_cast<std::int64_t>(std::get<bool>(data_)) : std::get<std::int64_t>(data_);
}

double JinjaValue::as_double() const {
    return is_float() ? std::get<double>(data_) : static_cast<double>(as_int());
}

bool JinjaValue::truthy() const {
    if (is_integral())
        return as_int() != 0;
    if (is_text())
        return !as_text().bytes.empty();
    if (is_list())
        return as_list()->kind == JinjaListKind::generator || !as_list()->items.empty();
    if (is_map())
        return !as_map()->entries.empty();
    if (is_float())
        return as_double() != 0;
    return is_object() || is_big();
}

JinjaList::~JinjaList() {
    dispose(std::move(items));
}

JinjaMap::~JinjaMap() {
    dispose_map(entries);
}

JinjaNamespace::~JinjaNamespace() {
    dispose_map(values.entries);
}

std::size_t JinjaMap::position(const std::string& canonical) const {
    const auto found = index_.find(canonical);
    return found == index_.end() ? entries.size() : found->second;
}

const JinjaValue* JinjaMap::find(const JinjaValue& key) const {
    const std::size_t place = position(jinja_key(key));
    return place == entries.size() ? nullptr : &entries[place].second;
}

const JinjaValue* JinjaMap::find(std::string_view key) const {
    const std::size_t place = position("s" + std::string(key));
    return place == entries.size() ? nullptr : &entries[place].second;
}

void JinjaMap::set(const JinjaValue& key, JinjaValue value) {
    const auto [place, is_new] = index_.try_emplace(jinja_key(key), entries.size());
    if (is_new)
        entries.emplace_back(key, std::move(value));
    else
        entries[place->second].second = std::move(value);
}

void JinjaMap::erase(std::string_view key) {
    const std::size_t place = position("s" + std::string(key));
    if (place == entries.size())
        return;
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(place));
    index_.clear();
    for (std::size_t i = 0; i < entries.size(); ++i)
        index_.emplace(jinja_key(entries[i].first), i);
}

JinjaValue JinjaObject::attribute(JinjaEvaluator& /*evaluator*/, std::string_view name) {
    return JinjaValue::undefined(fmt::format("'{}' has no attribute '{}'", repr(), name));
}

JinjaValue JinjaObject::call(JinjaEvaluator& /*evaluator*/, JinjaArgs& /*args*/) {
    throw JinjaError{fmt::format("TypeError: '{}' is not callable", repr())};
}

JinjaValue JinjaNamespace::attribute(JinjaEvaluator& evaluator, std::string_view name) {
    const JinjaValue* value = values.find(name);
    return value != nullptr ? *value : JinjaObject::attribute(evaluator, name);
}

std::string JinjaNamespace::repr() const {
    return "<Namespace>";
}

JinjaText jinja_str(const JinjaValue& value) {
    if (value.is_text())
        return value.as_text();
    if (value.is_null())
        return JinjaText("None");
    if (value.is_undefined())
        return {};
    if (value.is_bool())
        return JinjaText(value.truthy() ? "True" : "False");
    if (value.is_int())
        return JinjaText(std::to_string(value.as_int()));
    if (value.is_big())
        return JinjaText(value.big_digits());
    if (value.is_float())
        return JinjaText(jinja_float_repr(value.as_double()));
    if (value.is_object())
        return JinjaText(value.as_object()->repr());
    return jinja_repr(value);
}

JinjaText jinja_repr(const JinjaValue& value) {
    JinjaText out;
    Walk walk;
    append_repr(out, value, walk);
    return out;
}

std::string jinja_float_repr(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    std::array<char, 64> buffer{};
    // Shortest digits that read back, as d.ddde[+-]xx; laid out by Python's rule: exponent below -4 or from 16 on.
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    std::string text(buffer.data(), end.ptr);
    const std::size_t e = text.find('e');
    const int exponent = std::stoi(text.substr(e + 1));
    std::string digits = text.substr(0, e);
    if (exponent < -4 || exponent >= 16)
        return fmt::format("{}e{}{:02d}", digits, exponent < 0 ? '-' : '+', std::abs(exponent));
    const std::string sign = digits[0] == '-' ? "-" : "";
    std::erase_if(digits, [](char c) { return c == '.' || c == '-'; });
    if (exponent < 0)
        return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole)
        return sign + digits + std::string(whole - digits.size(), '0') + ".0";
    return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string jinja_type_name(const JinjaValue& value) {
    static constexpr std::array<std::string_view, 10> kNames = {
        "NoneType", "Undefined", "bool", "int", "int", "float", "str", "list", "dict", "function"};
    static constexpr std::array<std::string_view, 7> kLists = {
        "list", "tuple", "generator", "dict_keys", "dict_values", "dict_items", "range"};
    if (value.is_list())
        return std::string(kLists[static_cast<std::size_t>(value.as_list()->kind)]);
    return std::string(kNames[value.data().index()]);
}

bool jinja_equal(const JinjaValue& a, const JinjaValue& b) {
    Walk walk;
    return equal_at(a, b, walk);
}

bool jinja_less(const JinjaValue& a, const JinjaValue& b, std::string_view op) {
    Walk walk;
    return less_at(a, b, op, walk);
}

std::vector<JinjaValue> jinja_iterate(const JinjaValue& value) {
    if (value.is_list()) {
        JinjaList& list = *value.as_list();
        if (list.kind != JinjaListKind::generator)
            return list.items;
        if (list.consumed)
            return {};
        list.consumed = true;
        return std::move(list.items);
    }
    std::vector<JinjaValue> items;
    if (value.is_text()) {
        const JinjaText& text = value.as_text();
        for (std::size_t i = 0; i < text.bytes.size();) {
            const std::size_t length = utf8_length_at(text.bytes, i);
            items.emplace_back(text.slice(i, i + length));
            i += length;
        }
    } else if (value.is_map()) {
        for (const auto& [key, item] : value.as_map()->entries)
            items.push_back(key);
    } else if (!value.is_undefined()) {
        throw JinjaError{fmt::format("TypeError: '{}' object is not iterable", jinja_type_name(value))};
    }
    return items;
}

std::string jinja_key(const JinjaValue& value) {
    if (value.is_text())
        return "s" + value.as_text().bytes;
    if (value.is_integral())
        return "i" + std::to_string(value.as_int());
    if (value.is_float()) {
        const double number = value.as_double();
        if (number == std::floor(number) && std::fabs(number) < 9e15)
            return "i" + std::to_string(static_cast<std::int64_t>(number));
        return "f" + jinja_float_repr(number);
    }
    if (value.is_null())
        return "n";
    if (value.is_undefined())
        return "u";
    if (value.is_big())
        return "i" + value.big_digits();
    if (value.is_object())
        return fmt::format("o{}", static_cast<const void*>(value.as_object().get()));
    if (value.is_list() && value.as_list()->kind == JinjaListKind::tuple) {
        std::string key = "t(";
        for (const JinjaValue& item : value.as_list()->items) {
            const std::string part = jinja_key(item);
            key += fmt::format("{}:{},", part.size(), part);
        }
        return key;
    }
    throw JinjaError{fmt::format("TypeError: unhashable type: '{}'", jinja_type_name(value))};
}

} // namespace vitrine::engine
