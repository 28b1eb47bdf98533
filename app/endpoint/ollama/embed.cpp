// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: /api/embed and the older /api/embeddings.
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/generation/embedding_job.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/ollama/ollama_handlers.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;
using Planned = tl::expected<std::pair<EmbeddingPlan, EmbeddingJob::Format>, ApiError>;

std::int64_t nanoseconds(std::chrono::microseconds time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

Planned plan_embed(const Json& body, const ModelLease& lease) {
    Fields fields(body);
    const bool truncate = fields.boolean("truncate", true);
    if (fields.error())
        return tl::unexpected(*fields.error());
    auto plan = plan_embeddings(body, "input", lease, truncate);
    if (!plan)
        return tl::unexpected(std::move(plan.error()));
    return std::pair{*std::move(plan), EmbeddingJob::Format([model = lease.id](const EmbeddingAnswer& answer) {
                         const AnswerSummary& summary = answer.summary;
                         return Json{{"model", model}, {"embeddings", answer.vectors},
                             {"total_duration", nanoseconds(summary.timings.total + summary.load)},
                             {"load_duration", nanoseconds(summary.load)}, {"prompt_eval_count", answer.prompt_tokens}};
                     })};
}

Planned plan_old_embeddings(const Json& body, const ModelLease& lease) {
    auto plan = plan_embeddings(body, "prompt", lease, true);
    if (!plan)
        return tl::unexpected(std::move(plan.error()));
    return std::pair{*std::move(plan), EmbeddingJob::Format([](const EmbeddingAnswer& answer) {
                         return Json{{"embedding", answer.vectors.front()}};
                     })};
}

} // namespace

void handle_ollama_embed(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_embedding_request(exchange, services, plan_embed);
}

void handle_ollama_embeddings(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_embedding_request(exchange, services, plan_old_embeddings);
}

} // namespace vitrine::app
