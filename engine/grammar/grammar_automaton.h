// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: runs a grammar byte by byte as a pushdown automaton whose configurations are made on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/grammar/grammar.h"

namespace vitrine::engine {

/// A configuration is a set of (call stack, grammar nodes), numbered when first met, so that a byte costs one table look-up
/// once its transition is known.  Equal sets share a number.  Thread: one at a time.
class GrammarAutomaton {
public:
    using Config = std::int32_t;
    static constexpr Config kDead = -1; // no text can follow
    static constexpr int kMaxDepth = 192; // calls within calls; deeper nesting is not allowed to begin
    static constexpr std::size_t kMaxConfigs = 300'000; // beyond: dead
    static constexpr std::size_t kMaxGroups = 512; // stacks of one configuration; beyond: dead

    explicit GrammarAutomaton(std::shared_ptr<const Grammar> grammar);

    [[nodiscard]] Config start() const noexcept { return start_; }
    /// Requires of all below: config != kDead.
    [[nodiscard]] Config next(Config config, std::uint8_t byte) {
        const Config known = transitions_[static_cast<std::size_t>(config) * num_classes_ + grammar_->byte_class(byte)];
        return known != kUnknown ? known : compute_next(config, grammar_->byte_class(byte), byte);
    }
    [[nodiscard]] Config next_by_token(Config config, TokenId token);
    [[nodiscard]] bool may_end(Config config) const noexcept { return configs_[static_cast<std::size_t>(config)].ends; }
    /// Tokens without bytes that may follow.
    [[nodiscard]] std::vector<TokenId> token_edges(Config config) const;
    [[nodiscard]] std::size_t num_configs() const noexcept { return configs_.size(); }

private:
    static constexpr Config kUnknown = -2;
    using SetId = std::int32_t; // of nodes
    using StackId = std::int32_t; // 0: empty
    struct NodeSet {
        std::vector<GrammarNode> nodes; // sorted, closed over epsilon, nullable and tail calls
        bool accepts = false;
        bool consumes = false; // has byte or token edges
        bool calls_known = false;
        std::vector<std::pair<std::uint32_t, SetId>> calls; // rule, where it returns to; made when first pushed
        std::vector<SetId> next; // by byte class; kUnknown, kDead
    };
    struct Frame {
        SetId returns = 0;
        StackId parent = 0;
        int depth = 0;
    };
    using Group = std::pair<StackId, SetId>;
    using Groups = std::vector<Group>; // one a stack
    struct ConfigData {
        Groups groups; // sorted, those that consume
        bool ends = false;
    };
    struct VectorHash {
        std::size_t operator()(const std::vector<std::uint64_t>& key) const noexcept;
    };

    [[nodiscard]] SetId intern_set(std::vector<GrammarNode> kernel);
    void close(std::vector<GrammarNode>& nodes);
    [[nodiscard]] StackId push(SetId returns, StackId parent); // -1: too deep
    [[nodiscard]] SetId next_set(SetId set, std::uint8_t byte_class, std::uint8_t byte);
    void find_calls(SetId set);
    [[nodiscard]] SetId united(SetId a, SetId b);
    bool add(Groups& groups, Group group);
    void pop_returns(Groups& groups);
    void push_calls(Groups& groups);
    [[nodiscard]] Config intern_config(Groups groups);
    [[nodiscard]] Config compute_next(Config config, std::uint8_t byte_class, std::uint8_t byte);

    std::shared_ptr<const Grammar> grammar_;
    std::size_t num_classes_;
    std::vector<NodeSet> sets_;
    std::vector<SetId> start_sets_; // by rule; kUnknown
    std::vector<Frame> frames_;
    std::vector<ConfigData> configs_;
    std::vector<Config> transitions_; // [configs, classes]
    std::unordered_map<std::vector<std::uint64_t>, SetId, VectorHash> set_ids_;
    std::unordered_map<std::uint64_t, StackId> stack_ids_;
    std::unordered_map<std::vector<std::uint64_t>, Config, VectorHash> config_ids_;
    std::unordered_map<std::uint64_t, SetId> unions_;
    std::vector<std::uint32_t> visited_; // by node: the closure that met it last
    std::uint32_t visit_ = 0;
    Config start_ = kDead;
};

} // namespace vitrine::engine
