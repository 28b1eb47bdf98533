// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: how a 16-row tile lies in memory, and how a warp multiplies one chunk of it.
#pragma once

#include "kernels/cuda/device/primitives.cuh"
#include "kernels/cuda/launch.h"

// Lane l = (g = l / 4, t = l % 4) of mma.m16n8k16 owns rows g and g + 8.  In step j of a 64-wide piece c it owns the four
// logical weights k = 64 c + 16 j + 4 t + i; activations are stored in the same order (fragment_offset), so the
// permutation of k inside a step costs nothing.
//
// Q4_K and Q6_K: the A fragment is scale of the group times code, an integer in units of 2^-24 (codes are f16 subnormals by
// bits alone), so that a chunk of 256 needs one multiplication of its accumulators; mins meet the sums of the activations in
// one more step.  The other formats: weights rounded to f16.

namespace vitrine::kernels {

/// Place of activation k of column m, in halves; `lanes` = 4 * stored columns.
__host__ __device__ __forceinline__ int fragment_offset(int k, int m, int lanes) {
    const int c = k >> 6;
    const int j = (k >> 4) & 3;
    return ((c * 2 + (j >> 1)) * lanes + m * 4 + ((k >> 2) & 3)) * 8 + (j & 1) * 4 + (k & 3);
}

inline constexpr uint32_t kMagic = 0x64006400; // f16 1024 in both halves
inline constexpr uint32_t kOnes = 0x3C003C00; // f16 1 in both halves
inline constexpr float kCodeUnit = 16777216.0F; // 2^24: what an f16 subnormal counts by
inline constexpr float kSumUnit = 32; // sums of 32 activations are stored divided by it
inline constexpr float kByteMagic = 8388608.0F; // 2^23: a byte under 0x4B000000 is 2^23 + byte

/// 2^23 as a register whose value the assembler does not know: as an immediate it would take the place of PRMT's selector, which
/// would then be moved into a register each time.
__device__ __forceinline__ uint32_t byte_magic() {
    uint32_t value;
    asm("{\n"
        ".reg .u32 zero;\n"
        "mov.u32 zero, %%nsmid;\n" // far below 2^24
        "shr.u32 zero, zero, 24;\n"
        "or.b32 %0, zero, 0x4B000000;\n"
        "}\n"
        : "=r"(value));
    return value;
}
/// scale * byte `index` of `word`, one rounding.  Requires: neg_offset == -scale * 2^23.
__device__ __forceinline__ float scaled_byte(uint32_t word, int index, uint32_t magic, float scale, float neg_offset) {
    return fmaf(scale, __uint_as_float(__byte_perm(word, magic, 0x7440 + index)), neg_offset);
}
/// The same for bytes + 128: 2^15 + byte, so that scale, an f16 number, times kSignedMagic is exact.
inline constexpr float kSignedMagic = 32768 + 128;
__device__ __forceinline__ uint32_t signed_magic() {
    return byte_magic() ^ (0x4B000000U ^ 0x47000000U);
}
/// scale * (byte - 128), exact.  Requires: neg_offset == -scale * kSignedMagic.
__device__ __forceinline__ float scaled_signed_byte(
    uint32_t word, int index, uint32_t magic, float scale, float neg_offset) {
    return fmaf(scale, __uint_as_float(__byte_perm(word, magic, 0x7404 + index * 16)), neg_offset);
}

/// f16 1024 + code of the eight nibbles of a step; rows g + 8 carry 16 times the code.
__device__ __forceinline__ void nibbles_to_half(uint32_t word, uint32_t magic, uint32_t (&a)[4]) {
    const uint32_t high = word >> 8;
    a[0] = and_or(word, 0x000F000FU, magic);
    a[1] = and_or(word, 0x00F000F0U, magic);
    a[2] = and_or(high, 0x000F000FU, magic);
    a[3] = and_or(high, 0x00F000F0U, magic);
}
/// Codes of a step as bytes + 128, row g then row g + 8, to f16 1024 + byte.
__device__ __forceinline__ void bytes_to_half(uint32_t low, uint32_t high, uint32_t (&a)[4]) {
    a[0] = __byte_perm(low, kMagic, 0x5150);
    a[1] = __byte_perm(high, kMagic, 0x5150);
    a[2] = __byte_perm(low, kMagic, 0x5352);
    a[3] = __byte_perm(high, kMagic, 0x5352);
}
__device__ __forceinline__ uint32_t pick(const uint4& v, int i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

/// Where a chunk is: in global memory, read once; or in shared memory.
struct StreamSource {
    __device__ __forceinline__ static uint4 load16(const uint8_t* at) { return load_stream16(at); }
    __device__ __forceinline__ static uint2 load8(const uint8_t* at) { return load_stream8(at); }
    __device__ __forceinline__ static uint32_t load4(const uint8_t* at) { return load_stream4(at); }
};
struct SharedSource {
    __device__ __forceinline__ static uint4 load16(const uint8_t* at) { return *reinterpret_cast<const uint4*>(at); }
    __device__ __forceinline__ static uint2 load8(const uint8_t* at) { return *reinterpret_cast<const uint2*>(at); }
    __device__ __forceinline__ static uint32_t load4(const uint8_t* at) {
        return *reinterpret_cast<const uint32_t*>(at);
    }
};

/// weight = scale * (a - offset) + min of rows g (low) and g + 8 (high), a: what decode() gives.
struct GroupScale {
    float low = 1, high = 1, min_low = 0, min_high = 0;
};

/// What a chunk's accumulators are multiplied by, rows g and g + 8, and those of its mins.
struct ChunkScale {
    float low, high, min_low, min_high;
};
__device__ __forceinline__ __half2 as_half2(uint32_t bits) {
    return *reinterpret_cast<const __half2*>(&bits);
}
__device__ __forceinline__ uint32_t as_bits(__half2 value) {
    return *reinterpret_cast<const uint32_t*>(&value);
}
__device__ __forceinline__ uint32_t offset_half2(uint32_t bits, float offset) {
    return as_bits(__hsub2(as_half2(bits), __float2half2_rn(offset)));
}
/// Byte `index` - (offset - 1024), exact, in both halves.
__device__ __forceinline__ __half2 splat_byte(uint32_t word, int index, float offset) {
    const uint32_t selector = 0x4040U + static_cast<uint32_t>(index) * 0x0101U;
    return as_half2(offset_half2(__byte_perm(word, 0x64646464U, selector), offset));
}
__device__ __forceinline__ uint32_t times(uint32_t bits, __half2 factor) {
    return as_bits(__hmul2(as_half2(bits), factor));
}
__device__ __forceinline__ uint32_t times_plus(uint32_t bits, __half2 factor, __half2 addend) {
    return as_bits(__hfma2(as_half2(bits), factor, addend));
}

// A policy: Regs (one chunk as a lane holds it); load_base and load_piece (what all 64-wide pieces share, and one piece);
// decode (the two steps of group `group` of 32, a scale for each 16 if kPerStep).  kScaled: false where the A fragment is the
// weight itself.  kHighNibble: rows g + 8 carry 16 times the code.  kChunkScale: decode_codes() and chunk_scale() exist;
// kSums: decode_mins() too.  kDepth: chunks in flight in the small kernel; kRing: in the wide kernel's ring.

/// Q4_0, Q4_1: [lane][16 B codes][g][half2 (d, min) of row g groups 0, 1, row g + 8 groups 0, 1].
struct TileQ4 {
    static constexpr TileFormat kFormat = TileFormat::q4;
    static constexpr int kDepth = 4;
    static constexpr int kRing = 10;
    static constexpr bool kScaled = true, kPerStep = false, kHasMin = true;
    static constexpr bool kChunkScale = false, kSums = false;
    static constexpr bool kHighNibble = true;
    static constexpr float kOffsetLow = 1024, kOffsetHigh = 1024;
    struct Regs {
        uint4 codes;
        uint4 scales;
    };
    template <class Source>
    __device__ __forceinline__ static void load_base(Regs& r, const uint8_t* chunk, int lane) {
        r.scales = Source::load16(chunk + 512 + lane / 4 * 16);
    }
    template <class Source>
    __device__ __forceinline__ static void load_piece(Regs& r, const uint8_t* chunk, int lane, int) {
        r.codes = Source::load16(chunk + lane * 16);
    }
    __device__ __forceinline__ static void decode(
        const Regs& r, int group, uint32_t (&a)[2][4], GroupScale (&scale)[1]) {
        nibbles_to_half(pick(r.codes, 2 * group), kMagic, a[0]);
        nibbles_to_half(pick(r.codes, 2 * group + 1), kMagic, a[1]);
        const float2 low = unpack_half2(pick(r.scales, group));
        const float2 high = unpack_half2(pick(r.scales, 2 + group));
        scale[0] = {low.x, high.x * 0.0625F, low.y, high.y};
    }
};

/// Q4_K: four pieces of codes, [g][row g: 8 scales, 8 mins; row g + 8], [g][half2 (d, dmin) of row g, of row g + 8].
struct TileQ4K {
    static constexpr TileFormat kFormat = TileFormat::q4k;
    static constexpr int kDepth = 2;
    static constexpr int kRing = 3;
    static constexpr bool kScaled = true, kPerStep = false, kHasMin = true;
    static constexpr bool kChunkScale = true, kSums = true;
    static constexpr bool kHighNibble = true;
    static constexpr float kOffsetLow = 1024, kOffsetHigh = 1024;
    struct Regs {
        uint4 codes[4];
        uint4 low;
        uint4 high;
        uint2 d;
    };
    template <class Source>
    __device__ __forceinline__ static void load_base(Regs& r, const uint8_t* chunk, int lane) {
        r.low = Source::load16(chunk + 2048 + lane / 4 * 32);
        r.high = Source::load16(chunk + 2048 + lane / 4 * 32 + 16);
        r.d = Source::load8(chunk + 2304 + lane / 4 * 8);
    }
    template <class Source>
    __device__ __forceinline__ static void load_piece(Regs& r, const uint8_t* chunk, int lane, int p) {
        r.codes[p] = Source::load16(chunk + p * 512 + lane * 16);
    }
    __device__ __forceinline__ static void decode(
        const Regs& r, int group, uint32_t (&a)[2][4], GroupScale (&scale)[1]) {
        const float2 low = unpack_half2(r.d.x);
        const float2 high = unpack_half2(r.d.y);
        const float d16 = high.x * 0.0625F;
        const uint32_t magic = byte_magic();
        const uint4 codes = r.codes[group / 2];
        nibbles_to_half(pick(codes, group % 2 * 2), kMagic, a[0]);
        nibbles_to_half(pick(codes, group % 2 * 2 + 1), kMagic, a[1]);
        const int byte = group % 4;
        scale[0] = {scaled_byte(pick(r.low, group / 4), byte, magic, low.x, -low.x * kByteMagic),
            scaled_byte(pick(r.high, group / 4), byte, magic, d16, -d16 * kByteMagic),
            scaled_byte(pick(r.low, 2 + group / 4), byte, magic, -low.y, low.y * kByteMagic),
            scaled_byte(pick(r.high, 2 + group / 4), byte, magic, -high.y, high.y * kByteMagic)};
    }
    /// Scale times code, rows g + 8 times 16.
    __device__ __forceinline__ static void decode_codes(const Regs& r, int group, uint32_t (&a)[2][4]) {
        const uint4 codes = r.codes[group / 2];
        nibbles_to_half(pick(codes, group % 2 * 2), 0, a[0]);
        nibbles_to_half(pick(codes, group % 2 * 2 + 1), 0, a[1]);
        const __half2 low = splat_byte(pick(r.low, group / 4), group % 4, 1024);
        const __half2 high = splat_byte(pick(r.high, group / 4), group % 4, 1024);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
#pragma unroll
            for (int e = 0; e < 4; ++e)
                a[i][e] = times(a[i][e], e % 2 == 0 ? low : high);
        }
    }
    /// A fragment of the mins of the chunk's eight groups, twice each: against the two parts of their sums.
    __device__ __forceinline__ static void decode_mins(const Regs& r, int lane, uint32_t (&a)[4]) {
        const uint32_t selector = 0x4040U + static_cast<uint32_t>(lane % 4) * 0x0101U;
        a[0] = offset_half2(__byte_perm(r.low.z, 0x64646464U, selector), 1024);
        a[1] = offset_half2(__byte_perm(r.high.z, 0x64646464U, selector), 1024);
        a[2] = offset_half2(__byte_perm(r.low.w, 0x64646464U, selector), 1024);
        a[3] = offset_half2(__byte_perm(r.high.w, 0x64646464U, selector), 1024);
    }
    __device__ __forceinline__ static ChunkScale chunk_scale(const Regs& r) {
        const float2 low = unpack_half2(r.d.x);
        const float2 high = unpack_half2(r.d.y);
        return {low.x * kCodeUnit, high.x * (kCodeUnit * 0.0625F), -kSumUnit * low.y, -kSumUnit * high.y};
    }
};

/// Q6_K: low nibbles as Q4_K; two high bits of each code, two steps a word; [g][16 scales + 128 of row g, of row g + 8];
/// [g][half d of row g, of row g + 8].
struct TileQ6K {
    static constexpr TileFormat kFormat = TileFormat::q6k;
    static constexpr int kDepth = 2;
    static constexpr int kRing = 2;
    static constexpr bool kScaled = true, kPerStep = true, kHasMin = false;
    static constexpr bool kChunkScale = true, kSums = false;
    static constexpr bool kHighNibble = true;
    static constexpr float kOffsetLow = 1056, kOffsetHigh = 1536; // 1024 + 32, 1024 + 16 * 32
    struct Regs {
        uint4 codes[4];
        uint4 bits[2];
        uint4 low;
        uint4 high;
        uint32_t d;
    };
    template <class Source>
    __device__ __forceinline__ static void load_base(Regs& r, const uint8_t* chunk, int lane) {
        r.bits[0] = Source::load16(chunk + 2048 + lane * 16);
        r.bits[1] = Source::load16(chunk + 2560 + lane * 16);
        r.low = Source::load16(chunk + 3072 + lane / 4 * 32);
        r.high = Source::load16(chunk + 3072 + lane / 4 * 32 + 16);
        r.d = Source::load4(chunk + 3328 + lane / 4 * 4);
    }
    template <class Source>
    __device__ __forceinline__ static void load_piece(Regs& r, const uint8_t* chunk, int lane, int p) {
        r.codes[p] = Source::load16(chunk + p * 512 + lane * 16);
    }
    /// Bits of step parity s, in each half: s = 0: a0 4-5, a1 8-9, a2 6-7, a3 10-11; s = 1: a0 0-1, a2 2-3, a1 12-13, a3 14-15.
    __device__ __forceinline__ static void add_bits(uint32_t h, int s, uint32_t (&a)[4]) {
        a[0] = and_or(s == 0 ? h : h << 4, 0x00300030U, a[0]);
        a[1] = and_or(s == 0 ? h : h >> 4, 0x03000300U, a[1]);
        a[2] = and_or(s == 0 ? h >> 2 : h << 2, 0x00300030U, a[2]);
        a[3] = and_or(s == 0 ? h >> 2 : h >> 6, 0x03000300U, a[3]);
    }
    __device__ __forceinline__ static void decode(
        const Regs& r, int group, uint32_t (&a)[2][4], GroupScale (&scale)[2]) {
        const float d_low = half_bits(r.d & 0xFFFFU);
        const float d_high = half_bits(r.d >> 16) * 0.0625F;
        const uint32_t magic = signed_magic();
        const int p = group / 2;
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int j = group % 2 * 2 + i;
            nibbles_to_half(pick(r.codes[p], j), kMagic, a[i]);
            add_bits(pick(r.bits[p / 2], group % 4), i, a[i]);
            scale[i].low = scaled_signed_byte(pick(r.low, p), j, magic, d_low, -d_low * kSignedMagic);
            scale[i].high = scaled_signed_byte(pick(r.high, p), j, magic, d_high, -d_high * kSignedMagic);
        }
    }
    /// Scale times (code - 32), rows g + 8 times 16; beyond 2048 rounded to even.
    __device__ __forceinline__ static void decode_codes(const Regs& r, int group, uint32_t (&a)[2][4]) {
        const int p = group / 2;
        const __half2 offset_low = __float2half2_rn(-32 / kCodeUnit);
        const __half2 offset_high = __float2half2_rn(-512 / kCodeUnit);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int j = group % 2 * 2 + i;
            nibbles_to_half(pick(r.codes[p], j), 0, a[i]);
            add_bits(pick(r.bits[p / 2], group % 4), i, a[i]);
            const __half2 low = splat_byte(pick(r.low, p), j, 1152);
            const __half2 high = splat_byte(pick(r.high, p), j, 1152);
            const __half2 less_low = __hmul2(low, offset_low);
            const __half2 less_high = __hmul2(high, offset_high);
#pragma unroll
            for (int e = 0; e < 4; ++e)
                a[i][e] = e % 2 == 0 ? times_plus(a[i][e], low, less_low) : times_plus(a[i][e], high, less_high);
        }
    }
    __device__ __forceinline__ static void decode_mins(const Regs&, int, uint32_t (&)[4]) {}
    __device__ __forceinline__ static ChunkScale chunk_scale(const Regs& r) {
        return {half_bits(r.d & 0xFFFFU) * kCodeUnit, half_bits(r.d >> 16) * (kCodeUnit * 0.0625F), 0, 0};
    }
};

