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
#include <tuple>
#include <utility>

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

constexpr std::size_t kBlock = 256;

// ---- Q2_K, Q4_K, Q5_K: sub-blocks with x = d * scale * code - dmin * min ---------------------------------------------

/// kLargest: of scales and minima.
template <std::size_t kSubBlocks, int kLargest>
struct MinBlock {
    static constexpr std::size_t kSubs = kSubBlocks;
    static constexpr std::size_t kSubSize = kBlock / kSubBlocks;
    static constexpr int kMax = kLargest;
    float d = 0;
    float dmin = 0;
    std::array<int, kSubBlocks> scales{};
    std::array<int, kSubBlocks> mins{};

    [[nodiscard]] Affine rule(std::size_t sub) const {
        return {d * static_cast<float>(scales[sub]), -dmin * static_cast<float>(mins[sub])};
    }
};
using TwoBitBlock = MinBlock<16, 15>;
using FourBitBlock = MinBlock<8, 63>; // and five bits

template <class Fit>
FitBlock part_of(const FitBlock& x, std::size_t sub) {
    return x.part(sub * Fit::kSubSize, Fit::kSubSize);
}

template <class Fit>
double total_error(const FitBlock& x, const Fit& block, CodeRange range) {
    double total = 0;
    for (std::size_t sub = 0; sub < Fit::kSubs; ++sub)
        total += squared_error(part_of<Fit>(x, sub), block.rule(sub), range);
    return total;
}

template <class Fit>
Fit first_guess(const FitBlock& x, CodeRange range) {
    std::array<Affine, Fit::kSubs> fits;
    Fit block;
    for (std::size_t sub = 0; sub < Fit::kSubs; ++sub) {
        fits[sub] = fit_affine(part_of<Fit>(x, sub), range.high, true);
        block.d = std::max(block.d, fits[sub].scale / Fit::kMax);
        block.dmin = std::max(block.dmin, -fits[sub].offset / Fit::kMax);
    }
    block.d = as_half(block.d);
    block.dmin = as_half(block.dmin);
    for (std::size_t sub = 0; sub < Fit::kSubs; ++sub) {
        block.scales[sub] = block.d == 0 ? 0 : rounded(fits[sub].scale / block.d, 0, Fit::kMax);
        block.mins[sub] = block.dmin == 0 ? 0 : rounded(-fits[sub].offset / block.dmin, 0, Fit::kMax);
    }
    return block;
}

/// The neighbours of each scale and minimum, all nine at once.
template <class Fit>
void improve_integers(const FitBlock& x, Fit& block, CodeRange range) {
    for (std::size_t sub = 0; sub < Fit::kSubs; ++sub) {
        const int scale = block.scales[sub], min = block.mins[sub];
        RuleSet rules;
        std::array<std::pair<int, int>, RuleSet::kMost> integers;
        const auto add = [&](int s, int m) {
            if (s < 0 || s > Fit::kMax || m < 0 || m > Fit::kMax)
                return;
            integers[rules.count] = {s, m};
            rules.add({block.d * static_cast<float>(s), -block.dmin * static_cast<float>(m)});
        };
        add(scale, min); // stays unless another is better
        for (int s = scale - 1; s <= scale + 1; ++s)
            for (int m = min - 1; m <= min + 1; ++m)
                if (s != scale || m != min)
                    add(s, m);
        const auto errors = squared_errors(part_of<Fit>(x, sub), rules, range);
        const auto best = std::min_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(rules.count));
        std::tie(block.scales[sub], block.mins[sub]) = integers[static_cast<std::size_t>(best - errors.begin())];
    }
}

/// Least squares of x to d * a - dmin * b with a = scale * code, b = min, codes held.
template <class Fit>
void improve_floats(const FitBlock& x, Fit& block, CodeRange range) {
    double aa = 0;
    double ab = 0;
    double bb = 0;
    double ax = 0;
    double bx = 0;
    for (std::size_t sub = 0; sub < Fit::kSubs; ++sub) {
        const FitSums sums = fit_sums(part_of<Fit>(x, sub), block.rule(sub), range);
        const double scale = block.scales[sub], min = block.mins[sub];
        aa += scale * scale * sums.code_code;
        ab += scale * min * sums.code;
        bb += min * min * sums.count;
        ax += scale * sums.x_code;
        bx += min * sums.x;
    }
    const double determinant = aa * bb - ab * ab;
    Fit trial = block;
    if (determinant > 0) {
        trial.d = as_half(static_cast<float>((ax * bb - ab * bx) / determinant));
        trial.dmin = as_half(static_cast<float>((ab * ax - aa * bx) / determinant));
    } else if (aa > 0) {
        trial.d = as_half(static_cast<float>(ax / aa));
    }
    if (trial.d >= 0 && trial.dmin >= 0 && total_error(x, trial, range) < total_error(x, block, range))
        block = trial;
}

