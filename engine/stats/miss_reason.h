// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: why tokens were not found in the prefix cache, as values and as a sentence.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/kv/prefix_cache.h"

namespace vitrine::engine {

/// The largest reason; none if everything was a hit.  token_text: display text of a token.
[[nodiscard]] std::optional<PrefixMiss> largest_miss(
    const PrefixMatch& match, TimePoint now, const std::function<std::string(TokenId)>& token_text);
/// It in English, without a full stop.
[[nodiscard]] std::string miss_sentence(const PrefixMiss& miss);

} // namespace vitrine::engine
