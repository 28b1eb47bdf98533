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

/// What the layers of one group read and write.
struct GroupBlocks {
    std::vector<BlockId> blocks; // block i holds positions [i * block_tokens, (i + 1) * block_tokens)
    int num_behind = 0; // leading ones that the window has left: given back, and block 0 here

    [[nodiscard]] int num_held() const noexcept { return static_cast<int>(blocks.size()) - num_behind; }
    friend bool operator==(const GroupBlocks&, const GroupBlocks&) = default;
};

/// Only KvCacheManager changes it.  Append-only while the sequence lives, but for what windows leave behind.
struct BlockTable {
    std::vector<GroupBlocks> groups; // as in KvCacheManager::Options, all of one length; empty: no blocks yet
    int num_hashed = 0; // leading blocks that were entered into the prefix cache, or came from it
    BlockHash tip_hash; // of block num_hashed - 1, or the root
    ContentId tip_content{}; // likewise

    [[nodiscard]] bool empty() const noexcept { return num_blocks() == 0; }
    /// Blocks of a group: ceil(slots / block_tokens).
    [[nodiscard]] int num_blocks() const noexcept {
        return groups.empty() ? 0 : static_cast<int>(groups.front().blocks.size());
    }
    /// Over all groups.
    [[nodiscard]] int num_held() const noexcept {
        int held = 0;
        for (const GroupBlocks& group : groups)
            held += group.num_held();
        return held;
    }
    [[nodiscard]] int num_behind() const noexcept {
        int behind = 0;
        for (const GroupBlocks& group : groups)
            behind += group.num_behind;
        return behind;
    }
    /// Where a group's K and V of `position` lie.  Requires: position < num_blocks() * block_tokens.
    [[nodiscard]] std::int32_t slot(int position, int block_tokens, std::size_t group = 0) const {
        return groups[group].blocks[static_cast<std::size_t>(position / block_tokens)].value * block_tokens +
            position % block_tokens;
    }
};

} // namespace vitrine::engine
