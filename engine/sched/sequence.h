// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sched: one choice of a request while the engine works on it: state, tokens and everything it carries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/api/request.h"
#include "engine/api/snapshot.h"
#include "engine/base/clock.h"
#include "engine/base/strong_id.h"
#include "engine/kv/block_table.h"
#include "engine/kv/prefix_cache.h"
#include "engine/sample/sampler_state.h"
#include "engine/spec/acceptance.h"
#include "engine/spec/draft_length.h"
#include "engine/spec/proposer.h"

namespace vitrine::engine {

/// What a sequence is born with.
struct SequenceSpec {
    SequenceId id{};
    RequestId request{};
    int choice = 0;
    RequestSource source = RequestSource::chat;
    std::string label;
    int priority = 0; // higher first
    TimePoint arrival{}; // of the request
    std::vector<TokenId> prompt; // not empty
    int max_output = 0; // resolved: max_tokens cut to the context
    SamplerOptions sampling;
    BlockExtras extras;
    std::vector<float> adapter_weights; // of each loaded LoRA adapter; empty: none is used
    bool prompt_logprobs = false; // logits of every prompt row; no prefix look-up
    bool hidden = false; // hidden states of every prompt row instead; no prefix look-up
    bool speculate = false;
    DraftLengthOptions draft_length;
    SequenceId leader{}; // choice 0 of the same request, whose prefill this one takes over; 0: none
};

/// Counts: engine.md's table of terms.  `computed`: tokens whose K and V are in the pool, or will be when the running step
/// has ended.  target = prompt + output + drafts of this step.  Invariant: computed <= target, but for one row while a step
/// ahead is under way and its token is not known yet.
/// The scheduler alone changes state, computed and table; the engine loop sets drafts and `computed` never.
class Sequence {
public:
    explicit Sequence(SequenceSpec spec);

    [[nodiscard]] SequenceId id() const noexcept { return spec_.id; }
    [[nodiscard]] RequestId request() const noexcept { return spec_.request; }
    [[nodiscard]] const SequenceSpec& spec() const noexcept { return spec_; }
    [[nodiscard]] SequenceState state() const noexcept { return state_; }

    [[nodiscard]] std::span<const TokenId> tokens() const noexcept { return tokens_; } // prompt + output
    [[nodiscard]] std::span<const TokenId> output() const noexcept;
    [[nodiscard]] std::span<const TokenId> drafts() const noexcept { return draft_.tokens; }
    [[nodiscard]] std::span<const float> draft_probs() const noexcept { return draft_.probs; }
    /// Token of a planned row: of tokens(), behind them of drafts().
    [[nodiscard]] TokenId token_at(int position) const;
    [[nodiscard]] int num_prompt() const noexcept { return num_prompt_; }
    [[nodiscard]] int num_tokens() const noexcept { return static_cast<int>(tokens_.size()); }
    [[nodiscard]] int num_output() const noexcept { return num_tokens() - num_prompt_; }
    [[nodiscard]] int computed() const noexcept { return computed_; }
    [[nodiscard]] int target() const noexcept { return num_tokens() + static_cast<int>(draft_.tokens.size()); }
    [[nodiscard]] int remaining() const noexcept { return target() - computed_; }
    /// Prompt or, after a preemption, prompt and output are still being computed: more than the last token is missing.
    /// As of the last commit(): planning alone does not end it.
    [[nodiscard]] bool in_prefill() const noexcept { return committed_ < num_tokens() - 1 || num_output() == 0; }
    [[nodiscard]] const BlockTable& table() const noexcept { return table_; }

    /// Most drafts the next step may verify: the limit, the context, min_tokens, the adaptive length; 0 in prefill.
    [[nodiscard]] int max_drafts() const noexcept;
    /// Drafts of the next step; at most max_drafts(), cut where the grammar does not allow one.  Thread: engine, before
    /// schedule().
    void set_draft(Draft draft);

    [[nodiscard]] const SamplerState& sampler() const noexcept { return sampler_; }
    [[nodiscard]] const DraftLength& draft_length() const noexcept { return draft_length_; }
    [[nodiscard]] DraftLength& draft_length() noexcept { return draft_length_; }

    // Counts for Usage, RequestTimings and SequenceStatus.
    [[nodiscard]] int cached_tokens() const noexcept { return cached_tokens_; } // hit of the first admission
    [[nodiscard]] int preemptions() const noexcept { return preemptions_; }
    [[nodiscard]] int decode_steps() const noexcept { return decode_steps_; }
    [[nodiscard]] const AcceptanceCounts& acceptance() const noexcept { return acceptance_; }
    [[nodiscard]] std::optional<TimePoint> first_planned() const noexcept { return first_planned_; }
    [[nodiscard]] std::optional<TimePoint> first_token() const noexcept { return first_token_; }
    [[nodiscard]] std::optional<TimePoint> last_token() const noexcept { return last_token_; }
    /// Of the first admission, without its blocks; none: not admitted yet, or a sibling's prefill was taken over.
    [[nodiscard]] const std::optional<PrefixMatch>& look_up() const noexcept { return look_up_; }
    [[nodiscard]] const std::string& miss_note() const noexcept { return miss_note_; }
    void set_miss(std::shared_ptr<const PrefixMiss> miss, std::string note) { // look_up() told; the engine loop's
        miss_ = std::move(miss);
        miss_note_ = std::move(note);
    }
    [[nodiscard]] SequenceStatus status(TimePoint now) const;

private:
    friend class Scheduler;

    SequenceSpec spec_;
    const int num_prompt_;
    std::vector<TokenId> tokens_;
    Draft draft_;
    int computed_ = 0;
    int committed_ = 0; // computed as of the last commit: K and V that really lie in the pool
    int ahead_ = 0; // of computed_: rows of the step behind the one that is committed next
    int max_computed_ = 0; // highest computed before a preemption: what lies below is recomputed
    SequenceState state_ = SequenceState::waiting;
    BlockTable table_;
    SamplerState sampler_;
    DraftLength draft_length_;
    std::uint64_t planned_in_step_ = 0;
    int times_passed_ = 0; // by shorter requests
    int cached_tokens_ = 0;
    int preemptions_ = 0;
    int decode_steps_ = 0;
    AcceptanceCounts acceptance_;
    std::optional<PrefixMatch> look_up_;
    std::shared_ptr<const PrefixMiss> miss_;
    std::string miss_note_;
    std::optional<TimePoint> first_planned_;
    std::optional<TimePoint> first_token_;
    std::optional<TimePoint> last_token_;
};

} // namespace vitrine::engine
