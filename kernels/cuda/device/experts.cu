// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture of experts: who goes where, then products of the pairs of each expert, eight at a time, by mma on f16 weights and
// f16 activations, sums f32.  A pair's bits depend on nothing but the pair.
#include "kernels/cuda/device/epilogue.cuh"
#include "kernels/cuda/experts_launch.h"

namespace vitrine::kernels {
namespace {

constexpr int kRouteWarps = 4;
constexpr int kGroupThreads = kMaxDeviceExperts;
constexpr int kProductWarps = 4; // they share K

__device__ __forceinline__ double warp_total(double value) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xFFFFFFFFU, value, step);
    return value;
}

/// One warp a row; lane l has the experts l, l + 32, ...
__global__ void __launch_bounds__(kRouteWarps * 32) route(const __grid_constant__ RouteArgs args) {
    __shared__ double scores[kRouteWarps][kMaxDeviceExperts];
    pdl_trigger();
    pdl_wait();
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int row = static_cast<int>(blockIdx.x) * kRouteWarps + static_cast<int>(threadIdx.x) / 32;
    if (row >= args.num_rows)
        return;
    double* own = scores[threadIdx.x / 32];
    const float* logits = args.router + static_cast<std::int64_t>(row) * args.num_experts;
    float most = -INFINITY;
    for (int i = lane; i < args.num_experts; i += 32)
        most = fmaxf(most, logits[i]);
    const double max = static_cast<double>(warp_max(most));
    double total = 0;
    for (int i = lane; i < args.num_experts; i += 32) {
        const double logit = static_cast<double>(logits[i]);
        own[i] = args.kind == RouterKind::sigmoid ? 1 / (1 + exp(-logit)) : exp(logit - max);
        total += own[i];
    }
    total = warp_total(total);
    if (args.kind == RouterKind::softmax) {
        for (int i = lane; i < args.num_experts; i += 32)
            own[i] /= total;
    }
    std::int32_t* ids = args.ids + static_cast<std::int64_t>(row) * args.num_used;
    float* weights = args.weights + static_cast<std::int64_t>(row) * args.num_used;
    unsigned taken = 0; // bit i: this lane's i-th expert
    double sum = 0;
    for (int k = 0; k < args.num_used; ++k) {
        double best = -INFINITY;
        int id = 0x7FFFFFFF;
        for (int i = lane; i < args.num_experts; i += 32) {
            double rank = own[i] + (args.selection_bias != nullptr ? static_cast<double>(args.selection_bias[i]) : 0);
            rank = isnan(rank) ? -INFINITY : rank;
            if ((taken >> (i / 32) & 1U) == 0 && (id == 0x7FFFFFFF || rank > best)) {
                best = rank;
                id = i;
            }
        }
#pragma unroll
        for (int step = 16; step > 0; step /= 2) {
            const double other = __shfl_xor_sync(0xFFFFFFFFU, best, step);
            const int other_id = __shfl_xor_sync(0xFFFFFFFFU, id, step);
            if (other_id != 0x7FFFFFFF && (id == 0x7FFFFFFF || other > best || (other == best && other_id < id))) {
                best = other;
                id = other_id;
            }
        }
        if (id % 32 == lane)
            taken |= 1U << (id / 32);
        __syncwarp();
        const double score = own[id];
        sum += score;
        if (lane == 0) {
            ids[k] = id;
            weights[k] = static_cast<float>(score);
        }
    }
    __syncwarp();
    const double factor = static_cast<double>(args.scale) / (args.normalize ? sum : 1);
    for (int k = lane; k < args.num_used; k += 32)
        weights[k] = static_cast<float>(static_cast<double>(weights[k]) * factor);
}

/// Inclusive prefix sum over the block.
__device__ int block_prefix(int value, int* scratch) {
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xFFFFFFFFU, value, step);
        if (static_cast<int>(threadIdx.x) % 32 >= step)
            value += other;
    }
    if (threadIdx.x % 32 == 31)
        scratch[threadIdx.x / 32] = value;
    __syncthreads();
    for (unsigned warp = 0; warp < threadIdx.x / 32; ++warp)
        value += scratch[warp];
    __syncthreads();
    return value;
}

/// One block; a thread an expert.
__global__ void __launch_bounds__(kGroupThreads) group_pairs(const __grid_constant__ RouteArgs args) {
    __shared__ int scratch[32];
    __shared__ int chunk[kGroupThreads];
    pdl_trigger();
    pdl_wait();
    const int expert = static_cast<int>(threadIdx.x);
    const int num_pairs = args.num_rows * args.num_used;
    const auto each = [&](auto use) {
        for (int base = 0; base < num_pairs; base += kGroupThreads) {
            __syncthreads();
            if (base + expert < num_pairs)
                chunk[expert] = args.ids[base + expert];
            __syncthreads();
            const int count = min(kGroupThreads, num_pairs - base);
            for (int i = 0; i < count; ++i) {
                if (chunk[i] == expert)
                    use(base + i);
            }
        }
    };
    int count = 0;
    each([&](int) { ++count; });
    const int num_items = (count + kExpertColumns - 1) / kExpertColumns;
    int next = block_prefix(count, scratch) - count;
    const int last_item = block_prefix(num_items, scratch);
    for (int i = 0; i < num_items; ++i)
        args.items[last_item - num_items + i] = {
            expert, next + i * kExpertColumns, min(kExpertColumns, count - i * kExpertColumns)};
    if (expert == kGroupThreads - 1)
        *args.num_items = last_item;
    each([&](int pair) { args.grouped[next++] = pair; });
}

