// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: product of pattern automata and a counter.
#include "engine/grammar/string_language.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engine/base/utf8.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxPatternStates = 20'000;
constexpr std::size_t kMaxProductStates = 60'000;

} // namespace

PatternAutomaton::PatternAutomaton(std::string_view pattern, bool search) {
    start_ = add_state();
    accept_ = add_state();
    const CodePointSet any = complement_of({});
    for (const AnchoredExpression& one : parse_regex(pattern)) {
        int from = add_state();
        states_[static_cast<std::size_t>(start_)].free_moves.push_back(from);
        if (search && !one.at_start)
            states_[static_cast<std::size_t>(from)].moves.emplace_back(any, from);
        from = draw(one.body, from);
        const int end = add_state();
        states_[static_cast<std::size_t>(from)].free_moves.push_back(end);
        if (search && !one.at_end)
            states_[static_cast<std::size_t>(end)].moves.emplace_back(any, end);
        states_[static_cast<std::size_t>(end)].free_moves.push_back(accept_);
    }
}

int PatternAutomaton::add_state() {
    if (states_.size() >= kMaxPatternStates)
        refuse_grammar(fmt::format("the pattern needs more than {} states", kMaxPatternStates), {},
            "Make its repetitions smaller.");
    states_.emplace_back();
    return static_cast<int>(states_.size()) - 1;
}

int PatternAutomaton::draw_repetition(const Expression& expression, int from) {
    const Expression& body = expression.children.front();
    for (int i = 0; i < expression.min; ++i)
        from = draw(body, from);
    const int end = add_state();
    if (expression.max == Expression::kUnbounded) {
        states_[static_cast<std::size_t>(from)].free_moves.push_back(end);
        const int last = draw(body, end);
        states_[static_cast<std::size_t>(last)].free_moves.push_back(end);
        return end;
    }
    for (int i = expression.min; i < expression.max; ++i) {
        states_[static_cast<std::size_t>(from)].free_moves.push_back(end);
        from = draw(body, from);
    }
    states_[static_cast<std::size_t>(from)].free_moves.push_back(end);
    return end;
}

int PatternAutomaton::draw(const Expression& expression, int from) {
    switch (expression.kind) {
    case ExpressionKind::characters: {
        const int to = add_state();
        states_[static_cast<std::size_t>(from)].moves.emplace_back(expression.set, to);
        return to;
    }
    case ExpressionKind::sequence:
        for (const Expression& child : expression.children)
            from = draw(child, from);
        return from;
    case ExpressionKind::alternation: {
        const int end = add_state();
        for (const Expression& child : expression.children) {
            const int begin = add_state();
            states_[static_cast<std::size_t>(from)].free_moves.push_back(begin);
            const int last = draw(child, begin);
            states_[static_cast<std::size_t>(last)].free_moves.push_back(end);
        }
        return end;
    }
    case ExpressionKind::repetition:
        return draw_repetition(expression, from);
    default:
        return from; // a regular expression has no other kinds inside
    }
}

std::vector<int> PatternAutomaton::closure(std::vector<int> states) const {
    std::vector<bool> seen(states_.size());
    std::vector<int> queue = std::move(states);
    std::vector<int> out;
    while (!queue.empty()) {
        const int state = queue.back();
        queue.pop_back();
        if (seen[static_cast<std::size_t>(state)])
            continue;
        seen[static_cast<std::size_t>(state)] = true;
        out.push_back(state);
        const std::vector<int>& free_moves = states_[static_cast<std::size_t>(state)].free_moves;
        queue.insert(queue.end(), free_moves.begin(), free_moves.end());
    }
    std::ranges::sort(out);
    return out;
}

bool PatternAutomaton::matches(std::string_view text) const {
    std::vector<int> states = closure({start_});
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = decode_utf8(text, at);
        at += static_cast<std::size_t>(step.length);
        std::vector<int> next;
        for (const int state : states)
            for (const auto& [set, target] : states_[static_cast<std::size_t>(state)].moves)
                if (contains(set, step.code_point))
                    next.push_back(target);
        states = closure(std::move(next));
    }
    return std::ranges::binary_search(states, accept_);
}

