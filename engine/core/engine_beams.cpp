// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: beam search as rounds of one-token sequences, outside the batch path (engine.md 5.1).
#include <algorithm>

#include "engine/base/check.h"
#include "engine/core/adapter_setup.h"
#include "engine/core/engine_loop.h"
#include "engine/text/stop_matcher.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

/// A beam is complete at an end token, or when its text holds a stop string.
bool is_complete(const RequestState& state, const LoadedText& text, const Beam& beam) {
    if (ends_generation(state, text, beam.tokens.back().token))
        return true;
    if (state.request->stop.stop.empty())
        return false;
    std::vector<TokenId> ids;
    for (const kernels::SampledToken& token : beam.tokens)
        ids.push_back(token.token);
    StopMatcher stops(state.request->stop.stop);
    return stops.push(text.detokenize(ids, false)).stop_index.has_value() || stops.finish().stop_index.has_value();
}

} // namespace

void EngineLoop::start_beams(RequestState& state) {
    BeamOptions options;
    options.width = state.request->beam_width;
    options.length_penalty = static_cast<double>(state.request->length_penalty);
    options.max_tokens = state.prepared.max_output;
    state.beams.emplace(BeamRun{BeamSearch(options), {}, {}, 0});
}

Result<void> EngineLoop::add_beam_round(RequestState& state) {
    BeamRun& run = *state.beams;
    const auto live = run.search.live();
    run.sequences.assign(live.size(), SequenceId{});
    run.next.assign(live.size(), {});
    const AdapterChoice adapters = choose_adapters(state.request->adapters, session_->model->adapters);
    for (std::size_t i = 0; i < live.size(); ++i) {
        SequenceSpec spec;
        spec.id = SequenceId{next_sequence_++};
        spec.request = state.id;
        spec.choice = static_cast<int>(i);
        spec.source = state.request->source;
        spec.label = state.request->label;
        spec.priority = state.request->priority;
        spec.arrival = state.submitted;
        spec.prompt = state.prepared.prompt;
        for (const kernels::SampledToken& token : live[i].tokens)
            spec.prompt.push_back(token.token);
        spec.max_output = 1;
        spec.sampling.params.temperature = 0;
        spec.sampling.num_logprobs = 2 * state.request->beam_width;
        spec.extras.salt = state.request->cache_salt;
        spec.extras.lora_generation = adapters.key;
        spec.adapter_weights = adapters.weights;
        run.sequences[i] = spec.id;
        VT_TRY(session_->scheduler->add(std::make_unique<Sequence>(std::move(spec))));
    }
    return {};
}

void EngineLoop::take_beam(RequestState& state, SequenceId sequence, kernels::SamplingOutcome outcome) {
    BeamRun& run = *state.beams;
    const auto place = std::ranges::find(run.sequences, sequence);
    VT_CHECK(place != run.sequences.end() && !outcome.tokens.empty());
    const auto ended = session_->scheduler->finish(sequence);
    if (run.search.live().front().tokens.empty())
        run.cached_tokens = ended->cached_tokens();
    *place = SequenceId{};
    run.next[static_cast<std::size_t>(place - run.sequences.begin())] = std::move(outcome.tokens.front().top);
    if (std::ranges::any_of(run.sequences, [](SequenceId id) { return id != SequenceId{}; }))
        return;
    run.search.advance(run.next, [&](const Beam& beam) { return is_complete(state, *session_->text, beam); });
    if (run.search.done())
        return finish_beams(state);
    if (auto added = add_beam_round(state); !added) {
        fail_beams(state, added.error());
        erase_if_done(state.id);
    }
}

void EngineLoop::finish_beams(RequestState& state) {
    const int cached_tokens = state.beams->cached_tokens;
    const std::vector<Beam> best = state.beams->search.best(state.request->num_choices);
    drop_beams(state);
    for (std::size_t i = 0; i < state.choices.size(); ++i) {
        ChoiceState& choice = state.choices[i];
        if (i >= best.size()) { // fewer texts than asked for: the model allows no other
            finish_choice(state, choice, FinishReason::error,
                make_error(
                    ErrorCode::invalid_argument, say(Sentence::beams_ended), say(Sentence::ask_for_fewer_choices)));
            continue;
        }
        kernels::SamplingOutcome outcome;
        outcome.tokens = best[i].tokens;
        CommitVerdict verdict =
            decide_tokens(state, OutputPlace{0, state.prepared.max_output}, outcome, *session_->text);
        give_tokens(state, choice, outcome, *session_->text, verdict);
        choice.cached_tokens = cached_tokens;
        finish_choice(state, choice, verdict.reason.value_or(FinishReason::length), verdict.error);
    }
    erase_if_done(state.id);
}

void EngineLoop::fail_beams(RequestState& state, const Error& error) {
    drop_beams(state);
    for (ChoiceState& choice : state.choices)
        finish_choice(state, choice, FinishReason::error, error);
}

void EngineLoop::drop_beams(RequestState& state) {
    if (!state.beams)
        return;
    for (const SequenceId sequence : state.beams->sequences)
        (void)session_->scheduler->finish(sequence);
    state.beams.reset();
}

} // namespace vitrine::engine
