// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: which loops run here.
#include "engine/quant/fit_loops.h"

#include <array>

namespace vitrine::engine {

using kernels::CpuIsa;

extern const FitLoops kFitLoopsSse2, kFitLoopsAvx2, kFitLoopsAvx512;

const FitLoops& fit_loops_of(CpuIsa isa) noexcept {
    switch (isa) {
    case CpuIsa::scalar:
        return kFitLoopsSse2;
    case CpuIsa::avx2:
    case CpuIsa::avxvnni:
        return kFitLoopsAvx2;
    case CpuIsa::avx512:
    case CpuIsa::amx:
        break;
    }
    return kFitLoopsAvx512;
}

std::span<const FitLoops* const> usable_fit_loops() noexcept {
    static const std::array<const FitLoops*, 3> all{&kFitLoopsSse2, &kFitLoopsAvx2, &kFitLoopsAvx512};
    static const std::size_t count = [] {
        const kernels::CpuFeatures features = kernels::cpu_features();
        return std::size_t{features.avx512 ? 3U : features.avx2 ? 2U : 1U};
    }();
    return std::span(all).first(count);
}

const FitLoops& fit_loops() noexcept {
    static const FitLoops& chosen = []() -> const FitLoops& {
        const auto isa = kernels::choose_cpu_isa({});
        return isa ? fit_loops_of(*isa) : *usable_fit_loops().back();
    }();
    return chosen;
}

} // namespace vitrine::engine
