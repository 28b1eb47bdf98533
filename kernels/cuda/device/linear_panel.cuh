// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: products of many places on sm_90a, without the small kernels' bits.
#pragma once

#include "kernels/cuda/device/hopper.cuh"
#include "kernels/cuda/device/panel_epilogue.cuh"
#include "kernels/cuda/device/panel_weights.cuh"
#include "kernels/cuda/panel_plan.h"

// A block holds up to 128 or 256 weight rows against a panel of N places.  One warp brings the weights of all its tiles, another
// the activations, by bulk copies; each of the others turns the chunks of a tile into A fragments in registers, where wgmma
// reads them beside the activations that the block shares.  Too few rows to fill the GPU: a cluster's blocks take a part of K
// each and add up through distributed shared memory.  All weights are rounded to f16.

namespace vitrine::kernels {

template <int N>
struct PanelShape {
    static constexpr int kTiles = N <= 64 ? 8 : 16;
    static constexpr int kBlocksPerSm = N <= 64 ? 2 : 1;
    static constexpr int kProducers = N <= 64 ? 2 : 4; // warps; two have work
    static constexpr int kThreads = (kTiles + kProducers) * 32;
    static constexpr bool kTrade = N > 64; // the producers' registers go to the others
    static constexpr int kSteps = N <= 64 ? 4 : 2; // of 16 of K that are decoded before they are multiplied
    static constexpr int kPieceDepth = N <= 32 ? 256 : N <= 64 ? 128 : 64; // K of a stage of activations, at most
    static constexpr int kPlaceBytes = (N <= 64 ? 48 : 80) * 1024; // of those stages
    static constexpr int kWeightBytes = (N <= 64 ? 60 : 120) * 1024; // of the weights' stages, at most
    static constexpr int kMostStages = 16; // of each
    static constexpr int kPartStride = 20; // floats of a column of 16 rows: no bank conflicts
    static constexpr int kPartFloats = N * kPartStride; // of one tile
    static constexpr int kBarriers = 4 * kMostStages + 1;
    static constexpr int kPlacesAt = (kBarriers * 8 + 15) / 16 * 16; // PanelPlaces, behind the barriers
    static constexpr int kHeadBytes =
        (kPlacesAt + static_cast<int>(sizeof(PanelPlaces<N, kTiles>)) + 1023) / 1024 * 1024;
};
template <class F, int N>
inline constexpr int kChunkStageBytes = tile_info(F::kFormat).chunk_bytes* PanelShape<N>::kTiles;
template <class F, int N>
inline constexpr int kChunkStages = PanelShape<N>::kWeightBytes / kChunkStageBytes<F, N> < PanelShape<N>::kMostStages
    ? PanelShape<N>::kWeightBytes / kChunkStageBytes<F, N>
    : PanelShape<N>::kMostStages;

/// K and bytes of a stage of activations, and how many there are.
template <class F, int N>
inline constexpr int kPieceDepth = tile_info(F::kFormat).chunk_weights < PanelShape<N>::kPieceDepth
    ? tile_info(F::kFormat).chunk_weights
    : PanelShape<N>::kPieceDepth;
template <class F, int N>
inline constexpr int kPieceStageBytes = kPieceDepth<F, N> / 64 * column_piece_bytes(N);
template <class F, int N>
inline constexpr int kPieceStages = PanelShape<N>::kPlaceBytes / kPieceStageBytes<F, N> < PanelShape<N>::kMostStages
    ? PanelShape<N>::kPlaceBytes / kPieceStageBytes<F, N>
    : PanelShape<N>::kMostStages;

template <class A, class B, int N>
__host__ __device__ constexpr int panel_shared_bytes() {
    using S = PanelShape<N>;
    constexpr int kFirst = kChunkStages<A, N> * kChunkStageBytes<A, N>;
    constexpr int kSecond = kChunkStages<B, N> * kChunkStageBytes<B, N>;
    constexpr int kStages = S::kPlaceBytes + (kFirst > kSecond ? kFirst : kSecond);
    constexpr int kParts = S::kTiles * S::kPartFloats * 4;
    return 1024 + S::kHeadBytes + (kStages > kParts ? kStages : kParts);
}

#ifdef VITRINE_HOPPER
__device__ __forceinline__ void sync_consumers(int threads) {
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
}

/// Sums of a tile's columns: of the block itself.
template <int kStride>
struct BlockSums {
    const float* part;
    __device__ __forceinline__ void operator()(int column, Quad& q) const {
        const float* at = part + column * kStride + threadIdx.x % 2 * 4;
        load_four(q.low, at);
        load_four(q.high, at + 8);
    }
    __device__ __forceinline__ float2 pair(int column, int g) const {
        return {part[column * kStride + g], part[column * kStride + g + 8]};
    }
};
/// Over the blocks of a cluster.
template <int kStride>
struct ClusterSums {
    const float* part;
    int cluster;
    __device__ __forceinline__ void operator()(int column, Quad& q) const {
        const uint32_t at = shared_address(part + column * kStride + threadIdx.x % 2 * 4);
        q = {};
#pragma unroll 4
        for (int r = 0; r < cluster; ++r) {
            const uint32_t from = remote_address(at, static_cast<uint32_t>(r));
            add_four(q.low, load_cluster4(from));
            add_four(q.high, load_cluster4(from + 32));
        }
    }
    __device__ __forceinline__ static void add_four(float (&to)[4], float4 v) {
        to[0] += v.x;
        to[1] += v.y;
        to[2] += v.z;
        to[3] += v.w;
    }
    __device__ __forceinline__ float2 pair(int column, int g) const {
        const uint32_t at = shared_address(part + column * kStride + g);
        float2 sum{0, 0};
        for (int r = 0; r < cluster; ++r) {
            sum.x += load_cluster(at, static_cast<uint32_t>(r));
            sum.y += load_cluster(at + 32, static_cast<uint32_t>(r));
        }
        return sum;
    }
};

/// What one block does.
struct PanelItem {
    int segment;
    int first_tile; // inside the segment
    int tiles;
    int block; // of places
    int rank; // part of K
};

/// Stages of a ring in order, with the parity of their round.
template <int kStages>
struct RingPlace {
    int stage = 0;
    uint32_t round = 0;
    __device__ __forceinline__ void next() {
        if (++stage == kStages) {
            stage = 0;
            round ^= 1;
        }
    }
};

template <class F, int N>
class PanelBlock {
public:
    using S = PanelShape<N>;
    static constexpr TileInfo kInfo = tile_info(F::kFormat);
    static constexpr int kDepth = kPieceDepth<F, N>;
    static constexpr int kPieces = kInfo.chunk_weights / kDepth; // of a chunk
    static constexpr int kStages = kPieceStages<F, N>;
    static constexpr int kPieceBytes = kPieceStageBytes<F, N>;
    static constexpr int kChunks = kChunkStages<F, N>;

