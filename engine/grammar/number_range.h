// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: decimal numbers inside bounds, digit by digit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/grammar/grammar_builder.h"

namespace vitrine::engine {

/// An exact decimal number.  whole: no leading zeros, "0" at least; fraction: no trailing zeros.
struct Decimal {
    bool negative = false;
    std::string whole = "0";
    std::string fraction;

    /// JSON's notation, exponent too; none: not a number, or more than 60 digits.
    [[nodiscard]] static std::optional<Decimal> parse(std::string_view text);
    [[nodiscard]] bool is_zero() const { return whole == "0" && fraction.empty(); }
};
[[nodiscard]] int compare(const Decimal& a, const Decimal& b); // < 0, 0, > 0

struct NumberBound {
    Decimal value;
    bool inclusive = true;
};
/// Numbers without exponent, at most 16 digits before the point.
struct NumberRange {
    std::optional<NumberBound> low;
    std::optional<NumberBound> high;
    int max_fraction = 16; // digits; 0: whole numbers
    int trailing_zeros = 0; // of the whole part: multiples of a power of ten
};

/// No text may follow if nothing lies in the range.
[[nodiscard]] GrammarNode draw_number_range(GrammarBuilder& builder, const NumberRange& range, GrammarNode from);

} // namespace vitrine::engine
