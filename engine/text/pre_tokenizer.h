// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: cuts text into the pieces inside which tokens may merge (PCRE2 with JIT).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace vitrine::engine {

/// Immutable after create(); split() is safe from every thread.
class PreTokenizer {
public:
    struct Piece {
        std::size_t begin = 0; // bytes
        std::size_t size = 0;
    };

    /// `patterns`: one a pass; the pieces of a pass are the subjects of the next.
    [[nodiscard]] static Result<std::unique_ptr<const PreTokenizer>> create(std::vector<std::string> patterns);
    ~PreTokenizer();
    PreTokenizer(const PreTokenizer&) = delete;
    PreTokenizer& operator=(const PreTokenizer&) = delete;

    /// Pieces in order; together they are the whole text.  Requires: valid UTF-8.
    [[nodiscard]] Result<std::vector<Piece>> split(std::string_view text) const;

private:
    struct Pass;
    PreTokenizer();
    std::vector<std::unique_ptr<Pass>> passes_;
};

/// The pattern with \s, \S and \p{...} as Oniguruma reads them (newer Unicode, no U+180E among the spaces).
[[nodiscard]] std::string with_current_classes(std::string_view pattern);

} // namespace vitrine::engine