    __device__ __forceinline__ PanelBlock(
        const LinearArgs& args, const PanelPlan& plan, const PanelItem& item, unsigned char* memory)
        : args_(args), plan_(plan), item_(item) {
        barriers_ = reinterpret_cast<uint64_t*>(memory);
        places_ = reinterpret_cast<PanelPlaces<N, S::kTiles>*>(memory + S::kPlacesAt);
        pieces_ = memory + S::kHeadBytes;
        chunks_ = pieces_ + S::kPlaceBytes;
        parts_ = reinterpret_cast<float*>(pieces_);
        warp_ = __shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 32, 0); // uniform, and known to be
        lane_ = static_cast<int>(threadIdx.x) % 32;
        const int all = args.padded_dim / kInfo.chunk_weights;
        begin_ = all * item.rank / plan.cluster;
        count_ = all * (item.rank + 1) / plan.cluster - begin_;
        consumers_ = (item.tiles + 3) / 4 * 4; // whole warpgroups
    }
    __device__ __forceinline__ void init_barriers() {
        if (threadIdx.x == 0) {
            for (int i = 0; i < kChunks; ++i) {
                barrier_init(chunk_full(i), 1);
                barrier_init(chunk_empty(i), static_cast<uint32_t>(consumers_));
            }
            for (int i = 0; i < kStages; ++i) {
                barrier_init(piece_full(i), 1);
                barrier_init(piece_empty(i), static_cast<uint32_t>(consumers_));
            }
            barrier_init(places_full(), 1);
            barrier_init_fence();
        }
    }
    __device__ __forceinline__ bool is_consumer() const { return warp_ < S::kTiles; }

