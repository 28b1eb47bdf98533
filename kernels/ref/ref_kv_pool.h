// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: the KV cache of the reference backend, stored in the canonical order of KvPool::read_block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/api/kv_pool.h"

namespace vitrine::kernels {

enum class KvPart : std::uint8_t { keys, values };

/// Every element takes two bytes whatever its type; the rounding is the type's.  An exact pool keeps doubles instead.
class RefKvPool final : public KvPool {
public:
    /// Requires: num_blocks >= 1, layers of one plane of one shape.
    RefKvPool(const KvSpec& spec, int num_blocks, bool exact = false);

    [[nodiscard]] KvGeometry geometry() const noexcept override;
    Result<void> copy_blocks(std::span<const BlockCopy> copies) override;
    [[nodiscard]] Result<std::vector<float>> read_block(LayerId layer, std::int32_t block) const override;

    [[nodiscard]] const KvSpec& spec() const noexcept { return spec_; }
    [[nodiscard]] int group_of(LayerId layer) const {
        return spec_.layers[static_cast<std::size_t>(layer.value)].group;
    }
    /// slots: of the layer's group.  keys, values: [num_rows, num_kv_heads, head_dim], rounded to the pool's type.  Slots in
    /// the null block are written too, but do not calibrate.
    void write(LayerId layer, std::span<const std::int32_t> slots, std::span<const double> keys,
        std::span<const double> values);
    /// Dequantized element row of one token and head.   out: [head_dim]
    void read(LayerId layer, KvPart part, int head, std::int32_t block, int offset, double* out) const;

private:
    /// What the layers of one plane share.
    struct Plane {
        std::vector<std::uint16_t> codes; // [num_blocks][K|V][num_kv_heads][block_tokens][head_dim]
        std::vector<double> exact; // the same, unrounded, in an exact pool; else empty
        std::vector<float> token_scales; // int8: [num_blocks][K|V][num_kv_heads][block_tokens]
    };
    struct Layer {
        KvLayer shape;
        std::size_t plane = 0;
        std::vector<float> head_scales; // int8_head, fp8: [K|V][num_kv_heads]
        bool calibrated = false;
    };

    void calibrate(Layer& layer, std::span<const std::int32_t> slots, std::span<const double> keys,
        std::span<const double> values) const;
    void write_row(Layer& layer, KvPart part, int head, std::int32_t slot, const double* row);
    [[nodiscard]] std::size_t token_index(
        const Layer& layer, KvPart part, int head, std::int32_t block, int offset) const noexcept;
    [[nodiscard]] float scale_of(const Layer& layer, KvPart part, int head, std::size_t token) const noexcept;

    KvSpec spec_;
    int num_blocks_;
    bool exact_;
    std::vector<Plane> planes_;
    std::vector<Layer> layers_;
};

} // namespace vitrine::kernels
