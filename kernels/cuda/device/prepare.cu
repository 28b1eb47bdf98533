// SPDX-License-Identifier: GPL-3.0-or-later
// Rows to f16, times the gain of their norm, in the order that the kernel of the product reads.
#include "kernels/cuda/device/epilogue.cuh"

namespace vitrine::kernels {
namespace {

constexpr int kThreads = 1024; // few rows: the latency of one counts
constexpr int kStride = kThreads * 4;
constexpr int kBatch = 4; // loads under way

__device__ __forceinline__ float4 load_values(const float* values, int k, int count) {
    if (k >= count)
        return {0, 0, 0, 0};
    if (count % 4 == 0)
        return *reinterpret_cast<const float4*>(values + k);
    float4 v{values[k], 0, 0, 0};
    v.y = k + 1 < count ? values[k + 1] : 0;
    v.z = k + 2 < count ? values[k + 2] : 0;
    v.w = k + 3 < count ? values[k + 3] : 0;
    return v;
}

struct Row {
    const float* values;
    uint16_t* halves; // shared, [padded_dim]
    float* squares; // shared, [padded_dim / 16]
    float* largest; // shared, [kSlices]
};

/// The slice that k lies in.
__device__ __forceinline__ int slice_of(const PrepareArgs& args, int k) {
    const int units = args.padded_dim / args.unit;
    return ((k / args.unit + 1) * kSlices + units - 1) / units - 1;
}

/// Four values at k: sums of squares, largest magnitude, and the halves divided by the slice's factor.
__device__ __forceinline__ void convert_four(
    const PrepareArgs& args, const Row& row, int k, float4 v, const float4& gain, const float* factors) {
    if (args.gain != nullptr) {
        const int partner = 2; // lane that holds k + 8
        const float4 other{__shfl_xor_sync(0xFFFFFFFFU, v.x, partner), __shfl_xor_sync(0xFFFFFFFFU, v.y, partner),
            __shfl_xor_sync(0xFFFFFFFFU, v.z, partner), __shfl_xor_sync(0xFFFFFFFFU, v.w, partner)};
        float sum = (pair_square(v.x, other.x) + pair_square(v.y, other.y)) +
            (pair_square(v.z, other.z) + pair_square(v.w, other.w));
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, 1);
        if (k < args.padded_dim && k % 16 == 0)
            row.squares[k / 16] = sum;
        v = {v.x * gain.x, v.y * gain.y, v.z * gain.z, v.w * gain.w};
    }
    float most = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
#pragma unroll
    for (int step = 1; step < 16; step *= 2) // 64 values lie in one slice
        most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFU, most, step));
    if (k >= args.padded_dim)
        return;
    if (factors != nullptr) {
        const float factor = factors[slice_of(args, k)];
        v = {v.x / factor, v.y / factor, v.z / factor, v.w / factor};
    } else if (threadIdx.x % 16 == 0 && args.row_scales != nullptr) {
        atomicMax(reinterpret_cast<int*>(row.largest + slice_of(args, k)), __float_as_int(most)); // not negative
    }
    *reinterpret_cast<uint2*>(row.halves + k) = {pack_half2(v.x, v.y), pack_half2(v.z, v.w)};
}

/// The whole block; `factors`: null at first.
__device__ void convert_row(const PrepareArgs& args, const Row& row, const float* factors) {
    for (int base = 0; base < args.padded_dim; base += kBatch * kStride) {
        const int first = base + static_cast<int>(threadIdx.x) * 4;
        float4 values[kBatch];
        float4 gains[kBatch] = {};
#pragma unroll
        for (int i = 0; i < kBatch; ++i)
            values[i] = load_values(row.values, first + i * kStride, args.in_dim);
        if (args.gain != nullptr) {
#pragma unroll
            for (int i = 0; i < kBatch; ++i)
                gains[i] = load_values(args.gain, first + i * kStride, args.in_dim);
        }
#pragma unroll
        for (int i = 0; i < kBatch; ++i) {
            if (base + i * kStride < args.padded_dim) // the same in all threads: they shuffle
                convert_four(args, row, first + i * kStride, values[i], gains[i], factors);
        }
    }
}

