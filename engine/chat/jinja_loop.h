// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: macros and the loop variable.
#pragma once

#include "engine/chat/jinja_eval.h"

#include <optional>

namespace vitrine::engine {

/// A macro or the body of a call block, with the scope of its definition.
class JinjaMacro final : public JinjaObject {
public:
    JinjaMacro(const JinjaStatement& statement, std::string name, std::shared_ptr<JinjaScope> scope)
        : statement_(statement), name_(std::move(name)), scope_(std::move(scope)) {}
    [[nodiscard]] bool callable() const override { return true; }
    [[nodiscard]] JinjaValue call(JinjaEvaluator& evaluator, JinjaArgs& args) override;
    [[nodiscard]] JinjaValue attribute(JinjaEvaluator& evaluator, std::string_view name) override;
    [[nodiscard]] std::string repr() const override { return "<Macro '" + name_ + "'>"; }

private:
    void bind(JinjaEvaluator& evaluator, JinjaArgs& args, JinjaScope& scope) const;
    void bind_extras(JinjaArgs& args, std::size_t num_used, JinjaScope& scope) const;

    const JinjaStatement& statement_;
    std::string name_;
    std::shared_ptr<JinjaScope> scope_;
};

/// `loop`.  Filtered loops pull lazily, one item ahead when a template asks for last or nextitem.
class JinjaLoop final : public JinjaObject {
public:
    JinjaLoop(
        const JinjaStatement& statement, std::shared_ptr<JinjaScope> outer, std::vector<JinjaValue> items, int depth)
        : statement_(statement), outer_(std::move(outer)), source_(std::move(items)), depth_(depth) {}

    /// Moves to the next item; false at the end.
    bool next(JinjaEvaluator& evaluator);
    [[nodiscard]] const JinjaValue& item() const { return accepted_[index_]; }

    [[nodiscard]] JinjaValue attribute(JinjaEvaluator& evaluator, std::string_view name) override;
    [[nodiscard]] bool callable() const override { return statement_.recursive; }
    [[nodiscard]] JinjaValue call(JinjaEvaluator& evaluator, JinjaArgs& args) override;
    [[nodiscard]] std::string repr() const override { return "<LoopContext>"; }
    /// loop.changed(...): did the values differ from the last call's?
    [[nodiscard]] bool changed(std::vector<JinjaValue> values);
    [[nodiscard]] std::size_t index() const { return index_; }

private:
    /// Makes accepted_ hold more than `count` items, if there are so many.
    bool pull(JinjaEvaluator& evaluator, std::size_t count);

    const JinjaStatement& statement_;
    std::shared_ptr<JinjaScope> outer_;
    std::vector<JinjaValue> source_;
    std::size_t source_position_ = 0;
    std::vector<JinjaValue> accepted_;
    std::size_t index_ = 0;
    bool started_ = false;
    int depth_;
    std::optional<std::vector<JinjaValue>> last_values_;
};

} // namespace vitrine::engine
