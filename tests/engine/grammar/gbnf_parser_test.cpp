// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: GBNF, by hand from llama.cpp's description of the dialect.
#include <gtest/gtest.h>

#include "tests/engine/grammar/grammar_fixture.h"

namespace vitrine::engine {
namespace {

struct Case {
    const char* grammar;
    std::vector<std::string> in;
    std::vector<std::string> out;
};

std::string gbnf(const std::string& source, std::string_view text) {
    return verdict(ConstraintKind::gbnf, source, text);
}

TEST(Gbnf, AcceptsWhatTheRulesSayAndNothingElse) {
    const Case cases[] = {
        {R"(root ::= "yes" | "no")", {"yes", "no"}, {"", "y", "yesno", "YES"}},
        {R"(root ::= [a-c]+ ("-" [0-9])?)", {"a", "abc", "ab-3"}, {"", "-3", "ad", "ab-"}},
        {"root ::= a b\n# a comment\na ::= \"x\" # another\nb ::= a |\n  \"y\"", {"xx", "xy"}, {"x", "y", "xyx"}},
        {R"(root ::= ("a" | "b"){2,3})", {"ab", "bbb"}, {"a", "abab"}},
        {R"(root ::= "a"{3})", {"aaa"}, {"aa", "aaaa"}},
        {R"(root ::= "ab"{2,})", {"abab", "ababab"}, {"ab", "aba"}},
        {R"(root ::= [^"\\\n]*)", {"", "hello", "grüße 🙂"}, {"a\"", "a\\", "a\n"}},
        {R"(root ::= . .)", {"ab", "ü🙂", "\n\n"}, {"a", "abc", "\xC3", "\xFF\xFF"}},
        {"root ::= \"\\x41\\u00e9\\U0001F642\\t\\\"\\\\\"", {"Aé🙂\t\"\\"}, {"A"}},
        {R"g(root ::= "(" root ")" | "x")g", {"x", "(x)", "((x))"}, {"(x", "x)", ""}},
        {R"g(root ::= expr
expr ::= term ([-+*/] term)*
term ::= num | "(" expr ")"
num ::= [0-9]+)g",
            {"1", "1+2*(3-4)", "((7))"}, {"1+", "()", "1++2"}},
        {R"(root ::= ("a"?)* "b")", {"b", "aab"}, {"a", "ba"}},
        {R"(root ::= "a" root "b" | "a" root "c" | "d")", {"d", "adb", "aadbc", "aadcb"}, {"ad", "adbb"}},
        {"root ::= [\\u4e00-\\u9fff]{2}", {"漢字"}, {"漢", "ab", "漢\xE5\xAD"}},
        {"root\t::=\r\n  \"a\"\r\n", {"a"}, {"b"}},
        {"root ::= some-rule_2\nsome-rule_2 ::= \"\" | \"z\"", {"", "z"}, {"zz"}},
        {"root ::= [-a] [a-]", {"-a", "a-", "--"}, {"b-"}},
        {"root ::= [\\]x] \"\\[\"", {"][", "x["}, {"\\["}},
    };
    for (const Case& one : cases) {
        for (const std::string& text : one.in)
            EXPECT_EQ(gbnf(one.grammar, text), "yes") << one.grammar << "\n" << text;
        for (const std::string& text : one.out)
            EXPECT_EQ(gbnf(one.grammar, text), "no") << one.grammar << "\n" << text;
    }
}

TEST(Gbnf, RefusesWithLineAndColumn) {
    const std::pair<const char*, const char*> cases[] = {
        {"", ": grammar: the rule 'root' is missing"},
        {"main ::= \"a\"", ": grammar: the rule 'root' is missing"},
        {"root ::= \"a", ": grammar, line 1, column 10: the \" is not closed"},
        {"root ::= x", ": grammar, line 1, column 10: the rule 'x' is used and not defined"},
        {"root ::= \"a\"\nx = \"b\"", ": grammar, line 2, column 3: ::= is expected behind the rule name"},
        {"root ::= (\"a\"", ": grammar, line 1, column 10: the ( is not closed"},
        {"root ::= \"a\")", ": grammar, line 1, column 13: there is no ( for this )"},
        {"root ::= [z-a]", ": grammar, line 1, column 14: the range runs backwards"},
        {"root ::= *", ": grammar, line 1, column 10: there is nothing to repeat"},
        {"root ::= \"a\"{3,2}", ": grammar, line 1, column 13: at least 3 and at most 2 cannot both be"},
        {"root ::= \"a\"{0}", ": grammar, line 1, column 13: a repetition of nothing"},
        {"root ::= \"a\"{}", ": grammar, line 1, column 14: a number is expected"},
        {"root ::= \"a\"{999999999}", ": grammar, line 1, column 14: more than 100000 repetitions"},
        {"root ::= \"\\q\"", ": grammar, line 1, column 11: unknown escape"},
        {"root ::= \"\\ud800\"", ": grammar, line 1, column 11: U+D800 is no character"},
        {"root ::= \"\\x4\"", ": grammar, line 1, column 11: 2 hexadecimal digits are expected"},
        {"root ::= \"a\"\nroot ::= \"b\"", ": grammar, line 2, column 1: the rule 'root' is defined twice"},
        {"root ::= root \"a\" | \"b\"", ": the rule 'root' is left-recursive: it begins with itself"},
        {"root ::= \"a\"? root \"b\"", ": no text can satisfy it"},
        {"root ::= a\na ::= b? root | \"x\"\nb ::= \"c\"",
            ": the rule 'root' is left-recursive: it begins with itself"},
        {"root ::= \"a\" root", ": no text can satisfy it"},
        {"root ::= <nothing>", ": grammar, line 1, column 10: the vocabulary has no control token <nothing>"},
        {"root ::= \"\xFF\"", ": grammar, line 1, column 11: this is not UTF-8"},
    };
    for (const auto& [source, message] : cases)
        EXPECT_EQ(gbnf(source, ""), message) << source;
    std::string huge = "root ::=";
    for (int i = 0; i < 8; ++i)
        huge += " [0-9]{100000}";
    EXPECT_EQ(gbnf(huge, ""), ": the grammar needs more than 600000 states");
    EXPECT_NE(gbnf(std::string("root ::= ") + std::string(500, '(') + "\"a\"" + std::string(500, ')'), "").find("nest"),
        std::string::npos);
}

TEST(Gbnf, StopsCompilingWhenItIsCancelled) {
    GrammarContext context;
    context.cancelled = [] { return true; };
    const auto result = compile_grammar(std::move(context), [](GrammarBuilder& builder) {
        JsonText json(builder);
        return add_constraint(builder, json, {ConstraintKind::gbnf, "root ::= \"a\"", false, {}});
    });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().error.code, ErrorCode::cancelled);
}

TEST(Choice, IsOneOfTheStrings) {
    const std::string list = R"(["red", "reddish", "grün", "a\"b"])";
    for (const char* text : {"red", "reddish", "grün", "a\"b"})
        EXPECT_EQ(verdict(ConstraintKind::choice, list, text), "yes") << text;
    EXPECT_EQ(verdict(ConstraintKind::choice, list, "redd"), "no");
    for (const char* bad : {"[]", "{}", "[1]", "[\"\"]", "red"})
        EXPECT_FALSE(compiled(ConstraintKind::choice, bad)) << bad;
}

} // namespace
} // namespace vitrine::engine
