// SPDX-License-Identifier: GPL-3.0-or-later
// The int8 kernel of one format or pair: a file each, since they take the compiler long.
#include "kernels/cuda/device/linear_int8.cuh"

namespace vitrine::kernels {

template cudaError_t launch_int8<Int8Q6K, Int8Q6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);

} // namespace vitrine::kernels
