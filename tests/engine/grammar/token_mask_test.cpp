// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: masks against the definition: a token is allowed exactly if its bytes keep the grammar alive.
#include <chrono>
#include <gtest/gtest.h>
#include <random>

#include "engine/grammar/grammar_state.h"
#include "tests/engine/grammar/grammar_fixture.h"

namespace vitrine::engine {
namespace {

/// Every byte, then random strings of an alphabet that the grammars use; the last two are control and end tokens.
std::shared_ptr<const TokenTrie> make_vocabulary(int num_random, unsigned seed) {
    std::vector<std::string> tokens;
    for (int byte = 0; byte < 256; ++byte)
        tokens.emplace_back(1, static_cast<char>(byte));
    std::mt19937 random(seed);
    const std::vector<std::string> parts{"{", "}", "\"", ":", ",", " ", "\n", "a", "b", "name", "1", "0", ".", "-", "[",
        "]", "true", "\\u00", "\\", "é", "\xF0\x9F", "\x99\x82", "\xC3", "x"};
    for (int i = 0; i < num_random; ++i) {
        std::string token;
        for (unsigned k = 0; k < 1 + random() % 4; ++k)
            token += parts[random() % parts.size()];
        tokens.push_back(std::move(token));
    }
    tokens.emplace_back(); // control
    tokens.emplace_back("</s>"); // the end, which is never text
    const auto end = static_cast<TokenId>(tokens.size()) - 1;
    return std::make_shared<TokenTrie>(std::move(tokens), std::vector<TokenId>{end});
}

bool is_set(std::span<const std::uint32_t> mask, TokenId token) {
    return ((mask[static_cast<std::size_t>(token) / 32] >> (token % 32)) & 1U) != 0;
}

const std::pair<ConstraintKind, const char*> kGrammars[] = {
    {ConstraintKind::json_object, ""},
    {ConstraintKind::json_schema, R"({"type":"object","properties":{"name":{"type":"string","maxLength":5},
        "a":{"type":"array","items":{"type":"integer","minimum":-3,"maximum":120},"minItems":1}},"required":["name"]})"},
    {ConstraintKind::json_schema, R"({"type":"string","pattern":"^é[ab]{2,}x?$"})"},
    {ConstraintKind::regex, R"((a|b|ab)*(é|🙂)+1\.0)"},
    {ConstraintKind::gbnf, R"(root ::= "a" root "b" | "a" root "a" | [^"]{0,3} "x")"},
    {ConstraintKind::choice, R"(["name","a","ab","é"])"},
};

TEST(TokenMask, AllowsExactlyTheTokensThatKeepTheGrammarAlive) {
    const auto trie = make_vocabulary(400, 7);
    const TokenId num_tokens = trie->num_tokens();
    std::mt19937 random(3);
    for (const auto& [kind, source] : kGrammars) {
        const auto grammar = compiled(kind, source);
        ASSERT_TRUE(grammar) << source << grammar.error().error.message;
        const auto masks = std::make_shared<TokenMasks>(*grammar, trie, num_tokens + 40);
        for (int walk = 0; walk < 6; ++walk) {
            GrammarState state(masks);
            std::string text;
            for (int step = 0; step < 25; ++step) {
                std::vector<std::uint32_t> mask;
                state.fill_allowed({}, mask);
                std::vector<TokenId> allowed;
                GrammarAutomaton fresh(*grammar); // no memory of earlier walks
                for (TokenId token = 0; token < num_tokens + 40; ++token) {
                    bool alive = false;
                    if (token == num_tokens - 1) {
                        alive = accepts(*grammar, text);
                    } else if (token < num_tokens && !trie->bytes(token).empty()) {
                        auto config = fresh.start();
                        for (const char byte : text + trie->bytes(token))
                            config = config < 0 ? config : fresh.next(config, static_cast<std::uint8_t>(byte));
                        alive = config >= 0;
                    }
                    if (step % 5 != 0 && token > 300) // the slow definition on every fifth step, bytes on every one
                        alive = token < num_tokens + 40 && is_set(mask, token);
                    ASSERT_EQ(is_set(mask, token), alive) << source << "\n" << text << "\ntoken " << token;
                    if (alive && token != num_tokens - 1)
                        allowed.push_back(token);
                }
                ASSERT_FALSE(allowed.empty() && !accepts(*grammar, text)) << "dead end: " << text;
                if (allowed.empty())
                    break;
                const TokenId chosen = allowed[random() % allowed.size()];
                state.append(chosen);
                text += trie->bytes(chosen);
            }
        }
    }
}

