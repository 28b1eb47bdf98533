// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: order of touching, popping, entering and releasing blocks (engine.md 3.3).
#include "engine/kv/kv_cache_manager.h"

#include <algorithm>
#include <map>

#include "engine/base/check.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

const Clock& clock_or_default(const Clock* clock) {
    return clock == nullptr ? steady_clock() : *clock;
}

} // namespace

KvCacheManager::KvCacheManager(const Options& options)
    : clock_(clock_or_default(options.clock)), block_tokens_(options.hash.block_tokens),
      prefix_cache_enabled_(options.prefix_cache), pool_(options.num_blocks, clock_), cache_(options.hash, clock_),
      others_(options.groups, block_tokens_, clock_) {}

PrefixMatch KvCacheManager::look_up(std::span<const TokenId> tokens, const BlockExtras& extras, bool allowed) const {
    PrefixMatch match;
    if (prefix_cache_enabled_ && allowed) {
        match = cache_.find(tokens, extras, static_cast<int>(tokens.size()) - 1);
    } else {
        match.num_tokens = static_cast<int>(tokens.size());
        match.root_hash = match.tip_hash = cache_.root();
        match.missed[static_cast<int>(MissReason::disabled)] = match.num_tokens;
    }
    others_.fit(match);
    return match;
}

/// Blocks of a hit that taking it would take out of the free list.
int KvCacheManager::num_idle(const GroupBlocks& hit) const {
    const auto held = std::span(hit.blocks).subspan(static_cast<std::size_t>(hit.num_behind));
    return static_cast<int>(
        std::ranges::count_if(held, [&](BlockId block) { return pool_.block(block).ref_count == 0; }));
}

int KvCacheManager::num_available(const PrefixMatch* hit) const {
    int available = pool_.num_available();
    for (std::size_t group = 0; hit != nullptr && group < hit->groups.size(); ++group)
        available -= num_idle(hit->groups[group]);
    return available;
}

int KvCacheManager::most_new(const PrefixMatch* hit, int num_shared, int num_tokens, int step_tokens) const {
    const int whole = blocks_for(num_tokens) - (hit != nullptr ? hit->hit_tokens : num_shared) / block_tokens_;
    int blocks = 0;
    for (std::size_t group = 0; group < groups().size(); ++group) {
        const int held = blocks_of_sequence(groups().subspan(group, 1), block_tokens_, num_tokens, step_tokens);
        blocks += std::min(whole, held - (hit != nullptr ? num_idle(hit->groups[group]) : 0));
    }
    return blocks;
}

Result<void> KvCacheManager::admit(BlockTable& table, const PrefixMatch& hit, int num_slots, bool resumed) {
    VT_CHECK(table.empty());
    const int count = std::max(0, blocks_for(num_slots) - hit.num_blocks()) * static_cast<int>(groups().size());
    if (count > num_available(&hit))
        return fail(ErrorCode::out_of_blocks, say(Sentence::blocks_short, count, num_available(&hit), num_blocks()));
    table.groups = hit.groups;
    for (const GroupBlocks& group : table.groups) // before popping, which might evict them
        for (const BlockId block : group.blocks)
            if (block.value != 0)
                pool_.retain(block);
    const Result<void> taken = append(table, blocks_for(num_slots));
    VT_CHECK(taken.has_value());
    table.num_hashed = hit.num_blocks();
    table.tip_hash = hit.tip_hash;
    table.tip_content = hit.tip_content;
    count_look_up(hit, resumed);
    return {};
}

bool KvCacheManager::can_fork(const BlockTable& sibling, int num_tokens) const {
    for (std::size_t group = 0; group < sibling.groups.size(); ++group)
        if (sibling.groups[group].num_behind >
            blocks_behind_window(groups()[group].window_tokens, num_tokens, block_tokens_))
            return false;
    return true;
}

