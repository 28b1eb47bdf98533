// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: configurations on demand: subset construction within a rule, shared stacks between rules.
#include "engine/grammar/grammar_automaton.h"

#include <algorithm>
#include <map>

namespace vitrine::engine {
namespace {

std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
    return (std::uint64_t{static_cast<std::uint32_t>(a)} << 32U) | static_cast<std::uint32_t>(b);
}

} // namespace

std::size_t GrammarAutomaton::VectorHash::operator()(const std::vector<std::uint64_t>& key) const noexcept {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL ^ key.size();
    for (const std::uint64_t word : key) { // the finaliser of splitmix64 on each word
        hash = (hash ^ word) * 0xBF58476D1CE4E5B9ULL;
        hash ^= hash >> 31U;
    }
    return static_cast<std::size_t>(hash);
}

GrammarAutomaton::GrammarAutomaton(std::shared_ptr<const Grammar> grammar)
    : grammar_(std::move(grammar)), num_classes_(static_cast<std::size_t>(grammar_->num_byte_classes())), frames_(1),
      visited_(grammar_->num_nodes()) {
    Groups groups;
    add(groups, {0, intern_set({grammar_->start(grammar_->root())})});
    push_calls(groups);
    start_ = intern_config(std::move(groups));
}

/// Adds what epsilon edges, nullable rules and tail calls reach; keeps the nodes that matter.
void GrammarAutomaton::close(std::vector<GrammarNode>& nodes) {
    ++visit_;
    std::vector<GrammarNode> queue;
    const auto reach = [&](GrammarNode node) {
        std::uint32_t& met = visited_[static_cast<std::size_t>(node)];
        if (met != visit_)
            queue.push_back(node);
        met = visit_;
    };
    std::ranges::for_each(nodes, reach);
    nodes.clear();
    while (!queue.empty()) {
        const GrammarNode node = queue.back();
        queue.pop_back();
        bool matters = grammar_->is_accept(node);
        for (const GrammarEdge& edge : grammar_->edges(node)) {
            if (edge.kind == EdgeKind::epsilon) {
                reach(edge.target);
                continue;
            }
            matters = true;
            if (edge.kind != EdgeKind::call)
                continue;
            if (edge.tail)
                reach(grammar_->start(edge.value));
            if (grammar_->is_nullable(edge.value))
                reach(edge.target);
        }
        if (matters)
            nodes.push_back(node);
    }
    std::ranges::sort(nodes);
}

GrammarAutomaton::SetId GrammarAutomaton::intern_set(std::vector<GrammarNode> kernel) {
    close(kernel);
    std::vector<std::uint64_t> key;
    key.reserve(kernel.size());
    for (const GrammarNode node : kernel)
        key.push_back(static_cast<std::uint64_t>(node));
    const auto [found, fresh] = set_ids_.try_emplace(std::move(key), static_cast<SetId>(sets_.size()));
    if (!fresh)
        return found->second;
    const SetId id = found->second;
    NodeSet set;
    for (const GrammarNode node : kernel) {
        set.accepts = set.accepts || grammar_->is_accept(node);
        for (const GrammarEdge& edge : grammar_->edges(node))
            set.consumes = set.consumes || edge.kind == EdgeKind::bytes || edge.kind == EdgeKind::token;
    }
    set.nodes = std::move(kernel);
    set.next.assign(num_classes_, kUnknown);
    sets_.push_back(std::move(set));
    return id;
}

/// Calls of one rule return to one set: alternatives that begin alike share their stack.
void GrammarAutomaton::find_calls(SetId set) {
    if (std::exchange(sets_[static_cast<std::size_t>(set)].calls_known, true))
        return;
    std::map<std::uint32_t, std::vector<GrammarNode>> returns;
    for (const GrammarNode node : sets_[static_cast<std::size_t>(set)].nodes)
        for (const GrammarEdge& edge : grammar_->edges(node))
            if (edge.kind == EdgeKind::call && !edge.tail)
                returns[edge.value].push_back(edge.target);
    for (auto& [rule, nodes] : returns) {
        const SetId id = intern_set(std::move(nodes)); // may move sets_
        sets_[static_cast<std::size_t>(set)].calls.emplace_back(rule, id);
    }
}

GrammarAutomaton::StackId GrammarAutomaton::push(SetId returns, StackId parent) {
    const int depth = frames_[static_cast<std::size_t>(parent)].depth + 1;
    if (depth > kMaxDepth)
        return -1;
    const auto [found, fresh] = stack_ids_.try_emplace(pair_key(returns, parent), static_cast<StackId>(frames_.size()));
    if (fresh)
        frames_.push_back({returns, parent, depth});
    return found->second;
}

GrammarAutomaton::SetId GrammarAutomaton::next_set(SetId set, std::uint8_t byte_class, std::uint8_t byte) {
    const SetId known = sets_[static_cast<std::size_t>(set)].next[byte_class];
    if (known != kUnknown)
        return known;
    std::vector<GrammarNode> targets;
    for (const GrammarNode node : sets_[static_cast<std::size_t>(set)].nodes)
        for (const GrammarEdge& edge : grammar_->edges(node))
            if (edge.kind == EdgeKind::bytes && edge.low <= byte && byte <= edge.high)
                targets.push_back(edge.target);
    const SetId next = targets.empty() ? kDead : intern_set(std::move(targets));
    sets_[static_cast<std::size_t>(set)].next[byte_class] = next;
    return next;
}

