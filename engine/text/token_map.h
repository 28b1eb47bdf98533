// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: token spelling to id: open addressing, since look-ups are most of a tokenizer's time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::engine {

/// Fast, for tables in memory only; equal texts give equal values within a process.
[[nodiscard]] std::uint64_t hash_bytes(std::string_view text) noexcept;

/// Of equal spellings the first added stays.  `texts` must outlive the map and keep its place.  Read-only once filled.
class TokenMap {
public:
    static constexpr std::int32_t kNone = -1;

    TokenMap(std::span<const std::string> texts, std::size_t num_expected);
    void add(std::int32_t id);
    [[nodiscard]] std::int32_t find(std::string_view text) const noexcept; // kNone: not there

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::int32_t id = kNone;
    };

    std::span<const std::string> texts_;
    std::vector<Slot> slots_; // a power of two, at most half full
    std::size_t mask_ = 0;
    std::size_t longest_ = 0; // bytes
};

} // namespace vitrine::engine
