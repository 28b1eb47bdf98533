// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: XXH3-128 keys of block contents, chained from a root that names the context (engine.md 3.1).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "engine/api/request.h"

namespace vitrine::engine {

struct BlockHash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend constexpr auto operator<=>(const BlockHash&, const BlockHash&) = default;
};
[[nodiscard]] std::string to_hex(const BlockHash& hash); // canonical, 32 digits

/// What every key of one cache depends on.
struct HashContext {
    std::string model; // content id of the weights
    std::string kv_type; // with scale kind and version
    int block_tokens = 16;
    std::string rope; // RoPE settings in canonical text
    std::array<std::uint8_t, 32> seed{}; // random per process; zero: equal hashes in every process
};
[[nodiscard]] HashContext random_seeded(HashContext context);
[[nodiscard]] BlockHash root_hash(const HashContext& context);

/// What keeps equal tokens apart.  0 or empty: absent.
struct BlockExtras {
    std::uint64_t lora_generation = 0;
    std::string salt; // block 0 only; the chain carries it
    std::uint64_t kernel_family = 0;
    friend bool operator==(const BlockExtras&, const BlockExtras&) = default;
};
/// Tagged bytes of the extras of one block.
[[nodiscard]] std::string encode_extras(const BlockExtras& extras, bool first_block);

/// h_i = XXH3-128(parent || tokens as u32 LE || extras).
[[nodiscard]] BlockHash block_hash(
    const BlockHash& parent, std::span<const TokenId> tokens, std::string_view encoded_extras);

} // namespace vitrine::engine

template <>
struct std::hash<vitrine::engine::BlockHash> {
    std::size_t operator()(const vitrine::engine::BlockHash& key) const noexcept { return key.low; }
};
