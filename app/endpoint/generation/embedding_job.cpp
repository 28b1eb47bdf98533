// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/generation/embedding_job.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace vitrine::app {
namespace {

/// GGUF's pooling_type; what says nothing is averaged.
engine::Pooling pooling_of(int pooling_type) {
    constexpr int kFirst = 2, kLast = 3;
    return pooling_type == kLast ? engine::Pooling::last
        : pooling_type == kFirst ? engine::Pooling::first
                                 : engine::Pooling::mean;
}

/// Cut to `dimensions`, then to length one; a vector of zeros stays.
void normalise(std::vector<float>& vector, int dimensions) {
    if (dimensions > 0)
        vector.resize(static_cast<std::size_t>(dimensions));
    double sum = 0;
    for (const float value : vector)
        sum += static_cast<double>(value) * static_cast<double>(value);
    const double scale = sum > 0 ? 1 / std::sqrt(sum) : 0;
    for (float& value : vector)
        value = static_cast<float>(static_cast<double>(value) * scale);
}

} // namespace

EmbeddingJob::EmbeddingJob(ModelRequest request, Services& services, EmbeddingPlan plan, Format format)
    : request_(std::move(request)), exchange_(request_.exchange), services_(services), plan_(std::move(plan)),
      format_(std::move(format)) {
    answer_.vectors.resize(plan_.inputs.size());
    answer_.summary.load = request_.lease->load;
}

void EmbeddingJob::start() {
    const HttpRequest& request = exchange_->request();
    AccessRow row;
    row.time = std::chrono::system_clock::now();
    row.id = request.id;
    row.client = request.client;
    row.method = request.method;
    row.path = request.path;
    row.model = request_.lease->id;
    row.request_body = request.body;
    log_row_ = services_.access_log.add(std::move(row));
    mailbox_ = std::make_shared<StreamMailbox>(
        [self = shared_from_this()] { self->exchange_->post([self] { self->wake(); }); });
    exchange_->on_disconnect = [self = shared_from_this()] { self->fail(request_cancelled()); };
    exchange_->on_stop = [self = shared_from_this()] { self->fail(server_stopping()); };
    submit_more();
}

void EmbeddingJob::submit_more() {
    while (!ended_ && next_ < plan_.inputs.size() && running_.size() < kInFlight) {
        engine::Request request;
        request.source = engine::RequestSource::api;
        request.label = exchange_->request().header("user-agent").value_or("API");
        request.pooling = pooling_of(request_.lease->model->info.pooling_type);
        request.prompt = engine::TokenPrompt{std::move(plan_.inputs[next_])};
        const auto id = services_.engine.submit(std::move(request), mailbox_);
        if (!id) {
            fail(from_engine_error(id.error()));
            break;
        }
        running_[*id] = next_++;
    }
    if (running_.empty()) // no event will come any more
        finish();
}

void EmbeddingJob::wake() {
    for (const engine::Event& event : mailbox_->take())
        handle(event);
    submit_more();
}

void EmbeddingJob::handle(const engine::Event& event) {
    const auto found = running_.find(event.request);
    if (found == running_.end())
        return;
    if (const auto* embedded = std::get_if<engine::Embedded>(&event.what)) {
        answer_.vectors[found->second] = embedded->values;
        normalise(answer_.vectors[found->second], plan_.dimensions);
    } else if (const auto* finished = std::get_if<engine::Finished>(&event.what)) {
        answer_.prompt_tokens += finished->usage.prompt_tokens;
        answer_.summary.timings = finished->timings;
        running_.erase(found);
        if (finished->error)
            fail(from_engine_error(*finished->error));
        else if (finished->reason == engine::FinishReason::cancelled)
            fail(request_cancelled());
    } else if (const auto* rejected = std::get_if<engine::Rejected>(&event.what)) {
        running_.erase(found);
        fail(from_rejected(*rejected));
    }
}

void EmbeddingJob::fail(const ApiError& error) {
    if (std::exchange(ended_, true))
        return;
    respond_error(*exchange_, error);
    services_.access_log.update(log_row_, [&](AccessRow& row) {
        row.status = error.status;
        row.finish = "error";
        row.total_s = 0;
    });
    for (const auto& [id, input] : running_)
        services_.engine.cancel(id);
}

void EmbeddingJob::finish() {
    if (!std::exchange(ended_, true)) {
        services_.access_log.update(log_row_, [&](AccessRow& row) {
            row.status = 200;
            row.finish = "stop";
            row.prompt_tokens = answer_.prompt_tokens;
            row.total_s = seconds(answer_.summary.timings.total);
        });
        // Numbers as text are megabytes soon, which would hold up every stream.
        services_.run_on_worker([exchange = exchange_, format = format_, answer = std::move(answer_),
                                    slot = request_.slot] {
            exchange->post([exchange, slot, response = json_response(format(answer))] { exchange->respond(response); });
        });
    }
    mailbox_ = std::make_shared<StreamMailbox>([] {}); // breaks the cycle that kept the job alive
    request_.lease.reset();
    request_.slot.reset();
}

void handle_embedding_request(const std::shared_ptr<Exchange>& exchange, Services& services, EmbeddingPlanner planner) {
    with_model(exchange, services, ModelField::required, [&services, planner](ModelRequest request) {
        auto planned = planner(*request.body, *request.lease);
        const auto waiting = request.exchange;
        waiting->post([request = std::move(request), &services, planned = std::move(planned)]() mutable {
            if (request.exchange->ended())
                return;
            if (planned)
                std::make_shared<EmbeddingJob>(
                    std::move(request), services, std::move(planned->first), std::move(planned->second))
                    ->start();
            else
                respond_error(*request.exchange, planned.error());
        });
    });
}

} // namespace vitrine::app