/// Q8_0: [v][lane][words: row g, g + 8 of step 2v, row g, g + 8 of step 2v + 1], [g][half d of row g groups 0, 1, row g + 8].
struct TileQ8 {
    static constexpr TileFormat kFormat = TileFormat::q8;
    static constexpr int kDepth = 2;
    static constexpr int kRing = 6;
    static constexpr bool kScaled = true, kPerStep = false, kHasMin = false;
    static constexpr bool kChunkScale = false, kSums = false;
    static constexpr bool kHighNibble = false;
    static constexpr float kOffsetLow = 1152, kOffsetHigh = 1152;
    struct Regs {
        uint4 codes[2];
        uint2 scales;
    };
    template <class Source>
    __device__ __forceinline__ static void load_base(Regs& r, const uint8_t* chunk, int lane) {
        r.scales = Source::load8(chunk + 1024 + lane / 4 * 8);
    }
    template <class Source>
    __device__ __forceinline__ static void load_piece(Regs& r, const uint8_t* chunk, int lane, int) {
        r.codes[0] = Source::load16(chunk + lane * 16);
        r.codes[1] = Source::load16(chunk + 512 + lane * 16);
    }
    __device__ __forceinline__ static void decode(
        const Regs& r, int group, uint32_t (&a)[2][4], GroupScale (&scale)[1]) {
        bytes_to_half(r.codes[group].x, r.codes[group].y, a[0]);
        bytes_to_half(r.codes[group].z, r.codes[group].w, a[1]);
        const float2 low = unpack_half2(r.scales.x);
        const float2 high = unpack_half2(r.scales.y);
        scale[0].low = group == 0 ? low.x : low.y;
        scale[0].high = group == 0 ? high.x : high.y;
    }
};

