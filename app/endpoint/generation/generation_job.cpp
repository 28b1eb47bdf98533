// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/generation/generation_job.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "app/endpoint/json_fields.h"

namespace vitrine::app {
namespace {

constexpr std::size_t kMaxUnsentBytes = 1 << 20;
constexpr std::size_t kMaxUnsentWithLogprobs = 4 << 20;
constexpr std::size_t kMaxBytesAtOnce = 64 << 10; // of a body made on the IO thread: a millisecond, about
constexpr std::size_t kLogprobBytes = 96; // of one entry as JSON, about

std::size_t logprob_bytes(const std::vector<engine::TokenLogprobs>& tokens) {
    std::size_t bytes = 0;
    for (const engine::TokenLogprobs& token : tokens)
        bytes += kLogprobBytes * (1 + token.top.size());
    return bytes;
}

} // namespace

std::string random_id(const char* prefix) {
    constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    static thread_local std::random_device device;
    std::string id = prefix;
    for (int i = 0; i < 24; ++i)
        id += kAlphabet[device() % (sizeof(kAlphabet) - 1)];
    return id;
}

double seconds(std::chrono::microseconds time) {
    return static_cast<double>(time.count()) * 1e-6;
}

GenerationJob::GenerationJob(ModelRequest request, Services& services, PlannedGeneration planned)
    : exchange_(std::move(request.exchange)), services_(services), lease_(std::move(request.lease)),
      slot_(std::move(request.slot)), plan_(std::move(planned.plan)), format_(std::move(planned.format)),
      load_(lease_->load) {
    const std::size_t num_choices = plan_.requests.size() * static_cast<std::size_t>(plan_.num_choices);
    outputs_.resize(num_choices);
    started_.resize(num_choices);
    usages_.resize(num_choices);
}

void GenerationJob::start() {
    const HttpRequest& request = exchange_->request();
    log_row_ = services_.access_log.add({0, std::chrono::system_clock::now(), request.id, request.client,
        request.method, request.path, plan_.model, 0, -1, -1, -1, 0, 0, 0, "", request.body, "", ""});
    mailbox_ = std::make_shared<StreamMailbox>(
        [self = shared_from_this()] { self->exchange_->post([self] { self->wake(); }); });
    exchange_->on_disconnect = [self = shared_from_this()] {
        self->cancel_all();
        self->log_end("cancelled", 499);
    };
    exchange_->on_stop = [self = shared_from_this()] { self->fail(server_stopping()); };
    exchange_->on_writable = [self = shared_from_this()] { self->pump(); };
    last_write_ = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < plan_.requests.size(); ++i) {
        const auto id = services_.engine.submit(std::move(plan_.requests[i]), mailbox_);
        if (!id) {
            fail(from_engine_error(id.error()));
            if (num_open_ == 0)
                mailbox_.reset(); // no event will come to do it
            return;
        }
        prompts_[*id] = i;
        ++num_open_;
    }
    if (plan_.stream)
        beat();
}

void GenerationJob::wake() {
    for (const engine::Event& event : mailbox_->take())
        handle(event);
    if (plan_.stream)
        pump();
    if (num_open_ == 0) { // the engine is through with us: break the cycles that kept the job alive
        if (!ended_ && !plan_.stream)
            respond();
        mailbox_ = std::make_shared<StreamMailbox>([] {});
        lease_.reset();
        slot_.reset();
    }
}

ChoiceOutput& GenerationJob::output(std::size_t prompt, int choice) {
    return outputs_[prompt * static_cast<std::size_t>(plan_.num_choices) + static_cast<std::size_t>(choice)];
}