Result<std::vector<kernels::BlockCopy>> KvCacheManager::fork(
    BlockTable& table, const BlockTable& sibling, int num_tokens, int num_slots) {
    const int shared = num_tokens / block_tokens_;
    const bool partial = num_tokens % block_tokens_ != 0;
    VT_CHECK(table.empty() && sibling.num_blocks() >= blocks_for(num_tokens) && can_fork(sibling, num_tokens));
    BlockTable forked;
    for (std::size_t group = 0; group < groups().size(); ++group) {
        const auto& blocks = sibling.groups[group].blocks;
        GroupBlocks own{{blocks.begin(), blocks.begin() + shared}, 0};
        own.num_behind = blocks_behind_window(groups()[group].window_tokens, num_tokens, block_tokens_);
        std::fill_n(own.blocks.begin(), own.num_behind, BlockId{0});
        forked.groups.push_back(std::move(own));
    }
    VT_TRY(append(forked, blocks_for(std::max(num_slots, num_tokens))));
    std::vector<kernels::BlockCopy> copies;
    for (std::size_t group = 0; group < groups().size(); ++group) {
        const auto& blocks = forked.groups[group].blocks;
        for (int i = forked.groups[group].num_behind; i < shared; ++i)
            pool_.retain(blocks[static_cast<std::size_t>(i)]);
        const auto last = static_cast<std::size_t>(shared);
        if (partial)
            copies.push_back({sibling.groups[group].blocks[last].value, blocks[last].value});
    }
    if (prefix_cache_enabled_ && shared > 0) {
        VT_CHECK(sibling.num_hashed >= shared); // every committed full block was entered
        const BlockId tip_block = forked.groups.front().blocks[static_cast<std::size_t>(shared) - 1];
        const PrefixCache::Entered tip = cache_.entered(tip_block);
        forked.num_hashed = shared;
        forked.tip_hash = tip.hash;
        forked.tip_content = tip.content;
    }
    table = std::move(forked);
    counters_.forked += static_cast<std::uint64_t>(num_tokens);
    return copies;
}

Result<void> KvCacheManager::extend(BlockTable& table, int num_computed, int num_slots) {
    leave_behind(table, num_computed);
    return append(table, blocks_for(num_slots));
}

/// Last first, as in release(): of what a window leaves, the older tokens are found the longest.
void KvCacheManager::leave_behind(BlockTable& table, int num_computed) {
    for (std::size_t group = 0; group < table.groups.size(); ++group) {
        GroupBlocks& own = table.groups[group];
        const int behind = blocks_behind_window(groups()[group].window_tokens, num_computed, block_tokens_);
        for (int i = behind - 1; i >= own.num_behind; --i) {
            BlockId& block = own.blocks[static_cast<std::size_t>(i)];
            pool_.release(block, true);
            counters_.window_freed += 1;
            counters_.blocks_released += pool_.block(block).ref_count == 0 ? 1 : 0;
            block = BlockId{0};
        }
        own.num_behind = std::max(own.num_behind, behind);
    }
}

/// Gives every group `num_blocks` blocks, one group after the other.  out_of_blocks: nothing changed.
Result<void> KvCacheManager::append(BlockTable& table, int num_blocks) {
    table.groups.resize(groups().size());
    const int missing = num_blocks - table.num_blocks();
    if (missing <= 0)
        return {};
    Result<BlockPool::Allocation> taken = pool_.allocate(missing * static_cast<int>(table.groups.size()));
    if (!taken)
        return tl::unexpected(std::move(taken).error());
    for (const BlockId block : taken->evicted)
        forget(block);
    counters_.blocks_taken += taken->blocks.size();
    counters_.blocks_evicted += taken->evicted.size();
    auto next = taken->blocks.begin();
    for (std::size_t group = 0; group < table.groups.size(); ++group, next += missing) {
        for (int i = 0; i < missing; ++i)
            pool_.set_group(next[i], group);
        table.groups[group].blocks.insert(table.groups[group].blocks.end(), next, next + missing);
    }
    return {};
}

void KvCacheManager::forget(BlockId block) {
    if (others_.contains(block))
        others_.evict(block);
    else
        cache_.evict(block);
}

void KvCacheManager::enter_full_blocks(
    BlockTable& table, std::span<const TokenId> tokens, int num_verified, const BlockExtras& extras) {
    if (!prefix_cache_enabled_)
        return;
    const auto size = static_cast<std::size_t>(block_tokens_);
    const int num_full = std::min(num_verified / block_tokens_, table.num_blocks());
    while (table.num_hashed < num_full) {
        const auto i = static_cast<std::size_t>(table.num_hashed);
        const BlockId block = table.groups.front().blocks[i];
        const std::span<const TokenId> full = tokens.subspan(i * size, size);
        VT_CHECK(!pool_.block(block).cached);
        const PrefixCache::Entered entered = cache_.insert(block, table, full, extras);
        pool_.set_cached(block, true);
        for (std::size_t group = 1; group < table.groups.size(); ++group) {
            const BlockId other = table.groups[group].blocks[i];
            others_.insert(other, group, entered.content, full);
            pool_.set_cached(other, true);
        }
        table.tip_hash = entered.hash;
        table.tip_content = entered.content;
        ++table.num_hashed;
    }
}

