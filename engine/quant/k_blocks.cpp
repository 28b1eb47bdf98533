// SPDX-License-Identifier: GPL-3.0-or-later
// Sub-blocks are fitted alone, their scales rounded to the integers the format holds, then both are improved in turns:
// integers by trying their neighbours, the block's floats by least squares.
#include "engine/quant/k_blocks.h"

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

constexpr int kRounds = 2; // a third round gains less than 0.1% of the error

float as_half(float value) {
    return f16_to_f32(f32_to_f16(value));
}

void put_half(std::byte* out, float value) {
    const std::uint16_t bits = f32_to_f16(value);
    std::memcpy(out, &bits, sizeof bits);
}

int rounded(float value, int low, int high) {
    return static_cast<int>(std::clamp(std::nearbyint(value), static_cast<float>(low), static_cast<float>(high)));
}

// ---- Q4_K, Q5_K: eight sub-blocks of 32, x = d * scale * code - dmin * min ----------------------------------------

constexpr std::size_t kSubBlocks = 8;
constexpr std::size_t kSubSize = 32;

struct MinBlock {
    float d = 0;
    float dmin = 0;
    std::array<int, kSubBlocks> scales{};
    std::array<int, kSubBlocks> mins{};

    [[nodiscard]] Affine rule(std::size_t sub) const {
        return {d * static_cast<float>(scales[sub]), -dmin * static_cast<float>(mins[sub])};
    }
};

std::span<const float> sub_block(std::span<const float> x, std::size_t sub) {
    return x.subspan(sub * kSubSize, kSubSize);
}

double total_error(std::span<const float> x, const MinBlock& block, CodeRange range) {
    double total = 0;
    for (std::size_t sub = 0; sub < kSubBlocks; ++sub)
        total += squared_error(sub_block(x, sub), block.rule(sub), range);
    return total;
}

MinBlock first_guess(std::span<const float> x, CodeRange range) {
    std::array<Affine, kSubBlocks> fits;
    MinBlock block;
    for (std::size_t sub = 0; sub < kSubBlocks; ++sub) {
        fits[sub] = fit_affine(sub_block(x, sub), range.high, true);
        block.d = std::max(block.d, fits[sub].scale / 63);
        block.dmin = std::max(block.dmin, -fits[sub].offset / 63);
    }
    block.d = as_half(block.d);
    block.dmin = as_half(block.dmin);
    for (std::size_t sub = 0; sub < kSubBlocks; ++sub) {
        block.scales[sub] = block.d == 0 ? 0 : rounded(fits[sub].scale / block.d, 0, 63);
        block.mins[sub] = block.dmin == 0 ? 0 : rounded(-fits[sub].offset / block.dmin, 0, 63);
    }
    return block;
}

void improve_integers(std::span<const float> x, MinBlock& block, CodeRange range) {
    for (std::size_t sub = 0; sub < kSubBlocks; ++sub) {
        const int scale = block.scales[sub];
        const int min = block.mins[sub];
        double best = squared_error(sub_block(x, sub), block.rule(sub), range);
        MinBlock trial = block;
        for (int s = std::max(scale - 1, 0); s <= std::min(scale + 1, 63); ++s) {
            for (int m = std::max(min - 1, 0); m <= std::min(min + 1, 63); ++m) {
                trial.scales[sub] = s;
                trial.mins[sub] = m;
                const double error = squared_error(sub_block(x, sub), trial.rule(sub), range);
                if (error < best) {
                    best = error;
                    block.scales[sub] = s;
                    block.mins[sub] = m;
                }
            }
        }
    }
}

/// Least squares of x to d * a - dmin * b with a = scale * code, b = min, codes held.
void improve_floats(std::span<const float> x, MinBlock& block, CodeRange range) {
    double aa = 0;
    double ab = 0;
    double bb = 0;
    double ax = 0;
    double bx = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t sub = i / kSubSize;
        const double a = block.scales[sub] * nearest_code(x[i], block.rule(sub), range);
        const double b = block.mins[sub];
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ax += a * static_cast<double>(x[i]);
        bx += b * static_cast<double>(x[i]);
    }
    const double determinant = aa * bb - ab * ab;
    MinBlock trial = block;
    if (determinant > 0) {
        trial.d = as_half(static_cast<float>((ax * bb - ab * bx) / determinant));
        trial.dmin = as_half(static_cast<float>((ab * ax - aa * bx) / determinant));
    } else if (aa > 0) {
        trial.d = as_half(static_cast<float>(ax / aa));
    }
    if (trial.d >= 0 && trial.dmin >= 0 && total_error(x, trial, range) < total_error(x, block, range))
        block = trial;
}

MinBlock fit_min_block(std::span<const float> x, CodeRange range) {
    MinBlock block = first_guess(x, range);
    for (int round = 0; round < kRounds; ++round) {
        improve_integers(x, block, range);
        improve_floats(x, block, range);
    }
    return block;
}

/// Six-bit scales and minima in twelve bytes, the inverse of the reader's unpacking.
void put_scales(std::uint8_t* packed, const MinBlock& block) {
    for (std::size_t sub = 0; sub < 4; ++sub) {
        const int scale = block.scales[sub + 4];
        const int min = block.mins[sub + 4];
        packed[sub] = static_cast<std::uint8_t>(block.scales[sub] | ((scale >> 4) << 6));
        packed[sub + 4] = static_cast<std::uint8_t>(block.mins[sub] | ((min >> 4) << 6));
        packed[sub + 8] = static_cast<std::uint8_t>((scale & 0xF) | ((min & 0xF) << 4));
    }
}

