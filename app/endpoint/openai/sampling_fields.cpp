// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/openai/sampling_fields.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxTokens = 1 << 30;
constexpr std::size_t kMaxStops = 64;
constexpr std::size_t kMaxSaltBytes = 256;
constexpr std::size_t kMaxStopBytes = 1024;

void read_sampling(Fields& fields, engine::SamplingParams& sampling) {
    sampling.temperature = static_cast<float>(fields.real("temperature", 1, 0, 2));
    sampling.top_p = static_cast<float>(fields.real("top_p", 1, 0, 1));
    sampling.min_p = static_cast<float>(fields.real("min_p", 0, 0, 1e9));
    sampling.typical_p = static_cast<float>(fields.real("typical_p", 1, 0, 1));
    sampling.top_k = static_cast<int>(fields.integer("top_k", 0, -1, kMaxTokens));
    const double alias = fields.real("repeat_penalty", 1, 0.01, 100);
    sampling.repetition_penalty = static_cast<float>(fields.real("repetition_penalty", alias, 0.01, 100));
    sampling.repeat_last_n = static_cast<int>(fields.integer("repeat_last_n", -1, -1, kMaxTokens));
    sampling.frequency_penalty = static_cast<float>(fields.real("frequency_penalty", 0, -2, 2));
    sampling.presence_penalty = static_cast<float>(fields.real("presence_penalty", 0, -2, 2));
    if (const Json* seed = fields.find("seed"); seed != nullptr && seed->is_number_unsigned())
        sampling.seed = seed->get<std::uint64_t>(); // up to 64 bits of a random number
    else if (seed != nullptr)
        sampling.seed = static_cast<std::uint64_t>(fields.integer("seed", 0, INT64_MIN, INT64_MAX));
}

void read_length(Fields& fields, bool chat, engine::StopParams& stop) {
    const std::int64_t absent = chat ? -1 : 16;
    const bool has_new = fields.find("max_completion_tokens") != nullptr;
    const bool has_old = fields.find("max_tokens") != nullptr;
    const std::int64_t a = fields.integer("max_completion_tokens", -1, 0, kMaxTokens);
    const std::int64_t b = fields.integer("max_tokens", -1, 0, kMaxTokens);
    stop.max_tokens = static_cast<int>(has_new && has_old ? std::min(a, b) : has_new ? a : has_old ? b : absent);
    stop.min_tokens = static_cast<int>(fields.integer("min_tokens", 0, 0, kMaxTokens));
    stop.ignore_eos = fields.boolean("ignore_eos", false);
}

void add_stop(Fields& fields, const Json& value, const std::string& param, std::vector<std::string>& stops) {
    if (!value.is_string()) {
        fields.refuse(invalid_value(param, fmt::format("'{}' must be a string.", param), "invalid_type"));
        return;
    }
    const std::string& text = value.get_ref<const std::string&>();
    if (text.empty() || text.size() > kMaxStopBytes)
        fields.refuse(invalid_value(
            param, fmt::format("'{}' has {} bytes; a stop string has 1 to {}.", param, text.size(), kMaxStopBytes)));
    stops.push_back(text);
}

void read_stops(Fields& fields, std::vector<std::string>& stops) {
    const Json* field = fields.find("stop");
    if (field == nullptr)
        return;
    if (!field->is_array()) {
        add_stop(fields, *field, "stop", stops);
        return;
    }
    if (field->size() > kMaxStops)
        fields.refuse(
            invalid_value("stop", fmt::format("'stop' has {} entries, at most {}.", field->size(), kMaxStops)));
    for (std::size_t i = 0; i < std::min(field->size(), kMaxStops); ++i)
        add_stop(fields, (*field)[i], fmt::format("stop[{}]", i), stops);
}

void add_bias(Fields& fields, std::int64_t id, const Json& value, int vocab_size, engine::SamplingParams& sampling) {
    const std::string param = fmt::format("logit_bias.{}", id);
    if (id < 0 || id >= vocab_size) {
        fields.refuse(invalid_value(
            param, fmt::format("The token id {} is not in the vocabulary of {} tokens.", id, vocab_size)));
        return;
    }
    if (!value.is_number() || value.get<double>() < -100 || value.get<double>() > 100) {
        fields.refuse(invalid_value(param, fmt::format("'{}' must be a number between -100 and 100.", param)));
        return;
    }
    sampling.logit_bias.emplace_back(static_cast<engine::TokenId>(id), value.get<float>());
}