/// 64 values of K as 16 B chunks of the place's row of 128 B, swizzled and in the k order of the tiles.
__device__ void put_columns(const PrepareArgs& args, const Row& row, int place) {
    const int block = place / args.block_columns;
    const int columns = (block + 1) * args.block_columns >= args.num_rows ? args.last_columns : args.block_columns;
    const int n = place % args.block_columns;
    auto* base =
        reinterpret_cast<unsigned char*>(args.image) + block * column_block_bytes(args.block_columns, args.padded_dim);
    const int stride = column_piece_bytes(columns);
    for (int i = static_cast<int>(threadIdx.x); i < args.padded_dim / 8; i += kThreads) {
        const int c = i / 8;
        const int part = i % 8;
        const uint16_t* from = row.halves + c * 64 + part / 2 * 16 + part % 2 * 2;
        const uint4 v{*reinterpret_cast<const uint32_t*>(from), *reinterpret_cast<const uint32_t*>(from + 4),
            *reinterpret_cast<const uint32_t*>(from + 8), *reinterpret_cast<const uint32_t*>(from + 12)};
        *reinterpret_cast<uint4*>(base + static_cast<std::int64_t>(c) * stride + n * 128 + ((part ^ (n & 7)) * 16)) = v;
    }
    if (args.whole_rows)
        return; // for kernels that round weights
    // Sums as the small kernels get them: the mma with ones, here with a group of 32 in each column.
    auto* sums = base + static_cast<std::int64_t>(stride) * (args.padded_dim / 64);
    constexpr uint32_t kOne[4] = {kOnes, kOnes, kOnes, kOnes};
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int first = static_cast<int>(threadIdx.x) / 32 * 8; first * 32 < args.padded_dim; first += kThreads / 32 * 8) {
        const int k = (first + lane / 4) * 32 + lane % 4 * 4;
        uint2 step[2] = {};
        if (k < args.padded_dim) {
            step[0] = *reinterpret_cast<const uint2*>(row.halves + k);
            step[1] = *reinterpret_cast<const uint2*>(row.halves + k + 16);
        }
        float sum[4] = {};
        mma(sum, kOne, step[0].x, step[0].y);
        mma(sum, kOne, step[1].x, step[1].y);
        if (lane >= 4)
            continue;
        for (int i = 0; i < 2; ++i) {
            const int j = lane * 2 + i; // group of the chunk
            *reinterpret_cast<uint32_t*>(sums + static_cast<std::int64_t>(first / 8) * column_sums_bytes(columns) +
                n / 8 * 256 + j / 4 * 128 + n % 8 * 16 + j % 4 * 4) = split_sum(sum[i]);
        }
    }
}

__device__ void put_plain(const PrepareArgs& args, const Row& row, int place) {
    uint16_t* image =
        args.order == ImageOrder::rows ? args.image + static_cast<std::int64_t>(place) * args.padded_dim : args.image;
    for (int k = static_cast<int>(threadIdx.x) * 4; k < args.padded_dim; k += kStride) {
        const int at = args.order == ImageOrder::rows ? k : fragment_offset(k, place, args.num_rows * 4);
        *reinterpret_cast<uint2*>(image + at) = *reinterpret_cast<const uint2*>(row.halves + k);
    }
}

/// One block for each place.
__global__ void __launch_bounds__(kThreads) prepare_rows(const __grid_constant__ PrepareArgs args) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ float largest[kSlices];
    __shared__ float factors[kSlices];
    __shared__ bool rescale;
    pdl_trigger();
    const int place = static_cast<int>(blockIdx.x);
    auto* halves = reinterpret_cast<uint16_t*>(memory);
    if (threadIdx.x < kSlices)
        largest[threadIdx.x] = 0;
    __syncthreads();
    pdl_wait();
    const int line = args.rows != nullptr ? args.rows[args.first_place + place] : args.first_place + place;
    const Row row{args.input + static_cast<std::int64_t>(line) * args.in_dim, halves,
        reinterpret_cast<float*>(halves + args.padded_dim), largest};
    convert_row(args, row, nullptr);
    __syncthreads();
    const bool scaled = args.row_scales != nullptr;
    if (scaled && threadIdx.x < 32) {
        const int slice = static_cast<int>(threadIdx.x) % kSlices;
        float most = largest[slice];
        for (int step = 1; args.whole_rows && step < kSlices; step *= 2)
            most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFU, most, step));
        const float factor = slice_factor(most);
        factors[slice] = factor;
        const bool any = __any_sync(0xFFFFFFFFU, factor != 1);
        if (threadIdx.x == 0)
            rescale = any;
        if (!args.whole_rows && threadIdx.x < kSlices)
            args.slice_scales[static_cast<std::int64_t>(slice) * args.max_places + place] = factor;
        const float norm = args.gain != nullptr ? norm_scale(row.squares, args.in_dim, args.eps, threadIdx.x) : 1.0F;
        if (threadIdx.x == 0)
            args.row_scales[place] = args.whole_rows ? norm * factor : norm;
    }
    __syncthreads();
    if (scaled && rescale) {
        convert_row(args, row, factors);
        __syncthreads();
    }
    if (args.order == ImageOrder::columns)
        put_columns(args, row, place);
    else
        put_plain(args, row, place);
    if (args.squares == nullptr || args.gain == nullptr)
        return;
    for (int i = static_cast<int>(threadIdx.x); i < (args.in_dim + 15) / 16; i += kThreads)
        args.squares[static_cast<std::int64_t>(place) * args.squares_stride + i] = row.squares[i];
}

