// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: a vocabulary as a trie of bytes, in the order in which a grammar walks it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/api/request.h"

namespace vitrine::engine {

/// Immutable; safe from every thread.
class TokenTrie {
public:
    /// Nodes in depth-first order.  A node's subtree ends where `skip` points.
    struct Node {
        std::uint32_t skip = 0;
        std::uint32_t first_token = 0; // in tokens(); the next node's ends them
        std::uint16_t depth = 0; // bytes, >= 1
        std::uint8_t byte = 0;
    };

    /// token_bytes: [vocab]; empty: the token stands for no text (control, unknown).  Bytes behind the first 65,535 of a
    /// token cannot be, vocabularies are checked for that before.
    TokenTrie(std::vector<std::string> token_bytes, std::vector<TokenId> end_tokens);

    [[nodiscard]] std::span<const Node> nodes() const noexcept { return std::span(nodes_).first(nodes_.size() - 1); }
    [[nodiscard]] std::span<const TokenId> tokens(std::size_t node) const noexcept {
        return std::span(tokens_).subspan(
            nodes_[node].first_token, nodes_[node + 1].first_token - nodes_[node].first_token);
    }
    [[nodiscard]] std::size_t max_depth() const noexcept { return max_depth_; }
    [[nodiscard]] int num_tokens() const noexcept { return static_cast<int>(bytes_.size()); }
    [[nodiscard]] const std::string& bytes(TokenId token) const noexcept {
        return bytes_[static_cast<std::size_t>(token)];
    }
    [[nodiscard]] std::span<const TokenId> end_tokens() const noexcept { return end_tokens_; }
    [[nodiscard]] bool is_end(TokenId token) const noexcept;

private:
    std::vector<std::string> bytes_;
    std::vector<TokenId> end_tokens_; // rising
    std::vector<Node> nodes_; // and one behind the last
    std::vector<TokenId> tokens_; // by node
    std::size_t max_depth_ = 0;
};

} // namespace vitrine::engine
