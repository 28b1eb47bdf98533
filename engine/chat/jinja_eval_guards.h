// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: what the evaluator puts back when it leaves a level, also by an error.
#pragma once

#include "engine/chat/jinja_eval.h"

#include <utility>

namespace vitrine::engine {

/// Counts one level of recursion.
class JinjaEvaluator::Frame {
public:
    explicit Frame(JinjaEvaluator& evaluator) : evaluator_(evaluator) {
        if (evaluator.num_frames_ >= JinjaLimits::kMaxFrames)
            throw JinjaError{"RecursionError: the template nests too deeply"};
        ++evaluator.num_frames_;
        evaluator.charge(1);
    }
    ~Frame() { --evaluator_.num_frames_; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

private:
    JinjaEvaluator& evaluator_;
};

/// Another scope for a while.
class JinjaEvaluator::ScopeGuard {
public:
    ScopeGuard(JinjaEvaluator& evaluator, std::shared_ptr<JinjaScope> scope)
        : evaluator_(evaluator), old_(std::exchange(evaluator.scope_, std::move(scope))) {}
    /// A new scope inside the current one.
    explicit ScopeGuard(JinjaEvaluator& evaluator) : evaluator_(evaluator), old_(evaluator.scope_) {
        evaluator.scope_ = std::make_shared<JinjaScope>();
        evaluator.scope_->parent = old_;
    }
    ~ScopeGuard() { evaluator_.scope_ = std::move(old_); }
    ScopeGuard(const ScopeGuard&) = delete;
    ScopeGuard& operator=(const ScopeGuard&) = delete;

private:
    JinjaEvaluator& evaluator_;
    std::shared_ptr<JinjaScope> old_;
};

/// Output goes into a text of its own for a while.
class JinjaEvaluator::Capture {
public:
    explicit Capture(JinjaEvaluator& evaluator) : evaluator_(evaluator), old_(std::exchange(evaluator.out_, &text_)) {}
    ~Capture() { evaluator_.out_ = old_; }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    [[nodiscard]] JinjaText take() { return std::move(text_); }

private:
    JinjaEvaluator& evaluator_;
    JinjaText text_;
    JinjaText* old_;
};

} // namespace vitrine::engine
