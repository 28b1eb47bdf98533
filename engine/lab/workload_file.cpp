// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: the reader of workload files.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/lab/json_input.h"
#include "engine/lab/load_runner.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxLines = 10'000;
constexpr std::size_t kMaxLineBytes = std::size_t{4} << 20;
constexpr double kMaxSeconds = 86'400;

tl::unexpected<Error> bad(std::size_t line, const std::string& what) {
    return fail(ErrorCode::bad_file, fmt::format("line {} of the workload: {}", line, what),
        "A line is a string, or an object with prompt, ids or messages, and arrival_s, cancel_after_s, max_tokens, "
        "priority, temperature, seed, n, ignore_eos.");
}

/// Reads the fields of one line; the first fault is kept.
class LineReader {
public:
    LineReader(const Json& json, std::size_t line) : json_(json), line_(line) {}

    [[nodiscard]] std::optional<double> number(const char* key, double low, double high, bool whole = false) {
        const auto found = json_.find(key);
        if (found == json_.end() || found->is_null())
            return std::nullopt;
        if (!found->is_number()) {
            fault(fmt::format("{} is {}, a number is needed", key, brief(*found)));
            return std::nullopt;
        }
        const double value = found->get<double>();
        if (!(value >= low && value <= high) || (whole && value != std::floor(value))) {
            fault(fmt::format("{} is {}, allowed is {}{:.15g} to {:.15g}", key, brief(*found),
                whole ? "a whole number from " : "", low, high));
            return std::nullopt;
        }
        return value;
    }
    [[nodiscard]] bool flag(const char* key) {
        const auto found = json_.find(key);
        if (found == json_.end())
            return false;
        if (!found->is_boolean())
            fault(fmt::format("{} is {}, true or false is needed", key, brief(*found)));
        return found->is_boolean() && found->get<bool>();
    }
    void fault(const std::string& what) {
        if (!error_)
            error_ = bad(line_, what).value();
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
    const Json& json_;
    const std::size_t line_;
    std::optional<Error> error_;
};

std::optional<TokenPrompt> ids_of(const Json& json, LineReader& reader) {
    if (!json.is_array()) {
        reader.fault(fmt::format("ids is {}, an array is needed", brief(json)));
        return std::nullopt;
    }
    TokenPrompt prompt;
    for (const Json& id : json) {
        const bool fits = id.is_number_integer() && id.get<double>() >= 0 && id.get<double>() <= 0x7FFFFFFF;
        if (!fits) {
            reader.fault(fmt::format("{} is no token id", brief(id)));
            return std::nullopt;
        }
        prompt.ids.push_back(id.get<TokenId>());
    }
    return prompt;
}

void read_prompt(const Json& json, Request& request, LineReader& reader) {
    if (const auto ids = json.find("ids"); ids != json.end()) {
        if (auto prompt = ids_of(*ids, reader))
            request.prompt = *std::move(prompt);
    } else if (const auto messages = json.find("messages"); messages != json.end()) {
        ChatPrompt chat;
        chat.messages_json = messages->dump(-1, ' ', false, Json::error_handler_t::replace); // depth is bounded
        request.prompt = std::move(chat);
    } else if (const auto prompt = json.find("prompt"); prompt != json.end() && prompt->is_string()) {
        request.prompt = TextPrompt{prompt->get<std::string>()};
    } else {
        reader.fault("there is no prompt, ids or messages in it");
    }
}

std::chrono::microseconds microseconds(double seconds) {
    return std::chrono::microseconds(std::llround(seconds * 1e6));
}

Result<TimedRequest> parse_line(std::string_view text, std::size_t line) {
    if (text.size() > kMaxLineBytes)
        return bad(line, fmt::format("it has {} bytes, at most {} are taken", text.size(), kMaxLineBytes));
    const auto json = parse_json(text);
    if (!json)
        return bad(line, json.error().message);
    TimedRequest timed;
    Request& request = timed.request;
    request.source = RequestSource::lab;
    request.label = fmt::format("line {}", line);
    request.sampling.temperature = 0;
    if (json->is_string()) {
        request.prompt = TextPrompt{json->get<std::string>()};
        return timed;
    }
    if (!json->is_object())
        return bad(line, fmt::format("it is {}", brief(*json)));
    LineReader reader(*json, line);
    read_prompt(*json, request, reader);
    timed.arrival = microseconds(reader.number("arrival_s", 0, kMaxSeconds).value_or(0));
    if (const auto cancel = reader.number("cancel_after_s", 0, kMaxSeconds))
        timed.cancel_after = microseconds(*cancel);
    request.stop.max_tokens = static_cast<int>(reader.number("max_tokens", 0, 1e9, true).value_or(-1));
    request.priority = static_cast<int>(reader.number("priority", -1e6, 1e6, true).value_or(0));
    request.sampling.temperature = static_cast<float>(reader.number("temperature", 0, 2).value_or(0));
    if (const auto seed = reader.number("seed", 0, 9007199254740991.0, true))
        request.sampling.seed = static_cast<std::uint64_t>(*seed);
    request.num_choices = request.best_of = static_cast<int>(reader.number("n", 1, 4096, true).value_or(1));
    request.stop.ignore_eos = reader.flag("ignore_eos");
    if (reader.error())
        return tl::unexpected(*reader.error());
    return timed;
}

} // namespace

Result<std::vector<TimedRequest>> parse_workload(std::string_view jsonl) {
    std::vector<TimedRequest> load;
    for (std::size_t line = 1; !jsonl.empty(); ++line) {
        const std::size_t end = std::min(jsonl.find('\n'), jsonl.size());
        const std::string_view text = jsonl.substr(0, end);
        jsonl.remove_prefix(std::min(end + 1, jsonl.size()));
        if (text.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        if (load.size() == kMaxLines)
            return bad(line, fmt::format("a workload has at most {} requests", kMaxLines));
        auto timed = parse_line(text, line);
        if (!timed)
            return tl::unexpected(std::move(timed).error());
        load.push_back(*std::move(timed));
    }
    if (load.empty())
        return fail(ErrorCode::bad_file, "the workload has no requests", "Write one request a line.");
    return load;
}

} // namespace vitrine::engine
