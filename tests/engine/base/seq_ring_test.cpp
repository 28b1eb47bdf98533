// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the ring alone and with readers that are lapped.
#include "engine/base/seq_ring.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

namespace vitrine::engine {
namespace {

/// Every word follows from the first: a torn record is seen at once.
struct Record {
    std::uint64_t number = 0;
    std::uint32_t twice = 0;
    std::uint64_t more[5] = {};
    std::uint8_t last = 0;
};
Record make(std::uint64_t number) {
    Record record;
    record.number = number;
    record.twice = static_cast<std::uint32_t>(2 * number);
    for (std::uint64_t i = 0; i < 5; ++i)
        record.more[i] = number * 31 + i;
    record.last = static_cast<std::uint8_t>(number);
    return record;
}
bool whole(const Record& record) {
    const Record expected = make(record.number);
    return record.twice == expected.twice && std::equal(record.more, record.more + 5, expected.more) &&
        record.last == expected.last;
}

TEST(SeqRing, ReadsInOrderFromANumber) {
    SeqRing<Record> ring(8);
    for (std::uint64_t i = 0; i < 5; ++i)
        ring.push(make(i));
    std::vector<Record> out(10);
    const auto read = ring.read(2, out);
    ASSERT_EQ(read.count, 3U);
    EXPECT_EQ(read.next, 5U);
    EXPECT_EQ(out[0].number, 2U);
    EXPECT_EQ(out[2].number, 4U);
    EXPECT_EQ(ring.read(5, out).count, 0U);
}

TEST(SeqRing, ALappedReaderSeesAGap) {
    SeqRing<Record> ring(8);
    for (std::uint64_t i = 0; i < 20; ++i)
        ring.push(make(i));
    std::vector<Record> out(20);
    const auto read = ring.read(0, out);
    ASSERT_EQ(read.count, 8U);
    EXPECT_EQ(out[0].number, 12U);
    EXPECT_EQ(read.next, 20U);
}

TEST(SeqRing, StopsWhenTheOutputIsFull) {
    SeqRing<Record> ring(8);
    for (std::uint64_t i = 0; i < 6; ++i)
        ring.push(make(i));
    std::vector<Record> out(4);
    const auto first = ring.read(0, out);
    EXPECT_EQ(first.count, 4U);
    const auto second = ring.read(first.next, out);
    EXPECT_EQ(second.count, 2U);
    EXPECT_EQ(out[0].number, 4U);
}

TEST(SeqRing, NeverShowsATornRecord) {
    constexpr std::uint64_t kRecords = 200'000;
    SeqRing<Record> ring(16); // small, so that readers are lapped
    std::atomic<bool> torn{false};
    std::atomic<std::uint64_t> seen{0};
    const auto reader = [&] {
        std::vector<Record> out(64);
        std::uint64_t from = 0;
        while (from < kRecords) {
            const auto read = ring.read(from, out);
            std::uint64_t last = 0;
            for (std::size_t i = 0; i < read.count; ++i) {
                torn = torn || !whole(out[i]) || out[i].number < from || (i > 0 && out[i].number <= last);
                last = out[i].number;
            }
            seen += read.count;
            from = read.next;
        }
    };
    std::jthread first(reader);
    std::jthread second(reader);
    for (std::uint64_t i = 0; i < kRecords; ++i)
        ring.push(make(i));
    first.join();
    second.join();
    EXPECT_FALSE(torn);
    EXPECT_GT(seen, 0U);
}

} // namespace
} // namespace vitrine::engine
