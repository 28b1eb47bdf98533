// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the tree walker.
#include "engine/chat/jinja_eval.h"

#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_eval_guards.h"
#include "engine/chat/jinja_loop.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace vitrine::engine {

using Kind = JinjaExprKind;

const JinjaValue* JinjaScope::find(std::string_view name) const {
    for (const JinjaScope* scope = this; scope != nullptr; scope = scope->parent.get()) {
        for (const auto& [key, value] : scope->variables) {
            if (key == name)
                return &value;
        }
    }
    return nullptr;
}

void JinjaScope::set(std::string_view name, JinjaValue value) {
    for (auto& [key, old] : variables) {
        if (key == name) {
            old = std::move(value);
            return;
        }
    }
    variables.emplace_back(std::string(name), std::move(value));
}

JinjaEvaluator::JinjaEvaluator(const JinjaProgram& program, JinjaScope context, TemplateTime now)
    : program_(program), now_(now), scope_(std::make_shared<JinjaScope>()),
      deadline_(std::chrono::steady_clock::now() + JinjaLimits::kMaxTime) {
    scope_->parent = std::make_shared<JinjaScope>(std::move(context));
}

JinjaEvaluator::~JinjaEvaluator() {
    std::vector<JinjaValue> garbage;
    for (const JinjaValue& container : tracked_) {
        if (container.is_list()) {
            for (JinjaValue& item : std::exchange(container.as_list()->items, {}))
                garbage.push_back(std::move(item));
        } else if (auto* names = dynamic_cast<JinjaNamespace*>(container.as_object().get()); names != nullptr) {
            for (auto& [key, value] : std::exchange(names->values, JinjaMap()).entries)
                garbage.push_back(value);
        }
    }
    for (const auto& captured : captured_) {
        for (JinjaScope* scope = captured.get(); scope != nullptr; scope = scope->parent.get()) {
            for (auto& [name, value] : std::exchange(scope->variables, {}))
                garbage.push_back(std::move(value));
        }
    }
}

JinjaText JinjaEvaluator::run() {
    JinjaText output;
    out_ = &output;
    try {
        exec_body(program_.body);
    } catch (JinjaError& error) {
        if (error.line == 0) {
            error.line = line_;
            error.column = column_;
        }
        throw;
    }
    out_ = nullptr;
    return output;
}

void JinjaEvaluator::charge(std::int64_t num_steps) {
    num_steps_ += num_steps;
    if (num_steps_ > JinjaLimits::kMaxSteps)
        throw JinjaError{fmt::format("the template needs more than {} steps", JinjaLimits::kMaxSteps)};
    if (num_steps_ < next_time_check_)
        return;
    next_time_check_ = num_steps_ + 1024;
    if (std::chrono::steady_clock::now() > deadline_)
        throw JinjaError{fmt::format("the template runs for more than {} s", JinjaLimits::kMaxTime.count())};
}

void JinjaEvaluator::check_text_size(std::size_t num_bytes) {
    if (num_bytes > JinjaLimits::kMaxTextBytes)
        throw JinjaError{
            fmt::format("a text of the template is larger than {} MiB", JinjaLimits::kMaxTextBytes >> 20U)};
    num_made_bytes_ += num_bytes;
    if (num_made_bytes_ > JinjaLimits::kMaxMadeBytes)
        throw JinjaError{fmt::format("the template makes more than {} MiB of text", JinjaLimits::kMaxMadeBytes >> 20U)};
    charge(static_cast<std::int64_t>(num_bytes / 4096));
}

JinjaValue JinjaEvaluator::make(JinjaText text) {
    check_text_size(text.bytes.size());
    return JinjaValue(std::move(text));
}

JinjaValue JinjaEvaluator::call(const JinjaValue& callee, JinjaArgs& args) {
    if (callee.is_undefined())
        throw JinjaError{callee.undefined_why()};
    if (!callee.is_object() || !callee.as_object()->callable())
        throw JinjaError{fmt::format("TypeError: '{}' object is not callable", jinja_type_name(callee))};
    if (num_calls_ >= JinjaLimits::kMaxCalls)
        throw JinjaError{fmt::format("RecursionError: calls nest deeper than {}", JinjaLimits::kMaxCalls)};
    struct CallGuard {
        int& count;
        ~CallGuard() { --count; }
    };
    const CallGuard guard{++num_calls_};
    const JinjaValue::Object keep = callee.as_object(); // a callee may be reassigned while it runs
    return keep->call(*this, args);
}

