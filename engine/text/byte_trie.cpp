// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: Aho-Corasick automaton over bytes.
#include "engine/text/byte_trie.h"

#include <algorithm>

#include "engine/base/check.h"

namespace vitrine::engine {

ByteTrie::ByteTrie() : nodes_(1), root_next_(256, kRoot) {}

void ByteTrie::add(std::string_view word, std::int32_t value) {
    VT_CHECK(!word.empty() && value >= 0);
    words_.emplace_back(word, value);
}

void ByteTrie::build() {
    // Breadth first over the sorted words: the words below one node are one range of them.
    struct Range {
        std::int32_t node;
        std::size_t begin;
        std::size_t end;
    };
    std::stable_sort(words_.begin(), words_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Range> queue{{kRoot, 0, words_.size()}};
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const Range range = queue[head];
        const auto depth = static_cast<std::size_t>(nodes_[index(range.node)].depth);
        std::size_t at = range.begin;
        for (; at < range.end && words_[at].first.size() == depth; ++at) {
            if (nodes_[index(range.node)].value < 0)
                nodes_[index(range.node)].value = words_[at].second;
        }
        nodes_[index(range.node)].first_child = static_cast<std::int32_t>(edges_.size());
        while (at < range.end) {
            const char byte = words_[at].first[depth];
            const std::size_t begin = at;
            while (at < range.end && words_[at].first[depth] == byte)
                ++at;
            const auto child_node = static_cast<std::int32_t>(nodes_.size());
            edges_.push_back({static_cast<std::uint8_t>(byte), child_node});
            nodes_.push_back({.depth = static_cast<std::int32_t>(depth) + 1});
            queue.push_back({child_node, begin, at});
            ++nodes_[index(range.node)].num_children;
        }
    }
    link();
    words_.clear();
}

void ByteTrie::link() {
    for (std::int32_t i = 0; i < nodes_[kRoot].num_children; ++i)
        root_next_[edges_[index(i)].byte] = edges_[index(i)].target;
    // Nodes are numbered breadth first, so the fail state of each is complete before its children need it.
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        const Node from = nodes_[node];
        for (std::int32_t i = from.first_child; i < from.first_child + from.num_children; ++i) {
            const Edge edge = edges_[index(i)];
            Node& to = nodes_[index(edge.target)];
            to.fail = node == kRoot ? kRoot : next(from.fail, edge.byte);
            to.output = first_match(to.fail);
        }
    }
}

std::int32_t ByteTrie::child(std::int32_t state, std::uint8_t byte) const noexcept {
    const Node& node = nodes_[index(state)];
    const auto begin = edges_.begin() + node.first_child;
    const auto end = begin + node.num_children;
    const auto found =
        std::lower_bound(begin, end, byte, [](const Edge& edge, std::uint8_t b) { return edge.byte < b; });
    return found != end && found->byte == byte ? found->target : -1;
}

std::int32_t ByteTrie::next(std::int32_t state, std::uint8_t byte) const noexcept {
    while (state != kRoot) {
        if (const std::int32_t target = child(state, byte); target >= 0)
            return target;
        state = nodes_[index(state)].fail;
    }
    return root_next_[byte];
}

std::int32_t ByteTrie::first_match(std::int32_t state) const noexcept {
    const Node& node = nodes_[index(state)];
    return node.value >= 0 ? state : node.output;
}

} // namespace vitrine::engine
