// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/support: an engine that follows a script.
#include "tests/support/scripted_engine.h"

#include <algorithm>

namespace vitrine::testing {

using namespace engine;
using std::chrono::microseconds;

namespace {

/// Cuts the pieces at the earliest stop string, as the engine would: the stop text itself is not sent.
void apply_stop(std::vector<std::string>& pieces, const std::vector<std::string>& stops, std::string& stop_text) {
    std::string text;
    for (const std::string& piece : pieces)
        text += piece;
    std::size_t cut = std::string::npos;
    for (const std::string& stop : stops) {
        const std::size_t at = text.find(stop);
        if (at < cut) {
            cut = at;
            stop_text = stop;
        }
    }
    if (cut == std::string::npos)
        return;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::size_t end = begin + pieces[i].size();
        if (end >= cut) {
            pieces[i].resize(cut - begin);
            pieces.resize(pieces[i].empty() ? i : i + 1);
            return;
        }
        begin = end;
    }
}

TokenLogprobs make_logprobs(const ScriptedTextModel& text, const std::string& piece, int top) {
    TokenLogprobs entry;
    entry.token = text.token_of(piece);
    entry.bytes = piece;
    entry.logprob = -0.25F;
    for (int i = 0; i < top; ++i) {
        const std::string other = i == 0 ? piece : " alternative" + std::to_string(i);
        entry.top.emplace_back(text.token_of(other), -0.25F - static_cast<float>(i));
        entry.top_bytes.push_back(other);
    }
    return entry;
}

} // namespace

ScriptedEngine::ScriptedEngine(ScriptedEngineOptions options) : options_(options) {
    if (options_.model_loaded)
        model_ = make_model("/models/Scripted-1B.Q4_1.gguf", {});
    if (!options_.manual)
        thread_ = std::thread([this] { run(); });
}

ScriptedEngine::~ScriptedEngine() {
    stop();
}

void ScriptedEngine::set_script(Script script) {
    const std::lock_guard lock(mutex_);
    script_ = std::move(script);
}

void ScriptedEngine::set_answer(ScriptedAnswer answer) {
    set_script([answer = std::move(answer)](const Request&) { return answer; });
}

void ScriptedEngine::fail_next_load(Error error) {
    const std::lock_guard lock(mutex_);
    next_load_error_ = std::move(error);
}

void ScriptedEngine::refuse_submit(std::optional<Error> error) {
    const std::lock_guard lock(mutex_);
    submit_error_ = std::move(error);
}

void ScriptedEngine::hold_load(bool hold) {
    const std::lock_guard lock(mutex_);
    load_held_ = hold;
    wake_.notify_all();
}

std::vector<Request> ScriptedEngine::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

std::vector<RequestId> ScriptedEngine::cancelled() const {
    const std::lock_guard lock(mutex_);
    return cancelled_;
}

microseconds ScriptedEngine::now() const {
    return std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - start_);
}

void ScriptedEngine::deliver(std::vector<Outgoing>& out) {
    for (Outgoing& item : out)
        if (!item.events.empty())
            item.sink->on_events(item.events);
}

bool ScriptedEngine::step() {
    const std::lock_guard delivery(delivery_mutex_);
    std::vector<Outgoing> out;
    bool more = false;
    {
        const std::lock_guard lock(mutex_);
        more = step_locked(out);
    }
    deliver(out);
    return more;
}

void ScriptedEngine::run_to_end() {
    while (step()) {
    }
}

void ScriptedEngine::run() {
    while (true) {
        {
            std::unique_lock lock(mutex_);
            const auto has_work = [this] {
                return stopping_ || std::any_of(running_.begin(), running_.end(), [](const auto& item) {
                    const bool hangs = item->answer.hang_after_tokens >= 0 &&
                        item->emitted >= item->answer.hang_after_tokens && item->prefill_steps_done > 0;
                    return item->cancelled || !hangs;
                });
            };
            wake_.wait(lock, has_work);
            if (stopping_)
                return;
        }
        step();
        if (options_.step_time.count() > 0)
            std::this_thread::sleep_for(options_.step_time);
    }
}

