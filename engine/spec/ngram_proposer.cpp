// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: prompt look-up with an index that grows with the text.
#include "engine/spec/ngram_proposer.h"

#include <algorithm>

#include "engine/base/check.h"

namespace vitrine::engine {
namespace {

constexpr int kStrongMatch = 4;

/// FNV-1a over the ids; the length keeps n-grams of different lengths apart.  A collision costs a wrong draft, and the
/// match is compared before it is used.
std::uint64_t hash_ngram(std::span<const TokenId> ngram) {
    std::uint64_t hash = 0xcbf29ce484222325 ^ ngram.size();
    for (const TokenId token : ngram) {
        hash ^= static_cast<std::uint32_t>(token);
        hash *= 0x100000001b3;
    }
    return hash;
}

std::span<const TokenId> ngram_before(std::span<const TokenId> tokens, int end, int length) {
    return tokens.subspan(static_cast<std::size_t>(end - length), static_cast<std::size_t>(length));
}

bool is_allowed(std::span<const std::uint32_t> mask, TokenId token) {
    return mask.empty() || ((mask[static_cast<std::size_t>(token) / 32] >> (token % 32)) & 1U) != 0;
}

void cut_at_first_forbidden(std::vector<TokenId>& tokens, DraftMask& mask) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is_allowed(mask.after(std::span(tokens).first(i)), tokens[i]))
            continue;
        tokens.resize(i);
        return;
    }
}

} // namespace

NgramProposer::NgramProposer(int min_length, int max_length) : min_length_(min_length), max_length_(max_length) {
    VT_CHECK(min_length >= 1 && max_length >= min_length);
}

Result<std::vector<Draft>> NgramProposer::propose(std::span<const DraftRequest> requests) {
    std::vector<Draft> drafts;
    drafts.reserve(requests.size());
    for (const DraftRequest& request : requests) {
        drafts.push_back(look_up(request.sequence, request.tokens, request.max_drafts));
        if (request.mask != nullptr)
            cut_at_first_forbidden(drafts.back().tokens, *request.mask);
    }
    return drafts;
}

Draft NgramProposer::look_up(SequenceId sequence, std::span<const TokenId> tokens, int max_drafts) {
    Draft draft;
    Index& index = indices_[sequence];
    update(index, tokens);
    const int size = static_cast<int>(tokens.size());
    for (int length = std::min(max_length_, size); length >= min_length_ && max_drafts > 0; --length) {
        const std::span<const TokenId> suffix = ngram_before(tokens, size, length);
        const auto found = index.next_position.find(hash_ngram(suffix));
        if (found == index.next_position.end() || found->second < length)
            continue;
        if (!std::ranges::equal(ngram_before(tokens, found->second, length), suffix))
            continue;
        // A short match is weak evidence: after two equal tokens two are copied, after three four, after that all.
        const int trusted = length >= kStrongMatch ? max_drafts : std::min(max_drafts, 1 << (length - 1));
        const int count = std::min(trusted, size - found->second);
        const auto first = tokens.begin() + found->second;
        draft.tokens.assign(first, first + count);
        return draft;
    }
    return draft;
}

void NgramProposer::update(Index& index, std::span<const TokenId> tokens) const {
    // The n-gram that ends at the very end of the text is the suffix itself: it is entered with the next token.
    const int size = static_cast<int>(tokens.size());
    for (int end = index.num_indexed + 1; end < size; ++end) {
        for (int length = min_length_; length <= std::min(max_length_, end); ++length)
            index.next_position[hash_ngram(ngram_before(tokens, end, length))] = end;
    }
    index.num_indexed = std::max(index.num_indexed, size - 1);
}

} // namespace vitrine::engine
