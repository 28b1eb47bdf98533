// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: an automaton that compares with both bounds while digits come.
#include "engine/grammar/number_range.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace vitrine::engine {
namespace {

constexpr int kMaxWholeDigits = 16;
constexpr int kMaxDigits = 60;

/// Magnitudes.
int compare_magnitude(const Decimal& a, const Decimal& b) {
    if (a.whole.size() != b.whole.size())
        return a.whole.size() < b.whole.size() ? -1 : 1;
    if (const int whole = a.whole.compare(b.whole); whole != 0)
        return whole;
    return a.fraction.compare(b.fraction);
}

Decimal negated(Decimal value) {
    value.negative = !value.negative && !value.is_zero();
    return value;
}

/// Non-negative numbers with `num_digits` digits before the point, between two bounds.
class DigitWalk {
public:
    DigitWalk(GrammarBuilder& builder, const NumberRange& range, int num_digits, GrammarNode end)
        : builder_(builder), range_(range), num_digits_(num_digits), end_(end) {}

    void draw(GrammarNode from) {
        const int low = range_.low ? relation(range_.low->value) : 1;
        const int high = range_.high ? relation(range_.high->value) : -1;
        if (low < 0 || high > 0)
            return; // too few digits for the low bound, too many for the high one
        nodes_[{0, low == 0, high == 0}] = from;
        // Positions rise, so that each state is complete before it is left.
        while (!nodes_.empty()) {
            const auto [state, node] = *nodes_.begin();
            nodes_.erase(nodes_.begin());
            draw_state(state, node);
        }
    }

private:
    /// Digits read; still equal to the low, to the high bound.
    struct State {
        int place = 0;
        bool on_low = false;
        bool on_high = false;
        [[nodiscard]] friend auto operator<=>(const State&, const State&) = default;
    };

    /// Of any number with so many digits to a bound with another number of digits; 0: digits decide.
    [[nodiscard]] int relation(const Decimal& bound) const {
        return num_digits_ - static_cast<int>(bound.whole.size());
    }
    [[nodiscard]] int digit(const Decimal& bound, int place) const {
        const std::string& part = place < num_digits_ ? bound.whole : bound.fraction;
        const int at = place < num_digits_ ? place : place - num_digits_;
        return at < static_cast<int>(part.size()) ? part[static_cast<std::size_t>(at)] - '0' : 0;
    }
    /// All digits of the bound from here on are zeros.
    [[nodiscard]] bool rest_is_zero(const Decimal& bound, int place) const {
        const auto at = static_cast<std::size_t>(place - num_digits_);
        return at >= bound.fraction.size();
    }
    [[nodiscard]] bool may_stop(const State& state) const {
        if (state.place < num_digits_)
            return false;
        if (state.on_low && !(rest_is_zero(range_.low->value, state.place) && range_.low->inclusive))
            return false;
        return !state.on_high || !rest_is_zero(range_.high->value, state.place) || range_.high->inclusive;
    }

    void draw_state(const State& state, GrammarNode node) {
        if (may_stop(state))
            builder_.epsilon(node, end_);
        if (state.place < num_digits_)
            draw_digits(state, node);
        else if (state.place == num_digits_ && range_.max_fraction > 0)
            draw_digits(state, builder_.text(node, "."));
        else if (state.place - num_digits_ < range_.max_fraction)
            draw_digits(state, node);
    }

    void draw_digits(const State& state, GrammarNode node) {
        const bool must_be_zero = state.place < num_digits_ && state.place >= num_digits_ - range_.trailing_zeros;
        const bool no_zero = state.place == 0 && num_digits_ > 1;
        const int low = std::max(state.on_low ? digit(range_.low->value, state.place) : 0, no_zero ? 1 : 0);
        const int high = std::min(state.on_high ? digit(range_.high->value, state.place) : 9, must_be_zero ? 0 : 9);
        for (int first = low; first <= high;) {
            const State next{state.place + 1, state.on_low && first == digit(range_.low->value, state.place),
                state.on_high && first == digit(range_.high->value, state.place)};
            const bool at_border = next.on_low || next.on_high;
            const int border = state.on_high ? high - 1 : high; // the last digit may be the high bound's
            const int last = at_border ? first : std::max(first, border);
            builder_.bytes(
                node, static_cast<std::uint8_t>('0' + first), static_cast<std::uint8_t>('0' + last), node_of(next));
            first = last + 1;
        }
    }

