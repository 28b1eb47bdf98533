// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the values of a template: Python's, as far as jinja2 shows them, with the origin of every byte.
#pragma once

#include "engine/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace vitrine::engine {

/// What a foreign template may use up.
struct JinjaLimits {
    static constexpr std::int64_t kMaxSteps = 2'000'000;
    static constexpr int kMaxCalls = 100;
    static constexpr int kMaxFrames = 1'500; // nested expressions and bodies together: bounds the C++ stack
    static constexpr int kMaxNesting = 200; // of a value: lists in lists
    static constexpr std::int64_t kMaxVisits = 1'000'000; // parts of one value that are compared or printed
    static constexpr std::size_t kMaxTextBytes = std::size_t{16} << 20U;
    static constexpr std::size_t kMaxMadeBytes = std::size_t{512} << 20U; // all texts of one render together
    static constexpr std::int64_t kMaxRange = 100'000;
    static constexpr std::chrono::seconds kMaxTime{10};
};

/// Thrown inside engine/chat only; ChatTemplate turns it into an Error.  line 0: the evaluator fills the place in.
struct JinjaError {
    std::string message;
    int line = 0;
    int column = 0;
};

/// UTF-8 text with an origin.  marks: empty (all trusted) or one char a byte, 1 = user data.
struct JinjaText {
    std::string bytes;
    std::string marks;
    bool markup = false; // result of the filter safe: `+` escapes the other side, as markupsafe does

    JinjaText() = default;
    explicit JinjaText(std::string text) : bytes(std::move(text)) {}
    [[nodiscard]] static JinjaText from_user(std::string text);
    void append(const JinjaText& other);
    void append(std::string_view trusted);
    void append(const JinjaText& other, std::size_t begin, std::size_t end); // a byte range of other
    [[nodiscard]] JinjaText slice(std::size_t begin, std::size_t end) const; // byte range
    [[nodiscard]] bool has_user_bytes() const;
};

class JinjaValue;
struct JinjaList;
struct JinjaMap;
class JinjaObject;

struct JinjaNull {};
/// why: message of the error that most uses raise.
struct JinjaUndefined {
    std::shared_ptr<const std::string> why;
};
/// An integer outside 64 bit, as its decimal digits; it can be printed and compared for equality only.
struct JinjaBigInt {
    std::shared_ptr<const std::string> digits;
};

/// A value; cheap to copy, containers are shared as in Python.
class JinjaValue {
public:
    using Text = std::shared_ptr<const JinjaText>;
    using List = std::shared_ptr<JinjaList>;
    using Map = std::shared_ptr<JinjaMap>;
    using Object = std::shared_ptr<JinjaObject>;
    using Data =
        std::variant<JinjaNull, JinjaUndefined, bool, std::int64_t, JinjaBigInt, double, Text, List, Map, Object>;

    JinjaValue() = default; // None
    explicit JinjaValue(bool value) : data_(value) {}
    explicit JinjaValue(std::int64_t value) : data_(value) {}
    explicit JinjaValue(double value) : data_(value) {}
    explicit JinjaValue(JinjaText text) : data_(std::make_shared<const JinjaText>(std::move(text))) {}
    explicit JinjaValue(List list) : data_(std::move(list)) {}
    explicit JinjaValue(Map map) : data_(std::move(map)) {}
    explicit JinjaValue(Object object) : data_(std::move(object)) {}
    explicit JinjaValue(JinjaBigInt big) : data_(std::move(big)) {}
    [[nodiscard]] static JinjaValue text(std::string_view trusted) {
        return JinjaValue(JinjaText(std::string(trusted)));
    }
    [[nodiscard]] static JinjaValue undefined(std::string why);
    [[nodiscard]] static JinjaValue list(std::vector<JinjaValue> items);
    [[nodiscard]] static JinjaValue tuple(std::vector<JinjaValue> items);
    [[nodiscard]] static JinjaValue generator(std::vector<JinjaValue> items);

    [[nodiscard]] bool is_null() const { return std::holds_alternative<JinjaNull>(data_); }
    [[nodiscard]] bool is_undefined() const { return std::holds_alternative<JinjaUndefined>(data_); }
    [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(data_); }
    [[nodiscard]] bool is_text() const { return std::holds_alternative<Text>(data_); }
    [[nodiscard]] bool is_map() const { return std::holds_alternative<Map>(data_); }
    [[nodiscard]] bool is_list() const { return std::holds_alternative<List>(data_); } // any sequence or iterator kind
    [[nodiscard]] bool is_object() const { return std::holds_alternative<Object>(data_); }
    [[nodiscard]] bool is_float() const { return std::holds_alternative<double>(data_); }
    [[nodiscard]] bool is_big() const { return std::holds_alternative<JinjaBigInt>(data_); }
    [[nodiscard]] bool is_int() const { return std::holds_alternative<std::int64_t>(data_); } // without bool
    [[nodiscard]] bool is_integral() const { return is_int() || is_bool(); }
    [[nodiscard]] bool is_number() const { return is_integral() || is_float(); }

