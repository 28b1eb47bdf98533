// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: the blocks of one sequence, in order of positions.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/strong_id.h"
#include "engine/kv/block_hash.h"

namespace vitrine::engine {

/// A block's verified content: equal for twins (blocks with the same tokens after the same parent).  0: the root.
enum class ContentId : std::uint64_t {};

/// Only KvCacheManager changes it.  Append-only while the sequence lives.
struct BlockTable {
    std::vector<BlockId> blocks; // block i holds positions [i * block_tokens, (i + 1) * block_tokens)
    int num_hashed = 0; // leading blocks that were entered into the prefix cache, or came from it
    BlockHash tip_hash; // of block num_hashed - 1, or the root
    ContentId tip_content{}; // likewise

    [[nodiscard]] bool empty() const noexcept { return blocks.empty(); }
    [[nodiscard]] int num_blocks() const noexcept { return static_cast<int>(blocks.size()); }
    /// Where the K and V of `position` lie.  Requires: position < blocks.size() * block_tokens.
    [[nodiscard]] std::int32_t slot(int position, int block_tokens) const {
        return blocks[static_cast<std::size_t>(position / block_tokens)].value * block_tokens + position % block_tokens;
    }
};

} // namespace vitrine::engine
