// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: parsing with a bound on depth.
#include "engine/lab/json_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vitrine::engine {
namespace {

constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxShown = 40;

} // namespace

Result<Json> parse_json(std::string_view text) {
    bool too_deep = false;
    const auto watch = [&too_deep](int depth, Json::parse_event_t, Json&) {
        too_deep = too_deep || depth > kMaxDepth;
        return !too_deep;
    };
    Json json = Json::parse(text.begin(), text.end(), watch, false);
    if (too_deep)
        return fail(ErrorCode::bad_file, fmt::format("it is nested deeper than {} levels", kMaxDepth));
    if (json.is_discarded())
        return fail(ErrorCode::bad_file, "it is not valid JSON");
    return json;
}

std::string brief(const Json& value) {
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace); // ASCII: cut anywhere
    if (text.size() > kMaxShown)
        text = text.substr(0, kMaxShown) + "...";
    return text;
}

} // namespace vitrine::engine
