// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: template source to tokens, with jinja2's trim_blocks and lstrip_blocks.
#pragma once

#include "engine/chat/jinja_value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::engine {

enum class JinjaTokenKind : std::uint8_t {
    data,
    variable_begin,
    variable_end,
    block_begin,
    block_end,
    name,
    string,
    number,
    op, // text holds the operator
    end,
};

struct JinjaToken {
    JinjaTokenKind kind = JinjaTokenKind::end;
    std::string text; // data, name, decoded string, operator
    JinjaValue number; // of number
    int line = 1;
    int column = 1; // code points, from 1
};

/// Throws JinjaError.  The list ends with a token of kind end.
[[nodiscard]] std::vector<JinjaToken> jinja_tokenize(std::string_view source);

} // namespace vitrine::engine