template <class Fit>
Fit fit_min_block(const FitBlock& x, CodeRange range) {
    Fit block = first_guess<Fit>(x, range);
    for (int round = 0; round < kRounds; ++round) {
        improve_integers(x, block, range);
        improve_floats(x, block, range);
    }
    return block;
}

template <class Fit>
std::array<std::int8_t, kBlock> codes_of(const FitBlock& x, const Fit& block, CodeRange range) {
    std::array<std::int8_t, kBlock> codes;
    for (std::size_t sub = 0; sub < Fit::kSubs; ++sub)
        nearest_codes(part_of<Fit>(x, sub).x, block.rule(sub), range, codes.data() + sub * Fit::kSubSize);
    return codes;
}

/// Six-bit scales and minima in twelve bytes, the inverse of the reader's unpacking.
void put_scales(std::uint8_t* packed, const FourBitBlock& block) {
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
    const FitBlock& x, CodeRange range, std::byte* out, std::uint8_t* high_bits, std::uint8_t* quants) {
    constexpr std::size_t kSubSize = FourBitBlock::kSubSize;
    const auto block = fit_min_block<FourBitBlock>(x, range);
    put_half(out, block.d);
    put_half(out + 2, block.dmin);
    put_scales(reinterpret_cast<std::uint8_t*>(out) + 4, block);
    const auto codes = codes_of(x, block, range);
    for (std::size_t pair = 0; pair < FourBitBlock::kSubs / 2; ++pair) {
        const std::int8_t* low = codes.data() + pair * 2 * kSubSize;
        for (std::size_t i = 0; i < kSubSize; ++i)
            quants[pair * kSubSize + i] = static_cast<std::uint8_t>((low[i] & 0xF) | ((low[i + kSubSize] & 0xF) << 4));
    }
    if (high_bits == nullptr)
        return;
    std::memset(high_bits, 0, kSubSize);
    for (std::size_t sub = 0; sub < FourBitBlock::kSubs; ++sub)
        for (std::size_t i = 0; i < kSubSize; ++i)
            high_bits[i] = static_cast<std::uint8_t>(high_bits[i] | ((codes[sub * kSubSize + i] >> 4) << sub));
}

// ---- Q3_K, Q6_K: sixteen sub-blocks of 16, x = d * scale * code ------------------------------------------------------

constexpr std::size_t kSignedSubs = 16;
constexpr std::size_t kSignedSize = 16;

struct SignedShape {
    CodeRange codes;
    CodeRange scales;
};
constexpr SignedShape kThreeBits{{-4, 3}, {-32, 31}};
constexpr SignedShape kSixBits{{-32, 31}, {-128, 127}};

struct SignedBlock {
    static constexpr std::size_t kSubs = kSignedSubs;
    static constexpr std::size_t kSubSize = kSignedSize;
    float d = 0;
    std::array<int, kSignedSubs> scales{};

    [[nodiscard]] Affine rule(std::size_t sub) const { return {d * static_cast<float>(scales[sub]), 0}; }
};

FitBlock signed_part(const FitBlock& x, std::size_t sub) {
    return x.part(sub * kSignedSize, kSignedSize);
}

double total_error(const FitBlock& x, const SignedBlock& block, const SignedShape& shape) {
    double total = 0;
    for (std::size_t sub = 0; sub < kSignedSubs; ++sub)
        total += squared_error(signed_part(x, sub), block.rule(sub), shape.codes);
    return total;
}

SignedBlock first_guess(const FitBlock& x, const SignedShape& shape) {
    std::array<float, kSignedSubs> fits{};
    float largest = 0;
    for (std::size_t sub = 0; sub < kSignedSubs; ++sub) {
        fits[sub] = fit_symmetric(signed_part(x, sub), shape.codes).scale;
        if (std::abs(fits[sub]) > std::abs(largest))
            largest = fits[sub];
    }
    SignedBlock block;
    block.d = as_half(largest / static_cast<float>(shape.scales.low));
    for (std::size_t sub = 0; sub < kSignedSubs; ++sub)
        block.scales[sub] = block.d == 0 ? 0 : rounded(fits[sub] / block.d, shape.scales.low, shape.scales.high);
    return block;
}

void improve_integers(const FitBlock& x, SignedBlock& block, const SignedShape& shape) {
    for (std::size_t sub = 0; sub < kSignedSubs; ++sub) {
        const int scale = block.scales[sub];
        double best = std::numeric_limits<double>::infinity();
        SignedBlock trial = block;
        for (int s = std::max(scale - 1, shape.scales.low); s <= std::min(scale + 1, shape.scales.high); ++s) {
            trial.scales[sub] = s;
            const double error = squared_error(signed_part(x, sub), trial.rule(sub), shape.codes);
            if (error < best) {
                best = error;
                block.scales[sub] = s;
            }
        }
    }
}

