// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of more than 8 places on sm_90a with the bits of the small kernels: invariant mode.
#pragma once

#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/device/hopper.cuh"
#include "kernels/cuda/device/slices.cuh"
#include "kernels/cuda/device/tile_formats.cuh"

// A block holds 128 or 256 weight rows against all places of a pass: each warp brings the chunks of its tile through a ring of its own by bulk copies, turns them into A
// fragments in registers, and wgmma reads the activations that the block shares.  Few rows: a cluster of eight blocks takes
// a slice of K each and adds up through distributed shared memory, in slice order.
//
// A row's bits are those of the small kernels: wgmma and mma.sync add alike (gpu_measurements 7).

namespace vitrine::kernels {

template <int N>
struct WideShape {
    static constexpr int kRowWarps = N <= 32 ? 8 : 16;
    static constexpr int kBlocksPerSm = N <= 32 ? 2 : 1;
    static constexpr int kPieceBytes = column_piece_bytes(N); // 64 of K
    static constexpr int kStageBytes = (kPieceBytes + column_sums_bytes(N) + 1023) / 1024 * 1024;
    static constexpr int kStages = 4;
    static constexpr int kPartStride = 20; // floats of a column of 16 rows: no bank conflicts
    static constexpr int kPartFloats = N * kPartStride; // of one warp
    static constexpr bool kOwnParts = N <= 32; // else they lie where the stages and rings were
    static constexpr int kBarrierBytes = 2048;
};
template <class F>
inline constexpr int kRingBytes = F::kRing* tile_info(F::kFormat).chunk_bytes;
template <class A, class B, int N>
__host__ __device__ constexpr int wide_shared_bytes() {
    using S = WideShape<N>;
    const int ring = (kRingBytes<A> > kRingBytes<B> ? kRingBytes<A> : kRingBytes<B>)*S::kRowWarps;
    const int parts = S::kRowWarps * S::kPartFloats * 4;
    const int stages = S::kStages * S::kStageBytes;
    if (S::kOwnParts)
        return 1024 + S::kBarrierBytes + stages + ring + parts;
    return 1024 + S::kBarrierBytes + (stages + ring > parts ? stages + ring : parts);
}

struct WideMemory {
    unsigned char* stages; // 1024-aligned
    unsigned char* rings;
    float* parts; // [warp][column][kPartStride]
    uint64_t* barriers; // stages full, stages empty, [warp][ring slot]
};
template <class A, class B, int N>
__device__ __forceinline__ WideMemory wide_memory(unsigned char* memory) {
    using S = WideShape<N>;
    auto* base = memory + (1024 - shared_address(memory) % 1024) % 1024;
    constexpr int kRing = (kRingBytes < A >> kRingBytes<B> ? kRingBytes<A> : kRingBytes<B>)*S::kRowWarps;
    auto* barriers = reinterpret_cast<uint64_t*>(base);
    base += S::kBarrierBytes;
    auto* rings = base + S::kStages * S::kStageBytes;
    return {base, rings, reinterpret_cast<float*>(S::kOwnParts ? rings + kRing : base), barriers};
}

#ifdef VITRINE_HOPPER
/// What one block does: a band of tiles of one segment, slices [first, last).
struct WideItem {
    int segment;
    int first_tile; // inside the segment
    int first_slice, last_slice;
    int cluster, rank; // blocks that share the band, and this one's place among them
};

template <class F, int N>
class WideBlock {
public:
    using S = WideShape<N>;
    static constexpr TileInfo kInfo = tile_info(F::kFormat);
    static constexpr int kPieces = kGroupsPerChunk<F> / 2;

