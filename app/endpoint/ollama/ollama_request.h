// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: bodies of /api/chat and /api/generate as bodies of the OpenAI dialect.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <tl/expected.hpp>

#include "app/endpoint/api_error.h"

namespace vitrine::app {

/// For plan_chat().
[[nodiscard]] tl::expected<nlohmann::ordered_json, ApiError> chat_from_ollama_chat(const nlohmann::ordered_json& body);
/// /api/generate without `raw` and `suffix`: the prompt as a chat of one question.
[[nodiscard]] tl::expected<nlohmann::ordered_json, ApiError> chat_from_ollama_generate(
    const nlohmann::ordered_json& body);
/// /api/generate with `raw` or `suffix`: for plan_completion().
[[nodiscard]] tl::expected<nlohmann::ordered_json, ApiError> completion_from_ollama_generate(
    const nlohmann::ordered_json& body);

/// keep_alive: "5m", "1h30m", seconds; negative: for ever.  Nothing: not given.
[[nodiscard]] tl::expected<std::optional<std::chrono::milliseconds>, ApiError> read_keep_alive(
    const nlohmann::ordered_json& body);

} // namespace vitrine::app
