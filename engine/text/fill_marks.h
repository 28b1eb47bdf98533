// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: the tokens of fill-in-the-middle prompts.
#pragma once

#include <cstdint>
#include <optional>

namespace vitrine::engine {

/// Order in a prompt: prefix, text, suffix, text, middle; the answer follows.
struct FillMarks {
    std::optional<std::int32_t> prefix, suffix, middle;
};

} // namespace vitrine::engine
