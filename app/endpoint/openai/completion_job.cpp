// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/openai/completion_job.h"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "app/endpoint/json_fields.h"
#include "app/endpoint/openai/openai_handlers.h"

namespace vitrine::app {
namespace {

constexpr std::size_t kMaxUnsentBytes = 1 << 20;

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

} // namespace

CompletionJob::CompletionJob(std::shared_ptr<Exchange> exchange, Services& services, CompletionPlan plan)
    : exchange_(std::move(exchange)), services_(services), plan_(std::move(plan)),
      format_(plan_, {random_id(plan_.chat ? "chatcmpl-" : "cmpl-"), std::time(nullptr), plan_.model}) {
    const std::size_t num_choices = plan_.requests.size() * static_cast<std::size_t>(plan_.num_choices);
    outputs_.resize(num_choices);
    started_.resize(num_choices);
    usages_.resize(num_choices);
    ++services_.jobs_running;
}

CompletionJob::~CompletionJob() {
    --services_.jobs_running;
}

void CompletionJob::start() {
    const HttpRequest& request = exchange_->request();
    log_row_ = services_.access_log.add({0, std::chrono::system_clock::now(), request.id, request.client,
        request.method, request.path, plan_.model, 0, -1, -1, -1, 0, 0, 0, "", request.body, "", ""});
    mailbox_ = std::make_shared<StreamMailbox>(
        [self = shared_from_this()] { self->exchange_->post([self] { self->wake(); }); });
    exchange_->on_disconnect = [self = shared_from_this()] {
        self->cancel_all();
        self->log_end("cancelled", 499);
    };
    exchange_->on_writable = [self = shared_from_this()] { self->pump(); };
    last_write_ = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < plan_.requests.size(); ++i) {
        const auto id = services_.engine.submit(plan_.requests[i], mailbox_);
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

void CompletionJob::wake() {
    for (const engine::Event& event : mailbox_->take())
        handle(event);
    if (plan_.stream)
        pump();
    if (num_open_ == 0) { // the engine is through with us: break the cycles that kept the job alive
        if (!ended_ && !plan_.stream)
            respond();
        mailbox_ = std::make_shared<StreamMailbox>([] {});
    }
}

ChoiceOutput& CompletionJob::output(std::size_t prompt, int choice) {
    return outputs_[prompt * static_cast<std::size_t>(plan_.num_choices) + static_cast<std::size_t>(choice)];
}

void CompletionJob::handle(const engine::Event& event) {
    const auto found = prompts_.find(event.request);
    if (found == prompts_.end())
        return;
    const std::size_t prompt = found->second;
    if (const auto* admitted = std::get_if<engine::Admitted>(&event.what)) {
        ++num_admitted_;
        services_.access_log.update(log_row_, [&](AccessRow& row) { row.prompt_text = admitted->prompt_text; });
        if (plan_.stream && !ended_ && num_admitted_ == plan_.requests.size()) {
            exchange_->begin_stream("text/event-stream");
            streaming_ = true;
        }
    } else if (const auto* delta = std::get_if<engine::Delta>(&event.what)) {
        on_delta(prompt, *delta);
    } else if (const auto* call = std::get_if<engine::ToolCallFound>(&event.what)) {
        output(prompt, call->choice).tool_calls.push_back(call->call);
    } else if (const auto* logprobs = std::get_if<engine::PromptLogprobs>(&event.what)) {
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

void CompletionJob::on_delta(std::size_t prompt, engine::Delta delta) {
    ChoiceOutput& out = output(prompt, delta.choice);
    unsent_bytes_ += delta.text.size() + delta.reasoning.size();
    if (response_text_.size() < AccessLog::kMaxTextBytes)
        response_text_ += delta.text;
    out.text += delta.text;
    out.reasoning += delta.reasoning;
    std::move(delta.logprobs.begin(), delta.logprobs.end(), std::back_inserter(out.logprobs));
    if (plan_.stream && unsent_bytes_ > kMaxUnsentBytes &&
        !ended_) { // the reader does not keep up; the engine never waits
        cancel_all();
        exchange_->abort();
        log_end("slow_client", 499);
    }
}

void CompletionJob::on_finished(std::size_t prompt, const engine::Finished& finished) {
    const std::size_t slot =
        prompt * static_cast<std::size_t>(plan_.num_choices) + static_cast<std::size_t>(finished.choice);
    outputs_[slot].finished = true;
    outputs_[slot].reason = finished.reason;
    usages_[slot] = finished.usage;
    timings_ = finished.timings;
    if (finished.last)
        --num_open_;
    if (finished.error)
        fail(from_engine_error(*finished.error));
    else if (finished.reason == engine::FinishReason::cancelled && !ended_)
        fail({503, "unavailable_error", "server_stopping", "The request was cancelled by the server.", "", 1, -1, 0,
            ""});
}

void CompletionJob::fail(const ApiError& error) {
    if (ended_)
        return;
    if (streaming_) {
        // A clean end would count as success with the clients: an error frame, no [DONE].
        ended_ = true;
        const std::string frame = "data: " + dump_json(error_json(error)) + "\n\n";
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
        exchange_->respond(error_response(error));
    }
    log_end("error", error.status);
    cancel_all();
}

void CompletionJob::cancel_all() {
    ended_ = true;
    for (const auto& [id, prompt] : prompts_)
        services_.engine.cancel(id);
}

void CompletionJob::pump() {
    if (ended_ || !streaming_ || !exchange_->writable())
        return;
    std::string frames;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        ChoiceOutput& fresh = outputs_[i];
        if (fresh.text.empty() && fresh.reasoning.empty() && fresh.logprobs.empty() && fresh.tool_calls.empty() &&
            !fresh.finished)
            continue;
        const bool first = !started_[i];
        started_[i] = true;
        frames += format_.frames(static_cast<int>(i), fresh, first);
    }
    unsent_bytes_ = 0;
    if (num_open_ == 0) {
        if (plan_.include_usage)
            frames += format_.usage_frame(usage());
        frames += "data: [DONE]\n\n";
        ended_ = true;
        log_end(engine::finish_reason_name(outputs_.front().reason), 200);
        exchange_->on_writable = [exchange = exchange_] { exchange->end_stream(); };
    }
    if (!frames.empty()) {
        last_write_ = std::chrono::steady_clock::now();
        exchange_->write(std::move(frames));
    }
}

nlohmann::json CompletionJob::usage() const {
    int prompt = 0;
    int cached = 0;
    int output = 0;
    int reasoning = 0;
    for (std::size_t i = 0; i < usages_.size(); ++i) {
        if (i % static_cast<std::size_t>(plan_.num_choices) == 0) { // choices of one prompt share it
            prompt += usages_[i].prompt_tokens;
            cached += usages_[i].cached_tokens;
        }
        output += usages_[i].output_tokens;
        reasoning += usages_[i].reasoning_tokens;
    }
    return usage_json(prompt, cached, output, reasoning);
}

void CompletionJob::respond() {
    ended_ = true;
    nlohmann::json body = format_.body(outputs_, usage());
    const double decode_s = seconds(timings_.decode);
    const int output_tokens = usages_.front().output_tokens;
    body["timings"] = {{"queue_s", seconds(timings_.queued)}, {"first_token_s", seconds(timings_.first_token)},
        {"total_s", seconds(timings_.total)},
        {"tokens_per_s", decode_s > 0 && output_tokens > 1 ? (output_tokens - 1) / decode_s : 0.0}};
    HttpResponse response;
    response.body = dump_json(body);
    log_end(engine::finish_reason_name(outputs_.front().reason), 200);
    exchange_->respond(std::move(response));
}

void CompletionJob::beat() {
    const auto weak = weak_from_this();
    exchange_->after(services_.config.heartbeat, [weak] {
        const auto self = weak.lock();
        if (!self || self->ended_)
            return;
        const auto silence = std::chrono::steady_clock::now() - self->last_write_;
        if (self->streaming_ && self->exchange_->writable() && silence >= self->services_.config.heartbeat) {
            self->last_write_ = std::chrono::steady_clock::now();
            self->exchange_->write(":\n\n"); // some clients stop at ": ping"
        }
        self->beat();
    });
}

void CompletionJob::log_end(const char* finish, int status) {
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

namespace {

using Planner = tl::expected<CompletionPlan, ApiError> (*)(const nlohmann::json&, const engine::TextModel&);

void handle_generation(const std::shared_ptr<Exchange>& exchange, Services& services, Planner planner) {
    const auto text = services.engine.text_model();
    const auto snapshot = services.engine.snapshot();
    if (!text || !snapshot->model) {
        exchange->respond(error_response(resolve_model(services, "").error()));
        return;
    }
    if (snapshot->waiting >= services.config.max_waiting) {
        ApiError error{429, "rate_limit_error", "rate_limit_exceeded", "", "", 1, -1, 0, ""};
        error.message = "The queue is full with " + std::to_string(snapshot->waiting) + " requests; try again later.";
        exchange->respond(error_response(error));
        return;
    }
    services.run_on_worker([exchange, &services, text, planner] {
        const auto body = parse_body(exchange->request().body);
        tl::expected<CompletionPlan, ApiError> plan = body ? planner(*body, *text) : tl::unexpected(body.error());
        if (plan) {
            auto model = resolve_model(services, plan->model);
            if (!model && plan->model.empty())
                plan = tl::unexpected(invalid_value("model", "'model' is missing.", "missing_required_parameter"));
            else if (!model)
                plan = tl::unexpected(model.error());
        }
        exchange->post([exchange, &services, plan = std::move(plan)]() mutable {
            if (!plan) {
                exchange->respond(error_response(plan.error()));
                return;
            }
            for (engine::Request& request : plan->requests)
                request.label = exchange->request().header("user-agent").value_or("API");
            std::make_shared<CompletionJob>(exchange, services, std::move(*plan))->start();
        });
    });
}

} // namespace

void handle_chat_completions(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services, plan_chat);
}

void handle_completions(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_generation(exchange, services, plan_completion);
}

} // namespace vitrine::app
