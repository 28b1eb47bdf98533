// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: how a launch of the panel kernel divides rows, places and K among blocks.
#pragma once

#include <array>

#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

struct PanelPlan {
    int tiles = 0; // of a block, at most
    int cluster = 1; // blocks that share K
    int columns = 1; // panels of places
};

inline constexpr int kMaxPanelCluster = 8; // what every GPU with clusters takes

/// What the plan needs to know of a kernel.
struct PanelLimits {
    int places = 0; // of a panel
    int tiles = 0; // that a block can take
    int blocks_per_sm = 1;
    int num_sms = 1;
    std::array<int, kMaxPanelCluster + 1> clusters{}; // of that many blocks: how many run at once
};
[[nodiscard]] PanelPlan panel_plan(const LinearArgs& args, const PanelLimits& limits) noexcept;

} // namespace vitrine::kernels
