// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: filters, tests, methods and global functions.
#pragma once

#include "engine/chat/jinja_ast.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace vitrine::engine {

/// nullptr: no filter, test of that name.
[[nodiscard]] JinjaFilter jinja_find_filter(std::string_view name);
[[nodiscard]] JinjaTest jinja_find_test(std::string_view name);
/// A global function (range, dict, namespace, raise_exception, strftime_now, cycler, joiner), or undefined.
[[nodiscard]] JinjaValue jinja_find_global(std::string_view name);

/// The method `name` bound to `self`, or undefined.  White list; nothing that starts with an underscore.
[[nodiscard]] JinjaValue jinja_method(const JinjaValue& self, std::string_view name);
/// jinja2's environment.getattr and getitem: attribute first, item first.
[[nodiscard]] JinjaValue jinja_attribute(JinjaEvaluator& evaluator, const JinjaValue& object, std::string_view name);
[[nodiscard]] JinjaValue jinja_item(JinjaEvaluator& evaluator, const JinjaValue& object, const JinjaValue& key);
[[nodiscard]] JinjaValue jinja_slice(
    const JinjaValue& object, const JinjaValue& begin, const JinjaValue& end, const JinjaValue& step);

/// Operators + - * / // % **.
[[nodiscard]] JinjaValue jinja_arithmetic(
    JinjaEvaluator& evaluator, JinjaExprKind op, const JinjaValue& left, const JinjaValue& right);
[[nodiscard]] bool jinja_contains(const JinjaValue& container, const JinjaValue& item);

/// Python's "..." % args, "...".format(...), and one format spec.
[[nodiscard]] JinjaText jinja_percent_format(const JinjaText& format, const JinjaValue& args);
[[nodiscard]] JinjaText jinja_brace_format(JinjaEvaluator& evaluator, const JinjaText& format, const JinjaArgs& args);

/// Arguments in the order of `names`; nullopt where absent.  Throws on too many or unknown ones.
[[nodiscard]] std::vector<std::optional<JinjaValue>> jinja_bind(
    std::string_view function, JinjaArgs& args, std::initializer_list<std::string_view> names);
/// An integer argument or a TypeError.
[[nodiscard]] std::int64_t jinja_integer(const JinjaValue& value);

/// A function made of a C++ function.  bound: self of a method, or null.
class JinjaNative final : public JinjaObject {
public:
    using Function = JinjaValue (*)(JinjaEvaluator& evaluator, const JinjaValue& self, JinjaArgs& args);
    JinjaNative(std::string_view name, Function function, JinjaValue self)
        : name_(name), function_(function), self_(std::move(self)) {}
    [[nodiscard]] bool callable() const override { return true; }
    [[nodiscard]] JinjaValue call(JinjaEvaluator& evaluator, JinjaArgs& args) override {
        return function_(evaluator, self_, args);
    }
    [[nodiscard]] std::string repr() const override { return "<function " + name_ + ">"; }

private:
    std::string name_;
    Function function_;
    JinjaValue self_;
};

} // namespace vitrine::engine
