// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the loop's events: text, progress, ends, and the choice of the best.
#include <algorithm>
#include <limits>

#include "engine/core/engine_loop.h"

namespace vitrine::engine {
namespace {

constexpr std::uint8_t kLineFinished = 4;

std::chrono::microseconds since(TimePoint from, TimePoint to) {
    return std::chrono::duration_cast<std::chrono::microseconds>(to - from);
}

double mean_logprob(const ChoiceState& choice) {
    return choice.num_scored > 0 && !choice.failed ? choice.sum_logprob / choice.num_scored
                                                   : -std::numeric_limits<double>::infinity();
}

void set_choice(Event& event, int choice) {
    if (auto* delta = std::get_if<Delta>(&event.what))
        delta->choice = choice;
    else if (auto* part = std::get_if<ToolCallPart>(&event.what))
        part->choice = choice;
    else if (auto* found = std::get_if<ToolCallFound>(&event.what))
        found->choice = choice;
    else if (auto* finished = std::get_if<Finished>(&event.what))
        finished->choice = choice;
}

} // namespace

void EngineLoop::post(RequestState& state, ChoiceState& choice, Event event) {
    if (state.ranks())
        choice.held.push_back(std::move(event));
    else
        outbox_.add(state.sink, std::move(event));
}

void EngineLoop::emit_output(RequestState& state, ChoiceState& choice) {
    if (choice.stream->has_output())
        post(state, choice, Event{state.id, choice.stream->take_delta(choice.choice)});
    for (ToolCallPart& part : choice.stream->take_call_parts(choice.choice))
        post(state, choice, Event{state.id, std::move(part)});
    for (FoundToolCall& call : choice.stream->take_calls())
        post(state, choice, Event{state.id, ToolCallFound{choice.choice, std::move(call)}});
}

void EngineLoop::emit_prompt_logprobs(RequestState& state) {
    if (!state.request->echo_prompt_logprobs || state.prompt_logprobs_sent)
        return;
    state.prompt_logprobs_sent = true;
    TokenLogprobs& first = state.prompt_logprobs.front();
    first.token = state.prepared.prompt.front();
    first.bytes = session_->text->token_bytes(first.token);
    outbox_.add(state.sink, Event{state.id, PromptLogprobs{std::move(state.prompt_logprobs)}});
    state.prompt_logprobs.resize(state.prepared.prompt.size()); // a preempted prompt is scored again, unseen
}

void EngineLoop::emit_embedding(RequestState& state) {
    const double count =
        state.request->pooling == Pooling::mean ? static_cast<double>(state.prepared.prompt.size()) : 1;
    Embedded embedded;
    for (const double sum : state.pooled)
        embedded.values.push_back(static_cast<float>(sum / count));
    outbox_.add(state.sink, Event{state.id, std::move(embedded)});
}

void EngineLoop::finish_choice(
    RequestState& state, ChoiceState& choice, FinishReason reason, std::optional<Error> error) {
    std::unique_ptr<Sequence> sequence;
    SequenceState ended_in = SequenceState::preparing;
    if (session_ && choice.sequence != SequenceId{}) {
        if (const Sequence* live = session_->scheduler->find(choice.sequence))
            ended_in = live->state();
        sequence = session_->scheduler->finish(choice.sequence);
    }
    if (choice.stream) {
        choice.stream->finish();
        emit_output(state, choice);
        if (reason == FinishReason::stop && choice.stream->num_calls() > 0)
            reason = FinishReason::tool_calls;
    }
    choice.finished = true;
    choice.failed = reason == FinishReason::error;
    Finished finished = make_finished(state, choice, sequence.get());
    finished.reason = reason;
    finished.error = std::move(error);
    if (sequence) {
        const TimePoint now = steady_clock().now();
        snapshots_.on_finished(*sequence, now);
        add_line(sequence->id(), state.id, kLineFinished, now, static_cast<std::uint8_t>(reason));
    }
    if (session_) {
        if (!sequence && finished.timings.first_token.count() > 0) // beams tell their tokens when they end
            session_->stats->on_first_token(finished.timings.first_token);
        session_->stats->on_finished(finished, ended_in, steady_clock().now());
        state.longest_output = std::max(state.longest_output, finished.usage.output_tokens);
        if (finished.last)
            session_->stats->on_request_finished(*state.request, state.longest_output);
        if (session_->proposer)
            session_->proposer->forget(choice.sequence);
    }
    post(state, choice, Event{state.id, std::move(finished)});
    if (state.ranks() && state.num_unfinished() == 0)
        emit_best(state);
}

Finished EngineLoop::make_finished(
    const RequestState& state, const ChoiceState& choice, const Sequence* sequence) const {
    Finished finished;
    finished.choice = choice.choice;
    finished.last = state.num_unfinished() == 0;
    const TimePoint now = steady_clock().now();
    finished.timings.total = since(state.submitted, now);
    finished.usage.prompt_tokens = static_cast<int>(state.prepared.prompt.size());
    if (choice.stream) {
        finished.stop_text = choice.stream->stop_text();
        finished.usage.reasoning_tokens = choice.stream->reasoning_tokens();
    }
    if (!sequence) { // a beam, or never started
        finished.usage.output_tokens = choice.num_scored;
        finished.usage.cached_tokens = choice.cached_tokens;
        finished.timings.first_token = choice.num_scored > 0 ? finished.timings.total : std::chrono::microseconds(0);
        return finished;
    }
    Usage& usage = finished.usage;
    finished.miss_note = sequence->miss_note();
    usage.cached_tokens = sequence->cached_tokens();
    usage.output_tokens = sequence->num_output();
    usage.drafted_tokens = static_cast<int>(sequence->acceptance().draft_tokens);
    usage.accepted_tokens = static_cast<int>(sequence->acceptance().accepted);
    usage.decode_steps = sequence->decode_steps();
    usage.preemptions = sequence->preemptions();
    RequestTimings& timings = finished.timings;
    if (const auto planned = sequence->first_planned())
        timings.queued = since(state.submitted, *planned);
    if (const auto first = sequence->first_token()) {
        timings.first_token = since(state.submitted, *first);
        timings.prefill = timings.first_token - timings.queued;
        if (const auto last = sequence->last_token())
            timings.decode = since(*first, *last);
    }
    return finished;
}

/// The num_choices best by mean logprob, under the numbers 0 .. num_choices - 1.
void EngineLoop::emit_best(RequestState& state) {
    std::vector<ChoiceState*> ranked;
    for (ChoiceState& choice : state.choices)
        ranked.push_back(&choice);
    std::stable_sort(ranked.begin(), ranked.end(),
        [](const ChoiceState* a, const ChoiceState* b) { return mean_logprob(*a) > mean_logprob(*b); });
    const auto num_kept = static_cast<std::size_t>(state.request->num_choices);
    int tokens_of_others = 0; // usage counts every candidate: what the others cost is put on the last choice
    for (std::size_t i = num_kept; i < ranked.size(); ++i)
        tokens_of_others += ranked[i]->num_scored;
    ranked.resize(std::min(num_kept, ranked.size()));
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        for (Event& event : ranked[i]->held) {
            set_choice(event, static_cast<int>(i));
            if (auto* finished = std::get_if<Finished>(&event.what)) {
                finished->last = i + 1 == ranked.size();
                if (finished->last)
                    finished->usage.output_tokens += tokens_of_others;
            }
            outbox_.add(state.sink, std::move(event));
        }
    }
}

void EngineLoop::emit_progress() {
    if (!session_)
        return;
    int queue_position = 0;
    const auto report = [&](const Sequence& sequence, int position) {
        RequestState* state = find_request(sequence.request());
        const bool later_round = state && state->beams && !state->beams->search.live().front().tokens.empty();
        if (!state || later_round || sequence.spec().choice != 0 || sequence.num_output() > 0)
            return;
        outbox_.add(state->sink,
            Event{state->id,
                Progress{position, sequence.num_prompt(), std::min(sequence.computed(), sequence.num_prompt()),
                    sequence.cached_tokens()}});
    };
    for (const Sequence* sequence : session_->scheduler->running())
        report(*sequence, 0);
    for (const Sequence* sequence : session_->scheduler->waiting())
        report(*sequence, ++queue_position);
}

void EngineLoop::erase_if_done(RequestId id) {
    const RequestState* state = find_request(id);
    if (state && !state->preparing && state->num_unfinished() == 0)
        requests_.erase(id);
}

} // namespace vitrine::engine
