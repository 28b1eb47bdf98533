// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: what the engine tells a client about its request.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/api/request.h"
#include "kernels/api/result.h"

namespace vitrine::engine {

struct TokenLogprobs {
    TokenId token = 0;
    std::string bytes; // of this token
    float logprob = 0; // of the raw logits; -inf possible
    std::vector<std::pair<TokenId, float>> top; // descending
    std::vector<std::string> top_bytes; // parallel to top
    bool from_draft = false; // an accepted draft token
};

/// Sent once, when the prompt is rendered, tokenized and admitted to the waiting queue.
struct Admitted {
    std::vector<TokenId> prompt_ids;
    std::string prompt_text; // rendered prompt, exactly
    std::uint64_t seed = 0; // the one in use
    bool reasoning_open = false; // the prompt ended inside a reasoning tag
};
/// At most 20 a second while the request waits or prefills.
struct Progress {
    int queue_position = 0; // 0: running
    int prompt_tokens = 0;
    int computed_tokens = 0; // of the prompt, cached ones included
    int cached_tokens = 0;
};
/// New text of one choice; whole UTF-8, never withdrawn.
struct Delta {
    int choice = 0;
    std::string text;
    std::string reasoning;
    std::vector<TokenId> ids; // tokens behind it
    std::vector<TokenLogprobs> logprobs; // if asked for
    int num_draft_tokens = 0; // how many of ids were accepted drafts
};
/// Named apart from chat's ToolCall, which has no index.
struct FoundToolCall {
    int index = 0;
    std::string id;
    std::string name;
    std::string arguments_json;
};
/// The next piece of a call that the model is writing.  A call's pieces join to its arguments; the first has its id and
/// name, which the others leave empty.  Never withdrawn: a call that is cut short ends as it stands.
struct ToolCallPart {
    int choice = 0;
    int index = 0;
    std::string id;
    std::string name;
    std::string arguments;
};
/// A complete tool call in the output of one choice, behind all of its parts.
struct ToolCallFound {
    int choice = 0;
    FoundToolCall call;
};
/// Logprobs of the prompt's tokens (echo); the first token has none.
struct PromptLogprobs {
    std::vector<TokenLogprobs> tokens;
};

/// The pooled final hidden state of the prompt, as computed: not normalised.
struct Embedded {
    std::vector<float> values; // [embedding_dim]
};

enum class FinishReason : std::uint8_t { stop, length, tool_calls, cancelled, error };
[[nodiscard]] constexpr const char* finish_reason_name(FinishReason reason) {
    constexpr const char* kNames[] = {"stop", "length", "tool_calls", "cancelled", "error"};
    return kNames[static_cast<int>(reason)];
}

/// Durations from one monotonic clock; measured from submit() unless said otherwise.
struct RequestTimings {
    std::chrono::microseconds queued{0}; // submit to first planned step
    std::chrono::microseconds first_token{0}; // TTFT
    std::chrono::microseconds total{0};
    std::chrono::microseconds prefill{0}; // first planned step to first token
    std::chrono::microseconds decode{0}; // first token to last
};
struct Usage {
    int prompt_tokens = 0;
    int cached_tokens = 0;
    int output_tokens = 0; // sampled, EOS and stop text included
    int reasoning_tokens = 0;
    int drafted_tokens = 0;
    int accepted_tokens = 0;
    int decode_steps = 0;
    int preemptions = 0;
};
/// Once for each choice; the last event of that choice.
struct Finished {
    int choice = 0;
    FinishReason reason = FinishReason::stop;
    std::string stop_text; // the stop string that matched, if one did
    Usage usage;
    RequestTimings timings;
    std::optional<Error> error; // with reason error
    std::string miss_note; // as in SequenceStatus
    bool last = true; // no choice of this request is left
};
/// The request never ran: template error, context too long, cannot fit.  The only event of such a request after submit.
struct Rejected {
    Error error;
    int prompt_tokens = 0; // with context_length
    int context_length = 0;
    std::string
        param; // with invalid_schema: path below OutputConstraint::param, or from tools on ("tools[0].function...")
};

struct Event {
    RequestId request{};
    std::variant<Admitted, Progress, Delta, ToolCallPart, ToolCallFound, PromptLogprobs, Embedded, Finished, Rejected>
        what;
};

/// Receives events of the requests submitted with it, once per step.  Thread: engine or prepare; must not block, must
/// not call the engine.  It is kept alive until the last event of its last request.
class EventSink {
public:
    virtual ~EventSink() = default;
    virtual void on_events(std::span<const Event> events) = 0;
};

} // namespace vitrine::engine
