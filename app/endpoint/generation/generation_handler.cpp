// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/generation/generation_handler.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/generation/generation_job.h"
#include "app/endpoint/http_message.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/request_gate.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

/// The name a body gives; an error when it must and does not.
tl::expected<std::string, ApiError> model_name(const Json& body, ModelField field) {
    Fields fields(body);
    std::string name = fields.text("model");
    if (name.empty())
        name = fields.text("name"); // older Ollama clients
    if (fields.error())
        return tl::unexpected(*fields.error());
    if (name.empty() && field == ModelField::required)
        return tl::unexpected(invalid_value("model", "'model' is missing.", "missing_required_parameter"));
    return name;
}

/// Until a job takes the exchange over: a stop answers, a disconnect gives up waiting.
void watch_wait(const std::shared_ptr<Exchange>& exchange) {
    const std::weak_ptr<Exchange> weak = exchange;
    exchange->on_stop = [weak] {
        if (const auto waiting = weak.lock())
            respond_error(*waiting, server_stopping());
    };
}

/// A request for the name of an adapter uses that one alone, unless its field `lora` says otherwise.
void use_named_adapter(const ModelLease& lease, std::vector<engine::Request>& requests) {
    const std::string asked = lower_case(lease.id);
    const auto& adapters = lease.model->adapters;
    const auto named = std::find_if(adapters.begin(), adapters.end(),
        [&](const engine::LoadedAdapter& adapter) { return lower_case(adapter.name) == asked; });
    for (engine::Request& request : requests)
        if (named != adapters.end() && !request.adapters)
            request.adapters = {{static_cast<int>(named - adapters.begin()), 1.0F}};
}

void wait_for_model(ModelRequest request, std::string name, Services& services,
    const std::shared_ptr<std::function<void(ModelRequest)>>& work) {
    if (request.exchange->ended())
        return;
    const auto exchange = request.exchange;
    const std::uint64_t ticket = services.models->next_ticket();
    exchange->on_disconnect = [&services, ticket] { services.models->cancel(ticket); };
    services.models->acquire(ticket, name,
        [request = std::move(request), &services, work](
            tl::expected<std::shared_ptr<ModelLease>, ApiError> lease) mutable {
            const auto waiting = request.exchange;
            waiting->on_disconnect = nullptr;
            if (!lease) {
                respond_error(*waiting, lease.error());
                return;
            }
            request.lease = *std::move(lease);
            services.run_on_worker([request = std::move(request), work]() mutable { (*work)(std::move(request)); });
        });
}

/// What the head of the request says.  Several keys mean several people: none of them can find out by timing or by
/// cached_tokens what another one has asked.
void complete_request(engine::Request& request, const HttpRequest& head, const Services& services) {
    request.label = head.header("user-agent").value_or("API");
    if (services.config.keys.size() > 1)
        request.cache_salt = fmt::format("key {}\n{}", key_number(head, services.config.keys), request.cache_salt);
}

} // namespace

void respond_error(Exchange& exchange, const ApiError& error) {
    exchange.respond(error_response(error, exchange.request().dialect, exchange.request().id));
}

HttpResponse json_response(const Json& value) {
    HttpResponse response;
    response.body = dump_json(value);
    return response;
}

void respond_json(Exchange& exchange, const Json& value) {
    exchange.respond(json_response(value));
}

void with_model(const std::shared_ptr<Exchange>& exchange, Services& services, ModelField field,
    std::function<void(ModelRequest)> work) {
    auto slot = OpenSlot::take(services);
    if (!slot) {
        respond_error(*exchange, slot.error());
        return;
    }
    watch_wait(exchange);
    auto shared_work = std::make_shared<std::function<void(ModelRequest)>>(std::move(work));
    ModelRequest request{exchange, nullptr, nullptr, *std::move(slot)};
    services.run_on_worker([request = std::move(request), &services, field, shared_work]() mutable {
        auto body = parse_body(request.exchange->request().body);
        tl::expected<std::string, ApiError> name =
            body ? model_name(*body, field) : tl::unexpected(std::move(body.error()));
        if (name)
            request.body = std::make_shared<const Json>(*std::move(body));
        const auto asking = request.exchange;
        asking->post([request = std::move(request), name = std::move(name), &services, shared_work]() mutable {
            request.exchange->drop_body();
            if (name)
                wait_for_model(std::move(request), *std::move(name), services, shared_work);
            else
                respond_error(*request.exchange, name.error());
        });
    });
}

void answer_with_model(
    const std::shared_ptr<Exchange>& exchange, Services& services, ModelField field, ModelWork work) {
    with_model(exchange, services, field, [work](ModelRequest request) {
        auto answer = work(*request.body, *request.lease);
        HttpResponse response = answer ? json_response(*answer) : HttpResponse{};
        request.body.reset(); // large ones take a while to go, which the IO thread has not got
        const auto asking = request.exchange;
        asking->post(
            [request = std::move(request), answer = answer.map([](const Json&) {}), response = std::move(response)] {
                if (answer)
                    request.exchange->respond(response);
                else
                    respond_error(*request.exchange, answer.error());
            });
    });
}

void handle_generation(
    const std::shared_ptr<Exchange>& exchange, Services& services, Planner planner, ModelField field) {
    with_model(exchange, services, field, [&services, planner](ModelRequest request) {
        auto planned = planner(*request.body, *request.lease->text);
        request.body.reset();
        if (planned)
            for (engine::Request& one : planned->plan.requests)
                complete_request(one, request.exchange->request(), services);
        const auto asking = request.exchange;
        asking->post([request = std::move(request), &services, planned = std::move(planned)]() mutable {
            if (request.exchange->ended())
                return;
            if (!planned) {
                respond_error(*request.exchange, planned.error());
                return;
            }
            if (planned->keep_alive)
                services.models->keep_alive(*planned->keep_alive);
            if (!planned->answer_at_once.empty()) {
                Json body = planned->format->body({ChoiceOutput{}}, AnswerSummary{{}, {}, request.lease->load});
                body["done_reason"] = planned->answer_at_once;
                respond_json(*request.exchange, body);
                return;
            }
            const std::size_t num_sequences =
                planned->plan.requests.size() * static_cast<std::size_t>(planned->plan.num_choices);
            if (const auto full = request.slot->widen(static_cast<int>(num_sequences))) {
                respond_error(*request.exchange, *full);
                return;
            }
            use_named_adapter(*request.lease, planned->plan.requests);
            std::make_shared<GenerationJob>(std::move(request), services, *std::move(planned))->start();
        });
    });
}

} // namespace vitrine::app
