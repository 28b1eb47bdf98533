// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: the merge loop that BPE and SentencePiece share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vitrine::engine {

/// Merges neighbours, lowest order first, leftmost on ties, until no pair merges.  The space is reused from text to
/// text.  Thread: one.
class PairMerger {
public:
    struct Symbol {
        std::int32_t id = -1; // what the caller's look-up gave it; -1: in no vocabulary
        std::uint32_t begin = 0; // bytes of the text
        std::uint32_t size = 0; // 0: merged away
        std::int32_t previous = -1;
        std::int32_t next = -1;
    };
    /// What a pair would become.
    struct Merge {
        std::int32_t order = -1; // -1: does not merge
        std::int32_t id = -1;
    };

    void clear() { symbols_.clear(); }
    void append(std::int32_t id, std::uint32_t begin, std::uint32_t size) {
        symbols_.push_back({.id = id, .begin = begin, .size = size});
    }
    /// look_up(left, right) -> Merge
    template <class LookUp>
    void run(const LookUp& look_up);
    /// visit(symbol) for each that is left, in order.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const Symbol& symbol : symbols_) {
            if (symbol.size > 0)
                visit(symbol);
        }
    }

private:
    struct Candidate {
        std::int32_t order;
        std::int32_t left; // place of the left symbol
        std::int32_t id; // of the result
        std::uint32_t size; // bytes of the result: tells whether the pair is still the one that was looked up
    };
    [[nodiscard]] static bool later(const Candidate& a, const Candidate& b) noexcept {
        return a.order != b.order ? a.order > b.order : a.left > b.left;
    }
    template <class LookUp>
    void consider(std::int32_t left, const LookUp& look_up);
    [[nodiscard]] Symbol& at(std::int32_t place) { return symbols_[static_cast<std::size_t>(place)]; }

    std::vector<Symbol> symbols_;
    std::vector<Candidate> heap_;
};

template <class LookUp>
void PairMerger::consider(std::int32_t left, const LookUp& look_up) {
    if (left < 0 || at(left).next < 0)
        return;
    const Symbol& a = at(left);
    const Symbol& b = at(a.next);
    const Merge merge = look_up(a, b);
    if (merge.order < 0)
        return;
    heap_.push_back({merge.order, left, merge.id, a.size + b.size});
    std::push_heap(heap_.begin(), heap_.end(), later);
}

template <class LookUp>
void PairMerger::run(const LookUp& look_up) {
    const auto count = static_cast<std::int32_t>(symbols_.size());
    heap_.clear();
    for (std::int32_t i = 0; i < count; ++i) {
        at(i).previous = i - 1;
        at(i).next = i + 1 < count ? i + 1 : -1;
    }
    for (std::int32_t i = 0; i + 1 < count; ++i)
        consider(i, look_up);
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        const Candidate candidate = heap_.back();
        heap_.pop_back();
        Symbol& left = at(candidate.left);
        if (left.size == 0 || left.next < 0 || left.size + at(left.next).size != candidate.size)
            continue; // stale: one of the two has changed since
        Symbol& right = at(left.next);
        left.id = candidate.id;
        left.size += right.size;
        right.size = 0;
        left.next = right.next;
        if (left.next >= 0)
            at(left.next).previous = candidate.left;
        consider(left.previous, look_up);
        consider(candidate.left, look_up);
    }
}

} // namespace vitrine::engine
