// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: the walk of the vocabulary's trie.
#include "engine/grammar/token_mask.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxMaskWords = 4U << 20U; // 16 MiB of masks are kept

void set_bit(std::vector<std::uint32_t>& mask, TokenId token) {
    const auto index = static_cast<std::size_t>(token);
    if (index / 32 < mask.size())
        mask[index / 32] |= 1U << (index % 32);
}

} // namespace

TokenMasks::TokenMasks(std::shared_ptr<const Grammar> grammar, std::shared_ptr<const TokenTrie> trie, int vocab_size)
    : automaton_(std::move(grammar)), trie_(std::move(trie)),
      num_words_((static_cast<std::size_t>(vocab_size) + 31) / 32), path_(trie_->max_depth() + 1) {}

TokenMasks::Config TokenMasks::after(Config config, TokenId token) {
    if (config < 0 || token < 0)
        return config == kEnded && trie_->is_end(token) ? kEnded : GrammarAutomaton::kDead;
    if (trie_->is_end(token))
        return automaton_.may_end(config) ? kEnded : GrammarAutomaton::kDead;
    if (token >= trie_->num_tokens() || trie_->bytes(token).empty())
        return automaton_.next_by_token(config, token);
    for (const char byte : trie_->bytes(token)) {
        config = automaton_.next(config, static_cast<std::uint8_t>(byte));
        if (config < 0)
            break;
    }
    return config;
}

std::span<const std::uint32_t> TokenMasks::allowed(Config config) {
    if (const auto found = masks_.find(config); found != masks_.end())
        return found->second;
    if (masks_.size() * num_words_ >= kMaxMaskWords)
        masks_.clear();
    return masks_.emplace(config, make_mask(config)).first->second;
}

TokenMasks::Mask TokenMasks::make_mask(Config config) {
    Mask mask(num_words_, 0);
    if (may_end(config))
        for (const TokenId token : trie_->end_tokens())
            set_bit(mask, token);
    if (config < 0)
        return mask;
    for (const TokenId token : automaton_.token_edges(config))
        set_bit(mask, token);
    walk_trie(config, mask);
    return mask;
}

void TokenMasks::walk_trie(Config config, Mask& mask) {
    const std::span<const TokenTrie::Node> nodes = trie_->nodes();
    path_[0] = config;
    for (std::size_t i = 0; i < nodes.size();) {
        const TokenTrie::Node& node = nodes[i];
        const Config next = automaton_.next(path_[node.depth - 1U], node.byte);
        if (next < 0) {
            i = node.skip;
            continue;
        }
        path_[node.depth] = next;
        for (const TokenId token : trie_->tokens(i))
            set_bit(mask, token);
        ++i;
    }
}

} // namespace vitrine::engine
