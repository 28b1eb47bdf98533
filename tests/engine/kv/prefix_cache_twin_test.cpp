// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the prefix cache against a twin that keeps a plain list and compares tokens, under random use.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "engine/kv/prefix_cache.h"
#include "tests/support/manual_clock.h"

namespace vitrine::engine {
namespace {

constexpr int kSize = 2;
constexpr int kBlocks = 24;

/// No hashes, no indices: every question is a walk over the list.
class NaiveCache {
public:
    struct Entry {
        int block = 0;
        int parent = 0; // content; 0: the root
        int content = 0;
        std::vector<TokenId> tokens;
        std::string salt; // of a first block
        std::uint64_t lora = 0;
    };
    void insert(int block, int parent, std::vector<TokenId> tokens, const BlockExtras& extras) {
        Entry entry{block, parent, 0, std::move(tokens), parent == 0 ? extras.salt : "", extras.lora_generation};
        const Entry* twin = find_one(parent, entry.tokens, extras);
        entry.content = twin != nullptr ? twin->content : ++last_content_;
        entries_.push_back(std::move(entry));
    }
    void evict(int block) {
        std::erase_if(entries_, [block](const Entry& entry) { return entry.block == block; });
    }
    [[nodiscard]] std::vector<int> find(
        const std::vector<TokenId>& tokens, const BlockExtras& extras, int max_hit, int& content) const {
        std::vector<int> blocks;
        content = 0;
        for (int first = 0; first + kSize <= max_hit; first += kSize) {
            const auto begin = tokens.begin() + first;
            const Entry* entry = find_one(content, {begin, begin + kSize}, extras);
            if (entry == nullptr)
                break;
            blocks.push_back(entry->block);
            content = entry->content;
        }
        return blocks;
    }

private:
    [[nodiscard]] const Entry* find_one(
        int parent, const std::vector<TokenId>& tokens, const BlockExtras& extras) const {
        for (const Entry& entry : entries_) {
            const bool same_salt = parent != 0 || entry.salt == extras.salt;
            if (entry.parent == parent && entry.tokens == tokens && same_salt && entry.lora == extras.lora_generation)
                return &entry;
        }
        return nullptr;
    }
    std::vector<Entry> entries_; // in order of entry
    int last_content_ = 0;
};

std::vector<BlockId> ids_of(const std::vector<int>& blocks) {
    std::vector<BlockId> ids;
    for (const int block : blocks)
        ids.push_back(BlockId{block});
    return ids;
}

TEST(PrefixCache, EqualsANaiveTwinUnderRandomUse) {
    std::mt19937 random(17);
    const testing::ManualClock clock;
    PrefixCache cache({.model = "m", .kv_type = "f16", .block_tokens = kSize, .rope = "", .seed = {}}, clock, 8);
    NaiveCache twin;
    std::vector<bool> used(kBlocks + 1);
    int hits = 0;
    for (int round = 0; round < 20000; ++round) {
        std::vector<TokenId> tokens(1 + random() % 9);
        for (TokenId& token : tokens)
            token = static_cast<TokenId>(random() % 2);
        BlockExtras extras;
        if (random() % 4 == 0)
            extras.salt = random() % 2 == 0 ? "a" : "b";
        if (random() % 6 == 0)
            extras.lora_generation = 1 + random() % 2;
        const int size = static_cast<int>(tokens.size());
        const int max_hit = size - static_cast<int>(random() % 2);
        int content = 0;
        const std::vector<int> expected = twin.find(tokens, extras, max_hit, content);
        const PrefixMatch match = cache.find(tokens, extras, max_hit);
        ASSERT_EQ(match.groups[0].blocks, ids_of(expected)) << "round " << round;
        int missed = 0;
        for (const int part : match.missed)
            missed += part;
        ASSERT_EQ(match.hit_tokens + missed, size);
        hits += match.hit_tokens;
        // Enter the next full block behind the hit, or forget one.
        const auto next = static_cast<std::size_t>(match.hit_tokens);
        const int block = 1 + static_cast<int>(random() % kBlocks);
        if (used[static_cast<std::size_t>(block)]) {
            cache.evict(BlockId{block});
            twin.evict(block);
            used[static_cast<std::size_t>(block)] = false;
        } else if (next + kSize <= tokens.size()) {
            BlockTable table;
            table.num_hashed = static_cast<int>(match.groups[0].blocks.size());
            table.tip_hash = match.tip_hash;
            table.tip_content = match.tip_content;
            const std::span<const TokenId> full = std::span(tokens).subspan(next, kSize);
            static_cast<void>(cache.insert(BlockId{block}, table, full, extras));
            twin.insert(block, content, {full.begin(), full.end()}, extras);
            used[static_cast<std::size_t>(block)] = true;
        }
        if (round % 64 == 0)
            cache.check_invariants();
    }
    EXPECT_GT(hits, 10000);
}

} // namespace
} // namespace vitrine::engine
