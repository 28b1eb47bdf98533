// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_kv_pool.h"

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
    VT_TRY(stream->use());
    std::unique_ptr<CudaKvPool> pool(new CudaKvPool(spec, num_blocks, std::move(stream)));
    for (const KvLayer& layer : spec.layers)
        VT_TRY(pool->add_layer(layer));
    return pool;
}

Result<void> CudaKvPool::add_layer(const KvLayer& shape) {
    KvTarget layer;
    layer.type = spec_.type;
    layer.block_tokens = spec_.block_tokens;
    layer.num_kv_heads = shape.num_kv_heads;
    layer.head_dim = shape.head_dim;
    const std::string purpose = "The KV cache of layer " + std::to_string(layers_.size());
    const std::size_t rows = rows_of(layer) * static_cast<std::size_t>(num_blocks_);
    const auto reserve = [&](std::size_t bytes) -> Result<void*> {
        auto buffer = DeviceBuffer::make(bytes, purpose);
        if (!buffer)
            return tl::unexpected(buffer.error());
        buffers_.push_back(std::move(*buffer));
        return buffers_.back().as<void>();
    };
    auto data = reserve(block_bytes(layer) * static_cast<std::size_t>(num_blocks_));
    VT_TRY(data);
    layer.data = *data;
    if (spec_.type == KvType::int8) {
        auto scales = reserve(rows * sizeof(float));
        VT_TRY(scales);
        layer.token_scales = static_cast<float*>(*scales);
    }
    if (spec_.type == KvType::int8_head || spec_.type == KvType::fp8_e4m3) {
        const std::size_t heads = 2 * static_cast<std::size_t>(shape.num_kv_heads);
        auto scales = reserve(heads * (sizeof(float) + sizeof(int)));
        VT_TRY(scales);
        layer.head_scales = static_cast<float*>(*scales);
        layer.calibrated = static_cast<int*>(*scales) + heads;
    }
    layers_.push_back(layer);
    return {};
}

std::size_t CudaKvPool::block_bytes(const KvTarget& layer) const noexcept {
    return rows_of(layer) * static_cast<std::size_t>(layer.head_dim) * element_bytes(layer.type);
}

KvGeometry CudaKvPool::geometry() const noexcept {
    return {num_blocks_, spec_.block_tokens, kv_bytes_per_token(spec_) * spec_.block_tokens};
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
        for (const KvTarget& layer : layers_) {
            VT_TRY(copy_part(layer.data, block_bytes(layer)));
            if (layer.token_scales != nullptr)
                VT_TRY(copy_part(layer.token_scales, rows_of(layer) * sizeof(float)));
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
    return values;
}

} // namespace vitrine::kernels