    [[nodiscard]] const JinjaText& as_text() const { return *std::get<Text>(data_); }
    [[nodiscard]] const List& as_list() const { return std::get<List>(data_); }
    [[nodiscard]] const Map& as_map() const { return std::get<Map>(data_); }
    [[nodiscard]] const Object& as_object() const { return std::get<Object>(data_); }
    [[nodiscard]] std::int64_t as_int() const; // int or bool
    [[nodiscard]] double as_double() const; // any number
    [[nodiscard]] const std::string& big_digits() const { return *std::get<JinjaBigInt>(data_).digits; }
    [[nodiscard]] const std::string& undefined_why() const { return *std::get<JinjaUndefined>(data_).why; }
    [[nodiscard]] bool truthy() const;
    [[nodiscard]] const Data& data() const { return data_; }

private:
    Data data_;
};

enum class JinjaListKind : std::uint8_t { list, tuple, generator, keys, values, items, range };

/// Everything that has items in a row.  A generator gives its items once.
struct JinjaList {
    std::vector<JinjaValue> items;
    JinjaListKind kind = JinjaListKind::list;
    bool consumed = false;
    std::string range_repr; // of a range

    ~JinjaList();
    [[nodiscard]] bool is_sequence() const { // has an index
        return kind == JinjaListKind::list || kind == JinjaListKind::tuple || kind == JinjaListKind::range;
    }
};

/// Ordered map with Python's keys: 1, 1.0 and true are one key.
struct JinjaMap {
    std::vector<std::pair<JinjaValue, JinjaValue>> entries;

    ~JinjaMap();
    [[nodiscard]] const JinjaValue* find(const JinjaValue& key) const;
    [[nodiscard]] const JinjaValue* find(std::string_view key) const;
    void set(const JinjaValue& key, JinjaValue value); // a known key keeps its place
    void set(std::string_view key, JinjaValue value) { set(JinjaValue::text(key), std::move(value)); }
    void erase(std::string_view key);

private:
    [[nodiscard]] std::size_t position(const std::string& canonical) const;
    std::unordered_map<std::string, std::size_t> index_;
};

/// Arguments of one call.
struct JinjaArgs {
    std::vector<JinjaValue> positional;
    std::vector<std::pair<std::string, JinjaValue>> keywords;
};

class JinjaEvaluator;

/// Functions, macros, namespaces, the loop variable.
class JinjaObject {
public:
    virtual ~JinjaObject() = default;
    /// nullptr-like: undefined without a reason means that there is none.
    [[nodiscard]] virtual JinjaValue attribute(JinjaEvaluator& evaluator, std::string_view name);
    [[nodiscard]] virtual bool callable() const { return false; }
    [[nodiscard]] virtual JinjaValue call(JinjaEvaluator& evaluator, JinjaArgs& args);
    [[nodiscard]] virtual std::string repr() const = 0;
};

/// namespace(): the one object whose attributes `set` may change.
class JinjaNamespace final : public JinjaObject {
public:
    ~JinjaNamespace() override;
    [[nodiscard]] JinjaValue attribute(JinjaEvaluator& evaluator, std::string_view name) override;
    [[nodiscard]] std::string repr() const override;
    JinjaMap values;
};

/// Python's str(): text as it is, Undefined as nothing.
[[nodiscard]] JinjaText jinja_str(const JinjaValue& value);
/// Python's repr().
[[nodiscard]] JinjaText jinja_repr(const JinjaValue& value);
[[nodiscard]] std::string jinja_float_repr(double value);
/// Python's type name: "str", "int", "dict" ...
[[nodiscard]] std::string jinja_type_name(const JinjaValue& value);
[[nodiscard]] bool jinja_equal(const JinjaValue& a, const JinjaValue& b);
/// a < b; throws a TypeError's text.  op: as it stands in the message.
[[nodiscard]] bool jinja_less(const JinjaValue& a, const JinjaValue& b, std::string_view op = "<");
/// Items of anything iterable (characters, keys); throws for the rest.  Consumes generators.
[[nodiscard]] std::vector<JinjaValue> jinja_iterate(const JinjaValue& value);
/// Key text under which equal keys meet; throws for what Python cannot hash.
[[nodiscard]] std::string jinja_key(const JinjaValue& value);

struct JinjaJsonOptions {
    bool ensure_ascii = false;
    bool has_indent = false;
    std::string indent;
    std::string item_separator = ", ";
    std::string key_separator = ": ";
    bool sort_keys = false;
};
/// Python's json.dumps; throws where it raises.
[[nodiscard]] JinjaText jinja_to_json(const JinjaValue& value, const JinjaJsonOptions& options);
/// JSON text to a value; key order, int against float and big integers are kept.  from_user: strings are user data.
[[nodiscard]] Result<JinjaValue> jinja_from_json(std::string_view json, bool from_user, std::string_view what);

} // namespace vitrine::engine
