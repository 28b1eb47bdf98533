// SPDX-License-Identifier: GPL-3.0-or-later
// The table of text.md section 4.2: what Python's jinja2 prints.  Then limits and origins.
#include "engine/chat/chat_template.h"

#include <array>
#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

Result<RenderedText> render_all(
    const std::string& source, const std::string& messages = "[]", const std::string& variables = {}) {
    auto compiled = ChatTemplate::compile(source);
    if (!compiled)
        return tl::unexpected(compiled.error());
    RenderInput input;
    input.messages_json = messages;
    input.variables_json = variables;
    input.bos_token = "<BOS>";
    input.eos_token = "<EOS>";
    input.now = {2026, 7, 26, 12, 0, 0};
    return (*compiled)->render(input);
}

std::string render(const std::string& source) {
    const auto result = render_all(source, "[]", R"({"d": {}})");
    return result ? result->text : "error: " + result.error().message;
}

struct Row {
    const char* source;
    const char* result;
};

class JinjaSemantics : public testing::TestWithParam<Row> {};

TEST_P(JinjaSemantics, PrintsWhatPythonPrints) {
    EXPECT_EQ(render(GetParam().source), GetParam().result) << GetParam().source;
}

INSTANTIATE_TEST_SUITE_P(Table, JinjaSemantics,
    testing::Values(Row{"a{% if true %}\nb{% endif %}\nc", "abc"}, Row{"a {# c #}\nb", "a b"},
        Row{"a\n  {# c #}\nb", "a\nb"}, Row{"x {{ '{%' }} y", "x {% y"}, Row{"{{ 1 }}\n{{ 2 }}\n", "1\n2"},
        Row{"x\n\n", "x\n"}, Row{"  {%+ if true %}x{% endif %}", "  x"},
        Row{"{{ true }} {{ none }} {{ 1.0 }} {{ 1e20 }} {{ 0.1+0.2 }}", "True None 1.0 1e+20 0.30000000000000004"},
        Row{"{{ [1,'a',none,true,1.5] }} {{ {'a':\"it's\"} }} {{ ('a',) }}",
            "[1, 'a', None, True, 1.5] {'a': \"it's\"} ('a',)"},
        Row{"{{ 7/2 }} {{ 7//2 }} {{ -7//2 }} {{ -7%3 }} {{ 2**10 }} {{ 'a'*3 }}", "3.5 3 -4 2 1024 aaa"},
        Row{"[{{ u }}]", "[]"}, Row{"{{ d.x }}", ""},
        Row{"{{ u == none }} {{ u is none }} {{ none|default('D') }} {{ ''|default('D') }} {{ ''|default('D',true) }}",
            "False False None  D"},
        Row{"{% set x=1 %}{% for i in [1,2] %}{% set x=i %}{% endfor %}{{ x }}", "1"},
        Row{"{% if true %}{% set x=2 %}{% endif %}{{ x }}", "2"},
        Row{"{% macro m(a,b=2) %}{{a}}{{b}}{{x}}{% endmacro %}{% set x=7 %}{{ m(1) }}", "127"},
        Row{"{% for a in [1,2,3] if a!=2 %}{{loop.index}}:{{loop.length}}:{{loop.last}}:{{loop.previtem|default('-')}} "
            "{% endfor %}",
            "1:2:False:- 2:2:True:1 "},
        Row{"{{ {'b':1,'a':'é<\"/>'}|tojson }}", "{\"b\": 1, \"a\": \"é<\\\"/>\"}"},
        Row{"{{ {'b':[1,{}],'a':[]}|tojson(indent=2) }}", "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": []\n}"},
        Row{"{{ 1.0|tojson }} {{ 1e20|tojson }}", "1.0 1e+20"},
        Row{"{{ ' a  b '.split() }} {{ 'a,b,,c'.split(',') }} {{ 'a-b-c'.rsplit('-',1) }}",
            "['a', 'b'] ['a', 'b', '', 'c'] ['a-b', 'c']"},
        Row{"{{ 'xxabxx'.strip('x') }} {{ 'abc'.startswith(('x','a')) }} {{ 1 if false }}", "ab True "},
        Row{"{{ 'é🙂'|length }} {{ 'abc'[::-1] }} {{ 'abc'[5:] }} [{{ 'abc'[9] }}]", "2 cba  []"},
        Row{"{{ true is number }} {{ 'a' is iterable }} {{ 'a' is sequence }} {{ {} is sequence }} {{ [] is mapping }}",
            "True True True True False"},
        Row{"{{ 1 == 1.0 }} {{ true == 1 }} {{ '1' == 1 }} {{ 1 < 2 < 3 }}", "True True False True"},
        Row{"{{ ['b','A']|sort }} {{ {'b':2,'a':1}|dictsort }}", "['A', 'b'] [('a', 1), ('b', 2)]"},
        Row{"{{ [{'a':1},{'a':2}]|selectattr('a','equalto',2)|list }}", "[{'a': 2}]"},
        Row{"{{ {'items':5}['items'] }}", "5"}, Row{"{{ \"a\\n\\u00e9\\x41\" }}", "a\néA"},
        Row{"{{ '%s-%d'|format('a',3) }} {{ '{}-{}'.format(1,'b') }}", "a-3 1-b"},
        Row{"{{ strftime_now('%d %b %Y') }} {{ strftime_now('%-d') }}", "26 Jul 2026 26"},
        Row{"{{ 'a'.__class__ }}", ""},
        Row{"{% for i in [1] %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}", "1"},
        Row{"{% set x %} c {% endset %}[{{ x }}]", "[ c ]"}, Row{"{{ 'a' ~ 1 ~ none }}{{ 'a' 'b' }}", "a1Noneab"},
        Row{"{% for a in [] %}x{% else %}E{% endfor %}", "E"}, Row{"{% filter upper %}ab{% endfilter %}", "AB"},
        Row{"{{ range(1,7,2)|list }}", "[1, 3, 5]"}, Row{"{% raw %}{{ x }}{% endraw %}", "{{ x }}"},
        Row{"{% with a = 1 %}{{ a }}{% endwith %}{{ a }}", "1"}, Row{"{% generation %}g{% endgeneration %}", "g"},
        Row{"{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}x{% endcall %}", "<x>"},
        Row{"{% for x in [1,[2,[3]]] recursive %}{% if x is number %}{{ x }}{% else %}({{ loop(x) }}){% endif %}{% "
            "endfor %}",
            "1(2(3))"},
        Row{"{% for i in range(5) %}{% if i == 1 %}{% continue %}{% elif i == 3 %}{% break %}{% endif %}{{ i }}{% "
            "endfor %}",
            "02"}));

