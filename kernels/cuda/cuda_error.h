// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: CUDA return codes as errors, device and pinned memory as owners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <string>
#include <utility>

#include "kernels/api/result.h"

namespace vitrine::kernels {

/// `what`: the action as a noun, "Copying weights to the GPU".
[[nodiscard]] Result<void> cuda_result(cudaError_t status, const std::string& what);

/// Owns cudaMalloc memory of the current device.
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~DeviceBuffer() { (void)cudaFree(data_); }

    /// Error `out_of_memory` carries both numbers.  The memory is zero.
    [[nodiscard]] static Result<DeviceBuffer> make(std::size_t bytes, const std::string& purpose);

    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    template <class T = std::uint8_t>
    [[nodiscard]] T* as(std::size_t offset_bytes = 0) const noexcept {
        return reinterpret_cast<T*>(static_cast<std::uint8_t*>(data_) + offset_bytes);
    }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Owns page-locked host memory.
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    PinnedBuffer(PinnedBuffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
        std::swap(data_, other.data_);
        return *this;
    }
    ~PinnedBuffer() { (void)cudaFreeHost(data_); }

    [[nodiscard]] static Result<PinnedBuffer> make(std::size_t bytes, const std::string& purpose);

    template <class T = std::uint8_t>
    [[nodiscard]] T* as() const noexcept {
        return static_cast<T*>(data_);
    }

private:
    void* data_ = nullptr;
};

} // namespace vitrine::kernels
