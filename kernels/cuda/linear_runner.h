// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: runs products: which kernel for how many rows, and the workspace they share.
#pragma once

#include <array>
#include <memory>

#include "kernels/cuda/cublas_linear.h"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

/// Bounds of every product of a program.
struct LinearBounds {
    int max_rows = 0;
    int max_depth = 0; // padded K
    bool exact = false; // invariant mode: exact codes and the same bits, whatever the batch
    bool int8 = false; // activations of few rows may be int8 with a scale for each 32
};

/// Thread: engine.
class LinearRunner {
public:
    [[nodiscard]] static Result<std::unique_ptr<LinearRunner>> make(
        std::shared_ptr<CudaStream> stream, const LinearBounds& bounds);
    [[nodiscard]] static std::int64_t workspace_bytes(const LinearBounds& bounds);

    /// Whether a product reads fragments, so that the op before may write them.
    [[nodiscard]] bool reads_fragments(int padded_dim, int num_rows) const noexcept;
    /// Whether a product reads blocks of places, so that the op before may write them (PanelFeed).
    [[nodiscard]] bool reads_panels(int padded_dim, int num_rows) const noexcept;
    /// Whether a product takes its activations as int8.
    [[nodiscard]] bool reads_int8(LinearArgs args, int num_rows) const noexcept;
    /// `args` without columns and prepared rows, but with an image of fragments, or of int8 if reads_int8(), or what
    /// reads_panels() allows, if the op before wrote it.
    /// Requires: 1 <= num_rows <= max_rows.
    [[nodiscard]] Result<void> run(LinearArgs args, int num_rows);

private:
    explicit LinearRunner(std::shared_ptr<CudaStream> stream) : stream_(std::move(stream)) {}
    [[nodiscard]] Result<void> prepare(LinearArgs& args, int num_rows, PrepareArgs prepare);
    [[nodiscard]] Result<void> run_fragments(LinearArgs& args, int num_rows);
    [[nodiscard]] Result<void> run_small_passes(LinearArgs& args, int num_rows);
    [[nodiscard]] Result<void> run_wide(LinearArgs& args, int num_rows);
    [[nodiscard]] Result<void> run_panels(LinearArgs& args, int num_rows);
    [[nodiscard]] Result<void> run_dense(LinearArgs& args, int num_rows);
    /// Tiles that are dequantized and multiplied at once, while the next ones are dequantized.
    struct Piece {
        int segment, tile, count;
    };
    [[nodiscard]] Result<void> dequantize(const LinearArgs& args, const Piece& piece, std::size_t buffer);
    [[nodiscard]] Result<void> multiply(const LinearArgs& args, const Piece& piece, std::size_t buffer, int num_rows);

    std::shared_ptr<CudaStream> stream_;
    std::unique_ptr<CublasLinear> cublas_;
    LinearBounds bounds_;
    DeviceBuffer image_; // prepared rows, f16
    DeviceBuffer int8_image_; // of few rows
    DeviceBuffer squares_;
    DeviceBuffer scales_; // [row], then [slice][row]
    std::array<DeviceBuffer, 2> piece_; // dequantized tiles
    std::array<CudaEvent, 2> written_, read_; // of each
    DeviceBuffer product_; // f32
};

} // namespace vitrine::kernels