/// The product is made state by state: the sets of states of each pattern (subset construction keeps them few) and a
/// count, which stops counting where more of it changes nothing.
class StringLanguage {
public:
    StringLanguage(GrammarBuilder& builder, const CharacterSpelling& spelling,
        const std::vector<PatternAutomaton>& patterns, int min, int max)
        : builder_(builder), spelling_(spelling), patterns_(patterns), min_(min), max_(max), end_(builder.add_node()) {}

    GrammarNode draw(GrammarNode from) {
        Key start;
        for (const PatternAutomaton& pattern : patterns_)
            start.states.push_back(pattern.closure({pattern.start_}));
        builder_.epsilon(from, node_of(start));
        while (!open_.empty()) {
            const Key key = open_.back();
            open_.pop_back();
            draw_state(key);
        }
        return end_;
    }

private:
    struct Key {
        std::vector<std::vector<int>> states; // by pattern
        int count = 0;
        [[nodiscard]] friend auto operator<=>(const Key&, const Key&) = default;
    };

    GrammarNode node_of(const Key& key) {
        const auto found = nodes_.find(key);
        if (found != nodes_.end())
            return found->second;
        if (nodes_.size() >= kMaxProductStates)
            refuse_grammar(fmt::format("pattern and length together need more than {} states", kMaxProductStates), {},
                "Make maxLength or the pattern smaller.");
        open_.push_back(key);
        return nodes_.emplace(key, builder_.add_node()).first->second;
    }

    void draw_state(const Key& key) {
        const GrammarNode from = nodes_.at(key);
        bool accepts = key.count >= min_;
        for (std::size_t i = 0; i < patterns_.size(); ++i)
            accepts = accepts && std::ranges::binary_search(key.states[i], patterns_[i].accept_);
        if (accepts)
            builder_.epsilon(from, end_);
        if (max_ >= 0 && key.count >= max_)
            return;
        Key next;
        next.states.resize(patterns_.size());
        next.count = max_ < 0 ? std::min(key.count + 1, min_) : key.count + 1;
        draw_moves(key, 0, complement_of({}), next, from);
    }

    /// Splits `set` by where the patterns from `index` on go with it.
    void draw_moves(const Key& key, std::size_t index, const CodePointSet& set, Key& next, GrammarNode from) {
        if (set.empty())
            return;
        if (index == patterns_.size()) {
            const bool any = patterns_.empty();
            builder_.call(from, any ? spelling_.any() : spelling_.of(set), node_of(next));
            return;
        }
        const PatternAutomaton& pattern = patterns_[index];
        // Places where membership in some move changes.
        std::map<std::vector<int>, CodePointSet> by_targets;
        for (const auto& [part, targets] : partition(pattern, key.states[index], set))
            by_targets[targets].insert(by_targets[targets].end(), part.begin(), part.end());
        for (const auto& [targets, part] : by_targets) {
            next.states[index] = pattern.closure(targets);
            draw_moves(key, index + 1, normalized(part), next, from);
        }
    }

    static std::vector<std::pair<CodePointSet, std::vector<int>>> partition(
        const PatternAutomaton& pattern, const std::vector<int>& states, const CodePointSet& set) {
        std::vector<std::pair<CodePointSet, std::vector<int>>> parts{{set, {}}};
        for (const int state : states) {
            for (const auto& [move, target] : pattern.states_[static_cast<std::size_t>(state)].moves) {
                std::vector<std::pair<CodePointSet, std::vector<int>>> finer;
                const CodePointSet outside = complement_of(move);
                for (auto& [part, targets] : parts) {
                    CodePointSet in = intersection_of(part, move);
                    CodePointSet out = intersection_of(part, outside);
                    if (!out.empty())
                        finer.emplace_back(std::move(out), targets);
                    if (in.empty())
                        continue;
                    if (std::ranges::find(targets, target) == targets.end())
                        targets.push_back(target);
                    std::ranges::sort(targets);
                    finer.emplace_back(std::move(in), std::move(targets));
                }
                parts = std::move(finer);
            }
        }
        std::erase_if(parts, [](const auto& part) { return part.second.empty(); });
        return parts;
    }

    GrammarBuilder& builder_;
    const CharacterSpelling& spelling_;
    const std::vector<PatternAutomaton>& patterns_;
    int min_;
    int max_;
    GrammarNode end_;
    std::map<Key, GrammarNode> nodes_;
    std::vector<Key> open_;
};

