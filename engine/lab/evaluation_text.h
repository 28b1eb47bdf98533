// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: what quality reports score and ask where the user gives no text.
#pragma once

#include <array>
#include <string_view>

namespace vitrine::engine {

/// About 600 tokens of plain English, prose, code and numbers, written for this program.
[[nodiscard]] std::string_view evaluation_text() noexcept;

inline constexpr std::array<std::string_view, 3> kSamplePrompts{
    "What is the capital of Italy, and which river flows through it?",
    "Write one sentence that explains why the sky is blue.", "List three prime numbers between 10 and 30."};

} // namespace vitrine::engine
