// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: macros and the loop variable.
#include "engine/chat/jinja_loop.h"

#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_eval_guards.h"

#include <algorithm>
#include <fmt/format.h>

namespace vitrine::engine {
namespace {

JinjaValue loop_cycle(JinjaEvaluator& /*evaluator*/, const JinjaValue& self, JinjaArgs& args) {
    if (args.positional.empty())
        throw JinjaError{"TypeError: no items for cycling given"};
    const auto& loop = static_cast<const JinjaLoop&>(*self.as_object());
    return args.positional[loop.index() % args.positional.size()];
}

JinjaValue loop_changed(JinjaEvaluator& /*evaluator*/, const JinjaValue& self, JinjaArgs& args) {
    return JinjaValue(static_cast<JinjaLoop&>(*self.as_object()).changed(args.positional));
}

} // namespace

JinjaValue JinjaMacro::attribute(JinjaEvaluator& evaluator, std::string_view name) {
    return name == "name" ? JinjaValue::text(name_) : JinjaObject::attribute(evaluator, name);
}

void JinjaMacro::bind(JinjaEvaluator& evaluator, JinjaArgs& args, JinjaScope& scope) const {
    const auto& parameters = statement_.parameters;
    const std::size_t num_expressions =
        statement_.exprs.size() - (statement_.kind == JinjaStatementKind::call_block ? 1 : 0);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (i < args.positional.size()) {
            scope.set(parameters[i], args.positional[i]);
            continue;
        }
        const auto keyword = std::find_if(args.keywords.begin(), args.keywords.end(),
            [&](const auto& entry) { return entry.first == parameters[i]; });
        const std::size_t first_default = parameters.size() - num_expressions;
        if (keyword != args.keywords.end()) {
            scope.set(parameters[i], keyword->second);
            args.keywords.erase(keyword);
        } else if (i >= first_default) {
            scope.set(parameters[i], evaluator.eval(*statement_.exprs[i - first_default]));
        } else {
            scope.set(parameters[i],
                JinjaValue::undefined(fmt::format("UndefinedError: parameter '{}' was not provided", parameters[i])));
        }
    }
    bind_extras(args, parameters.size(), scope);
}

void JinjaMacro::bind_extras(JinjaArgs& args, std::size_t num_used, JinjaScope& scope) const {
    if (statement_.uses_caller) {
        const auto caller = std::find_if(
            args.keywords.begin(), args.keywords.end(), [](const auto& entry) { return entry.first == "caller"; });
        scope.set("caller",
            caller != args.keywords.end() ? caller->second
                                          : JinjaValue::undefined("UndefinedError: No caller defined"));
        if (caller != args.keywords.end())
            args.keywords.erase(caller);
    }
    if (statement_.uses_kwargs) {
        auto rest = std::make_shared<JinjaMap>();
        for (auto& [name, value] : args.keywords)
            rest->set(name, value);
        scope.set("kwargs", JinjaValue(std::move(rest)));
    } else if (!args.keywords.empty()) {
        throw JinjaError{
            fmt::format("TypeError: macro '{}' takes no keyword argument '{}'", name_, args.keywords.front().first)};
    }
    if (statement_.uses_varargs) {
        std::vector<JinjaValue> rest;
        for (std::size_t i = num_used; i < args.positional.size(); ++i)
            rest.push_back(args.positional[i]);
        scope.set("varargs", JinjaValue::tuple(std::move(rest)));
    } else if (args.positional.size() > num_used) {
        throw JinjaError{fmt::format("TypeError: macro '{}' takes not more than {} argument(s)", name_, num_used)};
    }
}

JinjaValue JinjaMacro::call(JinjaEvaluator& evaluator, JinjaArgs& args) {
    auto scope = std::make_shared<JinjaScope>();
    scope->parent = scope_;
    const JinjaEvaluator::ScopeGuard guard(evaluator, scope);
    bind(evaluator, args, *scope);
    JinjaEvaluator::Capture capture(evaluator);
    evaluator.exec_body(statement_.bodies.front());
    return evaluator.make(capture.take());
}

bool JinjaLoop::pull(JinjaEvaluator& evaluator, std::size_t count) {
    while (accepted_.size() <= count && source_position_ < source_.size()) {
        const JinjaValue candidate = source_[source_position_++];
        evaluator.charge(1);
        bool accepted = true;
        if (const JinjaExprPtr& condition = statement_.exprs[2]; condition) {
            auto scope = std::make_shared<JinjaScope>();
            scope->parent = outer_;
            const JinjaEvaluator::ScopeGuard guard(evaluator, scope);
            evaluator.assign(*statement_.exprs[0], candidate);
            accepted = evaluator.eval(*condition).truthy();
        }
        if (accepted)
            accepted_.push_back(candidate);
    }
    return accepted_.size() > count;
}

bool JinjaLoop::next(JinjaEvaluator& evaluator) {
    const std::size_t wanted = started_ ? index_ + 1 : 0;
    if (!pull(evaluator, wanted))
        return false;
    started_ = true;
    index_ = wanted;
    return true;
}

JinjaValue JinjaLoop::attribute(JinjaEvaluator& evaluator, std::string_view name) {
    const auto number = [](std::size_t value) { return JinjaValue(static_cast<std::int64_t>(value)); };
    if (name == "index")
        return number(index_ + 1);
    if (name == "index0")
        return number(index_);
    if (name == "first")
        return JinjaValue(index_ == 0);
    if (name == "depth" || name == "depth0")
        return JinjaValue(static_cast<std::int64_t>(name == "depth" ? depth_ + 1 : depth_));
    if (name == "last")
        return JinjaValue(!pull(evaluator, index_ + 1));
    if (name == "nextitem")
        return pull(evaluator, index_ + 1) ? accepted_[index_ + 1]
                                           : JinjaValue::undefined("UndefinedError: there is no next item");
    if (name == "previtem")
        return index_ > 0 ? accepted_[index_ - 1] : JinjaValue::undefined("UndefinedError: there is no previous item");
    if (name == "length" || name == "revindex" || name == "revindex0") {
        pull(evaluator, source_.size());
        return number(name == "length" ? accepted_.size() : accepted_.size() - index_ - (name == "revindex0" ? 1 : 0));
    }
    if (name == "cycle" || name == "changed") {
        const auto self = evaluator.scope_->find("loop");
        if (self != nullptr && self->is_object() && self->as_object().get() == this)
            return JinjaValue(std::make_shared<JinjaNative>(name, name == "cycle" ? loop_cycle : loop_changed, *self));
    }
    return JinjaObject::attribute(evaluator, name);
}

JinjaValue JinjaLoop::call(JinjaEvaluator& evaluator, JinjaArgs& args) {
    if (!statement_.recursive || args.positional.size() != 1)
        throw JinjaError{"TypeError: The loop must have the 'recursive' marker to be called recursively."};
    const JinjaEvaluator::ScopeGuard guard(evaluator, outer_);
    JinjaEvaluator::Capture capture(evaluator);
    evaluator.exec_loop(statement_, args.positional[0], depth_ + 1);
    return evaluator.make(capture.take());
}

bool JinjaLoop::changed(std::vector<JinjaValue> values) {
    const bool same = last_values_ && jinja_equal(JinjaValue::tuple(*last_values_), JinjaValue::tuple(values));
    last_values_ = std::move(values);
    return !same;
}

} // namespace vitrine::engine
