// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: finds blocks whose tokens were computed before, and says why when there are none.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/api/prefix_miss.h"
#include "engine/base/clock.h"
#include "engine/kv/block_hash.h"
#include "engine/kv/block_table.h"

namespace vitrine::engine {

struct Divergence {
    int position = 0; // of the first token that differs
    TokenId expected = 0; // what the cache holds
    TokenId got = 0;
};

/// One look-up.  hit_tokens + sum of missed == num_tokens.
struct PrefixMatch {
    int num_tokens = 0;
    int hit_tokens = 0; // num_blocks() * block_tokens
    struct Tip {
        BlockHash hash;
        ContentId content{};
    };
    std::vector<GroupBlocks> groups; // by block group
    std::vector<Tip> tips; // of each hit block
    BlockHash root_hash; // what the chain starts from
    BlockHash tip_hash; // of the last hit block, or the root
    ContentId tip_content{};
    std::array<int, kNumMissReasons> missed{}; // tokens, index == MissReason
    std::optional<Divergence> divergence; // with diverged
    std::optional<TimePoint> evicted_at; // with evicted
    std::string context_field; // with context: "salt", "LoRA"

    [[nodiscard]] int num_blocks() const noexcept { return static_cast<int>(tips.size()); }
    /// Forgets all but the first num_blocks hit blocks; the caller gives their tokens a reason.
    void cut(int num_blocks, int block_tokens);
};

/// Invariants: every entry is a full block of verified tokens; equal (parent content, tokens, extras) <=> equal content
/// id.  It refers to blocks and owns none.  Thread: engine.
class PrefixCache {
public:
    PrefixCache(const HashContext& context, const Clock& clock, std::size_t max_evicted_keys = 65536);

    /// Longest cached head of `tokens`, at most max_hit tokens, whole blocks, as groups[0].  Tokens and extras are compared,
    /// not just hashes.
    [[nodiscard]] PrefixMatch find(std::span<const TokenId> tokens, const BlockExtras& extras, int max_hit) const;

    struct Entered {
        BlockHash hash;
        ContentId content;
    };
    /// Enters one full block after the table's tip.  A twin takes the existing content id.  Requires: not entered yet.
    Entered insert(BlockId block, const BlockTable& table, std::span<const TokenId> tokens, const BlockExtras& extras);
    /// The block's space was given to another content.
    void evict(BlockId block);
    /// Forgets which keys were evicted lately.
    void forget_evicted();

    [[nodiscard]] bool contains(BlockId block) const { return entries_.contains(block.value); }
    [[nodiscard]] Entered entered(BlockId block) const; // Requires: contains(block)
    [[nodiscard]] std::span<const TokenId> tokens_of(BlockId block) const; // empty: not cached
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] BlockHash root() const noexcept { return root_; }
    void check_invariants() const;

private:
    struct Entry {
        BlockHash hash;
        ContentId content{};
        ContentId parent{};
        std::vector<TokenId> tokens;
        std::string extras; // encoded
    };
    struct Key {
        BlockHash hash;
        std::span<const TokenId> tokens;
        std::string_view extras;
        ContentId parent{};
    };
    [[nodiscard]] std::optional<BlockId> find_twin(const Key& key) const; // a block with this content
    void explain(PrefixMatch& match, const Key& missed, std::span<const TokenId> rest) const;
    [[nodiscard]] std::optional<Divergence> find_divergence(const Key& missed, int first_position) const;
    [[nodiscard]] std::string find_other_context(const Key& missed) const;
    void remember_evicted(const BlockHash& hash);

    const BlockHash root_;
    const int block_tokens_;
    const Clock& clock_;
    const std::size_t max_evicted_keys_;
    std::uint64_t last_content_ = 0;
    std::unordered_map<std::int32_t, Entry> entries_; // by block
    std::unordered_map<BlockHash, std::vector<BlockId>> by_hash_; // twins, oldest first
    std::unordered_map<std::uint64_t, std::vector<BlockId>> children_; // by parent content
    std::unordered_map<BlockHash, std::vector<BlockId>> first_blocks_; // block 0 by its bare tokens
    std::unordered_map<BlockHash, TimePoint> evicted_;
    std::deque<BlockHash> evicted_order_;
};

} // namespace vitrine::engine