/// Every other format, exact: codes as Q8_0, then [step][g][float scale, min of row g, scale, min of row g + 8];
/// weight = scale * code - min.
struct TileG8 {
    static constexpr TileFormat kFormat = TileFormat::g8;
    static constexpr int kDepth = 1;
    static constexpr int kRing = 4;
    static constexpr bool kScaled = true, kPerStep = true, kHasMin = true;
    static constexpr bool kChunkScale = false, kSums = false;
    static constexpr bool kHighNibble = false;
    static constexpr float kOffsetLow = 1152, kOffsetHigh = 1152;
    struct Regs {
        uint4 codes[2];
        uint4 scales[4];
    };
    template <class Source>
    __device__ __forceinline__ static void load_base(Regs& r, const uint8_t* chunk, int lane) {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            r.scales[j] = Source::load16(chunk + 1024 + j * 128 + lane / 4 * 16);
    }
    template <class Source>
    __device__ __forceinline__ static void load_piece(Regs& r, const uint8_t* chunk, int lane, int) {
        r.codes[0] = Source::load16(chunk + lane * 16);
        r.codes[1] = Source::load16(chunk + 512 + lane * 16);
    }
    __device__ __forceinline__ static void decode(
        const Regs& r, int group, uint32_t (&a)[2][4], GroupScale (&scale)[2]) {
        bytes_to_half(r.codes[group].x, r.codes[group].y, a[0]);
        bytes_to_half(r.codes[group].z, r.codes[group].w, a[1]);
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const uint4 s = r.scales[group * 2 + i];
            scale[i] = {__uint_as_float(s.x), __uint_as_float(s.z), -__uint_as_float(s.y), -__uint_as_float(s.w)};
        }
    }
};