/// high_bits: 32 bytes for the fifth bits, null for Q4_K.
void encode_min_block(
    std::span<const float> x, CodeRange range, std::byte* out, std::uint8_t* high_bits, std::uint8_t* quants) {
    const MinBlock block = fit_min_block(x, range);
    put_half(out, block.d);
    put_half(out + 2, block.dmin);
    put_scales(reinterpret_cast<std::uint8_t*>(out) + 4, block);
    std::memset(quants, 0, 128);
    if (high_bits != nullptr)
        std::memset(high_bits, 0, 32);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t sub = i / kSubSize;
        const int code = nearest_code(x[i], block.rule(sub), range);
        std::uint8_t& pair = quants[sub / 2 * kSubSize + i % kSubSize];
        pair = static_cast<std::uint8_t>(pair | ((code & 0xF) << (sub % 2 * 4)));
        if (high_bits != nullptr)
            high_bits[i % kSubSize] = static_cast<std::uint8_t>(high_bits[i % kSubSize] | ((code >> 4) << sub));
    }
}

// ---- Q6_K: sixteen sub-blocks of 16, x = d * scale * (code - 32) ---------------------------------------------------

constexpr CodeRange kSixBits{-32, 31};
constexpr std::size_t kSixSubBlocks = 16;
constexpr std::size_t kSixSubSize = 16;

struct SixBlock {
    float d = 0;
    std::array<int, kSixSubBlocks> scales{};

    [[nodiscard]] Affine rule(std::size_t sub) const { return {d * static_cast<float>(scales[sub]), 0}; }
};

std::span<const float> six_sub_block(std::span<const float> x, std::size_t sub) {
    return x.subspan(sub * kSixSubSize, kSixSubSize);
}

double total_error(std::span<const float> x, const SixBlock& block) {
    double total = 0;
    for (std::size_t sub = 0; sub < kSixSubBlocks; ++sub)
        total += squared_error(six_sub_block(x, sub), block.rule(sub), kSixBits);
    return total;
}

SixBlock first_guess_six(std::span<const float> x) {
    std::array<float, kSixSubBlocks> fits{};
    float largest = 0;
    for (std::size_t sub = 0; sub < kSixSubBlocks; ++sub) {
        fits[sub] = fit_symmetric(six_sub_block(x, sub), kSixBits).scale;
        if (std::abs(fits[sub]) > std::abs(largest))
            largest = fits[sub];
    }
    SixBlock block;
    block.d = as_half(largest / -128);
    for (std::size_t sub = 0; sub < kSixSubBlocks; ++sub)
        block.scales[sub] = block.d == 0 ? 0 : rounded(fits[sub] / block.d, -128, 127);
    return block;
}

void improve_integers(std::span<const float> x, SixBlock& block) {
    for (std::size_t sub = 0; sub < kSixSubBlocks; ++sub) {
        const int scale = block.scales[sub];
        double best = std::numeric_limits<double>::infinity();
        SixBlock trial = block;
        for (int s = std::max(scale - 1, -128); s <= std::min(scale + 1, 127); ++s) {
            trial.scales[sub] = s;
            const double error = squared_error(six_sub_block(x, sub), trial.rule(sub), kSixBits);
            if (error < best) {
                best = error;
                block.scales[sub] = s;
            }
        }
    }
}

void improve_float(std::span<const float> x, SixBlock& block) {
    double aa = 0;
    double ax = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t sub = i / kSixSubSize;
        const double a = block.scales[sub] * nearest_code(x[i], block.rule(sub), kSixBits);
        aa += a * a;
        ax += a * static_cast<double>(x[i]);
    }
    if (aa == 0)
        return;
    SixBlock trial = block;
    trial.d = as_half(static_cast<float>(ax / aa));
    if (total_error(x, trial) < total_error(x, block))
        block = trial;
}

} // namespace

void encode_q4_k(std::span<const float> x, std::byte* out) noexcept {
    encode_min_block(x, {0, 15}, out, nullptr, reinterpret_cast<std::uint8_t*>(out) + 16);
}

void encode_q5_k(std::span<const float> x, std::byte* out) noexcept {
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    encode_min_block(x, {0, 31}, out, bytes + 16, bytes + 48);
}

void encode_q6_k(std::span<const float> x, std::byte* out) noexcept {
    SixBlock block = first_guess_six(x);
    for (int round = 0; round < kRounds; ++round) {
        improve_integers(x, block);
        improve_float(x, block);
    }
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    std::memset(bytes, 0, 192);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const int code = nearest_code(x[i], block.rule(i / kSixSubSize), kSixBits) + 32;
        const std::size_t half = i / 128;
        const std::size_t quarter = i % 128 / 32;
        std::uint8_t& low = bytes[half * 64 + quarter % 2 * 32 + i % 32];
        std::uint8_t& high = bytes[128 + half * 32 + i % 32];
        low = static_cast<std::uint8_t>(low | ((code & 0xF) << (quarter / 2 * 4)));
        high = static_cast<std::uint8_t>(high | ((code >> 4) << (quarter * 2)));
    }
    for (std::size_t sub = 0; sub < kSixSubBlocks; ++sub)
        bytes[192 + sub] = static_cast<std::uint8_t>(block.scales[sub]);
    put_half(out + 208, block.d);
}

} // namespace vitrine::engine
