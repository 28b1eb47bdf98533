// SPDX-License-Identifier: GPL-3.0-or-later
// The small linear kernel: one instance per format, and the pairs that mixed files have in one group.
#include "kernels/cuda/device/linear_small.cuh"

namespace vitrine::kernels {

// One file each: linear_small_*.cu.
extern template cudaError_t launch_small<TileQ4, TileQ4>(const LinearArgs&, SmallMode, int, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ4K, TileQ4K>(const LinearArgs&, SmallMode, int, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ6K, TileQ6K>(const LinearArgs&, SmallMode, int, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ8, TileQ8>(const LinearArgs&, SmallMode, int, int, cudaStream_t);
extern template cudaError_t launch_small<TileG8, TileG8>(const LinearArgs&, SmallMode, int, int, cudaStream_t);
extern template cudaError_t launch_small<TileH16, TileH16>(const LinearArgs&, SmallMode, int, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ4K, TileQ6K>(const LinearArgs&, SmallMode, int, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ4, TileQ8>(const LinearArgs&, SmallMode, int, int, cudaStream_t);

int small_linear_shared_bytes(int padded_dim, SmallMode mode, int column_tiles) noexcept {
    const int columns = mode == SmallMode::single ? 1 : column_tiles * kMaxColumns;
    const int fixed = (2 * kWarps * kTileRows * columns + 64) * 4;
    if (mode == SmallMode::direct)
        return fixed;
    const int stored = mode == SmallMode::single ? 1 : kMaxColumns;
    return fixed + padded_dim * stored * 2 + padded_dim * 3 / 32 * stored * 4;
}

bool small_linear_supports(TileFormat first, TileFormat second) noexcept {
    return first == second || (first == TileFormat::q4k && second == TileFormat::q6k) ||
        (first == TileFormat::q4 && second == TileFormat::q8);
}

cudaError_t launch_small_linear(
    const LinearArgs& args, SmallMode mode, int column_tiles, int num_sms, cudaStream_t stream) {
    const TileFormat first = args.segment[0].format;
    TileFormat second = first;
    for (int i = 1; i < args.num_segments; ++i) {
        if (args.segment[i].format != first)
            second = args.segment[i].format;
    }
    if (first == TileFormat::q4k && second == TileFormat::q6k)
        return launch_small<TileQ4K, TileQ6K>(args, mode, column_tiles, num_sms, stream);
    if (first == TileFormat::q4 && second == TileFormat::q8)
        return launch_small<TileQ4, TileQ8>(args, mode, column_tiles, num_sms, stream);
    if (second != first)
        return cudaErrorInvalidValue;
    switch (first) {
    case TileFormat::q4:
        return launch_small<TileQ4, TileQ4>(args, mode, column_tiles, num_sms, stream);
    case TileFormat::q4k:
        return launch_small<TileQ4K, TileQ4K>(args, mode, column_tiles, num_sms, stream);
    case TileFormat::q6k:
        return launch_small<TileQ6K, TileQ6K>(args, mode, column_tiles, num_sms, stream);
    case TileFormat::q8:
        return launch_small<TileQ8, TileQ8>(args, mode, column_tiles, num_sms, stream);
    case TileFormat::g8:
        return launch_small<TileG8, TileG8>(args, mode, column_tiles, num_sms, stream);
    case TileFormat::h16:
        return launch_small<TileH16, TileH16>(args, mode, column_tiles, num_sms, stream);
    }
    return cudaErrorInvalidValue;
}

} // namespace vitrine::kernels
