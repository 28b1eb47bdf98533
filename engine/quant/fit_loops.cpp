// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: which loops run here.
#include "engine/quant/fit_loops.h"

#include <array>

namespace vitrine::engine {

extern const FitLoops kFitLoopsSse2, kFitLoopsAvx2, kFitLoopsAvx512;

std::span<const FitLoops* const> usable_fit_loops() noexcept {
    static const std::array<const FitLoops*, 3> all{&kFitLoopsSse2, &kFitLoopsAvx2, &kFitLoopsAvx512};
    static const std::size_t count = [] {
        __builtin_cpu_init();
        if (!__builtin_cpu_supports("avx2"))
            return std::size_t{1};
        const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
        return std::size_t{wide ? 3U : 2U};
    }();
    return std::span(all).first(count);
}

const FitLoops& fit_loops() noexcept {
    static const FitLoops& widest = *usable_fit_loops().back();
    return widest;
}

} // namespace vitrine::engine
