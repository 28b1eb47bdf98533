// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: what to hold back when a literal may be cut between two pieces.
#pragma once

#include <algorithm>
#include <string_view>

namespace vitrine::engine {

/// Length of the longest end of `text` that is a proper beginning of `literal`.
[[nodiscard]] inline std::size_t partial_suffix(std::string_view text, std::string_view literal) {
    if (literal.empty())
        return 0;
    for (std::size_t size = std::min(text.size(), literal.size() - 1); size > 0; --size) {
        if (literal.starts_with(text.substr(text.size() - size)))
            return size;
    }
    return 0;
}

} // namespace vitrine::engine
