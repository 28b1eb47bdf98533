// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the statements of the tree walker.
#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_eval.h"
#include "engine/chat/jinja_eval_guards.h"
#include "engine/chat/jinja_loop.h"

#include <fmt/format.h>

namespace vitrine::engine {

using Kind = JinjaStatementKind;

JinjaEvaluator::Flow JinjaEvaluator::exec_body(const JinjaBody& body) {
    const Frame frame(*this);
    for (const auto& statement : body) {
        const Flow flow = exec(*statement);
        if (flow != Flow::normal)
            return flow;
    }
    return Flow::normal;
}

JinjaEvaluator::Flow JinjaEvaluator::exec(const JinjaStatement& statement) {
    charge(1);
    line_ = statement.line;
    column_ = statement.column;
    switch (statement.kind) {
    case Kind::data:
        out_->append(std::string_view(statement.text));
        check_text_size(statement.text.size());
        break;
    case Kind::print:
        for (const JinjaExprPtr& expr : statement.exprs)
            print(eval(*expr));
        break;
    case Kind::if_:
        return exec_if(statement);
    case Kind::for_:
        return exec_for(statement);
    case Kind::set:
        assign(*statement.exprs[0], eval(*statement.exprs[1]));
        break;
    case Kind::block_set:
        return exec_block_set(statement);
    case Kind::macro:
        scope_->set(statement.text, make_macro(statement, statement.text));
        break;
    case Kind::call_block:
        exec_call_block(statement);
        break;
    case Kind::filter_block:
        return exec_filter_block(statement);
    case Kind::with:
        return exec_with(statement);
    case Kind::scope:
        return exec_scoped(statement.bodies[0]);
    case Kind::break_:
        return Flow::break_loop;
    case Kind::continue_:
        return Flow::continue_loop;
    case Kind::unsupported:
        throw JinjaError{statement.text};
    }
    return Flow::normal;
}

void JinjaEvaluator::print(const JinjaValue& value) {
    const JinjaText text = jinja_str(value);
    check_text_size(text.bytes.size());
    out_->append(text);
    if (out_->bytes.size() > JinjaLimits::kMaxTextBytes)
        check_text_size(out_->bytes.size());
}

JinjaEvaluator::Flow JinjaEvaluator::exec_if(const JinjaStatement& statement) {
    for (std::size_t i = 0; i < statement.bodies.size(); ++i) {
        if (i >= statement.exprs.size() || eval(*statement.exprs[i]).truthy())
            return exec_body(statement.bodies[i]);
    }
    return Flow::normal;
}

JinjaEvaluator::Flow JinjaEvaluator::exec_for(const JinjaStatement& statement) {
    return exec_loop(statement, eval(*statement.exprs[1]), 0);
}

JinjaEvaluator::Flow JinjaEvaluator::exec_loop(const JinjaStatement& statement, JinjaValue iterable, int depth) {
    std::vector<JinjaValue> items = jinja_iterate(iterable);
    charge(static_cast<std::int64_t>(items.size() / 16));
    const auto loop = std::make_shared<JinjaLoop>(statement, scope_, std::move(items), depth);
    bool ran = false;
    while (loop->next(*this)) {
        ran = true;
        const ScopeGuard guard(*this);
        scope_->set("loop", JinjaValue(JinjaValue::Object(loop)));
        assign(*statement.exprs[0], loop->item());
        if (exec_body(statement.bodies[0]) == Flow::break_loop)
            break;
    }
    if (!ran && statement.bodies.size() > 1)
        return exec_scoped(statement.bodies[1]);
    return Flow::normal;
}

JinjaEvaluator::Flow JinjaEvaluator::exec_scoped(const JinjaBody& body) {
    const ScopeGuard guard(*this);
    return exec_body(body);
}

JinjaEvaluator::Flow JinjaEvaluator::exec_block_set(const JinjaStatement& statement) {
    JinjaValue value;
    {
        Capture capture(*this);
        const Flow flow = exec_scoped(statement.bodies[0]);
        if (flow != Flow::normal)
            return flow;
        value = make(capture.take());
    }
    if (const JinjaExprPtr& filter = statement.exprs[1]; filter) {
        const JinjaValue* old = std::exchange(injected_, &value);
        JinjaValue filtered = eval(*filter);
        injected_ = old;
        value = std::move(filtered);
    }
    assign(*statement.exprs[0], value);
    return Flow::normal;
}

JinjaEvaluator::Flow JinjaEvaluator::exec_filter_block(const JinjaStatement& statement) {
    JinjaValue value;
    {
        Capture capture(*this);
        const Flow flow = exec_scoped(statement.bodies[0]);
        if (flow != Flow::normal)
            return flow;
        value = make(capture.take());
    }
    const JinjaValue* old = std::exchange(injected_, &value);
    const JinjaValue filtered = eval(*statement.exprs[0]);
    injected_ = old;
    print(filtered);
    return Flow::normal;
}

JinjaEvaluator::Flow JinjaEvaluator::exec_with(const JinjaStatement& statement) {
    std::vector<JinjaValue> values;
    for (std::size_t i = 1; i < statement.exprs.size(); i += 2)
        values.push_back(eval(*statement.exprs[i])); // all in the outer scope
    const ScopeGuard guard(*this);
    for (std::size_t i = 0; i < values.size(); ++i)
        assign(*statement.exprs[2 * i], values[i]);
    return exec_body(statement.bodies[0]);
}

void JinjaEvaluator::exec_call_block(const JinjaStatement& statement) {
    const JinjaValue caller = make_macro(statement, "caller");
    print(eval_call(*statement.exprs.back(), &caller));
}

JinjaValue JinjaEvaluator::make_macro(const JinjaStatement& statement, std::string name) {
    captured_.push_back(scope_);
    return JinjaValue(std::make_shared<JinjaMacro>(statement, std::move(name), scope_));
}

void JinjaEvaluator::assign(const JinjaExpr& target, const JinjaValue& value) {
    if (target.kind == JinjaExprKind::name) {
        scope_->set(target.name, value);
    } else if (target.kind == JinjaExprKind::namespace_target) {
        at(target);
        const JinjaValue object = eval_name(target);
        auto* names = object.is_object() ? dynamic_cast<JinjaNamespace*>(object.as_object().get()) : nullptr;
        if (names == nullptr)
            throw JinjaError{"TemplateRuntimeError: cannot assign attribute on non-namespace object"};
        names->values.set(target.children[0]->name, value);
    } else {
        const std::vector<JinjaValue> items = jinja_iterate(value);
        at(target);
        if (items.size() != target.children.size())
            throw JinjaError{
                fmt::format("ValueError: {} values to unpack, {} expected", items.size(), target.children.size())};
        for (std::size_t i = 0; i < items.size(); ++i)
            assign(*target.children[i], items[i]);
    }
}

} // namespace vitrine::engine