JinjaValue JinjaEvaluator::eval(const JinjaExpr& expr) {
    const Frame frame(*this);
    at(expr);
    return eval_kind(expr);
}

JinjaValue JinjaEvaluator::eval_kind(const JinjaExpr& expr) {
    switch (expr.kind) {
    case Kind::constant:
        return expr.value;
    case Kind::name:
        return eval_name(expr);
    case Kind::tuple:
    case Kind::list:
    case Kind::dict:
        return eval_container(expr);
    case Kind::attribute: {
        const JinjaValue object = eval(*expr.children[0]);
        at(expr);
        return jinja_attribute(*this, object, expr.name);
    }
    case Kind::item:
        return eval_item(expr);
    case Kind::slice:
        throw JinjaError{"TypeError: a slice stands alone"};
    case Kind::call:
        return eval_call(expr, nullptr);
    case Kind::filter:
        return eval_filter(expr);
    case Kind::test:
        return eval_test(expr);
    case Kind::negate:
    case Kind::positive:
        return eval_sign(expr);
    case Kind::logical_not:
        return JinjaValue(!eval(*expr.children[0]).truthy());
    case Kind::logical_and: {
        JinjaValue left = eval(*expr.children[0]);
        return left.truthy() ? eval(*expr.children[1]) : left;
    }
    case Kind::logical_or: {
        JinjaValue left = eval(*expr.children[0]);
        return left.truthy() ? left : eval(*expr.children[1]);
    }
    case Kind::concat:
        return eval_concat(expr);
    case Kind::compare:
        return eval_compare(expr);
    case Kind::conditional:
        if (eval(*expr.children[0]).truthy())
            return eval(*expr.children[1]);
        return expr.children[2] ? eval(*expr.children[2])
                                : JinjaValue::undefined("UndefinedError: the inline if-expression evaluated to false "
                                                        "and no else section was defined.");
    default: {
        const JinjaValue left = eval(*expr.children[0]);
        const JinjaValue right = eval(*expr.children[1]);
        at(expr);
        return jinja_arithmetic(*this, expr.kind, left, right);
    }
    }
}

JinjaValue JinjaEvaluator::eval_name(const JinjaExpr& expr) {
    if (const JinjaValue* value = scope_->find(expr.name); value != nullptr)
        return *value;
    JinjaValue global = jinja_find_global(expr.name);
    return global.is_undefined() ? JinjaValue::undefined(fmt::format("UndefinedError: '{}' is undefined", expr.name))
                                 : global;
}

JinjaValue JinjaEvaluator::eval_container(const JinjaExpr& expr) {
    if (expr.kind == Kind::dict) {
        auto map = std::make_shared<JinjaMap>();
        for (std::size_t i = 0; i + 1 < expr.children.size(); i += 2) {
            const JinjaValue key = eval(*expr.children[i]);
            map->set(key, eval(*expr.children[i + 1]));
        }
        return JinjaValue(std::move(map));
    }
    std::vector<JinjaValue> items;
    items.reserve(expr.children.size());
    for (const JinjaExprPtr& child : expr.children)
        items.push_back(eval(*child));
    return expr.kind == Kind::tuple ? JinjaValue::tuple(std::move(items)) : JinjaValue::list(std::move(items));
}

JinjaValue JinjaEvaluator::eval_item(const JinjaExpr& expr) {
    const JinjaValue object = eval(*expr.children[0]);
    const JinjaExpr& index = *expr.children[1];
    if (index.kind != Kind::slice) {
        const JinjaValue key = eval(index);
        at(expr);
        return jinja_item(*this, object, key);
    }
    const auto part = [&](std::size_t i) { return index.children[i] ? eval(*index.children[i]) : JinjaValue(); };
    const JinjaValue begin = part(0);
    const JinjaValue end = part(1);
    const JinjaValue step = part(2);
    at(expr);
    if (object.is_text())
        charge(static_cast<std::int64_t>(object.as_text().bytes.size() / 64));
    const JinjaValue result = jinja_slice(object, begin, end, step);
    if (result.is_text())
        check_text_size(result.as_text().bytes.size());
    else if (result.is_list())
        charge(static_cast<std::int64_t>(result.as_list()->items.size()));
    return result;
}

