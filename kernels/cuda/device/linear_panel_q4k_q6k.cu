// SPDX-License-Identifier: GPL-3.0-or-later
// The panel kernel of one format or pair: a file each, since they take the compiler long.
#include "kernels/cuda/device/linear_panel.cuh"

namespace vitrine::kernels {

template cudaError_t launch_panel<TileQ4K, TileQ6K>(const LinearArgs&, int, int, cudaStream_t);

} // namespace vitrine::kernels
