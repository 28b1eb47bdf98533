// SPDX-License-Identifier: GPL-3.0-or-later
// All layers of a small model for one token.  Its products are so small that a chain of kernels costs only their starts and ends;
// here one cluster of sixteen blocks does them all.  Each block has every vector whole in its shared memory: whoever finishes a
// few numbers sends them to all blocks, which count the bytes; nothing goes through memory and nobody waits for a fence.  A
// block's tiles of an op come as one copy, a layer ahead.  What binds is the length of the chain of dependent instructions: hence
// constants for each op rather than one piece of code for all, and nothing rare in it; the code of a layer, about 55 KB, comes from
// memory fast enough as long as it goes straight on.
#include <algorithm>

#include "kernels/cuda/device/chain_attention.cuh"
#include "kernels/cuda/device/chain_products.cuh"
#include "kernels/cuda/device/chain_rescue.cuh"

namespace vitrine::kernels {
namespace {

template <int HD>
class Chain {
public:
    __device__ __forceinline__ Chain(
        const ChainArgs& args, const ChainShape& shape, const ChainLayout& at, unsigned char* memory)
        : args_(args), shape_(shape), at_(at), memory_(memory), links_(memory),
          warp_(__shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 32, 0)),
          lane_(static_cast<int>(threadIdx.x) % 32), rank_(static_cast<int>(blockIdx.x)), team_(shape, rank_),
          pair_(links_.block(lane_ / 2)), each_(links_.block(lane_ % 16)) {}

    /// What needs no earlier kernel.
    __device__ __forceinline__ void prepare() {
        const int thread = static_cast<int>(threadIdx.x);
        if (lane_ < kChainOps)
            at<ChainTask>(at_.tasks)[lane_ * kChainWarps + warp_] = make_task(lane_);
        const auto* from = reinterpret_cast<const uint4*>(args_.layers);
        for (int i = thread; i < args_.num_layers * static_cast<int>(sizeof(ChainLayer) / 16); i += kChainThreads)
            at<uint4>(at_.layers)[i] = from[i];
        context_ = args_.context_lens[0];
        line_ = (static_cast<std::int64_t>(args_.slots[0] / args_.block_tokens) * 2 * args_.num_kv_heads *
                        args_.block_tokens +
                    args_.slots[0] % args_.block_tokens) *
            HD;
        settle();
        for (int i = thread; i < HD / 2; i += kChainThreads)
            at<float2>(at_.angles)[i] = args_.rope != nullptr
                ? args_.rope[static_cast<std::int64_t>(args_.positions[0]) * (HD / 2) + i]
                : float2{1, 0};
        if (thread == 0)
            links_.init();
        __syncthreads();
        cluster_arrive();
        cluster_wait();
        if (thread == 0) {
            for (int i = 0; i < kExchanges; ++i)
                links_.expect(static_cast<ChainExchange>(i), bytes_of(i));
        }
        fetch_all();
    }
    /// Takes x.
    __device__ __forceinline__ void take() {
        for (int k = static_cast<int>(threadIdx.x); k < shape_.dim; k += kChainThreads)
            at<float>(at_.start)[k] = args_.x[k];
        __syncthreads();
    }
    /// x as the first layer reads it.
    __device__ __forceinline__ void begin() {
        const float* gain = layer(0).attention_gain;
        const float* x = at<float>(at_.start);
        const ChainTask& own = task(kOut);
        for (int tile = warp_; tile < shape_.tiles(kOut); tile += kChainWarps) {
            const int k = tile * kTileRows + lane_ % 8;
            const float sum = octet_sum(pair_square(x[k], x[k + 8]), 0xFFFFFFFFU);
            if (lane_ == 0)
                at<float>(at_.squares[0])[tile] = sum;
            if (lane_ < kTileRows) {
                const int row = tile * kTileRows + lane_;
                at<__half>(at_.image[kQkv])[row] = __float2half_rn(x[row] * gain[row]);
                if (tile >= own.first && tile < own.first + own.count)
                    at<float>(at_.residual)[(tile - own.first) * kTileRows + lane_] = x[row];
            }
        }
        __syncthreads();
    }
    /// `again`: the second time, when activations are looked at before they are used.
    __device__ __forceinline__ void run(bool again) {
        ChainKeys<HD> keys(args_, team_.head, warp_ * team_.count + team_.own, team_.count * kChainWarps, context_);
        const int before = again ? args_.num_layers : 0; // layers that the barriers have seen
#pragma unroll 1
        for (int l = 0; l < args_.num_layers; ++l) {
            const bool last = l + 1 == args_.num_layers;
            keys.start(layer(l).kv, layer(l).window);
            const float2 ff_gain = gain_of(layer(l).ff_gain);
            const float2 next_gain = gain_of(last ? args_.last_gain : layer(l + 1).attention_gain);
#pragma unroll
            for (int op = 0; op < kChainOps; ++op) {
                const ChainTask task = this->task(op);
                ChainWeights weights;
                barrier_wait(links_.weights(op), static_cast<uint32_t>((before + l) & 1));
                if (task.tile < task.count)
                    weights.load(memory_ + task.tiles, task.depth, lane_);
                if (op > kQkv)
                    await(op == kOut ? kMixed : op == kGateUp ? kResidual : kGated, before + l);
                else if (l > 0)
                    await(kNext, again ? before - 1 + l - 1 : l - 1);
                const float grow = again ? ChainRescue(shape_, at_, memory_).run(l, op) : 1;
                const float square = product(task, weights);
                if (warp_ < task.count)
                    finish(l, op, task, square, grow, op == kOut ? ff_gain : next_gain);
                if (!last && warp_ == kChainWarps - 1)
                    chain_fetch(shape_, task, layer(l + 1), op, memory_ + at_.weights[op], links_.weights(op));
                if (op != kGateUp && warp_ == kChainWarps - 1)
                    survey(op);
                if (op == kDown && warp_ == kChainWarps - 2)
                    survey(kGateUp); // all warps had a tile then
                if (op == kQkv) {
                    await(kHeads, before + l);
                    keys.run(at<__half>(at_.heads));
                    attend(before + l, l, keys);
                }
            }
        }
    }
    /// Whether some activations were not held well; the same in all blocks.
    __device__ __forceinline__ bool failed() const {
        return __syncthreads_or(bad_) != 0;
    }
    __device__ __forceinline__ void fetch_all() const {
        if (warp_ != kChainWarps - 1)
            return;
        for (int op = 0; op < kChainOps; ++op)
            chain_fetch(shape_, task(op), layer(0), op, memory_ + at_.weights[op], links_.weights(op));
    }

private:
    static constexpr int kStats = 256; // threads from here on send maxima and sums of query heads
    static_assert(kMaxColumns * kChainBlocks <= kChainThreads - kStats && kMaxColumns * HD / 4 <= kStats);

