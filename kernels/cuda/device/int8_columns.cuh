// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: activations to int8 with a scale for each 32, from the f16 fragments that the op before left;
// from the f32 row where f16 clips or loses bits.  Four neighbouring lanes hold a group: lane t its k = 4 t + {0..3} and 16
// further, as a fragment has them.  A group's bits depend on nothing outside it.
#pragma once

#include "kernels/cuda/device/int8_formats.cuh"
#include "kernels/cuda/device/slices.cuh"

namespace vitrine::kernels {

struct Int8Group {
    uint2 bytes; // of this lane
    float scale;
    int first, second; // sums of the group's sixteens
};

/// Without the sums.
struct FastGroup {
    uint2 bytes;
    float scale;
    bool in_range; // else quantize_floats() is needed
};

/// Two f16 pairs of integers + 1536 to bytes k, k + 2, k + 1, k + 3.
__device__ __forceinline__ uint32_t pack_bytes(uint32_t first, uint32_t second) {
    return __byte_perm(first, second, 0x6240);
}
__device__ __forceinline__ uint32_t split_bf16(float value) {
    const __nv_bfloat16 high = __float2bfloat16_rn(value);
    const __nv_bfloat16 low = __float2bfloat16_rn(value - __bfloat162float(high));
    return static_cast<uint32_t>(__bfloat16_as_ushort(high)) | static_cast<uint32_t>(__bfloat16_as_ushort(low)) << 16;
}
/// The nearest number of 20 bits.
__device__ __forceinline__ float short_scale(float scale) {
    return __uint_as_float((__float_as_uint(scale) + 8) & ~15U);
}

/// From f32; a whole warp.  Rare, so not fast.
static __device__ __noinline__ FastGroup quantize_floats(const LinearArgs& args, int column, int group) {
    const int place = args.first_place + column;
    const int row = args.rows != nullptr ? args.rows[place] : place;
    const float* values = args.input + static_cast<std::int64_t>(row) * args.in_dim;
    float v[8];
    float most = 0;
    float poison = 0; // NaN where a value is not finite
    for (int i = 0; i < 8; ++i) {
        const int k = group * 32 + static_cast<int>(threadIdx.x) % 4 * 4 + i / 4 * 16 + i % 4;
        v[i] = k >= args.in_dim ? 0 : args.gain != nullptr ? values[k] * args.gain[k] : values[k];
        most = fmaxf(most, fabsf(v[i]));
        poison = fmaf(v[i], 0.0F, poison);
    }
    for (int step = 1; step < 4; step *= 2) {
        most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFU, most, step));
        poison += __shfl_xor_sync(0xFFFFFFFFU, poison, step);
    }
    const bool usable = most > 1e-30F && most < INFINITY;
    const float inverse = usable ? 127.0F / most : 0.0F;
    uint32_t whole[8];
    for (int i = 0; i < 8; ++i)
        whole[i] = __float_as_uint(fmaf(v[i], inverse, kIntBase));
    const auto bytes = [&](int i) {
        return __byte_perm(
            __byte_perm(whole[i], whole[i + 2], 0x0040), __byte_perm(whole[i + 1], whole[i + 3], 0x0040), 0x5410);
    };
    return {{bytes(0), bytes(4)}, isnan(poison) ? poison : usable ? short_scale(most / 127) : 0.0F, true};
}

