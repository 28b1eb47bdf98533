// SPDX-License-Identifier: GPL-3.0-or-later
// The linear kernels: one instance per format, and the pairs that mixed files have in one group.
#include "kernels/cuda/device/linear_small.cuh"
#include "kernels/cuda/device/linear_wide.cuh"

namespace vitrine::kernels {

// One file each: linear_small_*.cu, linear_wide_*.cu.
extern template cudaError_t launch_small<TileQ4, TileQ4>(const LinearArgs&, bool, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ4K, TileQ4K>(const LinearArgs&, bool, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ6K, TileQ6K>(const LinearArgs&, bool, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ8, TileQ8>(const LinearArgs&, bool, int, cudaStream_t);
extern template cudaError_t launch_small<TileG8, TileG8>(const LinearArgs&, bool, int, cudaStream_t);
extern template cudaError_t launch_small<TileH16, TileH16>(const LinearArgs&, bool, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ4K, TileQ6K>(const LinearArgs&, bool, int, cudaStream_t);
extern template cudaError_t launch_small<TileQ4, TileQ8>(const LinearArgs&, bool, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ4, TileQ4>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ4K, TileQ4K>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ6K, TileQ6K>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ8, TileQ8>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileG8, TileG8>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileH16, TileH16>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ4K, TileQ6K>(const LinearArgs&, int, int, cudaStream_t);
extern template cudaError_t launch_wide<TileQ4, TileQ8>(const LinearArgs&, int, int, cudaStream_t);

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

int small_linear_shared_bytes(int padded_dim, bool single) noexcept {
    const int columns = single ? 1 : kMaxColumns;
    const int scales = (kSlices + 1) * kMaxColumns;
    const int sums = (padded_dim + 255) / 256 * 8 * columns;
    const int inputs = 8 * kMaxColumns * static_cast<int>(sizeof(PairInput));
    return (2 * kWarps * kTileRows * columns + scales + sums) * 4 + inputs + padded_dim * columns * 2;
}

bool small_linear_supports(TileFormat first, TileFormat second) noexcept {
    return first == second || (first == TileFormat::q4k && second == TileFormat::q6k) ||
        (first == TileFormat::q4 && second == TileFormat::q8);
}

cudaError_t launch_small_linear(const LinearArgs& args, bool single, int num_sms, cudaStream_t stream) {
    return with_formats(
        args, [&](auto a, auto b) { return launch_small<decltype(a), decltype(b)>(args, single, num_sms, stream); });
}

cudaError_t launch_wide_linear(const LinearArgs& args, int columns, int num_sms, cudaStream_t stream) {
    return with_formats(
        args, [&](auto a, auto b) { return launch_wide<decltype(a), decltype(b)>(args, columns, num_sms, stream); });
}

} // namespace vitrine::kernels
