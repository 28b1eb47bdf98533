// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/body: one policy per weight format: how a block of 32 k x lanes rows becomes codes and scales.
// Layouts: kernels/cpu/repack/band_layout.h.
#pragma once

#include "kernels/cpu/simd/lanes.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

constexpr int kVector = 4 * kLanes; // bytes of one vector: 4 k of every row

// ---- code planes: 8 groups of 4 k ----------------------------------------------------------------------------------

template <int kShift>
[[gnu::always_inline]] inline B shift_right(B x) {
    if constexpr (kShift > 0)
        return (B)((W)x >> kShift);
    else if constexpr (kShift < 0)
        return (B)((W)x << -kShift);
    else
        return x;
}

struct Plane4 { // vector v: group 2v in the low nibbles, 2v + 1 in the high ones
    static constexpr int kBytes = 4 * kVector;
    [[gnu::always_inline]] static void unpack(const std::uint8_t* p, B (&q)[8]) {
        const B mask = splat_byte(15);
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v) {
            const B both = load_bytes(p + v * kVector);
            q[2 * v] = both & mask;
            q[2 * v + 1] = shift_right<4>(both) & mask;
        }
    }
};

struct Plane8 { // vector g: group g
    static constexpr int kBytes = 8 * kVector;
    [[gnu::always_inline]] static void unpack(const std::uint8_t* p, B (&q)[8]) {
#pragma GCC unroll 8
        for (int g = 0; g < 8; ++g)
            q[g] = load_bytes(p + g * kVector);
    }
};

struct Plane2 { // vector v: groups 4v .. 4v + 3 in bit pairs
    static constexpr int kBytes = 2 * kVector;
    [[gnu::always_inline]] static void unpack(const std::uint8_t* p, B (&q)[8]) {
        const B mask = splat_byte(3);
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
            const B all = load_bytes(p + v * kVector);
            q[4 * v] = all & mask;
            q[4 * v + 1] = shift_right<2>(all) & mask;
            q[4 * v + 2] = shift_right<4>(all) & mask;
            q[4 * v + 3] = shift_right<6>(all) & mask;
        }
    }
};

/// One more bit above the kLow bits of Low: one vector, bit g belongs to group g.
template <class Low, int kLow>
struct PlusBit {
    static constexpr int kBytes = Low::kBytes + kVector;
    template <int kGroup>
    [[gnu::always_inline]] static B bit(B all) {
        return shift_right<kGroup - kLow>(all) & splat_byte(1 << kLow);
    }
    [[gnu::always_inline]] static void unpack(const std::uint8_t* p, B (&q)[8]) {
        Low::unpack(p, q);
        const B all = load_bytes(p + Low::kBytes);
        q[0] |= bit<0>(all);
        q[1] |= bit<1>(all);
        q[2] |= bit<2>(all);
        q[3] |= bit<3>(all);
        q[4] |= bit<4>(all);
        q[5] |= bit<5>(all);
        q[6] |= bit<6>(all);
        q[7] |= bit<7>(all);
    }
};

/// Two more bits above four: two vectors as in Plane2.
struct Plane4PlusPair {
    static constexpr int kBytes = Plane4::kBytes + 2 * kVector;
    [[gnu::always_inline]] static void unpack(const std::uint8_t* p, B (&q)[8]) {
        Plane4::unpack(p, q);
        const B mask = splat_byte(0x30);
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
            const B all = load_bytes(p + Plane4::kBytes + v * kVector);
            q[4 * v] |= shift_right<-4>(all) & mask;
            q[4 * v + 1] |= shift_right<-2>(all) & mask;
            q[4 * v + 2] |= all & mask;
            q[4 * v + 3] |= shift_right<2>(all) & mask;
        }
    }
};