    __device__ __forceinline__ void produce() {
        if (warp_ == S::kTiles)
            bring_chunks();
        else if (warp_ == S::kTiles + 1)
            bring_pieces();
    }
    /// Leaves this block's sums in parts; then the block's share of the epilogue.
    __device__ __forceinline__ void consume() {
        const bool live = warp_ < consumers_;
        if (live) {
            float acc[N / 2];
            RingPlace<kChunks> chunk_at;
            RingPlace<kStages> at;
            bool again = true;
            for (int pass = 0; again; ++pass) {
#pragma unroll
                for (int i = 0; i < N / 2; ++i)
                    acc[i] = 0;
                multiply(acc, chunk_at, at);
                again = pass == 0 && rescales();
            }
            sync_consumers(consumers_ * 32); // parts lie where the stages were
            put(acc);
        }
        pdl_wait();
        if (plan_.cluster > 1)
            cluster_sync();
        else
            __syncwarp();
        if (!live)
            return;
        barrier_wait(places_full(), 0);
        __syncwarp();
        finish();
    }

private:
    __device__ __forceinline__ uint64_t* chunk_full(int i) const {
        return barriers_ + i;
    }
    __device__ __forceinline__ uint64_t* chunk_empty(int i) const {
        return barriers_ + S::kMostStages + i;
    }
    __device__ __forceinline__ uint64_t* piece_full(int i) const {
        return barriers_ + 2 * S::kMostStages + i;
    }
    __device__ __forceinline__ uint64_t* piece_empty(int i) const {
        return barriers_ + 3 * S::kMostStages + i;
    }

    __device__ __forceinline__ uint64_t* places_full() const {
        return barriers_ + 4 * S::kMostStages;
    }