void GenerationJob::handle(const engine::Event& event) {
    const auto found = prompts_.find(event.request);
    if (found == prompts_.end())
        return;
    const std::size_t prompt = found->second;
    if (const auto* admitted = std::get_if<engine::Admitted>(&event.what)) {
        on_admitted(*admitted);
    } else if (const auto* delta = std::get_if<engine::Delta>(&event.what)) {
        on_delta(prompt, *delta);
    } else if (const auto* part = std::get_if<engine::ToolCallPart>(&event.what)) {
        on_tool_part(output(prompt, part->choice), *part);
    } else if (const auto* call = std::get_if<engine::ToolCallFound>(&event.what)) {
        output(prompt, call->choice).tool_calls.push_back(call->call);
    } else if (const auto* logprobs = std::get_if<engine::PromptLogprobs>(&event.what)) {
        unsent_bytes_ += static_cast<std::size_t>(plan_.num_choices) * logprob_bytes(logprobs->tokens);
        for (int choice = 0; choice < plan_.num_choices; ++choice)
            output(prompt, choice).prompt_logprobs = logprobs->tokens;
    } else if (const auto* finished = std::get_if<engine::Finished>(&event.what)) {
        on_finished(prompt, *finished);
    } else if (const auto* rejected = std::get_if<engine::Rejected>(&event.what)) {
        --num_open_;
        prompts_.erase(found);
        fail(from_rejected(*rejected));
    }
}

void GenerationJob::on_admitted(const engine::Admitted& admitted) {
    ++num_admitted_;
    prompt_tokens_ += static_cast<int>(admitted.prompt_ids.size());
    services_.access_log.update(
        log_row_, [&](AccessRow& row) { row.prompt_text = AccessLog::beginning(admitted.prompt_text); });
    if (plan_.stream && !ended_ && num_admitted_ == plan_.requests.size()) {
        first_frames_ = format_->begin(prompt_tokens_);
        exchange_->begin_stream(format_->stream_type());
        streaming_ = true;
    }
}

void GenerationJob::on_delta(std::size_t prompt, engine::Delta delta) {
    ChoiceOutput& out = output(prompt, delta.choice);
    unsent_bytes_ += delta.text.size() + delta.reasoning.size() + logprob_bytes(delta.logprobs);
    if (response_text_.size() < AccessLog::kMaxTextBytes)
        response_text_ += delta.text;
    out.text += delta.text;
    out.reasoning += delta.reasoning;
    std::move(delta.logprobs.begin(), delta.logprobs.end(), std::back_inserter(out.logprobs));
    drop_slow_reader();
}

void GenerationJob::on_tool_part(ChoiceOutput& out, const engine::ToolCallPart& part) {
    unsent_bytes_ += part.name.size() + part.arguments.size();
    if (!out.tool_parts.empty() && out.tool_parts.back().index == part.index)
        out.tool_parts.back().arguments += part.arguments;
    else
        out.tool_parts.push_back(part);
    drop_slow_reader();
}

/// The engine never waits for a reader that does not keep up.
void GenerationJob::drop_slow_reader() {
    const std::size_t most = plan_.logprobs ? kMaxUnsentWithLogprobs : kMaxUnsentBytes;
    if (!plan_.stream || unsent_bytes_ <= most || ended_)
        return;
    cancel_all();
    exchange_->abort();
    log_end("slow_client", 499);
}

void GenerationJob::on_finished(std::size_t prompt, const engine::Finished& finished) {
    const std::size_t slot =
        prompt * static_cast<std::size_t>(plan_.num_choices) + static_cast<std::size_t>(finished.choice);
    outputs_[slot].finished = !finished.error && finished.reason != engine::FinishReason::cancelled;
    outputs_[slot].reason = finished.reason;
    outputs_[slot].stop_text = finished.stop_text;
    usages_[slot] = finished.usage;
    timings_ = finished.timings;
    if (finished.last)
        --num_open_;
    if (finished.error)
        fail(from_engine_error(*finished.error));
    else if (finished.reason == engine::FinishReason::cancelled && !ended_)
        fail(request_cancelled());
}

void GenerationJob::fail(const ApiError& error) {
    if (ended_)
        return;
    if (streaming_) {
        ended_ = true;
        const std::string frame = std::exchange(first_frames_, {}) + fresh_frames() + format_->error_frame(error);
        if (exchange_->writable()) {
            exchange_->on_writable = [exchange = exchange_] { exchange->end_stream(); };
            exchange_->write(frame);
        } else {
            exchange_->on_writable = [exchange = exchange_, frame] {
                exchange->on_writable = [exchange] { exchange->end_stream(); };
                exchange->write(frame);
            };
        }
    } else {
        ended_ = true;
        respond_error(*exchange_, error);
    }
    if (response_text_.empty())
        response_text_ = error.message; // the log tells why
    log_end("error", error.status);
    cancel_all();
}

