// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: token commit.
#include "engine/core/commit.h"

#include <algorithm>

#include "engine/sample/logprobs.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

OutputToken output_token(const RequestState& request, const ChoiceState& choice, const kernels::SampledToken& sampled,
    bool from_draft, const LoadedText& text) {
    OutputToken token;
    token.id = sampled.token;
    token.from_draft = from_draft;
    if (text.tokenizer())
        token.bytes = text.tokenizer()->token_bytes(sampled.token, choice.stream->wants_control_tokens());
    if (request.request->num_logprobs >= 0)
        token.logprobs = make_logprobs(
            sampled, request.request->num_logprobs, from_draft, [&text](TokenId id) { return text.token_bytes(id); });
    return token;
}

} // namespace

bool ends_generation(const RequestState& request, const LoadedText& text, TokenId token) {
    const StopParams& stop = request.request->stop;
    if (std::find(stop.stop_tokens.begin(), stop.stop_tokens.end(), token) != stop.stop_tokens.end())
        return true;
    // A grammar's end is an end whatever ignore_eos says: nothing may follow.
    return (!stop.ignore_eos || request.prepared.grammar) && text.tokenizer() && text.tokenizer()->is_eog(token);
}

CommitVerdict decide_tokens(const RequestState& request, const OutputPlace& place,
    const kernels::SamplingOutcome& outcome, const LoadedText& text) {
    CommitVerdict verdict;
    const bool constrained = request.prepared.grammar != nullptr;
    for (std::size_t i = 0; i < outcome.tokens.size() && !verdict.reason; ++i) {
        const kernels::SampledToken& sampled = outcome.tokens[i];
        const int num_output = place.num_output + static_cast<int>(verdict.kept.size());
        if (num_output >= place.max_output) {
            verdict.reason = FinishReason::length;
            break;
        }
        if (sampled.token < 0) {
            verdict.reason = FinishReason::error;
            verdict.error = make_error(ErrorCode::invalid_argument,
                say(constrained ? Sentence::no_token_of_grammar : Sentence::no_token_allowed),
                say(constrained ? Sentence::loosen_grammar : Sentence::loosen_bias));
            break;
        }
        verdict.kept.push_back(sampled.token);
        if (ends_generation(request, text, sampled.token))
            verdict.reason = FinishReason::stop;
        else if (num_output + 1 >= place.max_output)
            verdict.reason = FinishReason::length;
    }
    return verdict;
}

void give_tokens(const RequestState& request, ChoiceState& choice, const kernels::SamplingOutcome& outcome,
    const LoadedText& text, CommitVerdict& verdict) {
    for (std::size_t i = 0; i < verdict.kept.size(); ++i) {
        const kernels::SampledToken& sampled = outcome.tokens[i];
        choice.sum_logprob += static_cast<double>(sampled.logprob);
        ++choice.num_scored;
        OutputToken token = output_token(request, choice, sampled, static_cast<int>(i) < outcome.num_accepted, text);
        if (ends_generation(request, text, sampled.token)) {
            choice.stream->push_end(std::move(token));
        } else if (choice.stream->push(std::move(token))) {
            verdict.kept.resize(i + 1);
            verdict.reason = FinishReason::stop;
            verdict.error.reset();
        }
    }
}

void take_prompt_logprobs(
    RequestState& request, const SequencePlan& plan, std::span<const float> logits, const LoadedText& text) {
    const auto& prompt = request.prepared.prompt;
    const int num_prompt = static_cast<int>(prompt.size());
    // Row p predicts token p + 1; the last row's token is sampled, not given.
    const int count = std::min(plan.count, num_prompt - 1 - plan.first_position);
    if (count <= 0)
        return;
    const auto num_rows = static_cast<std::size_t>(count);
    const auto vocab_size = static_cast<std::size_t>(text.vocab_size());
    const auto first = static_cast<std::size_t>(plan.first_position) + 1;
    const int num_top = std::max(request.request->num_logprobs, 0);
    const auto scored = score_tokens(
        logits.first(num_rows * vocab_size), text.vocab_size(), std::span(prompt).subspan(first, num_rows), num_top);
    for (std::size_t i = 0; i < scored.size(); ++i)
        request.prompt_logprobs[first + i] =
            make_logprobs(scored[i], num_top, false, [&text](TokenId id) { return text.token_bytes(id); });
}

bool pool_hidden(RequestState& request, const SequencePlan& plan, std::span<const float> hidden) {
    const auto num_rows = static_cast<std::size_t>(plan.count);
    const std::size_t dim = hidden.size() / num_rows;
    if (dim == 0)
        return false;
    if (plan.first_position == 0) // also after a preemption
        request.pooled.assign(dim, 0);
    const auto take = [&](std::size_t row, bool adds) {
        for (std::size_t i = 0; i < dim; ++i)
            request.pooled[i] = (adds ? request.pooled[i] : 0) + static_cast<double>(hidden[row * dim + i]);
    };
    switch (request.request->pooling) {
    case Pooling::none:
        break;
    case Pooling::mean:
        for (std::size_t row = 0; row < num_rows; ++row)
            take(row, true);
        break;
    case Pooling::first:
        if (plan.first_position == 0)
            take(0, false);
        break;
    case Pooling::last:
        take(num_rows - 1, false);
        break;
    }
    return true;
}

} // namespace vitrine::engine
