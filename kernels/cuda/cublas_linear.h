// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: dense f16 products through cuBLASLt, f32 sums and results.
#pragma once

#include <cstdint>
#include <cublasLt.h>
#include <map>
#include <memory>
#include <tuple>

#include "kernels/cuda/cuda_stream.h"

namespace vitrine::kernels {

/// Remembers the chosen algorithm of each shape.  Thread: engine.
class CublasLinear {
public:
    [[nodiscard]] static Result<std::unique_ptr<CublasLinear>> make(std::shared_ptr<CudaStream> stream);
    ~CublasLinear();
    CublasLinear(const CublasLinear&) = delete;
    CublasLinear& operator=(const CublasLinear&) = delete;

    /// y[m][n] = sum over k of x[m][k] * w[n][k].   x: [rows, depth] f16   w: [width, depth] f16   y: [rows, width] f32
    [[nodiscard]] Result<void> multiply(
        const std::uint16_t* x, const std::uint16_t* w, float* y, int rows, int width, int depth);

private:
    struct Plan {
        cublasLtMatrixLayout_t w = nullptr;
        cublasLtMatrixLayout_t x = nullptr;
        cublasLtMatrixLayout_t y = nullptr;
        cublasLtMatmulAlgo_t algorithm{};
    };
    explicit CublasLinear(std::shared_ptr<CudaStream> stream) : stream_(std::move(stream)) {}
    [[nodiscard]] Result<const Plan*> plan(int rows, int width, int depth);

    std::shared_ptr<CudaStream> stream_;
    cublasLtMatmulDesc_t operation_ = nullptr;
    DeviceBuffer workspace_;
    std::map<std::tuple<int, int, int>, Plan> plans_;
};

} // namespace vitrine::kernels
