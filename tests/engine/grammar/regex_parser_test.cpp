// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: regular expressions; expected by Python's re.fullmatch (checked once by hand).
#include <gtest/gtest.h>

#include "tests/engine/grammar/grammar_fixture.h"

namespace vitrine::engine {
namespace {

std::string regex(const std::string& pattern, std::string_view text) {
    return verdict(ConstraintKind::regex, pattern, text);
}

TEST(Regex, MatchesTheWholeText) {
    struct Case {
        const char* pattern;
        std::vector<std::string> in, out;
    };
    const Case cases[] = {
        {R"(ab|cd)", {"ab", "cd"}, {"abd", "acd", ""}},
        {R"(a(b|c)d)", {"abd", "acd"}, {"ab", "cd"}},
        {R"(^(?:\d{3}-)?\d{4}$)", {"555-1234", "1234"}, {"555-", "12345"}},
        {R"(^a|b$)", {"a", "b"}, {"ab"}},
        {R"([^a-y\s]+?)", {"z", "ZZ"}, {"a", "z ", ""}},
        {R"(\w+\s\W)", {"ab_9 !"}, {"ab!", "ab a"}},
        {R"(\u00e9\x41\u{1F642}\t\/)", {"éA🙂\t/"}, {"eA"}},
        {R"(\ud83d\ude42)", {"🙂"}, {"?"}},
        {R"([\]\-x\d]{2,})", {"]-", "x9"}, {"y9", "x"}},
        {R"(.+)", {"a", "ü"}, {"", "a\nb"}},
        {R"(a{,2})", {"", "aa"}, {"aaa"}},
        {R"(a{x)", {"a{x"}, {"a"}},
        {R"((?<year>\d{4}))", {"2026"}, {"26"}},
        {R"((|a)+b)", {"b", "aab"}, {"a"}},
        {R"([+-]?(\d+\.?\d*|\.\d+))", {"1", "-1.5", ".5", "+2."}, {".", "1.2.3"}},
        {R"(\D\S)", {"ab"}, {"1a", "! "}},
    };
    for (const Case& one : cases) {
        for (const std::string& text : one.in)
            EXPECT_EQ(regex(one.pattern, text), "yes") << one.pattern << "  " << text;
        for (const std::string& text : one.out)
            EXPECT_EQ(regex(one.pattern, text), "no") << one.pattern << "  " << text;
    }
}

TEST(Regex, RefusesWhatNoAutomatonCanDo) {
    for (const char* pattern : {R"((?=a)b)", R"((?!a)b)", R"((?<=a)b)", R"((a)\1)", R"(\bword)", R"((?i)a)", R"(a++)",
             R"((a)", R"(a))", R"([a)", R"(*a)", R"(a**)", R"(\p{L})", R"(a{3,2})", R"(a^b)", R"(a$b)", R"((a$)+)",
             R"([z-a])", R"([])", R"(\k<x>)", R"(\)", R"(\u12)", R"(\ud800)", R"(a{200000})"})
        EXPECT_FALSE(compiled(ConstraintKind::regex, pattern)) << pattern;
    EXPECT_EQ(regex(R"(ä(?=a))", ""), ": regular expression, character 2: look-around is not supported");
}

} // namespace
} // namespace vitrine::engine
