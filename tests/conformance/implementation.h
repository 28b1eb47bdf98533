// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/conformance: the implementations of kernels/api that the case table runs on.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/api/backend.h"
#include "tests/support/error_bounds.h"

namespace vitrine::testing {

using namespace kernels;

struct Implementation {
    std::string name; // letters, digits and _: part of the test's name
    std::function<Result<std::unique_ptr<Backend>>()> make;
    NumberPath quantized = NumberPath::float64; // products with quantized weights
    NumberPath dense = NumberPath::float64; // with f32, f16 and bf16 weights
    Numerics mode = Numerics::fast;
    bool decompose_all = false;
    bool batch_invariant = true; // a row's bits do not depend on its batch mates
    int invariant_rows = 65; // nor on up to as many rows in all, where batch_invariant is false

    [[nodiscard]] NumberPath path(WeightFormat format) const noexcept {
        const bool is_dense =
            format == WeightFormat::f32 || format == WeightFormat::f16 || format == WeightFormat::bf16;
        return is_dense ? dense : quantized;
    }
};

inline void PrintTo(const Implementation& implementation, std::ostream* out) {
    *out << implementation.name;
}

/// Reference and CPU in every ISA of this machine, each fused and decomposed; further the plugin of the file that
/// VITRINE_CONFORMANCE_PLUGIN names (first device).  VITRINE_FORCE_ISA leaves the CPU only that ISA.
[[nodiscard]] std::vector<Implementation> implementations();

/// The oracle: the reference backend, nothing decomposed.
[[nodiscard]] Implementation reference();

/// Appends those of kernels/cpu; nothing where the build lacks it.
void add_cpu_implementations(std::vector<Implementation>& list);

} // namespace vitrine::testing