    __device__ __forceinline__ WideBlock(const LinearArgs& args, const WideMemory& memory, const WideItem& item)
        : args_(args), memory_(memory), item_(item) {
        warp_ = __shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 32, 0); // uniform, and known to be
        lane_ = static_cast<int>(threadIdx.x) % 32;
        const TileMatrix& matrix = args.segment[item.segment];
        const int tile = min(item.first_tile + warp_, matrix.num_tiles - 1); // a tile too many repeats the last
        begin_ = slice_begin(args.padded_dim, args.unit, item.first_slice) / kInfo.chunk_weights;
        end_ = slice_begin(args.padded_dim, args.unit, item.last_slice) / kInfo.chunk_weights;
        weights_ = matrix.tiles +
            (static_cast<std::int64_t>(tile) * (args.padded_dim / kInfo.chunk_weights) + begin_) * kInfo.chunk_bytes;
        ring_ = memory.rings + warp_ * kRingBytes<F>;
        full_ = memory.barriers;
        empty_ = memory.barriers + S::kStages;
        arrived_ = memory.barriers + 2 * S::kStages + warp_ * F::kRing;
        image_ = reinterpret_cast<const unsigned char*>(args.image);
    }
    /// Barriers, and the first chunks of weights: needs nothing that an earlier kernel writes.
    __device__ __forceinline__ void start() {
        if (lane_ == 0) {
            for (int i = 0; i < F::kRing; ++i)
                barrier_init(arrived_ + i, 1);
            for (int i = 0; warp_ == 0 && i < S::kStages; ++i) {
                barrier_init(full_ + i, 1);
                barrier_init(empty_ + i, S::kRowWarps);
            }
            barrier_init_fence();
            for (int i = 0; i < F::kRing; ++i)
                fetch_chunk(i);
        }
        __syncthreads();
    }
    __device__ __forceinline__ void fetch_first_pieces() {
        if (threadIdx.x == 0) {
            for (int i = 0; i < S::kStages; ++i)
                fetch_piece(i);
        }
    }
    /// Leaves this block's sums in parts.
    __device__ __forceinline__ void run() {
        const bool clustered = item_.cluster > 1;
        float total[S::kOwnParts ? 1 : N / 2]; // of a lone block
        for (int slice = item_.first_slice; slice < item_.last_slice; ++slice) {
            float acc[N / 2] = {};
            const int last = slice_begin(args_.padded_dim, args_.unit, slice + 1) / kInfo.chunk_weights - begin_;
            while (chunk_ < last)
                exact_chunk(acc);
            if constexpr (S::kOwnParts) {
                put_slice(acc, slice, clustered);
            } else {
                add_slice(acc, total, slice, clustered);
            }
        }
        if constexpr (!S::kOwnParts) {
            __syncthreads();
            put(total);
        }
    }

private:
    __device__ __forceinline__ void fetch_chunk(int chunk) const {
        if (chunk >= end_ - begin_)
            return;
        barrier_expect(arrived_ + chunk % F::kRing, kInfo.chunk_bytes);
        bulk_copy(ring_ + chunk % F::kRing * kInfo.chunk_bytes,
            weights_ + static_cast<std::int64_t>(chunk) * kInfo.chunk_bytes, kInfo.chunk_bytes,
            arrived_ + chunk % F::kRing);
    }
    __device__ __forceinline__ void fetch_piece(int piece) const {
        if (piece >= (end_ - begin_) * kPieces)
            return;
        const int at = begin_ * kPieces + piece;
        const int stage = piece % S::kStages;
        unsigned char* target = memory_.stages + stage * S::kStageBytes;
        // The last piece of a chunk brings the chunk's sums.
        const bool with_sums = F::kSums && piece % kPieces == kPieces - 1;
        barrier_expect(full_ + stage, S::kPieceBytes + (with_sums ? column_sums_bytes(N) : 0));
        bulk_copy(target, image_ + static_cast<std::int64_t>(at) * S::kPieceBytes, S::kPieceBytes, full_ + stage);
        if (with_sums)
            bulk_copy(target + S::kPieceBytes,
                image_ + static_cast<std::int64_t>(args_.padded_dim / 64) * S::kPieceBytes +
                    static_cast<std::int64_t>(at / kPieces) * column_sums_bytes(N),
                column_sums_bytes(N), full_ + stage);
    }
    /// The stage that all warps left two pieces ago is filled again.
    __device__ __forceinline__ void refill(int piece) const {
        if (warp_ != 0 || piece < 2 || piece - 2 + S::kStages >= (end_ - begin_) * kPieces)
            return;
        barrier_wait(empty_ + (piece - 2) % S::kStages, static_cast<uint32_t>((piece - 2) / S::kStages % 2));
        __syncwarp();
        if (lane_ == 0)
            fetch_piece(piece - 2 + S::kStages);
        __syncwarp();
    }
    __device__ __forceinline__ const unsigned char* wait_chunk() const {
        barrier_wait(arrived_ + chunk_ % F::kRing, static_cast<uint32_t>(chunk_ / F::kRing % 2));
        __syncwarp(); // wgmma needs whole warps
        return ring_ + chunk_ % F::kRing * kInfo.chunk_bytes;
    }
    __device__ __forceinline__ void leave_chunk() {
        __syncwarp();
        if (lane_ == 0)
            fetch_chunk(chunk_ + F::kRing);
        ++chunk_;
    }
    __device__ __forceinline__ const unsigned char* wait_piece(int piece) const {
        refill(piece);
        barrier_wait(full_ + piece % S::kStages, static_cast<uint32_t>(piece / S::kStages % 2));
        __syncwarp();
        return memory_.stages + piece % S::kStages * S::kStageBytes;
    }
    __device__ __forceinline__ void leave_piece(int piece) const {
        if (lane_ == 0)
            barrier_arrive(empty_ + piece % S::kStages);
    }