/// F16, and F32 and BF16 as f16 with a power-of-two scale per row: [step][lane][the A fragment].
struct TileH16 {
    static constexpr TileFormat kFormat = TileFormat::h16;
    static constexpr int kDepth = 2;
    static constexpr int kRing = 3;
    static constexpr bool kScaled = false, kPerStep = false, kHasMin = false;
    static constexpr bool kChunkScale = false, kSums = false;
    static constexpr bool kHighNibble = false;
    static constexpr float kOffsetLow = 0, kOffsetHigh = 0;
    struct Regs {
        uint4 a[4];
    };
    template <class Source>
    __device__ __forceinline__ static void load_base(Regs&, const uint8_t*, int) {}
    template <class Source>
    __device__ __forceinline__ static void load_piece(Regs& r, const uint8_t* chunk, int lane, int) {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            r.a[j] = Source::load16(chunk + j * 512 + lane * 16);
    }
    __device__ __forceinline__ static void decode(const Regs& r, int group, uint32_t (&a)[2][4], GroupScale (&)[1]) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const uint4 v = r.a[group * 2 + i];
            a[i][0] = v.x;
            a[i][1] = v.y;
            a[i][2] = v.z;
            a[i][3] = v.w;
        }
    }
};

template <class F>
inline constexpr int kScalesPerGroup = F::kPerStep ? 2 : 1;
template <class F>
inline constexpr int kGroupsPerChunk = tile_info(F::kFormat).chunk_weights / 32;

