// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: how one dialect writes the answer of a running generation.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/endpoint/api_error.h"
#include "engine/api/event.h"

namespace vitrine::app {

/// What one choice has produced and not sent (streaming), or all of it (not streaming).
struct ChoiceOutput {
    std::string text;
    std::string reasoning;
    std::vector<engine::TokenLogprobs> logprobs;
    std::vector<engine::ToolCallPart> tool_parts; // those of one call joined; also of a call that was cut short
    std::vector<engine::FoundToolCall> tool_calls; // complete ones
    std::vector<engine::TokenLogprobs> prompt_logprobs; // legacy echo
    bool finished = false;
    engine::FinishReason reason = engine::FinishReason::stop;
    std::string stop_text; // the stop string that ended it, if one did
};

/// Of a whole answer: all choices together.
struct AnswerSummary {
    engine::Usage usage;
    engine::RequestTimings timings; // of the choice that ended last
    std::chrono::microseconds load{0}; // what this request waited for its model
};

/// One object an answer.  A stream is begin(), frames() as often as text comes, then end() or error_frame().
/// Thread: made on a worker, used on the IO thread.
class AnswerFormat {
public:
    virtual ~AnswerFormat() = default;

    [[nodiscard]] virtual std::string stream_type() const { return "text/event-stream"; }
    /// Once every prompt is admitted.
    [[nodiscard]] virtual std::string begin(int prompt_tokens) {
        static_cast<void>(prompt_tokens);
        return {};
    }
    /// What a choice has produced since the last call; empties `fresh`.
    [[nodiscard]] virtual std::string frames(int index, ChoiceOutput& fresh, bool first) = 0;
    [[nodiscard]] virtual std::string end(const AnswerSummary& summary) = 0;
    /// After this the stream is cut: a clean end would count as success with the clients.
    [[nodiscard]] virtual std::string error_frame(const ApiError& error) = 0;
    /// Sent after a long silence; empty: the dialect has none.
    [[nodiscard]] virtual std::string heartbeat() const { return ":\n\n"; } // some clients stop at ": ping"
    /// The answer of a request that does not stream.
    [[nodiscard]] virtual nlohmann::ordered_json body(
        const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) = 0;
};

/// "resp_" -> "resp_" and 24 letters and digits.
[[nodiscard]] std::string random_id(const char* prefix);
[[nodiscard]] double seconds(std::chrono::microseconds time);

} // namespace vitrine::app
