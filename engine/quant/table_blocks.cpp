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
struct NearestEntries {
    std::array<float, kHalfSteps> value{};
    std::array<std::uint8_t, kHalfSteps> code{};
};
constexpr NearestEntries nearest_entries() {
    NearestEntries nearest;
    std::size_t index = 0;
    for (std::size_t step = 0; step < kHalfSteps; ++step) {
        const float middle = static_cast<float>(step) / 2 - 127.75F;
        while (index + 1 < kIq4Values.size() && middle > (kIq4Values[index] + kIq4Values[index + 1]) / 2)
            ++index;
        nearest.value[step] = kIq4Values[index];
        nearest.code[step] = static_cast<std::uint8_t>(index);
    }
    return nearest;
}
constexpr NearestEntries kNearest = nearest_entries();

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
    return scale == 0 ? 8 : kNearest.code[half_step(value * inverse_of(scale))];
}

constexpr std::size_t kLanes = 8; // sums in as many parts, so that they vectorize; blocks are multiples of it

double sum_of(const std::array<float, kLanes>& lanes) noexcept {
    double total = 0;
    for (const float lane : lanes)
        total += static_cast<double>(lane);
    return total;
}

template <bool kWeighted>
double error_under(const FitBlock& x, float scale) noexcept {
    const float inverse = inverse_of(scale);
    std::array<float, kLanes> lanes{};
    for (std::size_t start = 0; start < x.x.size(); start += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float value = x.x[start + lane];
            const float error = value - scale * kNearest.value[half_step(value * inverse)];
            lanes[lane] += kWeighted ? x.importance[start + lane] * error * error : error * error;
        }
    return sum_of(lanes);
}
double table_error(const FitBlock& x, float scale) noexcept {
    return x.importance.empty() ? error_under<false>(x, scale) : error_under<true>(x, scale);
}

/// x . entries and entries . entries of the codes under `scale`, not 0.
struct Products {
    double xv = 0;
    double vv = 0;
};
template <bool kWeighted>
Products products_under(const FitBlock& x, float scale) noexcept {
    const float inverse = inverse_of(scale);
    std::array<float, kLanes> xv{}, vv{};
    for (std::size_t start = 0; start < x.x.size(); start += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float value = x.x[start + lane];
            const float entry = kNearest.value[half_step(value * inverse)];
            const float weighted = kWeighted ? x.importance[start + lane] * entry : entry;
            xv[lane] += value * weighted;
            vv[lane] += entry * weighted;
        }
    return {sum_of(xv), sum_of(vv)};
}
Products products_of(const FitBlock& x, float scale) noexcept {
    return x.importance.empty() ? products_under<false>(x, scale) : products_under<true>(x, scale);
}

struct TableFit {
    float scale = 0;
    double error = 0;
};

/// Either end of the table may take the largest value.
TableFit fit_table(const FitBlock& x) {
    const float largest = largest_magnitude(x.x);
    TableFit best;
    if (largest == 0)
        return best;
    best.error = std::numeric_limits<double>::infinity();
    for (const float end : {kIq4Values.front(), kIq4Values.back()}) {
        for (const float step : {0.88F, 0.94F, 1.0F, 1.06F, 1.12F}) {
            const Products sums = products_of(x, largest / (end * step));
            if (sums.vv <= 0) // no value counts
                continue;
            const float scale = as_half(static_cast<float>(sums.xv / sums.vv));
            const double error = table_error(x, scale);
            if (error < best.error)
                best = {scale, error};
        }
    }
    return best;
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
        fits[sub] = fit_table(part(x, sub)).scale;
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
        const Products sums = products_of(part(x, sub), block.scale(sub));
        xv += block.scales[sub] * sums.xv;
        vv += static_cast<double>(block.scales[sub]) * block.scales[sub] * sums.vv;
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

std::uint8_t nearest_e2m1(float value) {
    const float magnitude = std::abs(value);
    std::uint8_t index = 0;
    while (index + 1U < kE2m1Values.size() && magnitude > (kE2m1Values[index] + kE2m1Values[index + 1U]) / 2)
        ++index;
    return static_cast<std::uint8_t>(index | (value < 0 && index > 0 ? 8 : 0));
}

double mxfp4_error(const FitBlock& x, float scale) {
    double total = 0;
    for (std::size_t i = 0; i < x.x.size(); ++i) {
        const float value = x.x[i];
        const double error = static_cast<double>(std::abs(value)) -
            static_cast<double>(scale * kE2m1Values[nearest_e2m1(value / scale) & 7U]);
        total += x.weight(i) * error * error;
    }
    return total;
}

} // namespace

void encode_iq4_nl(const FitBlock& x, std::byte* out) noexcept {
    const float scale = fit_table(x).scale;
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
            const double error = mxfp4_error(x, std::ldexp(1.0F, exponent));
            if (error < best) {
                best = error;
                best_exponent = exponent;
            }
        }
    }
    out[0] = static_cast<std::byte>(best_exponent + 128);
    const float scale = std::ldexp(1.0F, best_exponent);
    for (std::size_t i = 0; i < 16; ++i)
        out[1 + i] = static_cast<std::byte>(
            largest == 0 ? 0 : nearest_e2m1(x.x[i] / scale) | (nearest_e2m1(x.x[i + 16] / scale) << 4));
}

} // namespace vitrine::engine