CharacterSpelling json_spelling(JsonText& json) {
    return {[&json] { return json.character(); }, [&json](const CodePointSet& set) { return json.character_of(set); }};
}

CharacterSpelling tag_spelling(GrammarBuilder& builder) {
    const auto draw = [&builder](const CodePointSet& set) {
        const GrammarRule rule = builder.add_rule("a character");
        const CodePointSet without_tags = intersection_of(set, complement_of({{U'<', U'<'}}));
        builder.code_points(builder.start(rule), without_tags, builder.accept(rule));
        return rule;
    };
    const GrammarRule any = draw(complement_of({}));
    return {[any] { return any; }, draw};
}

GrammarNode draw_string_language(GrammarBuilder& builder, const CharacterSpelling& spelling,
    const std::vector<PatternAutomaton>& patterns, int min, int max, GrammarNode from) {
    if (!patterns.empty())
        return StringLanguage(builder, spelling, patterns, min, max).draw(from);
    for (int i = 0; i < min; ++i)
        from = builder.call(from, spelling.any());
    if (max < 0) {
        const GrammarNode loop = builder.add_node();
        builder.epsilon(from, loop);
        builder.call(loop, spelling.any(), loop);
        return loop;
    }
    const GrammarNode end = builder.add_node();
    for (int i = min; i < max; ++i) {
        builder.epsilon(from, end);
        from = builder.call(from, spelling.any());
    }
    builder.epsilon(from, end);
    return end;
}

const char* format_pattern(std::string_view format) {
    // Days fit their month, February 29 its leap year; no year 0000 and no leap second, which few libraries read.
#define VT_DATE                                                                                                        \
    "((?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|"        \
    "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|"                                              \
    "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29)"
#define VT_TIME "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
#define VT_OCTET "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
#define VT_LABEL "[A-Za-z0-9](?:[A-Za-z0-9-]{0,20}[A-Za-z0-9])?"
#define VT_HEX4 "[0-9A-Fa-f]{1,4}"
    static const std::map<std::string_view, const char*> kPatterns{
        {"date", VT_DATE},
        {"time", VT_TIME},
        {"date-time", VT_DATE "T" VT_TIME},
        {"uuid", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"},
        {"email",
            "[A-Za-z0-9_+-]{1,20}(?:\\.[A-Za-z0-9_+-]{1,20}){0,2}@" VT_LABEL "(?:\\." VT_LABEL
            "){0,2}\\.[A-Za-z]{2,12}"},
        {"hostname", VT_LABEL "(?:\\." VT_LABEL "){0,3}"},
        {"ipv4", "(?:" VT_OCTET "\\.){3}" VT_OCTET},
        {"ipv6", "(?:" VT_HEX4 ":){7}" VT_HEX4 "|(?:" VT_HEX4 ":){1,6}:" VT_HEX4 "|::(?:" VT_HEX4 ")?"},
        {"duration",
            "P(?:[0-9]{1,4}W|(?:[0-9]{1,4}Y(?:[0-9]{1,2}M(?:[0-9]{1,2}D)?)?|[0-9]{1,2}M(?:[0-9]{1,2}D)?|[0-9]{1,3}D)"
            "(?:T(?:[0-9]{1,2}H(?:[0-9]{1,2}M(?:[0-9]{1,2}S)?)?|[0-9]{1,2}M(?:[0-9]{1,2}S)?|[0-9]{1,2}S))?|"
            "T(?:[0-9]{1,2}H(?:[0-9]{1,2}M(?:[0-9]{1,2}S)?)?|[0-9]{1,2}M(?:[0-9]{1,2}S)?|[0-9]{1,2}S))"},
        {"uri",
            "(?:https?|ftp)://" VT_LABEL "(?:\\." VT_LABEL "){0,3}(?::[1-9][0-9]{0,3})?"
            "(?:/[A-Za-z0-9._~-]{0,40}){0,6}(?:\\?[A-Za-z0-9._~=&-]{0,60})?(?:#[A-Za-z0-9._~-]{0,40})?"},
    };
#undef VT_DATE
#undef VT_TIME
#undef VT_OCTET
#undef VT_LABEL
#undef VT_HEX4
    const auto found = kPatterns.find(format);
    return found == kPatterns.end() ? nullptr : found->second;
}

} // namespace vitrine::engine
