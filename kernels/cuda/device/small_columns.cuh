// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: the activations of a block of the small linear kernel: f16 fragments in shared memory, scaled by
// powers of two where f16 would clip or lose bits, and the sums of their groups for formats with minimums.
#pragma once

#include "kernels/cuda/device/small_layout.cuh"

namespace vitrine::kernels {

/// f16 numbers of a slice that are out of range become numbers scaled by a power of two.  Rare, so not fast.
__device__ __noinline__ inline float rescale_slice(
    const LinearArgs& args, int column, int begin, int end, int first, uint16_t* fragments) {
    const int place = args.first_place + column;
    const int row = args.rows != nullptr ? args.rows[place] : place;
    const float* values = args.input + static_cast<std::int64_t>(row) * args.in_dim;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const auto value = [&](int k) { return args.gain != nullptr ? values[k] * args.gain[k] : values[k]; };
    float largest = 0;
    for (int k = begin + lane; k < min(end, args.in_dim); k += 32)
        largest = fmaxf(largest, fabsf(value(k)));
    const float grow = slice_factor(warp_max(largest));
    for (int k = begin + lane; k < min(end, args.in_dim); k += 32)
        fragments[fragment_offset(k - first, column, args.num_columns * 4)] =
            __half_as_ushort(__float2half_rn(value(k) / grow));
    __syncwarp();
    return grow;
}

template <int kCols>
class SmallColumns {
public:
    using S = SmallShape<kCols>;

    /// `sums`: [chunk of 256][column][8]; both begin with the block's first slice.
    __device__ __forceinline__ SmallColumns(
        const LinearArgs& args, const SmallPlace& at, unsigned char* memory, const SmallLayout& layout)
        : args_(args), at_(at) {
        arrived_ = reinterpret_cast<uint64_t*>(memory) + 2 * S::kSlots;
        fragments_ = reinterpret_cast<uint16_t*>(memory + layout.fragments);
        sums_ = reinterpret_cast<uint32_t*>(memory + layout.sums);
        slice_scales_ = reinterpret_cast<float*>(memory + layout.slice_scales);
        row_scales_ = reinterpret_cast<float*>(memory + layout.row_scales);
        largest_ = reinterpret_cast<int*>(memory + layout.largest);
        stored_ = S::kSingle ? 1 : args.num_columns;
        first_ = slice_begin(args.padded_dim, args.unit, at.rank * at.slices);
        begin_ = slice_begin(args.padded_dim, args.unit, at.slice);
        end_ = slice_begin(args.padded_dim, args.unit, at.slice + 1);
        mine_ = at.lane % 4 + (S::kSingle ? 0 : min(at.lane / 4, args.num_columns - 1) * 4);
    }
    /// Before the image may be read; then thread 0 must fence its barriers and the block's threads meet.
    __device__ __forceinline__ void clear() const {
        for (int i = 0; threadIdx.x == 0 && i < kSlices; ++i)
            barrier_init(arrived_ + i, 1);
        for (int i = static_cast<int>(threadIdx.x); !S::kSingle && i < at_.slices * kCols; i += kSmallThreads)
            largest_[i] = 0;
    }
    /// Brings the slices of the block to shared memory, finds their scales and sums.
    template <bool kSums>
    __device__ __forceinline__ void stage() {
        // The column whose norm this warp finds; of one column not warp 0, which has the first epilogue.
        const int column = S::kSingle ? kSmallWarps - 1 - at_.warp : at_.warp;
        const bool normed = column < args_.num_columns && args_.squares != nullptr;
        NormParts parts;
        scale_ = 1;
        if (normed)
            parts.load(
                args_.squares + static_cast<std::int64_t>(column) * args_.squares_stride, args_.in_dim, at_.lane);
        const auto put_norm = [&] {
            const float norm = normed ? parts.scale(args_.in_dim, args_.eps) : 1.0F;
            if (at_.lane == 0 && column < args_.num_columns)
                row_scales_[column] = norm;
        };
        if constexpr (S::kSingle) {
            if (!in_range(bring_single<kSums>()))
                settle_single<kSums>();
            put_norm();
            __syncwarp();
        } else {
            bring();
            put_norm();
            sync();
            for (bool again = true; again;) {
                survey<kSums>();
                sync();
                again = settle();
                sync();
            }
        }
    }

