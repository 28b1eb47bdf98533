// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the way of every generating request: parse, get the model, plan, run.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "app/endpoint/exchange.h"
#include "app/endpoint/generation/answer_format.h"
#include "app/endpoint/model_switch.h"
#include "app/endpoint/openai/completion_plan.h"
#include "app/endpoint/services.h"

namespace vitrine::app {

/// A checked request and the dialect's way of answering it.
struct PlannedGeneration {
    CompletionPlan plan;
    std::shared_ptr<AnswerFormat> format; // this answer's alone
    std::optional<std::chrono::milliseconds> keep_alive{}; // how long the model stays afterwards; negative: for ever
    std::string answer_at_once{}; // not empty: nothing is generated, and this is said as done_reason
};

enum class ModelField : std::uint8_t { required, optional };

/// Thread: worker.  `text`: of the model the body names.
using Planner = tl::expected<PlannedGeneration, ApiError> (*)(
    const nlohmann::ordered_json& body, const engine::TextModel& text);
void handle_generation(const std::shared_ptr<Exchange>& exchange, Services& services, Planner planner,
    ModelField field = ModelField::required);

/// Parses the body on a worker, gets the model it names (field `model`), and calls `work` with both on a worker.
/// Errors are answered.  The open request counts in Services::open until `slot` goes.
struct ModelRequest {
    std::shared_ptr<Exchange> exchange;
    std::shared_ptr<const nlohmann::ordered_json> body;
    std::shared_ptr<ModelLease> lease;
    std::shared_ptr<OpenSlot> slot;
};
void with_model(const std::shared_ptr<Exchange>& exchange, Services& services, ModelField field,
    std::function<void(ModelRequest)> work);

/// Answers with a value computed on a worker from body and model.
using ModelWork = tl::expected<nlohmann::ordered_json, ApiError> (*)(
    const nlohmann::ordered_json& body, const ModelLease& lease);
void answer_with_model(const std::shared_ptr<Exchange>& exchange, Services& services, ModelField field, ModelWork work);

/// The error in the shape of the exchange's dialect.
void respond_error(Exchange& exchange, const ApiError& error);
[[nodiscard]] HttpResponse json_response(const nlohmann::ordered_json& value); // thread: any
void respond_json(Exchange& exchange, const nlohmann::ordered_json& value);

} // namespace vitrine::app
