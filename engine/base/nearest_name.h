// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: the known name that a wrong one most likely meant.
#pragma once

#include <span>
#include <string_view>

#include "kernels/api/phrase.h"

namespace vitrine::engine {

/// Least edit distance (Levenshtein 1966), the first of equals; case does not count.  Empty when not even half of the letters
/// agree: then no known name was meant.
[[nodiscard]] std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

/// "The nearest is "qwen2moe". Known: a, b, c." or without the first sentence.
[[nodiscard]] Phrase known_names(std::string_view name, std::span<const std::string_view> known);

} // namespace vitrine::engine
