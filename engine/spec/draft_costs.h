// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: what speculation costs, in plain decode steps of the current batch.
#pragma once

#include <array>

#include "engine/spec/acceptance.h"

namespace vitrine::engine {

struct DraftCosts {
    double draft = 0.01; // c: one more draft; an n-gram look-up costs next to nothing
    double follow = 0; // the drafter reads one token of the text it has not seen
    std::array<double, kMaxDraftPositions + 1> verify{}; // v by gamma; verify[0] is 1

    /// v the same for every gamma but 0, as in the formula.
    [[nodiscard]] static DraftCosts uniform(double draft, double verify) noexcept {
        DraftCosts costs;
        costs.draft = draft;
        costs.verify.fill(verify);
        costs.verify[0] = 1;
        return costs;
    }
};

} // namespace vitrine::engine
