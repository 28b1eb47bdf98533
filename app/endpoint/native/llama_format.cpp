// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/native/llama_format.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/json_fields.h"
#include "app/endpoint/openai/completion_format.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

double milliseconds(std::chrono::microseconds time) {
    return static_cast<double>(time.count()) * 1e-3;
}

double rate(int count, double time_ms) {
    return time_ms > 0 ? count * 1e3 / time_ms : 0.0;
}

Json timings(const AnswerSummary& summary) {
    const int evaluated = summary.usage.prompt_tokens - summary.usage.cached_tokens;
    const int predicted = summary.usage.output_tokens;
    const double prompt_ms = milliseconds(summary.timings.prefill);
    const double predicted_ms = milliseconds(summary.timings.decode);
    return {{"cache_n", summary.usage.cached_tokens}, {"prompt_n", evaluated}, {"prompt_ms", prompt_ms},
        {"prompt_per_second", rate(evaluated, prompt_ms)}, {"predicted_n", predicted}, {"predicted_ms", predicted_ms},
        {"predicted_per_second", rate(predicted, predicted_ms)}};
}

const char* stop_type(const ChoiceOutput& choice) {
    if (choice.reason == engine::FinishReason::length)
        return "limit";
    return choice.stop_text.empty() ? "eos" : "word";
}

/// The chat's entries, with the ids beside them.
Json probabilities(const std::vector<engine::TokenLogprobs>& tokens) {
    Json entries = chat_logprobs_json(tokens)["content"];
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        entries[i]["id"] = tokens[i].token;
        for (std::size_t k = 0; k < tokens[i].top.size(); ++k)
            entries[i]["top_logprobs"][k]["id"] = tokens[i].top[k].first;
    }
    return entries;
}

} // namespace

std::string LlamaFormat::begin(int prompt_tokens) {
    prompt_tokens_ = prompt_tokens;
    return {};
}

Json LlamaFormat::piece(int index, const ChoiceOutput& choice, bool stop) const {
    Json out = {{"index", index}, {"content", choice.text}, {"tokens", Json::array()}, {"stop", stop}};
    if (probabilities_)
        out["completion_probabilities"] = probabilities(choice.logprobs);
    return out;
}

void LlamaFormat::add_end(Json& out, const ChoiceOutput& choice, const AnswerSummary& summary) const {
    out["model"] = model_;
    out["tokens_predicted"] = summary.usage.output_tokens;
    out["tokens_evaluated"] = summary.usage.prompt_tokens;
    out["tokens_cached"] = summary.usage.cached_tokens;
    out["truncated"] = false;
    out["stop_type"] = stop_type(choice);
    out["stopping_word"] = choice.stop_text;
    out["timings"] = timings(summary);
}

std::string LlamaFormat::frames(int index, ChoiceOutput& fresh, bool) {
    std::string out;
    if (!fresh.text.empty() || !fresh.logprobs.empty()) {
        Json one = piece(index, fresh, false);
        one["tokens_evaluated"] = prompt_tokens_;
        out = "data: " + dump_json(one) + "\n\n";
    }
    if (fresh.finished) {
        last_.reason = fresh.reason;
        last_.stop_text = fresh.stop_text;
    }
    fresh = {};
    return out;
}

std::string LlamaFormat::end(const AnswerSummary& summary) {
    Json out = piece(0, {}, true);
    add_end(out, last_, summary);
    return "data: " + dump_json(out) + "\n\n";
}

std::string LlamaFormat::error_frame(const ApiError& error) {
    return "data: " + dump_json(error_json(error, Dialect::openai, {})) + "\n\n";
}

Json LlamaFormat::body(const std::vector<ChoiceOutput>& choices, const AnswerSummary& summary) {
    Json all = Json::array();
    for (std::size_t i = 0; i < choices.size(); ++i) {
        Json one = piece(static_cast<int>(i), choices[i], true);
        add_end(one, choices[i], summary);
        all.push_back(std::move(one));
    }
    return all.size() == 1 ? all[0] : all;
}

} // namespace vitrine::app
