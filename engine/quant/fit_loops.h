// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: the inner loops of quantization, once for each instruction set and with the same bits from all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/quant/block_fit.h"
#include "engine/quant/row_error.h"
#include "kernels/api/cpu_isa.h"

namespace vitrine::engine {

/// Sixteen entries, ascending; a value from borders[i] on is nearer to entries[i + 1] than to entries[i].
struct FitTable {
    float entries[16], borders[15];
};

struct Extremes {
    float low = 0, high = 0;
};

/// Under one scale, every value on its nearest entry: weighted sums of x times entry, of entries squared, and of squared
/// differences.
struct TableSums {
    double x_entry = 0, entry_entry = 0, error = 0;
};

/// importance: as long as x, or null.  count: a multiple of 16, but for the last three, which take any.
struct FitLoops {
    const char* name;
    FitSums (*sums)(const float* x, const float* importance, std::size_t count, Affine rule, CodeRange range) noexcept;
    double (*error)(const float* x, const float* importance, std::size_t count, Affine rule, CodeRange range) noexcept;
    /// Errors under sixteen rules at once.   scales, offsets, out: [16]
    void (*errors)(const float* x, const float* importance, std::size_t count, const float* scales,
        const float* offsets, CodeRange range, float* out) noexcept;
    Affine (*symmetric)(const float* x, const float* importance, std::size_t count, CodeRange range) noexcept;
    Affine (*affine)(
        const float* x, const float* importance, std::size_t count, int high, bool negative_offset) noexcept;
    /// A scale of sorted entries (IQ4_NL's table): the best of sixteen starts.   0: every value is 0, or none counts
    float (*table_scale)(const float* x, const float* importance, std::size_t count, const FitTable& table) noexcept;
    TableSums (*table_sums)(
        const float* x, const float* importance, std::size_t count, float scale, const FitTable& table) noexcept;
    void (*codes)(const float* x, std::size_t count, Affine rule, CodeRange range, std::int8_t* out) noexcept;
    Extremes (*extremes)(const float* x, std::size_t count) noexcept;
    /// How much an error of each value counts where the largest must not be sacrificed: its magnitude, at least the root mean
    /// square of all.
    void (*size_weights)(const float* x, std::size_t count, float* out) noexcept;

    bool (*are_within)(const float* x, std::size_t count, float limit) noexcept; // false for what is no number
    void (*halves)(const std::byte* halves, std::size_t count, float* out) noexcept; // IEEE binary16, exactly
    RowError (*row_error)(const float* before, const float* after, std::size_t count) noexcept;
};

[[nodiscard]] const FitLoops& fit_loops_of(kernels::CpuIsa isa) noexcept;
/// Those of choose_cpu_isa({}), once.  Jobs that write files refuse a VITRINE_FORCE_ISA that it refuses; then: the widest.
[[nodiscard]] const FitLoops& fit_loops() noexcept;
/// Every one that this CPU runs, the narrowest first.
[[nodiscard]] std::span<const FitLoops* const> usable_fit_loops() noexcept;

} // namespace vitrine::engine
