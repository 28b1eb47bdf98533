// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: which prefix all block groups have.
#include "engine/kv/group_cache.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/kv/kv_groups.h"

namespace vitrine::engine {

GroupCache::GroupCache(std::vector<BlockGroup> groups, int block_tokens, const Clock& clock)
    : groups_(std::move(groups)), block_tokens_(block_tokens), clock_(clock), by_content_(groups_.size()) {
    VT_CHECK(!groups_.empty());
    for (const BlockGroup& group : groups_) // a window of one token would not even see the block before
        VT_CHECK(group.window_tokens != 1);
}

void GroupCache::fit(PrefixMatch& match) const {
    const int chained = match.num_blocks();
    int fitting = chained;
    for (bool changed = true; changed;) { // a shorter prefix may need blocks that the longer one did not
        changed = false;
        for (std::size_t group = 1; group < groups_.size(); ++group) {
            const int shorter = longest(group, match, fitting);
            changed = changed || shorter < fitting;
            fitting = shorter;
        }
    }
    if (fitting < chained) {
        match.cut(fitting, block_tokens_);
        match.missed[static_cast<int>(MissReason::evicted)] += (chained - fitting) * block_tokens_;
        match.evicted_at = match.evicted_at.value_or(last_evicted_);
    }
    match.groups.resize(groups_.size());
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        GroupBlocks& found = match.groups[group];
        found.blocks.resize(static_cast<std::size_t>(fitting));
        found.num_behind = behind(group, fitting);
        for (int i = 0; i < fitting; ++i) {
            const auto place = static_cast<std::size_t>(i);
            if (i < found.num_behind)
                found.blocks[place] = BlockId{0};
            else if (group > 0)
                found.blocks[place] = find(group, match.tips[place].content);
        }
    }
}

/// Blocks of a group that a sequence of num_blocks full blocks no longer sees.
int GroupCache::behind(std::size_t group, int num_blocks) const noexcept {
    return blocks_behind_window(groups_[group].window_tokens, num_blocks * block_tokens_, block_tokens_);
}

/// Most leading blocks, of at most num_blocks, after which the group has all it sees.
int GroupCache::longest(std::size_t group, const PrefixMatch& match, int num_blocks) const {
    int end = num_blocks;
    for (int i = end; i > behind(group, end);) {
        --i;
        if (find(group, match.tips[static_cast<std::size_t>(i)].content).value == 0)
            end = i;
    }
    return end;
}

BlockId GroupCache::find(std::size_t group, ContentId content) const {
    const auto found = by_content_[group].find(static_cast<std::uint64_t>(content));
    return found == by_content_[group].end() ? BlockId{0} : found->second.front();
}

void GroupCache::insert(BlockId block, std::size_t group, ContentId content, std::span<const TokenId> tokens) {
    VT_CHECK(group > 0 && group < groups_.size() && static_cast<int>(tokens.size()) == block_tokens_);
    const bool fresh = entries_.emplace(block.value, Entry{group, content, {tokens.begin(), tokens.end()}}).second;
    VT_CHECK(fresh);
    by_content_[group][static_cast<std::uint64_t>(content)].push_back(block);
}

void GroupCache::evict(BlockId block) {
    const auto entry = entries_.find(block.value);
    VT_CHECK(entry != entries_.end());
    auto& same = by_content_[entry->second.group];
    const auto found = same.find(static_cast<std::uint64_t>(entry->second.content));
    VT_CHECK(found != same.end());
    std::erase(found->second, block);
    if (found->second.empty())
        same.erase(found);
    entries_.erase(entry);
    last_evicted_ = clock_.now();
}

std::span<const TokenId> GroupCache::tokens_of(BlockId block) const {
    const auto found = entries_.find(block.value);
    return found == entries_.end() ? std::span<const TokenId>() : std::span<const TokenId>(found->second.tokens);
}

void GroupCache::check_invariants() const {
    std::size_t listed = 0;
    for (std::size_t group = 0; group < by_content_.size(); ++group) {
        for (const auto& [content, blocks] : by_content_[group]) {
            listed += blocks.size();
            for (const BlockId block : blocks) {
                const Entry& entry = entries_.at(block.value);
                VT_CHECK(entry.group == group && static_cast<std::uint64_t>(entry.content) == content);
            }
        }
    }
    VT_CHECK(listed == entries_.size() && by_content_.front().empty());
}

} // namespace vitrine::engine
