// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/panel_plan.h"

#include <algorithm>

namespace vitrine::kernels {
namespace {

int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

/// Cycles of a launch; the constants are fitted to times on an H200 (tests/gpu/RESULTS.md).  A warp needs a while for 256 of K
/// of its tile; others of its scheduler run meanwhile, until together they need more.
double cost(const LinearArgs& args, const PanelLimits& limits, const PanelPlan& plan) {
    constexpr double kMerge = 1700; // of each further block of a cluster
    const double fixed = 9000 + 90 * limits.places; // start, first loads, epilogue
    const double alone = 2500 + 3 * limits.places;
    const double together = 500 + 8.5 * limits.places; // of each warp
    int bands = 0;
    for (int s = 0; s < args.num_segments; ++s)
        bands += divide_up(args.segment[s].num_tiles, plan.tiles);
    const int clusters = bands * plan.columns;
    const int at_once = std::max(limits.clusters[static_cast<std::size_t>(plan.cluster)], 1);
    const int per_sm = std::min(limits.blocks_per_sm, divide_up(clusters * plan.cluster, limits.num_sms));
    const int warps = divide_up(plan.tiles, 4) * per_sm; // of a scheduler
    const int steps = divide_up(divide_up(args.padded_dim, 256), plan.cluster);
    return divide_up(clusters, at_once) * (std::max(alone, warps * together) * steps + fixed) +
        (plan.cluster - 1) * kMerge;
}

} // namespace

PanelPlan panel_plan(const LinearArgs& args, const PanelLimits& limits) noexcept {
    PanelPlan best;
    double least = 0;
    const int columns = divide_up(args.num_columns, limits.places);
    for (int cluster = 1; cluster <= kMaxPanelCluster && args.padded_dim / args.unit >= cluster; ++cluster) {
        for (int tiles = 1; tiles <= limits.tiles; ++tiles) {
            const PanelPlan plan{tiles, cluster, columns};
            const double cycles = cost(args, limits, plan);
            if (best.tiles == 0 || cycles < least) {
                best = plan;
                least = cycles;
            }
        }
    }
    return best;
}

} // namespace vitrine::kernels
