// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: UTF-8 read and written, invalid input treated as Unicode 15 section 3.9 says (maximal subparts).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::engine {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;
inline constexpr std::string_view kReplacementUtf8 = "\xEF\xBF\xBD";

/// One step through a text.  For invalid input `code_point` is U+FFFD and `length` that of the maximal subpart (>= 1).
struct Utf8Step {
    char32_t code_point = kReplacementCharacter;
    int length = 1; // bytes
    bool valid = false;
    bool truncated = false; // invalid only because the text ended inside a sequence
};

/// Requires: at < text.size().
[[nodiscard]] Utf8Step decode_utf8(std::string_view text, std::size_t at) noexcept;
/// Requires: a scalar value (no surrogate, <= U+10FFFF).
void append_utf8(std::string& text, char32_t code_point);
[[nodiscard]] bool is_valid_utf8(std::string_view text) noexcept;
/// A copy with U+FFFD for each maximal subpart of an ill-formed sequence.
[[nodiscard]] std::string replace_invalid_utf8(std::string_view text);
/// Bytes (0..3) at the end which begin a character that further bytes could complete.
[[nodiscard]] std::size_t incomplete_utf8_tail(std::string_view text) noexcept;
[[nodiscard]] std::size_t count_code_points(std::string_view text) noexcept; // invalid subparts count one each

} // namespace vitrine::engine