    template <class T>
    __device__ __forceinline__ T* at(int offset) const {
        return reinterpret_cast<T*>(memory_ + offset);
    }
    __device__ __forceinline__ const ChainLayer& layer(int l) const {
        return at<ChainLayer>(at_.layers)[l];
    }
    __device__ __forceinline__ const ChainTask& task(int op) const {
        return at<ChainTask>(at_.tasks)[op * kChainWarps + warp_];
    }
    __device__ __forceinline__ ChainTask make_task(int op) const {
        const int tiles = shape_.tiles(op);
        ChainTask task;
        task.first = chain_share(tiles, rank_, kChainBlocks);
        task.count = chain_share(tiles, rank_ + 1, kChainBlocks) - task.first;
        task.chunks = shape_.chunks(op);
        task.slices = shape_.slices(op);
        const int slice = warp_ % task.slices;
        task.begin = chain_share(task.chunks, slice, task.slices);
        task.depth = chain_share(task.chunks, slice + 1, task.slices) - task.begin;
        task.tile = warp_ / task.slices;
        task.stride = kChainWarps / task.slices;
        task.image = at_.image[op] + task.begin * kChainTile.chunk_weights * 2;
        task.tiles = at_.weights[op] + (task.tile * task.chunks + task.begin) * kChainTile.chunk_bytes;
        task.sums = at_.sums + (task.tile * task.slices + slice) * kTileRows * 4;
        task.squares = at_.squares[op / 2];
        return task;
    }
    __device__ __forceinline__ uint32_t bytes_of(int exchange) const {
        const int dim = shape_.dim * 2 + shape_.dim / kTileRows * 4;
        const int bytes = exchange == kHeads ? (shape_.query_dim() + 2 * shape_.kv_dim()) * 2
            : exchange == kPartials          ? team_.count * (team_.num_quads * 16 + shape_.group() * 8)
            : exchange == kMixed             ? shape_.query_dim() * 2
            : exchange == kGated             ? shape_.ff_dim * 2
                                             : dim;
        return static_cast<uint32_t>(bytes);
    }
    /// The exchange is complete; the next is expected.
    __device__ __forceinline__ void await(ChainExchange what, int turn) const {
        links_.wait(what, turn);
        const unsigned arms =
            what == kPartials ? 0 : kChainThreads - 32; // of a warp that finishes few tiles, or of those that wait
        if (threadIdx.x == arms)
            links_.expect(what, bytes_of(what));
    }

