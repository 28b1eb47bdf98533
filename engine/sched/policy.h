// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: when waiting sequences may join and when ended ones give their place back.
#pragma once

#include <memory>
#include <string_view>

#include "engine/api/engine_config.h"

namespace vitrine::engine {

struct PolicyView {
    int running = 0; // sequences that hold a place and are not done
    int ended = 0; // done, but still holding their place (padding)
    int waiting = 0;
    int slots = 0; // places
};

/// Immutable.  Thread: any.
class Policy {
public:
    virtual ~Policy() = default;
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    /// How many of the waiting may be admitted now, from the head.
    [[nodiscard]] virtual int admissions(const PolicyView& view) const noexcept = 0;
    /// Whether a sequence that ended keeps its place until every other one has ended too.
    [[nodiscard]] virtual bool holds_ended() const noexcept = 0;
};

/// engine.md 2.5: immediate, static, continuous.
[[nodiscard]] std::unique_ptr<Policy> make_policy(BatchPolicy policy);
[[nodiscard]] std::string_view policy_name(BatchPolicy policy) noexcept;

} // namespace vitrine::engine