template <class F, class Source>
__device__ __forceinline__ void load_chunk(typename F::Regs& r, const uint8_t* chunk, int lane) {
#pragma unroll
    for (int p = 0; p < kGroupsPerChunk<F> / 2; ++p)
        F::template load_piece<Source>(r, chunk, lane, p);
    F::template load_base<Source>(r, chunk, lane);
}

/// What to_weights() multiplies weights by, so that small scales stay normal f16 numbers.
template <class F>
inline constexpr float kWeightFactor = weight_factor(F::kFormat);

/// What a product must be multiplied by where decode_exact() made the A fragments.
template <class F>
inline constexpr float kExactFactor = F::kChunkScale ? 1.0F : 1.0F / kWeightFactor<F>;

/// A fragments of a group as f16 weights times kWeightFactor, in place; the scale is rounded to f16 too.
template <class F>
__device__ __forceinline__ void to_weights(uint32_t (&a)[2][4], const GroupScale (&scale)[kScalesPerGroup<F>]) {
    if constexpr (F::kScaled) {
        const auto two = [](float value) { return __float2half2_rn(value); };
        // Rows g + 8 of nibble formats carry 16 times the code.
        constexpr float kShrink = F::kHighNibble ? 0.0625F : 1.0F;
        constexpr float kHighFactor = kWeightFactor<F> / kShrink;
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const GroupScale& s = scale[F::kPerStep ? i : 0];
            const __half2 scales[2] = {two(s.low * kWeightFactor<F>), two(s.high * kHighFactor)};
            const __half2 mins[2] = {two(s.min_low * kWeightFactor<F>), two(s.min_high * kWeightFactor<F>)};
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const __half2 raw = *reinterpret_cast<const __half2*>(&a[i][e]);
                const __half2 code = e % 2 == 0 ? __hsub2(raw, two(F::kOffsetLow))
                                                : __hfma2(raw, two(kShrink), two(-F::kOffsetHigh * kShrink));
                const __half2 weight =
                    F::kHasMin ? __hfma2(code, scales[e % 2], mins[e % 2]) : __hmul2(code, scales[e % 2]);
                a[i][e] = *reinterpret_cast<const uint32_t*>(&weight);
            }
        }
    }
}

/// A fragments of a group: of a chunk's codes if kChunkScale, else weights.
template <class F>
__device__ __forceinline__ void decode_exact(const typename F::Regs& r, int group, uint32_t (&a)[2][4]) {
    if constexpr (F::kChunkScale) {
        F::decode_codes(r, group, a);
    } else {
        GroupScale scale[kScalesPerGroup<F>];
        F::decode(r, group, a, scale);
        to_weights<F>(a, scale);
    }
}
/// A sum of 32 activations in two f16 parts.
__device__ __forceinline__ uint32_t split_sum(float sum) {
    const float scaled = sum / kSumUnit;
    const __half high = __float2half_rn(scaled);
    const __half low = __float2half_rn(scaled - __half2float(high));
    return static_cast<uint32_t>(__half_as_ushort(high)) | static_cast<uint32_t>(__half_as_ushort(low)) << 16;
}

} // namespace vitrine::kernels