/// The group of this lane and its three neighbours; v: eight f16 values of it.  A whole warp.
__device__ __forceinline__ FastGroup quantize_halves(const uint4& v) {
    __half2 pair = __hmax2_nan(__hmax2_nan(__habs2(as_half2(v.x)), __habs2(as_half2(v.y))),
        __hmax2_nan(__habs2(as_half2(v.z)), __habs2(as_half2(v.w))));
    pair = __hmax2_nan(pair, as_half2(__shfl_xor_sync(0xFFFFFFFFU, as_bits(pair), 1)));
    pair = __hmax2_nan(pair, as_half2(__shfl_xor_sync(0xFFFFFFFFU, as_bits(pair), 2)));
    const int largest = __half_as_ushort(__hmax_nan(__low2half(pair), __high2half(pair)));
    // A power of two brings the largest magnitude to [1, 2), where all that follows is in f16's range.
    const int exponent = largest >> 10;
    const __half grow = __ushort_as_half(static_cast<unsigned short>((30 - exponent) << 10));
    const float most = __half2float(__hmul(__ushort_as_half(static_cast<unsigned short>(largest)), grow));
    const __half inverse = __float2half_rn(__fdividef(127.0F, most));
    const auto whole = [&](uint32_t bits) { // f16 1536 + integer, one rounding
        return as_bits(
            __hfma2(__hmul2(as_half2(bits), __half2half2(grow)), __half2half2(inverse), __float2half2_rn(1536)));
    };
    const float unit = __int_as_float((exponent + 112) << 23); // 2^(exponent - 15)
    return {{pack_bytes(whole(v.x), whole(v.y)), pack_bytes(whole(v.z), whole(v.w))},
        short_scale(__fdividef(unit, __half2float(inverse))), largest >= 0x0400 && largest <= 0x7400}; // 2^-14, 16384
}
/// With the sums of its sixteens.  A whole warp.
__device__ __forceinline__ Int8Group summed(const FastGroup& group) {
    // Both sums in one word: each below 2^11.
    constexpr int kOne = 0x01010101;
    int sums = __dp4a(static_cast<int>(group.bytes.y), kOne, 0) * 65536;
    sums = __dp4a(static_cast<int>(group.bytes.x), kOne, sums);
    sums += __shfl_xor_sync(0xFFFFFFFFU, sums, 1);
    sums += __shfl_xor_sync(0xFFFFFFFFU, sums, 2);
    const int first = static_cast<short>(sums & 0xFFFF);
    return {group.bytes, group.scale, first, (sums - first) >> 16};
}

/// A warp: `count` chunks of one row alone from `begin` on, to `halves`, which has room for their f16 numbers.
__device__ __forceinline__ void request_single(
    const LinearArgs& args, uint16_t* halves, int begin, int count, int lane) {
#pragma unroll 1
    for (int i = 0; i < count; ++i)
        copy_async16(halves + i * 256 + lane * 8, args.image + (begin + i) * 256 + lane * 8);
    copy_async_commit();
}
/// What was requested, to int8.
template <bool kMins, bool kHalves>
__device__ __forceinline__ void stage_single(
    const LinearArgs& args, const uint16_t* halves, Int8Chunk* chunks, int begin, int count, int lane) {
    constexpr int kBatch = 2; // chains of dependent instructions side by side
    copy_async_wait<0>(); // each lane reads what it copied
    const int g = lane / 4;
#pragma unroll 1
    for (int base = 0; base < count; base += kBatch) {
        FastGroup fast[kBatch];
        bool in_range = true;
#pragma unroll
        for (int i = 0; i < kBatch; ++i) { // a chunk too many is worked out, and not stored
            fast[i] =
                quantize_halves(*reinterpret_cast<const uint4*>(halves + min(base + i, count - 1) * 256 + lane * 8));
            in_range = in_range && fast[i].in_range;
        }
        if (!__all_sync(0xFFFFFFFFU, in_range)) {
            for (int i = 0; i < kBatch; ++i) {
                const FastGroup exact = quantize_floats(args, 0, (begin + min(base + i, count - 1)) * 8 + g);
                if (!fast[i].in_range)
                    fast[i] = exact;
            }
        }
#pragma unroll
        for (int i = 0; i < kBatch; ++i) {
            const Int8Group group = summed(fast[i]);
            if (base + i >= count)
                break;
            Int8Chunk& to = chunks[base + i];
            to.bytes[lane] = group.bytes;
            if (lane % 4 == 0) {
                to.scale[g] = group.scale;
                if constexpr (kMins)
                    to.sum[g] = split_bf16(static_cast<float>(group.first + group.second) * group.scale);
                if constexpr (kHalves)
                    *reinterpret_cast<int2*>(to.offset + 2 * g) = {-32 * group.first, -32 * group.second};
            }
        }
    }
    __syncwarp();
}

__device__ __forceinline__ Int8Rows rows_at(unsigned char* chunk, const Int8Place& place) {
    return {chunk, reinterpret_cast<float*>(chunk + place.scale()), reinterpret_cast<uint32_t*>(chunk + place.sum()),
        reinterpret_cast<int*>(chunk + place.offset()), place.columns};
}
/// Four bytes of a group: of lane t, first or second sixteen.
__device__ __forceinline__ void put_word(
    unsigned char* bytes, const Int8Place& place, int group, int column, int t, int half, uint32_t word) {
    const int n = group % 8;
    const int at = ((n / 2 * place.columns + column) * 4 + t) * 16 + n % 2 * 8;
    *reinterpret_cast<uint32_t*>(bytes + static_cast<std::int64_t>(group / 8) * place.stride() + at + half * 4) = word;
}
/// What else there is to a group.
__device__ __forceinline__ void put_tables(
    unsigned char* bytes, const Int8Place& place, int group, int column, float scale, int first, int second) {
    const int n = group % 8;
    const Int8Rows to = rows_at(bytes + static_cast<std::int64_t>(group / 8) * place.stride(), place);
    to.scale[(n / 2 * 4 + column / 2) * 4 + n % 2 * 2 + column % 2] = scale;
    if (place.mins)
        to.sum[n * 8 + column] = split_bf16(static_cast<float>(first + second) * scale);
    if (place.halves) {
        to.offset[n * 16 + column] = kIntMagic - 32 * first;
        to.offset[n * 16 + 8 + column] = kIntMagic - 32 * second;
    }
}