JinjaArgs JinjaEvaluator::eval_arguments(const JinjaExpr& expr) {
    JinjaArgs args;
    for (std::size_t i = 1; i < expr.children.size(); ++i)
        args.positional.push_back(eval(*expr.children[i]));
    for (const auto& [name, value] : expr.keywords)
        args.keywords.emplace_back(name, eval(*value));
    if (expr.star_args) {
        for (JinjaValue& item : jinja_iterate(eval(*expr.star_args)))
            args.positional.push_back(std::move(item));
    }
    if (expr.star_keywords) {
        const JinjaValue rest = eval(*expr.star_keywords);
        if (!rest.is_map())
            throw JinjaError{"TypeError: the argument after ** must be a mapping"};
        for (const auto& [key, value] : rest.as_map()->entries)
            args.keywords.emplace_back(jinja_str(key).bytes, value);
    }
    return args;
}

JinjaValue JinjaEvaluator::eval_call(const JinjaExpr& expr, const JinjaValue* caller) {
    const JinjaValue callee = eval(*expr.children[0]);
    JinjaArgs args = eval_arguments(expr);
    if (caller != nullptr)
        args.keywords.emplace_back("caller", *caller);
    at(expr);
    return call(callee, args);
}

JinjaValue JinjaEvaluator::eval_filter(const JinjaExpr& expr) {
    const JinjaValue input = expr.children[0] ? eval(*expr.children[0]) : *injected_;
    JinjaArgs args = eval_arguments(expr);
    at(expr);
    if (expr.filter == nullptr)
        throw JinjaError{fmt::format("TemplateRuntimeError: No filter named '{}' found.", expr.name)};
    return expr.filter(*this, input, args);
}

JinjaValue JinjaEvaluator::eval_test(const JinjaExpr& expr) {
    const JinjaValue input = eval(*expr.children[0]);
    const JinjaArgs args = eval_arguments(expr);
    at(expr);
    if (expr.test == nullptr)
        throw JinjaError{fmt::format("TemplateRuntimeError: No test named '{}' found.", expr.name)};
    return JinjaValue(expr.test(*this, input, args.positional));
}

JinjaValue JinjaEvaluator::eval_concat(const JinjaExpr& expr) {
    JinjaText text;
    for (const JinjaExprPtr& child : expr.children) {
        const JinjaValue part = eval(*child);
        text.append(jinja_str(part));
        if (text.bytes.size() > JinjaLimits::kMaxTextBytes)
            break; // make() reports it
    }
    at(expr);
    return make(std::move(text));
}

JinjaValue JinjaEvaluator::eval_compare(const JinjaExpr& expr) {
    JinjaValue left = eval(*expr.children[0]);
    for (std::size_t i = 0; i < expr.ops.size(); ++i) {
        JinjaValue right = eval(*expr.children[i + 1]);
        at(expr);
        bool holds = false;
        switch (expr.ops[i]) {
        case JinjaCompareOp::eq:
            holds = jinja_equal(left, right);
            break;
        case JinjaCompareOp::ne:
            holds = !jinja_equal(left, right);
            break;
        case JinjaCompareOp::lt:
            holds = jinja_less(left, right);
            break;
        case JinjaCompareOp::gt:
            holds = jinja_less(right, left, ">");
            break;
        case JinjaCompareOp::le:
            holds = jinja_less(left, right, "<=") || jinja_equal(left, right);
            break;
        case JinjaCompareOp::ge:
            holds = jinja_less(right, left, ">=") || jinja_equal(left, right);
            break;
        case JinjaCompareOp::in:
            holds = jinja_contains(right, left);
            break;
        case JinjaCompareOp::not_in:
            holds = !jinja_contains(right, left);
            break;
        }
        if (!holds)
            return JinjaValue(false);
        left = std::move(right);
    }
    return JinjaValue(true);
}

JinjaValue JinjaEvaluator::eval_sign(const JinjaExpr& expr) {
    const JinjaValue value = eval(*expr.children[0]);
    at(expr);
    if (value.is_undefined())
        throw JinjaError{value.undefined_why()};
    if (!value.is_number())
        throw JinjaError{fmt::format("TypeError: bad operand type for unary sign: '{}'", jinja_type_name(value))};
    const bool is_negative = expr.kind == Kind::negate;
    if (value.is_float())
        return JinjaValue(is_negative ? -value.as_double() : value.as_double());
    if (is_negative && value.as_int() == std::numeric_limits<std::int64_t>::min())
        throw JinjaError{"OverflowError: an integer is larger than 64 bit"};
    return JinjaValue(is_negative ? -value.as_int() : value.as_int());
}

} // namespace vitrine::engine
