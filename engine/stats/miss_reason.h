// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: why tokens were not found in the prefix cache, as a sentence.
#pragma once

#include <functional>
#include <string>

#include "engine/kv/prefix_cache.h"

namespace vitrine::engine {

/// One sentence about the largest reason, or "" if everything was a hit.  token_text: display text of a token.
[[nodiscard]] std::string describe_miss(
    const PrefixMatch& match, TimePoint now, const std::function<std::string(TokenId)>& token_text);

} // namespace vitrine::engine
