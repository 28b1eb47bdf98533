// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/api/kv_pool.h"

#include <algorithm>
#include <array>

namespace vitrine::kernels {
namespace {

// index == KvType
constexpr std::array<std::string_view, kNumKvTypes> kNames{"f16", "bf16", "int8", "int8-head", "fp8"};

/// Of one token.
std::int64_t layer_bytes(KvType type, const KvLayer& layer) noexcept {
    const std::int64_t element_bytes = type == KvType::f16 || type == KvType::bf16 ? 2 : 1;
    const std::int64_t scale_bytes = type == KvType::int8 ? 4 : 0; // the per-head kinds keep theirs outside
    return 2LL * layer.num_kv_heads * (layer.head_dim * element_bytes + scale_bytes);
}

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

int kv_num_groups(const KvSpec& spec) noexcept {
    int last = 0;
    for (const KvLayer& layer : spec.layers)
        last = std::max(last, layer.group);
    return last + 1;
}

std::vector<int> kv_planes(const KvSpec& spec) {
    std::vector<int> layers_of(static_cast<std::size_t>(kv_num_groups(spec)), 0);
    std::vector<int> planes;
    for (const KvLayer& layer : spec.layers)
        planes.push_back(layers_of[static_cast<std::size_t>(layer.group)]++);
    return planes;
}

std::string why_planes_differ(const KvSpec& spec) {
    const std::vector<int> planes = kv_planes(spec);
    const auto shape = [](const KvLayer& layer) {
        return std::to_string(layer.num_kv_heads) + " KV heads of " + std::to_string(layer.head_dim);
    };
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const auto first =
            static_cast<std::size_t>(std::find(planes.begin(), planes.end(), planes[i]) - planes.begin());
        if (shape(spec.layers[first]) != shape(spec.layers[i]))
            return "layer " + std::to_string(i) + " has " + shape(spec.layers[i]) + " and shares memory with layer " +
                std::to_string(first) + ", which has " + shape(spec.layers[first]);
    }
    return {};
}

std::int64_t kv_bytes_per_token(const KvSpec& spec) noexcept {
    std::int64_t bytes = 0;
    for (const KvLayer& layer : spec.layers)
        bytes += layer_bytes(spec.type, layer);
    return bytes;
}

std::int64_t kv_bytes_per_block(const KvSpec& spec) {
    const std::vector<int> planes = kv_planes(spec);
    std::int64_t bytes = 0;
    int seen = 0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        if (planes[i] < seen)
            continue; // its plane is counted
        ++seen;
        bytes += layer_bytes(spec.type, spec.layers[i]) * spec.block_tokens;
    }
    return bytes;
}

} // namespace vitrine::kernels