/// A map {"id": bias} or pairs [[id, bias]].
void read_bias(Fields& fields, int vocab_size, engine::SamplingParams& sampling) {
    const Json* field = fields.find("logit_bias");
    if (field == nullptr)
        return;
    if (field->is_object()) {
        for (const auto& [key, value] : field->items()) {
            std::int64_t id = -1;
            const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
            add_bias(
                fields, error == std::errc{} && end == key.data() + key.size() ? id : -1, value, vocab_size, sampling);
        }
        return;
    }
    if (!field->is_array()) {
        fields.refuse(
            invalid_value("logit_bias", "'logit_bias' must be an object or an array of pairs.", "invalid_type"));
        return;
    }
    for (const Json& pair : *field) {
        const bool good = pair.is_array() && pair.size() == 2 && pair[0].is_number_integer();
        add_bias(fields, good ? pair[0].get<std::int64_t>() : -1, good ? pair[1] : Json(nullptr), vocab_size, sampling);
    }
}

/// [{"id": 0, "scale": 0.5}, ...] as in llama.cpp's server: loaded adapters that are not named are not used.
void read_adapters(Fields& fields, engine::Request& request) {
    const Json* field = fields.find("lora");
    if (field == nullptr)
        return;
    if (!field->is_array()) {
        fields.refuse(
            invalid_value("lora", "'lora' must be an array of objects with 'id' and 'scale'.", "invalid_type"));
        return;
    }
    request.adapters.emplace();
    for (std::size_t i = 0; i < field->size(); ++i) {
        const Json& entry = (*field)[i];
        if (!entry.is_object() || !entry.contains("id")) {
            fields.refuse(invalid_value(fmt::format("lora[{}]", i),
                fmt::format("'lora[{}]' must be an object with an 'id'.", i), "invalid_type"));
            return;
        }
        Fields inner(entry);
        const auto id = static_cast<int>(inner.integer("id", -1, 0, INT32_MAX));
        const auto scale = static_cast<float>(inner.real("scale", 1, -1e6, 1e6));
        if (inner.error()) {
            ApiError error = *inner.error();
            error.param = fmt::format("lora[{}].{}", i, error.param);
            fields.refuse(std::move(error));
            return;
        }
        request.adapters->push_back({id, scale});
    }
}

void read_stream(Fields& fields, CompletionPlan& plan) {
    plan.stream = fields.boolean("stream", false);
    const Json* options = fields.find("stream_options");
    if (options == nullptr)
        return;
    if (!options->is_object()) {
        fields.refuse(invalid_value("stream_options", "'stream_options' must be an object.", "invalid_type"));
        return;
    }
    if (!plan.stream)
        fields.refuse(invalid_value("stream_options", "'stream_options' needs 'stream': true."));
    Fields inner(*options);
    plan.include_usage = inner.boolean("include_usage", false);
    if (inner.error())
        fields.refuse(*inner.error());
}

} // namespace

void read_shared_fields(Fields& fields, const engine::TextModel& text, CompletionPlan& plan, engine::Request& request) {
    read_sampling(fields, request.sampling);
    read_length(fields, plan.chat, request.stop);
    read_stops(fields, request.stop.stop);
    read_bias(fields, text.vocab_size(), request.sampling);
    read_stream(fields, plan);
    read_adapters(fields, request);
    plan.num_choices = static_cast<int>(fields.integer("n", 1, 1, 8));
    request.num_choices = plan.num_choices;
    request.best_of = plan.num_choices;
    request.beam_width = static_cast<int>(fields.integer("beam_width", 0, 0, 64));
    request.length_penalty = static_cast<float>(fields.real("length_penalty", 1, 0, 10));
    request.source = engine::RequestSource::api;
    request.cache_salt = fields.text("cache_salt");
    if (request.cache_salt.size() > kMaxSaltBytes)
        fields.refuse(invalid_value("cache_salt",
            fmt::format("'cache_salt' has {} bytes; at most {} are taken.", request.cache_salt.size(), kMaxSaltBytes)));
}

} // namespace vitrine::app