    /// Fragments of a group of 32 of the block's K.
    __device__ __forceinline__ uint4 piece(int group) const {
        return *reinterpret_cast<const uint4*>(fragments_ + (group * stored_ * 4 + mine_) * 8);
    }
    __device__ __forceinline__ uint2 sum(int chunk) const {
        const int at = (chunk * stored_ + mine_ / 4) * 8 + at_.lane % 4;
        return {sums_[at], sums_[at + 4]};
    }
    /// First group of 32 of the block.
    __device__ __forceinline__ int first_group() const { return first_ / 32; }
    /// Of this warp's slice and this lane's two columns.
    __device__ __forceinline__ float2 slice_scales() const {
        if constexpr (S::kSingle)
            return {scale_, scale_};
        return *reinterpret_cast<const float2*>(slice_scales_ + at_.local_slice * kCols + at_.lane % 4 * 2);
    }
    __device__ __forceinline__ const float* row_scales() const { return row_scales_; }

private:
    /// Warps of one slice: this one alone, or as many as the block has tiles.
    __device__ __forceinline__ void sync() const {
        if (!S::kSingle && at_.cluster > 1)
            __syncthreads();
        else
            __syncwarp();
    }
    /// Several columns.
    __device__ __forceinline__ void bring() const {
        if (begin_ >= end_)
            return;
        const int halves = (end_ - begin_) * stored_;
        const uint16_t* from = args_.image + static_cast<std::int64_t>(begin_) * stored_;
        uint16_t* to = fragments_ + (begin_ - first_) * stored_;
#if __CUDA_ARCH__ >= 900
        uint64_t* arrived = arrived_ + at_.local_slice;
        if (at_.sub == 0 && at_.lane == 0) {
            barrier_expect(arrived, static_cast<uint32_t>(halves * 2));
            bulk_copy(to, from, static_cast<uint32_t>(halves * 2), arrived);
        }
        barrier_wait(arrived, 0);
#else
        for (int at = at_.lane * 8; at < halves; at += 256)
            *reinterpret_cast<uint4*>(to + at) = *reinterpret_cast<const uint4*>(from + at);
#endif
    }
    __device__ __forceinline__ bool in_range(float largest) const {
        return begin_ >= end_ || in_f16_range(largest);
    }
    /// One column: a lane has what it loads as the fragment of the mma with ones, a group in each of its columns; see
    /// split_sum().  Largest magnitude.
    template <bool kSums>
    __device__ __forceinline__ float bring_single() const {
        constexpr int kBatch = 4; // round trips of 1024 of the slice
        __half2 most = __float2half2_rn(0);
        for (int base = begin_; base < end_; base += kBatch * 256) {
            uint4 v[kBatch];
#pragma unroll
            for (int i = 0; i < kBatch; ++i) {
                const int k = base + i * 256 + at_.lane * 8;
                v[i] = k < end_ ? *reinterpret_cast<const uint4*>(args_.image + k) : uint4{0, 0, 0, 0};
            }
#pragma unroll
            for (int i = 0; i < kBatch; ++i) {
                const int k = base + i * 256;
                if (k >= end_)
                    break;
                if (k + at_.lane * 8 < end_)
                    *reinterpret_cast<uint4*>(fragments_ + k + at_.lane * 8) = v[i];
                most = larger(most, v[i]);
                put_single_sums<kSums>(k, v[i]);
            }
        }
        return warp_max(fmaxf(__low2float(most), __high2float(most)));
    }
    template <bool kSums>
    __device__ __forceinline__ void put_single_sums(int k, const uint4& b) const {
        if constexpr (kSums) {
            constexpr uint32_t kOne[4] = {kOnes, kOnes, kOnes, kOnes};
            float sum[4] = {};
            mma(sum, kOne, b.x, b.y);
            mma(sum, kOne, b.z, b.w);
            for (int i = 0; i < 2 && at_.lane < 4; ++i) {
                if (k + (at_.lane * 2 + i) * 32 < end_)
                    sums_[k / 32 + at_.lane * 2 + i] = split_sum(sum[i]);
            }
        }
    }
    /// Rare, so not fast.
    template <bool kSums>
    __device__ __forceinline__ void settle_single() {
        __syncwarp();
        scale_ = rescale_slice(args_, 0, begin_, end_, 0, fragments_);
        for (int k = begin_; k < end_; k += 256) {
            uint4 v{0, 0, 0, 0};
            if (k + at_.lane * 8 < end_)
                v = *reinterpret_cast<const uint4*>(fragments_ + k + at_.lane * 8);
            put_single_sums<kSums>(k, v);
        }
    }
    /// Largest magnitude of each column of the slice, and the sums of its groups of 32 by the mma with ones.
    template <bool kSums>
    __device__ __forceinline__ void survey() const {
        constexpr uint32_t kOne[4] = {kOnes, kOnes, kOnes, kOnes};
        const int last = (end_ - first_) / 32;
        __half2 most = __float2half2_rn(0);
#pragma unroll 4
        for (int group = (begin_ - first_) / 32 + at_.sub; group < last; group += at_.cluster) {
            const uint4 b = piece(group);
            most = larger(most, b);
            if constexpr (kSums) {
                float sum[4] = {};
                mma(sum, kOne, b.x, b.y);
                mma(sum, kOne, b.z, b.w);
                for (int i = 0; i < 2 && at_.lane < 4; ++i) {
                    const int m = at_.lane * 2 + i;
                    if (m < args_.num_columns)
                        sums_[(group / 8 * stored_ + m) * 8 + group % 8] = split_sum(sum[i]);
                }
            }
        }
        float largest = fmaxf(__low2float(most), __high2float(most));
        largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFFU, largest, 1));
        largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFFU, largest, 2));
        if (at_.lane % 4 == 0 && at_.lane / 4 < args_.num_columns)
            atomicMax(largest_ + at_.local_slice * kCols + at_.lane / 4, __float_as_int(largest)); // not negative
        __syncwarp();
    }
    __device__ __forceinline__ static __half2 larger(__half2 most, const uint4& b) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            most = __hmax2(most, __habs2(as_half2(pick(b, i))));
        return most;
    }
    /// The scales of this warp's slice, once; true if fragments had to change.
    __device__ __forceinline__ bool settle() {
        bool changed = false;
        for (int m = at_.sub; m < args_.num_columns && !settled_; m += at_.cluster) {
            const int index = at_.local_slice * kCols + m;
            float grow = 1;
            if (!in_range(__int_as_float(largest_[index])))
                grow = rescale_slice(args_, m, begin_, end_, first_, fragments_);
            if (at_.lane == 0)
                slice_scales_[index] = grow;
            changed = changed || grow != 1;
        }
        settled_ = true;
        return !S::kSingle && at_.cluster > 1 ? __syncthreads_or(changed) != 0 : changed;
    }

    const LinearArgs& args_;
    const SmallPlace& at_;
    uint64_t* arrived_; // a barrier for each slice of the block
    uint16_t* fragments_;
    uint32_t* sums_;
    float *slice_scales_, *row_scales_;
    int* largest_;
    int stored_, first_, begin_, end_;
    bool settled_ = false;
    float scale_ = 1; // single: of this warp's slice
    int mine_; // this lane's fragment among those of a group; columns that do not exist repeat the last
};

} // namespace vitrine::kernels