constexpr int kWholeThreads = 512;
constexpr int kWholeWarps = kWholeThreads / 32;

/// Sum and maximum over the block, for all threads.
__device__ __forceinline__ float2 sum_and_max(float sum, float most) {
    __shared__ float2 parts[kWholeWarps];
    const int lane = static_cast<int>(threadIdx.x) % 32;
    sum = warp_sum(sum);
    most = warp_max(most);
    if (lane == 0)
        parts[threadIdx.x / 32] = {sum, most};
    __syncthreads();
    const float2 part = parts[lane % kWholeWarps];
    sum = part.x;
    most = part.y;
#pragma unroll
    for (int step = kWholeWarps / 2; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, step);
        most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFU, most, step));
    }
    return {sum, most};
}
/// Four values from k on of a place, in either order.
__device__ __forceinline__ void put_four(const PrepareArgs& args, int place, int k, float4 v) {
    const uint2 halves{pack_half2(v.x, v.y), pack_half2(v.z, v.w)};
    if (args.order == ImageOrder::rows) {
        *reinterpret_cast<uint2*>(args.image + static_cast<std::int64_t>(place) * args.padded_dim + k) = halves;
        return;
    }
    const int width = args.block_columns;
    const PanelOffset offset(k, width); // k + 2, k + 3: the same place of the next chunk
    auto* block = args.image + place / width * (column_block_bytes(width, args.padded_dim) / 2);
    const int n = place % width;
    *reinterpret_cast<uint32_t*>(block + offset.at(n)) = halves.x;
    *reinterpret_cast<uint32_t*>(block + PanelOffset(k + 2, width).at(n)) = halves.y;
}
/// The same for readers that round weights: rows scaled as a whole, their values in registers.  One block for each place.
template <int kVectors>
__global__ void __launch_bounds__(kWholeThreads) prepare_whole_rows(const __grid_constant__ PrepareArgs args) {
    pdl_trigger();
    const int place = static_cast<int>(blockIdx.x);
    const int first = static_cast<int>(threadIdx.x) * 4;
    constexpr int kStep = kWholeThreads * 4;
    float4 gains[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        gains[i] = {1, 1, 1, 1};
        if (args.gain != nullptr)
            gains[i] = load_values(args.gain, first + i * kStep, args.in_dim);
    }
    pdl_wait();
    const int line = args.rows != nullptr ? args.rows[args.first_place + place] : args.first_place + place;
    const float* from = args.input + static_cast<std::int64_t>(line) * args.in_dim;
    float4 values[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i)
        values[i] = load_values(from, first + i * kStep, args.in_dim);
    float sum = 0;
    float most = 0;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        float4& v = values[i];
        sum += fmaf(v.x, v.x, v.y * v.y) + fmaf(v.z, v.z, v.w * v.w);
        v = {v.x * gains[i].x, v.y * gains[i].y, v.z * gains[i].z, v.w * gains[i].w};
        most = fmaxf(most, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
    }
    const float2 all = sum_and_max(sum, most);
    const float factor = slice_factor(all.y);
    if (threadIdx.x == 0)
        args.row_scales[place] =
            args.gain != nullptr ? rsqrtf(all.x / static_cast<float>(args.in_dim) + args.eps) * factor : factor;
    const float shrink = 1 / factor; // of a power of two: exact
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        const float4 v = values[i];
        if (first + i * kStep < args.padded_dim)
            put_four(args, place, first + i * kStep, {v.x * shrink, v.y * shrink, v.z * shrink, v.w * shrink});
    }
}

} // namespace

cudaError_t launch_prepare_rows(const PrepareArgs& args, cudaStream_t stream) {
    constexpr int kFew = 2, kMany = 8; // vectors of a thread
    if (args.whole_rows && args.squares == nullptr && args.in_dim % 4 == 0 &&
        args.padded_dim <= kMany * kWholeThreads * 4)
        return launch(
            args.padded_dim <= kFew * kWholeThreads * 4 ? prepare_whole_rows<kFew> : prepare_whole_rows<kMany>,
            dim3(args.num_rows), dim3(kWholeThreads), 0, stream, args);
    const int shared = args.padded_dim * 2 + args.padded_dim / 16 * 4;
    static const cudaError_t configured = raise_shared_limit(prepare_rows, 160 * 1024);
    if (configured != cudaSuccess)
        return configured;
    return launch(prepare_rows, dim3(args.num_rows), dim3(kThreads), shared, stream, args);
}

} // namespace vitrine::kernels
