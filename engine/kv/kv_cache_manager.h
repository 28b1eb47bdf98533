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
};

/// Thread: engine.
class KvCacheManager {
public:
    struct Options {
        int num_blocks = 0; // usable
        HashContext hash; // block_tokens stands here
        bool prefix_cache = true;
        const Clock* clock = nullptr; // nullptr: steady_clock()
    };
    explicit KvCacheManager(const Options& options);

    [[nodiscard]] int block_tokens() const noexcept { return block_tokens_; }
    [[nodiscard]] int num_blocks() const noexcept { return pool_.num_blocks(); }
    [[nodiscard]] int blocks_for(int num_tokens) const noexcept {
        return (num_tokens + block_tokens_ - 1) / block_tokens_;
    }

    /// What of `tokens` could be taken from the cache; at most tokens - 1, whole blocks, since the last position's logits
    /// are needed.  Changes nothing and counts nothing.  `allowed` false: everything is missed as disabled.
    [[nodiscard]] PrefixMatch look_up(std::span<const TokenId> tokens, const BlockExtras& extras, bool allowed) const;
    /// Blocks that could be handed out if the hit were taken first.
    [[nodiscard]] int num_available(const PrefixMatch* hit = nullptr) const;

    /// Starts a table: takes over the hit (touching it before anything is popped), then takes blocks so that `num_slots`
    /// positions have one.  out_of_blocks: nothing changed.  Counts the look-up; `resumed`: apart.
    /// Requires: table empty.
    Result<void> admit(BlockTable& table, const PrefixMatch& hit, int num_slots, bool resumed);
    /// Starts a table beside a sibling's: shares its full blocks below `num_tokens` and copies the partial one.  The copy
    /// must be done before the next step.  out_of_blocks: nothing changed.  Requires: table empty; the sibling's K and V
    /// of [0, num_tokens) are computed.
    Result<std::optional<kernels::BlockCopy>> fork(
        BlockTable& table, const BlockTable& sibling, int num_tokens, int num_slots);
    /// Takes blocks so that `num_slots` positions have one.  out_of_blocks: nothing changed.
    Result<void> extend(BlockTable& table, int num_slots);
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
    [[nodiscard]] std::span<const TokenId> cached_tokens(BlockId block) const { return cache_.tokens_of(block); }
    [[nodiscard]] const BlockPool& pool() const noexcept { return pool_; }
    [[nodiscard]] const PrefixCache& prefix_cache() const noexcept { return cache_; }
    /// Together with every live table: invariants 1 to 3 of engine.md 11.
    void check_invariants(std::span<const BlockTable* const> tables) const;

private:
    Result<std::vector<BlockId>> take(int count);
    void count_look_up(const PrefixMatch& match, bool resumed);

    const Clock& clock_;
    const int block_tokens_;
    const bool prefix_cache_enabled_;
    BlockPool pool_;
    PrefixCache cache_;
    KvCounters counters_;
};

} // namespace vitrine::engine