// Table values, + 128 where codes are unsigned.  From the GGUF specification (ggml): IQ4 and doubled E2M1.
constexpr int kCodeBias = kSignedCodes ? 0 : 128;
constexpr std::uint8_t table_byte(int value) {
    return static_cast<std::uint8_t>(value + kCodeBias);
}
struct Iq4Values {
    static constexpr std::uint8_t kTable[16] = {table_byte(-127), table_byte(-104), table_byte(-83), table_byte(-65),
        table_byte(-49), table_byte(-35), table_byte(-22), table_byte(-10), table_byte(1), table_byte(13),
        table_byte(25), table_byte(38), table_byte(53), table_byte(69), table_byte(89), table_byte(113)};
};
struct Fp4Values {
    static constexpr std::uint8_t kTable[16] = {table_byte(0), table_byte(1), table_byte(2), table_byte(3),
        table_byte(4), table_byte(6), table_byte(8), table_byte(12), table_byte(0), table_byte(-1), table_byte(-2),
        table_byte(-3), table_byte(-4), table_byte(-6), table_byte(-8), table_byte(-12)};
};

template <class Values>
struct PlaneTable {
    static constexpr int kBytes = Plane4::kBytes;
    [[gnu::always_inline]] static void unpack(const std::uint8_t* p, B (&q)[8]) {
        Plane4::unpack(p, q);
#pragma GCC unroll 8
        for (B& codes : q)
            codes = look_up(codes, Values::kTable);
    }
};

// ---- scales ----------------------------------------------------------------------------------------------------------
// A super block of kBlocks blocks starts with kHeaderBytes; each block's scales follow its codes.

struct Scales { // of 32 k; `min` is added times the sum of activations
    F d, min;
};
struct HalfScales { // of 16 k each
    F d[2], min[2];
};
struct Header {
    F d, min;
};

[[gnu::always_inline]] inline const std::uint16_t* words(const std::uint8_t* p) {
    return reinterpret_cast<const std::uint16_t*>(p);
}

struct ScaleF16 {
    static constexpr int kBlocks = 1, kHeaderBytes = 0, kBytes = 2 * kLanes;
    static constexpr bool kHalves = false, kMin = false;
    [[gnu::always_inline]] static Header header(const std::uint8_t*) { return {zero(), zero()}; }
    [[gnu::always_inline]] static Scales scales(const std::uint8_t* p, const Header&) {
        return {load_f16(words(p)), zero()};
    }
};
struct ScaleMinF16 {
    static constexpr int kBlocks = 1, kHeaderBytes = 0, kBytes = 4 * kLanes;
    static constexpr bool kHalves = false, kMin = true;
    [[gnu::always_inline]] static Header header(const std::uint8_t*) { return {zero(), zero()}; }
    [[gnu::always_inline]] static Scales scales(const std::uint8_t* p, const Header&) {
        return {load_f16(words(p)), load_f16(words(p) + kLanes)};
    }
};
struct ScaleBf16 {
    static constexpr int kBlocks = 1, kHeaderBytes = 0, kBytes = 2 * kLanes;
    static constexpr bool kHalves = false, kMin = false;
    [[gnu::always_inline]] static Header header(const std::uint8_t*) { return {zero(), zero()}; }
    [[gnu::always_inline]] static Scales scales(const std::uint8_t* p, const Header&) {
        return {load_bf16(words(p)), zero()};
    }
};
struct ScaleK { // f16 d, dmin per 256; u8 scale, min per 32 (Q4_K, Q5_K)
    static constexpr int kBlocks = 8, kHeaderBytes = 4 * kLanes, kBytes = 2 * kLanes;
    static constexpr bool kHalves = false, kMin = true;
    [[gnu::always_inline]] static Header header(const std::uint8_t* p) {
        return {load_f16(words(p)), -load_f16(words(p) + kLanes)};
    }
    [[gnu::always_inline]] static Scales scales(const std::uint8_t* p, const Header& header) {
        return {header.d * load_u8(p), header.min * load_u8(p + kLanes)};
    }
};
struct ScaleS8 { // f16 d per 256; s8 scale per 32 (IQ4_XS)
    static constexpr int kBlocks = 8, kHeaderBytes = 2 * kLanes, kBytes = kLanes;
    static constexpr bool kHalves = false, kMin = false;
    [[gnu::always_inline]] static Header header(const std::uint8_t* p) { return {load_f16(words(p)), zero()}; }
    [[gnu::always_inline]] static Scales scales(const std::uint8_t* p, const Header& header) {
        return {header.d * load_s8(reinterpret_cast<const std::int8_t*>(p)), zero()};
    }
};
struct HalfScaleS8 { // f16 d per 256; s8 scale per 16 (Q6_K, Q3_K)
    static constexpr int kBlocks = 8, kHeaderBytes = 2 * kLanes, kBytes = 2 * kLanes;
    static constexpr bool kHalves = true, kMin = false;
    [[gnu::always_inline]] static Header header(const std::uint8_t* p) { return {load_f16(words(p)), zero()}; }
    [[gnu::always_inline]] static HalfScales scales(const std::uint8_t* p, const Header& header) {
        const auto* s = reinterpret_cast<const std::int8_t*>(p);
        return {{header.d * load_s8(s), header.d * load_s8(s + kLanes)}, {zero(), zero()}};
    }
};
struct HalfScaleMin4 { // f16 d, dmin per 256; nibbles scale, min per 16 (Q2_K)
    static constexpr int kBlocks = 8, kHeaderBytes = 4 * kLanes, kBytes = 2 * kLanes;
    static constexpr bool kHalves = true, kMin = true;
    [[gnu::always_inline]] static Header header(const std::uint8_t* p) {
        // Divided by -128 because the panel keeps half sums as -128 * sum; a power of two, so exact.
        return {load_f16(words(p)), load_f16(words(p) + kLanes) * splat(1.0F / 128.0F)};
    }
    [[gnu::always_inline]] static HalfScales scales(const std::uint8_t* p, const Header& header) {
        const I first = load_u8_int(p);
        const I second = load_u8_int(p + kLanes);
        const I mask = splat_int(15);
        return {{header.d * to_float(first & mask), header.d * to_float(second & mask)},
            {header.min * to_float(first >> 4), header.min * to_float(second >> 4)}};
    }
};

