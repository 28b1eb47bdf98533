// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the loop itself, and its commands.
#include "engine/core/engine_loop.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/base/log.h"
#include "engine/core/adapter_setup.h"
#include "engine/core/request_preparer.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::chrono::hours kParked{1};
constexpr std::uint8_t kLineSubmitted = 5;

} // namespace

EngineLoop::EngineLoop(
    EngineMailboxes& mailboxes, TaskPool& prepare_pool, std::function<void(const Error&)> on_device_lost)
    : mail_(mailboxes), prepare_pool_(prepare_pool), start_(steady_clock().now()),
      on_device_lost_(std::move(on_device_lost)) {}

void EngineLoop::run() {
    bool idle_published = false;
    while (true) {
        if (drain_commands())
            idle_published = false;
        if (mail_.commands.closed())
            break;
        bool has_work = session_ && session_->scheduler->has_work();
        if (has_work) {
            step();
            idle_published = false;
            has_work = session_ && session_->scheduler->has_work(); // the last events find the last snapshot published
        }
        if (has_work && session_->runs_aside)
            continue; // the rest is done while the next step runs
        const TimePoint now = steady_clock().now();
        if (snapshots_.due(now) || (!has_work && !idle_published)) {
            emit_progress();
            publish(now);
            idle_published = !has_work;
        }
        outbox_.deliver();
        if (!has_work) {
            drop_ahead();
            mail_.commands.wait_for(kParked);
        }
    }
    drain_commands(); // what came between the last drain and close() still gets its answer
    end_all_requests();
    drop_ahead();
    outbox_.deliver();
    publish(steady_clock().now()); // the last snapshot keeps the session's totals
    session_.reset();
    mail_.text.set(nullptr);
}

bool EngineLoop::drain_commands() {
    std::vector<Command> commands = mail_.commands.drain();
    if (!commands.empty())
        give_pending_text(); // a command may end a choice, and its text comes before its end
    for (Command& command : commands)
        std::visit([this](auto& c) { handle(std::move(c)); }, command);
    return !commands.empty();
}

void EngineLoop::handle(SubmitCommand command) {
    RequestState& state = requests_[command.id];
    state.id = command.id;
    state.request = std::move(command.request);
    state.sink = std::move(command.sink);
    state.submitted = command.time;
    ++num_preparing_;
    if (stranded_)
        return reject(command.id,
            RequestRefusal{make_error(ErrorCode::busy, say(Sentence::device_reloading), say(Sentence::send_again_soon)),
                0, 0, {}});
    if (!session_)
        return reject(command.id,
            RequestRefusal{
                make_error(ErrorCode::not_found, say(Sentence::no_model), say(Sentence::load_model_first)), 0, 0, {}});
    const PrepareLimits limits{session_->model->context, session_->model->config.max_seqs,
        session_->model->adapters.size(), session_->gives_text};
    auto submitted = prepare_pool_.submit(
        [this, id = command.id, request = state.request, text = session_->text, grammars = session_->grammars, limits,
            own_stop = state.preparation.get_token()](std::stop_token pool_stop) {
            const PrepareServices services{
                *grammars, [&] { return pool_stop.stop_requested() || own_stop.stop_requested(); }};
            // A closed queue means that the engine is stopping and has ended the request itself.
            (void)mail_.commands.push_always(PreparedCommand{id, prepare_request(*request, *text, limits, services)});
        });
    if (!submitted)
        reject(command.id, RequestRefusal{submitted.error(), 0, 0, {}});
}

void EngineLoop::handle(PreparedCommand command) {
    RequestState* state = find_request(command.id);
    if (!state || !state->preparing)
        return; // cancelled meanwhile
    if (stranded_) {
        stranded_->prepared.push_back(std::move(command));
        return;
    }
    if (!command.result)
        return reject(command.id, command.result.error());
    state->preparing = false;
    --num_preparing_;
    state->prepared = *std::move(command.result);
    admit(*state);
}

void EngineLoop::handle(CancelCommand command) {
    RequestState* state = find_request(command.id);
    if (!state)
        return; // finished: no effect
    if (state->preparing) {
        state->preparation.request_stop();
        state->preparing = false;
        --num_preparing_;
        state->choices.resize(static_cast<std::size_t>(std::max(1, state->request->num_choices)));
        for (std::size_t i = 0; i < state->choices.size(); ++i)
            state->choices[i].choice = static_cast<int>(i);
    }
    drop_beams(*state);
    if (stranded_)
        std::erase_if(stranded_->sequences, [&](const auto& sequence) { return sequence->request() == command.id; });
    for (ChoiceState& choice : state->choices)
        if (!choice.finished)
            finish_choice(*state, choice, FinishReason::cancelled, {});
    erase_if_done(command.id);
}

