// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: how deep a JSON text nests, known before anything is built of it.
#include "engine/base/json_depth.h"

#include <cstddef>

namespace vitrine::engine {

bool json_depth_is_bounded(std::string_view text) noexcept {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string && c == '\\')
            ++i;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '[' || c == '{') && ++depth > kMaxFileJsonDepth)
            return false;
        else if (!in_string && (c == ']' || c == '}'))
            --depth;
    }
    return true;
}

} // namespace vitrine::engine