    /// Whether f16 does not hold the rows that the op before fed: known once places_full() is.
    __device__ __forceinline__ bool rescales() const {
        if (args_.fed.image == nullptr)
            return false;
        barrier_wait(places_full(), 0);
        __syncwarp();
        return places_->rescales != 0;
    }
    /// A warp: weights, and when the first are asked for, what the epilogue needs of the places.
    __device__ __forceinline__ void bring_chunks() const {
        const TileMatrix& matrix = args_.segment[item_.segment];
        const std::int64_t all = args_.padded_dim / kInfo.chunk_weights;
        const uint8_t* first =
            matrix.tiles + ((item_.first_tile + min(lane_, item_.tiles - 1)) * all + begin_) * kInfo.chunk_bytes;
        RingPlace<kChunks> at;
        int asked = 0;
        const auto bring = [&](int begin, int end) {
            for (int chunk = begin; chunk < end; ++chunk, ++asked, at.next()) {
                if (asked >= kChunks)
                    barrier_wait(chunk_empty(at.stage), at.round ^ 1);
                __syncwarp();
                if (lane_ == 0)
                    barrier_expect(chunk_full(at.stage), static_cast<uint32_t>(item_.tiles * kInfo.chunk_bytes));
                __syncwarp();
                if (lane_ < item_.tiles)
                    bulk_copy(chunks_ + at.stage * kChunkStageBytes<F, N> + lane_ * kInfo.chunk_bytes,
                        first + static_cast<std::int64_t>(chunk) * kInfo.chunk_bytes, kInfo.chunk_bytes,
                        chunk_full(at.stage));
            }
        };
        const int ahead = min(count_, kChunks);
        bring(0, ahead);
        pdl_wait();
        load_places(*places_, args_, args_.first_place + item_.block * N, min(N, args_.num_columns - item_.block * N),
            1.0F / kPanelFactor<F>);
        leave(places_full());
        bring(ahead, count_);
        if (rescales())
            bring(0, count_);
    }
    /// A warp, of which one lane asks for activations.
    __device__ __forceinline__ void bring_pieces() const {
        const unsigned char* from = reinterpret_cast<const unsigned char*>(args_.image) +
            item_.block * column_block_bytes(N, args_.padded_dim) +
            static_cast<std::int64_t>(begin_) * kPieces * kPieceBytes;
        const int count = count_ * kPieces;
        pdl_wait();
        RingPlace<kStages> at;
        for (int piece = 0; piece < count; ++piece, at.next(), from += kPieceBytes) {
            if (lane_ == 0) {
                if (piece >= kStages)
                    barrier_wait(piece_empty(at.stage), at.round ^ 1);
                barrier_expect(piece_full(at.stage), kPieceBytes);
                bulk_copy(pieces_ + at.stage * kPieceBytes, from, kPieceBytes, piece_full(at.stage));
            }
        }
        __syncwarp();
        if (rescales())
            bring_scaled(at, count);
    }
    /// The same from the f32 rows, divided by what f16 needs: rare, so it may be slow.
    __device__ __forceinline__ void bring_scaled(RingPlace<kStages> at, int count) const {
        constexpr int kRowChunks = kDepth / 8;
        const int columns = min(N, args_.num_columns - item_.block * N);
        const int first_place = args_.first_place + item_.block * N;
        for (int piece = 0; piece < count; ++piece, at.next()) {
            if (count + piece >= kStages) // `count` were asked for before
                barrier_wait(piece_empty(at.stage), at.round ^ 1);
            const int k = (begin_ * kPieces + piece) * kDepth;
            for (int i = lane_; i < columns * kRowChunks; i += 32) {
                const int n = i / kRowChunks;
                const int chunk = i % kRowChunks % 8;
                const int part = i % kRowChunks / 8; // 64 of K
                const uint4 v =
                    scaled_chunk(args_, first_place + n, k + part * 64, chunk, fed_factor(args_, first_place + n));
                *reinterpret_cast<uint4*>(pieces_ + at.stage * kPieceBytes + part * column_piece_bytes(N) + n * 128 +
                    (chunk ^ (n & 7)) * 16) = v;
            }
            async_proxy_fence(); // wgmma reads it
            leave(piece_full(at.stage));
        }
    }
    __device__ __forceinline__ void leave(uint64_t* barrier) const {
        __syncwarp();
        if (lane_ == 0)
            barrier_arrive(barrier);
    }
    /// 64 of K; `settled`: called when the products of the part before have ended.
    template <class Settled>
    __device__ __forceinline__ void multiply_part(float (&acc)[N / 2], const PanelDecoder<F>& decoder,
        const typename F::Regs& regs, int part, uint64_t b, Settled&& settled) const {
        constexpr int kGroups = S::kSteps / 2;
#pragma unroll
        for (int v = 0; v < 2; v += kGroups) {
            uint32_t a[kGroups][2][4];
#pragma unroll
            for (int i = 0; i < kGroups; ++i)
                decoder.decode(regs, part * 2 + v + i, a[i]);
            wgmma_fence();
#pragma unroll
            for (int i = 0; i < kGroups; ++i) {
                wgmma(acc, a[i][0], b + (v + i) * 4, true);
                wgmma(acc, a[i][1], b + (v + i) * 4 + 2, true);
            }
            wgmma_commit();
            wgmma_wait<1>(); // those before: their fragments' registers are free
            if (v == 0)
                settled();
        }
    }
    /// Products run while the next weights are decoded.
    __device__ __forceinline__ void multiply(
        float (&acc)[N / 2], RingPlace<kChunks>& chunk_at, RingPlace<kStages>& at) const {
        const unsigned char* own = chunks_ + min(warp_, item_.tiles - 1) * kInfo.chunk_bytes;
        for (int chunk = 0; chunk < count_; ++chunk, chunk_at.next()) {
            barrier_wait(chunk_full(chunk_at.stage), chunk_at.round);
            __syncwarp();
            const unsigned char* codes = own + chunk_at.stage * kChunkStageBytes<F, N>;
            typename F::Regs regs;
            F::template load_base<SharedSource>(regs, codes, lane_);
            const PanelDecoder<F> decoder(regs);
            int before = 0; // stage of the piece whose products may still run
#pragma unroll
            for (int p = 0; p < kPieces; ++p, at.next()) {
                barrier_wait(piece_full(at.stage), at.round);
                __syncwarp(); // wgmma needs whole warps
                const uint64_t b = wgmma_descriptor(shared_address(pieces_ + at.stage * kPieceBytes));
#pragma unroll
                for (int q = 0; q < kDepth / 64; ++q) {
                    const int part = p * (kDepth / 64) + q;
                    F::template load_piece<SharedSource>(regs, codes, lane_, part);
                    multiply_part(acc, decoder, regs, part, b + q * (column_piece_bytes(N) / 16), [&] {
                        if (q == 0 && p > 0)
                            leave(piece_empty(before));
                    });
                }
                before = at.stage;
            }
            leave(chunk_empty(chunk_at.stage));
            wgmma_wait<0>(); // ptxas runs products one by one if they go on beyond a turn of the loop
            leave(piece_empty(before));
        }
    }
    __device__ __forceinline__ void put(const float (&acc)[N / 2]) const {
        float* part = parts_ + warp_ * S::kPartFloats + lane_ % 4 * 2 * S::kPartStride + lane_ / 4;
#pragma unroll
        for (int i = 0; i < N / 2; ++i)
            part[(i / 4 * 8 + i % 2) * S::kPartStride + i / 2 % 2 * 8] = acc[i];
    }
    /// This warp's tile, if it has one, and of its columns this block's share; live warps.
    __device__ __forceinline__ void finish() const {
        const int first_place = args_.first_place + item_.block * N;
        const int begin = N * item_.rank / plan_.cluster;
        const int end = min(min(N, args_.num_columns - item_.block * N), N * (item_.rank + 1) / plan_.cluster);
        if (warp_ < item_.tiles) {
            const float* part = parts_ + warp_ * S::kPartFloats;
            if (plan_.cluster == 1)
                finish_with(first_place, begin, end, BlockSums<S::kPartStride>{part});
            else
                finish_with(first_place, begin, end, ClusterSums<S::kPartStride>{part, plan_.cluster});
        }
        const PanelFeed& feed = args_.epilogue.feed.panel;
        if (N > kFeedWidth || feed.image == nullptr)
            return;
        sync_consumers(consumers_ * 32);
        const int band = static_cast<int>(blockIdx.x) / (plan_.cluster * plan_.columns);
        leave_feed(feed, *places_, first_place, begin, end, item_.tiles, band);
        if (feed.num_parts != nullptr && blockIdx.x == 0 && threadIdx.x == 0)
            *feed.num_parts = static_cast<int>(gridDim.x) / (plan_.cluster * plan_.columns);
    }
    template <class Sums>
    __device__ __forceinline__ void finish_with(int first_place, int begin, int end, const Sums& sums) const {
        const int tile = item_.first_tile + warp_;
        if (lies_in_quads(args_.segment[item_.segment], args_.epilogue))
            PanelFinish<N, S::kTiles, Sums>(args_, item_.segment, tile, first_place, begin, end, *places_, sums).run();
        else
            finish_pairs(args_, item_.segment, tile, first_place, begin, end, *places_, sums);
    }