/// Quantizes a group whose values lie in neighbouring lanes: one a lane, in order, or two in sixteen lanes: k and k + 8 of each
/// sixteen.  `index`: of the lane in the group.  The bits are those of quantize_halves().  A whole warp; only `active` groups
/// are stored.
template <int kValues>
__device__ __forceinline__ void feed_group(unsigned char* bytes, const Int8Place& place, int group, int column,
    int index, const float (&v)[kValues], bool active) {
    constexpr int kLanes = 32 / kValues;
    __half h[kValues];
    int largest = 0; // bits: their order is that of magnitudes, NaN above all
#pragma unroll
    for (int e = 0; e < kValues; ++e) {
        h[e] = __float2half_rn(v[e]);
        largest = max(largest, static_cast<int>(__half_as_ushort(h[e])) & 0x7FFF);
    }
#pragma unroll
    for (int step = 1; step < kLanes; step *= 2)
        largest = max(largest, __shfl_xor_sync(0xFFFFFFFFU, largest, step));
    const int exponent = largest >> 10;
    const __half grow = __ushort_as_half(static_cast<unsigned short>((30 - exponent) << 10));
    const float most = __half2float(__hmul(__ushort_as_half(static_cast<unsigned short>(largest)), grow));
    const __half inverse = __float2half_rn(__fdividef(127.0F, most));
    const float unit = __int_as_float((exponent + 112) << 23);
    float scale = short_scale(__fdividef(unit, __half2float(inverse)));
    uint32_t whole[kValues];
#pragma unroll
    for (int e = 0; e < kValues; ++e)
        whole[e] = __half_as_ushort(__hfma(__hmul(h[e], grow), inverse, __float2half_rn(1536)));
    const bool in_range = largest >= 0x0400 && largest <= 0x7400;
    if (!__all_sync(0xFFFFFFFFU, in_range || !active)) { // as quantize_floats()
        float top = 0;
        float poison = 0;
#pragma unroll
        for (int e = 0; e < kValues; ++e) {
            top = fmaxf(top, fabsf(v[e]));
            poison = fmaf(v[e], 0.0F, poison);
        }
        for (int step = 1; step < kLanes; step *= 2) {
            top = fmaxf(top, __shfl_xor_sync(0xFFFFFFFFU, top, step));
            poison += __shfl_xor_sync(0xFFFFFFFFU, poison, step);
        }
        const bool usable = top > 1e-30F && top < INFINITY;
        const float exact = usable ? 127.0F / top : 0.0F;
        if (!in_range) {
#pragma unroll
            for (int e = 0; e < kValues; ++e)
                whole[e] = __float_as_uint(fmaf(v[e], exact, kIntBase));
            scale = isnan(poison) ? poison : usable ? short_scale(top / 127) : 0.0F;
        }
    }
    const int half = index / (kLanes / 2);
    constexpr int kShifts = 0x18081000; // of k mod 4: bytes k, k + 2, k + 1, k + 3
    const int shift = (kShifts >> (index % 4 * 8)) & 31;
    int sum = 0;
#pragma unroll
    for (int e = 0; e < kValues; ++e) {
        sum += static_cast<signed char>(whole[e] & 0xFFU);
        uint32_t word = (whole[e] & 0xFFU) << shift;
        word |= __shfl_xor_sync(0xFFFFFFFFU, word, 1);
        word |= __shfl_xor_sync(0xFFFFFFFFU, word, 2);
        const int t = kValues == 1 ? index % 16 / 4 : e * 2 + index % 8 / 4;
        if (active && index % 4 == 0)
            put_word(bytes, place, group, column, t, half, word);
    }
#pragma unroll
    for (int step = 1; step < kLanes / 2; step *= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, step);
    const int other = __shfl_xor_sync(0xFFFFFFFFU, sum, kLanes / 2);
    if (active && index == 0)
        put_tables(bytes, place, group, column, scale, sum, other);
}

} // namespace vitrine::kernels
