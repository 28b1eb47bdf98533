// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: what this processor and its operating system offer, and in which instruction set code runs that is
// compiled for several.  One choice for products and for quantization.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/api/result.h"

namespace vitrine::kernels {

struct CpuFeatures {
    std::string name; // brand string
    bool intel = false;
    bool avx2 = false; // AVX2, FMA, F16C
    bool avxvnni = false; // and AVX-VNNI: vpdpbusd on 8 lanes
    bool avx512 = false; // F, BW, DQ, VL, VNNI
    bool amx = false; // and AMX-INT8, which the operating system lets this process use
};
/// The first call asks Linux for the tile registers of AMX, for all threads of the process.
[[nodiscard]] CpuFeatures cpu_features();

enum class CpuIsa : std::uint8_t { scalar, avx2, avxvnni, avx512, amx }; // the widest last

/// `wanted`: "scalar", "avx2", "avxvnni", "avx512", "amx"; empty or "auto": VITRINE_FORCE_ISA if set, else the widest this CPU has.
/// Errors: `invalid_argument` for another name, `unsupported` when the CPU lacks it.
[[nodiscard]] Result<CpuIsa> choose_cpu_isa(const std::string& wanted);

} // namespace vitrine::kernels