    /// The sums of the block's tiles; returns the lane's part of the sum of squares of x, for ops with a norm.
    __device__ __forceinline__ float product(const ChainTask& task, ChainWeights& weights) const {
        ChainOperand operand;
        operand.load(memory_ + task.image, task.depth, lane_);
        const auto* squares = at<float>(task.squares);
        const int norm_tiles = shape_.dim / kTileRows;
        float square = lane_ < norm_tiles ? squares[lane_] : 0;
        square += lane_ + 32 < norm_tiles ? squares[lane_ + 32] : 0;
        operand.add_up();
        auto* sums = at<float>(task.sums) + lane_ / 4;
#pragma unroll 1
        for (int tile = task.tile; tile < task.count;) {
            const float2 sum = weights.times(operand, task.depth);
            tile += task.stride;
            if (tile < task.count)
                weights.load(memory_ + task.tiles + (tile - task.tile) * task.chunks * kChainTile.chunk_bytes,
                    task.depth, lane_);
            if (lane_ % 4 == 0) {
                sums[0] = sum.x;
                sums[8] = sum.y;
            }
            sums += kChainWarps * kTileRows; // stride times slices
        }
        __syncthreads();
        return square;
    }
    /// A warp: whether f16 held the activations of an op well.
    __device__ __forceinline__ void survey(int op) {
        const uint32_t most =
            chain_largest(memory_ + at_.image[op], shape_.chunks(op) * kChainTile.chunk_weights, lane_, 32);
        bad_ |= in_f16_range(half_bits(most)) ? 0 : 1;
    }

