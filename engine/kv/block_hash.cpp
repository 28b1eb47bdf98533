// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: XXH3-128 over tagged fields, little-endian tokens and canonical parent digests.
#include "engine/kv/block_hash.h"

#include <fmt/core.h>
#include <random>
#include <xxhash.h>

namespace vitrine::engine {
namespace {

enum Tag : std::uint8_t {
    kModel = 1,
    kKvType = 2,
    kBlockTokens = 3,
    kRope = 4,
    kSeed = 5,
    kLora = 0x10,
    kSalt = 0x12,
    kKernelFamily = 0x14,
};

template <class T>
void append_le(std::string& bytes, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes += static_cast<char>(value >> (8 * i) & 0xFF);
}

void append_be(std::string& bytes, std::uint64_t value) {
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift & 0xFF);
}

void append_field(std::string& bytes, Tag tag, std::string_view field) {
    bytes += static_cast<char>(tag);
    append_le(bytes, static_cast<std::uint32_t>(field.size()));
    bytes += field;
}

std::string le_bytes(std::uint64_t value) {
    std::string bytes;
    append_le(bytes, value);
    return bytes;
}

BlockHash digest(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

} // namespace

std::string to_hex(const BlockHash& hash) {
    return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

HashContext random_seeded(HashContext context) {
    std::random_device source;
    for (std::uint8_t& byte : context.seed)
        byte = static_cast<std::uint8_t>(source());
    return context;
}

BlockHash root_hash(const HashContext& context) {
    std::string bytes;
    append_field(bytes, kModel, context.model);
    append_field(bytes, kKvType, context.kv_type);
    std::string block_tokens;
    append_le(block_tokens, static_cast<std::uint32_t>(context.block_tokens));
    append_field(bytes, kBlockTokens, block_tokens);
    append_field(bytes, kRope, context.rope);
    append_field(bytes, kSeed, std::string(context.seed.begin(), context.seed.end()));
    return digest(bytes);
}

std::string encode_extras(const BlockExtras& extras, bool first_block) {
    std::string bytes;
    if (extras.lora_generation != 0)
        append_field(bytes, kLora, le_bytes(extras.lora_generation));
    if (first_block && !extras.salt.empty())
        append_field(bytes, kSalt, extras.salt);
    if (extras.kernel_family != 0)
        append_field(bytes, kKernelFamily, le_bytes(extras.kernel_family));
    return bytes;
}

BlockHash block_hash(const BlockHash& parent, std::span<const TokenId> tokens, std::string_view encoded_extras) {
    std::string bytes;
    bytes.reserve(16 + 4 * tokens.size() + encoded_extras.size());
    append_be(bytes, parent.high);
    append_be(bytes, parent.low);
    for (const TokenId token : tokens)
        append_le(bytes, static_cast<std::uint32_t>(token));
    bytes += encoded_extras;
    return digest(bytes);
}

} // namespace vitrine::engine
