// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: token spelling to id.
#include "engine/text/token_map.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace vitrine::engine {

TokenMap::TokenMap(std::span<const std::string> texts, std::size_t num_expected)
    : texts_(texts), slots_(std::bit_ceil(std::max<std::size_t>(num_expected, 4) * 2)), mask_(slots_.size() - 1) {}

std::uint64_t hash_bytes(std::string_view text) noexcept {
    // Eight bytes a step, each folded in by a multiplication (the constant is 2^64 / golden ratio).
    constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15;
    std::uint64_t state = text.size() * kMultiplier;
    while (!text.empty()) {
        std::uint64_t chunk = 0;
        const std::size_t size = std::min<std::size_t>(text.size(), 8);
        std::memcpy(&chunk, text.data(), size);
        state = (std::rotl(state, 5) ^ chunk) * kMultiplier;
        text.remove_prefix(size);
    }
    return state ^ (state >> 32);
}

void TokenMap::add(std::int32_t id) {
    const std::string_view text = texts_[static_cast<std::size_t>(id)];
    const std::uint64_t hashed = hash_bytes(text);
    longest_ = std::max(longest_, text.size());
    for (std::size_t at = hashed & mask_;; at = (at + 1) & mask_) {
        if (slots_[at].id == kNone) {
            slots_[at] = {static_cast<std::uint32_t>(hashed >> 32), id};
            return;
        }
        if (texts_[static_cast<std::size_t>(slots_[at].id)] == text)
            return;
    }
}

std::int32_t TokenMap::find(std::string_view text) const noexcept {
    if (text.size() > longest_)
        return kNone;
    const std::uint64_t hashed = hash_bytes(text);
    for (std::size_t at = hashed & mask_; slots_[at].id != kNone; at = (at + 1) & mask_) {
        const Slot& slot = slots_[at];
        if (slot.hash == static_cast<std::uint32_t>(hashed >> 32) && texts_[static_cast<std::size_t>(slot.id)] == text)
            return slot.id;
    }
    return kNone;
}

} // namespace vitrine::engine