void improve_float(const FitBlock& x, SignedBlock& block, const SignedShape& shape) {
    double aa = 0;
    double ax = 0;
    for (std::size_t sub = 0; sub < kSignedSubs; ++sub) {
        const FitSums sums = fit_sums(signed_part(x, sub), block.rule(sub), shape.codes);
        const double scale = block.scales[sub];
        aa += scale * scale * sums.code_code;
        ax += scale * sums.x_code;
    }
    if (aa == 0)
        return;
    SignedBlock trial = block;
    trial.d = as_half(static_cast<float>(ax / aa));
    if (total_error(x, trial, shape) < total_error(x, block, shape))
        block = trial;
}

SignedBlock fit_signed_block(const FitBlock& x, const SignedShape& shape) {
    SignedBlock block = first_guess(x, shape);
    for (int round = 0; round < kRounds; ++round) {
        improve_integers(x, block, shape);
        improve_float(x, block, shape);
    }
    return block;
}

/// Two bits of weight i in the planes of Q2_K and Q3_K: 128 weights take 32 bytes, 32 weights a bit pair of each.
void put_two_bits(std::uint8_t* quants, std::size_t i, int code) {
    std::uint8_t& byte = quants[i / 128 * 32 + i % 32];
    byte = static_cast<std::uint8_t>(byte | (code << (i % 128 / 32 * 2)));
}

} // namespace

void encode_q4_k(const FitBlock& x, std::byte* out) noexcept {
    encode_min_block(x, {0, 15}, out, nullptr, reinterpret_cast<std::uint8_t*>(out) + 16);
}

void encode_q5_k(const FitBlock& x, std::byte* out) noexcept {
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    encode_min_block(x, {0, 31}, out, bytes + 16, bytes + 48);
}

void encode_q2_k(const FitBlock& x, std::byte* out) noexcept {
    constexpr CodeRange kCodes{0, 3};
    const auto block = fit_min_block<TwoBitBlock>(x, kCodes);
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    std::memset(bytes, 0, 80);
    for (std::size_t sub = 0; sub < TwoBitBlock::kSubs; ++sub)
        bytes[sub] = static_cast<std::uint8_t>(block.scales[sub] | (block.mins[sub] << 4));
    const auto codes = codes_of(x, block, kCodes);
    for (std::size_t i = 0; i < kBlock; ++i)
        put_two_bits(bytes + 16, i, codes[i]);
    put_half(out + 80, block.d);
    put_half(out + 82, block.dmin);
}

void encode_q3_k(const FitBlock& x, std::byte* out) noexcept {
    const SignedBlock block = fit_signed_block(x, kThreeBits);
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    std::memset(bytes, 0, 108);
    const auto codes = codes_of(x, block, kThreeBits.codes);
    for (std::size_t i = 0; i < kBlock; ++i) {
        const int code = codes[i] + 4;
        put_two_bits(bytes + 32, i, code & 3);
        bytes[i % 32] = static_cast<std::uint8_t>(bytes[i % 32] | ((code >> 2) << (i / 32)));
    }
    std::uint8_t* scales = bytes + 96; // four low bits in nibbles of the first eight, two high bits in the last four
    for (std::size_t sub = 0; sub < kSignedSubs; ++sub) {
        const int scale = block.scales[sub] + 32;
        scales[sub % 8] = static_cast<std::uint8_t>(scales[sub % 8] | ((scale & 0xF) << (sub / 8 * 4)));
        scales[8 + sub % 4] = static_cast<std::uint8_t>(scales[8 + sub % 4] | ((scale >> 4) << (sub / 4 * 2)));
    }
    put_half(out + 108, block.d);
}

void encode_q6_k(const FitBlock& x, std::byte* out) noexcept {
    const SignedBlock block = fit_signed_block(x, kSixBits);
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    auto codes = codes_of(x, block, kSixBits.codes);
    for (std::int8_t& code : codes)
        code = static_cast<std::int8_t>(code + 32);
    for (std::size_t half = 0; half < 2; ++half) {
        const std::int8_t* quarters = codes.data() + half * 128;
        for (std::size_t i = 0; i < 64; ++i)
            bytes[half * 64 + i] = static_cast<std::uint8_t>((quarters[i] & 0xF) | ((quarters[i + 64] & 0xF) << 4));
        for (std::size_t i = 0; i < 32; ++i)
            bytes[128 + half * 32 + i] = static_cast<std::uint8_t>((quarters[i] >> 4) | ((quarters[i + 32] >> 4) << 2) |
                ((quarters[i + 64] >> 4) << 4) | ((quarters[i + 96] >> 4) << 6));
    }
    for (std::size_t sub = 0; sub < kSignedSubs; ++sub)
        bytes[192 + sub] = static_cast<std::uint8_t>(block.scales[sub]);
    put_half(out + 208, block.d);
}

} // namespace vitrine::engine
