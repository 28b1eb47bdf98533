// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: JSON from files that nobody vouches for.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace vitrine::engine {

using Json = nlohmann::json;

/// At most 32 levels, so that nothing that walks the value runs out of stack.  Errors: bad_file.
[[nodiscard]] Result<Json> parse_json(std::string_view text);
/// The value on one line, at most 40 bytes of it.
[[nodiscard]] std::string brief(const Json& value);

} // namespace vitrine::engine