GrammarAutomaton::SetId GrammarAutomaton::united(SetId a, SetId b) {
    if (a == b)
        return a;
    const auto [found, fresh] = unions_.try_emplace(pair_key(std::min(a, b), std::max(a, b)), kUnknown);
    if (!fresh)
        return found->second;
    std::vector<GrammarNode> nodes = sets_[static_cast<std::size_t>(a)].nodes;
    const std::vector<GrammarNode>& others = sets_[static_cast<std::size_t>(b)].nodes;
    nodes.insert(nodes.end(), others.begin(), others.end());
    return found->second = intern_set(std::move(nodes));
}

/// False: it was all there.
bool GrammarAutomaton::add(Groups& groups, Group group) {
    const auto found = std::ranges::find(groups, group.first, &Group::first);
    if (found == groups.end()) {
        groups.push_back(group);
        return true;
    }
    const SetId both = united(found->second, group.second);
    return std::exchange(found->second, both) != both;
}

/// Rules that have ended return, deepest first.  Returns at once of rules called here are part of their sets' closure.
void GrammarAutomaton::pop_returns(Groups& groups) {
    std::vector<StackId> open;
    for (const Group& group : groups)
        open.push_back(group.first);
    while (!open.empty()) {
        const auto deepest = std::ranges::max_element(
            open, {}, [this](StackId stack) { return frames_[static_cast<std::size_t>(stack)].depth; });
        const StackId stack = *deepest;
        open.erase(deepest);
        const SetId set = std::ranges::find(groups, stack, &Group::first)->second;
        if (stack == 0 || !sets_[static_cast<std::size_t>(set)].accepts)
            continue;
        const Frame frame = frames_[static_cast<std::size_t>(stack)];
        if (add(groups, {frame.parent, frame.returns}) && std::ranges::find(open, frame.parent) == open.end())
            open.push_back(frame.parent);
    }
}

void GrammarAutomaton::push_calls(Groups& groups) {
    std::vector<Group> open = groups;
    while (!open.empty() && groups.size() <= kMaxGroups) {
        const auto [stack, set] = open.back();
        open.pop_back();
        find_calls(set);
        const auto calls = sets_[static_cast<std::size_t>(set)].calls; // a copy: intern_set() moves sets_
        for (const auto& [rule, returns] : calls) {
            const StackId frame = push(returns, stack);
            if (frame < 0 || !add(groups, {frame, intern_set({grammar_->start(rule)})}))
                continue;
            open.push_back(*std::ranges::find(groups, frame, &Group::first));
        }
    }
}

GrammarAutomaton::Config GrammarAutomaton::intern_config(Groups groups) {
    if (groups.size() > kMaxGroups || configs_.size() >= kMaxConfigs)
        return kDead;
    ConfigData data;
    for (const Group& group : groups) {
        const NodeSet& set = sets_[static_cast<std::size_t>(group.second)];
        data.ends = data.ends || (group.first == 0 && set.accepts);
        if (set.consumes)
            data.groups.push_back(group);
    }
    if (data.groups.empty() && !data.ends)
        return kDead;
    std::ranges::sort(data.groups);
    std::vector<std::uint64_t> key{data.ends ? 1U : 0U};
    for (const auto& [stack, set] : data.groups)
        key.push_back(pair_key(stack, set));
    const auto [found, fresh] = config_ids_.try_emplace(std::move(key), static_cast<Config>(configs_.size()));
    if (fresh) {
        configs_.push_back(std::move(data));
        transitions_.resize(transitions_.size() + num_classes_, kUnknown);
    }
    return found->second;
}

GrammarAutomaton::Config GrammarAutomaton::compute_next(Config config, std::uint8_t byte_class, std::uint8_t byte) {
    Groups groups;
    for (const auto& [stack, set] : Groups(configs_[static_cast<std::size_t>(config)].groups)) {
        const SetId next = next_set(set, byte_class, byte);
        if (next != kDead)
            add(groups, {stack, next});
    }
    Config target = kDead;
    if (!groups.empty()) {
        pop_returns(groups);
        push_calls(groups);
        target = intern_config(std::move(groups));
    }
    transitions_[static_cast<std::size_t>(config) * num_classes_ + byte_class] = target;
    return target;
}

GrammarAutomaton::Config GrammarAutomaton::next_by_token(Config config, TokenId token) {
    Groups groups;
    for (const auto& [stack, set] : Groups(configs_[static_cast<std::size_t>(config)].groups)) {
        std::vector<GrammarNode> targets;
        for (const GrammarNode node : sets_[static_cast<std::size_t>(set)].nodes)
            for (const GrammarEdge& edge : grammar_->edges(node))
                if (edge.kind == EdgeKind::token && edge.value == static_cast<std::uint32_t>(token))
                    targets.push_back(edge.target);
        if (!targets.empty())
            add(groups, {stack, intern_set(std::move(targets))});
    }
    if (groups.empty())
        return kDead;
    pop_returns(groups);
    push_calls(groups);
    return intern_config(std::move(groups));
}

std::vector<TokenId> GrammarAutomaton::token_edges(Config config) const {
    std::vector<TokenId> tokens;
    for (const auto& [stack, set] : configs_[static_cast<std::size_t>(config)].groups)
        for (const GrammarNode node : sets_[static_cast<std::size_t>(set)].nodes)
            for (const GrammarEdge& edge : grammar_->edges(node))
                if (edge.kind == EdgeKind::token)
                    tokens.push_back(static_cast<TokenId>(edge.value));
    return tokens;
}

} // namespace vitrine::engine
