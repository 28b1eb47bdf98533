// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the white list of str, list and dict methods.
#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_eval.h"
#include "engine/chat/jinja_strings.h"
#include "engine/chat/jinja_unicode.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace vitrine::engine {
namespace {

using Args = JinjaArgs;
using Value = JinjaValue;
using Method = JinjaNative::Function;

const JinjaText& text_argument(const Value& value) {
    if (value.is_undefined())
        throw JinjaError{value.undefined_why()};
    if (!value.is_text())
        throw JinjaError{fmt::format("TypeError: a str is needed, not '{}'", jinja_type_name(value))};
    return value.as_text();
}

/// nullptr: absent or None.
const JinjaText* optional_text(const std::optional<Value>& value) {
    return value && !value->is_null() ? &text_argument(*value) : nullptr;
}

void charge_text(JinjaEvaluator& evaluator, const Value& self) {
    evaluator.charge(static_cast<std::int64_t>(self.as_text().bytes.size() / 256));
}

template <bool kLeft, bool kRight>
Value strip(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("strip", args, {"chars"});
    return evaluator.make(text_strip(self.as_text(), optional_text(bound[0]), kLeft, kRight));
}

template <bool kFromRight>
Value split(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("split", args, {"sep", "maxsplit"});
    charge_text(evaluator, self);
    auto parts =
        text_split(self.as_text(), optional_text(bound[0]), bound[1] ? jinja_integer(*bound[1]) : -1, kFromRight);
    evaluator.charge(static_cast<std::int64_t>(parts.size() / 4));
    evaluator.check_text_size(self.as_text().bytes.size());
    return Value::list(std::move(parts));
}

template <bool kFromRight>
Value partition(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("partition", args, {"sep"});
    const JinjaText& separator = text_argument(bound[0].value_or(Value()));
    charge_text(evaluator, self);
    const std::vector<Value> parts = text_split(self.as_text(), &separator, 1, kFromRight);
    if (parts.size() == 2)
        return Value::tuple({parts[0], Value(separator), parts[1]});
    const Value nothing = Value::text("");
    return kFromRight ? Value::tuple({nothing, nothing, self}) : Value::tuple({self, nothing, nothing});
}

Value split_lines(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("splitlines", args, {"keepends"});
    charge_text(evaluator, self);
    std::vector<Value> lines;
    for (JinjaText& line : text_lines(self.as_text(), bound[0] && bound[0]->truthy()))
        lines.emplace_back(std::move(line));
    return Value::list(std::move(lines));
}

template <bool kAtEnd>
Value has_affix(JinjaEvaluator& /*evaluator*/, const Value& self, Args& args) {
    const auto bound = jinja_bind(kAtEnd ? "endswith" : "startswith", args, {"prefix", "start", "end"});
    Value subject = self;
    if (bound[1])
        subject = jinja_slice(self, *bound[1], bound[2].value_or(Value()), Value());
    const std::string_view bytes = subject.as_text().bytes;
    const auto matches = [&](const Value& affix) {
        const std::string& part = text_argument(affix).bytes;
        return kAtEnd ? bytes.ends_with(part) : bytes.starts_with(part);
    };
    const Value affix = bound[0].value_or(Value());
    if (!affix.is_list() || affix.as_list()->kind != JinjaListKind::tuple)
        return Value(matches(affix));
    const auto& items = affix.as_list()->items;
    return Value(std::any_of(items.begin(), items.end(), matches));
}

template <bool kAtEnd>
Value remove_affix(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("removeprefix", args, {"prefix"});
    const JinjaText& text = self.as_text();
    const std::string& part = text_argument(bound[0].value_or(Value())).bytes;
    const std::size_t size = text.bytes.size();
    if (kAtEnd ? !text.bytes.ends_with(part) : !text.bytes.starts_with(part))
        return self;
    return evaluator.make(kAtEnd ? text.slice(0, size - part.size()) : text.slice(part.size(), size));
}

Value replace(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("replace", args, {"old", "new", "count"});
    if (!bound[0] || !bound[1])
        throw JinjaError{"TypeError: replace needs 2 arguments"};
    charge_text(evaluator, self);
    return evaluator.make(text_replace(
        self.as_text(), text_argument(*bound[0]), text_argument(*bound[1]), bound[2] ? jinja_integer(*bound[2]) : -1));
}

template <TextCase kCase>
Value change_case(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    static_cast<void>(jinja_bind("case", args, {}));
    return evaluator.make(text_case(self.as_text(), kCase));
}

template <bool kFromRight, bool kRaises>
Value find(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("find", args, {"sub", "start", "end"});
    charge_text(evaluator, self);
    const std::string& needle = text_argument(bound[0].value_or(Value())).bytes;
    const std::vector<std::size_t> offsets = utf8_offsets(self.as_text().bytes);
    const auto size = static_cast<std::int64_t>(offsets.size()) - 1;
    const auto bound_at = [&](const std::optional<Value>& value, std::int64_t absent) {
        const std::int64_t index = value && !value->is_null() ? jinja_integer(*value) : absent;
        return std::clamp<std::int64_t>(index < 0 ? std::max(index, -size) + size : index, 0, size);
    };
    const std::size_t begin = offsets[static_cast<std::size_t>(bound_at(bound[1], 0))];
    const std::size_t end = std::max(begin, offsets[static_cast<std::size_t>(bound_at(bound[2], size))]);
    const std::string_view area = std::string_view(self.as_text().bytes).substr(begin, end - begin);
    const std::size_t found = kFromRight ? area.rfind(needle) : area.find(needle);
    if (found != std::string_view::npos)
        return Value(static_cast<std::int64_t>(
            std::lower_bound(offsets.begin(), offsets.end(), begin + found) - offsets.begin()));
    if (kRaises)
        throw JinjaError{"ValueError: substring not found"};
    return Value(std::int64_t{-1});
}

Value count(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("count", args, {"value"});
    const Value needle = bound[0].value_or(Value());
    std::int64_t found = 0;
    if (self.is_list()) {
        for (const Value& item : self.as_list()->items)
            found += jinja_equal(item, needle) ? 1 : 0;
        return Value(found);
    }
    charge_text(evaluator, self);
    const std::string& part = text_argument(needle).bytes;
    const std::string& bytes = self.as_text().bytes;
    if (part.empty())
        return Value(static_cast<std::int64_t>(utf8_count(bytes)) + 1);
    for (std::size_t at = bytes.find(part); at != std::string::npos; at = bytes.find(part, at + part.size()))
        ++found;
    return Value(found);
}

Value join(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("join", args, {"iterable"});
    JinjaText out;
    bool is_first = true;
    for (const Value& item : jinja_iterate(bound[0].value_or(Value()))) {
        if (!is_first)
            out.append(self.as_text());
        is_first = false;
        out.append(text_argument(item));
        evaluator.charge(1);
        if (out.bytes.size() > JinjaLimits::kMaxTextBytes)
            break; // make() reports it
    }
    return evaluator.make(std::move(out));
}

Value format(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    return evaluator.make(jinja_brace_format(evaluator, self.as_text(), args));
}

template <bool (*kPredicate)(char32_t)>
Value all_are(JinjaEvaluator& evaluator, const Value& self, Args& /*args*/) {
    charge_text(evaluator, self);
    const std::string& bytes = self.as_text().bytes;
    for (std::size_t i = 0; i < bytes.size(); i += utf8_length_at(bytes, i)) {
        if (!kPredicate(utf8_decode_at(bytes, i)))
            return Value(false);
    }
    return Value(!bytes.empty());
}

bool is_alnum(char32_t c) {
    return is_alpha(c) || is_digit(c);
}

template <bool kUpper>
Value is_case(JinjaEvaluator& evaluator, const Value& self, Args& /*args*/) {
    charge_text(evaluator, self);
    const std::string& bytes = self.as_text().bytes;
    bool has_cased = false;
    for (std::size_t i = 0; i < bytes.size(); i += utf8_length_at(bytes, i)) {
        const char32_t c = utf8_decode_at(bytes, i);
        if (kUpper ? is_lower(c) : is_upper(c))
            return Value(false);
        has_cased = has_cased || (kUpper ? is_upper(c) : is_lower(c));
    }
    return Value(has_cased);
}

template <int kSide> // -1: ljust, 0: center, 1: rjust
Value justify(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("center", args, {"width", "fillchar"});
    const std::int64_t width = jinja_integer(bound[0].value_or(Value()));
    const JinjaText fill = bound[1] ? text_argument(*bound[1]) : JinjaText(" ");
    const auto missing = width - static_cast<std::int64_t>(utf8_count(self.as_text().bytes));
    if (missing <= 0)
        return self;
    evaluator.check_text_size(static_cast<std::size_t>(missing) * fill.bytes.size());
    const std::int64_t left = kSide == 1 ? missing : kSide == -1 ? 0 : missing / 2 + (missing & width & 1);
    JinjaText out;
    for (std::int64_t i = 0; i < left; ++i)
        out.append(fill);
    out.append(self.as_text());
    for (std::int64_t i = left; i < missing; ++i)
        out.append(fill);
    return evaluator.make(std::move(out));
}

Value zero_fill(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("zfill", args, {"width"});
    const JinjaText& text = self.as_text();
    const auto missing = jinja_integer(bound[0].value_or(Value())) - static_cast<std::int64_t>(utf8_count(text.bytes));
    if (missing <= 0)
        return self;
    evaluator.check_text_size(static_cast<std::size_t>(missing));
    const bool has_sign = text.bytes.starts_with('-') || text.bytes.starts_with('+');
    JinjaText out = text.slice(0, has_sign ? 1 : 0);
    out.append(std::string(static_cast<std::size_t>(missing), '0'));
    out.append(text, has_sign ? 1 : 0, text.bytes.size());
    return evaluator.make(std::move(out));
}

Value dict_get(JinjaEvaluator& /*evaluator*/, const Value& self, Args& args) {
    const auto bound = jinja_bind("get", args, {"key", "default"});
    if (!bound[0])
        throw JinjaError{"TypeError: get expected at least 1 argument, got 0"};
    const Value* value = self.as_map()->find(*bound[0]);
    return value != nullptr ? *value : bound[1].value_or(Value());
}

template <JinjaListKind kKind>
Value dict_view(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    static_cast<void>(jinja_bind("items", args, {}));
    auto view = std::make_shared<JinjaList>();
    view->kind = kKind;
    for (const auto& [key, value] : self.as_map()->entries)
        view->items.push_back(kKind == JinjaListKind::keys ? key
                : kKind == JinjaListKind::values           ? value
                                                           : Value::tuple({key, value}));
    evaluator.charge(static_cast<std::int64_t>(view->items.size() / 8));
    return Value(std::move(view));
}

Value dict_copy(JinjaEvaluator& /*evaluator*/, const Value& self, Args& /*args*/) {
    return Value(std::make_shared<JinjaMap>(*self.as_map()));
}

Value list_append(JinjaEvaluator& evaluator, const Value& self, Args& args) {
    const auto bound = jinja_bind("append", args, {"object"});
    if (!bound[0])
        throw JinjaError{"TypeError: append takes exactly one argument"};
    self.as_list()->items.push_back(*bound[0]);
    evaluator.track(self);
    return {};
}

Value list_pop(JinjaEvaluator& /*evaluator*/, const Value& self, Args& args) {
    const auto bound = jinja_bind("pop", args, {"index"});
    auto& items = self.as_list()->items;
    const auto size = static_cast<std::int64_t>(items.size());
    std::int64_t index = bound[0] ? jinja_integer(*bound[0]) : -1;
    index += index < 0 ? size : 0;
    if (index < 0 || index >= size)
        throw JinjaError{items.empty() ? "IndexError: pop from empty list" : "IndexError: pop index out of range"};
    const Value item = items[static_cast<std::size_t>(index)];
    items.erase(items.begin() + index);
    return item;
}

Value list_index(JinjaEvaluator& /*evaluator*/, const Value& self, Args& args) {
    const auto bound = jinja_bind("index", args, {"value"});
    const auto& items = self.as_list()->items;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (jinja_equal(items[i], bound[0].value_or(Value())))
            return Value(static_cast<std::int64_t>(i));
    }
    throw JinjaError{"ValueError: the value is not in the list"};
}

