// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: request preparation.
#include "engine/core/request_preparer.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "engine/core/adapter_setup.h"
#include "engine/core/output_grammar.h"
#include "engine/sample/sampler_state.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr int kMaxStops = 64;
constexpr std::size_t kMaxStopBytes = 1024;
constexpr int kMaxLogprobs = 100;
constexpr int kMaxBeams = 64;

Result<void> check_token(const char* field, TokenId token, int vocab_size) {
    if (token >= 0 && token < vocab_size)
        return {};
    return fail(ErrorCode::invalid_argument,
        say(Sentence::token_outside_vocabulary, field, std::to_string(token), vocab_size),
        say(Sentence::use_models_ids));
}

Result<void> check_stops(const StopParams& stop, int vocab_size) {
    if (stop.stop.size() > kMaxStops)
        return fail(ErrorCode::invalid_argument, say(Sentence::too_many_stops, stop.stop.size(), kMaxStops),
            say(Sentence::send_fewer));
    for (const std::string& text : stop.stop)
        if (text.empty() || text.size() > kMaxStopBytes)
            return fail(ErrorCode::invalid_argument, say(Sentence::stop_of_wrong_length, text.size(), kMaxStopBytes),
                say(Sentence::change_or_remove));
    for (const TokenId token : stop.stop_tokens)
        VT_TRY(check_token("stop_tokens", token, vocab_size));
    if (stop.max_tokens < -1 || stop.min_tokens < 0)
        return fail(ErrorCode::invalid_argument, say(Sentence::limits_negative, stop.max_tokens, stop.min_tokens),
            say(Sentence::leave_limit_out));
    return {};
}

/// Beam search ranks texts by the model's own probabilities: what reshapes those has no meaning there.
Result<void> check_beams(const Request& request, const PrepareLimits& limits) {
    if (request.beam_width == 0)
        return {};
    const int most = std::min(limits.max_seqs, kMaxBeams);
    if (request.beam_width < request.num_choices || request.beam_width > most)
        return fail(ErrorCode::invalid_argument,
            say(Sentence::beams_out_of_range, request.beam_width, request.num_choices, most),
            say(Sentence::choose_other_value, "beam_width"));
    if (!(request.length_penalty >= 0) || request.length_penalty > 10)
        return fail(ErrorCode::invalid_argument,
            say(Sentence::option_out_of_range, "length_penalty", six_digits(request.length_penalty), 0, 10),
            say(Sentence::use_one_for_mean));
    const SamplingParams& sampling = request.sampling;
    const bool reshaped = sampling.repetition_penalty != 1 || sampling.frequency_penalty != 0 ||
        sampling.presence_penalty != 0 || !sampling.logit_bias.empty();
    if (reshaped || request.stop.min_tokens > 0 || request.best_of > request.num_choices ||
        request.echo_prompt_logprobs || request.constraint.kind != ConstraintKind::none ||
        request.tool_choice != ToolChoice::automatic)
        return fail(ErrorCode::unsupported, say(Sentence::beams_alone), say(Sentence::leave_beams_out));
    return {};
}

Result<void> check_fields(const Request& request, int vocab_size, const PrepareLimits& limits) {
    VT_TRY(check_sampling(request.sampling, vocab_size));
    VT_TRY(check_stops(request.stop, vocab_size));
    if (request.num_choices < 1 || request.best_of < 1 ||
        std::max(request.num_choices, request.best_of) > limits.max_seqs)
        return fail(ErrorCode::invalid_argument,
            say(Sentence::choices_out_of_range, request.num_choices, request.best_of, limits.max_seqs),
            say(Sentence::ask_for_fewer_choices));
    VT_TRY(check_beams(request, limits));
    VT_TRY(check_adapters(request.adapters, limits.num_adapters));
    if (request.num_logprobs > kMaxLogprobs)
        return fail(ErrorCode::invalid_argument, say(Sentence::too_many_logprobs, request.num_logprobs, kMaxLogprobs),
            say(Sentence::ask_for_fewer));
    return {};
}

