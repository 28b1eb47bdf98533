// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: filters on sequences and mappings.  map, select and their kin give generators, as in jinja2.
#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_eval.h"
#include "engine/chat/jinja_filters.h"
#include "engine/chat/jinja_strings.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

namespace vitrine::engine {
namespace {

using Value = JinjaValue;
using Args = JinjaArgs;
using Values = std::vector<JinjaValue>;

Values iterate(JinjaEvaluator& evaluator, const Value& input) {
    Values items = jinja_iterate(input);
    evaluator.charge(static_cast<std::int64_t>(items.size() / 8));
    return items;
}

/// "a.0.b" of an item; None: the item itself.
Value attribute_of(
    JinjaEvaluator& evaluator, const Value& item, const Value& path, const std::optional<Value>& fallback) {
    if (path.is_null())
        return item;
    if (path.is_integral())
        return jinja_item(evaluator, item, path);
    const JinjaText dot(".");
    Value value = item;
    for (const Value& part : text_split(jinja_str(path), &dot, -1, false)) {
        const std::string& name = part.as_text().bytes;
        const bool is_index =
            !name.empty() && name.size() < 10 && name.find_first_not_of("0123456789") == std::string::npos;
        value = jinja_item(evaluator, value, is_index ? Value(static_cast<std::int64_t>(std::stoll(name))) : part);
        if (value.is_undefined() && fallback)
            value = *fallback;
    }
    return value;
}

Value fold_case(const Value& value) {
    return value.is_text() ? Value(text_case(value.as_text(), TextCase::lower)) : value;
}

Value items(JinjaEvaluator& evaluator, const Value& input, Args& /*args*/) {
    if (input.is_undefined())
        return Value::generator({});
    if (!input.is_map())
        throw JinjaError{"TypeError: Can only get item pairs from a mapping."};
    Values pairs;
    for (const auto& [key, value] : input.as_map()->entries)
        pairs.push_back(Value::tuple({key, value}));
    evaluator.charge(static_cast<std::int64_t>(pairs.size()));
    return Value::generator(std::move(pairs));
}

Value to_list(JinjaEvaluator& evaluator, const Value& input, Args& /*args*/) {
    return Value::list(iterate(evaluator, input));
}

Value join(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("join", args, {"d", "attribute"});
    const JinjaText separator = bound[0] ? jinja_str(*bound[0]) : JinjaText();
    JinjaText out;
    bool is_first = true;
    for (const Value& item : iterate(evaluator, input)) {
        if (!is_first)
            out.append(separator);
        is_first = false;
        out.append(jinja_str(bound[1] ? attribute_of(evaluator, item, *bound[1], std::nullopt) : item));
        if (out.bytes.size() > JinjaLimits::kMaxTextBytes)
            break; // make() reports it
    }
    return evaluator.make(std::move(out));
}

template <bool kLast>
Value end_item(JinjaEvaluator& evaluator, const Value& input, Args& /*args*/) {
    if (kLast && input.is_list() && input.as_list()->kind == JinjaListKind::generator)
        throw JinjaError{"TypeError: 'generator' object is not reversible"};
    const Values all = iterate(evaluator, input);
    if (all.empty())
        return Value::undefined("UndefinedError: No item, sequence was empty.");
    return kLast ? all.back() : all.front();
}

template <bool kMax>
Value extreme(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("min", args, {"case_sensitive", "attribute"});
    const bool exact = bound[0] && bound[0]->truthy();
    std::optional<Value> best;
    Value best_key;
    for (const Value& item : iterate(evaluator, input)) {
        const Value raw = attribute_of(evaluator, item, bound[1].value_or(Value()), std::nullopt);
        const Value key = exact ? raw : fold_case(raw);
        if (!best || (kMax ? jinja_less(best_key, key) : jinja_less(key, best_key))) {
            best = item;
            best_key = key;
        }
    }
    return best ? *best : Value::undefined("UndefinedError: No aggregated item, sequence was empty.");
}

Value sum(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("sum", args, {"attribute", "start"});
    Value total = bound[1].value_or(Value(std::int64_t{0}));
    for (const Value& item : iterate(evaluator, input))
        total = jinja_arithmetic(evaluator, JinjaExprKind::add, total,
            attribute_of(evaluator, item, bound[0].value_or(Value()), std::nullopt));
    return total;
}

/// Stable; keys are made once.  Merge sort of the standard library: a comparison may throw.
Values sorted(Values values, const Values& keys, bool reverse) {
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return reverse ? jinja_less(keys[b], keys[a]) : jinja_less(keys[a], keys[b]);
    });
    Values result;
    for (const std::size_t i : order)
        result.push_back(values[i]);
    return result;
}

