// SPDX-License-Identifier: GPL-3.0-or-later
// The small linear kernel: one instance per format, and the pairs that mixed files have in one group.
#include "kernels/cuda/device/linear_small.cuh"

namespace vitrine::kernels {

int small_linear_shared_bytes(int padded_dim, int num_columns, bool stage_fragments) noexcept {
    const int fixed = (2 * kReduceFloats + 32) * 4;
    const int sum_stride = (num_columns + 1) / 2 * 2;
    return stage_fragments ? fixed + padded_dim * num_columns * 2 + padded_dim / 16 * sum_stride * 4 : fixed;
}

bool small_linear_supports(TileFormat first, TileFormat second) noexcept {
    return first == second || (first == TileFormat::q4k && second == TileFormat::q6k) ||
        (first == TileFormat::q4 && second == TileFormat::q8);
}

cudaError_t launch_small_linear(const LinearArgs& args, int num_sms, bool stage_fragments, cudaStream_t stream) {
    const TileFormat first = args.segment[0].format;
    TileFormat second = first;
    for (int i = 1; i < args.num_segments; ++i) {
        if (args.segment[i].format != first)
            second = args.segment[i].format;
    }
    if (first == TileFormat::q4k && second == TileFormat::q6k)
        return launch_small<TileQ4K, TileQ6K>(args, num_sms, stage_fragments, stream);
    if (first == TileFormat::q4 && second == TileFormat::q8)
        return launch_small<TileQ4, TileQ8>(args, num_sms, stage_fragments, stream);
    if (second != first)
        return cudaErrorInvalidValue;
    switch (first) {
    case TileFormat::q4:
        return launch_small<TileQ4, TileQ4>(args, num_sms, stage_fragments, stream);
    case TileFormat::q4k:
        return launch_small<TileQ4K, TileQ4K>(args, num_sms, stage_fragments, stream);
    case TileFormat::q6k:
        return launch_small<TileQ6K, TileQ6K>(args, num_sms, stage_fragments, stream);
    case TileFormat::q8:
        return launch_small<TileQ8, TileQ8>(args, num_sms, stage_fragments, stream);
    case TileFormat::g8:
        return launch_small<TileG8, TileG8>(args, num_sms, stage_fragments, stream);
    case TileFormat::h16:
        return launch_small<TileH16, TileH16>(args, num_sms, stage_fragments, stream);
    }
    return cudaErrorInvalidValue;
}

} // namespace vitrine::kernels
