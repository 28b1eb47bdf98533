// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: SentencePiece's compiled normalization: a double array (Aoe 1989) from texts to what replaces them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace vitrine::engine {

/// Immutable; safe from every thread.
class Charsmap {
public:
    /// bytes: a length of 4 bytes, the double array, texts that end in 0.  Empty: nothing is replaced.  Error bad_file: the length
    /// does not fit.
    [[nodiscard]] static Result<Charsmap> read(const std::string& path, std::string_view bytes);

    /// As `tokenizers` applies it: each grapheme of up to 5 bytes, else each of its characters, becomes what stands for the
    /// shortest beginning of it that the map knows.  text: valid UTF-8.
    [[nodiscard]] std::string normalize(std::string_view text) const;

private:
    [[nodiscard]] std::optional<std::string_view> replacement(std::string_view part) const noexcept;
    void append(std::string_view grapheme, std::string& out) const;

    std::vector<std::uint32_t> units_;
    std::string texts_;
};

} // namespace vitrine::engine
