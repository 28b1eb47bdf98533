// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: chained look-up with verification, twins, and the reasons for a miss.
#include "engine/kv/prefix_cache.h"

#include <algorithm>

#include "engine/base/check.h"

namespace vitrine::engine {
namespace {

/// More siblings than this are not compared: the reason is then found among the oldest ones or not at all.
constexpr std::size_t kMaxSiblings = 256;

template <class Map, class Key>
void erase_from(Map& map, const Key& key, BlockId block) {
    const auto found = map.find(key);
    VT_CHECK(found != map.end());
    std::erase(found->second, block);
    if (found->second.empty())
        map.erase(found);
}

BlockHash bare_hash(std::span<const TokenId> tokens) {
    return block_hash(BlockHash{}, tokens, {});
}

} // namespace

void PrefixMatch::cut(int num_blocks, int block_tokens) {
    const auto kept = static_cast<std::size_t>(num_blocks);
    tips.resize(kept);
    for (GroupBlocks& group : groups)
        group.blocks.resize(kept);
    tip_hash = kept == 0 ? root_hash : tips.back().hash;
    tip_content = kept == 0 ? ContentId{} : tips.back().content;
    hit_tokens = num_blocks * block_tokens;
}

PrefixCache::PrefixCache(const HashContext& context, const Clock& clock, std::size_t max_evicted_keys)
    : root_(root_hash(context)), block_tokens_(context.block_tokens), clock_(clock),
      max_evicted_keys_(max_evicted_keys) {}

PrefixMatch PrefixCache::find(std::span<const TokenId> tokens, const BlockExtras& extras, int max_hit) const {
    PrefixMatch match;
    match.num_tokens = static_cast<int>(tokens.size());
    match.root_hash = root_;
    match.tip_hash = root_;
    match.groups.resize(1);
    const auto size = static_cast<std::size_t>(block_tokens_);
    const std::size_t num_full = tokens.size() / size;
    const auto allowed = static_cast<std::size_t>(std::max(max_hit, 0)) / size;
    match.missed[static_cast<int>(MissReason::partial)] = static_cast<int>(tokens.size() % size);

    Key key;
    key.hash = root_;
    for (std::size_t i = 0; i < num_full; ++i) {
        const std::string encoded = encode_extras(extras, i == 0);
        key.tokens = tokens.subspan(i * size, size);
        key.extras = encoded;
        key.hash = block_hash(key.hash, key.tokens, encoded);
        const std::optional<BlockId> block = find_twin(key);
        if (!block) {
            explain(match, key, tokens.subspan(i * size, (num_full - i) * size));
            break;
        }
        key.parent = entries_.at(block->value).content;
        if (i >= allowed) { // cached, but the last position must be computed for its logits
            match.missed[static_cast<int>(MissReason::last_block)] += block_tokens_;
            continue;
        }
        match.groups.front().blocks.push_back(*block);
        match.tips.push_back({key.hash, key.parent});
    }
    match.cut(match.num_blocks(), block_tokens_);
    return match;
}

std::optional<BlockId> PrefixCache::find_twin(const Key& key) const {
    const auto found = by_hash_.find(key.hash);
    if (found == by_hash_.end())
        return std::nullopt;
    // XXH3 is not cryptographic: the content decides, the hash only finds it.
    for (const BlockId candidate : found->second) {
        const Entry& entry = entries_.at(candidate.value);
        if (entry.parent == key.parent && std::ranges::equal(entry.tokens, key.tokens) && entry.extras == key.extras)
            return candidate;
    }
    return std::nullopt;
}

PrefixCache::Entered PrefixCache::insert(
    BlockId block, const BlockTable& table, std::span<const TokenId> tokens, const BlockExtras& extras) {
    VT_CHECK(static_cast<int>(tokens.size()) == block_tokens_ && !contains(block));
    const bool first = table.num_hashed == 0;
    Entry entry;
    entry.extras = encode_extras(extras, first);
    entry.hash = block_hash(first ? root_ : table.tip_hash, tokens, entry.extras);
    entry.parent = first ? ContentId{} : table.tip_content;
    entry.tokens.assign(tokens.begin(), tokens.end());
    const std::optional<BlockId> twin = find_twin({entry.hash, tokens, entry.extras, entry.parent});
    entry.content = twin ? entries_.at(twin->value).content : ContentId{++last_content_};

    by_hash_[entry.hash].push_back(block);
    children_[static_cast<std::uint64_t>(entry.parent)].push_back(block);
    if (first)
        first_blocks_[bare_hash(tokens)].push_back(block);
    const Entered entered{entry.hash, entry.content};
    entries_.emplace(block.value, std::move(entry));
    return entered;
}

void PrefixCache::evict(BlockId block) {
    const auto found = entries_.find(block.value);
    VT_CHECK(found != entries_.end());
    const Entry& entry = found->second;
    erase_from(by_hash_, entry.hash, block);
    erase_from(children_, static_cast<std::uint64_t>(entry.parent), block);
    if (entry.parent == ContentId{})
        erase_from(first_blocks_, bare_hash(entry.tokens), block);
    remember_evicted(entry.hash);
    entries_.erase(found);
}

void PrefixCache::remember_evicted(const BlockHash& hash) {
    if (max_evicted_keys_ == 0)
        return;
    if (const auto [entry, fresh] = evicted_.insert_or_assign(hash, clock_.now()); !fresh)
        return; // it keeps its place in the order: forgotten a little early, never kept too long
    evicted_order_.push_back(hash);
    if (evicted_order_.size() > max_evicted_keys_) {
        evicted_.erase(evicted_order_.front());
        evicted_order_.pop_front();
    }
}

void PrefixCache::forget_evicted() {
    evicted_.clear();
    evicted_order_.clear();
}

PrefixCache::Entered PrefixCache::entered(BlockId block) const {
    const Entry& entry = entries_.at(block.value);
    return {entry.hash, entry.content};
}

std::span<const TokenId> PrefixCache::tokens_of(BlockId block) const {
    const auto found = entries_.find(block.value);
    return found == entries_.end() ? std::span<const TokenId>() : std::span<const TokenId>(found->second.tokens);
}

void PrefixCache::explain(PrefixMatch& match, const Key& missed, std::span<const TokenId> rest) const {
    const auto give = [&](MissReason reason) {
        match.missed[static_cast<int>(reason)] += static_cast<int>(rest.size());
    };
    const int position =
        match.num_tokens - match.missed[static_cast<int>(MissReason::partial)] - static_cast<int>(rest.size());
    if (match.divergence = find_divergence(missed, position); match.divergence) {
        give(MissReason::diverged);
        return;
    }
    if (const auto found = evicted_.find(missed.hash); found != evicted_.end()) {
        match.evicted_at = found->second;
        give(MissReason::evicted);
        return;
    }
    if (position == 0)
        match.context_field = find_other_context(missed);
    give(match.context_field.empty() ? MissReason::cold : MissReason::context);
}

std::optional<Divergence> PrefixCache::find_divergence(const Key& missed, int first_position) const {
    const auto siblings = children_.find(static_cast<std::uint64_t>(missed.parent));
    if (siblings == children_.end())
        return std::nullopt;
    std::optional<Divergence> longest;
    std::size_t shared = 0;
    for (std::size_t i = 0; i < std::min(siblings->second.size(), kMaxSiblings); ++i) {
        const Entry& sibling = entries_.at(siblings->second[i].value);
        if (sibling.extras != missed.extras)
            continue;
        const auto [theirs, ours] = std::ranges::mismatch(sibling.tokens, missed.tokens);
        const auto head = static_cast<std::size_t>(ours - missed.tokens.begin());
        if (head <= shared || ours == missed.tokens.end())
            continue;
        shared = head;
        longest = Divergence{first_position + static_cast<int>(head), *theirs, *ours};
    }
    return longest;
}

std::string PrefixCache::find_other_context(const Key& missed) const {
    const auto same_tokens = first_blocks_.find(bare_hash(missed.tokens));
    if (same_tokens == first_blocks_.end())
        return {};
    const auto tag_of = [](std::string_view extras) { return extras.empty() ? '\0' : extras.front(); };
    for (const BlockId block : same_tokens->second) {
        const Entry& entry = entries_.at(block.value);
        if (entry.extras == missed.extras)
            continue;
        // Extras stand in order of their tags: the LoRA (0x10) comes before the salt (0x12) and the kernel family.
        const char theirs = tag_of(entry.extras);
        const char ours = tag_of(missed.extras);
        const char tag = theirs == '\0' ? ours : ours == '\0' ? theirs : std::min(theirs, ours);
        return tag == 0x10 ? "LoRA" : tag == 0x12 ? "salt" : "kernel family";
    }
    return {};
}

void PrefixCache::check_invariants() const {
    std::size_t listed = 0;
    for (const auto& [hash, blocks] : by_hash_) {
        listed += blocks.size();
        for (const BlockId block : blocks)
            VT_CHECK(entries_.at(block.value).hash == hash);
    }
    VT_CHECK(listed == entries_.size());
    std::size_t children = 0;
    for (const auto& [parent, blocks] : children_)
        children += blocks.size();
    VT_CHECK(children == entries_.size());
    for (const auto& [block, entry] : entries_)
        VT_CHECK(static_cast<int>(entry.tokens.size()) == block_tokens_ && entry.content != ContentId{});
    VT_CHECK(evicted_.size() == evicted_order_.size());
}

} // namespace vitrine::engine