void EngineLoop::handle(InstallCommand command) {
    end_all_requests();
    stranded_.reset();
    outbox_.deliver();
    drop_ahead();
    install(std::move(command.session));
    if (command.sink && session_)
        command.sink->on_load_progress(LoadProgress{LoadPhase::done, session_->model->measured_weight_bytes,
            session_->model->measured_weight_bytes, {}, session_->model});
}

void EngineLoop::install(std::unique_ptr<ModelSession> session) {
    session_ = std::move(session);
    released_before_ = 0;
    window_freed_before_ = 0;
    mail_.text.set(session_ ? session_->text : nullptr);
    publish(steady_clock().now());
}

void EngineLoop::handle(ResetPrefixCacheCommand) {
    if (session_)
        session_->kv->reset_prefix_cache();
}

void EngineLoop::handle(BlockTextCommand command) {
    std::string text;
    if (session_ && command.block >= 1 && command.block <= session_->kv->num_blocks())
        text = session_->text->detokenize(session_->scheduler->block_tokens(BlockId{command.block}), true);
    command.answer.set_value(std::move(text));
}

void EngineLoop::admit(RequestState& state) {
    const RequestId id = state.id;
    const PreparedRequest& prepared = state.prepared;
    if (state.request->echo_prompt_logprobs)
        state.prompt_logprobs.resize(prepared.prompt.size());
    Event admitted{id, Admitted{prepared.prompt, prepared.prompt_text, prepared.seed, prepared.reasoning_open}};
    const bool nothing_to_run =
        prepared.max_output == 0 && !state.request->echo_prompt_logprobs && state.request->pooling == Pooling::none;
    const int num_sequences = std::max(state.request->num_choices, state.request->best_of);
    state.choices.resize(static_cast<std::size_t>(num_sequences));
    for (int i = 0; i < num_sequences; ++i) {
        ChoiceState& choice = state.choices[static_cast<std::size_t>(i)];
        choice.choice = i;
        OutputOptions output;
        output.reasoning = session_->text->reasoning();
        output.splits_reasoning = prepared.splits_reasoning;
        output.reasoning_open = prepared.reasoning_open;
        output.tools = prepared.tools;
        output.tool_schemas = prepared.tool_schemas;
        output.one_call = !state.request->parallel_tool_calls;
        output.stops = state.request->stop.stop;
        output.call_id_seed = prepared.seed ^ (static_cast<std::uint64_t>(id) << 20) ^ static_cast<std::uint64_t>(i);
        choice.stream = std::make_unique<OutputStream>(std::move(output));
    }
    if (nothing_to_run) {
        outbox_.add(state.sink, std::move(admitted));
        for (ChoiceState& choice : state.choices)
            finish_choice(state, choice, FinishReason::length, {});
        return erase_if_done(id);
    }
    if (state.request->beam_width > 0)
        start_beams(state);
    if (auto added = state.beams ? add_beam_round(state) : add_sequences(state); !added) {
        drop_beams(state);
        for (const ChoiceState& choice : state.choices)
            (void)session_->scheduler->finish(choice.sequence);
        state.preparing = true; // reject() counts it out
        ++num_preparing_;
        return reject(
            id, RequestRefusal{added.error(), static_cast<int>(prepared.prompt.size()), session_->model->context, {}});
    }
    outbox_.add(state.sink, std::move(admitted));
}

