// SPDX-License-Identifier: GPL-3.0-or-later
// The small linear kernel of one format or pair: a file each, since they take the compiler long.
#include "kernels/cuda/device/linear_small.cuh"

namespace vitrine::kernels {

template cudaError_t launch_small<TileQ4, TileQ4>(const LinearArgs&, const SmallLimits&, cudaStream_t);

} // namespace vitrine::kernels
