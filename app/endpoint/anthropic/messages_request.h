// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: a body of /v1/messages as a body of /v1/chat/completions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include "app/endpoint/api_error.h"

namespace vitrine::app {

/// Blocks become messages, parts and tool calls.  needs_limit: max_tokens is demanded (not for counting).
[[nodiscard]] tl::expected<nlohmann::ordered_json, ApiError> chat_from_messages(
    const nlohmann::ordered_json& body, bool needs_limit);

} // namespace vitrine::app