/// Place of element k of a row: eight of a group of 32 for each lane of four, as fragment_offset() of one column.
__device__ __forceinline__ int expert_place(int k) {
    return (k >> 5) * 32 + ((k >> 2) & 3) * 8 + ((k >> 4) & 1) * 4 + (k & 3);
}

/// One block a row.
__global__ void __launch_bounds__(256)
    expert_rows(const float* rows, int dim, int padded_dim, uint16_t* image, float* scales) {
    __shared__ float largest[8];
    pdl_trigger();
    pdl_wait();
    const float* from = rows + static_cast<std::int64_t>(blockIdx.x) * dim;
    uint16_t* to = image + static_cast<std::int64_t>(blockIdx.x) * padded_dim;
    float most = 0;
    for (int k = static_cast<int>(threadIdx.x); k < dim; k += 256)
        most = fmaxf(most, fabsf(from[k]));
    most = warp_max(most);
    if (threadIdx.x % 32 == 0)
        largest[threadIdx.x / 32] = most;
    __syncthreads();
    for (const float other : largest)
        most = fmaxf(most, other);
    const float factor = slice_factor(most);
    for (int k = static_cast<int>(threadIdx.x); k < padded_dim; k += 256)
        to[expert_place(k)] = k < dim ? __half_as_ushort(__float2half_rn(from[k] / factor)) : 0;
    if (threadIdx.x == 0)
        scales[blockIdx.x] = factor;
}

__device__ __forceinline__ float expert_gated(GateKind kind, float gate, float up) {
    if (kind == GateKind::swiglu_clamped) { // gpt-oss (OpenAI, 2025)
        const float capped = fminf(gate, 7.0F);
        return capped / (1 + __expf(-1.702F * capped)) * (fminf(fmaxf(up, -7.0F), 7.0F) + 1);
    }
    if (kind == GateKind::gelu)
        return 0.5F * gate * (1 + erff(gate * 0.7071067812F)) * up;
    return gated(kind, gate, up);
}

/// This warp's part of K of one tile.  `line`: the lane's column of the image, or null.
template <class F>
__device__ __forceinline__ void multiply_tile(
    const TileMatrix& matrix, int tile, int padded_dim, const uint16_t* line, int warp, int lane, float (&sum)[4]) {
    constexpr TileInfo kInfo = tile_info(F::kFormat);
    const int chunks = padded_dim / kInfo.chunk_weights;
    const uint8_t* tiles = matrix.tiles + static_cast<std::int64_t>(tile) * matrix.num_chunks * kInfo.chunk_bytes;
    typename F::Regs next;
    if (warp < chunks)
        load_chunk<F, StreamSource>(next, tiles + static_cast<std::int64_t>(warp) * kInfo.chunk_bytes, lane);
    for (int chunk = warp; chunk < chunks; chunk += kProductWarps) {
        const typename F::Regs regs = next;
        if (chunk + kProductWarps < chunks)
            load_chunk<F, StreamSource>(
                next, tiles + static_cast<std::int64_t>(chunk + kProductWarps) * kInfo.chunk_bytes, lane);
#pragma unroll
        for (int group = 0; group < kGroupsPerChunk<F>; ++group) {
            uint4 b{0, 0, 0, 0};
            if (line != nullptr)
                b = *reinterpret_cast<const uint4*>(line + chunk * kInfo.chunk_weights + group * 32);
            uint32_t a[2][4];
            GroupScale scale[kScalesPerGroup<F>];
            F::decode(regs, group, a, scale);
            to_weights<F>(a, scale);
            mma(sum, a[0], b.x, b.y);
            mma(sum, a[1], b.z, b.w);
        }
    }
}

