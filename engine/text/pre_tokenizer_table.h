// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: the pre-tokenizers as data: names, patterns, habits of their originals.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace vitrine::engine {

inline constexpr int kMaxPasses = 6;

struct PreTokenizerRow {
    std::string_view family;
    std::span<const std::string_view> names; // tokenizer.ggml.pre, the family's own included
    std::array<std::string_view, kMaxPasses> patterns; // one a pass, in order; empty: no more
    bool ignore_merges = false; // a whole piece in the vocabulary wins before merging
};

/// Null: no such name.
[[nodiscard]] const PreTokenizerRow* find_pre_tokenizer(std::string_view name) noexcept;
[[nodiscard]] std::span<const PreTokenizerRow> pre_tokenizer_table() noexcept;

} // namespace vitrine::engine
