// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: pieces already tokenized in this text: words come again, and their ids with them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/text/token_map.h"

namespace vitrine::engine {

/// One call's memory, so no lock; direct-mapped, a newer piece replaces an older.  Thread: one.
class PieceMemo {
public:
    /// Pieces are views; what they look at must outlive the memo.
    explicit PieceMemo(std::size_t text_bytes)
        : slots_(std::bit_ceil(std::clamp<std::size_t>(text_bytes / 8, 16, 8192))) {}

    /// Appends the ids of `piece`: those found before, else what `encode` appends.
    template <class Encode>
    void append(std::string_view piece, std::vector<std::int32_t>& ids, const Encode& encode) {
        if (piece.size() > kMaxPieceBytes) {
            encode();
            return;
        }
        Slot& slot = slots_[static_cast<std::size_t>(hash_bytes(piece)) & (slots_.size() - 1)];
        const std::size_t begin = ids.size();
        if (slot.piece == piece) {
            for (std::size_t i = 0; i < slot.count; ++i)
                ids.push_back(ids[slot.begin + i]);
            return;
        }
        encode();
        slot = {.piece = piece, .begin = begin, .count = ids.size() - begin};
    }

private:
    static constexpr std::size_t kMaxPieceBytes = 64;
    struct Slot {
        std::string_view piece; // never empty once used
        std::size_t begin = 0; // in ids
        std::size_t count = 0;
    };
    std::vector<Slot> slots_;
};

} // namespace vitrine::engine
