// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: lock-free ring of records for one writer and any number of slow readers.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace vitrine::engine {

/// Records are numbered from 0.  A lapped reader sees a gap, never a torn record: every slot holds atomic words guarded
/// by a sequence number (odd while being written), so there is no data race either.  Thread: push from one, read any.
template <class T>
class SeqRing {
    static_assert(std::is_trivially_copyable_v<T>);
    static constexpr std::size_t kWords = (sizeof(T) + 7) / 8;

public:
    /// `capacity` is rounded up to a power of two.
    explicit SeqRing(std::size_t capacity) : slots_(std::bit_ceil(std::max<std::size_t>(capacity, 2))) {}

    void push(const T& record) noexcept {
        std::array<std::uint64_t, kWords> words{};
        std::memcpy(words.data(), &record, sizeof(T));
        const std::uint64_t number = next_.load(std::memory_order_relaxed);
        Slot& slot = slots_[number & (slots_.size() - 1)];
        slot.sequence.store(2 * number + 1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        for (std::size_t i = 0; i < kWords; ++i)
            slot.words[i].store(words[i], std::memory_order_relaxed);
        slot.sequence.store(2 * number + 2, std::memory_order_release);
        next_.store(number + 1, std::memory_order_release);
    }
    /// Number of the next record to be written.
    [[nodiscard]] std::uint64_t next() const noexcept { return next_.load(std::memory_order_acquire); }

    struct Read {
        std::size_t count = 0; // records copied, oldest first; their numbers rise but may have gaps
        std::uint64_t next = 0; // pass it as `from` of the next call
    };
    /// Copies records with number >= from, at most out.size().
    [[nodiscard]] Read read(std::uint64_t from, std::span<T> out) const noexcept {
        const std::uint64_t end = next();
        const std::uint64_t oldest = end > slots_.size() ? end - slots_.size() : 0;
        Read result{0, std::max(from, oldest)};
        while (result.next < end && result.count < out.size()) {
            if (read_one(result.next, out[result.count]))
                ++result.count;
            ++result.next;
        }
        return result;
    }

private:
    struct Slot {
        std::atomic<std::uint64_t> sequence{0};
        std::array<std::atomic<std::uint64_t>, kWords> words{};
    };
    bool read_one(std::uint64_t number, T& out) const noexcept {
        const Slot& slot = slots_[number & (slots_.size() - 1)];
        if (slot.sequence.load(std::memory_order_acquire) != 2 * number + 2)
            return false;
        std::array<std::uint64_t, kWords> words{};
        for (std::size_t i = 0; i < kWords; ++i)
            words[i] = slot.words[i].load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (slot.sequence.load(std::memory_order_relaxed) != 2 * number + 2)
            return false;
        std::memcpy(
            static_cast<void*>(&out), words.data(), sizeof(T)); // T has default values, yet is trivially copyable
        return true;
    }

    std::vector<Slot> slots_;
    std::atomic<std::uint64_t> next_{0};
};

} // namespace vitrine::engine