    /// All pieces of a chunk; decode(group, a) makes the A fragments, the products of a group run while the next is decoded.
    template <class Decode>
    __device__ __forceinline__ void multiply_chunk(
        typename F::Regs& regs, const unsigned char* chunk, float (&acc)[N / 2], bool add, Decode&& decode) {
#pragma unroll
        for (int p = 0; p < kPieces; ++p) {
            F::template load_piece<SharedSource>(regs, chunk, lane_, p);
            const int piece = chunk_ * kPieces + p;
            const unsigned char* stage = wait_piece(piece);
            const uint64_t b = wgmma_descriptor(shared_address(stage));
#pragma unroll
            for (int v = 0; v < 2; ++v) {
                uint32_t a[2][4];
                decode(p * 2 + v, a);
                wgmma_fence();
                wgmma(acc, a[0], b + v * 4, add || p + v > 0);
                wgmma(acc, a[1], b + v * 4 + 2, true);
                wgmma_commit();
                wgmma_wait<1>(); // the group before: its fragments' registers are free
                if (v == 0 && p > 0)
                    leave_piece(piece - 1);
            }
        }
        wgmma_wait<0>();
    }
    __device__ __forceinline__ void exact_chunk(float (&acc)[N / 2]) {
        const unsigned char* chunk = wait_chunk();
        typename F::Regs regs;
        F::template load_base<SharedSource>(regs, chunk, lane_);
        const int last = chunk_ * kPieces + kPieces - 1;
        const auto decode = [&](int group, uint32_t(&a)[2][4]) { decode_exact<F>(regs, group, a); };
        if constexpr (F::kChunkScale) {
            float part[N / 2];
            multiply_chunk(regs, chunk, part, false, decode);
            const ChunkScale scale = F::chunk_scale(regs);
            add_part(acc, part, scale.low, scale.high);
            if constexpr (F::kSums) {
                uint32_t mins[4];
                F::decode_mins(regs, lane_, mins);
                const unsigned char* sums = memory_.stages + last % S::kStages * S::kStageBytes + S::kPieceBytes;
                wgmma_fence();
                wgmma(part, mins, wgmma_plain_descriptor(shared_address(sums)), false);
                wgmma_commit();
                wgmma_wait<0>();
                add_part(acc, part, scale.min_low, scale.min_high);
            }
        } else {
            multiply_chunk(regs, chunk, acc, true, decode);
        }
        leave_piece(last);
        leave_chunk();
    }
    __device__ __forceinline__ static void add_part(
        float (&acc)[N / 2], const float (&part)[N / 2], float low, float high) {
#pragma unroll
        for (int i = 0; i < N / 2; ++i)
            acc[i] = fmaf(i / 2 % 2 == 0 ? low : high, part[i], acc[i]);
    }
    __device__ __forceinline__ float* my_part() const {
        return memory_.parts + warp_ * S::kPartFloats + lane_ % 4 * 2 * S::kPartStride + lane_ / 4;
    }
    /// A cluster's blocks keep their slice as it is; a lone block adds slices up in order, as finish() of the small kernel.
    __device__ __forceinline__ void put_slice(const float (&acc)[N / 2], int slice, bool clustered) const {
        float* part = my_part();
#pragma unroll
        for (int n = 0; n < N / 8; ++n) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                float& target = part[(n * 8 + i % 2) * S::kPartStride + i / 2 * 8];
                const int column = min(n * 8 + lane_ % 4 * 2 + i % 2, args_.num_columns - 1);
                if (clustered)
                    target = acc[n * 4 + i];
                else
                    target = fmaf(acc[n * 4 + i], slice_scale(slice, column), slice == 0 ? 0.0F : target);
            }
        }
    }
    __device__ __forceinline__ void add_slice(
        const float (&acc)[N / 2], float (&total)[N / 2], int slice, bool clustered) const {
#pragma unroll
        for (int i = 0; i < N / 2; ++i) {
            const int column = min(i / 4 * 8 + lane_ % 4 * 2 + i % 2, args_.num_columns - 1);
            total[i] = clustered ? acc[i] : fmaf(acc[i], slice_scale(slice, column), slice == 0 ? 0.0F : total[i]);
        }
    }
    __device__ __forceinline__ float slice_scale(int slice, int column) const {
        return args_.slice_scales[static_cast<std::int64_t>(slice) * args_.max_places + args_.first_place + column];
    }
    __device__ __forceinline__ void put(const float (&acc)[N / 2]) const {
        float* part = my_part();
#pragma unroll
        for (int i = 0; i < N / 2; ++i)
            part[(i / 4 * 8 + i % 2) * S::kPartStride + i / 2 % 2 * 8] = acc[i];
    }

    const LinearArgs& args_;
    const WideMemory& memory_;
    const WideItem& item_;
    const unsigned char* image_;
    const unsigned char* weights_;
    unsigned char* ring_;
    uint64_t *full_, *empty_, *arrived_;
    int warp_, lane_, begin_, end_;
    int chunk_ = 0; // from begin_ on
};

