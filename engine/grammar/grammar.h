// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: a compiled grammar: byte automata, one a rule, that call each other.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/api/request.h"
#include "engine/base/result.h"

namespace vitrine::engine {

enum class GrammarNode : std::uint32_t {};
enum class GrammarRule : std::uint32_t {};

/// Thrown inside this folder and engine/chat's grammars only; what leaves a compile function is a value.
struct GrammarError {
    Error error; // invalid_schema, or cancelled
    std::string path; // of the schema's offending member ("properties.a.not"); empty: the whole
};

enum class EdgeKind : std::uint8_t { epsilon, bytes, call, token };
/// bytes: [low, high].  call: the rule `value`, then `target`; a tail call has nothing left to do after it.
/// token: the vocabulary's token `value` as a whole (control tokens have no bytes).
struct GrammarEdge {
    EdgeKind kind = EdgeKind::epsilon;
    std::uint8_t low = 0;
    std::uint8_t high = 0;
    bool tail = false;
    std::uint32_t value = 0;
    GrammarNode target{};
};

/// Immutable; safe from every thread.  Invariants: from every node that can be reached some text ends the grammar; no
/// rule reaches itself without consuming a byte.
class Grammar {
public:
    [[nodiscard]] std::span<const GrammarEdge> edges(GrammarNode node) const noexcept;
    [[nodiscard]] bool is_accept(GrammarNode node) const noexcept { return accepts_[index(node)]; }
    [[nodiscard]] bool is_nullable(std::uint32_t rule) const noexcept { return nullable_[rule]; }
    [[nodiscard]] GrammarNode start(std::uint32_t rule) const noexcept { return starts_[rule]; }
    [[nodiscard]] std::uint32_t root() const noexcept { return root_; }
    /// Bytes of one class are alike in every edge.
    [[nodiscard]] std::uint8_t byte_class(std::uint8_t byte) const noexcept { return classes_[byte]; }
    [[nodiscard]] int num_byte_classes() const noexcept { return num_classes_; }
    [[nodiscard]] std::size_t num_nodes() const noexcept { return accepts_.size(); }

private:
    friend class GrammarBuilder;
    [[nodiscard]] static std::size_t index(GrammarNode node) noexcept { return static_cast<std::size_t>(node); }

    std::vector<std::uint32_t> first_edge_; // [nodes + 1]
    std::vector<GrammarEdge> edges_;
    std::vector<bool> accepts_;
    std::vector<GrammarNode> starts_; // by rule
    std::vector<bool> nullable_; // by rule
    std::uint32_t root_ = 0;
    std::array<std::uint8_t, 256> classes_{};
    int num_classes_ = 0;
};

} // namespace vitrine::engine
