// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: failures on purpose, to prove what a failing GPU does to the rest.  Off unless the environment holds
// VITRINE_CUDA_FAIL=KIND:N, which makes the N-th (from 1) event of that kind in the process fail, or KIND:N+, which makes
// every later one fail too.  Kinds: launch (the queueing of a step), wait (its end), alloc (device memory, as out of
// memory), trap (a step gets a kernel that traps, after which CUDA refuses everything: as if the driver were gone).
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/api/result.h"

namespace vitrine::kernels {

[[nodiscard]] Result<void> fault_in_launch(cudaStream_t stream);
[[nodiscard]] Result<void> fault_in_wait();
[[nodiscard]] bool fault_in_allocation() noexcept;

} // namespace vitrine::kernels
