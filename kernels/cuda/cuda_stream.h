// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: the one stream of a backend; everything of a session runs on it, in order.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <memory>

#include "kernels/cuda/cuda_error.h"

namespace vitrine::kernels {

class CudaStream {
public:
    [[nodiscard]] static Result<std::shared_ptr<CudaStream>> make(int device);
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;
    ~CudaStream();

    /// Makes the device current for the calling thread.
    [[nodiscard]] Result<void> use() const;
    [[nodiscard]] Result<void> synchronize() const;
    [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }
    [[nodiscard]] cublasLtHandle_t blas() const noexcept { return blas_; }
    [[nodiscard]] int device() const noexcept { return device_; }
    [[nodiscard]] int num_sms() const noexcept { return num_sms_; }

private:
    CudaStream() = default;
    cudaStream_t stream_ = nullptr;
    cublasLtHandle_t blas_ = nullptr;
    int device_ = 0;
    int num_sms_ = 0;
};

} // namespace vitrine::kernels
