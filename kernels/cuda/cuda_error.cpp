// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_error.h"

#include "kernels/api/sentence.h"
#include "kernels/cuda/fault_injection.h"

namespace vitrine::kernels {

Result<void> cuda_result(cudaError_t status, const std::string& what) {
    if (status == cudaSuccess)
        return {};
    (void)cudaGetLastError(); // a failed launch must not be reported again by the next call
    const ErrorCode code = status == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::device;
    return fail(code, say(Sentence::gpu_call_failed, what, cudaGetErrorString(status)),
        say(code == ErrorCode::out_of_memory ? Sentence::free_gpu_or_context : Sentence::load_again_or_cpu));
}

Result<DeviceBuffer> DeviceBuffer::make(std::size_t bytes, const std::string& purpose) {
    DeviceBuffer buffer;
    buffer.bytes_ = bytes == 0 ? 16 : bytes;
    if (fault_in_allocation() || cudaMalloc(&buffer.data_, buffer.bytes_) != cudaSuccess) {
        (void)cudaGetLastError();
        std::size_t free_bytes = 0;
        std::size_t total_bytes = 0;
        (void)cudaMemGetInfo(&free_bytes, &total_bytes);
        constexpr std::size_t kMiB = std::size_t{1} << 20;
        return fail(ErrorCode::out_of_memory,
            say(Sentence::gpu_memory_refused, purpose, (buffer.bytes_ + kMiB - 1) / kMiB, free_bytes / kMiB),
            say(Sentence::free_gpu_memory));
    }
    VT_TRY(cuda_result(cudaMemset(buffer.data_, 0, buffer.bytes_), "Clearing GPU memory"));
    VT_TRY(cuda_result(cudaDeviceSynchronize(), "Clearing GPU memory")); // other streams do not wait for the clearing
    return buffer;
}

Result<PinnedBuffer> PinnedBuffer::make(std::size_t bytes, const std::string& purpose) {
    PinnedBuffer buffer;
    VT_TRY(cuda_result(cudaMallocHost(&buffer.data_, bytes == 0 ? 16 : bytes), purpose));
    return buffer;
}

} // namespace vitrine::kernels
