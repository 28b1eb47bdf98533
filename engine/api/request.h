// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: what a client asks of the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace vitrine::engine {

using TokenId = std::int32_t;

/// Unique in one process, rising in order of submit.  0: none.
enum class RequestId : std::uint64_t {};

/// How the final hidden states of a prompt become one vector.  none: the request generates text.
enum class Pooling : std::uint8_t { none, mean, last, first }; // first: the [CLS] token of encoders

enum class RequestSource : std::uint8_t { chat, api, lab };

/// Messages rendered by the model's chat template, on a prepare thread.  All texts are JSON, as in the OpenAI API.
struct ChatPrompt {
    std::string messages_json; // array of messages
    std::string tools_json; // array of tools, or empty
    std::string variables_json; // object of further template variables (enable_thinking ...), or empty
    bool add_generation_prompt = true; // a trailing assistant message is continued instead
    bool adapt = true; // fold what the template does not take (system role, content parts)
};
/// Text tokenized as it is; special tokens in it are parsed; BOS as the file says.
struct TextPrompt {
    std::string text;
};
/// Token ids, taken as they are.
struct TokenPrompt {
    std::vector<TokenId> ids;
};

/// Order of the stages: engine.md 5.1.  Defaults: off, greedy off.
struct SamplingParams {
    float temperature = 1; // 0..2; < 1e-5: greedy
    float min_p = 0;
    int top_k = 0; // <= 0: off
    float top_p = 1;
    float typical_p = 1;
    float repetition_penalty = 1;
    int repeat_last_n = -1; // tokens; -1: all
    float frequency_penalty = 0;
    float presence_penalty = 0;
    std::vector<std::pair<TokenId, float>> logit_bias;
    std::optional<std::uint64_t> seed; // none: drawn at submit and reported
};

struct StopParams {
    int max_tokens = -1; // -1: to the end of the context
    int min_tokens = 0; // EOG is masked before
    std::vector<std::string> stop; // byte strings, not empty
    std::vector<TokenId> stop_tokens;
    bool ignore_eos = false;
};

/// What the answer's text must follow; the sampler masks every token that would leave it.
enum class ConstraintKind : std::uint8_t { none, gbnf, regex, choice, json_object, json_schema };
struct OutputConstraint {
    ConstraintKind kind = ConstraintKind::none;
    std::string source; // GBNF; a regular expression; a JSON array of strings; empty; a JSON schema
    bool strict = false; // json_schema: objects take no properties but those listed, unless the schema says so
    std::string param; // the client's name of the field: errors give paths below it
};

/// automatic: the model decides.  required, named: the answer is a call, in the template's own syntax.
enum class ToolChoice : std::uint8_t { automatic, required, named };

/// A loaded LoRA adapter and how much of it: W + weight * alpha / rank * B A.
struct AdapterUse {
    int id = 0; // index into LoadedModel::adapters
    float weight = 1;
    [[nodiscard]] friend bool operator==(const AdapterUse&, const AdapterUse&) = default;
};

struct Request {
    RequestSource source = RequestSource::chat;
    std::string label; // shown on the Engine page: chat title, client name
    std::variant<TextPrompt, TokenPrompt, ChatPrompt> prompt;
    SamplingParams sampling;
    StopParams stop;
    int num_choices = 1; // n
    int best_of = 1; // >= num_choices; the best by mean logprob are returned
    int beam_width = 0; // > 0: beam search instead of sampling; the num_choices best beams are returned
    float length_penalty = 1; // of beam search: score = sum of logprobs / length^penalty
    int num_logprobs = -1; // -1: none; k: chosen token and the top k
    bool echo_prompt_logprobs = false; // logprobs of the prompt's tokens too; no prefix look-up
    Pooling pooling = Pooling::none; // else: no text, one Embedded event, then the end
    int priority = 0; // higher first
    bool speculate = true; // allow drafts, if the model has a proposer
    bool split_reasoning = true; // reasoning text apart from the answer
    bool parse_tool_calls = true;
    ToolChoice tool_choice = ToolChoice::automatic;
    std::string tool_name; // with ToolChoice::named
    bool parallel_tool_calls = true; // false: the answer ends behind its first call
    OutputConstraint constraint; // of the answer; begins behind the reasoning, if there is any
    std::optional<std::vector<AdapterUse>> adapters; // none: each with the weight it was loaded with
    std::string cache_salt; // prompts under different salts never share blocks
};

} // namespace vitrine::engine