Result<EncodedPrompt> encode_prompt(const Request& request, const LoadedText& text) {
    if (const auto* chat = std::get_if<ChatPrompt>(&request.prompt))
        return text.encode_chat(*chat);
    EncodedPrompt encoded;
    if (const auto* tokens = std::get_if<TokenPrompt>(&request.prompt)) {
        for (const TokenId token : tokens->ids)
            VT_TRY(check_token("prompt", token, text.vocab_size()));
        encoded.ids = tokens->ids;
        encoded.text = text.detokenize(encoded.ids, true);
        return encoded;
    }
    encoded.text = std::get<TextPrompt>(request.prompt).text;
    auto ids = text.tokenize(encoded.text, true, true);
    if (!ids)
        return tl::unexpected(ids.error());
    encoded.ids = *std::move(ids);
    // An empty text still needs one position to predict from.
    if (encoded.ids.empty() && text.tokenizer() && text.tokenizer()->bos_id())
        encoded.ids.push_back(*text.tokenizer()->bos_id());
    return encoded;
}

std::uint64_t draw_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

tl::unexpected<RequestRefusal> refuse(Error error) {
    return tl::unexpected(RequestRefusal{std::move(error), 0, 0, {}});
}

tl::unexpected<RequestRefusal> refuse_length(int num_prompt, int context) {
    return tl::unexpected(
        RequestRefusal{make_error(ErrorCode::context_length, say(Sentence::prompt_fills_context, num_prompt, context),
                           say(Sentence::shorten_prompt)),
            num_prompt, context, {}});
}

bool ends_with_closed_reasoning(std::string_view prompt, const ReasoningTags& tags) {
    const std::size_t last = prompt.find_last_not_of(" \t\r\n");
    return !tags.harmony && tags.exists() && last != std::string_view::npos &&
        prompt.substr(0, last + 1).ends_with(tags.end);
}

} // namespace

tl::expected<PreparedRequest, RequestRefusal> prepare_request(
    const Request& request, const LoadedText& text, const PrepareLimits& limits, const PrepareServices& services) {
    if (auto checked = check_fields(request, text.vocab_size(), limits); !checked)
        return refuse(checked.error());
    if (!limits.gives_text && request.pooling == Pooling::none)
        return refuse(
            make_error(ErrorCode::unsupported, say(Sentence::encoder_only), say(Sentence::load_generating_model)));
    auto encoded = encode_prompt(request, text);
    if (!encoded)
        return refuse(encoded.error());
    if (encoded->ids.empty())
        return refuse(
            make_error(ErrorCode::invalid_argument, say(Sentence::prompt_empty), say(Sentence::send_some_text)));
    const int num_prompt = static_cast<int>(encoded->ids.size());
    const bool pools = request.pooling != Pooling::none;
    const bool prompt_only = request.stop.max_tokens == 0 || pools;
    if (num_prompt > limits.context || (num_prompt == limits.context && !prompt_only))
        return refuse_length(num_prompt, limits.context);

    PreparedRequest prepared;
    prepared.prompt = std::move(encoded->ids);
    prepared.prompt_text = std::move(encoded->text);
    prepared.reasoning_open = encoded->reasoning_open;
    prepared.seed = request.sampling.seed ? *request.sampling.seed : draw_seed();
    const int room = limits.context - num_prompt;
    prepared.max_output = pools ? 0 : request.stop.max_tokens < 0 ? room : std::min(request.stop.max_tokens, room);
    if (const auto* chat = std::get_if<ChatPrompt>(&request.prompt)) {
        prepared.splits_reasoning = request.split_reasoning && text.reasoning().exists();
        if (request.parse_tool_calls && !chat->tools_json.empty()) {
            prepared.tools = std::move(encoded->tools);
            prepared.tool_schemas = tool_schemas_from_json(chat->tools_json);
        }
    }
    const PromptEnd prompt_end{
        prepared.reasoning_open, ends_with_closed_reasoning(prepared.prompt_text, text.reasoning())};
    auto grammar =
        compile_output_grammar(request, text, prepared.tools, prompt_end, services.grammars, services.cancelled);
    if (!grammar) {
        auto& [error, path] = grammar.error();
        if (!path.empty())
            error.message = fmt::format("{}: {}", path, error.message);
        return tl::unexpected(RequestRefusal{std::move(error), 0, 0, std::move(path)});
    }
    if (*grammar)
        (void)text.token_trie(); // made here, not on the engine thread
    prepared.grammar = *std::move(grammar);
    return prepared;
}

} // namespace vitrine::engine