/// Grid: (tile of an expert, item).
template <class F>
__global__ void __launch_bounds__(kProductWarps * 32) expert_product(const __grid_constant__ ExpertProductArgs args) {
    __shared__ float sums[2][kProductWarps][16][kExpertColumns];
    pdl_trigger();
    pdl_wait();
    if (static_cast<int>(blockIdx.y) >= *args.num_items)
        return;
    const ExpertItem item = args.items[blockIdx.y];
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int g = lane / 4;
    const int t = lane % 4;
    const int tile = item.expert * (args.out_dim / 16) + static_cast<int>(blockIdx.x);
    const uint16_t* line = nullptr;
    if (g < item.count)
        line = args.image + static_cast<std::int64_t>(args.grouped[item.first + g] / args.num_used) * args.padded_dim +
            t * 8;
    const bool both = args.second.tiles != nullptr;
    for (int which = 0; which < (both ? 2 : 1); ++which) {
        float sum[4] = {};
        multiply_tile<F>(which == 0 ? args.first : args.second, tile, args.padded_dim, line, warp, lane, sum);
#pragma unroll
        for (int i = 0; i < 4; ++i)
            sums[which][warp][g + i / 2 * 8][t * 2 + i % 2] = sum[i];
    }
    __syncthreads();
    const int column = static_cast<int>(threadIdx.x) % kExpertColumns;
    const int r = static_cast<int>(threadIdx.x) / kExpertColumns;
    if (column >= item.count)
        return;
    const int pair = args.grouped[item.first + column];
    const int weight_row = tile * 16 + r; // of all experts
    const float scale = args.scales[pair / args.num_used] / kWeightFactor<F>;
    const auto value = [&](int which, const TileMatrix& matrix, const float* bias) {
        float total = 0;
#pragma unroll
        for (int w = 0; w < kProductWarps; ++w)
            total += sums[which][w][r][column];
        total *= matrix.row_scales != nullptr ? scale * matrix.row_scales[weight_row] : scale;
        return bias != nullptr ? total + bias[weight_row] : total;
    };
    float result = value(0, args.first, args.bias);
    if (both)
        result = expert_gated(args.kind, result, value(1, args.second, args.second_bias));
    if (args.weights != nullptr)
        result *= args.weights[pair];
    args.output[static_cast<std::int64_t>(pair) * args.out_dim + static_cast<int>(blockIdx.x) * 16 + r] = result;
}

__global__ void __launch_bounds__(256) expert_sum(const float* parts, float* residual, int num_used, int dim) {
    pdl_trigger();
    pdl_wait();
    const int i = static_cast<int>(blockIdx.x) * 256 + static_cast<int>(threadIdx.x);
    const auto row = static_cast<std::int64_t>(blockIdx.y);
    if (i >= dim)
        return;
    float value = residual[row * dim + i];
    for (int k = 0; k < num_used; ++k)
        value += parts[(row * num_used + k) * dim + i];
    residual[row * dim + i] = value;
}

__global__ void __launch_bounds__(256)
    add_gated(const float* gate, const float* source, float* target, float scale, int dim) {
    pdl_trigger();
    pdl_wait();
    const int i = static_cast<int>(blockIdx.x) * 256 + static_cast<int>(threadIdx.x);
    const auto row = static_cast<std::int64_t>(blockIdx.y);
    if (i < dim)
        target[row * dim + i] += source[row * dim + i] * scale / (1 + __expf(-gate[row]));
}

template <class F>
cudaError_t run(const ExpertProductArgs& args, cudaStream_t stream) {
    return launch(
        expert_product<F>, dim3(args.out_dim / 16, args.max_items), dim3(kProductWarps * 32), 0, stream, args);
}

} // namespace

cudaError_t launch_route(const RouteArgs& args, cudaStream_t stream) {
    const cudaError_t status =
        launch(route, dim3((args.num_rows + kRouteWarps - 1) / kRouteWarps), dim3(kRouteWarps * 32), 0, stream, args);
    return status != cudaSuccess ? status : launch(group_pairs, dim3(1), dim3(kGroupThreads), 0, stream, args);
}

cudaError_t launch_expert_rows(const float* rows, int num_rows, int dim, int padded_dim, std::uint16_t* image,
    float* scales, cudaStream_t stream) {
    return launch(expert_rows, dim3(num_rows), dim3(256), 0, stream, rows, dim, padded_dim, image, scales);
}

cudaError_t launch_expert_product(const ExpertProductArgs& args, cudaStream_t stream) {
    switch (args.first.format) {
    case TileFormat::q4:
        return run<TileQ4>(args, stream);
    case TileFormat::q4k:
        return run<TileQ4K>(args, stream);
    case TileFormat::q6k:
        return run<TileQ6K>(args, stream);
    case TileFormat::q8:
        return run<TileQ8>(args, stream);
    case TileFormat::g8:
        return run<TileG8>(args, stream);
    case TileFormat::h16:
        return run<TileH16>(args, stream);
    }
    return cudaErrorInvalidValue;
}

cudaError_t launch_add_gated(
    const float* gate, const float* source, float* target, float scale, int num_rows, int dim, cudaStream_t stream) {
    return launch(add_gated, dim3((dim + 255) / 256, num_rows), dim3(256), 0, stream, gate, source, target, scale, dim);
}

cudaError_t launch_expert_sum(
    const float* parts, float* residual, int num_rows, int num_used, int dim, cudaStream_t stream) {
    return launch(expert_sum, dim3((dim + 255) / 256, num_rows), dim3(256), 0, stream, parts, residual, num_used, dim);
}

} // namespace vitrine::kernels
