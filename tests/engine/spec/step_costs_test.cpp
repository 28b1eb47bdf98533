// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: measured costs of speculation, and the balance that bounds what it may lose.
#include "engine/spec/step_costs.h"

#include <gtest/gtest.h>

#include "engine/spec/draft_length.h"

namespace vitrine::engine {
namespace {

using std::chrono::milliseconds;

TEST(StepCosts, AreMeasuredByRowsAndInterpolated) {
    StepCosts costs;
    costs.record_step(1, milliseconds(10));
    costs.record_step(5, milliseconds(18));
    const DraftCosts one = costs.costs(1);
    EXPECT_DOUBLE_EQ(one.verify[0], 1);
    EXPECT_NEAR(one.verify[4], 1.8, 1e-9);
    EXPECT_NEAR(one.verify[2], 1.4, 1e-9); // between one and five rows
    EXPECT_GE(one.verify[8], one.verify[4]);
    costs.record_step(9, milliseconds(12)); // noise: more rows are never cheaper
    EXPECT_GE(costs.costs(1).verify[8], costs.costs(1).verify[4]);
}

TEST(StepCosts, CountDraftsAndReadingApart) {
    StepCosts costs;
    costs.record_drafting(1, 4, 0, milliseconds(8)); // nothing to compare with yet
    costs.record_step(1, milliseconds(10));
    costs.record_drafting(1, 4, 0, milliseconds(8));
    EXPECT_NEAR(costs.costs(1).draft, .2, 1e-9);
    costs.record_drafting(1, 2, 100, milliseconds(24)); // two drafts are 4 ms, so reading took 20
    EXPECT_NEAR(costs.costs(1).follow, .02, 1e-9);
    EXPECT_NEAR(costs.costs(1).draft, .2, 1e-9);
}

/// Steps with drafts whose tokens are accepted with `acceptance`; returns time in plain steps over tokens.
double time_per_token(const DraftCosts& costs, double acceptance, int num_tokens) {
    DraftLength length({.max_gamma = 8, .costs = costs});
    double time = 0;
    int tokens = 0;
    unsigned state = 1;
    const auto uniform = [&] {
        state = state * 1664525U + 1013904223U;
        return static_cast<double>(state >> 8) / (1U << 24);
    };
    while (tokens < num_tokens) {
        const int gamma = length.gamma();
        int accepted = 0;
        while (accepted < gamma && uniform() < acceptance)
            ++accepted;
        time += costs.verify[static_cast<std::size_t>(gamma)] + gamma * costs.draft;
        tokens += accepted + 1;
        length.record(gamma, accepted);
    }
    return time / tokens;
}

TEST(DraftLength, NeverCostsMoreThanThreePercent) {
    DraftCosts steep; // a CPU at its limit: each row costs half a step
    for (std::size_t i = 0; i < steep.verify.size(); ++i)
        steep.verify[i] = 1 + .5 * static_cast<double>(i);
    for (const double acceptance : {0.0, .05, .1, .2, .4}) {
        EXPECT_LT(time_per_token(steep, acceptance, 200), 1.03) << acceptance;
        EXPECT_LT(time_per_token(DraftCosts::uniform(.3, 1.15), acceptance, 200), 1.03) << acceptance;
    }
}

TEST(DraftLength, UsesGoodDrafts) {
    EXPECT_LT(time_per_token(DraftCosts::uniform(.01, 1.08), .9, 400), 1 / 3.5);
    EXPECT_LT(time_per_token(DraftCosts::uniform(.1, 1.08), .8, 400), 1 / 2.0);
}

} // namespace
} // namespace vitrine::engine
