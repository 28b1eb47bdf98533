// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: from drawn edges to a checked, packed grammar.
#include <algorithm>

#include <fmt/format.h>

#include "engine/grammar/grammar_builder.h"

namespace vitrine::engine {

std::span<const GrammarEdge> Grammar::edges(GrammarNode node) const noexcept {
    const std::size_t at = index(node);
    return std::span(edges_).subspan(first_edge_[at], first_edge_[at + 1] - first_edge_[at]);
}

struct GrammarBuilder::Incoming {
    std::vector<std::uint32_t> first; // [nodes + 1]
    std::vector<std::uint32_t> edges; // by target

    Incoming(const std::vector<DrawnEdge>& drawn, std::size_t num_nodes) : first(num_nodes + 1), edges(drawn.size()) {
        for (const DrawnEdge& edge : drawn)
            ++first[index(edge.edge.target) + 1];
        for (std::size_t i = 1; i < first.size(); ++i)
            first[i] += first[i - 1];
        std::vector<std::uint32_t> place(first.begin(), first.end() - 1);
        for (std::size_t i = 0; i < drawn.size(); ++i)
            edges[place[index(drawn[i].edge.target)]++] = static_cast<std::uint32_t>(i);
    }
};

/// Nodes from which the end of their rule can be reached; without_bytes: with no text at all.
std::vector<bool> GrammarBuilder::live_nodes(const Incoming& incoming, bool without_bytes) const {
    std::vector<bool> live(num_nodes_);
    std::vector<bool> productive(rules_.size());
    std::vector<std::vector<GrammarNode>> waiting(rules_.size()); // callers whose return is live, by rule
    std::vector<std::int32_t> rule_of_start(num_nodes_, -1);
    std::vector<GrammarNode> queue;
    const auto reach = [&](GrammarNode node) {
        if (live[index(node)])
            return;
        live[index(node)] = true;
        queue.push_back(node);
    };
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
        rule_of_start[index(rules_[rule].start)] = static_cast<std::int32_t>(rule);
        reach(rules_[rule].accept);
    }
    while (!queue.empty()) {
        const GrammarNode node = queue.back();
        queue.pop_back();
        if (const std::int32_t rule = rule_of_start[index(node)]; rule >= 0) {
            productive[static_cast<std::size_t>(rule)] = true;
            for (const GrammarNode caller : std::exchange(waiting[static_cast<std::size_t>(rule)], {}))
                reach(caller);
        }
        for (std::uint32_t i = incoming.first[index(node)]; i < incoming.first[index(node) + 1]; ++i) {
            const DrawnEdge& drawn = edges_[incoming.edges[i]];
            const bool consumes = drawn.edge.kind == EdgeKind::bytes || drawn.edge.kind == EdgeKind::token;
            if (consumes && without_bytes)
                continue;
            if (drawn.edge.kind != EdgeKind::call || productive[drawn.edge.value])
                reach(drawn.from);
            else
                waiting[drawn.edge.value].push_back(drawn.from);
        }
    }
    return live;
}

void GrammarBuilder::drop_dead_edges(const std::vector<bool>& live) {
    std::erase_if(edges_, [&](const DrawnEdge& drawn) {
        const bool calls_dead = drawn.edge.kind == EdgeKind::call && !live[index(rules_[drawn.edge.value].start)];
        return calls_dead || !live[index(drawn.from)] || !live[index(drawn.edge.target)];
    });
}

void GrammarBuilder::pack(Grammar& grammar) const {
    grammar.first_edge_.assign(num_nodes_ + 1, 0);
    for (const DrawnEdge& drawn : edges_)
        ++grammar.first_edge_[index(drawn.from) + 1];
    for (std::size_t i = 1; i < grammar.first_edge_.size(); ++i)
        grammar.first_edge_[i] += grammar.first_edge_[i - 1];
    grammar.edges_.resize(edges_.size());
    std::vector<std::uint32_t> place(grammar.first_edge_.begin(), grammar.first_edge_.end() - 1);
    std::array<bool, 257> border{};
    for (const DrawnEdge& drawn : edges_) {
        grammar.edges_[place[index(drawn.from)]++] = drawn.edge;
        if (drawn.edge.kind == EdgeKind::bytes) {
            border[drawn.edge.low] = true;
            border[drawn.edge.high + 1U] = true;
        }
    }
    int number = 0;
    for (std::size_t byte = 0; byte < 256; ++byte) {
        number += byte > 0 && border[byte] ? 1 : 0;
        grammar.classes_[byte] = static_cast<std::uint8_t>(number);
    }
    grammar.num_classes_ = number + 1;
    grammar.accepts_.assign(num_nodes_, false);
    for (const Rule& rule : rules_) {
        grammar.starts_.push_back(rule.start);
        grammar.accepts_[index(rule.accept)] = true;
    }
}