Value list_copy(JinjaEvaluator& /*evaluator*/, const Value& self, Args& /*args*/) {
    return Value::list(self.as_list()->items);
}

using Table = std::unordered_map<std::string_view, Method>;

const Table& text_methods() {
    static const Table table = {
        {"strip", strip<true, true>},
        {"lstrip", strip<true, false>},
        {"rstrip", strip<false, true>},
        {"split", split<false>},
        {"rsplit", split<true>},
        {"splitlines", split_lines},
        {"partition", partition<false>},
        {"rpartition", partition<true>},
        {"startswith", has_affix<false>},
        {"endswith", has_affix<true>},
        {"removeprefix", remove_affix<false>},
        {"removesuffix", remove_affix<true>},
        {"replace", replace},
        {"upper", change_case<TextCase::upper>},
        {"lower", change_case<TextCase::lower>},
        {"casefold", change_case<TextCase::lower>},
        {"title", change_case<TextCase::title>},
        {"capitalize", change_case<TextCase::capitalize>},
        {"swapcase", change_case<TextCase::swap>},
        {"find", find<false, false>},
        {"rfind", find<true, false>},
        {"index", find<false, true>},
        {"rindex", find<true, true>},
        {"count", count},
        {"join", join},
        {"format", format},
        {"isdigit", all_are<is_digit>},
        {"isdecimal", all_are<is_digit>},
        {"isnumeric", all_are<is_digit>},
        {"isalpha", all_are<is_alpha>},
        {"isalnum", all_are<is_alnum>},
        {"isspace", all_are<is_space>},
        {"isupper", is_case<true>},
        {"islower", is_case<false>},
        {"center", justify<0>},
        {"ljust", justify<-1>},
        {"rjust", justify<1>},
        {"zfill", zero_fill},
    };
    return table;
}

const Table& map_methods() {
    static const Table table = {{"get", dict_get}, {"items", dict_view<JinjaListKind::items>},
        {"keys", dict_view<JinjaListKind::keys>}, {"values", dict_view<JinjaListKind::values>}, {"copy", dict_copy}};
    return table;
}

const Table& list_methods() {
    static const Table table = {
        {"append", list_append}, {"pop", list_pop}, {"index", list_index}, {"count", count}, {"copy", list_copy}};
    return table;
}

} // namespace

JinjaValue jinja_method(const JinjaValue& self, std::string_view name) {
    const Table* table = nullptr;
    if (self.is_text())
        table = &text_methods();
    else if (self.is_map())
        table = &map_methods();
    else if (self.is_list() && self.as_list()->kind == JinjaListKind::list)
        table = &list_methods();
    if (self.is_list() && self.as_list()->kind == JinjaListKind::tuple && (name == "index" || name == "count"))
        table = &list_methods();
    const auto found = table != nullptr ? table->find(name) : Table::const_iterator{};
    if (table == nullptr || found == table->end())
        return JinjaValue::undefined("UndefinedError: no such method");
    return JinjaValue(std::make_shared<JinjaNative>(name, found->second, self));
}

} // namespace vitrine::engine