    GrammarNode node_of(const State& state) {
        const auto found = nodes_.find(state);
        return found != nodes_.end() ? found->second : nodes_.emplace(state, builder_.add_node()).first->second;
    }

    GrammarBuilder& builder_;
    const NumberRange& range_;
    int num_digits_;
    GrammarNode end_;
    std::map<State, GrammarNode> nodes_;
};

void draw_magnitudes(GrammarBuilder& builder, const NumberRange& range, GrammarNode from, GrammarNode to) {
    for (int num_digits = 1; num_digits <= kMaxWholeDigits; ++num_digits) {
        const GrammarNode begin = builder.add_node();
        builder.epsilon(from, begin);
        DigitWalk(builder, range, num_digits, to).draw(begin);
    }
}

} // namespace

std::optional<Decimal> Decimal::parse(std::string_view text) {
    Decimal value;
    value.negative = text.starts_with('-');
    if (value.negative)
        text.remove_prefix(1);
    int exponent = 0;
    if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
        std::string_view power = text.substr(e + 1);
        if (power.starts_with('+'))
            power.remove_prefix(1);
        const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
        if (error != std::errc{} || end != power.data() + power.size())
            return std::nullopt;
        text = text.substr(0, e);
    }
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string digits(text.substr(0, point));
    digits += point < text.size() ? text.substr(point + 1) : std::string_view();
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    const std::int64_t place = static_cast<std::int64_t>(point) + exponent; // of the point within `digits`
    if (std::ssize(digits) > kMaxDigits || place > kMaxDigits || place < -kMaxDigits)
        return std::nullopt;
    if (place < 0)
        digits.insert(0, static_cast<std::size_t>(-place), '0');
    const auto cut = static_cast<std::size_t>(std::max<std::int64_t>(place, 0));
    if (digits.size() < cut)
        digits.append(cut - digits.size(), '0');
    value.whole = digits.substr(0, cut);
    value.fraction = digits.substr(cut);
    value.whole.erase(0, std::min(value.whole.find_first_not_of('0'), value.whole.size()));
    if (value.whole.empty())
        value.whole.assign(1, '0');
    value.fraction.erase(value.fraction.find_last_not_of('0') + 1);
    value.negative = value.negative && !value.is_zero();
    return value;
}

int compare(const Decimal& a, const Decimal& b) {
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    const int magnitude = compare_magnitude(a, b);
    return a.negative ? -magnitude : magnitude;
}

GrammarNode draw_number_range(GrammarBuilder& builder, const NumberRange& range, GrammarNode from) {
    const GrammarNode to = builder.add_node();
    const NumberBound zero{};
    const bool some_positive = !range.high || !range.high->value.negative;
    if (some_positive) {
        NumberRange positive = range;
        if (positive.low && positive.low->value.negative)
            positive.low = zero;
        draw_magnitudes(builder, positive, from, to);
    }
    const bool some_negative = !range.low || range.low->value.negative;
    if (some_negative) {
        NumberRange negative = range;
        negative.low = range.high && range.high->value.negative
            ? NumberBound{negated(range.high->value), range.high->inclusive}
            : NumberBound{Decimal{}, false};
        negative.high.reset();
        if (range.low)
            negative.high = NumberBound{negated(range.low->value), range.low->inclusive};
        const GrammarNode begin = builder.text(from, "-");
        draw_magnitudes(builder, negative, begin, to);
    }
    return to;
}

} // namespace vitrine::engine
