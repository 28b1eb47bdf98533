// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: building the trie from sorted spellings.
#include "engine/grammar/token_trie.h"

#include <algorithm>
#include <numeric>

namespace vitrine::engine {

TokenTrie::TokenTrie(std::vector<std::string> token_bytes, std::vector<TokenId> end_tokens)
    : bytes_(std::move(token_bytes)), end_tokens_(std::move(end_tokens)) {
    std::ranges::sort(end_tokens_);
    for (const TokenId token : end_tokens_)
        if (token >= 0 && token < num_tokens())
            bytes_[static_cast<std::size_t>(token)].clear(); // an end is never text
    std::vector<TokenId> order(bytes_.size());
    std::iota(order.begin(), order.end(), 0);
    std::erase_if(order, [this](TokenId token) { return bytes(token).empty() || bytes(token).size() > 0xFFFF; });
    std::ranges::stable_sort(order, {}, [this](TokenId token) -> const std::string& { return bytes(token); });
    std::vector<std::size_t> open; // nodes from the root to the last one
    std::string_view last;
    for (const TokenId token : order) {
        const std::string_view text = bytes(token);
        const auto same = static_cast<std::size_t>(std::ranges::mismatch(last, text).in1 - last.begin());
        for (; open.size() > same; open.pop_back())
            nodes_[open.back()].skip = static_cast<std::uint32_t>(nodes_.size());
        for (std::size_t i = open.size(); i < text.size(); ++i) {
            open.push_back(nodes_.size());
            nodes_.push_back({0, static_cast<std::uint32_t>(tokens_.size()), static_cast<std::uint16_t>(i + 1),
                static_cast<std::uint8_t>(text[i])});
        }
        tokens_.push_back(token);
        max_depth_ = std::max(max_depth_, text.size());
        last = text;
    }
    for (const std::size_t node : open)
        nodes_[node].skip = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({0, static_cast<std::uint32_t>(tokens_.size()), 0, 0});
}

bool TokenTrie::is_end(TokenId token) const noexcept {
    return std::ranges::binary_search(end_tokens_, token);
}

} // namespace vitrine::engine
