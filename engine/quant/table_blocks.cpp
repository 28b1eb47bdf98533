// SPDX-License-Identifier: GPL-3.0-or-later
// Values go to the nearest entry under a scale, the scale is refitted to the entries chosen; several starts compete.
#include "engine/quant/table_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/quant/block_fit.h"
#include "engine/quant/fit_loops.h"
#include "kernels/ref/half.h"

namespace vitrine::engine {
namespace {

using kernels::f16_to_f32;
using kernels::f32_to_f16;

constexpr std::array<float, 16> kIq4Values{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

float as_half(float value) {
    return f16_to_f32(f32_to_f16(value));
}

void put_half(std::byte* out, float value) {
    const std::uint16_t bits = f32_to_f16(value);
    std::memcpy(out, &bits, sizeof bits);
}

// All borders between two entries are multiples of a half, so the half step a value lies in says its nearest entry: one look-up
// in place of up to fifteen comparisons.
constexpr int kHalfSteps = 512; // from -128 on
constexpr std::array<std::uint8_t, kHalfSteps> nearest_codes_of_steps() {
    std::array<std::uint8_t, kHalfSteps> codes{};
    std::size_t index = 0;
    for (std::size_t step = 0; step < kHalfSteps; ++step) {
        const float middle = static_cast<float>(step) / 2 - 127.75F;
        while (index + 1 < kIq4Values.size() && middle > (kIq4Values[index] + kIq4Values[index + 1]) / 2)
            ++index;
        codes[step] = static_cast<std::uint8_t>(index);
    }
    return codes;
}
constexpr std::array<std::uint8_t, kHalfSteps> kNearest = nearest_codes_of_steps();

/// Which half step; value: over the scale.
std::size_t half_step(float value) noexcept {
    return static_cast<std::size_t>(
        static_cast<int>(std::min(std::max(value * 2 + kHalfSteps / 2, 0.0F), static_cast<float>(kHalfSteps - 1))));
}

float inverse_of(float scale) noexcept {
    return scale == 0 ? 0 : 1 / scale;
}

/// Entry 8, the smallest, where everything is 0.
std::size_t code_of(float value, float scale) noexcept {
    return scale == 0 ? 8 : kNearest[half_step(value * inverse_of(scale))];
}

constexpr FitTable fit_table() {
    FitTable table{};
    for (std::size_t i = 0; i < kIq4Values.size(); ++i)
        table.entries[i] = kIq4Values[i];
    for (std::size_t i = 0; i + 1 < kIq4Values.size(); ++i)
        table.borders[i] = (kIq4Values[i] + kIq4Values[i + 1]) / 2;
    return table;
}
constexpr FitTable kFitTable = fit_table();

TableSums sums_of(const FitBlock& x, float scale, const FitTable& table = kFitTable) noexcept {
    return fit_loops().table_sums(
        x.x.data(), x.importance.empty() ? nullptr : x.importance.data(), x.x.size(), scale, table);
}
double table_error(const FitBlock& x, float scale) noexcept {
    return sums_of(x, scale).error;
}

float best_scale(const FitBlock& x) noexcept {
    return as_half(fit_loops().table_scale(
        x.x.data(), x.importance.empty() ? nullptr : x.importance.data(), x.x.size(), kFitTable));
}

void put_nibbles(const FitBlock& x, float scale, std::byte* out) {
    for (std::size_t i = 0; i < 16; ++i)
        out[i] = static_cast<std::byte>(code_of(x.x[i], scale) | (code_of(x.x[i + 16], scale) << 4));
}

// ---- IQ4_XS: eight sub-blocks of 32 with integer scales -------------------------------------------------------------

constexpr std::size_t kSubs = 8;

struct ScaledBlock {
    float d = 0;
    std::array<int, kSubs> scales{}; // -32 .. 31

    [[nodiscard]] float scale(std::size_t sub) const { return d * static_cast<float>(scales[sub]); }
};

FitBlock part(const FitBlock& x, std::size_t sub) {
    return x.part(sub * 32, 32);
}

double total_error(const FitBlock& x, const ScaledBlock& block) {
    double total = 0;
    for (std::size_t sub = 0; sub < kSubs; ++sub)
        total += table_error(part(x, sub), block.scale(sub));
    return total;
}

ScaledBlock first_guess(const FitBlock& x) {
    std::array<float, kSubs> fits{};
    float largest = 0;
    for (std::size_t sub = 0; sub < kSubs; ++sub) {
        fits[sub] = best_scale(part(x, sub));
        if (std::abs(fits[sub]) > std::abs(largest))
            largest = fits[sub];
    }
    ScaledBlock block;
    block.d = as_half(largest / -32);
    for (std::size_t sub = 0; sub < kSubs && block.d != 0; ++sub)
        block.scales[sub] = static_cast<int>(std::clamp(std::nearbyint(fits[sub] / block.d), -32.0F, 31.0F));
    return block;
}

void improve_integers(const FitBlock& x, ScaledBlock& block) {
    for (std::size_t sub = 0; sub < kSubs; ++sub) {
        const int middle = block.scales[sub];
        double best = table_error(part(x, sub), block.scale(sub));
        for (const int trial : {middle - 1, middle + 1}) {
            if (trial < -32 || trial > 31)
                continue;
            const double error = table_error(part(x, sub), block.d * static_cast<float>(trial));
            if (error < best) {
                best = error;
                block.scales[sub] = trial;
            }
        }
    }
}

void improve_float(const FitBlock& x, ScaledBlock& block) {
    double xv = 0;
    double vv = 0;
    for (std::size_t sub = 0; sub < kSubs; ++sub) {
        const TableSums sums = sums_of(part(x, sub), block.scale(sub));
        xv += block.scales[sub] * sums.x_entry;
        vv += static_cast<double>(block.scales[sub]) * block.scales[sub] * sums.entry_entry;
    }
    if (vv <= 0)
        return;
    ScaledBlock trial = block;
    trial.d = as_half(static_cast<float>(xv / vv));
    if (total_error(x, trial) < total_error(x, block))
        block = trial;
}

// ---- MXFP4: a power of two as scale (OCP Microscaling 1.0) -----------------------------------------------------------

constexpr std::array<float, 8> kE2m1Values{0, 1, 2, 3, 4, 6, 8, 12}; // twice the value, as the half scale wants

/// Both signs in order; the largest stands there twice.
constexpr FitTable e2m1_table() {
    FitTable table{};
    for (std::size_t i = 0; i < 7; ++i) {
        table.entries[i] = -kE2m1Values[7 - i];
        table.entries[i + 8] = kE2m1Values[i + 1];
    }
    table.entries[15] = kE2m1Values[7];
    for (std::size_t i = 0; i < 15; ++i)
        table.borders[i] = (table.entries[i] + table.entries[i + 1]) / 2;
    return table;
}
constexpr FitTable kE2m1Table = e2m1_table();

/// The code of a magnitude by the half step it lies in, its upper border included: of two as near the smaller.
constexpr std::array<std::uint8_t, 26> e2m1_codes_of_steps() {
    std::array<std::uint8_t, 26> codes{};
    std::size_t index = 0;
    for (std::size_t step = 0; step < codes.size(); ++step) {
        while (index + 1 < kE2m1Values.size() && static_cast<float>(step) > kE2m1Values[index] + kE2m1Values[index + 1])
            ++index;
        codes[step] = static_cast<std::uint8_t>(index);
    }
    return codes;
}
constexpr std::array<std::uint8_t, 26> kE2m1Codes = e2m1_codes_of_steps();

/// value: over the scale.
unsigned nearest_e2m1(float value) {
    const float steps = std::min(std::abs(value) * 2, static_cast<float>(kE2m1Codes.size() - 1));
    auto step = static_cast<std::size_t>(steps);
    step += static_cast<float>(step) < steps ? 1 : 0;
    const unsigned code = kE2m1Codes[step];
    return code | (value < 0 && code > 0 ? 8U : 0U);
}

} // namespace

void encode_iq4_nl(const FitBlock& x, std::byte* out) noexcept {
    const float scale = best_scale(x);
    put_half(out, scale);
    put_nibbles(x, scale, out + 2);
}

void encode_iq4_xs(const FitBlock& x, std::byte* out) noexcept {
    ScaledBlock block = first_guess(x);
    for (int round = 0; round < 2; ++round) {
        improve_integers(x, block);
        improve_float(x, block);
    }
    put_half(out, block.d);
    std::uint16_t high = 0;
    std::array<std::uint8_t, 4> low{};
    for (std::size_t sub = 0; sub < kSubs; ++sub) {
        const auto scale = static_cast<unsigned>(block.scales[sub] + 32);
        high = static_cast<std::uint16_t>(high | ((scale >> 4) << (2 * sub)));
        low[sub / 2] = static_cast<std::uint8_t>(low[sub / 2] | ((scale & 0xF) << (sub % 2 * 4)));
        put_nibbles(part(x, sub), block.scale(sub), out + 8 + sub * 16);
    }
    std::memcpy(out + 2, &high, sizeof high);
    std::memcpy(out + 4, low.data(), low.size());
}

void encode_mxfp4(const FitBlock& x, std::byte* out) noexcept {
    const float largest = std::abs(largest_magnitude(x.x));
    int best_exponent = -128; // the half scale is 2^exponent
    if (largest > 0) {
        const int tight = std::clamp(static_cast<int>(std::ceil(std::log2(largest / 12))), -126, 126);
        double best = std::numeric_limits<double>::infinity();
        for (int exponent = std::max(tight - 1, -126); exponent <= tight; ++exponent) {
            const double error = sums_of(x, std::ldexp(1.0F, exponent), kE2m1Table).error;
            if (error < best) {
                best = error;
                best_exponent = exponent;
            }
        }
    }
    out[0] = static_cast<std::byte>(best_exponent + 128);
    const float inverse = largest == 0 ? 0 : std::ldexp(1.0F, -best_exponent);
    for (std::size_t i = 0; i < 16; ++i)
        out[1 + i] =
            static_cast<std::byte>(nearest_e2m1(x.x[i] * inverse) | (nearest_e2m1(x.x[i + 16] * inverse) << 4));
}

} // namespace vitrine::engine
