// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/json_fields.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace vitrine::app {
namespace {

constexpr std::int64_t kMaxKeyComparisons = 200'000'000;

ApiError wrong_type(const char* name, const char* needed, const nlohmann::ordered_json& found) {
    return invalid_value(name,
        std::string("'") + name + "' must be " + needed + ", but it is " + found.type_name() + ".", "invalid_type");
}

std::string number_text(double value) {
    std::string text = nlohmann::ordered_json(value).dump();
    if (text.ends_with(".0"))
        text.resize(text.size() - 2);
    return text;
}

} // namespace

tl::expected<nlohmann::ordered_json, ApiError> parse_body(std::string_view body) {
    using Event = nlohmann::ordered_json::parse_event_t;
    bool too_deep = false;
    std::int64_t comparisons = 0; // an ordered object looks for every key from its beginning
    std::vector<int> num_keys(kMaxJsonDepth + 2);
    const auto watch = [&](int depth, Event event, nlohmann::ordered_json&) {
        too_deep = too_deep || depth > kMaxJsonDepth;
        if (!too_deep && event == Event::object_start)
            num_keys[static_cast<std::size_t>(depth) + 1] = 0;
        if (!too_deep && event == Event::key)
            comparisons += num_keys[static_cast<std::size_t>(depth)]++;
        return !too_deep && comparisons <= kMaxKeyComparisons; // discarding keeps the tree shallow
    };
    nlohmann::ordered_json value = nlohmann::ordered_json::parse(body, watch, false);
    if (too_deep)
        return tl::unexpected(invalid_value("", "The body nests deeper than 128 levels.", "invalid_json"));
    if (comparisons > kMaxKeyComparisons)
        return tl::unexpected(
            invalid_value("", "The body's objects have too many keys, about 20,000 in one are taken.", "invalid_json"));
    if (value.is_discarded() || body.find('\0') != std::string_view::npos) // nlohmann takes a zero byte for the end
        return tl::unexpected(invalid_value("",
            body.empty() ? "The body is empty; send a JSON object." : "The body is not valid JSON in UTF-8.",
            "invalid_json"));
    if (!value.is_object())
        return tl::unexpected(invalid_value(
            "", std::string("The body must be a JSON object, but it is ") + value.type_name() + ".", "invalid_json"));
    return value;
}

std::string dump_json(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

const nlohmann::ordered_json* Fields::find(const char* name) const {
    const auto it = object_.find(name);
    return it == object_.end() || it->is_null() ? nullptr : &*it;
}

void Fields::refuse(ApiError error) {
    if (!error_)
        error_ = std::move(error);
}

double Fields::real(const char* name, double fallback, double low, double high) {
    const nlohmann::ordered_json* field = find(name);
    if (field == nullptr)
        return fallback;
    if (!field->is_number()) {
        refuse(wrong_type(name, "a number", *field));
        return fallback;
    }
    const double value = field->get<double>();
    if (!std::isfinite(value) || value < low || value > high) {
        refuse(invalid_value(name,
            std::string("'") + name + "' is " + number_text(value) + "; it must lie between " + number_text(low) +
                " and " + number_text(high) + "."));
        return fallback;
    }
    return value;
}

std::int64_t Fields::integer(const char* name, std::int64_t fallback, std::int64_t low, std::int64_t high) {
    const nlohmann::ordered_json* field = find(name);
    if (field == nullptr)
        return fallback;
    const bool whole_float = field->is_number_float() && std::floor(field->get<double>()) == field->get<double>() &&
        std::abs(field->get<double>()) < 9e15;
    if (!field->is_number_integer() && !whole_float) {
        refuse(wrong_type(name, "an integer", *field));
        return fallback;
    }
    const bool too_big =
        field->is_number_unsigned() && field->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
    const std::int64_t value = whole_float ? static_cast<std::int64_t>(field->get<double>())
        : too_big                          ? INT64_MAX
                                           : field->get<std::int64_t>();
    if (too_big || value < low || value > high) {
        refuse(invalid_value(name,
            std::string("'") + name + "' is " + field->dump() + "; it must lie between " + std::to_string(low) +
                " and " + std::to_string(high) + "."));
        return fallback;
    }
    return value;
}

bool Fields::boolean(const char* name, bool fallback) {
    const nlohmann::ordered_json* field = find(name);
    if (field == nullptr)
        return fallback;
    if (!field->is_boolean()) {
        refuse(wrong_type(name, "true or false", *field));
        return fallback;
    }
    return field->get<bool>();
}

std::string Fields::text(const char* name, std::string fallback) {
    const nlohmann::ordered_json* field = find(name);
    if (field == nullptr)
        return fallback;
    if (!field->is_string()) {
        refuse(wrong_type(name, "a string", *field));
        return fallback;
    }
    return field->get<std::string>();
}

} // namespace vitrine::app
