// SPDX-License-Identifier: GPL-3.0-or-later
// Which formats the int8 kernel has, and their instances.
#include "kernels/cuda/device/linear_int8_rows.cuh"

namespace vitrine::kernels {

// One file each: linear_int8_*.cu.
extern template cudaError_t launch_int8<Int8Q4K, Int8Q4K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_int8<Int8Q6K, Int8Q6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_int8<Int8Q4K, Int8Q6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_int8_rows<Int8Q4K, Int8Q4K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_int8_rows<Int8Q6K, Int8Q6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_int8_rows<Int8Q4K, Int8Q6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);

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

template <class A, class B>
cudaError_t launch_int8_any(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream) {
    return args.num_columns == 1 ? launch_int8<A, B>(args, limits, stream)
                                 : launch_int8_rows<A, B>(args, limits, stream);
}

} // namespace

cudaError_t launch_int8_linear(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream) {
    const TileFormat first = args.segment[0].format;
    const TileFormat last = args.segment[args.num_segments - 1].format;
    if (first != last)
        return launch_int8_any<Int8Q4K, Int8Q6K>(args, limits, stream);
    return first == TileFormat::q4k ? launch_int8_any<Int8Q4K, Int8Q4K>(args, limits, stream)
                                    : launch_int8_any<Int8Q6K, Int8Q6K>(args, limits, stream);
}

} // namespace vitrine::kernels
