// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: cached blocks of the block groups behind the first, found by the content the first one's chain names.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/api/snapshot.h"
#include "engine/base/clock.h"
#include "engine/kv/prefix_cache.h"

namespace vitrine::engine {

/// A prefix is usable if the first group's chain (PrefixCache) holds it from its start and each other group holds the blocks
/// that its layers still see there: all of them, or the last ceil((window - 1) / block_tokens).
/// Invariant: every entry is a full block of verified tokens.  It refers to blocks and owns none.  Thread: engine.
class GroupCache {
public:
    GroupCache(std::vector<BlockGroup> groups, int block_tokens, const Clock& clock);

    /// Cuts a match of the first group's chain to the longest prefix that all groups have, and gives each group its blocks.
    /// What is cut off was evicted.
    void fit(PrefixMatch& match) const;
    /// Enters a full block of a group; `content` is that of the first group's block at the same place.
    void insert(BlockId block, std::size_t group, ContentId content, std::span<const TokenId> tokens);
    /// The block's space was given to another content.
    void evict(BlockId block);

    [[nodiscard]] bool contains(BlockId block) const { return entries_.contains(block.value); }
    [[nodiscard]] std::span<const TokenId> tokens_of(BlockId block) const; // empty: not cached
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] std::span<const BlockGroup> groups() const noexcept { return groups_; }
    void check_invariants() const;

private:
    struct Entry {
        std::size_t group = 0;
        ContentId content{};
        std::vector<TokenId> tokens;
    };
    [[nodiscard]] int behind(std::size_t group, int num_blocks) const noexcept;
    [[nodiscard]] int longest(std::size_t group, const PrefixMatch& match, int num_blocks) const;
    [[nodiscard]] BlockId find(std::size_t group, ContentId content) const; // block 0: none

    const std::vector<BlockGroup> groups_;
    const int block_tokens_;
    const Clock& clock_;
    std::unordered_map<std::int32_t, Entry> entries_; // by block
    std::vector<std::unordered_map<std::uint64_t, std::vector<BlockId>>> by_content_; // index: group; [0] stays empty
    TimePoint last_evicted_{};
};

} // namespace vitrine::engine