Value sort(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("sort", args, {"reverse", "case_sensitive", "attribute"});
    const bool exact = bound[1] && bound[1]->truthy();
    Values values = iterate(evaluator, input);
    evaluator.charge(static_cast<std::int64_t>(values.size()));
    Values paths{Value()};
    if (bound[2] && bound[2]->is_text()) {
        const JinjaText comma(",");
        paths = text_split(bound[2]->as_text(), &comma, -1, false);
    } else if (bound[2]) {
        paths[0] = *bound[2];
    }
    Values keys;
    for (const Value& item : values) {
        Values key;
        for (const Value& path : paths) {
            const Value raw = attribute_of(evaluator, item, path, std::nullopt);
            key.push_back(exact ? raw : fold_case(raw));
        }
        keys.push_back(paths.size() == 1 ? key[0] : Value::list(std::move(key)));
    }
    return Value::list(sorted(std::move(values), keys, bound[0] && bound[0]->truthy()));
}

Value dict_sort(JinjaEvaluator& /*evaluator*/, const Value& input, Args& args) {
    const auto bound = jinja_bind("dictsort", args, {"case_sensitive", "by", "reverse"});
    if (input.is_undefined())
        throw JinjaError{input.undefined_why()};
    if (!input.is_map())
        throw JinjaError{fmt::format("TypeError: dictsort needs a mapping, not '{}'", jinja_type_name(input))};
    const bool by_value = bound[1] && jinja_str(*bound[1]).bytes == "value";
    const bool exact = bound[0] && bound[0]->truthy();
    Values pairs;
    Values keys;
    for (const auto& [key, value] : input.as_map()->entries) {
        pairs.push_back(Value::tuple({key, value}));
        keys.push_back(exact ? (by_value ? value : key) : fold_case(by_value ? value : key));
    }
    return Value::list(sorted(std::move(pairs), keys, bound[2] && bound[2]->truthy()));
}

Value reverse(JinjaEvaluator& evaluator, const Value& input, Args& /*args*/) {
    if (input.is_text())
        return evaluator.make(jinja_slice(input, Value(), Value(), Value(std::int64_t{-1})).as_text());
    Values values = iterate(evaluator, input);
    std::reverse(values.begin(), values.end());
    return Value::generator(std::move(values));
}

Value unique(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("unique", args, {"case_sensitive", "attribute"});
    const bool exact = bound[0] && bound[0]->truthy();
    std::unordered_set<std::string> seen;
    Values kept;
    for (const Value& item : iterate(evaluator, input)) {
        const Value raw = attribute_of(evaluator, item, bound[1].value_or(Value()), std::nullopt);
        if (seen.insert(jinja_key(exact ? raw : fold_case(raw))).second)
            kept.push_back(item);
    }
    return Value::generator(std::move(kept));
}

/// select, reject, selectattr, rejectattr: [attribute,] [test, arguments...].
template <bool kByAttribute, bool kKeeps>
Value filter_items(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    std::size_t next = kByAttribute ? 1 : 0;
    if (args.positional.size() < next)
        throw JinjaError{"FilterArgumentError: Missing parameter for attribute name"};
    Value path; // None: the item itself
    if (kByAttribute)
        path = args.positional[0];
    JinjaTest test = nullptr;
    if (args.positional.size() > next) {
        const std::string name = jinja_str(args.positional[next++]).bytes;
        test = jinja_find_test(name);
        if (test == nullptr)
            throw JinjaError{fmt::format("TemplateRuntimeError: No test named '{}'.", name)};
    }
    const Values rest(args.positional.begin() + static_cast<std::ptrdiff_t>(next), args.positional.end());
    Values kept;
    if (!input.truthy()) // jinja2 takes None as empty
        return Value::generator({});
    for (const Value& item : iterate(evaluator, input)) {
        evaluator.charge(1);
        const Value subject = attribute_of(evaluator, item, path, std::nullopt);
        if ((test != nullptr ? test(evaluator, subject, rest) : subject.truthy()) == kKeeps)
            kept.push_back(item);
    }
    return Value::generator(std::move(kept));
}

