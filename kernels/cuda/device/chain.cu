// SPDX-License-Identifier: GPL-3.0-or-later
// All layers of a small model for one token.  Its products are so small that a chain of kernels costs only their starts and ends;
// here one cluster of sixteen blocks does them all.  Each block has every vector whole in its shared memory: whoever finishes a
// few numbers sends them to all blocks, which count the bytes; nothing goes through memory and nobody waits for a fence.  Weights
// come through rings that run ahead over ops and layers.  A product has the bits of the small kernel: the same eight slices of K
// in the same order.
#include <algorithm>

#include "kernels/cuda/device/chain_attention.cuh"
#include "kernels/cuda/device/chain_parts.cuh"

namespace vitrine::kernels {
namespace {

template <class F, class Source>
__device__ __forceinline__ void multiply_chunk(
    const uint8_t* chunk, const uint16_t* image, int group, int lane, float (&acc)[4]) {
    static_assert(!F::kChunkScale);
    typename F::Regs r;
    F::template load_base<Source>(r, chunk, lane);
#pragma unroll
    for (int i = 0; i < kGroupsPerChunk<F>; ++i) {
        uint32_t a[2][4];
        if (i % 2 == 0)
            F::template load_piece<Source>(r, chunk, lane, i / 2);
        decode_exact<F>(r, i, a);
        const uint4 b = *reinterpret_cast<const uint4*>(image + ((group + i) * 4 + lane % 4) * 8);
        mma(acc, a[0], b.x, b.y);
        mma(acc, a[1], b.z, b.w);
    }
}

/// One row's sums of a slice: [tile][slice][16].
__device__ __forceinline__ void put_sums(float* sums, int tile, int slice, const float (&acc)[4], float scale) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (lane % 4 != 0)
        return;
    sums += (tile * kSlices + slice) * kTileRows + lane / 4;
    sums[0] = acc[0] * scale;
    sums[8] = acc[2] * scale;
}
__device__ __forceinline__ uint16_t half_of(float value) {
    return __half_as_ushort(__float2half_rn(value));
}

/// The slices that f16 does not hold well, again, scaled by a power of two; by all blocks, as all have the same numbers.  Rare, so
/// not fast, and not inlined: an object of its own, or those of the fast path would have to be in memory.
template <class F>
class ChainRescue {
public:
    __device__ __forceinline__ ChainRescue(
        const ChainShape& shape, const ChainLayout& at, unsigned char* memory)
        : shape_(&shape), at_(&at), memory_(memory) {}
    __device__ __noinline__ void run(int l, int op, int image_at) const {
        constexpr TileInfo kInfo = tile_info(F::kFormat);
        const ChainPlaces places(memory_, *at_, *shape_);
        const ChainShare share = places.shares[op];
        const auto* bad = at<unsigned char>(at_->flags + op * kSlices);
        auto* image = at<uint16_t>(image_at);
        const int warp = static_cast<int>(threadIdx.x) / 32;
        const int lane = static_cast<int>(threadIdx.x) % 32;
        cluster_sync(); // the blocks' own numbers can be read
        if (warp < kSlices && bad[warp] != 0) {
            const int begin = chain_slice(share.chunks, warp) * kInfo.chunk_weights;
            const int end = chain_slice(share.chunks, warp + 1) * kInfo.chunk_weights;
            float largest = 0;
            for (int k = begin + lane; k < end; k += 32)
                largest = fmaxf(largest, fabsf(exact_value(places.layers[l], op, k)));
            const float grow = slice_factor(warp_max(largest));
            for (int k = begin + lane; k < end; k += 32)
                image[fragment_offset(k, 0, 4)] = half_of(exact_value(places.layers[l], op, k) / grow);
            if (lane == 0)
                at<float>(at_->grow)[warp] = grow;
        }
        __syncthreads();
        const ChainTurn turn(warp);
        for (int step = 0; turn.tile(step) < share.count; ++step) {
            const int slice = turn.slice(step);
            if (bad[slice] == 0)
                continue;
            const int begin = chain_slice(share.chunks, slice);
            const int count = chain_slice(share.chunks, slice + 1) - begin;
            const uint8_t* chunk = places.of(l, op, share.first + turn.tile(step), slice);
            float acc[4] = {};
            for (int c = 0; c < count; ++c)
                multiply_chunk<F, StreamSource>(
                    chunk + c * kInfo.chunk_bytes, image, (begin + c) * kGroupsPerChunk<F>, lane, acc);
            put_sums(at<float>(at_->sums), turn.tile(step), slice, acc, at<float>(at_->grow)[slice]);
        }
        __syncthreads();
    }

private:
    template <class T>
    __device__ __forceinline__ T* at(int offset) const {
        return reinterpret_cast<T*>(memory_ + offset);
    }
    /// Number k of what an op reads, as f32, from the block that made it.
    __device__ float exact_value(const ChainLayer& layer, int op, int k) const {
        if (op == kOut) {
            const int own = shape_->own_dims();
            return remote(at_->mixed + k % own * 4, k / own);
        }
        const int rows = op == kDown ? kTileRows / 2 : kTileRows;
        const int tile = k / rows;
        const int tiles = shape_->tiles(op == kDown ? kGateUp : kOut);
        const int block = (kChainBlocks * (tile + 1) - 1) / tiles;
        const int index = (tile - chain_first_tile(tiles, block)) * rows + k % rows;
        if (op == kDown)
            return remote(at_->gated + index * 4, block);
        const float* gain = op == kQkv ? layer.attention_gain : layer.ff_gain;
        return remote(at_->residual + index * 4, block) * gain[k];
    }
    __device__ __forceinline__ float remote(int offset, int block) const {
        return load_cluster(shared_address(memory_ + offset), static_cast<uint32_t>(block));
    }

