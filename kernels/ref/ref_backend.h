// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: the reference backend: plain layouts, plain loops, double precision throughout.
#pragma once

#include <memory>

#include "kernels/api/backend.h"

namespace vitrine::kernels {

struct RefOptions {
    int num_threads = 2; // threads of a linear op; results do not depend on it
    bool exact_kv = false; // the KV pool keeps doubles, whatever its type: for goldens in float64
};

/// Runs every op of ops.h in every format.  Activations are doubles, weights are dequantized once to float; only the KV
/// pool rounds, to its type.  Weights take four bytes each: meant for tests, goldens and small models.
[[nodiscard]] std::unique_ptr<Backend> make_ref_backend(const RefOptions& options = {});

} // namespace vitrine::kernels
