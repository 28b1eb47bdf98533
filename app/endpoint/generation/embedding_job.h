// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: embeddings of a batch of inputs, whatever the dialect.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "app/endpoint/generation/embedding_plan.h"
#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/stream_mailbox.h"

namespace vitrine::app {

struct EmbeddingAnswer {
    std::vector<std::vector<float>> vectors; // L2-normalised, in the order of the inputs
    int prompt_tokens = 0;
    AnswerSummary summary;
};

/// Runs the plan and answers with what `format` makes of the result.  At most kInFlight inputs are with the engine.
/// Thread: IO.
class EmbeddingJob : public std::enable_shared_from_this<EmbeddingJob> {
public:
    static constexpr std::size_t kInFlight = 32;
    using Format = std::function<nlohmann::ordered_json(const EmbeddingAnswer&)>;

    EmbeddingJob(ModelRequest request, Services& services, EmbeddingPlan plan, Format format);
    void start();

private:
    void submit_more();
    void wake();
    void handle(const engine::Event& event);
    void fail(const ApiError& error);
    void finish();

    ModelRequest request_;
    std::shared_ptr<Exchange> exchange_;
    Services& services_;
    EmbeddingPlan plan_;
    Format format_;
    EmbeddingAnswer answer_;
    std::shared_ptr<StreamMailbox> mailbox_;
    std::map<engine::RequestId, std::size_t> running_; // engine request -> input
    std::size_t next_ = 0; // input to submit
    bool ended_ = false;
    std::uint64_t log_row_ = 0;
};

using EmbeddingPlanner = tl::expected<std::pair<EmbeddingPlan, EmbeddingJob::Format>, ApiError> (*)(
    const nlohmann::ordered_json& body, const ModelLease& lease);
void handle_embedding_request(const std::shared_ptr<Exchange>& exchange, Services& services, EmbeddingPlanner planner);

} // namespace vitrine::app
