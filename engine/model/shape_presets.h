// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: shapes of well-known models, for plans and speed tests without the file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/api/model_info.h"
#include "engine/base/result.h"

namespace vitrine::engine {

struct ShapePreset {
    std::string_view name;
    std::string_view architecture;
    int num_layers, num_heads, num_kv_heads, head_dim;
    int embedding_dim, feed_forward_dim; // of one expert where there are experts
    int vocab_size, context_length;
    double rope_base;
    bool tied_head;
    int num_experts; // 0: dense
    int num_experts_used = 0; // for a token
};

[[nodiscard]] std::span<const ShapePreset> shape_presets() noexcept;
/// Error not_found lists the names.
[[nodiscard]] Result<ShapePreset> find_shape_preset(std::string_view name);
/// As `info --presets` shows it: matrices in BF16, as shapes_of_preset() lays them out.
[[nodiscard]] ModelInfo describe_preset(const ShapePreset& preset);

} // namespace vitrine::engine