void KvCacheManager::release(BlockTable& table) {
    for (int i = table.num_blocks() - 1; i >= 0;
         --i) { // by position: a prefix is worth what all groups still have of it
        for (auto group = table.groups.rbegin(); group != table.groups.rend(); ++group) {
            const BlockId block = group->blocks[static_cast<std::size_t>(i)];
            if (i < group->num_behind)
                continue;
            pool_.release(block);
            counters_.blocks_released += pool_.block(block).ref_count == 0 ? 1 : 0;
        }
    }
    table = BlockTable{};
}

void KvCacheManager::reset_prefix_cache() {
    for (int i = 1; i <= pool_.num_blocks(); ++i) {
        const BlockId block{i};
        if (pool_.block(block).ref_count == 0 && pool_.block(block).cached) {
            pool_.set_cached(block, false);
            forget(block);
        }
    }
    cache_.forget_evicted();
}

std::vector<BlockStatus> KvCacheManager::block_map() const {
    std::vector<BlockStatus> map(static_cast<std::size_t>(num_blocks()));
    const TimePoint now = clock_.now();
    for (int i = 1; i <= num_blocks(); ++i) {
        const Block& block = pool_.block(BlockId{i});
        BlockStatus& status = map[static_cast<std::size_t>(i - 1)];
        status.state = block.ref_count > 0 ? BlockState::active : block.cached ? BlockState::cached : BlockState::free;
        status.group = block.group;
        status.window_freed = block.window_freed;
        status.references = static_cast<std::uint16_t>(std::min(block.ref_count, 0xFFFF));
        if (block.last_used != TimePoint{})
            status.last_used_ms = static_cast<std::uint32_t>(
                std::chrono::duration_cast<std::chrono::milliseconds>(now - block.last_used).count());
    }
    return map;
}

void KvCacheManager::count_look_up(const PrefixMatch& match, bool resumed) {
    const auto tokens = static_cast<std::uint64_t>(match.num_tokens);
    const auto hits = static_cast<std::uint64_t>(match.hit_tokens);
    if (resumed) {
        counters_.resumed_queries += tokens;
        counters_.resumed_hits += hits;
        return;
    }
    counters_.queries += tokens;
    counters_.hits += hits;
    for (std::size_t i = 0; i < match.missed.size(); ++i)
        counters_.missed[i] += static_cast<std::uint64_t>(match.missed[i]);
}

void KvCacheManager::check_invariants(std::span<const BlockTable* const> tables) const {
    pool_.check_invariants();
    cache_.check_invariants();
    others_.check_invariants();
    std::map<std::int32_t, int> uses;
    for (const BlockTable* table : tables) {
        VT_CHECK(table->num_hashed <= table->num_blocks());
        VT_CHECK(table->groups.empty() || table->groups.size() == groups().size());
        for (std::size_t group = 0; group < table->groups.size(); ++group) {
            const GroupBlocks& own = table->groups[group];
            VT_CHECK(static_cast<int>(own.blocks.size()) == table->num_blocks() && own.num_held() >= 0);
            for (std::size_t i = 0; i < own.blocks.size(); ++i) {
                VT_CHECK((own.blocks[i].value == 0) == (static_cast<int>(i) < own.num_behind));
                VT_CHECK(own.blocks[i].value == 0 || pool_.block(own.blocks[i]).group == group);
                uses[own.blocks[i].value] += own.blocks[i].value == 0 ? 0 : 1;
            }
        }
    }
    std::size_t cached = 0;
    for (int i = 1; i <= num_blocks(); ++i) {
        const auto used = uses.find(i);
        VT_CHECK(pool_.block(BlockId{i}).ref_count == (used == uses.end() ? 0 : used->second));
        VT_CHECK(pool_.block(BlockId{i}).cached == (cache_.contains(BlockId{i}) || others_.contains(BlockId{i})));
        cached += pool_.block(BlockId{i}).cached ? 1 : 0;
    }
    VT_CHECK(cached == cache_.size() + others_.size());
    std::uint64_t missed = 0;
    for (const std::uint64_t tokens : counters_.missed)
        missed += tokens;
    VT_CHECK(counters_.hits + missed == counters_.queries);
}

} // namespace vitrine::engine
