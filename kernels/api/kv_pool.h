// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: the paged KV cache of one session, owned by the backend.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/api/ids.h"
#include "kernels/api/result.h"

namespace vitrine::kernels {

/// int8: scale per token and head (amax/127, round half to even).  int8_head, fp8_e4m3: one scale per layer, head and K or V.
enum class KvType : std::uint8_t { f16, bf16, int8, int8_head, fp8_e4m3 };
inline constexpr int kNumKvTypes = 5;

[[nodiscard]] std::string_view kv_type_name(KvType type) noexcept; // as in --kv: f16 bf16 int8 int8-head fp8
[[nodiscard]] std::optional<KvType> kv_type_from_name(std::string_view name) noexcept;

struct KvLayer {
    int num_kv_heads = 0;
    int head_dim = 0;
    int group = 0; // which of the step's block tables finds its blocks
};

/// Shape of the cache.  Block 0 of every pool is the null block: padding writes there, and so does a table whose window has
/// left a block; whatever is read there is masked.
/// A block belongs to one group of layers at a time and holds `block_tokens` tokens of each of them.  The n-th layers of all
/// groups share one plane of the pool's memory, so groups of equal size waste nothing.  One group: a block holds all layers.
struct KvSpec {
    KvType type = KvType::f16;
    int block_tokens = 16; // 16 or 32
    std::vector<KvLayer> layers; // index == LayerId; layers of one plane have one shape
};

/// Groups of the spec: 1 + the largest KvLayer::group.
[[nodiscard]] int kv_num_groups(const KvSpec& spec) noexcept;
/// Plane of each layer: how many layers of its group come before it.
[[nodiscard]] std::vector<int> kv_planes(const KvSpec& spec);
/// Layers that share a plane have different shapes: the layer and both shapes, for the backend that refuses; else empty.
[[nodiscard]] std::string why_planes_differ(const KvSpec& spec);

/// Bytes of K and V of one token over all layers, scales included (the formula of the design, not a backend's padding).
[[nodiscard]] std::int64_t kv_bytes_per_token(const KvSpec& spec) noexcept;
/// Bytes of one block: its tokens over one layer of each plane.
[[nodiscard]] std::int64_t kv_bytes_per_block(const KvSpec& spec);

struct KvGeometry {
    int num_blocks = 0; // with the null block
    int block_tokens = 0;
    std::int64_t bytes_per_block = 0; // over all planes, K and V, scales included
    int num_groups = 1;
};

struct BlockCopy {
    std::int32_t source = 0;
    std::int32_t target = 0;
};

class KvPool {
public:
    virtual ~KvPool() = default;
    [[nodiscard]] virtual KvGeometry geometry() const noexcept = 0;
    /// Copies whole blocks, scales too, in the given order, before the next step.  Thread: engine.
    virtual Result<void> copy_blocks(std::span<const BlockCopy> copies) = 0;
    /// One block of one layer in the canonical order [K|V][num_kv_heads][block_tokens][head_dim], dequantized.  For tests.
    [[nodiscard]] virtual Result<std::vector<float>> read_block(LayerId layer, std::int32_t block) const = 0;
};

} // namespace vitrine::kernels
