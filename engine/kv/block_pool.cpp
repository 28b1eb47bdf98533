// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: the free list, doubly linked inside the block records.
#include "engine/kv/block_pool.h"

#include "engine/base/check.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

double seconds(TimePoint::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

} // namespace

BlockPool::BlockPool(int num_blocks, const Clock& clock)
    : clock_(clock), blocks_(static_cast<std::size_t>(num_blocks) + 3) {
    VT_CHECK(num_blocks >= 1);
    blocks_[0].ref_count = 1; // never in the free list
    const auto first = static_cast<std::int32_t>(head());
    const auto last = static_cast<std::int32_t>(tail());
    blocks_[head()].next = last;
    blocks_[tail()].previous = first;
    for (std::int32_t i = 1; i <= num_blocks; ++i)
        link(i, blocks_[tail()].previous);
}

Result<BlockPool::Allocation> BlockPool::allocate(int count) {
    if (count > num_available_)
        return fail(ErrorCode::out_of_blocks, say(Sentence::blocks_short, count, num_available_, num_blocks()),
            say(Sentence::wait_or_more_blocks));
    Allocation taken;
    taken.blocks.reserve(static_cast<std::size_t>(count));
    const TimePoint now = clock_.now();
    for (int i = 0; i < count; ++i) {
        const std::int32_t index = blocks_[head()].next;
        Block& block = blocks_[static_cast<std::size_t>(index)];
        unlink(index);
        if (block.cached) {
            block.cached = false;
            times_.lifetime_s.observe(seconds(now - block.born));
            times_.idle_s.observe(seconds(now - block.last_used));
            taken.evicted.push_back(BlockId{index});
        }
        block.ref_count = 1;
        block.window_freed = false;
        block.born = now;
        block.last_used = now;
        taken.blocks.push_back(BlockId{index});
    }
    return taken;
}

void BlockPool::retain(BlockId id) {
    Block& block = at(id);
    const TimePoint now = clock_.now();
    if (block.cached)
        times_.reuse_gap_s.observe(seconds(now - block.last_used));
    if (block.ref_count == 0)
        unlink(id.value);
    ++block.ref_count;
    block.window_freed = false;
    num_shared_ += block.ref_count == 2 ? 1 : 0;
    block.last_used = now;
}

void BlockPool::set_group(BlockId id, std::size_t group) {
    at(id).group = static_cast<std::uint8_t>(group);
}

void BlockPool::release(BlockId id, bool left_by_window) {
    Block& block = at(id);
    VT_CHECK(block.ref_count > 0);
    --block.ref_count;
    num_shared_ -= block.ref_count == 1 ? 1 : 0;
    block.last_used = clock_.now();
    block.window_freed = left_by_window && block.ref_count == 0;
    if (block.ref_count == 0)
        link(id.value, block.cached ? blocks_[tail()].previous : static_cast<std::int32_t>(head()));
}

void BlockPool::set_cached(BlockId id, bool cached) {
    Block& block = at(id);
    if (block.cached == cached)
        return;
    if (block.ref_count == 0) {
        VT_CHECK(!cached); // a free block has no content to find
        --num_cached_;
    }
    block.cached = cached;
}

const Block& BlockPool::block(BlockId id) const {
    VT_CHECK(id.value >= 0 && id.value <= num_blocks());
    return blocks_[static_cast<std::size_t>(id.value)];
}

Block& BlockPool::at(BlockId id) {
    VT_CHECK(id.value >= 1 && id.value <= num_blocks());
    return blocks_[static_cast<std::size_t>(id.value)];
}

BlockCounts BlockPool::counts() const noexcept {
    BlockCounts counts;
    counts.total = num_blocks();
    counts.cached = num_cached_;
    counts.free = num_available_ - num_cached_;
    counts.active = num_blocks() - num_available_;
    counts.shared = num_shared_;
    return counts;
}

std::vector<BlockId> BlockPool::free_list() const {
    std::vector<BlockId> list;
    for (std::int32_t i = blocks_[head()].next; i != static_cast<std::int32_t>(tail());
         i = blocks_[static_cast<std::size_t>(i)].next)
        list.push_back(BlockId{i});
    return list;
}

void BlockPool::link(std::int32_t index, std::int32_t after) {
    Block& block = blocks_[static_cast<std::size_t>(index)];
    Block& before = blocks_[static_cast<std::size_t>(after)];
    VT_CHECK(block.previous == -1 && block.next == -1);
    block.previous = after;
    block.next = before.next;
    blocks_[static_cast<std::size_t>(before.next)].previous = index;
    before.next = index;
    ++num_available_;
    num_cached_ += block.cached ? 1 : 0;
}

void BlockPool::unlink(std::int32_t index) {
    Block& block = blocks_[static_cast<std::size_t>(index)];
    blocks_[static_cast<std::size_t>(block.previous)].next = block.next;
    blocks_[static_cast<std::size_t>(block.next)].previous = block.previous;
    block.previous = -1;
    block.next = -1;
    --num_available_;
    num_cached_ -= block.cached ? 1 : 0;
}

void BlockPool::check_invariants() const {
    int linked = 0;
    int cached = 0;
    for (const BlockId id : free_list()) {
        VT_CHECK(id.value >= 1 && id.value <= num_blocks());
        VT_CHECK(block(id).ref_count == 0);
        ++linked;
        cached += block(id).cached ? 1 : 0;
        VT_CHECK(linked <= num_blocks()); // a cycle would never end
    }
    int active = 0;
    int shared = 0;
    for (int i = 1; i <= num_blocks(); ++i) {
        active += block(BlockId{i}).ref_count > 0 ? 1 : 0;
        shared += block(BlockId{i}).ref_count > 1 ? 1 : 0;
    }
    VT_CHECK(linked == num_available_ && cached == num_cached_ && shared == num_shared_);
    VT_CHECK(linked + active == num_blocks());
    VT_CHECK(blocks_[0].previous == -1 && blocks_[0].next == -1);
}

} // namespace vitrine::engine
