// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: one sequence's place.
#include "engine/grammar/grammar_state.h"

#include <algorithm>
#include <bit>

namespace vitrine::engine {

GrammarState::GrammarState(std::shared_ptr<TokenMasks> masks) : masks_(std::move(masks)) {
    if (masks_)
        config_ = masks_->start();
}

void GrammarState::append(TokenId token) {
    if (masks_)
        config_ = masks_->after(config_, token);
}

std::size_t GrammarState::num_legal(std::span<const TokenId> drafts) const {
    if (!masks_)
        return drafts.size();
    TokenMasks::Config config = config_;
    std::size_t count = 0;
    for (; count < drafts.size(); ++count) {
        config = masks_->after(config, drafts[count]);
        if (config == GrammarAutomaton::kDead)
            break;
    }
    return count;
}

void GrammarState::fill_allowed(std::span<const TokenId> drafts, std::vector<std::uint32_t>& bits) const {
    bits.clear();
    if (!masks_)
        return;
    bits.reserve((drafts.size() + 1) * masks_->num_words());
    TokenMasks::Config config = config_;
    for (std::size_t row = 0; row <= drafts.size(); ++row) {
        const auto mask = masks_->allowed(config);
        bits.insert(bits.end(), mask.begin(), mask.end());
        if (row < drafts.size())
            config = masks_->after(config, drafts[row]);
    }
}

std::span<const std::uint32_t> GrammarState::allowed_after(std::span<const TokenId> drafts) const {
    if (!masks_)
        return {};
    TokenMasks::Config config = config_;
    for (const TokenId draft : drafts)
        config = masks_->after(config, draft);
    return masks_->allowed(config);
}

bool GrammarState::may_end() const {
    return !masks_ || masks_->may_end(config_);
}

bool GrammarState::must_end() const {
    if (!masks_ || !masks_->may_end(config_))
        return false;
    int num_allowed = 0;
    for (const std::uint32_t word : masks_->allowed(config_))
        num_allowed += std::popcount(word);
    return num_allowed == static_cast<int>(masks_->trie().end_tokens().size());
}

} // namespace vitrine::engine