    const LinearArgs& args_;
    const PanelPlan& plan_;
    const PanelItem& item_;
    uint64_t* barriers_;
    PanelPlaces<N, S::kTiles>* places_;
    unsigned char *pieces_, *chunks_;
    float* parts_; // [warp][column][kPartStride]
    int warp_, lane_, begin_, count_, consumers_;
};
#endif // VITRINE_HOPPER

/// A band of rows: a segment, its first tile there and their number.
struct PanelBand {
    int segment, first, tiles;
};
__device__ __forceinline__ PanelBand panel_band(const LinearArgs& args, const PanelPlan& plan, int band) {
    int segment = 0;
    for (; segment + 1 < args.num_segments; ++segment) {
        const int bands = (args.segment[segment].num_tiles + plan.tiles - 1) / plan.tiles;
        if (band < bands)
            break;
        band -= bands;
    }
    const int first = band * plan.tiles;
    return {segment, first, min(plan.tiles, args.segment[segment].num_tiles - first)};
}

template <class F, int N>
__device__ __forceinline__ void panel_body(
    const LinearArgs& args, const PanelPlan& plan, unsigned char* memory, const PanelBand& band) {
#ifdef VITRINE_HOPPER
    using S = PanelShape<N>;
    const int index = static_cast<int>(blockIdx.x);
    const PanelItem item{
        band.segment, band.first, band.tiles, index / plan.cluster % plan.columns, index % plan.cluster};
    PanelBlock<F, N> block(args, plan, item, memory);
    block.init_barriers();
    __syncthreads();
    if (block.is_consumer()) {
        if constexpr (S::kTrade)
            take_registers<112>();
        block.consume();
    } else {
        if constexpr (S::kTrade)
            give_registers<32>();
        block.produce();
        if (plan.cluster > 1) {
            __syncwarp();
            cluster_sync();
        }
    }
    if (plan.cluster > 1) { // the others may still read this block's sums
        __syncwarp();
        cluster_arrive();
        cluster_wait();
    }
#else
    __trap(); // the host asks for it on compute capability 9.0 alone, whose code is built as sm_90a
#endif
}

