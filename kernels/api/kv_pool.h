// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: the paged KV cache of one session, owned by the backend.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
};

/// Shape of the cache.  Block 0 of every pool is the null block: padding writes there, nobody reads it.
struct KvSpec {
    KvType type = KvType::f16;
    int block_tokens = 16; // 16 or 32
    std::vector<KvLayer> layers; // index == LayerId
};

/// Bytes of K and V of one token over all layers, scales included (the formula of the design, not a backend's padding).
[[nodiscard]] std::int64_t kv_bytes_per_token(const KvSpec& spec) noexcept;

struct KvGeometry {
    int num_blocks = 0; // with the null block
    int block_tokens = 0;
    std::int64_t bytes_per_block = 0; // over all layers, K and V, scales included
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
