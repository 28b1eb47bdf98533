// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: GPT-2's printable alphabet: each byte as one character (bytes_to_unicode of the GPT-2 release).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine::engine {

/// 33-126, 161-172, 174-255 as themselves, the others U+0100 onwards in order.
[[nodiscard]] char32_t alphabet_character(std::uint8_t byte) noexcept;
/// The bytes that a spelling stands for; characters outside the alphabet stand for their own UTF-8.
[[nodiscard]] std::string alphabet_to_bytes(std::string_view spelling);

} // namespace vitrine::engine