/// The segment of a band decides the format.
template <class A, class B, int N>
__global__ void __launch_bounds__(PanelShape<N>::kThreads, PanelShape<N>::kBlocksPerSm)
    panel_linear(const __grid_constant__ LinearArgs args, const __grid_constant__ PanelPlan plan) {
    extern __shared__ __align__(1024) unsigned char memory[];
    pdl_trigger();
    auto* base = memory + (1024 - shared_address(memory) % 1024) % 1024;
    const PanelBand band = panel_band(args, plan, static_cast<int>(blockIdx.x) / (plan.cluster * plan.columns));
    if constexpr (std::is_same_v<A, B>) {
        panel_body<A, N>(args, plan, base, band);
    } else {
        if (args.segment[band.segment].format == A::kFormat)
            panel_body<A, N>(args, plan, base, band);
        else
            panel_body<B, N>(args, plan, base, band);
    }
}

/// How many clusters of 1 to 8 blocks of a kernel run at once.
template <class Kernel>
cudaError_t count_clusters(Kernel kernel, int threads, int shared, PanelLimits& limits) {
    limits.clusters[1] = limits.num_sms * limits.blocks_per_sm;
    for (unsigned size = 2; size <= kMaxPanelCluster; ++size) {
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(size);
        config.blockDim = dim3(static_cast<unsigned>(threads));
        config.dynamicSmemBytes = static_cast<std::size_t>(shared);
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = size;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        config.attrs = &attribute;
        config.numAttrs = 1;
        if (const cudaError_t status = cudaOccupancyMaxActiveClusters(&limits.clusters[size], kernel, &config);
            status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

template <class A, class B, int N>
cudaError_t launch_panel(const LinearArgs& args, int num_sms, cudaStream_t stream) {
    using S = PanelShape<N>;
    constexpr int kShared = panel_shared_bytes<A, B, N>();
    static_assert(kShared <= (S::kBlocksPerSm == 2 ? 113 : 227) * 1024);
    const auto kernel = panel_linear<A, B, N>;
    static PanelLimits limits{N, S::kTiles, S::kBlocksPerSm, num_sms, {}};
    static const cudaError_t configured = [kernel] {
        const cudaError_t status = raise_shared_limit(kernel, kShared);
        return status != cudaSuccess ? status : count_clusters(kernel, S::kThreads, kShared, limits);
    }();
    if (configured != cudaSuccess)
        return configured;
    const PanelPlan plan = panel_plan(args, limits);
    int bands = 0;
    for (int s = 0; s < args.num_segments; ++s)
        bands += (args.segment[s].num_tiles + plan.tiles - 1) / plan.tiles;
    return launch_cluster(kernel, dim3(bands * plan.cluster * plan.columns), dim3(S::kThreads), plan.cluster, kShared,
        stream, args, plan);
}

template <class A, class B>
cudaError_t launch_panel(const LinearArgs& args, int columns, int num_sms, cudaStream_t stream) {
    switch (columns) {
    case 16:
        return launch_panel<A, B, 16>(args, num_sms, stream);
    case 32:
        return launch_panel<A, B, 32>(args, num_sms, stream);
    case 64:
        return launch_panel<A, B, 64>(args, num_sms, stream);
    case 128:
        return launch_panel<A, B, 128>(args, num_sms, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace vitrine::kernels
