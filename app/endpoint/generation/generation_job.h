// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: one running generation, whatever the dialect.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <vector>

#include "app/endpoint/exchange.h"
#include "app/endpoint/generation/answer_format.h"
#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/services.h"
#include "app/endpoint/stream_mailbox.h"

namespace vitrine::app {

/// Lives on the IO thread from start() until the last engine event; keeps itself alive through the exchange's hooks.
/// Until every prompt is admitted nothing is sent, so that a bad prompt is a 4xx even when streaming.
class GenerationJob : public std::enable_shared_from_this<GenerationJob> {
public:
    GenerationJob(ModelRequest request, Services& services, PlannedGeneration planned);
    void start();

private:
    void wake();
    void handle(const engine::Event& event);
    void on_admitted(const engine::Admitted& admitted);
    void on_delta(std::size_t prompt, engine::Delta delta);
    void on_tool_part(ChoiceOutput& out, const engine::ToolCallPart& part);
    void drop_slow_reader();
    void on_finished(std::size_t prompt, const engine::Finished& finished);
    void fail(const ApiError& error);
    void cancel_all();
    void pump();
    [[nodiscard]] std::string fresh_frames();
    void respond();
    void beat();
    void log_end(const char* finish, int status);
    [[nodiscard]] ChoiceOutput& output(std::size_t prompt, int choice);
    [[nodiscard]] AnswerSummary summary() const;

    std::shared_ptr<Exchange> exchange_;
    Services& services_;
    std::shared_ptr<ModelLease> lease_; // let go with the last engine event
    std::shared_ptr<OpenSlot> slot_; // likewise
    CompletionPlan plan_;
    std::shared_ptr<AnswerFormat> format_;
    std::shared_ptr<StreamMailbox> mailbox_;
    std::map<engine::RequestId, std::size_t> prompts_; // engine request -> index of its prompt
    std::vector<ChoiceOutput> outputs_; // by choice index
    std::vector<bool> started_; // role chunk sent, by choice index
    std::vector<engine::Usage> usages_; // by choice index
    std::string first_frames_; // begin(), not sent yet
    std::size_t num_admitted_ = 0;
    std::size_t num_open_ = 0; // engine requests without their last event
    std::size_t unsent_bytes_ = 0;
    int prompt_tokens_ = 0;
    bool streaming_ = false; // head sent
    bool ended_ = false; // answered, failed or disconnected
    std::chrono::steady_clock::time_point last_write_;
    std::uint64_t log_row_ = 0;
    std::string response_text_;
    engine::RequestTimings timings_;
    std::chrono::microseconds load_; // what the model was waited for
};

} // namespace vitrine::app