    /// A warp: tile `warp_` of the block's.  Four groups of lanes have the same numbers.
    __device__ __forceinline__ void finish(
        int l, int op, const ChainTask& task, float square, float scale, float2 gain) const {
        if (op == kQkv || op == kGateUp)
            scale *= rsqrtf(__fdividef(warp_sum(square), static_cast<float>(shape_.dim)) +
                (op == kQkv ? args_.attention_eps : args_.ff_eps));
        const auto* sums = at<float>(at_.sums) + warp_ * task.slices * kTileRows + lane_ % 8;
        float low = 0;
        float high = 0;
#pragma unroll 3
        for (int i = 0; i < task.slices; ++i) {
            low += sums[i * kTileRows];
            high += sums[i * kTileRows + 8];
        }
        low *= scale;
        high *= scale;
        const int tile = task.first + warp_;
        ChainExchange what = kGated;
        int offset = at_.image[kDown] + tile * 16;
        bool neighbours = false;
        float own_square = 0;
        if (op == kQkv) {
            what = kHeads;
            offset = at_.heads + turn(l, tile, low, high, neighbours) * 2;
        } else if (op == kGateUp) {
            low = high = gated(args_.gate, low, high);
            if (lane_ < 8)
                at<float>(at_.gated)[warp_ * 8 + lane_] = low;
        } else {
            add_residual(op, low, high);
            own_square = pair_square(low, high);
            low *= gain.x;
            high *= gain.y;
            if (op == kDown && l + 1 == args_.num_layers)
                return leave(tile, low, high, octet_sum(own_square, 0xFFFFFFFFU));
            what = op == kOut ? kResidual : kNext;
            offset = at_.image[op == kOut ? kGateUp : kQkv] + (tile * kTileRows + lane_ % 2 * 8) * 2;
        }
        stage(low, high, neighbours);
        if (op == kOut || op == kDown) {
            const float sum = octet_sum(own_square, 0xFFFFFFFFU);
            if (lane_ < kChainBlocks)
                links_.send(what, each_, at_.squares[op == kOut ? 1 : 0] + tile * 4, sum);
        }
        __syncwarp();
        if (op != kGateUp || lane_ % 2 == 0)
            links_.send(what, pair_, offset, at<uint4>(at_.staged)[warp_ * 2 + lane_ % 2]);
    }
    /// A tile's sixteen numbers as f16 in the order of rows; `neighbours`: low and high of a lane are rows next to each other.
    __device__ __forceinline__ void stage(float low, float high, bool neighbours) const {
        if (lane_ >= 8)
            return;
        auto* staged = at<__half>(at_.staged) + warp_ * kTileRows;
        staged[neighbours ? 2 * lane_ : lane_] = __float2half_rn(low);
        staged[neighbours ? 2 * lane_ + 1 : lane_ + 8] = __float2half_rn(high);
    }
    /// Queries, keys and values: rotates, puts keys and values into the cache; the first of the lane's eight rows of all heads.
    __device__ __forceinline__ int turn(int l, int tile, float& low, float& high, bool& neighbours) const {
        const int q_tiles = shape_.query_dim() / kTileRows;
        const int k_tiles = shape_.kv_dim() / kTileRows;
        const int part = tile < q_tiles ? 0 : tile < q_tiles + k_tiles ? 1 : 2;
        const int first = part == 0 ? 0 : part == 1 ? q_tiles : q_tiles + k_tiles;
        const int local = (tile - first) * kTileRows;
        int row = local + lane_ % 8; // of `low`
        int apart = 8; // from it to that of `high`
        int run = local + lane_ % 2 * 8;
        if (part < 2 && args_.rope != nullptr) {
            const int head = local / HD * HD;
            const int pair = local % HD / 2;
            const float2 angle = at<float2>(at_.angles)[pair + lane_ % 8];
            const float x = low;
            low = x * angle.x - high * angle.y;
            high = x * angle.y + high * angle.x;
            neighbours = !args_.neox;
            row = head + (neighbours ? 2 * (pair + lane_ % 8) : pair + lane_ % 8);
            apart = neighbours ? 1 : HD / 2;
            run = head + (neighbours ? 2 * pair + lane_ % 2 * 8 : pair + lane_ % 2 * (HD / 2));
        }
        if (part > 0 && lane_ < 8) {
            const int head = (part - 1) * args_.num_kv_heads + row / HD;
            auto* target = static_cast<__half*>(layer(l).kv) + line_ + head * args_.block_tokens * HD + row % HD;
            target[0] = __float2half_rn(low);
            target[apart] = __float2half_rn(high);
        }
        return first * kTileRows + run;
    }
    /// Onto x, which this block keeps.
    __device__ __forceinline__ void add_residual(int op, float& low, float& high) const {
        float* x = at<float>(at_.residual) + warp_ * kTileRows + lane_ % 8;
        const float scale = op == kOut ? args_.o_scale : args_.down_scale;
        low = fmaf(low, scale, x[0]);
        high = fmaf(high, scale, x[8]);
        __syncwarp(); // all have read
        if (lane_ < 8) {
            x[0] = low;
            x[8] = high;
        }
    }
    /// For the kernel that follows.
    __device__ __forceinline__ void leave(int tile, float low, float high, float sum) const {
        if (lane_ >= 8)
            return;
        const float* x = at<float>(at_.residual) + warp_ * kTileRows + lane_;
        const int k = tile * kTileRows + lane_;
        args_.x[k] = x[0];
        args_.x[k + 8] = x[8];
        args_.last_image[fragment_offset(k, 0, 4)] = __half_as_ushort(__float2half_rn(low));
        args_.last_image[fragment_offset(k + 8, 0, 4)] = __half_as_ushort(__float2half_rn(high));
        if (lane_ == 0)
            args_.last_squares[tile] = sum;
    }
    /// Of what this warp's lanes will add to x.
    __device__ __forceinline__ float2 gain_of(const float* gain) const {
        const ChainTask& own = task(kOut);
        const int k = (own.first + warp_) * kTileRows + lane_ % 8;
        return warp_ < own.count ? float2{gain[k], gain[k + 8]} : float2{0, 0};
    }

