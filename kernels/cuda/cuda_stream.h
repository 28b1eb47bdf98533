// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: the stream of a backend: everything of a session runs on it, in order, but what is said to run beside.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <memory>

#include "kernels/cuda/cuda_error.h"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

/// Orders work of two streams; makes no timings.
class CudaEvent {
public:
    CudaEvent() = default;
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;
    ~CudaEvent();
    [[nodiscard]] Result<void> make();
    [[nodiscard]] cudaEvent_t get() const noexcept { return event_; }

private:
    cudaEvent_t event_ = nullptr;
};

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
    /// For work that runs beside the stream's and is ordered by events.
    [[nodiscard]] cudaStream_t side() const noexcept { return side_; }
    [[nodiscard]] cublasLtHandle_t blas() const noexcept { return blas_; }
    [[nodiscard]] int device() const noexcept { return device_; }
    [[nodiscard]] int num_sms() const noexcept { return num_sms_; }
    /// Compute capability 9.0: kernels of sm_90a run.
    [[nodiscard]] bool is_hopper() const noexcept { return is_hopper_; }
    /// What the small linear kernel may use.
    [[nodiscard]] const SmallLimits& small_limits() const noexcept { return small_limits_; }
    /// Blocks that may share memory; 1 before compute capability 9.0.
    [[nodiscard]] int max_cluster() const noexcept { return max_cluster_; }

private:
    CudaStream() = default;
    cudaStream_t stream_ = nullptr;
    cudaStream_t side_ = nullptr;
    cublasLtHandle_t blas_ = nullptr;
    int device_ = 0;
    int num_sms_ = 0;
    bool is_hopper_ = false;
    int max_cluster_ = 1;
    SmallLimits small_limits_;
};

} // namespace vitrine::kernels
