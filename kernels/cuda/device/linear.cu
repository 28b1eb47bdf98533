// SPDX-License-Identifier: GPL-3.0-or-later
// The linear kernels: one instance per format, and the pairs that mixed files have in one group.
#include <algorithm>

#include "kernels/cuda/device/linear_panel.cuh"
#include "kernels/cuda/device/linear_small.cuh"
#include "kernels/cuda/device/linear_wide.cuh"

namespace vitrine::kernels {

// One file each: linear_small_*.cu, linear_wide_*.cu, linear_panel_*.cu.
extern template cudaError_t launch_small<TileQ4, TileQ4>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_small<TileQ4K, TileQ4K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_small<TileQ6K, TileQ6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_small<TileQ8, TileQ8>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_small<TileG8, TileG8>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_small<TileH16, TileH16>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_small<TileQ4K, TileQ6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_small<TileQ4, TileQ8>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_wide<TileQ4, TileQ4>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ4K, TileQ4K>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ6K, TileQ6K>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ8, TileQ8>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileG8, TileG8>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileH16, TileH16>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ4K, TileQ6K>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ4, TileQ8>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_panel<TileQ4, TileQ4>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_panel<TileQ4K, TileQ4K>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_panel<TileQ6K, TileQ6K>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_panel<TileQ8, TileQ8>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_panel<TileG8, TileG8>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_panel<TileH16, TileH16>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_panel<TileQ4K, TileQ6K>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_panel<TileQ4, TileQ8>(const LinearArgs&, int, int, cudaStream_t);

namespace {

/// call(A, B) with the formats of the op's members.
template <class Call>
cudaError_t with_formats(const LinearArgs& args, Call&& call) {
    const TileFormat first = args.segment[0].format;
    TileFormat second = first;
    for (int i = 1; i < args.num_segments; ++i) {
        if (args.segment[i].format != first)
            second = args.segment[i].format;
    }
    if (first == TileFormat::q4k && second == TileFormat::q6k)
        return call(TileQ4K{}, TileQ6K{});
    if (first == TileFormat::q4 && second == TileFormat::q8)
        return call(TileQ4{}, TileQ8{});
    if (second != first)
        return cudaErrorInvalidValue;
    switch (first) {
    case TileFormat::q4:
        return call(TileQ4{}, TileQ4{});
    case TileFormat::q4k:
        return call(TileQ4K{}, TileQ4K{});
    case TileFormat::q6k:
        return call(TileQ6K{}, TileQ6K{});
    case TileFormat::q8:
        return call(TileQ8{}, TileQ8{});
    case TileFormat::g8:
        return call(TileG8{}, TileG8{});
    case TileFormat::h16:
        return call(TileH16{}, TileH16{});
    }
    return cudaErrorInvalidValue;
}

} // namespace

namespace {

SmallLayout layout_of(int padded_dim, int unit, int columns, int cluster_log2, int ring_stage_bytes) {
    return columns == 1 ? small_layout<1>(padded_dim, unit, columns, cluster_log2, ring_stage_bytes)
                        : small_layout<8>(padded_dim, unit, columns, cluster_log2, ring_stage_bytes);
}

int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

} // namespace

SmallPlan small_plan(
    int padded_dim, int unit, int columns, int total_tiles, int ring_stage_bytes, const SmallLimits& limits) noexcept {
    constexpr int kReserved = 1024; // of the system, for each block
    constexpr double kLonely = 1.5; // one block on an SM hides less latency
    constexpr double kPrice[] = {1, 1.1, 1.8, 2}; // of clusters of 1, 2, 4, 8: measured
    // Blocks of two kernels of the chain share an SM: were there room for more, they would spread unevenly.
    const int least_bytes = limits.sm_bytes / (kSmallBlocks + 1) - kReserved + 16;
    SmallPlan best;
    double least = 0;
    for (int log2 = 0; 1 << log2 <= (columns == 1 ? 1 : std::min(limits.max_cluster, kSlices)); ++log2) {
        const int cluster = 1 << log2;
        const int bytes = std::max(layout_of(padded_dim, unit, columns, log2, ring_stage_bytes).total, least_bytes);
        const int groups = divide_up(total_tiles, cluster);
        for (int blocks = 1; blocks <= kSmallBlocks; ++blocks) {
            if (bytes > limits.block_bytes || blocks * (bytes + kReserved) > limits.sm_bytes)
                break;
            const int clusters = std::max(limits.num_sms * blocks / cluster, 1);
            const double cost = divide_up(groups, clusters) * blocks * kPrice[log2] * (blocks == 1 ? kLonely : 1);
            if (best.blocks == 0 || cost < least) {
                best = {log2, std::min(groups, clusters) * cluster, bytes};
                least = cost;
            }
        }
    }
    return best;
}

bool small_linear_fits(int padded_dim, int columns, const SmallLimits& limits) noexcept {
    constexpr int kUnit = 256; // of the format with the largest chunks
    return columns <= kSmallRows &&
        small_plan(divide_up(padded_dim, kUnit) * kUnit, kUnit, columns, 1, stage_bytes(TileFormat::q6k), limits)
            .blocks > 0;
}

bool small_linear_supports(TileFormat first, TileFormat second) noexcept {
    return first == second || (first == TileFormat::q4k && second == TileFormat::q6k) ||
        (first == TileFormat::q4 && second == TileFormat::q8);
}

cudaError_t launch_small_linear(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream) {
    return with_formats(
        args, [&](auto a, auto b) { return launch_small<decltype(a), decltype(b)>(args, limits, stream); });
}

cudaError_t launch_wide_linear(const LinearArgs& args, int columns, int num_sms, cudaStream_t stream) {
    return with_formats(
        args, [&](auto a, auto b) { return launch_wide<decltype(a), decltype(b)>(args, columns, num_sms, stream); });
}

cudaError_t launch_panel_linear(const LinearArgs& args, int columns, int num_sms, cudaStream_t stream) {
    return with_formats(
        args, [&](auto a, auto b) { return launch_panel<decltype(a), decltype(b)>(args, columns, num_sms, stream); });
}

} // namespace vitrine::kernels
