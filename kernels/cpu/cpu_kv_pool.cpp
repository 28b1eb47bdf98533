// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/cpu_kv_pool.h"

#include <cstring>
#include <string>
#include <utility>

#include "kernels/ref/kv_codec.h"

namespace vitrine::kernels::cpu {
namespace {

std::int64_t element_bytes(KvType type) noexcept {
    return type == KvType::f16 || type == KvType::bf16 ? 2 : 1;
}

std::int64_t head_bytes(const KvSpec& spec, const KvLayer& layer) noexcept {
    const std::int64_t elements = 2 * std::int64_t{layer.head_dim} * spec.block_tokens * element_bytes(spec.type);
    const std::int64_t scales = spec.type == KvType::int8 ? 2 * std::int64_t{spec.block_tokens} * 4 : 0;
    return elements + scales;
}

std::uint16_t stored_bits(const std::uint8_t* at, KvType type, std::int64_t index) noexcept {
    if (element_bytes(type) == 1)
        return at[index];
    std::uint16_t bits = 0;
    std::memcpy(&bits, at + 2 * index, sizeof bits);
    return bits;
}

} // namespace

CpuKvPool::CpuKvPool(const KvSpec& spec, int num_blocks)
    : spec_(spec),
      num_blocks_(num_blocks), geometry_{num_blocks, spec.block_tokens, kv_bytes_per_block(spec), kv_num_groups(spec)} {
    const std::vector<int> planes = kv_planes(spec);
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const KvLayer& shape = spec.layers[i];
        const auto plane = static_cast<std::size_t>(planes[i]);
        Layer layer;
        layer.shape = shape;
        layer.head_bytes = head_bytes(spec, shape);
        layer.block_bytes = layer.head_bytes * shape.num_kv_heads;
        layer.head_scales.assign(static_cast<std::size_t>(2 * shape.num_kv_heads), has_head_scales(spec.type) ? 0 : 1);
        if (plane == first_layers_.size()) {
            layer.offset = total_bytes_;
            total_bytes_ = round_up(total_bytes_ + layer.block_bytes * num_blocks, 64);
            first_layers_.push_back(i);
        } else {
            layer.offset = layers_[first_layers_[plane]].offset;
        }
        layers_.push_back(std::move(layer));
    }
}

Result<std::unique_ptr<CpuKvPool>> CpuKvPool::create(const KvSpec& spec, int num_blocks, bool huge_pages) {
    if (num_blocks < 1 || (spec.block_tokens != 16 && spec.block_tokens != 32))
        return fail(ErrorCode::invalid_argument,
            "a KV pool of " + std::to_string(num_blocks) + " blocks of " + std::to_string(spec.block_tokens) +
                " tokens; needed at least one block of 16 or 32 tokens",
            "Choose a block size of 16 or 32 tokens and a context that fits.");
    if (const std::string why = why_planes_differ(spec); !why.empty())
        return fail(ErrorCode::invalid_argument, "a KV pool of several groups: " + why,
            "This is a bug of the caller; report it.");
    std::unique_ptr<CpuKvPool> pool(new CpuKvPool(spec, num_blocks));
    auto arena = WeightArena::create(static_cast<std::size_t>(pool->total_bytes_), huge_pages);
    if (!arena)
        return tl::unexpected(std::move(arena).error());
    pool->arena_ = std::move(*arena);
    return pool;
}

KvGeometry CpuKvPool::geometry() const noexcept {
    return geometry_;
}

Result<void> CpuKvPool::copy_blocks(std::span<const BlockCopy> copies) {
    const auto inside = [this](std::int32_t block) { return block >= 0 && block < num_blocks_; };
    for (const BlockCopy& copy : copies) {
        if (!inside(copy.source) || !inside(copy.target))
            return fail(ErrorCode::invalid_argument,
                "KV block copy " + std::to_string(copy.source) + " -> " + std::to_string(copy.target) +
                    ": the pool has " + std::to_string(num_blocks_) + " blocks");
        for (const std::size_t first : first_layers_) {
            const Layer& layer = layers_[first];
            std::uint8_t* base = arena_.data() + layer.offset;
            std::memmove(base + copy.target * layer.block_bytes, base + copy.source * layer.block_bytes,
                static_cast<std::size_t>(layer.block_bytes));
        }
    }
    return {};
}

KvHead CpuKvPool::head(LayerId id, std::int32_t block, int kv_head) noexcept {
    Layer& layer = layer_of(id);
    std::uint8_t* base = arena_.data() + layer.offset + block * layer.block_bytes + kv_head * layer.head_bytes;
    const std::int64_t part = std::int64_t{layer.shape.head_dim} * spec_.block_tokens * element_bytes(spec_.type);
    KvHead head{base, base + part, nullptr, nullptr};
    if (spec_.type == KvType::int8) {
        head.key_scales = reinterpret_cast<float*>(base + 2 * part);
        head.value_scales = head.key_scales + spec_.block_tokens;
    } else if (has_head_scales(spec_.type)) {
        head.key_scales = layer.head_scales.data() + 2 * kv_head;
        head.value_scales = head.key_scales + 1;
    }
    return head;
}

std::int64_t CpuKvPool::scale_stride(LayerId layer) const noexcept {
    return spec_.type == KvType::int8 ? layer_of(layer).block_bytes / 4 : 0;
}

void CpuKvPool::set_head_scale(LayerId layer, int kv_head, bool is_key, float scale) noexcept {
    layer_of(layer).head_scales[static_cast<std::size_t>(2 * kv_head + (is_key ? 0 : 1))] = scale;
}

Result<std::vector<float>> CpuKvPool::read_block(LayerId id, std::int32_t block) const {
    if (id.value < 0 || static_cast<std::size_t>(id.value) >= layers_.size() || block < 0 || block >= num_blocks_)
        return fail(ErrorCode::invalid_argument,
            "KV block " + std::to_string(block) + " of layer " + std::to_string(id.value) + " does not exist");
    const KvLayer& shape = layer_of(id).shape;
    std::vector<float> values;
    for (const bool is_key : {true, false}) {
        for (int kv_head = 0; kv_head < shape.num_kv_heads; ++kv_head) {
            const KvHead head = const_cast<CpuKvPool*>(this)->head(id, block, kv_head);
            const std::uint8_t* codes = is_key ? head.keys : head.values;
            const float* scales = is_key ? head.key_scales : head.value_scales;
            for (int t = 0; t < spec_.block_tokens; ++t) {
                const float scale = scales == nullptr ? 1 : scales[spec_.type == KvType::int8 ? t : 0];
                for (int d = 0; d < shape.head_dim; ++d) {
                    const int index = is_key ? d * spec_.block_tokens + t : t * shape.head_dim + d;
                    values.push_back(kv_decode(spec_.type, stored_bits(codes, spec_.type, index), scale));
                }
                if (rotates_heads(spec_.type))
                    rotate_head(
                        values.data() + values.size() - static_cast<std::size_t>(shape.head_dim), shape.head_dim);
            }
        }
    }
    return values;
}

} // namespace vitrine::kernels::cpu
