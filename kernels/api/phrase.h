// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: a sentence as its number and its values, so that a window can say it in another language.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vitrine {

enum class Sentence : std::uint16_t; // listed in sentence.h, which only the makers of errors include

/// An amount of memory or of a file, for people: "1.25 GiB".
struct ByteCount {
    std::int64_t bytes = 0;
};

class PhraseValue;

/// One sentence: which one, and what stands in its places.  Sentence::none: there is no phrase, only text.
struct Phrase {
    Sentence sentence{};
    std::vector<PhraseValue> values;
};

/// What stands in one place of a sentence.  Quantities are numbers, which every language groups in its own way; names, ids,
/// ports and versions are text; a cause is a phrase of its own.
class PhraseValue {
public:
    using Value = std::variant<std::string, std::int64_t, ByteCount, Phrase>;

    template <std::integral Number>
    PhraseValue(Number number) // one beyond the range, as a hostile file may name, is text
        : value_(std::in_range<std::int64_t>(number) ? Value(static_cast<std::int64_t>(number))
                                                     : Value(std::to_string(number))) {}
    PhraseValue(std::string text) : value_(std::move(text)) {}
    PhraseValue(std::string_view text) : value_(std::string(text)) {}
    PhraseValue(const char* text) : value_(std::string(text)) {}
    PhraseValue(ByteCount count) : value_(count) {}
    PhraseValue(Phrase phrase) : value_(std::move(phrase)) {}

    [[nodiscard]] const Value& value() const noexcept { return value_; }

private:
    Value value_;
};

} // namespace vitrine