/// After a tail call nothing is left but the caller's own end, so the callee's end can be the caller's.
void GrammarBuilder::mark_tail_calls(Grammar& grammar) const {
    for (GrammarEdge& edge : grammar.edges_) {
        if (edge.kind != EdgeKind::call)
            continue;
        GrammarNode node = edge.target;
        for (int hops = 0; hops < 16 && !grammar.is_accept(node); ++hops) {
            const auto out = grammar.edges(node);
            if (out.size() != 1 || out.front().kind != EdgeKind::epsilon)
                break;
            node = out.front().target;
        }
        edge.tail = grammar.is_accept(node) && grammar.edges(node).empty();
    }
}

void GrammarBuilder::check_left_recursion(const Grammar& grammar) const {
    // Rules that each rule may call before any byte.
    std::vector<std::vector<std::uint32_t>> left(rules_.size());
    std::vector<bool> seen(num_nodes_);
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
        std::vector<GrammarNode> stack{rules_[rule].start};
        while (!stack.empty()) {
            const GrammarNode node = stack.back();
            stack.pop_back();
            if (seen[index(node)])
                continue;
            seen[index(node)] = true;
            for (const GrammarEdge& edge : grammar.edges(node)) {
                if (edge.kind == EdgeKind::call)
                    left[rule].push_back(edge.value);
                if (edge.kind == EdgeKind::epsilon || (edge.kind == EdgeKind::call && grammar.is_nullable(edge.value)))
                    stack.push_back(edge.target);
            }
        }
    }
    enum class Mark : std::uint8_t { fresh, open, done };
    std::vector<Mark> marks(rules_.size(), Mark::fresh);
    std::vector<std::pair<std::uint32_t, std::size_t>> path; // rule, next of left[rule]
    for (std::uint32_t first = 0; first < rules_.size(); ++first) {
        if (marks[first] != Mark::fresh)
            continue;
        path.emplace_back(first, 0);
        marks[first] = Mark::open;
        while (!path.empty()) {
            auto& [rule, next] = path.back();
            if (next == left[rule].size()) {
                marks[rule] = Mark::done;
                path.pop_back();
                continue;
            }
            const std::uint32_t callee = left[rule][next++];
            if (marks[callee] == Mark::open)
                refuse_grammar(
                    fmt::format("the rule '{}' is left-recursive: it begins with itself", rules_[callee].name), {},
                    "Rewrite it with the recursion at the end, or with * or +.");
            if (marks[callee] == Mark::fresh) {
                marks[callee] = Mark::open;
                path.emplace_back(callee, 0);
            }
        }
    }
}

std::shared_ptr<const Grammar> GrammarBuilder::finish(GrammarRule root) && {
    check_time();
    const std::vector<bool> live = live_nodes(Incoming(edges_, num_nodes_), false);
    if (!live[index(rules_[index(root)].start)])
        refuse_grammar("no text can satisfy it", {}, "Check for contradictions, and for rules that never end.");
    drop_dead_edges(live);
    const std::vector<bool> empty = live_nodes(Incoming(edges_, num_nodes_), true);
    auto grammar = std::make_shared<Grammar>();
    for (const Rule& rule : rules_)
        grammar->nullable_.push_back(empty[index(rule.start)]);
    grammar->root_ = static_cast<std::uint32_t>(root);
    pack(*grammar);
    mark_tail_calls(*grammar);
    check_left_recursion(*grammar);
    return grammar;
}

} // namespace vitrine::engine
