// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: newer Unicode classes for PCRE2 patterns.
#pragma once

#include <span>
#include <string_view>

namespace vitrine::engine {

/// `ranges` belongs into a character class beside \p{name}.
struct ClassAddition {
    std::string_view name; // "L", "Lu" ...
    std::string_view ranges; // PCRE2 syntax: \x{A}-\x{B}...
};

[[nodiscard]] std::span<const ClassAddition> class_additions() noexcept;

/// White_Space as Oniguruma and Rust's regex have it: PCRE2's \s holds U+180E besides.
inline constexpr std::string_view kWhiteSpace =
    R"(\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";

} // namespace vitrine::engine
