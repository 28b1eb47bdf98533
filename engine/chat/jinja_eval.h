// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: walks a template's tree.  One evaluator a render, one thread.
#pragma once

#include "engine/chat/chat_template.h"
#include "engine/chat/jinja_ast.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::engine {

/// Variables of one level.  Macros keep the level of their definition alive.
struct JinjaScope {
    std::shared_ptr<JinjaScope> parent;
    std::vector<std::pair<std::string, JinjaValue>> variables;

    [[nodiscard]] const JinjaValue* find(std::string_view name) const;
    void set(std::string_view name, JinjaValue value);
};

class JinjaEvaluator {
public:
    JinjaEvaluator(const JinjaProgram& program, JinjaScope context, TemplateTime now);
    ~JinjaEvaluator(); // breaks the cycles that a template may have made
    JinjaEvaluator(const JinjaEvaluator&) = delete;
    JinjaEvaluator& operator=(const JinjaEvaluator&) = delete;

    /// Throws JinjaError with a place.
    [[nodiscard]] JinjaText run();

    // Services for builtins and objects.
    void charge(std::int64_t num_steps);
    /// A new text value, counted against the limits.
    [[nodiscard]] JinjaValue make(JinjaText text);
    void check_text_size(std::size_t num_bytes);
    [[nodiscard]] JinjaValue call(const JinjaValue& callee, JinjaArgs& args);
    void track(const JinjaValue& container) { tracked_.push_back(container); } // it can become part of a cycle
    [[nodiscard]] const TemplateTime& now() const { return now_; }

private:
    friend class JinjaMacro;
    friend class JinjaLoop;
    enum class Flow : std::uint8_t { normal, break_loop, continue_loop };
    class Frame;
    class ScopeGuard;
    class Capture;

    [[nodiscard]] JinjaValue eval(const JinjaExpr& expr);
    [[nodiscard]] JinjaValue eval_kind(const JinjaExpr& expr);
    [[nodiscard]] JinjaValue eval_name(const JinjaExpr& expr);
    [[nodiscard]] JinjaValue eval_container(const JinjaExpr& expr);
    [[nodiscard]] JinjaValue eval_item(const JinjaExpr& expr);
    [[nodiscard]] JinjaValue eval_call(const JinjaExpr& expr, const JinjaValue* caller);
    [[nodiscard]] JinjaValue eval_filter(const JinjaExpr& expr);
    [[nodiscard]] JinjaValue eval_test(const JinjaExpr& expr);
    [[nodiscard]] JinjaValue eval_concat(const JinjaExpr& expr);
    [[nodiscard]] JinjaValue eval_compare(const JinjaExpr& expr);
    [[nodiscard]] JinjaValue eval_sign(const JinjaExpr& expr);
    [[nodiscard]] JinjaArgs eval_arguments(const JinjaExpr& expr);

    Flow exec_body(const JinjaBody& body);
    Flow exec(const JinjaStatement& statement);
    Flow exec_if(const JinjaStatement& statement);
    Flow exec_for(const JinjaStatement& statement);
    Flow exec_loop(const JinjaStatement& statement, JinjaValue iterable, int depth);
    Flow exec_scoped(const JinjaBody& body);
    Flow exec_block_set(const JinjaStatement& statement);
    Flow exec_filter_block(const JinjaStatement& statement);
    Flow exec_with(const JinjaStatement& statement);
    void exec_call_block(const JinjaStatement& statement);
    [[nodiscard]] JinjaValue make_macro(const JinjaStatement& statement, std::string name);
    void assign(const JinjaExpr& target, const JinjaValue& value);
    void print(const JinjaValue& value);
    void at(const JinjaExpr& expr) {
        line_ = expr.line;
        column_ = expr.column;
    }

    const JinjaProgram& program_;
    TemplateTime now_;
    std::shared_ptr<JinjaScope> scope_;
    JinjaText* out_ = nullptr;
    const JinjaValue* injected_ = nullptr; // input of a filter without one
    std::vector<std::shared_ptr<JinjaScope>> captured_;
    std::vector<JinjaValue> tracked_;
    std::int64_t num_steps_ = 0;
    std::int64_t next_time_check_ = 0;
    std::size_t num_made_bytes_ = 0;
    int num_frames_ = 0;
    int num_calls_ = 0;
    int line_ = 1;
    int column_ = 1;
    std::chrono::steady_clock::time_point deadline_;
};

} // namespace vitrine::engine
