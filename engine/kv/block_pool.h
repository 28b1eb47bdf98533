// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: hands out KV blocks and keeps freed ones findable until their space is needed.
#pragma once

#include <span>
#include <vector>

#include "engine/api/snapshot.h"
#include "engine/base/result.h"
#include "engine/kv/block.h"

namespace vitrine::engine {

/// Invariants: free + cached + active == num_blocks; ref_count 0 <=> in the free list exactly once; block 0 in no list.
/// Thread: engine.
class BlockPool {
public:
    /// `num_blocks` usable blocks, ids 1..num_blocks; block 0, the null block, comes on top.
    BlockPool(int num_blocks, const Clock& clock);

    struct Allocation {
        std::vector<BlockId> blocks;
        std::vector<BlockId> evicted; // those of `blocks` that were cached; the caller forgets their content
    };
    /// Takes `count` blocks with reference 1 from the head of the free list, evicting the least recently freed cached
    /// ones if it must.  All or nothing: on out_of_blocks nothing changed.
    [[nodiscard]] Result<Allocation> allocate(int count);
    void set_group(BlockId block, std::size_t group); // Requires: block is active.
    /// One more reference; a cached block leaves the free list.
    void retain(BlockId block);
    /// One reference less.  At 0 a cached block goes to the tail of the free list, any other to its head.
    void release(BlockId block, bool left_by_window = false); // Requires: block is active.
    void set_cached(BlockId block, bool cached); // cached: Requires: block is active.

    [[nodiscard]] const Block& block(BlockId id) const;
    [[nodiscard]] int num_blocks() const noexcept { return static_cast<int>(blocks_.size()) - 3; }
    [[nodiscard]] int num_available() const noexcept { return num_available_; } // free + cached
    [[nodiscard]] BlockCounts counts() const noexcept;
    /// Life, idle time before eviction and gaps between uses of cached blocks.
    struct Times {
        Histogram lifetime_s{kRequestTimeBuckets};
        Histogram idle_s{kRequestTimeBuckets};
        Histogram reuse_gap_s{kRequestTimeBuckets};
    };
    [[nodiscard]] const Times& times() const noexcept { return times_; }
    [[nodiscard]] std::vector<BlockId> free_list() const; // head first; for tests and checks
    void check_invariants() const;

private:
    void link(std::int32_t index, std::int32_t after);
    void unlink(std::int32_t index);
    [[nodiscard]] Block& at(BlockId id); // Requires: a block of this pool, not block 0
    [[nodiscard]] std::size_t head() const noexcept { return blocks_.size() - 2; }
    [[nodiscard]] std::size_t tail() const noexcept { return blocks_.size() - 1; }

    const Clock& clock_;
    std::vector<Block> blocks_; // index == BlockId; then the two sentinels of the free list
    int num_available_ = 0;
    int num_cached_ = 0; // cached with ref_count 0
    int num_shared_ = 0;
    Times times_;
};

} // namespace vitrine::engine
