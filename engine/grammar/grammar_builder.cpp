// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: drawing of rules.  Checks and packing: grammar_packing.cpp.
#include "engine/grammar/grammar_builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/clock.h"

namespace vitrine::engine {
namespace {

constexpr std::chrono::milliseconds kMaxTime{1500};
constexpr std::size_t kEdgesPerTimeCheck = 4096;
constexpr std::array<char32_t, 4> kLastOfLength{0x7F, 0x7FF, 0xFFFF, 0x10FFFF}; // by UTF-8 length - 1

std::int64_t now_us() {
    return std::chrono::duration_cast<std::chrono::microseconds>(steady_clock().now().time_since_epoch()).count();
}

std::array<std::uint8_t, 4> encoded(char32_t code_point, int length) {
    std::array<std::uint8_t, 4> out{};
    constexpr std::array<std::uint8_t, 4> kLead{0x00, 0xC0, 0xE0, 0xF0};
    for (int i = length - 1; i > 0; --i) {
        out[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(0x80U | (code_point & 0x3FU));
        code_point >>= 6U;
    }
    out[0] = static_cast<std::uint8_t>(kLead[static_cast<std::size_t>(length - 1)] | code_point);
    return out;
}

/// Knuth, Morris and Pratt 1977: the longest prefix of `word` that ends at each place.
std::vector<std::size_t> borders_of(std::string_view word) {
    std::vector<std::size_t> border(word.size() + 1, 0);
    for (std::size_t i = 1, k = 0; i < word.size(); ++i) {
        while (k > 0 && word[i] != word[k])
            k = border[k];
        if (word[i] == word[k])
            ++k;
        border[i + 1] = k;
    }
    return border;
}

} // namespace

void refuse_grammar(std::string message, std::string path, std::string remedy) {
    throw GrammarError{Error{ErrorCode::invalid_schema, std::move(message), std::move(remedy)}, std::move(path)};
}

GrammarBuilder::GrammarBuilder(GrammarContext context)
    : context_(std::move(context)), deadline_us_(now_us() + std::chrono::microseconds(kMaxTime).count()) {}

GrammarRule GrammarBuilder::add_rule(std::string name) {
    const GrammarNode start = add_node();
    rules_.push_back({std::move(name), start, add_node()});
    return static_cast<GrammarRule>(rules_.size() - 1);
}

GrammarNode GrammarBuilder::add_node() {
    if (num_nodes_ >= kMaxNodes)
        refuse_grammar(fmt::format("the grammar needs more than {} states", kMaxNodes), {},
            "Make repetitions and lengths smaller.");
    return static_cast<GrammarNode>(num_nodes_++);
}

void GrammarBuilder::check_time() {
    if (context_.cancelled && context_.cancelled())
        throw GrammarError{
            Error{ErrorCode::cancelled, "the request was cancelled while its grammar was compiled", {}}, {}};
    if (now_us() > deadline_us_)
        refuse_grammar(
            fmt::format("the grammar takes longer than {} ms to compile", kMaxTime.count()), {}, "Make it smaller.");
}

void GrammarBuilder::add_edge(GrammarNode from, const GrammarEdge& edge) {
    if (edges_.size() >= kMaxEdges)
        refuse_grammar(fmt::format("the grammar needs more than {} transitions", kMaxEdges), {},
            "Make repetitions and lengths smaller.");
    if (edges_.size() % kEdgesPerTimeCheck == 0)
        check_time();
    edges_.push_back({from, edge});
}

void GrammarBuilder::epsilon(GrammarNode from, GrammarNode to) {
    add_edge(from, {EdgeKind::epsilon, 0, 0, false, 0, to});
}

void GrammarBuilder::bytes(GrammarNode from, std::uint8_t low, std::uint8_t high, GrammarNode to) {
    add_edge(from, {EdgeKind::bytes, low, high, false, 0, to});
}

void GrammarBuilder::call(GrammarNode from, GrammarRule rule, GrammarNode to) {
    add_edge(from, {EdgeKind::call, 0, 0, false, static_cast<std::uint32_t>(rule), to});
}

void GrammarBuilder::token(GrammarNode from, TokenId token, GrammarNode to) {
    add_edge(from, {EdgeKind::token, 0, 0, false, static_cast<std::uint32_t>(token), to});
}

GrammarNode GrammarBuilder::call(GrammarNode from, GrammarRule rule) {
    const GrammarNode to = add_node();
    call(from, rule, to);
    return to;
}

GrammarNode GrammarBuilder::text(GrammarNode from, std::string_view text) {
    for (const char c : text) {
        const GrammarNode to = add_node();
        const auto byte = static_cast<std::uint8_t>(c);
        bytes(from, byte, byte, to);
        from = to;
    }
    return from;
}

GrammarNode GrammarBuilder::marker(GrammarNode from, std::string_view literal) {
    const auto id = context_.control_token ? context_.control_token(literal) : std::nullopt;
    if (!id)
        return text(from, literal);
    const GrammarNode to = add_node();
    token(from, *id, to);
    return to;
}

GrammarNode GrammarBuilder::until_marker(GrammarNode from, std::string_view marker) {
    return draw_search(from, marker, true);
}

GrammarNode GrammarBuilder::text_without(GrammarNode from, std::string_view marker) {
    return draw_search(from, marker, false);
}

/// The search automaton of `marker`, byte by byte; without_marker: every state but the last is an end.
GrammarNode GrammarBuilder::draw_search(GrammarNode from, std::string_view marker, bool with_marker) {
    const std::vector<std::size_t> border = borders_of(marker);
    std::vector<GrammarNode> states;
    for (std::size_t i = 0; i < marker.size(); ++i)
        states.push_back(add_node());
    const GrammarNode end = add_node();
    epsilon(from, states.front());
    const auto id = context_.control_token ? context_.control_token(marker) : std::nullopt;
    for (std::size_t i = 0; i < states.size(); ++i) {
        std::array<std::size_t, 256> next{};
        for (std::size_t k = i;; k = border[k]) { // shorter borders last, so that longer ones win below
            const auto byte = static_cast<std::uint8_t>(marker[k]);
            if (next[byte] == 0)
                next[byte] = k + 1;
            if (k == 0)
                break;
        }
        for (std::size_t first = 0; first < 256;) {
            std::size_t last = first;
            while (last + 1 < 256 && next[last + 1] == next[first])
                ++last;
            const bool completes = next[first] == states.size();
            if (!completes || with_marker)
                bytes(states[i], static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last),
                    completes ? end : states[next[first]]);
            first = last + 1;
        }
        if (!with_marker)
            epsilon(states[i], end);
        else if (id)
            token(states[i], *id, end);
    }
    return end;
}

GrammarNode GrammarBuilder::continuation(int count, GrammarNode to) {
    for (int i = 0; i < count; ++i) {
        const GrammarNode before = add_node();
        bytes(before, 0x80, 0xBF, to);
        to = before;
    }
    return to;
}

/// Encodings of one length between `low` and `high`, from byte place[0] of place[1].
void GrammarBuilder::encoded_range(GrammarNode from, const std::array<std::uint8_t, 4>& low,
    const std::array<std::uint8_t, 4>& high, std::array<int, 2> place, GrammarNode to) {
    const auto [at, length] = place;
    const auto i = static_cast<std::size_t>(at);
    const int rest = length - at - 1;
    if (rest == 0)
        return bytes(from, low[i], high[i], to);
    if (low[i] == high[i]) {
        const GrammarNode next = add_node();
        bytes(from, low[i], low[i], next);
        return encoded_range(next, low, high, {at + 1, length}, to);
    }
    std::array<std::uint8_t, 4> lowest{};
    std::array<std::uint8_t, 4> highest{};
    lowest.fill(0x80);
    highest.fill(0xBF);
    int first = low[i];
    int last = high[i];
    if (!std::equal(low.begin() + at + 1, low.begin() + length, lowest.begin())) {
        const GrammarNode next = add_node();
        bytes(from, low[i], low[i], next);
        encoded_range(next, low, highest, {at + 1, length}, to);
        ++first;
    }
    if (!std::equal(high.begin() + at + 1, high.begin() + length, highest.begin())) {
        const GrammarNode next = add_node();
        bytes(from, high[i], high[i], next);
        encoded_range(next, lowest, high, {at + 1, length}, to);
        --last;
    }
    if (first <= last)
        bytes(from, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last), continuation(rest, to));
}

void GrammarBuilder::code_points(GrammarNode from, const CodePointSet& set, GrammarNode to) {
    for (const CodePointRange& range : set) {
        char32_t first = range.first;
        for (int length = 1; length <= 4; ++length) {
            const char32_t last = std::min(range.last, kLastOfLength[static_cast<std::size_t>(length - 1)]);
            if (first > last)
                continue;
            encoded_range(from, encoded(first, length), encoded(last, length), {0, length}, to);
            first = last + 1;
        }
    }
}

} // namespace vitrine::engine
