// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_kv_pool.h"

#include "kernels/ref/kv_codec.h"

namespace vitrine::kernels {
namespace {

std::size_t element_bytes(KvType type) {
    return type == KvType::f16 || type == KvType::bf16 ? 2 : 1;
}

/// (head, token) rows of one block, K and V.
std::size_t rows_of(const KvTarget& layer) {
    return 2 * static_cast<std::size_t>(layer.num_kv_heads) * static_cast<std::size_t>(layer.block_tokens);
}

} // namespace

Result<std::unique_ptr<CudaKvPool>> CudaKvPool::make(
    const KvSpec& spec, int num_blocks, std::shared_ptr<CudaStream> stream) {
    if (num_blocks < 1 || spec.block_tokens < 16 || spec.block_tokens % 16 != 0)
        return fail(ErrorCode::invalid_argument,
            "A KV pool of " + std::to_string(num_blocks) + " blocks of " + std::to_string(spec.block_tokens) +
                " tokens cannot be made on the GPU; blocks hold 16 or 32 tokens.");
    if (const std::string differ = why_planes_differ(spec); !differ.empty())
        return fail(ErrorCode::invalid_argument, "A KV pool on the GPU: " + differ + ".");
    VT_TRY(stream->use());
    std::unique_ptr<CudaKvPool> pool(new CudaKvPool(spec, num_blocks, std::move(stream)));
    const std::vector<int> planes = kv_planes(spec);
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const auto plane = static_cast<std::size_t>(planes[i]);
        if (plane == pool->planes_.size()) {
            auto made = pool->make_plane(spec.layers[i]);
            VT_TRY(made);
            pool->planes_.push_back(*made);
        }
        KvTarget layer = pool->planes_[plane];
        VT_TRY(pool->add_head_scales(layer));
        pool->layers_.push_back(layer);
    }
    return pool;
}

Result<KvTarget> CudaKvPool::make_plane(const KvLayer& shape) {
    KvTarget plane;
    plane.type = spec_.type;
    plane.block_tokens = spec_.block_tokens;
    plane.num_kv_heads = shape.num_kv_heads;
    plane.head_dim = shape.head_dim;
    const std::string purpose = "The KV cache of plane " + std::to_string(planes_.size());
    auto data = DeviceBuffer::make(block_bytes(plane) * static_cast<std::size_t>(num_blocks_), purpose);
    VT_TRY(data);
    plane.data = data->as<void>();
    buffers_.push_back(std::move(*data));
    if (spec_.type == KvType::int8) {
        auto scales =
            DeviceBuffer::make(rows_of(plane) * static_cast<std::size_t>(num_blocks_) * sizeof(float), purpose);
        VT_TRY(scales);
        plane.token_scales = scales->as<float>();
        buffers_.push_back(std::move(*scales));
    }
    return plane;
}

Result<void> CudaKvPool::add_head_scales(KvTarget& layer) {
    if (spec_.type != KvType::int8_head && spec_.type != KvType::fp8_e4m3)
        return {};
    const std::size_t heads = 2 * static_cast<std::size_t>(layer.num_kv_heads);
    auto scales = DeviceBuffer::make(heads * (sizeof(float) + sizeof(int)), "Scales of the KV cache");
    VT_TRY(scales);
    layer.head_scales = scales->as<float>();
    layer.calibrated = reinterpret_cast<int*>(layer.head_scales + heads);
    buffers_.push_back(std::move(*scales));
    return {};
}

std::size_t CudaKvPool::block_bytes(const KvTarget& layer) const noexcept {
    return rows_of(layer) * static_cast<std::size_t>(layer.head_dim) * element_bytes(layer.type);
}

KvGeometry CudaKvPool::geometry() const noexcept {
    return {num_blocks_, spec_.block_tokens, kv_bytes_per_block(spec_), kv_num_groups(spec_)};
}

Result<void> CudaKvPool::copy_blocks(std::span<const BlockCopy> copies) {
    VT_TRY(stream_->use());
    const auto inside = [this](std::int32_t block) { return block >= 0 && block < num_blocks_; };
    for (const BlockCopy& copy : copies) {
        if (!inside(copy.source) || !inside(copy.target))
            return fail(ErrorCode::invalid_argument,
                "KV block copy " + std::to_string(copy.source) + " -> " + std::to_string(copy.target) +
                    ": the pool has " + std::to_string(num_blocks_) + " blocks.");
        const auto copy_part = [&](void* base, std::size_t bytes) {
            auto* bytes_at = static_cast<std::uint8_t*>(base);
            return cuda_result(cudaMemcpyAsync(bytes_at + bytes * static_cast<std::size_t>(copy.target),
                                   bytes_at + bytes * static_cast<std::size_t>(copy.source), bytes,
                                   cudaMemcpyDeviceToDevice, stream_->get()),
                "Copying a KV block");
        };
        for (const KvTarget& plane : planes_) {
            VT_TRY(copy_part(plane.data, block_bytes(plane)));
            if (plane.token_scales != nullptr)
                VT_TRY(copy_part(plane.token_scales, rows_of(plane) * sizeof(float)));
        }
    }
    return {};
}

Result<std::vector<float>> CudaKvPool::read_block(LayerId layer, std::int32_t block) const {
    if (layer.value < 0 || static_cast<std::size_t>(layer.value) >= layers_.size() || block < 0 || block >= num_blocks_)
        return fail(ErrorCode::invalid_argument,
            "KV block " + std::to_string(block) + " of layer " + std::to_string(layer.value) + " does not exist.");
    VT_TRY(stream_->use());
    const KvTarget& target = this->layer(layer);
    std::vector<float> values(rows_of(target) * static_cast<std::size_t>(target.head_dim));
    auto buffer = DeviceBuffer::make(values.size() * sizeof(float), "Reading a KV block");
    VT_TRY(buffer);
    VT_TRY(cuda_result(launch_kv_read(target, block, buffer->as<float>(), stream_->get()), "Reading a KV block"));
    VT_TRY(stream_->synchronize());
    VT_TRY(cuda_result(
        cudaMemcpy(values.data(), buffer->as<float>(), values.size() * sizeof(float), cudaMemcpyDeviceToHost),
        "Reading a KV block"));
    for (std::size_t i = 0; rotates_heads(target.type) && i < values.size() / 2;
         i += static_cast<std::size_t>(target.head_dim))
        rotate_head(values.data() + i, target.head_dim); // the first half: keys
    return values;
}

} // namespace vitrine::kernels
