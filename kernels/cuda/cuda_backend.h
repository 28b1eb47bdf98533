// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: the backend of one NVIDIA GPU.
#pragma once

#include <memory>

#include "kernels/api/backend.h"

namespace vitrine::kernels {

/// `device`: index in the driver's order.  Error `device` when it is missing or too old.
[[nodiscard]] Result<std::unique_ptr<Backend>> make_cuda_backend(int device);

} // namespace vitrine::kernels
