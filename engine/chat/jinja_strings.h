// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: Python's str operations on text with origin; offsets are bytes unless said.
#pragma once

#include "engine/chat/jinja_value.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vitrine::engine {

/// chars: nullptr strips white space.
[[nodiscard]] JinjaText text_strip(const JinjaText& text, const JinjaText* chars, bool left, bool right);
/// separator nullptr: runs of white space.  max_splits < 0: all.
[[nodiscard]] std::vector<JinjaValue> text_split(
    const JinjaText& text, const JinjaText* separator, std::int64_t max_splits, bool from_right);
[[nodiscard]] std::vector<JinjaText> text_lines(const JinjaText& text, bool keep_ends);
[[nodiscard]] JinjaText text_replace(
    const JinjaText& text, const JinjaText& old_text, const JinjaText& new_text, std::int64_t max_count);
enum class TextCase : std::uint8_t { upper, lower, title, capitalize, swap };
[[nodiscard]] JinjaText text_case(const JinjaText& text, TextCase to);

} // namespace vitrine::engine