Result<void> EngineLoop::add_sequences(RequestState& state) {
    const Request& request = *state.request;
    std::shared_ptr<TokenMasks> masks;
    if (state.prepared.grammar)
        masks = session_->masks.masks_of(
            state.prepared.grammar, session_->text->token_trie(), session_->text->vocab_size());
    const AdapterChoice adapters = choose_adapters(request.adapters, session_->model->adapters);
    for (ChoiceState& choice : state.choices) {
        SequenceSpec spec;
        spec.sampling.grammar = masks;
        spec.id = SequenceId{next_sequence_++};
        spec.request = state.id;
        spec.choice = choice.choice;
        spec.source = request.source;
        spec.label = request.label;
        spec.priority = request.priority;
        spec.arrival = state.submitted;
        spec.prompt = state.prepared.prompt;
        spec.max_output = state.prepared.max_output;
        spec.sampling.params = request.sampling;
        spec.sampling.seed = state.prepared.seed;
        spec.sampling.choice = choice.choice;
        spec.sampling.num_logprobs = state.ranks() ? std::max(request.num_logprobs, 0) : request.num_logprobs;
        spec.sampling.min_tokens = request.stop.min_tokens;
        spec.sampling.end_tokens = request.stop.stop_tokens;
        if (const Tokenizer* tokenizer = session_->text->tokenizer())
            spec.sampling.end_tokens.insert(
                spec.sampling.end_tokens.end(), tokenizer->eog_ids().begin(), tokenizer->eog_ids().end());
        spec.extras.salt = request.cache_salt;
        spec.extras.lora_generation = adapters.key;
        spec.adapter_weights = adapters.weights;
        spec.prompt_logprobs = request.echo_prompt_logprobs && choice.choice == 0;
        spec.hidden = request.pooling != Pooling::none;
        spec.speculate = request.speculate && session_->proposer != nullptr;
        spec.draft_length.max_gamma = session_->scheduler->config().max_gamma;
        spec.draft_length.fixed_gamma = std::max(0, session_->model->config.gamma);
        if (choice.choice > 0)
            spec.leader = state.choices.front().sequence;
        choice.sequence = spec.id;
        VT_TRY(session_->scheduler->add(std::make_unique<Sequence>(std::move(spec))));
        add_line(choice.sequence, state.id, kLineSubmitted, state.submitted);
    }
    return {};
}

void EngineLoop::reject(RequestId id, const RequestRefusal& refusal) {
    RequestState* state = find_request(id);
    if (!state)
        return;
    if (state->preparing)
        --num_preparing_;
    if (session_)
        session_->stats->on_rejected(refusal.error.code);
    outbox_.add(
        state->sink, Event{id, Rejected{refusal.error, refusal.prompt_tokens, refusal.context_length, refusal.param}});
    requests_.erase(id);
}

void EngineLoop::end_all_requests() {
    give_pending_text();
    std::vector<RequestId> ids;
    for (const auto& [id, state] : requests_)
        ids.push_back(id);
    for (const RequestId id : ids)
        handle(CancelCommand{id});
}

RequestState* EngineLoop::find_request(RequestId id) {
    const auto found = requests_.find(id);
    return found == requests_.end() ? nullptr : &found->second;
}

EngineLoop::Owner EngineLoop::owner_of(const Sequence& sequence) {
    RequestState* state = find_request(sequence.request());
    VT_CHECK(state);
    if (state->beams)
        return Owner{state, nullptr};
    for (ChoiceState& choice : state->choices)
        if (choice.sequence == sequence.id())
            return Owner{state, &choice};
    VT_CHECK(false);
    return {};
}

void EngineLoop::check_invariants() {
    session_->scheduler->check_invariants();
    int preparing = 0;
    int live = 0;
    for (const auto& [id, state] : requests_) {
        preparing += state.preparing ? 1 : 0;
        VT_CHECK(state.preparing || state.num_unfinished() > 0);
        if (state.beams) { // its sequences are beams, not choices
            for (const SequenceId beam : state.beams->sequences)
                live += beam == SequenceId{} ? 0 : 1;
            continue;
        }
        for (const ChoiceState& choice : state.choices) {
            const Sequence* sequence = session_->scheduler->find(choice.sequence);
            VT_CHECK(choice.finished == (sequence == nullptr));
            VT_CHECK(sequence == nullptr || sequence->request() == id);
            live += choice.finished ? 0 : 1;
        }
    }
    VT_CHECK(preparing == num_preparing_);
    VT_CHECK(live == session_->scheduler->num_running() + session_->scheduler->num_waiting());
    const Counters counters = session_->stats->counters(session_->kv->counters());
    VT_CHECK(counters.prefix_hits <= counters.prefix_queries && counters.accepted_tokens <= counters.draft_tokens);
    for (std::size_t i = 1; i < counters.accepted_per_position.size(); ++i)
        VT_CHECK(counters.accepted_per_position[i] <= counters.accepted_per_position[i - 1]);
}

void EngineLoop::publish(TimePoint now) {
    if (!session_) {
        mail_.snapshot.set(snapshots_.build_empty(num_preparing_, now));
        return;
    }
    mail_.snapshot.set(snapshots_.build(SnapshotBuilder::Parts{session_->model, *session_->scheduler, *session_->kv,
                                            *session_->stats, num_preparing_, start_, record_.step},
        now));
}

} // namespace vitrine::engine