Value map(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    Values results;
    if (!input.truthy()) // jinja2 takes None as empty
        return Value::generator({});
    if (args.positional.empty()) {
        const auto bound = jinja_bind("map", args, {"attribute", "default"});
        if (!bound[0])
            throw JinjaError{"FilterArgumentError: map requires a filter argument"};
        for (const Value& item : iterate(evaluator, input))
            results.push_back(attribute_of(evaluator, item, *bound[0], bound[1]));
        return Value::generator(std::move(results));
    }
    const std::string name = jinja_str(args.positional[0]).bytes;
    const JinjaFilter filter = jinja_find_filter(name);
    if (filter == nullptr)
        throw JinjaError{fmt::format("TemplateRuntimeError: No filter named '{}'.", name)};
    args.positional.erase(args.positional.begin());
    for (const Value& item : iterate(evaluator, input)) {
        evaluator.charge(1);
        Args copy = args;
        results.push_back(filter(evaluator, item, copy));
    }
    return Value::generator(std::move(results));
}

Value attr(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("attr", args, {"name"});
    const std::string name = jinja_str(bound[0].value_or(Value())).bytes;
    if (input.is_object())
        return input.as_object()->attribute(evaluator, name);
    const Value method = jinja_method(input, name); // no items: attr looks at attributes only
    return method.is_undefined() ? Value::undefined(fmt::format("UndefinedError: no attribute '{}'", name)) : method;
}

Value batch(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("batch", args, {"linecount", "fill_with"});
    const std::int64_t size = jinja_integer(bound[0].value_or(Value()));
    if (size < 1 || size > JinjaLimits::kMaxRange)
        throw JinjaError{"ValueError: batch needs a size from 1 to 100000"};
    Values rows;
    Values row;
    for (const Value& item : iterate(evaluator, input)) {
        if (static_cast<std::int64_t>(row.size()) == size)
            rows.push_back(Value::list(std::exchange(row, {})));
        row.push_back(item);
    }
    while (!row.empty() && bound[1] && !bound[1]->is_null() && static_cast<std::int64_t>(row.size()) < size)
        row.push_back(*bound[1]);
    if (!row.empty())
        rows.push_back(Value::list(std::move(row)));
    return Value::generator(std::move(rows));
}

Value slice_rows(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("slice", args, {"slices", "fill_with"});
    const std::int64_t wanted = jinja_integer(bound[0].value_or(Value()));
    if (wanted < 1 || wanted > JinjaLimits::kMaxRange)
        throw JinjaError{"ValueError: slice needs a count from 1 to 100000"};
    const Values all = iterate(evaluator, input);
    const std::size_t count = static_cast<std::size_t>(wanted);
    Values rows;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t size = all.size() / count + (i < all.size() % count ? 1 : 0);
        Values row(
            all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(begin + size));
        begin += size;
        if (bound[1] && !bound[1]->is_null() && all.size() % count != 0 && i >= all.size() % count)
            row.push_back(*bound[1]);
        rows.push_back(Value::list(std::move(row)));
    }
    return Value::generator(std::move(rows));
}

Value group_by(JinjaEvaluator& evaluator, const Value& input, Args& args) {
    const auto bound = jinja_bind("groupby", args, {"attribute", "default", "case_sensitive"});
    const bool exact = bound[2] && bound[2]->truthy();
    Values all = iterate(evaluator, input);
    Values keys;
    for (const Value& item : all) {
        const Value raw = attribute_of(evaluator, item, bound[0].value_or(Value()), bound[1]);
        keys.push_back(exact ? raw : fold_case(raw));
    }
    Values groups;
    Values members;
    Value current;
    for (const Value& item : sorted(std::move(all), keys, false)) {
        const Value raw = attribute_of(evaluator, item, bound[0].value_or(Value()), bound[1]);
        const Value key = exact ? raw : fold_case(raw);
        if (!members.empty() && !jinja_equal(key, current))
            groups.push_back(Value::tuple({current, Value::list(std::exchange(members, {}))}));
        current = key;
        members.push_back(item);
    }
    if (!members.empty())
        groups.push_back(Value::tuple({current, Value::list(std::move(members))}));
    return Value::list(std::move(groups));
}

} // namespace

JinjaFilter jinja_find_sequence_filter(std::string_view name) {
    static const std::unordered_map<std::string_view, JinjaFilter> table = {
        {"items", items},
        {"list", to_list},
        {"join", join},
        {"first", end_item<false>},
        {"last", end_item<true>},
        {"min", extreme<false>},
        {"max", extreme<true>},
        {"sum", sum},
        {"sort", sort},
        {"dictsort", dict_sort},
        {"reverse", reverse},
        {"unique", unique},
        {"select", filter_items<false, true>},
        {"reject", filter_items<false, false>},
        {"selectattr", filter_items<true, true>},
        {"rejectattr", filter_items<true, false>},
        {"map", map},
        {"attr", attr},
        {"batch", batch},
        {"slice", slice_rows},
        {"groupby", group_by},
    };
    const auto found = table.find(name);
    return found == table.end() ? nullptr : found->second;
}

} // namespace vitrine::engine