    /// Where this thread sends a part of the attention: a quad of a query head to its owner; from kStats on, the maximum and sum of
    /// a query head to a block of the team.
    __device__ __forceinline__ void settle() {
        const int group = shape_.group();
        const int index = static_cast<int>(threadIdx.x) % kStats;
        if (static_cast<int>(threadIdx.x) < kStats) {
            const int owner = chain_owner(team_.quads, min(index, team_.quads - 1), team_.count);
            const int place = index - chain_share(team_.quads, owner, team_.count);
            partial_ = index < team_.quads ? index / (HD / 4) : -1;
            target_ = at_.gathered + (team_.own * at_.team_quads + place) * 16;
            target_block_ = links_.block(team_.first + owner);
        } else {
            partial_ = index < group * team_.count ? index % group : -1;
            target_ = at_.stats + (team_.own * group + index % group) * 8;
            target_block_ = links_.block(min(team_.first + index / group, kChainBlocks - 1));
        }
        warps_ = warps_of(0);
    }
    /// Warps of this block that have keys from unit `begin` on.
    __device__ __forceinline__ int warps_of(int begin) const {
        const int units = (context_ + 15) / 16 - begin - team_.own;
        return min(kChainWarps, chain_most(max(units, 0), team_.count));
    }
    /// Attention of the warps to that of the team, and what is this block's of it on to all.
    __device__ __forceinline__ void attend(int turn, int l, ChainKeys<HD>& keys) const {
        const int group = shape_.group();
        keys.put(at<float>(at_.partial) + warp_ * group * (HD + 8), at<float2>(at_.partial_stats) + warp_ * group);
        __syncthreads();
        const int begin = ChainKeys<HD>::begin_unit(layer(l).window, context_);
        const int warps = begin == 0 ? warps_ : warps_of(begin);
        if (partial_ >= 0) {
            const auto* stats = at<float2>(at_.partial_stats) + partial_;
            float top = -INFINITY;
#pragma unroll 4
            for (int w = 0; w < warps; ++w)
                top = fmaxf(top, stats[w * group].x);
            const float base = top == -INFINITY ? 0 : top;
            if (threadIdx.x >= kStats) {
                float total = 0;
#pragma unroll 2
                for (int w = 0; w < warps; ++w)
                    total = fmaf(power_of_two(stats[w * group].x - base), stats[w * group].y, total);
                links_.send(kPartials, target_block_, target_, float2{top, total});
            } else {
                const float* values = at<float>(at_.partial) + partial_ * (HD + 8) + threadIdx.x % (HD / 4) * 4;
                float4 sum{};
#pragma unroll 4
                for (int w = 0; w < warps; ++w)
                    add(sum, power_of_two(stats[w * group].x - base),
                        *reinterpret_cast<const float4*>(values + w * group * (HD + 8)));
                links_.send(kPartials, target_block_, target_,
                    uint4{__float_as_uint(sum.x), __float_as_uint(sum.y), __float_as_uint(sum.z),
                        __float_as_uint(sum.w)});
            }
        }
        if (warp_ * 32 >= team_.num_quads)
            return;
        await(kPartials, turn);
        merge(warp_ * 32);
    }
    __device__ __forceinline__ static void add(float4& sum, float weight, const float4& v) {
        sum = {fmaf(weight, v.x, sum.x), fmaf(weight, v.y, sum.y), fmaf(weight, v.z, sum.z), fmaf(weight, v.w, sum.w)};
    }
    /// A warp: quads base to base + 31 of this block's, from the parts of the team.
    __device__ __forceinline__ void merge(int base) const {
        const int own = base + lane_;
        const bool live = own < team_.num_quads;
        const int place = live ? own : 0;
        const int group = shape_.group();
        const auto* stats = at<float2>(at_.stats) + (team_.first_quad + place) / (HD / 4);
        float top = -INFINITY;
#pragma unroll 2
        for (int r = 0; r < team_.count; ++r)
            top = fmaxf(top, stats[r * group].x);
        float total = 0;
        float4 sum{};
#pragma unroll 2
        for (int r = 0; r < team_.count; ++r) {
            const float2 s = stats[r * group];
            const float weight = power_of_two(s.x - (top == -INFINITY ? 0 : top));
            add(sum, weight, at<float4>(at_.gathered)[r * at_.team_quads + place]);
            total = fmaf(weight, s.y, total);
        }
        const float scale = total > 0 ? __fdividef(1.0F, total) : 0;
        sum = {sum.x * scale, sum.y * scale, sum.z * scale, sum.w * scale};
        if (live)
            at<float4>(at_.mixed)[own] = sum;
        const float2 halves{__uint_as_float(pack_half2(sum.x, sum.y)), __uint_as_float(pack_half2(sum.z, sum.w))};
        const int count = min(32, team_.num_quads - base);
        const int target = at_.image[kOut] + (team_.head * team_.quads + team_.first_quad + base) * 8;
#pragma unroll 1
        for (int i = 0; i < count; i += 2) {
            const int quad = i + lane_ / 16;
            const float2 value{__shfl_sync(0xFFFFFFFFU, halves.x, quad), __shfl_sync(0xFFFFFFFFU, halves.y, quad)};
            if (quad < count)
                links_.send(kMixed, each_, target + quad * 8, value);
        }
    }