    const ChainShape* shape_;
    const ChainLayout* at_;
    unsigned char* memory_;
};

template <class F, int HD>
class Chain {
public:
    static constexpr TileInfo kInfo = tile_info(F::kFormat);

    __device__ __forceinline__ Chain(
        const ChainArgs& args, const ChainShape& shape, const ChainLayout& at, unsigned char* memory)
        : args_(args), shape_(shape), at_(at), memory_(memory), links_(memory),
          warp_(__shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 32, 0)),
          lane_(static_cast<int>(threadIdx.x) % 32), rank_(static_cast<int>(blockIdx.x)), turn_(warp_),
          ring_(memory, at, shape, warp_) {}

    /// What needs no earlier kernel.
    __device__ __forceinline__ void prepare() {
        const int thread = static_cast<int>(threadIdx.x);
        if (thread < kChainOps) {
            const int tiles = shape_.tiles(thread);
            const int first = chain_first_tile(tiles, rank_);
            at<ChainShare>(at_.shares)[thread] = {
                first, chain_first_tile(tiles, rank_ + 1) - first, shape_.chunks(thread), tiles};
        }
        const auto* from = reinterpret_cast<const uint4*>(args_.layers);
        for (int i = thread; i < args_.num_layers * static_cast<int>(sizeof(ChainLayer) / 16); i += kChainThreads)
            at<uint4>(at_.layers)[i] = from[i];
        context_ = args_.context_lens[0];
        slot_ = args_.slots[0];
        for (int i = thread; i < HD / 2; i += kChainThreads)
            at<float2>(at_.turns)[i] = args_.rope != nullptr
                ? args_.rope[static_cast<std::int64_t>(args_.positions[0]) * (HD / 2) + i]
                : float2{1, 0};
        if (thread == 0)
            links_.init();
        ring_.init();
        __syncthreads();
        cluster_arrive();
        cluster_wait();
        ring_.start();
        if (thread == 0) {
            for (int i = 0; i < kExchanges; ++i)
                links_.expect(static_cast<ChainExchange>(i), bytes_of(i));
        }
    }
    /// x as the first layer reads it.
    __device__ __forceinline__ void begin() {
        const float* gain = layer(0).attention_gain;
        const int g = lane_ % 8;
        for (int base = warp_ * 4; base < shape_.tiles(kOut); base += kChainWarps * 4) {
            const int tile = base + lane_ / 8;
            const bool live = tile < shape_.tiles(kOut);
            const int k = tile * kTileRows + g;
            const float low = live ? args_.x[k] : 0;
            const float high = live ? args_.x[k + 8] : 0;
            const float sum = octet_sum(pair_square(low, high), 0xFFFFFFFFU);
            if (!live)
                continue;
            const ChainShare share = this->share(kOut);
            if (g == 0)
                at<float>(at_.squares[0])[tile] = sum;
            auto* image = at<uint16_t>(at_.image[0]);
            image[fragment_offset(k, 0, 4)] = half_of(low * gain[k]);
            image[fragment_offset(k + 8, 0, 4)] = half_of(high * gain[k + 8]);
            const int own = tile - share.first;
            if (own >= 0 && own < share.count) {
                at<float>(at_.residual)[own * kTileRows + g] = low;
                at<float>(at_.residual)[own * kTileRows + g + 8] = high;
            }
        }
        __syncthreads();
    }
    __device__ __forceinline__ void run() {
        // Neighbouring warps of the cluster, in different blocks, have neighbouring heads.
        const int place = warp_ * kChainBlocks + rank_;
        const int kv_heads = args_.num_kv_heads;
        const int kv_head = place % kv_heads;
        const int warps = (kChainWarps * kChainBlocks - kv_head + kv_heads - 1) / kv_heads; // of this head
        ChainKeys<HD> keys(args_, kv_head, place / kv_heads, warps, context_);
#pragma unroll 1
        for (int l = 0; l < args_.num_layers; ++l) {
            keys.start(layer(l).kv, layer(l).window);
            if (l > 0)
                await(kNext, l - 1);
            product<kQkv>(l, at_.image[0], at_.squares[0], args_.attention_eps,
                [&](int tile, int, float low, float high) { finish_heads(l, tile, low, high); });
            await(kHeads, l);
            keys.run(at<__half>(at_.heads));
            attend(l, keys);
            await(kMixed, l);
            const float2 ff_gain = gain_of(layer(l).ff_gain);
            product<kOut>(l, at_.mixed_image, -1, 0, [&](int tile, int own, float low, float high) {
                finish_residual<kResidual>(tile, own, low, high, args_.o_scale, ff_gain);
            });
            await(kResidual, l);
            product<kGateUp>(l, at_.image[1], at_.squares[1], args_.ff_eps,
                [&](int tile, int own, float low, float high) { finish_gated(tile, own, low, high); });
            await(kGated, l);
            const bool last = l + 1 == args_.num_layers;
            const float2 next_gain = gain_of(last ? args_.last_gain : layer(l + 1).attention_gain);
            product<kDown>(l, at_.gated_image, -1, 0, [&](int tile, int own, float low, float high) {
                if (last)
                    finish_residual<kExchanges>(tile, own, low, high, args_.down_scale, next_gain);
                else
                    finish_residual<kNext>(tile, own, low, high, args_.down_scale, next_gain);
            });
        }
    }

private:
    template <class T>
    __device__ __forceinline__ T* at(int offset) const {
        return reinterpret_cast<T*>(memory_ + offset);
    }
    __device__ __forceinline__ const ChainLayer& layer(int l) const { return at<ChainLayer>(at_.layers)[l]; }
    __device__ __forceinline__ ChainShare share(int op) const { return at<ChainShare>(at_.shares)[op]; }
    __device__ __forceinline__ uint32_t bytes_of(int exchange) const {
        const int dim = shape_.dim * 2 + shape_.dim / kTileRows * 4;
        const int bytes = exchange == kHeads ? (shape_.query_dim() + 2 * shape_.kv_dim()) * 2
            : exchange == kPartials          ? kChainBlocks * (shape_.own_dims() * 4 + shape_.num_heads * 8)
            : exchange == kMixed             ? shape_.query_dim() * 2
            : exchange == kGated             ? shape_.ff_dim * 2
                                             : dim;
        return static_cast<uint32_t>(bytes);
    }
    /// The exchange of layer `l` is complete; the next is expected.
    __device__ __forceinline__ void await(ChainExchange what, int l) const {
        links_.wait(what, l);
        if (threadIdx.x == 0)
            links_.expect(what, bytes_of(what));
    }

