// SPDX-License-Identifier: GPL-3.0-or-later
// Which formats the int8 kernel has, and their instances.
#include "kernels/cuda/device/linear_int8.cuh"

namespace vitrine::kernels {

// One file each: linear_int8_*.cu.
extern template cudaError_t launch_int8<Int8Q4K, Int8Q4K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_int8<Int8Q6K, Int8Q6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_int8<Int8Q4K, Int8Q6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);

bool int8_linear_supports(const LinearArgs& args) noexcept {
    if (args.num_columns > kSmallRows || args.unit != 256)
        return false;
    for (int i = 0; i < args.num_segments; ++i) {
        const TileFormat format = args.segment[i].format;
        if (format != TileFormat::q4k && format != TileFormat::q6k)
            return false;
    }
    return true;
}

namespace {

/// A block: chunk blockIdx.x of all rows, 32 threads for each.
__global__ void __launch_bounds__(256) quantize_rows(
    const __grid_constant__ LinearArgs args, const __grid_constant__ Int8Place place, unsigned char* out) {
    pdl_trigger();
    const int chunk = static_cast<int>(blockIdx.x);
    const int item = static_cast<int>(threadIdx.x);
    const int columns = place.columns;
    const int local = item / 4 / columns; // group
    const int column = item / 4 - local * columns;
    const int t = item % 4;
    const uint16_t* from = args.image + static_cast<std::int64_t>(chunk) * columns * 256 + item * 8;
    pdl_wait();
    FastGroup fast = quantize_halves(*reinterpret_cast<const uint4*>(from));
    if (!__all_sync(0xFFFFFFFFU, fast.in_range)) {
        const FastGroup exact = quantize_floats(args, column, chunk * 8 + local);
        if (!fast.in_range)
            fast = exact;
    }
    const Int8Group group = summed(fast);
    const int at = chunk * 8 + local;
    put_word(out, place, at, column, t, 0, group.bytes.x);
    put_word(out, place, at, column, t, 1, group.bytes.y);
    if (t == 0)
        put_tables(out, place, at, column, group.scale, group.first, group.second);
}

} // namespace

Int8Place int8_place(const LinearArgs& args) noexcept {
    Int8Place place{args.num_columns, false, false};
    for (int i = 0; i < args.num_segments; ++i) {
        place.mins = place.mins || args.segment[i].format == TileFormat::q4k;
        place.halves = place.halves || args.segment[i].format == TileFormat::q6k;
    }
    return place;
}

cudaError_t launch_int8_linear(LinearArgs args, std::uint8_t* image, const SmallLimits& limits, cudaStream_t stream) {
    if (args.num_columns > 1 && args.bytes == nullptr) {
        args.place = int8_place(args);
        const cudaError_t status = launch(quantize_rows, dim3(args.padded_dim / 256), dim3(args.num_columns * 32), 0,
            stream, args, args.place, image);
        if (status != cudaSuccess)
            return status;
        args.bytes = image;
    }
    const TileFormat first = args.segment[0].format;
    if (first != args.segment[args.num_segments - 1].format)
        return launch_int8<Int8Q4K, Int8Q6K>(args, limits, stream);
    return first == TileFormat::q4k ? launch_int8<Int8Q4K, Int8Q4K>(args, limits, stream)
                                    : launch_int8<Int8Q6K, Int8Q6K>(args, limits, stream);
}

} // namespace vitrine::kernels