/// One pair of rows and place of a block's share of the epilogue.
struct WidePair {
    int tile, g, column;
    bool live;
    const float* part;
};
template <int N>
__device__ __forceinline__ WidePair wide_pair(
    const LinearArgs& args, const WideMemory& memory, const WideItem& item, int first, int tiles, int i) {
    using S = WideShape<N>;
    const int column = i / 8 % N;
    const int local = first + i / (8 * N);
    const int tile = item.first_tile + local;
    const bool live = i < tiles * N * 8 && column < args.num_columns && tile < args.segment[item.segment].num_tiles;
    return {tile, i % 8, column, live, memory.parts + local * S::kPartFloats + column * S::kPartStride + i % 8};
}

/// The tiles of this block, or of its share of a cluster's, through the epilogue.
template <int N>
__device__ __forceinline__ void finish_wide(
    const LinearArgs& args, const WideMemory& memory, const WideItem& item, float factor) {
    using S = WideShape<N>;
    constexpr int kBatch = 4;
    constexpr int kThreads = S::kRowWarps * 32;
    const TileMatrix& matrix = args.segment[item.segment];
    const int segment = args.first_segment + item.segment;
    const int tiles = S::kRowWarps / item.cluster;
    const int first = item.rank * tiles;
    for (int base = static_cast<int>(threadIdx.x); base < tiles * N * 8; base += kBatch * kThreads) {
        PairInput input[kBatch];
        float low[kBatch], high[kBatch];
#pragma unroll
        for (int j = 0; j < kBatch; ++j) {
            const WidePair pair = wide_pair<N>(args, memory, item, first, tiles, base + j * kThreads);
            low[j] = high[j] = 0;
            if (!pair.live)
                continue;
            const int place = args.first_place + pair.column;
            input[j] = load_pair(args.epilogue, matrix, segment, pair.tile, pair.g, place);
            const float scale = args.row_scales[place] * factor;
            if (item.cluster > 1) {
                const uint32_t at = shared_address(pair.part);
#pragma unroll 8
                for (int r = 0; r < item.cluster; ++r) {
                    const float slice = // a block's rank is its slice
                        args.slice_scales[static_cast<std::int64_t>(r) * args.max_places + place];
                    low[j] = fmaf(load_cluster(at, static_cast<uint32_t>(r)), slice, low[j]);
                    high[j] = fmaf(load_cluster(at + 32, static_cast<uint32_t>(r)), slice, high[j]);
                }
            } else {
                low[j] = pair.part[0];
                high[j] = pair.part[8];
            }
            low[j] *= scale;
            high[j] *= scale;
        }
#pragma unroll
        for (int j = 0; j < kBatch; ++j) {
            const WidePair pair = wide_pair<N>(args, memory, item, first, tiles, base + j * kThreads);
            if (pair.live)
                finish_pair(args.epilogue, matrix, segment, pair.tile, pair.g, args.first_place + pair.column, input[j],
                    low[j], high[j]);
        }
    }
}
#endif // VITRINE_HOPPER

