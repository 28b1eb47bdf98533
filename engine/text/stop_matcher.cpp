// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: stop strings found in streamed text.
#include "engine/text/stop_matcher.h"

namespace vitrine::engine {

StopMatcher::StopMatcher(std::span<const std::string> stops) {
    for (std::size_t i = 0; i < stops.size(); ++i) {
        if (!stops[i].empty())
            trie_.add(stops[i], static_cast<std::int32_t>(i));
    }
    trie_.build();
}

/// Takes the matches that end at `end` (in held_) into account.
void StopMatcher::consider(std::size_t end) {
    // The first match at a state is the longest, so the one with the earliest start of those that end here.
    const std::int32_t match = trie_.first_match(state_);
    if (match == ByteTrie::kRoot)
        return;
    const auto length = static_cast<std::size_t>(trie_.depth(match));
    const std::size_t start = end - length;
    if (!best_ || start < best_->start || (start == best_->start && length > best_->length))
        best_ = Match{.start = start, .length = length, .index = trie_.value(match)};
}

StopMatcher::Output StopMatcher::stop_at(const Match& match) {
    stopped_ = true;
    Output output{.text = held_.substr(0, match.start), .stop_index = match.index};
    held_.clear();
    return output;
}

StopMatcher::Output StopMatcher::push(std::string_view text) {
    if (stopped_)
        return {};
    if (trie_.empty())
        return {.text = std::string(text), .stop_index = std::nullopt};
    held_ += text;
    while (scanned_ < held_.size()) {
        state_ = trie_.next(state_, static_cast<std::uint8_t>(held_[scanned_]));
        ++scanned_;
        consider(scanned_);
        // Nothing that is still open starts early enough to win or to grow the match.
        const std::size_t open_from = scanned_ - static_cast<std::size_t>(trie_.depth(state_));
        if (best_ && (open_from > best_->start || !trie_.can_grow(state_)))
            return stop_at(*best_);
    }
    const std::size_t keep = best_ ? held_.size() : static_cast<std::size_t>(trie_.depth(state_));
    Output output{.text = held_.substr(0, best_ ? 0 : held_.size() - keep), .stop_index = std::nullopt};
    held_.erase(0, output.text.size());
    scanned_ = held_.size();
    return output;
}

StopMatcher::Output StopMatcher::finish() {
    if (stopped_)
        return {};
    if (best_)
        return stop_at(*best_);
    Output output{.text = std::move(held_), .stop_index = std::nullopt};
    held_.clear();
    state_ = ByteTrie::kRoot;
    scanned_ = 0;
    return output;
}

} // namespace vitrine::engine
