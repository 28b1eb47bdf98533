// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: generate: one or many prompts as one continuous batch.
#include <limits>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/device_watch.h"
#include "app/cli/open_model.h"
#include "app/cli/run_requests.h"
#include "app/endpoint/native/native_handlers.h"

namespace vitrine::app {
namespace {

using nlohmann::ordered_json;

Result<std::vector<engine::TokenId>> token_ids(const std::vector<std::int64_t>& numbers) {
    std::vector<engine::TokenId> ids;
    for (const std::int64_t number : numbers) {
        if (number < 0 || number > std::numeric_limits<engine::TokenId>::max())
            return fail(ErrorCode::invalid_argument, fmt::format("{} is no token id", number), "Use ids of the model.");
        ids.push_back(static_cast<engine::TokenId>(number));
    }
    return ids;
}

engine::Request base_request(const GenerateOptions& options, const engine::OutputConstraint& constraint) {
    engine::Request request;
    request.constraint = constraint;
    request.source = engine::RequestSource::api;
    request.label = "vitrine-cli";
    request.sampling = options.sampling;
    request.sampling.seed = options.model.seed;
    request.stop = options.stop;
    request.num_choices = options.num_choices;
    request.best_of = options.best_of > 0 ? options.best_of : options.num_choices;
    request.beam_width = options.beam_width;
    request.length_penalty = options.length_penalty;
    request.num_logprobs = options.top_logprobs;
    return request;
}

/// [{"id": 0, "scale": 1.0}, ...], as the endpoint takes it.
std::optional<std::vector<engine::AdapterUse>> adapters_of(const ordered_json& list) {
    std::vector<engine::AdapterUse> uses;
    if (!list.is_array())
        return std::nullopt;
    for (const ordered_json& entry : list) {
        if (!entry.is_object() || !entry.contains("id") || !entry["id"].is_number_integer() ||
            (entry.contains("scale") && !entry["scale"].is_number()))
            return std::nullopt;
        uses.push_back({entry["id"].get<int>(), entry.value("scale", 1.0F)});
    }
    return uses;
}

/// A JSONL line: "text", [ids], or an object with prompt, ids or messages and any of max_tokens, temperature, seed, lora.
Result<engine::Request> request_of_line(
    const GenerateOptions& options, const engine::OutputConstraint& constraint, const std::string& line, int number) {
    const auto json = ordered_json::parse(line, nullptr, false);
    const auto bad = [number](std::string_view what) {
        return fail(ErrorCode::bad_file, fmt::format("line {} of the prompts: {}", number, what),
            "A line is a string, an array of ids, or an object with prompt, ids or messages.");
    };
    engine::Request request = base_request(options, constraint);
    const ordered_json& prompt = json.is_object() ? json.contains("ids") ? json["ids"]
            : json.contains("prompt")                                    ? json["prompt"]
                                                                         : json
                                                  : json;
    if (prompt.is_string()) {
        request.prompt = engine::TextPrompt{prompt.get<std::string>()};
    } else if (prompt.is_array()) {
        engine::TokenPrompt tokens;
        for (const auto& id : prompt) {
            if (!id.is_number_integer())
                return bad("an id is no whole number");
            tokens.ids.push_back(id.get<engine::TokenId>());
        }
        request.prompt = std::move(tokens);
    } else if (json.is_object() && json.contains("messages")) {
        engine::ChatPrompt chat;
        chat.messages_json = json["messages"].dump();
        if (json.contains("tools"))
            chat.tools_json = json["tools"].dump();
        request.prompt = std::move(chat);
    } else {
        return bad(json.is_discarded() ? "no JSON" : "no prompt in it");
    }
    if (!json.is_object())
        return request;
    if (json.contains("max_tokens") && json["max_tokens"].is_number_integer())
        request.stop.max_tokens = json["max_tokens"].get<int>();
    if (json.contains("temperature") && json["temperature"].is_number())
        request.sampling.temperature = json["temperature"].get<float>();
    if (json.contains("seed") && json["seed"].is_number_integer())
        request.sampling.seed = json["seed"].get<std::uint64_t>();
    if (json.contains("lora")) {
        request.adapters = adapters_of(json["lora"]);
        if (!request.adapters)
            return bad("lora is no array of {id, scale}");
    }
    return request;
}

Result<engine::OutputConstraint> read_constraint(const GenerateOptions& options, Console& console) {
    const bool is_schema = !options.schema_file.empty();
    const std::string& file = is_schema ? options.schema_file : options.grammar_file;
    if (file.empty())
        return engine::OutputConstraint{};
    auto text = read_text(file, console);
    if (!text)
        return tl::unexpected(text.error());
    return engine::OutputConstraint{
        is_schema ? engine::ConstraintKind::json_schema : engine::ConstraintKind::gbnf, *std::move(text), false, {}};
}

Result<std::vector<engine::Request>> make_requests(const GenerateOptions& options, Console& console) {
    std::vector<engine::Request> requests;
    const auto constraint = read_constraint(options, console);
    if (!constraint)
        return tl::unexpected(constraint.error());
    if (options.prompt) {
        requests.push_back(base_request(options, *constraint));
        requests.back().prompt = engine::TextPrompt{*options.prompt};
    }
    if (!options.ids.empty()) {
        auto ids = token_ids(options.ids);
        if (!ids)
            return tl::unexpected(ids.error());
        requests.push_back(base_request(options, *constraint));
        requests.back().prompt = engine::TokenPrompt{*std::move(ids)};
    }
    if (!options.prompts_file.empty()) {
        auto text = read_text(options.prompts_file, console);
        if (!text)
            return tl::unexpected(text.error());
        std::istringstream lines(*text);
        std::string line;
        for (int number = 1; std::getline(lines, line); ++number) {
            if (line.find_first_not_of(" \t\r") == std::string::npos)
                continue;
            auto request = request_of_line(options, *constraint, line, number);
            if (!request)
                return tl::unexpected(request.error());
            requests.push_back(*std::move(request));
        }
    }
    if (requests.empty())
        return fail(ErrorCode::invalid_argument, "generate needs a prompt", "Give -p TEXT, --ids or --prompts FILE.");
    return requests;
}

ordered_json logprobs_json(const std::vector<engine::TokenLogprobs>& logprobs) {
    ordered_json list = ordered_json::array();
    for (const engine::TokenLogprobs& token : logprobs) {
        ordered_json top = ordered_json::array();
        for (const auto& [id, logprob] : token.top)
            top.push_back({id, std::max(logprob, -9999.0F)});
        list.push_back({{"id", token.token}, {"logprob", std::max(token.logprob, -9999.0F)}, {"top", top}});
    }
    return list;
}

ordered_json choice_json(const RequestResult& result, const ChoiceResult& choice, const GenerateOptions& options) {
    const engine::Finished& finished = choice.finished;
    ordered_json json{{"ids", choice.ids}, {"text", choice.text},
        {"finish_reason", engine::finish_reason_name(finished.reason)}, {"prompt_tokens", finished.usage.prompt_tokens},
        {"cached_tokens", finished.usage.cached_tokens}, {"output_tokens", finished.usage.output_tokens},
        {"preemptions", finished.usage.preemptions}, {"drafted_tokens", finished.usage.drafted_tokens},
        {"accepted_tokens", finished.usage.accepted_tokens},
        {"ttft_s", static_cast<double>(finished.timings.first_token.count()) * 1e-6},
        {"total_s", static_cast<double>(finished.timings.total.count()) * 1e-6}, {"seed", result.admitted.seed}};
    if (!choice.reasoning.empty())
        json["reasoning"] = choice.reasoning;
    if (options.top_logprobs >= 0)
        json["logprobs"] = logprobs_json(choice.logprobs);
    if (options.raw_ids)
        json["prompt_ids"] = result.admitted.prompt_ids;
    if (finished.error)
        json["error"] = finished.error->message;
    return json;
}

void print_plain(const std::vector<RequestResult>& results, const GenerateOptions& options, Console& console) {
    for (const RequestResult& result : results)
        for (const ChoiceResult& choice : result.choices)
            console.line(options.raw_ids ? fmt::format("{}", fmt::join(choice.ids, ",")) : choice.text);
}

int report(const std::vector<RequestResult>& results, const GenerateOptions& options, const engine::Engine& engine,
    Console& console) {
    std::optional<Error> error;
    ordered_json sequences = ordered_json::array();
    for (const RequestResult& result : results) {
        if (result.rejected) {
            error = error ? error : result.rejected;
            sequences.push_back({{"error", result.rejected->message}});
        }
        for (const ChoiceResult& choice : result.choices) {
            if (choice.finished.error && !error)
                error = choice.finished.error;
            sequences.push_back(choice_json(result, choice, options));
        }
    }
    if (options.model.json)
        console.json(ordered_json{{"sequences", sequences}, {"stats", ordered_json(stats_json(*engine.snapshot()))}});
    else
        print_plain(results, options, console);
    return error ? console.fail(*error) : kExitSuccess;
}

} // namespace

int run_command(const GenerateOptions& options, Console& console) {
    auto requests = make_requests(options, console);
    if (!requests)
        return console.fail(requests.error());
    auto engine = open_engine(options.model);
    if (!engine)
        return console.fail(engine.error());
    DeviceWatch device(**engine);
    auto results = run_requests(**engine, *std::move(requests));
    if (!results)
        return console.fail(results.error());
    if (const auto news = device.news())
        console.note(*news);
    (*engine)->stop(); // the last snapshot holds every total
    return report(*results, options, **engine, console);
}

} // namespace vitrine::app