/// One step: the first max_running requests advance, later ones report their place in the queue.
bool ScriptedEngine::step_locked(std::vector<Outgoing>& out) {
    if (running_.empty())
        return false;
    StepRecord record;
    record.step = steps_.size();
    record.start_us = static_cast<std::uint64_t>(now().count());
    record.forward_us = static_cast<std::uint32_t>(std::max<std::int64_t>(options_.step_time.count(), 1));
    bool more = false;
    int place = 0;
    for (auto& item : running_) {
        Outgoing outgoing{item->sink, {}};
        if (item->cancelled) {
            finish_request(*item, outgoing, FinishReason::cancelled, std::nullopt);
        } else if (place < options_.max_running) {
            ++place;
            const int before = item->emitted + item->prefill_steps_done;
            step_request(*item, outgoing, record);
            more = more || item->emitted + item->prefill_steps_done > before || item->done;
        } else {
            ++record.waiting;
            outgoing.events.push_back({item->id,
                Progress{.queue_position = record.waiting,
                    .prompt_tokens = static_cast<int>(item->prompt_ids.size()),
                    .computed_tokens = 0,
                    .cached_tokens = 0}});
        }
        out.push_back(std::move(outgoing));
    }
    std::erase_if(running_, [](const auto& item) { return item->done; });
    record.running = static_cast<std::uint16_t>(std::min<std::size_t>(running_.size(), 65'535));
    Snapshot blocks;
    count_blocks(blocks);
    record.blocks_free = static_cast<std::uint32_t>(blocks.blocks.free);
    record.blocks_active = static_cast<std::uint32_t>(blocks.blocks.active);
    counters_.steps += 1;
    counters_.prompt_tokens += record.prefill_tokens;
    counters_.generation_tokens += record.emitted;
    steps_.push_back(record);
    return more && !running_.empty();
}

void ScriptedEngine::step_request(Running& item, Outgoing& out, StepRecord& record) {
    if (!item.admitted) {
        item.admitted = true;
        item.first_step = now();
        out.events.push_back({item.id,
            Admitted{.prompt_ids = item.prompt_ids,
                .prompt_text = item.prompt_text,
                .seed = item.request.sampling.seed.value_or(7),
                .reasoning_open = false}});
    }
    SequenceLine line;
    line.step = record.step;
    line.request = static_cast<std::uint64_t>(item.id);
    line.sequence = static_cast<std::uint32_t>(item.id);
    if (item.prefill_steps_done < item.answer.prefill_steps) {
        ++item.prefill_steps_done;
        const int total = static_cast<int>(item.prompt_ids.size());
        const int cached = std::min(item.answer.cached_tokens, total);
        const int computed = cached + (total - cached) * item.prefill_steps_done / item.answer.prefill_steps;
        out.events.push_back({item.id, Progress{0, total, computed, cached}});
        const int share = (total - cached) / item.answer.prefill_steps;
        record.prefill_seqs += 1;
        record.prefill_tokens += static_cast<std::uint32_t>(share);
        line.kind = 0;
        line.count = static_cast<std::uint32_t>(share);
        line.hit = static_cast<std::uint32_t>(item.prefill_steps_done == 1 ? cached : 0);
        record.prefix_hits += line.hit;
        record.prefix_queries += static_cast<std::uint32_t>(item.prefill_steps_done == 1 ? total : 0);
        counters_.prefix_hits += line.hit;
        counters_.prefix_queries += item.prefill_steps_done == 1 ? static_cast<std::uint64_t>(total) : 0U;
        lines_.push_back(line);
        return;
    }
    if (item.answer.hang_after_tokens >= 0 && item.emitted >= item.answer.hang_after_tokens)
        return;
    if (item.answer.failure && item.emitted >= item.answer.fail_after_tokens) {
        finish_request(item, out, FinishReason::error, item.answer.failure);
        return;
    }
    record.decode_rows += 1;
    line.kind = 1;
    line.count = 1;
    line.first_position = static_cast<std::uint32_t>(item.prompt_ids.size()) + static_cast<std::uint32_t>(item.emitted);
    lines_.push_back(line);
    emit_tokens(item, out, record);
}

void ScriptedEngine::emit_tokens(Running& item, Outgoing& out, StepRecord& record) {
    if (item.emitted == 0)
        item.first_token = now();
    ++item.decode_steps;
    Delta delta;
    const int num_reasoning = static_cast<int>(item.answer.reasoning.size());
    const int total = num_reasoning + static_cast<int>(item.pieces.size());
    int in_step = 0;
    for (; in_step < item.answer.tokens_per_step && item.emitted < total; ++in_step, ++item.emitted) {
        const bool thinking = item.emitted < num_reasoning;
        const std::string& piece = thinking ? item.answer.reasoning[static_cast<std::size_t>(item.emitted)]
                                            : item.pieces[static_cast<std::size_t>(item.emitted - num_reasoning)];
        (thinking ? delta.reasoning : delta.text) += piece;
        delta.ids.push_back(text_->token_of(piece));
        if (item.request.num_logprobs >= 0)
            delta.logprobs.push_back(make_logprobs(*text_, piece, item.request.num_logprobs));
    }
    delta.num_draft_tokens = std::max(in_step - 1, 0);
    item.accepted += delta.num_draft_tokens;
    record.emitted += static_cast<std::uint32_t>(in_step);
    if (in_step > 0)
        for (int choice = 0; choice < item.request.num_choices; ++choice) {
            delta.choice = choice;
            out.events.push_back({item.id, delta});
        }
    if (item.emitted >= total)
        finish_request(item, out, item.finish, std::nullopt);
}

void ScriptedEngine::finish_request(Running& item, Outgoing& out, FinishReason reason, std::optional<Error> error) {
    item.done = true;
    const microseconds end = now();
    if (reason == FinishReason::stop && !item.answer.tool_calls.empty()) {
        reason = FinishReason::tool_calls;
        for (const FoundToolCall& call : item.answer.tool_calls) {
            const std::size_t half = call.arguments_json.size() / 2;
            out.events.push_back(
                {item.id, ToolCallPart{0, call.index, call.id, call.name, call.arguments_json.substr(0, half)}});
            out.events.push_back({item.id, ToolCallPart{0, call.index, {}, {}, call.arguments_json.substr(half)}});
            out.events.push_back({item.id, ToolCallFound{0, call}});
        }
    }
    Finished finished;
    finished.reason = reason;
    finished.stop_text = reason == FinishReason::stop ? item.stop_text : std::string();
    finished.usage.prompt_tokens = static_cast<int>(item.prompt_ids.size());
    finished.usage.cached_tokens = std::min(item.answer.cached_tokens, finished.usage.prompt_tokens);
    finished.usage.output_tokens = item.emitted;
    finished.usage.reasoning_tokens = std::min(item.emitted, static_cast<int>(item.answer.reasoning.size()));
    finished.usage.drafted_tokens = (item.answer.tokens_per_step - 1) * item.decode_steps;
    finished.usage.accepted_tokens = item.accepted;
    finished.usage.decode_steps = item.decode_steps;
    finished.timings.queued = item.first_step - item.submitted;
    finished.timings.first_token = item.emitted > 0 ? item.first_token - item.submitted : microseconds(0);
    finished.timings.prefill = item.emitted > 0 ? item.first_token - item.first_step : microseconds(0);
    finished.timings.decode = item.emitted > 0 ? end - item.first_token : microseconds(0);
    finished.timings.total = end - item.submitted;
    finished.error = std::move(error);
    for (int choice = 0; choice < item.request.num_choices; ++choice) {
        finished.choice = choice;
        finished.last = choice + 1 == item.request.num_choices;
        out.events.push_back({item.id, finished});
    }
    counters_.finished[static_cast<std::size_t>(reason)] += 1;
    lines_.push_back({.step = steps_.size(),
        .request = static_cast<std::uint64_t>(item.id),
        .sequence = static_cast<std::uint32_t>(item.id),
        .kind = 4,
        .finish = static_cast<std::uint8_t>(reason)});
    SequenceStatus status;
    status.request = item.id;
    status.sequence = static_cast<std::uint32_t>(item.id);
    status.label = item.request.label;
    status.source = item.request.source;
    status.state = SequenceState::finished;
    status.prompt_tokens = finished.usage.prompt_tokens;
    status.output_tokens = item.emitted;
    finished_.push_back(std::move(status));
    if (finished_.size() > 16)
        finished_.erase(finished_.begin());
}

Result<RequestId> ScriptedEngine::submit(Request request, std::shared_ptr<EventSink> sink) {
    const std::lock_guard delivery(delivery_mutex_);
    std::unique_lock lock(mutex_);
    if (submit_error_)
        return tl::unexpected(*submit_error_);
    if (stopping_)
        return fail(ErrorCode::cancelled, "the engine is stopping", "Start Vitrine again.");
    auto item = std::make_unique<Running>();
    item->id = RequestId{next_request_++};
    item->submitted = now();
    item->sink = std::move(sink);
    requests_.push_back(request);
    item->answer = script_ ? script_(request) : ScriptedAnswer{};
    std::optional<Error> rejection = item->answer.rejection;
    if (!model_)
        rejection = Error{ErrorCode::not_found, "no model is loaded", "Load a model first."};
    if (const auto* text = std::get_if<TextPrompt>(&request.prompt)) {
        item->prompt_text = text->text;
        item->prompt_ids = *text_->tokenize(text->text, false, true);
    } else if (const auto* ids = std::get_if<TokenPrompt>(&request.prompt)) {
        item->prompt_ids = ids->ids;
        item->prompt_text = text_->detokenize(ids->ids, true);
    } else if (auto rendered = text_->render(std::get<ChatPrompt>(request.prompt))) {
        item->prompt_text = rendered->text;
        item->prompt_ids = rendered->ids;
    } else {
        rejection = rendered.error();
    }
    const int prompt_tokens = static_cast<int>(item->prompt_ids.size());
    if (!rejection && prompt_tokens >= options_.context)
        rejection = Error{ErrorCode::context_length,
            "the prompt has " + std::to_string(prompt_tokens) + " tokens, the context holds " +
                std::to_string(options_.context),
            "Shorten the prompt or load the model with a longer context."};
    const RequestId id = item->id;
    if (rejection) {
        counters_.rejected += 1;
        const std::vector<Event> events{{id, Rejected{*rejection, prompt_tokens, options_.context, {}}}};
        const std::shared_ptr<EventSink> target = item->sink;
        lock.unlock();
        target->on_events(events);
        return id;
    }
    if (item->answer.pieces.empty() && item->answer.tool_calls.empty() && item->answer.reasoning.empty())
        item->answer.pieces = {"You", " said", ":", " ", item->prompt_text.substr(0, 40)};
    item->pieces = item->answer.pieces;
    item->finish = item->answer.finish;
    apply_stop(item->pieces, request.stop.stop, item->stop_text);
    const auto limit = static_cast<std::size_t>(std::max(request.stop.max_tokens, 0));
    if (request.stop.max_tokens >= 0 && item->pieces.size() + item->answer.reasoning.size() > limit) {
        item->answer.reasoning.resize(std::min(item->answer.reasoning.size(), limit));
        item->pieces.resize(limit - item->answer.reasoning.size());
        item->finish = FinishReason::length;
    }
    item->request = std::move(request);
    running_.push_back(std::move(item));
    wake_.notify_all();
    return id;
}

void ScriptedEngine::cancel(RequestId request) {
    const std::lock_guard lock(mutex_);
    cancelled_.push_back(request);
    for (auto& item : running_)
        if (item->id == request)
            item->cancelled = true;
    wake_.notify_all();
}

void ScriptedEngine::cancel_all_locked(std::vector<Outgoing>& out) {
    for (auto& item : running_) {
        Outgoing outgoing{item->sink, {}};
        finish_request(*item, outgoing, FinishReason::cancelled, std::nullopt);
        out.push_back(std::move(outgoing));
    }
    running_.clear();
}

void ScriptedEngine::stop() {
    cancel_load();
    {
        const std::lock_guard delivery(delivery_mutex_);
        std::vector<Outgoing> out;
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
            cancel_all_locked(out);
            wake_.notify_all();
        }
        deliver(out);
    }
    if (thread_.joinable())
        thread_.join();
    if (load_thread_.joinable())
        load_thread_.join();
}

} // namespace vitrine::testing
