// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: where workers may run.
#pragma once

#include <vector>

namespace vitrine::kernels::cpu {

/// Logical processors that the first caller could run on, one of each physical core, in ascending order.
[[nodiscard]] std::vector<int> physical_cores();

} // namespace vitrine::kernels::cpu
