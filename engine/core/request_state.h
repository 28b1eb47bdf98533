// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: one request from submit to its last event, as the engine thread keeps it.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/api/event.h"
#include "engine/base/clock.h"
#include "engine/base/strong_id.h"
#include "engine/core/output_stream.h"
#include "engine/core/prepared_request.h"
#include "engine/sample/beam_search.h"

namespace vitrine::engine {

/// One choice: a sequence in the scheduler and its output.
struct ChoiceState {
    SequenceId sequence{};
    int choice = 0;
    std::unique_ptr<OutputStream> stream;
    bool finished = false;
    bool failed = false; // finished with an error
    double sum_logprob = 0; // of its tokens, for best_of
    int num_scored = 0;
    int cached_tokens = 0; // of a beam, which has no sequence at its end
    TimePoint last_emitted{}; // of its newest token, for gaps
    std::vector<Event> held; // best_of: events wait until the best are known
};

/// A beam search under way.  Each round its live beams are sequences of one token each: what they share of the text they
/// find in the prefix cache, by reference.
struct BeamRun {
    BeamSearch search;
    std::vector<SequenceId> sequences; // of live beams; 0: has answered
    std::vector<std::vector<kernels::TokenLogprob>> next; // answers, parallel
    int cached_tokens = 0; // of the first round
};

struct RequestState {
    RequestId id{};
    std::shared_ptr<const Request> request;
    std::shared_ptr<EventSink> sink;
    TimePoint submitted;
    bool preparing = true;
    std::stop_source preparation; // asked to stop when the request is cancelled
    PreparedRequest prepared;
    std::vector<ChoiceState> choices;
    std::vector<TokenLogprobs> prompt_logprobs; // index == position; filled chunk by chunk
    bool prompt_logprobs_sent = false;
    std::optional<BeamRun> beams; // beam search instead of sampling, until it is over
    std::vector<double> pooled; // [embedding_dim] sum or last of the hidden states so far
    int longest_output = 0; // tokens of a choice that has ended

    [[nodiscard]] bool ranks() const noexcept { return request->best_of > request->num_choices; }
    [[nodiscard]] int num_unfinished() const noexcept {
        int count = 0;
        for (const ChoiceState& choice : choices)
            count += choice.finished ? 0 : 1;
        return count;
    }
};

} // namespace vitrine::engine