TEST(JinjaErrors, RaiseWherePythonRaises) {
    for (const char* source : {"{{ u.x }}", "{{ u + 'a' }}", "{{ d.x.y }}", "{{ u|tojson }}",
             "{{ [1]|map('string')|tojson }}", "{{ 'x'|nofilter }}", "{% include 'a' %}", "{% if %}", "{{ 'a' + 1 }}",
             "{{ 1 < 'a' }}", "{% for x in 1 %}{% endfor %}", "{{ raise_exception('no') }}", "{% endif %}", "{{ (1 }}",
             "{% if true %}", "{{ 'a", "{# x", "{{ 1/0 }}"})
        EXPECT_TRUE(render(source).starts_with("error: ")) << source << " gave " << render(source);
}

TEST(JinjaErrors, NameTheLineAndTheText) {
    const auto result = render_all("a\nb {{ raise_exception('my text') }}");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::template_error);
    EXPECT_NE(result.error().message.find("line 2, column"), std::string::npos) << result.error().message;
    EXPECT_NE(result.error().message.find("my text"), std::string::npos);
}

// Hostile templates end in an error, not in a crash or a full memory.
TEST(JinjaLimits, HoldAgainstHostileTemplates) {
    const std::string deep = "{{ " + std::string(5000, '(') + "1" + std::string(5000, ')') + " }}";
    std::string chain = "{{ 1";
    for (int i = 0; i < 20000; ++i)
        chain += "+1";
    for (const std::string& source :
        {std::string("{{ 'a' * 99999999999 }}"), std::string("{% for i in range(99999999) %}{% endfor %}"),
            std::string("{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"), deep,
            chain + " }}", std::string("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
            std::string("{% set ns = namespace(x='aaaaaaaa') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% "
                        "endfor %}"),
            std::string("{% set ns = namespace(x=[]) %}{% for i in range(90000) %}{% set ns.x = [ns.x] %}{% endfor "
                        "%}{{ ns.x }}"),
            std::string("{% set x = [] %}{{ x.append(x) }}{{ x }}"), std::string(300 * 1024, 'x')})
        EXPECT_TRUE(render(source).starts_with("error: ")) << source.substr(0, 60);
    std::string nested;
    for (int i = 0; i < 3000; ++i)
        nested += "{% if true %}";
    EXPECT_TRUE(render(nested).starts_with("error: "));
}

TEST(JinjaLimits, CountPartsThatListsShare) {
    const std::string doubled = "{% set ns=namespace(a=[],b=[]) %}{% for i in range(60) %}{% set ns.a=[ns.a,ns.a] %}"
                                "{% set ns.b=[ns.b,ns.b] %}{% endfor %}";
    for (const char* use : {"{{ ns.a == ns.b }}", "{{ ns.a < ns.b }}", "{{ ns.a }}", "{{ ns.a|string|length }}",
             "{{ ns.a|pprint }}", "{{ '%s'|format(ns.a) }}", "{{ [ns.a].index(ns.b) }}", "{{ [ns.a].count(ns.b) }}",
             "{{ ns.a|tojson }}", "{{ ns.a in [ns.b] }}"})
        EXPECT_TRUE(render(doubled + use).starts_with("error: ")) << use; // 2^60 leaves: without a limit, years
}

TEST(JinjaOrigin, MarksEveryByteOfTheUser) {
    const auto result = render_all("<s>{{ messages[0].role }}:{{ (messages[0].content | trim | upper)[1:] ~ '</s>' }}",
        R"([{"role": "user", "content": " abc "}])");
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(result->text, "<s>user:BC</s>");
    std::string marks;
    for (const std::uint8_t mark : result->user_bytes)
        marks += mark != 0 ? '1' : '0';
    EXPECT_EQ(marks, "00000000110000");
}

TEST(JinjaOrigin, LivesThroughSplitReplaceJoinAndJson) {
    for (const char* use :
        {"(m.split(',') | join('|'))", "m.replace(',', '+')", "(m | tojson)", "('%s' % m)", "'{}'.format(m)"}) {
        const auto result = render_all(std::string("{% set m = messages[0].content %}{{ ") + use + " }}",
            R"([{"role": "user", "content": "ab,ab"}])");
        ASSERT_TRUE(result) << use;
        for (std::size_t i = 0; i < result->text.size(); ++i) {
            if (result->text[i] == 'a' || result->text[i] == 'b') {
                EXPECT_EQ(result->user_bytes[i], 1) << use << " byte " << i;
            }
        }
    }
}

TEST(TemplateJson, KeepsBigIntegersAndKeyOrder) {
    const auto result =
        render_all("{{ messages[0] | tojson }}", R"([{"z": 123456789012345678901234567890, "a": 1.0, "b": 1}])");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->text, R"({"z": 123456789012345678901234567890, "a": 1.0, "b": 1})");
    EXPECT_EQ(render_all("x", "[").error().code, ErrorCode::invalid_argument);
}

} // namespace
} // namespace vitrine::engine
