// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: the paged KV cache: keys by dimension, values by token, so that no kernel sums across lanes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/api/kv_pool.h"
#include "kernels/cpu/isa_table.h"
#include "kernels/cpu/weight_arena.h"

namespace vitrine::kernels::cpu {

/// A plane: [num_blocks][num_kv_heads][K: head_dim x block_tokens | V: block_tokens x head_dim | int8: K, V scales].
/// Thread: engine, and the workers of a step, which write disjoint slots.
class CpuKvPool final : public KvPool {
public:
    [[nodiscard]] static Result<std::unique_ptr<CpuKvPool>> create(const KvSpec& spec, int num_blocks, bool huge_pages);

    [[nodiscard]] KvGeometry geometry() const noexcept override;
    Result<void> copy_blocks(std::span<const BlockCopy> copies) override;
    [[nodiscard]] Result<std::vector<float>> read_block(LayerId layer, std::int32_t block) const override;

    [[nodiscard]] const KvSpec& spec() const noexcept { return spec_; }
    [[nodiscard]] int group_of(LayerId layer) const noexcept { return layer_of(layer).shape.group; }
    [[nodiscard]] KvHead head(LayerId layer, std::int32_t block, int kv_head) noexcept;
    [[nodiscard]] std::int64_t layer_block_bytes(LayerId layer) const noexcept { return layer_of(layer).block_bytes; }
    /// Floats from a block's token scales to the next block's; 0 where scales do not lie in blocks.
    [[nodiscard]] std::int64_t scale_stride(LayerId layer) const noexcept;

    /// Scales of int8_head and fp8_e4m3 are fixed by the first step that writes a layer (kernels/ref/kv_codec.h).
    [[nodiscard]] bool needs_calibration(LayerId layer) const noexcept { return !layer_of(layer).calibrated; }
    void set_head_scale(LayerId layer, int kv_head, bool is_key, float scale) noexcept;
    void set_calibrated(LayerId layer) noexcept { layer_of(layer).calibrated = true; }

private:
    struct Layer {
        KvLayer shape;
        std::int64_t offset = 0; // of its plane
        std::int64_t head_bytes = 0;
        std::int64_t block_bytes = 0;
        std::vector<float> head_scales; // [num_kv_heads][K, V]
        bool calibrated = false;
    };

    CpuKvPool(const KvSpec& spec, int num_blocks);
    [[nodiscard]] Layer& layer_of(LayerId id) noexcept { return layers_[static_cast<std::size_t>(id.value)]; }
    [[nodiscard]] const Layer& layer_of(LayerId id) const noexcept {
        return layers_[static_cast<std::size_t>(id.value)];
    }

    KvSpec spec_;
    int num_blocks_;
    KvGeometry geometry_;
    std::int64_t total_bytes_ = 0;
    std::vector<Layer> layers_;
    std::vector<std::size_t> first_layers_; // of each plane
    WeightArena arena_;
};

} // namespace vitrine::kernels::cpu
