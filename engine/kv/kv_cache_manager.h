// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: owner of the KV cache's policy: look-up, allocate, append, fork, free; evicts lazily.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/api/snapshot.h"
#include "engine/base/result.h"
#include "engine/kv/block_pool.h"
#include "engine/kv/block_table.h"
#include "engine/kv/group_cache.h"
#include "engine/kv/kv_groups.h"
#include "engine/kv/prefix_cache.h"
#include "kernels/api/kv_pool.h"

namespace vitrine::engine {

/// Totals since the start, all in tokens but the block counts.
struct KvCounters {
    std::uint64_t queries = 0; // look-ups of first admissions
    std::uint64_t hits = 0;
    std::uint64_t resumed_queries = 0; // look-ups after a preemption, counted apart
    std::uint64_t resumed_hits = 0;
    std::uint64_t forked = 0; // taken over from a sibling choice
    std::array<std::uint64_t, kNumMissReasons> missed{}; // of first admissions; hits + sum == queries
    std::uint64_t blocks_taken = 0;
    std::uint64_t blocks_released = 0; // reference fell to 0
    std::uint64_t blocks_evicted = 0;
    std::uint64_t window_freed = 0; // of those released: left behind by a window
};

/// Thread: engine.
class KvCacheManager {
public:
    struct Options {
        int num_blocks = 0; // usable
        HashContext hash; // block_tokens stands here
        bool prefix_cache = true;
        const Clock* clock = nullptr; // nullptr: steady_clock()
        std::vector<BlockGroup> groups{BlockGroup{}}; // of layers, at least one; a block serves one group at a time
    };
    explicit KvCacheManager(const Options& options);

    [[nodiscard]] int block_tokens() const noexcept { return block_tokens_; }
    [[nodiscard]] int num_blocks() const noexcept { return pool_.num_blocks(); }
    /// Blocks of one group.
    [[nodiscard]] int blocks_for(int num_tokens) const noexcept {
        return (num_tokens + block_tokens_ - 1) / block_tokens_;
    }
    /// Most blocks, over all groups, that a sequence holds at once up to `num_tokens`, in steps of at most `step_tokens`.
    [[nodiscard]] int most_held(int num_tokens, int step_tokens) const noexcept {
        return blocks_of_sequence(groups(), block_tokens_, num_tokens, step_tokens);
    }
    /// Most new blocks that it takes beside `hit` (nullptr: beside num_shared tokens of a running sibling) up to
    /// `num_tokens`.  What windows leave of an idle hit comes back on the way, so hit and new ones stay below most_held().
    [[nodiscard]] int most_new(const PrefixMatch* hit, int num_shared, int num_tokens, int step_tokens) const;
    [[nodiscard]] std::span<const BlockGroup> groups() const noexcept { return others_.groups(); }

    /// What of `tokens` could be taken from the cache; at most tokens - 1, whole blocks, since the last position's logits
    /// are needed.  Changes nothing and counts nothing.  `allowed` false: everything is missed as disabled.
    [[nodiscard]] PrefixMatch look_up(std::span<const TokenId> tokens, const BlockExtras& extras, bool allowed) const;
    /// Blocks that could be handed out if the hit were taken first.
    [[nodiscard]] int num_available(const PrefixMatch* hit = nullptr) const;

    /// Starts a table: takes over the hit (touching it before anything is popped), then takes blocks so that `num_slots`
    /// positions have one.  out_of_blocks: nothing changed.  Counts the look-up; `resumed`: apart.
    /// Requires: table empty.
    Result<void> admit(BlockTable& table, const PrefixMatch& hit, int num_slots, bool resumed);
    /// Starts a table beside a sibling's: shares its full blocks below `num_tokens` and copies the partial ones, one a
    /// group.  The copies must be done before the next step.  out_of_blocks: nothing changed.  Requires: table empty;
    /// can_fork(); the sibling's K and V of [0, num_tokens) are computed.
    Result<std::vector<kernels::BlockCopy>> fork(
        BlockTable& table, const BlockTable& sibling, int num_tokens, int num_slots);
    /// False: a window of the sibling has already left blocks that a fork at `num_tokens` would read.
    [[nodiscard]] bool can_fork(const BlockTable& sibling, int num_tokens) const;
    /// Gives back what no row from `num_computed` on sees, then takes blocks so that `num_slots` positions have one.
    /// out_of_blocks: none was taken.  Requires: no row below num_computed will be computed again in this table.
    Result<void> extend(BlockTable& table, int num_computed, int num_slots);
    /// Enters full blocks below `num_verified` tokens into the prefix cache.  `tokens`: of the sequence, from position 0.
    void enter_full_blocks(
        BlockTable& table, std::span<const TokenId> tokens, int num_verified, const BlockExtras& extras);
    /// Gives every block back, last first, so that tails are evicted before heads.  Their content stays findable.
    void release(BlockTable& table);

    /// Forgets cached blocks no sequence uses.
    void reset_prefix_cache();

    [[nodiscard]] BlockCounts counts() const noexcept { return pool_.counts(); }
    [[nodiscard]] const KvCounters& counters() const noexcept { return counters_; }
    [[nodiscard]] std::vector<BlockStatus> block_map() const; // index == block id - 1; owner left 0
    [[nodiscard]] std::span<const TokenId> cached_tokens(BlockId block) const {
        return others_.contains(block) ? others_.tokens_of(block) : cache_.tokens_of(block);
    }
    [[nodiscard]] const BlockPool& pool() const noexcept { return pool_; }
    [[nodiscard]] const PrefixCache& prefix_cache() const noexcept { return cache_; }
    /// Together with every live table: invariants 1 to 3 of engine.md 11.
    void check_invariants(std::span<const BlockTable* const> tables) const;

private:
    [[nodiscard]] int num_idle(const GroupBlocks& hit) const;
    Result<void> append(BlockTable& table, int num_blocks);
    void leave_behind(BlockTable& table, int num_computed);
    void forget(BlockId block);
    void count_look_up(const PrefixMatch& match, bool resumed);

    const Clock& clock_;
    const int block_tokens_;
    const bool prefix_cache_enabled_;
    BlockPool pool_;
    PrefixCache cache_; // of group 0: the chain that names contents
    GroupCache others_; // of the groups behind it
    KvCounters counters_;
};

} // namespace vitrine::engine
