// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: order of touching, popping, entering and releasing blocks (engine.md 3.3).
#include "engine/kv/kv_cache_manager.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

#include "engine/base/check.h"

namespace vitrine::engine {
namespace {

const Clock& clock_or_default(const Clock* clock) {
    return clock == nullptr ? steady_clock() : *clock;
}

} // namespace

KvCacheManager::KvCacheManager(const Options& options)
    : clock_(clock_or_default(options.clock)), block_tokens_(options.hash.block_tokens),
      prefix_cache_enabled_(options.prefix_cache), pool_(options.num_blocks, clock_), cache_(options.hash, clock_) {}

PrefixMatch KvCacheManager::look_up(std::span<const TokenId> tokens, const BlockExtras& extras, bool allowed) const {
    if (prefix_cache_enabled_ && allowed)
        return cache_.find(tokens, extras, static_cast<int>(tokens.size()) - 1);
    PrefixMatch match;
    match.num_tokens = static_cast<int>(tokens.size());
    match.tip_hash = cache_.root();
    match.missed[static_cast<int>(MissReason::disabled)] = match.num_tokens;
    return match;
}

int KvCacheManager::num_available(const PrefixMatch* hit) const {
    if (hit == nullptr)
        return pool_.num_available();
    const auto idle = std::ranges::count_if(hit->blocks, [&](BlockId id) { return pool_.block(id).ref_count == 0; });
    return pool_.num_available() - static_cast<int>(idle);
}

Result<void> KvCacheManager::admit(BlockTable& table, const PrefixMatch& hit, int num_slots, bool resumed) {
    VT_CHECK(table.empty());
    const int count = blocks_for(num_slots) - static_cast<int>(hit.blocks.size());
    if (count > num_available(&hit))
        return fail(ErrorCode::out_of_blocks,
            fmt::format("{} KV blocks are needed and {} of {} are free", count, num_available(&hit), num_blocks()));
    for (const BlockId block : hit.blocks) // before popping, which might evict them
        pool_.retain(block);
    Result<std::vector<BlockId>> fresh = take(std::max(count, 0));
    VT_CHECK(fresh.has_value());
    table.blocks = hit.blocks;
    table.blocks.insert(table.blocks.end(), fresh->begin(), fresh->end());
    table.num_hashed = static_cast<int>(hit.blocks.size());
    table.tip_hash = hit.tip_hash;
    table.tip_content = hit.tip_content;
    count_look_up(hit, resumed);
    return {};
}

Result<std::optional<kernels::BlockCopy>> KvCacheManager::fork(
    BlockTable& table, const BlockTable& sibling, int num_tokens, int num_slots) {
    const int shared = num_tokens / block_tokens_;
    const bool partial = num_tokens % block_tokens_ != 0;
    VT_CHECK(table.empty() && sibling.num_blocks() >= blocks_for(num_tokens));
    Result<std::vector<BlockId>> fresh = take(blocks_for(std::max(num_slots, num_tokens)) - shared);
    if (!fresh)
        return tl::unexpected(std::move(fresh).error());
    table.blocks.assign(sibling.blocks.begin(), sibling.blocks.begin() + shared);
    for (const BlockId block : table.blocks)
        pool_.retain(block);
    if (prefix_cache_enabled_ && shared > 0) {
        VT_CHECK(sibling.num_hashed >= shared); // every committed full block was entered
        const PrefixCache::Entered tip = cache_.entered(table.blocks.back());
        table.num_hashed = shared;
        table.tip_hash = tip.hash;
        table.tip_content = tip.content;
    }
    table.blocks.insert(table.blocks.end(), fresh->begin(), fresh->end());
    counters_.forked += static_cast<std::uint64_t>(num_tokens);
    if (!partial)
        return std::optional<kernels::BlockCopy>();
    const auto last = static_cast<std::size_t>(shared);
    return std::optional(kernels::BlockCopy{sibling.blocks[last].value, table.blocks[last].value});
}

Result<void> KvCacheManager::extend(BlockTable& table, int num_slots) {
    const int count = blocks_for(num_slots) - table.num_blocks();
    if (count <= 0)
        return {};
    Result<std::vector<BlockId>> fresh = take(count);
    if (!fresh)
        return tl::unexpected(std::move(fresh).error());
    table.blocks.insert(table.blocks.end(), fresh->begin(), fresh->end());
    return {};
}

void KvCacheManager::enter_full_blocks(
    BlockTable& table, std::span<const TokenId> tokens, int num_verified, const BlockExtras& extras) {
    if (!prefix_cache_enabled_)
        return;
    const auto size = static_cast<std::size_t>(block_tokens_);
    const int num_full = std::min(num_verified / block_tokens_, table.num_blocks());
    while (table.num_hashed < num_full) {
        const auto i = static_cast<std::size_t>(table.num_hashed);
        const BlockId block = table.blocks[i];
        VT_CHECK(!pool_.block(block).cached);
        const PrefixCache::Entered entered = cache_.insert(block, table, tokens.subspan(i * size, size), extras);
        pool_.set_cached(block, true);
        table.tip_hash = entered.hash;
        table.tip_content = entered.content;
        ++table.num_hashed;
    }
}

void KvCacheManager::release(BlockTable& table) {
    for (auto block = table.blocks.rbegin(); block != table.blocks.rend(); ++block) {
        pool_.release(*block);
        counters_.blocks_released += pool_.block(*block).ref_count == 0 ? 1 : 0;
    }
    table = BlockTable{};
}

void KvCacheManager::reset_prefix_cache() {
    for (int i = 1; i <= pool_.num_blocks(); ++i) {
        const BlockId block{i};
        if (pool_.block(block).ref_count == 0 && pool_.block(block).cached) {
            pool_.set_cached(block, false);
            cache_.evict(block);
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
        status.references = static_cast<std::uint16_t>(std::min(block.ref_count, 0xFFFF));
        if (block.last_used != TimePoint{})
            status.last_used_ms = static_cast<std::uint32_t>(
                std::chrono::duration_cast<std::chrono::milliseconds>(now - block.last_used).count());
    }
    return map;
}

Result<std::vector<BlockId>> KvCacheManager::take(int count) {
    if (count <= 0)
        return std::vector<BlockId>();
    Result<BlockPool::Allocation> taken = pool_.allocate(count);
    if (!taken)
        return tl::unexpected(std::move(taken).error());
    for (const BlockId block : taken->evicted)
        cache_.evict(block);
    counters_.blocks_taken += taken->blocks.size();
    counters_.blocks_evicted += taken->evicted.size();
    return std::move(taken->blocks);
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
    std::map<std::int32_t, int> uses;
    for (const BlockTable* table : tables) {
        VT_CHECK(table->num_hashed <= table->num_blocks());
        for (const BlockId block : table->blocks)
            ++uses[block.value];
    }
    std::size_t cached = 0;
    for (int i = 1; i <= num_blocks(); ++i) {
        const auto used = uses.find(i);
        VT_CHECK(pool_.block(BlockId{i}).ref_count == (used == uses.end() ? 0 : used->second));
        VT_CHECK(pool_.block(BlockId{i}).cached == cache_.contains(BlockId{i}));
        cached += pool_.block(BlockId{i}).cached ? 1 : 0;
    }
    VT_CHECK(!uses.contains(0) && cached == cache_.size());
    std::uint64_t missed = 0;
    for (const std::uint64_t tokens : counters_.missed)
        missed += tokens;
    VT_CHECK(counters_.hits + missed == counters_.queries);
}

} // namespace vitrine::engine
