// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/api/kv_pool.h"

#include <array>

namespace vitrine::kernels {
namespace {

// index == KvType
constexpr std::array<std::string_view, kNumKvTypes> kNames{"f16", "bf16", "int8", "int8-head", "fp8"};

} // namespace

std::string_view kv_type_name(KvType type) noexcept {
    return kNames[static_cast<std::size_t>(type)];
}

std::optional<KvType> kv_type_from_name(std::string_view name) noexcept {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name)
            return static_cast<KvType>(i);
    }
    return std::nullopt;
}

std::int64_t kv_bytes_per_token(const KvSpec& spec) noexcept {
    const bool wide = spec.type == KvType::f16 || spec.type == KvType::bf16;
    const std::int64_t element_bytes = wide ? 2 : 1;
    const std::int64_t scale_bytes = spec.type == KvType::int8 ? 4 : 0; // the per-head kinds keep theirs outside
    std::int64_t bytes = 0;
    for (const KvLayer& layer : spec.layers)
        bytes += 2LL * layer.num_kv_heads * (layer.head_dim * element_bytes + scale_bytes);
    return bytes;
}

} // namespace vitrine::kernels
