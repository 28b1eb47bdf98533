// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: a body of /v1/responses as a body of /v1/chat/completions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include "app/endpoint/api_error.h"

namespace vitrine::app {

/// Items become messages, flat tools nested ones, text.format becomes response_format.  Nothing is stored here, so what
/// refers to stored things is refused: previous_response_id, conversation, background, prompt, item_reference.
[[nodiscard]] tl::expected<nlohmann::ordered_json, ApiError> chat_from_responses(const nlohmann::ordered_json& body);
/// An error of the chat body with the field names the client used.
[[nodiscard]] ApiError responses_error(ApiError error);

} // namespace vitrine::app