    const ChainArgs& args_;
    const ChainShape& shape_;
    const ChainLayout& at_;
    unsigned char* memory_;
    ChainLinks links_;
    int warp_, lane_, rank_;
    ChainTeam team_;
    uint32_t pair_, each_; // memory of blocks lane / 2 and lane % 16
    int context_ = 0;
    int bad_ = 0; // f16 did not hold something well
    // What divisions told: the token's line of head 0 in the cache, in halves, and what this thread does in attend().
    std::int64_t line_ = 0;
    int warps_ = 0, partial_ = 0, target_ = 0;
    uint32_t target_block_ = 0;
};

template <int HD>
__global__ void __launch_bounds__(kChainThreads, 1) chain_layers(const __grid_constant__ ChainArgs args,
    const __grid_constant__ ChainShape shape, const __grid_constant__ ChainLayout layout) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(1024) unsigned char memory[];
    pdl_trigger();
    Chain<HD> chain(args, shape, layout, memory);
    chain.prepare();
    pdl_wait();
    chain.take();
    for (bool again = false;; again = true) {
        chain.begin();
        chain.run(again);
        cluster_sync(); // nobody leaves or begins anew while others may read its memory
        if (again || !chain.failed())
            break;
        chain.fetch_all();
    }
#endif
}

ChainShape shape_of(const ChainArgs& args) {
    const TileInfo info = tile_info(args.format);
    return {args.dim, args.ff_dim, args.num_heads, args.num_kv_heads, args.head_dim, args.num_layers,
        info.chunk_weights, info.chunk_bytes};
}

template <int HD>
cudaError_t run(const ChainArgs& args, int block_bytes, cudaStream_t stream) {
    const auto kernel = chain_layers<HD>;
    static const cudaError_t configured = [kernel, block_bytes] {
        const cudaError_t status = raise_shared_limit(kernel, block_bytes);
        return status != cudaSuccess ? status
                                     : cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    }();
    if (configured != cudaSuccess)
        return configured;
    const ChainShape shape = shape_of(args);
    const ChainLayout layout = chain_layout(shape);
    return launch_cluster(
        kernel, dim3(kChainBlocks), dim3(kChainThreads), kChainBlocks, layout.total, stream, args, shape, layout);
}

} // namespace

bool chain_supports(const ChainArgs& args, int max_cluster, int block_bytes) noexcept {
    const ChainShape s = shape_of(args);
    const bool known = args.format == TileFormat::q4 && (args.head_dim == 64 || args.head_dim == 128);
    if (!known || max_cluster < kChainBlocks || args.num_layers < 1 || args.num_layers > kChainLayers ||
        args.num_kv_heads > kChainBlocks || args.num_heads % args.num_kv_heads != 0 || s.group() > kMaxColumns ||
        args.block_tokens % 16 != 0 || args.softcap != 0 || args.dim > 64 * kTileRows)
        return false;
    const bool whole =
        s.dim % s.chunk_weights == 0 && s.ff_dim % s.chunk_weights == 0 && s.query_dim() % s.chunk_weights == 0;
    for (int op = 0; op < kChainOps; ++op) {
        if (s.most_tiles(op) > kChainWarps || s.slices(op) == 0)
            return false;
    }
    return whole && chain_layout(s).total <= block_bytes;
}

cudaError_t launch_chain(const ChainArgs& args, int block_bytes, cudaStream_t stream) {
    return args.head_dim == 64 ? run<64>(args, block_bytes, stream) : run<128>(args, block_bytes, stream);
}

} // namespace vitrine::kernels
