// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: counts of a sequence and what the next step may draft.
#include "engine/sched/sequence.h"

#include <algorithm>

#include "engine/base/check.h"

namespace vitrine::engine {

Sequence::Sequence(SequenceSpec spec)
    : spec_(std::move(spec)), num_prompt_(static_cast<int>(spec_.prompt.size())), tokens_(spec_.prompt),
      sampler_(spec_.sampling, spec_.prompt), draft_length_(spec_.draft_length) {
    tokens_.reserve(tokens_.size() + static_cast<std::size_t>(std::clamp(spec_.max_output, 0, 4096)));
}

std::span<const TokenId> Sequence::output() const noexcept {
    return tokens().subspan(static_cast<std::size_t>(num_prompt_));
}

TokenId Sequence::token_at(int position) const {
    VT_CHECK(position >= 0 && position < target());
    if (position < num_tokens())
        return tokens_[static_cast<std::size_t>(position)];
    return draft_.tokens[static_cast<std::size_t>(position - num_tokens())];
}

int Sequence::max_drafts() const noexcept {
    if (!spec_.speculate || in_prefill())
        return 0;
    // One token of the step is always the sampler's own: with t tokens left at most t - 1 drafts can be kept.
    const int left = spec_.max_output - num_output() - 1;
    return std::max(0, std::min({left, sampler_.max_drafts(), draft_length_.gamma()}));
}

void Sequence::set_draft(Draft draft) {
    VT_CHECK(static_cast<int>(draft.tokens.size()) <= max_drafts());
    if (const std::size_t legal = sampler_.grammar().num_legal(draft.tokens); legal < draft.tokens.size()) {
        draft.probs.resize(draft.probs.size() / draft.tokens.size() * legal);
        draft.tokens.resize(legal);
    }
    draft_ = std::move(draft);
}

SequenceStatus Sequence::status(TimePoint now) const {
    SequenceStatus status;
    status.request = spec_.request;
    status.sequence = static_cast<std::uint32_t>(spec_.id);
    status.choice = spec_.choice;
    status.source = spec_.source;
    status.label = spec_.label;
    status.state = state_;
    status.prompt_tokens = num_prompt_;
    status.cached_tokens = cached_tokens_;
    status.computed_tokens = computed_;
    status.output_tokens = num_output();
    status.num_blocks = table_.num_held();
    status.window_freed_blocks = table_.num_behind();
    status.preemptions = preemptions_;
    status.miss = miss_;
    status.miss_note = miss_note_;
    status.age = std::chrono::duration_cast<std::chrono::microseconds>(now - spec_.arrival);
    if (first_token_)
        status.first_token = std::chrono::duration_cast<std::chrono::microseconds>(*first_token_ - spec_.arrival);
    return status;
}

} // namespace vitrine::engine
