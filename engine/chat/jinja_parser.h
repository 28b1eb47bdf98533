// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: tokens to a syntax tree.
#pragma once

#include "engine/chat/jinja_ast.h"

#include <memory>
#include <string_view>

namespace vitrine::engine {

/// Throws JinjaError: syntax, unknown filter or test, nesting deeper than 100.
[[nodiscard]] std::unique_ptr<const JinjaProgram> jinja_parse(std::string_view source);

} // namespace vitrine::engine
