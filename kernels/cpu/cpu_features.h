// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: what this processor and its operating system offer.
#pragma once

#include <string>
#include <vector>

namespace vitrine::kernels::cpu {

struct CpuFeatures {
    std::string name; // brand string
    bool intel = false;
    bool avx2 = false; // AVX2, FMA, F16C
    bool avxvnni = false; // and AVX-VNNI: vpdpbusd on 8 lanes
    bool avx512 = false; // F, BW, DQ, VL, VNNI
};

[[nodiscard]] CpuFeatures cpu_features();

/// Logical processors that the first caller could run on, one of each physical core, in ascending order.
[[nodiscard]] std::vector<int> physical_cores();

} // namespace vitrine::kernels::cpu
