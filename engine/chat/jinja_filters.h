// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the two halves of the filter table.
#pragma once

#include "engine/chat/jinja_ast.h"

#include <string_view>

namespace vitrine::engine {

/// Filters on sequences and mappings; nullptr: no such filter.
[[nodiscard]] JinjaFilter jinja_find_sequence_filter(std::string_view name);

} // namespace vitrine::engine
