// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: the three batch policies.
#include "engine/sched/policy.h"

#include <algorithm>

namespace vitrine::engine {
namespace {

/// One at a time, in order.
class ImmediatePolicy final : public Policy {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return policy_name(BatchPolicy::immediate); }
    [[nodiscard]] int admissions(const PolicyView& view) const noexcept override {
        return view.running == 0 ? std::min(1, view.waiting) : 0;
    }
    [[nodiscard]] bool holds_ended() const noexcept override { return false; }
};

/// A batch of those that wait; the next one when its longest has ended.
class StaticPolicy final : public Policy {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return policy_name(BatchPolicy::fixed); }
    [[nodiscard]] int admissions(const PolicyView& view) const noexcept override {
        return view.running + view.ended == 0 ? std::min(view.slots, view.waiting) : 0;
    }
    [[nodiscard]] bool holds_ended() const noexcept override { return true; }
};

/// Every step, into every free place.
class ContinuousPolicy final : public Policy {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return policy_name(BatchPolicy::continuous); }
    [[nodiscard]] int admissions(const PolicyView& view) const noexcept override {
        return std::clamp(view.slots - view.running - view.ended, 0, view.waiting);
    }
    [[nodiscard]] bool holds_ended() const noexcept override { return false; }
};

} // namespace

std::string_view policy_name(BatchPolicy policy) noexcept {
    switch (policy) {
    case BatchPolicy::immediate:
        return "immediate";
    case BatchPolicy::fixed:
        return "static";
    case BatchPolicy::continuous:
        break;
    }
    return "continuous";
}

std::unique_ptr<Policy> make_policy(BatchPolicy policy) {
    switch (policy) {
    case BatchPolicy::immediate:
        return std::make_unique<ImmediatePolicy>();
    case BatchPolicy::fixed:
        return std::make_unique<StaticPolicy>();
    case BatchPolicy::continuous:
        break;
    }
    return std::make_unique<ContinuousPolicy>();
}

} // namespace vitrine::engine