TEST(GrammarState, ChecksDraftsWithoutMoving) {
    const auto trie = make_vocabulary(0, 1);
    const auto grammar = compiled(ConstraintKind::gbnf, R"(root ::= "ab" "c"?)");
    ASSERT_TRUE(grammar);
    const auto masks = std::make_shared<TokenMasks>(*grammar, trie, trie->num_tokens());
    GrammarState state(masks);
    const TokenId end = trie->num_tokens() - 1;
    EXPECT_EQ(state.num_legal(std::vector<TokenId>{'a', 'b', 'c', end}), 4U);
    EXPECT_EQ(state.num_legal(std::vector<TokenId>{'a', 'c'}), 1U);
    EXPECT_EQ(state.num_legal(std::vector<TokenId>{end}), 0U);
    std::vector<std::uint32_t> rows;
    state.fill_allowed(std::vector<TokenId>{'a', 'b'}, rows);
    ASSERT_EQ(rows.size(), 3 * masks->num_words());
    const auto row = [&](std::size_t i) { return std::span(rows).subspan(i * masks->num_words(), masks->num_words()); };
    EXPECT_TRUE(is_set(row(0), 'a') && !is_set(row(0), 'b'));
    EXPECT_TRUE(is_set(row(1), 'b') && !is_set(row(1), 'a'));
    EXPECT_TRUE(is_set(row(2), 'c') && is_set(row(2), end));
    for (const TokenId token : {TokenId{'a'}, TokenId{'b'}, TokenId{'c'}})
        state.append(token);
    EXPECT_TRUE(state.must_end());
    state.append(end);
    EXPECT_TRUE(state.may_end());
    state.append('a');
    EXPECT_FALSE(state.may_end()) << "behind the end nothing follows";
}

TEST(GrammarState, TakesControlTokensWhereTheGrammarNamesThem) {
    const auto trie = make_vocabulary(0, 1);
    const TokenId control = trie->num_tokens() - 2;
    GrammarContext context;
    context.control_token = [&](std::string_view text) {
        return text == "<call>" ? std::optional<TokenId>(control) : std::nullopt;
    };
    const auto grammar = compile_grammar(std::move(context), [](GrammarBuilder& builder) {
        const GrammarRule root = builder.add_rule("root");
        const GrammarNode behind = builder.until_marker(builder.start(root), "<call>");
        builder.epsilon(builder.text(behind, "x"), builder.accept(root));
        return root;
    });
    ASSERT_TRUE(grammar);
    const auto masks = std::make_shared<TokenMasks>(*grammar, trie, trie->num_tokens());
    GrammarState state(masks);
    EXPECT_EQ(state.num_legal(std::vector<TokenId>{'a', '<', 'c', control, 'x'}), 5U);
    EXPECT_EQ(state.num_legal(std::vector<TokenId>{'<', 'c', 'a', 'l', 'l', '>', 'x'}), 7U)
        << "spelled out it counts too";
    EXPECT_EQ(state.num_legal(std::vector<TokenId>{control, 'y'}), 1U);
}

TEST(GrammarAutomaton, KeepsAmbiguityAndNestingWithinLimits) {
    const auto ambiguous = compiled(ConstraintKind::gbnf,
        "root ::= a \"x\" | b \"y\"\na ::= \"(\" a | \"(\" b | \"(\"\nb ::= \"(\" b | \"(\" a | \"(\"");
    ASSERT_TRUE(ambiguous);
    std::string text(2000, '(');
    text += 'x';
    EXPECT_TRUE(accepts(*ambiguous, text));
    const auto nested = compiled(ConstraintKind::json_object, "");
    ASSERT_TRUE(nested);
    const auto nest = [](int depth) {
        std::string json = "{\"a\":";
        json.append(static_cast<std::size_t>(depth), '[');
        json.append(static_cast<std::size_t>(depth), ']');
        return json + '}';
    };
    EXPECT_TRUE(accepts(*nested, nest(150)));
    EXPECT_FALSE(accepts(*nested, nest(5000)));
}

} // namespace
} // namespace vitrine::engine
