// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: small value languages inside calls: JSON's extent, Gemma 4's, Python's.
#pragma once

#include "engine/chat/jinja_value.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine::engine {

/// Position after the JSON object or array that starts at `at`; npos: it is not complete, or none starts there.
[[nodiscard]] std::size_t json_value_end(std::string_view text, std::size_t at);
/// {city:<|"|>Zürich<|"|>,days:3}
[[nodiscard]] std::optional<JinjaValue> read_gemma_value(std::string_view text);
/// [f(city='Zürich', days=3), g()]
[[nodiscard]] std::optional<std::vector<std::pair<std::string, JinjaValue>>> read_python_calls(std::string_view text);
/// Position of the ',' or the closing bracket behind the argument that starts `text`; npos: it is not complete.
[[nodiscard]] std::size_t literal_end(std::string_view text, bool gemma);
/// One argument, city:<|"|>Zürich<|"|> or city='Zürich', as a map.
[[nodiscard]] std::optional<JinjaValue> read_literal_entry(const std::string& entry, bool gemma);
[[nodiscard]] bool jinja_contains_text(const JinjaValue& list, std::string_view text);

} // namespace vitrine::engine
