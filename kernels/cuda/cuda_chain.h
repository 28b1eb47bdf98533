// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: finds the layers of a program that chain_launch.h can run for one token, and runs them.
#pragma once

#include <optional>

#include "kernels/api/program.h"
#include "kernels/cuda/chain_launch.h"
#include "kernels/cuda/cuda_kv_pool.h"
#include "kernels/cuda/cuda_weights.h"
#include "kernels/cuda/step_buffers.h"

namespace vitrine::kernels {

/// Device arrays of the program.
struct ChainMemory {
    float* x = nullptr; // the residual
    const float2* rope = nullptr; // of the program's only rope, or null
};

class CudaChain {
public:
    /// Nothing where the program is not a row of equal layers, or the GPU has no room for them.
    [[nodiscard]] static Result<std::optional<CudaChain>> make(const Program& program, const CudaWeights& weights,
        const CudaKvPool& pool, const CudaStream& stream, const ChainMemory& memory);

    /// Ops [first_op(), end_op()) are what it runs.
    [[nodiscard]] std::size_t first_op() const noexcept { return first_op_; }
    [[nodiscard]] std::size_t end_op() const noexcept { return end_op_; }
    [[nodiscard]] Result<void> run(const StepArrays& step, const CudaStream& stream) const;
    /// What it leaves for op end_op(): x times the gain of its norm as fragments, and the sums of its squares.
    [[nodiscard]] const std::uint16_t* image() const noexcept { return args_.last_image; }
    [[nodiscard]] const float* squares() const noexcept { return args_.last_squares; }

private:
    CudaChain() = default;
    ChainArgs args_;
    DeviceBuffer layers_, image_, squares_;
    std::size_t first_op_ = 0, end_op_ = 0;
};

} // namespace vitrine::kernels
