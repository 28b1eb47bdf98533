// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: writes the rules of a grammar, then checks and packs them.
#pragma once

#include <functional>
#include <optional>

#include "engine/grammar/grammar.h"

namespace vitrine::engine {

struct CodePointRange {
    char32_t first = 0;
    char32_t last = 0;
    [[nodiscard]] friend bool operator==(const CodePointRange&, const CodePointRange&) = default;
    [[nodiscard]] friend auto operator<=>(const CodePointRange&, const CodePointRange&) = default;
};
using CodePointSet = std::vector<CodePointRange>;

/// Sorted, disjoint, without surrogates.
[[nodiscard]] CodePointSet normalized(CodePointSet set);
[[nodiscard]] CodePointSet complement_of(const CodePointSet& set); // of a normalized set
[[nodiscard]] CodePointSet intersection_of(const CodePointSet& a, const CodePointSet& b); // of normalized sets
[[nodiscard]] bool contains(const CodePointSet& set, char32_t code_point) noexcept;

/// What surrounds a compilation.
struct GrammarContext {
    std::function<bool()> cancelled; // asked now and then; may be empty
    std::function<std::optional<TokenId>(std::string_view)> control_token; // the control token spelled so; may be empty
};

/// Automata are drawn edge by edge: functions that take `from` return the node behind what they drew.  Throws
/// GrammarError at the limits: nodes, edges, time, cancelled.
class GrammarBuilder {
public:
    static constexpr std::size_t kMaxEdges = 1'500'000;
    static constexpr std::size_t kMaxNodes = 600'000;

    explicit GrammarBuilder(GrammarContext context = {});

    [[nodiscard]] GrammarRule add_rule(std::string name);
    [[nodiscard]] GrammarNode start(GrammarRule rule) const { return rules_[index(rule)].start; }
    [[nodiscard]] GrammarNode accept(GrammarRule rule) const { return rules_[index(rule)].accept; }
    [[nodiscard]] GrammarNode add_node();

    void epsilon(GrammarNode from, GrammarNode to);
    void bytes(GrammarNode from, std::uint8_t low, std::uint8_t high, GrammarNode to);
    void call(GrammarNode from, GrammarRule rule, GrammarNode to);
    void token(GrammarNode from, TokenId token, GrammarNode to);
    void code_points(GrammarNode from, const CodePointSet& set, GrammarNode to); // as UTF-8
    [[nodiscard]] GrammarNode call(GrammarNode from, GrammarRule rule);
    [[nodiscard]] GrammarNode text(GrammarNode from, std::string_view text);
    /// A literal of the model's format: its control token where the vocabulary has one of that spelling, else its bytes.
    [[nodiscard]] GrammarNode marker(GrammarNode from, std::string_view text);
    /// Any text up to and with the first `marker`; control tokens other than it are not allowed.
    [[nodiscard]] GrammarNode until_marker(GrammarNode from, std::string_view marker);
    /// Any text that does not hold `marker`.
    [[nodiscard]] GrammarNode text_without(GrammarNode from, std::string_view marker);

    [[nodiscard]] const GrammarContext& context() const noexcept { return context_; }
    /// Refuses left recursion and a root that no text can end; drops what leads nowhere.
    [[nodiscard]] std::shared_ptr<const Grammar> finish(GrammarRule root) &&;

private:
    struct Rule {
        std::string name;
        GrammarNode start{};
        GrammarNode accept{};
    };
    struct DrawnEdge {
        GrammarNode from{};
        GrammarEdge edge;
    };
    struct Incoming; // edges by target
    [[nodiscard]] static std::size_t index(GrammarRule rule) noexcept { return static_cast<std::size_t>(rule); }
    [[nodiscard]] static std::size_t index(GrammarNode node) noexcept { return static_cast<std::size_t>(node); }
    void add_edge(GrammarNode from, const GrammarEdge& edge);
    void check_time();
    GrammarNode draw_search(GrammarNode from, std::string_view marker, bool with_marker);
    void encoded_range(GrammarNode from, const std::array<std::uint8_t, 4>& low,
        const std::array<std::uint8_t, 4>& high, std::array<int, 2> place, GrammarNode to);
    GrammarNode continuation(int count, GrammarNode to);
    [[nodiscard]] std::vector<bool> live_nodes(const Incoming& incoming, bool without_bytes) const;
    void drop_dead_edges(const std::vector<bool>& live);
    void mark_tail_calls(Grammar& grammar) const;
    void pack(Grammar& grammar) const;
    void check_left_recursion(const Grammar& grammar) const;

    GrammarContext context_;
    std::int64_t deadline_us_ = 0;
    std::vector<Rule> rules_;
    std::vector<DrawnEdge> edges_;
    std::size_t num_nodes_ = 0;
};

[[noreturn]] void refuse_grammar(std::string message, std::string path = {}, std::string remedy = {});

} // namespace vitrine::engine