void GenerationJob::cancel_all() {
    ended_ = true;
    for (const auto& [id, prompt] : prompts_)
        services_.engine.cancel(id);
}

void GenerationJob::pump() {
    if (ended_ || !streaming_ || !exchange_->writable())
        return;
    std::string frames = std::exchange(first_frames_, {}) + fresh_frames();
    unsent_bytes_ = 0;
    if (num_open_ == 0) {
        frames += format_->end(summary());
        ended_ = true;
        log_end(engine::finish_reason_name(outputs_.front().reason), 200);
        exchange_->on_writable = [exchange = exchange_] { exchange->end_stream(); };
    }
    if (!frames.empty()) {
        last_write_ = std::chrono::steady_clock::now();
        exchange_->write(std::move(frames));
    }
}

std::string GenerationJob::fresh_frames() {
    std::string frames;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        ChoiceOutput& fresh = outputs_[i];
        if (fresh.text.empty() && fresh.reasoning.empty() && fresh.logprobs.empty() && fresh.tool_parts.empty() &&
            fresh.tool_calls.empty() && !fresh.finished)
            continue;
        const bool first = !started_[i];
        started_[i] = true;
        frames += format_->frames(static_cast<int>(i), fresh, first);
    }
    return frames;
}

AnswerSummary GenerationJob::summary() const {
    AnswerSummary sum;
    for (std::size_t i = 0; i < usages_.size(); ++i) {
        if (i % static_cast<std::size_t>(plan_.num_choices) == 0) { // choices of one prompt share it
            sum.usage.prompt_tokens += usages_[i].prompt_tokens;
            sum.usage.cached_tokens += usages_[i].cached_tokens;
        }
        sum.usage.output_tokens += usages_[i].output_tokens;
        sum.usage.reasoning_tokens += usages_[i].reasoning_tokens;
    }
    sum.timings = timings_;
    sum.load = load_;
    return sum;
}

void GenerationJob::respond() {
    ended_ = true;
    log_end(engine::finish_reason_name(outputs_.front().reason), 200);
    if (unsent_bytes_ < kMaxBytesAtOnce) {
        respond_json(*exchange_, format_->body(outputs_, summary()));
        return;
    }
    services_.run_on_worker([exchange = exchange_, format = format_, outputs = std::move(outputs_), sum = summary(),
                                slot = slot_] { // a stop waits for slots
        exchange->post(
            [exchange, slot, response = json_response(format->body(outputs, sum))] { exchange->respond(response); });
    });
}

void GenerationJob::beat() {
    const auto weak = weak_from_this();
    exchange_->after(services_.config.heartbeat, [weak] {
        const auto self = weak.lock();
        if (!self || self->ended_)
            return;
        const auto silence = std::chrono::steady_clock::now() - self->last_write_;
        std::string sign = self->format_->heartbeat();
        if (self->streaming_ && self->exchange_->writable() && silence >= self->services_.config.heartbeat &&
            !sign.empty()) {
            self->last_write_ = std::chrono::steady_clock::now();
            self->exchange_->write(std::move(sign));
        }
        self->beat();
    });
}

void GenerationJob::log_end(const char* finish, int status) {
    int output = 0;
    for (const engine::Usage& usage : usages_)
        output += usage.output_tokens;
    services_.access_log.update(log_row_, [&](AccessRow& row) {
        if (row.status != 0)
            return;
        row.status = status;
        row.finish = finish;
        row.queue_s = seconds(timings_.queued);
        row.first_token_s = seconds(timings_.first_token);
        row.total_s = seconds(timings_.total);
        row.prompt_tokens = usages_.front().prompt_tokens;
        row.cached_tokens = usages_.front().cached_tokens;
        row.output_tokens = output;
        row.response_text = response_text_;
    });
}

} // namespace vitrine::app
