// SPDX-License-Identifier: GPL-3.0-or-later
// The wide linear kernel of one format or pair: a file each, since they take the compiler long.
#include "kernels/cuda/device/linear_wide.cuh"

namespace vitrine::kernels {

template cudaError_t launch_wide<TileQ4, TileQ4>(const LinearArgs&, int, int, cudaStream_t);

} // namespace vitrine::kernels
