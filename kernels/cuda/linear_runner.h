// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: runs products: which kernel for how many rows, and the workspace they share.
#pragma once

#include <memory>

#include "kernels/cuda/cublas_linear.h"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

/// Up to this many rows the small kernel reads the weights once per 32 rows; beyond, they become f16 and cuBLAS runs.
inline constexpr int kSmallRows = 64;

/// Bounds of every product of a program.
struct LinearBounds {
    int max_rows = 0;
    int max_depth = 0; // padded K
    bool always_small = false; // invariant mode: one family, whatever the batch
};

/// Thread: engine.
class LinearRunner {
public:
    [[nodiscard]] static Result<std::unique_ptr<LinearRunner>> make(
        std::shared_ptr<CudaStream> stream, const LinearBounds& bounds);
    [[nodiscard]] static std::int64_t workspace_bytes(const LinearBounds& bounds);

    /// `args` without columns and prepared rows.  Requires: 1 <= num_rows <= max_rows.
    [[nodiscard]] Result<void> run(LinearArgs args, int num_rows);

private:
    explicit LinearRunner(std::shared_ptr<CudaStream> stream) : stream_(std::move(stream)) {}
    [[nodiscard]] Result<void> run_small(LinearArgs& args, int num_rows);
    [[nodiscard]] Result<void> launch_small(const LinearArgs& args, SmallMode mode, int column_tiles);
    [[nodiscard]] Result<void> run_dense(LinearArgs& args, int num_rows);
    [[nodiscard]] Result<void> run_pieces(const LinearArgs& args, int num_rows);

    std::shared_ptr<CudaStream> stream_;
    std::unique_ptr<CublasLinear> cublas_;
    LinearBounds bounds_;
    DeviceBuffer rows16_; // fragments or row-major f16
    DeviceBuffer sums_;
    DeviceBuffer row_scales_;
    DeviceBuffer piece_; // dequantized tiles
    DeviceBuffer product_; // f32
};

} // namespace vitrine::kernels
