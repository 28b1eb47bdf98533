// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: the weights of a session on the GPU, in tile order.
#pragma once

#include <memory>
#include <vector>

#include "kernels/api/program.h"
#include "kernels/cuda/cuda_stream.h"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

/// One uploaded group.  gate_up in one matrix where an op combines them; rows kept in file order for gathers.
struct CudaGroup {
    std::vector<TileMatrix> matrices; // one per member, or one for gate and up together
    const float* vector = nullptr; // role vector
    const std::uint8_t* rows = nullptr; // role embedding, tied_head; matrices of heads
    std::vector<DeviceBuffer> buffers;
};

/// Why gate and up cannot share tiles, or empty.
[[nodiscard]] std::string why_not_paired_gate(const WeightGroupSpec& group);

class CudaWeights {
public:
    explicit CudaWeights(std::shared_ptr<CudaStream> stream) : stream_(std::move(stream)) {}

    [[nodiscard]] Result<void> upload(const Program& program, WeightGroupId id, WeightGroupBytes bytes);
    [[nodiscard]] const CudaGroup* find(WeightGroupId id) const noexcept;
    /// Bytes on the device of all groups of a program.
    [[nodiscard]] static std::int64_t device_bytes(const Program& program);
    [[nodiscard]] std::int64_t held_bytes() const noexcept; // of all groups uploaded, staging left out

private:
    [[nodiscard]] Result<void> upload_vector(
        const WeightMember& member, std::span<const std::byte> bytes, CudaGroup& group);
    [[nodiscard]] Result<void> upload_rows(
        const WeightMember& member, std::span<const std::byte> bytes, CudaGroup& group);
    [[nodiscard]] Result<void> upload_matrix(const WeightMember& member, TileMatrix matrix,
        std::span<const std::span<const std::byte>> sources, CudaGroup& group);
    [[nodiscard]] Result<const std::uint8_t*> stage(std::span<const std::byte> bytes, DeviceBuffer& staging);

    std::shared_ptr<CudaStream> stream_;
    DeviceBuffer staging_[2]; // file order; grows to the largest matrix
    std::vector<std::unique_ptr<CudaGroup>> groups_; // index == WeightGroupId
};

} // namespace vitrine::kernels