/// kBits: of the codes as multiplied.  kZeroShift: codes carry an offset of 128 >> kZeroShift; -1: none.
template <class PlaneT, class ScaleT, int kBitsV, int kZeroShiftV>
struct Codec {
    using Plane = PlaneT;
    using Scale = ScaleT;
    static constexpr int kBits = kBitsV;
    static constexpr int kZeroShift = kZeroShiftV;
};

constexpr int kWideZero = kSignedCodes ? -1 : 0; // 8-bit codes
using CodecQ4_0 = Codec<Plane4, ScaleF16, 4, 4>;
using CodecQ4_1 = Codec<Plane4, ScaleMinF16, 4, -1>;
using CodecQ5_0 = Codec<PlusBit<Plane4, 4>, ScaleF16, 5, 3>;
using CodecQ5_1 = Codec<PlusBit<Plane4, 4>, ScaleMinF16, 5, -1>;
using CodecQ8_0 = Codec<Plane8, ScaleF16, 8, kWideZero>;
using CodecQ2K = Codec<Plane2, HalfScaleMin4, 2, -1>;
using CodecQ3K = Codec<PlusBit<Plane2, 2>, HalfScaleS8, 3, 5>;
using CodecQ4K = Codec<Plane4, ScaleK, 4, -1>;
using CodecQ5K = Codec<PlusBit<Plane4, 4>, ScaleK, 5, -1>;
using CodecQ6K = Codec<Plane4PlusPair, HalfScaleS8, 6, 2>;
using CodecIq4Nl = Codec<PlaneTable<Iq4Values>, ScaleF16, 8, kWideZero>;
using CodecIq4Xs = Codec<PlaneTable<Iq4Values>, ScaleS8, 8, kWideZero>;
using CodecMxfp4 = Codec<PlaneTable<Fp4Values>, ScaleBf16, 8, kWideZero>;

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
