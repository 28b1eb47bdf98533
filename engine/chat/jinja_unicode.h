// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the little Unicode that Python's str methods need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::engine {

/// Bytes of the code point that starts at `offset` (1 for a stray byte).
[[nodiscard]] std::size_t utf8_length_at(std::string_view text, std::size_t offset);
[[nodiscard]] char32_t utf8_decode_at(std::string_view text, std::size_t offset);
void utf8_append(std::string& out, char32_t code_point);
[[nodiscard]] std::size_t utf8_count(std::string_view text);
/// Byte offset of every code point, and the size at the end.
[[nodiscard]] std::vector<std::size_t> utf8_offsets(std::string_view text);

[[nodiscard]] bool is_space(char32_t c);
[[nodiscard]] bool is_printable(char32_t c); // Python's str.isprintable of one character
[[nodiscard]] bool is_alpha(char32_t c);
[[nodiscard]] bool is_digit(char32_t c);
[[nodiscard]] bool is_upper(char32_t c);
[[nodiscard]] bool is_lower(char32_t c);
[[nodiscard]] char32_t simple_upper(char32_t c);
[[nodiscard]] char32_t simple_lower(char32_t c);

} // namespace vitrine::engine
