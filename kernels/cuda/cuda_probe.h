// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: which devices there are, or why none can be used.
#pragma once

#include <vector>

#include "kernels/api/backend.h"

namespace vitrine::kernels {

inline constexpr int kMinComputeMajor = 8; // Ampere: cp.async, bf16 mma

/// Usable devices in the driver's order.  The error names the driver, its version and what is needed.
[[nodiscard]] Result<std::vector<DeviceInfo>> probe_cuda_devices();

} // namespace vitrine::kernels