    /// finish(tile, tile of this block, low, high): a warp, eight lanes of which have rows g and g + 8 of a tile.
    /// `squares`: offset, or -1: no norm.
    template <ChainOp kOp, class Finish>
    __device__ __forceinline__ void product(int l, int image_at, int squares, float eps, Finish&& finish) {
        const ChainShare share = this->share(kOp);
        const auto* image = at<uint16_t>(image_at);
        const bool mine = warp_ < share.count;
        float scale = 1;
        if (mine && squares >= 0)
            scale = norm_scale(at<float>(squares), shape_.dim, eps, lane_);
#pragma unroll 1
        for (int step = 0; turn_.tile(step) < share.count; ++step) {
            const int slice = turn_.slice(step);
            const int begin = chain_slice(share.chunks, slice);
            const int count = chain_slice(share.chunks, slice + 1) - begin;
            float acc[4] = {};
            if (count > 0) {
                const uint8_t* chunk = ring_.wait();
#pragma unroll 1
                for (int c = 0; c < count; ++c)
                    multiply_chunk<F, SharedSource>(
                        chunk + c * kInfo.chunk_bytes, image, (begin + c) * kGroupsPerChunk<F>, lane_, acc);
                ring_.release();
            }
            put_sums(at<float>(at_.sums), turn_.tile(step), slice, acc, 1);
        }
        if (warp_ >= kSlices)
            survey(kOp, image, share.chunks, warp_ - kSlices);
        __syncthreads();
        const uint2 flags = *at<uint2>(at_.flags + kOp * kSlices);
        if ((flags.x | flags.y) != 0)
            ChainRescue<F>(shape_, at_, memory_).run(l, kOp, image_at);
        if (!mine)
            return;
        float low = 0;
        float high = 0;
        const float* sums = at<float>(at_.sums) + warp_ * kSlices * kTileRows + lane_ % 8;
#pragma unroll
        for (int w = 0; w < kSlices; ++w) {
            low += sums[w * kTileRows];
            high += sums[w * kTileRows + 8];
        }
        scale *= kExactFactor<F>;
        finish(share.first + warp_, warp_, low * scale, high * scale);
    }
    /// A warp: whether f16 holds a slice of the activations well.
    __device__ __forceinline__ void survey(int op, const uint16_t* image, int chunks, int slice) const {
        const int begin = chain_slice(chunks, slice) * kInfo.chunk_weights;
        const int end = chain_slice(chunks, slice + 1) * kInfo.chunk_weights;
        __half2 most = __float2half2_rn(0);
        for (int k = begin + lane_ * 8; k < end; k += 256) {
            const uint4 v = *reinterpret_cast<const uint4*>(image + k);
#pragma unroll
            for (int i = 0; i < 4; ++i)
                most = __hmax2(most, __habs2(as_half2(pick(v, i))));
        }
        const float largest = warp_max(fmaxf(__low2float(most), __high2float(most)));
        if (lane_ == 0)
            at<unsigned char>(at_.flags)[op * kSlices + slice] = begin < end && !in_f16_range(largest) ? 1 : 0;
    }
    /// Four of a tile's sixteen numbers for each lane: quad lane % 4, in the order of rows.
    __device__ __forceinline__ uint2 quad_of(float low, float high, bool neighbours) const {
        const uint32_t word = pack_half2(low, high);
        const int quad = lane_ % 4;
        const int first = neighbours ? quad * 2 : quad % 2 * 4;
        uint32_t w[4];
#pragma unroll
        for (int j = 0; j < 4; ++j)
            w[j] = __shfl_sync(0xFFFFFFFFU, word, (first + j) % 8);
        if (neighbours)
            return {w[0], w[1]};
        const uint32_t selector = quad < 2 ? 0x5410 : 0x7632;
        return {__byte_perm(w[0], w[1], selector), __byte_perm(w[2], w[3], selector)};
    }
    __device__ __forceinline__ void send_quads(ChainExchange what, int offset, uint2 quad) const {
#pragma unroll
        for (int i = 0; i < 2; ++i)
            links_.send(what, offset, lane_ / 4 + i * 8, quad);
    }
    /// Queries, keys and values: rotated, to all blocks; keys and values to the cache too.
    __device__ __forceinline__ void finish_heads(int l, int tile, float low, float high) const {
        const int q_tiles = shape_.query_dim() / kTileRows;
        const int k_tiles = shape_.kv_dim() / kTileRows;
        const int part = tile < q_tiles ? 0 : tile < q_tiles + k_tiles ? 1 : 2;
        const int local = tile - (part == 0 ? 0 : part == 1 ? q_tiles : q_tiles + k_tiles);
        const int g = lane_ % 8;
        const bool turned = part < 2 && args_.rope != nullptr;
        const bool neox = args_.neox && turned;
        int row = local * kTileRows + g; // of `low`
        int apart = 8; // from it to that of `high`
        int run = local * kTileRows + lane_ % 4 * 4; // first row of the lane's quad
        if (turned) {
            const int head = local * 8 / (HD / 2);
            const int pair = local * 8 % (HD / 2);
            const float2 turn = at<float2>(at_.turns)[pair + g];
            const float x = low;
            low = x * turn.x - high * turn.y;
            high = x * turn.y + high * turn.x;
            row = head * HD + (neox ? pair + g : 2 * (pair + g));
            apart = neox ? HD / 2 : 1;
            if (neox)
                run = head * HD + pair + lane_ % 2 * 4 + lane_ % 4 / 2 * (HD / 2);
        }
        const int first = part == 0 ? 0 : part == 1 ? shape_.query_dim() : shape_.query_dim() + shape_.kv_dim();
        send_quads(kHeads, at_.heads + (first + run) * 2, quad_of(low, high, turned && !neox));
        if (part == 0 || lane_ >= 8)
            return;
        const int block = slot_ / args_.block_tokens;
        const int offset = slot_ % args_.block_tokens;
        auto* data = static_cast<__half*>(layer(l).kv);
        for (int i = 0; i < 2; ++i) {
            const int at = row + i * apart;
            const std::int64_t line =
                ((static_cast<std::int64_t>(block) * 2 + part - 1) * args_.num_kv_heads + at / HD) * args_.block_tokens +
                offset;
            data[line * HD + at % HD] = __float2half_rn(i == 0 ? low : high);
        }
    }
    /// Attention of the warps to that of the cluster.
    __device__ __forceinline__ void attend(int l, ChainKeys<HD>& keys) const {
        const int group = shape_.group();
        keys.put(at<float>(at_.partial) + warp_ * group * (HD + 8), at<float2>(at_.partial_stats) + warp_ * group);
        __syncthreads();
        // Warps of a KV head in this block, those that had keys: their places are rank, rank + 16 and so on.
        const int units = (context_ + 15) / 16 - ChainKeys<HD>::begin_unit(layer(l).window, context_);
        const auto each_warp = [&](int flat, auto&& see) {
            const int kv_head = flat / group;
            for (int w = 0; w < kChainWarps; ++w) {
                const int place = w * kChainBlocks + rank_;
                if (place >= units * args_.num_kv_heads)
                    break;
                if (place % args_.num_kv_heads == kv_head)
                    see(w * group + flat % group);
            }
        };
        const auto* stats = at<float2>(at_.partial_stats);
        const auto top_of = [&](int flat) {
            float top = -INFINITY;
            each_warp(flat, [&](int i) { top = fmaxf(top, stats[i].x); });
            return top;
        };
        const int thread = static_cast<int>(threadIdx.x);
        const int own = shape_.own_dims();
        for (int i = thread; i < shape_.query_dim(); i += kChainThreads) {
            const float top = top_of(i / HD);
            float value = 0;
            each_warp(i / HD, [&](int w) {
                value = fmaf(exp2f(stats[w].x - (top == -INFINITY ? 0 : top)),
                    at<float>(at_.partial)[w * (HD + 8) + i % HD], value);
            });
            links_.send(kPartials, at_.gathered + (rank_ * own + i % own) * 4, i / own, value);
        }
        // From the other end, where threads have one number less above.
        for (int i = kChainThreads - 1 - thread; i < shape_.num_heads * kChainBlocks; i += kChainThreads) {
            const int flat = i / kChainBlocks;
            const float top = top_of(flat);
            float total = 0;
            each_warp(flat, [&](int w) { total = fmaf(exp2f(stats[w].x - (top == -INFINITY ? 0 : top)), stats[w].y, total); });
            links_.send(kPartials, at_.stats + (rank_ * shape_.num_heads + flat) * 8, i % kChainBlocks,
                uint2{__float_as_uint(top), __float_as_uint(total)});
        }
        if (warp_ * 32 >= own)
            return;
        await(kPartials, l);
        for (int base = warp_ * 32; base < own; base += kChainThreads)
            merge(base + lane_, own);
    }
    /// A warp: the blocks' parts of number j of this block's, and on to all.
    __device__ __forceinline__ void merge(int j, int own) const {
        const bool live = j < own;
        const int index = rank_ * own + (live ? j : 0);
        const int flat = index / HD;
        const auto* stats = at<float2>(at_.stats) + flat;
        const float* values = at<float>(at_.gathered) + (live ? j : 0);
        float top = -INFINITY;
#pragma unroll
        for (int r = 0; r < kChainBlocks; ++r)
            top = fmaxf(top, stats[r * args_.num_heads].x);
        float value = 0;
        float total = 0;
#pragma unroll
        for (int r = 0; r < kChainBlocks; ++r) {
            const float2 s = stats[r * args_.num_heads];
            const float weight = exp2f(s.x - (top == -INFINITY ? 0 : top));
            value = fmaf(weight, values[r * own], value);
            total = fmaf(weight, s.y, total);
        }
        value = total > 0 ? value / total : 0;
        const uint32_t half = half_of(value);
        uint32_t h[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            h[i] = __shfl_sync(0xFFFFFFFFU, half, (lane_ & ~3) + i);
        if (!live)
            return;
        at<float>(at_.mixed)[j] = value;
        const uint2 quad{h[0] | h[1] << 16, h[2] | h[3] << 16};
        const int offset = at_.mixed_image + fragment_offset(index & ~3, 0, 4) * 2;
#pragma unroll
        for (int i = 0; i < kChainBlocks / 4; ++i)
            links_.send(kMixed, offset, lane_ % 4 + i * 4, quad);
    }
    /// Of what this warp's lanes will add to x.
    __device__ __forceinline__ float2 gain_of(const float* gain) const {
        const ChainShare share = this->share(kOut);
        const int k = (share.first + warp_) * kTileRows + lane_ % 8;
        return warp_ < share.count ? float2{gain[k], gain[k + 8]} : float2{0, 0};
    }
    /// Onto x.  kWhat: for the next product of the cluster, or kExchanges: for the kernel that follows.
    template <ChainExchange kWhat>
    __device__ __forceinline__ void finish_residual(
        int tile, int own, float low, float high, float scale, float2 gain) const {
        const int g = lane_ % 8;
        float* x = at<float>(at_.residual) + own * kTileRows + g;
        low = fmaf(low, scale, x[0]);
        high = fmaf(high, scale, x[8]);
        const float2 fed{low * gain.x, high * gain.y};
        const float sum = octet_sum(pair_square(low, high), 0xFFFFFFFFU);
        __syncwarp(); // four groups of lanes have the same numbers: all have read
        if (lane_ < 8) {
            x[0] = low;
            x[8] = high;
        }
        if constexpr (kWhat == kExchanges) {
            if (lane_ >= 8)
                return;
            const int k = tile * kTileRows + g;
            args_.x[k] = low;
            args_.x[k + 8] = high;
            args_.last_image[fragment_offset(k, 0, 4)] = half_of(fed.x);
            args_.last_image[fragment_offset(k + 8, 0, 4)] = half_of(fed.y);
            if (g == 0)
                args_.last_squares[tile] = sum;
        } else {
            constexpr int kReader = kWhat == kNext ? 0 : 1;
            const int image = at_.image[kReader] + fragment_offset(tile * kTileRows + lane_ % 4 * 4, 0, 4) * 2;
            send_quads(kWhat, image, quad_of(fed.x, fed.y, false));
            if (lane_ < kChainBlocks)
                links_.send(kWhat, at_.squares[kReader] + tile * 4, lane_, sum);
        }
    }
    __device__ __forceinline__ void finish_gated(int tile, int own, float low, float high) const {
        const int g = lane_ % 8;
        const float value = gated(args_.gate, low, high);
        if (lane_ < 8)
            at<float>(at_.gated)[own * 8 + g] = value;
        const uint32_t half = half_of(value);
        const int first = lane_ % 2 * 4;
        uint32_t h[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
            h[i] = __shfl_sync(0xFFFFFFFFU, half, first + i);
        links_.send(kGated, at_.gated_image + fragment_offset(tile * 8 + first, 0, 4) * 2, lane_ / 2,
            uint2{h[0] | h[1] << 16, h[2] | h[3] << 16});
    }

    const ChainArgs& args_;
    const ChainShape& shape_;
    const ChainLayout& at_;
    unsigned char* memory_;
    ChainLinks links_;
    int warp_, lane_, rank_;
    ChainTurn turn_;
    ChainRing ring_;
    int context_ = 0, slot_ = 0;
};

template <class F, int HD>
__global__ void __launch_bounds__(kChainThreads, 1) chain_layers(const __grid_constant__ ChainArgs args,
    const __grid_constant__ ChainShape shape, const __grid_constant__ ChainLayout layout) {
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(1024) unsigned char memory[];
    pdl_trigger();
    Chain<F, HD> chain(args, shape, layout, memory);
    chain.prepare();
    pdl_wait();
    chain.begin();
    chain.run();
    cluster_sync(); // nobody leaves while others may read its memory
#endif
}

ChainShape shape_of(const ChainArgs& args) {
    const TileInfo info = tile_info(args.format);
    return {args.dim, args.ff_dim, args.num_heads, args.num_kv_heads, args.head_dim, args.num_layers, info.chunk_weights,
        info.chunk_bytes};
}

template <class F, int HD>
cudaError_t run(const ChainArgs& args, int block_bytes, cudaStream_t stream) {
    const auto kernel = chain_layers<F, HD>;
    static const cudaError_t configured = [kernel, block_bytes] {
        const cudaError_t status = raise_shared_limit(kernel, block_bytes);
        return status != cudaSuccess ? status
                                     : cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    }();
    if (configured != cudaSuccess)
        return configured;
    const ChainShape shape = shape_of(args);
    const ChainLayout layout = chain_layout(shape, block_bytes);
    return launch_cluster(kernel, dim3(kChainBlocks), dim3(kChainThreads), kChainBlocks, layout.total, stream, args,
        shape, layout);
}

} // namespace

bool chain_supports(const ChainArgs& args, int max_cluster, int block_bytes) noexcept {
    const ChainShape s = shape_of(args);
    const bool known = args.format == TileFormat::q4 && (args.head_dim == 64 || args.head_dim == 128);
    if (!known || max_cluster < kChainBlocks || args.num_layers < 1 || args.num_layers > kChainLayers ||
        args.num_heads > kChainHeads || s.group() > 8 || args.block_tokens % 16 != 0)
        return false;
    const bool whole = s.dim % s.chunk_weights == 0 && s.ff_dim % s.chunk_weights == 0 &&
        s.query_dim() % std::max(s.chunk_weights, 4 * kChainBlocks) == 0;
    for (int op = 0; op < kChainOps; ++op) {
        if (s.most_tiles(op) > kChainTiles)
            return false;
    }
    return whole && chain_layout(s, block_bytes).stages >= 2;
}

cudaError_t launch_chain(const ChainArgs& args, int block_bytes, cudaStream_t stream) {
    return args.head_dim == 64 ? run<TileQ4, 64>(args, block_bytes, stream)
                               : run<TileQ4, 128>(args, block_bytes, stream);
}

} // namespace vitrine::kernels
