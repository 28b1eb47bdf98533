// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sample: token counts with a sliding repetition window.
#include "engine/sample/penalties.h"

#include "engine/base/check.h"

namespace vitrine::engine {

PenaltyCounts::PenaltyCounts(bool enabled, int repeat_last_n, std::span<const TokenId> prompt)
    : enabled_(enabled), window_(repeat_last_n) {
    if (!enabled_)
        return;
    for (const TokenId token : prompt)
        enter_window(token);
}

void PenaltyCounts::append(TokenId token) {
    if (!enabled_)
        return;
    ++entry(token).output_count;
    enter_window(token);
}

kernels::TokenCount& PenaltyCounts::entry(TokenId token) {
    const auto [found, fresh] = index_.try_emplace(token, counts_.size());
    if (fresh)
        counts_.push_back({.token = token, .output_count = 0, .repeat = false});
    return counts_[found->second];
}

void PenaltyCounts::enter_window(TokenId token) {
    if (window_ == 0)
        return;
    entry(token).repeat = true;
    if (window_ < 0) // all: nothing ever leaves
        return;
    recent_.push_back(token);
    ++in_window_[token];
    if (static_cast<int>(recent_.size()) <= window_)
        return;
    const TokenId gone = recent_.front();
    recent_.erase(recent_.begin());
    if (const auto count = in_window_.find(gone); --count->second == 0) {
        in_window_.erase(count);
        entry(gone).repeat = false;
        drop_if_unused(gone);
    }
}

void PenaltyCounts::drop_if_unused(TokenId token) {
    const auto found = index_.find(token);
    VT_CHECK(found != index_.end());
    const std::size_t place = found->second;
    if (counts_[place].output_count > 0 || counts_[place].repeat)
        return;
    index_.erase(found);
    if (place + 1 < counts_.size()) { // the last one fills the gap
        counts_[place] = counts_.back();
        index_[counts_[place].token] = place;
    }
    counts_.pop_back();
}

} // namespace vitrine::engine