template <class F, int N>
__device__ __forceinline__ void wide_body(const LinearArgs& args, const WideMemory& memory, int band, int cluster) {
#ifdef VITRINE_HOPPER
    using S = WideShape<N>;
    const int rank = static_cast<int>(blockIdx.x) % cluster;
    WideItem item{0, band, rank * kSlices / cluster, (rank + 1) * kSlices / cluster, cluster, rank};
    for (int s = 0; s < args.num_segments; ++s) {
        const int bands = (args.segment[s].num_tiles + S::kRowWarps - 1) / S::kRowWarps;
        item.segment = s;
        if (item.first_tile < bands)
            break;
        item.first_tile -= bands;
    }
    item.first_tile *= S::kRowWarps;
    WideBlock<F, N> block(args, memory, item);
    block.start();
    pdl_wait();
    block.fetch_first_pieces();
    block.run();
    if (cluster > 1)
        cluster_sync();
    else
        __syncthreads();
    finish_wide<N>(args, memory, item, kExactFactor<F>);
    if (cluster > 1) { // the others may still read this block's sums
        cluster_arrive();
        cluster_wait();
    }
#else
    __trap(); // the host asks for it on compute capability 9.0 alone, whose code is built as sm_90a
#endif
}

/// The segment of a band decides the format.
template <class A, class B, int N>
__global__ void __launch_bounds__(WideShape<N>::kRowWarps * 32, WideShape<N>::kBlocksPerSm)
    wide_linear(const __grid_constant__ LinearArgs args, int cluster) {
    extern __shared__ __align__(1024) unsigned char memory[];
    pdl_trigger();
    const WideMemory shared = wide_memory<A, B, N>(memory);
    const int band = static_cast<int>(blockIdx.x) / cluster;
    if constexpr (std::is_same_v<A, B>) {
        wide_body<A, N>(args, shared, band, cluster);
    } else {
        int left = band;
        int segment = 0;
        for (int s = 0; s < args.num_segments; ++s) {
            const int bands = (args.segment[s].num_tiles + WideShape<N>::kRowWarps - 1) / WideShape<N>::kRowWarps;
            segment = s;
            if (left < bands)
                break;
            left -= bands;
        }
        if (args.segment[segment].format == A::kFormat)
            wide_body<A, N>(args, shared, band, cluster);
        else
            wide_body<B, N>(args, shared, band, cluster);
    }
}

template <class A, class B, int N>
cudaError_t launch_wide(const LinearArgs& args, int num_sms, cudaStream_t stream) {
    using S = WideShape<N>;
    constexpr int kShared = wide_shared_bytes<A, B, N>();
    static_assert(kShared <= (S::kBlocksPerSm == 2 ? 113 : 227) * 1024);
    const auto kernel = wide_linear<A, B, N>;
    static const cudaError_t configured = raise_shared_limit(kernel, kShared);
    if (configured != cudaSuccess)
        return configured;
    int bands = 0;
    for (int s = 0; s < args.num_segments; ++s)
        bands += (args.segment[s].num_tiles + S::kRowWarps - 1) / S::kRowWarps;
    // Too few bands to fill the GPU: several blocks share one; exact sums need a block for each slice.
    const int slots = num_sms * S::kBlocksPerSm;
    const int cluster = bands * 10 < slots * 6 ? kSlices : 1;
    return launch_cluster(
        kernel, dim3(bands * cluster), dim3(S::kRowWarps * 32), cluster, kShared, stream, args, cluster);
}

template <class A, class B>
cudaError_t launch_wide(const LinearArgs& args, int columns, int num_sms, cudaStream_t stream) {
    switch (columns) {
    case 16:
        return launch_wide<A, B, 16>(args, num_sms, stream);
    case 32:
        return launch_wide<A, B, 32>(args, num_sms, stream);
    case 64:
        return launch_wide<A, B, 64>(args, num_sms, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace vitrine::kernels
