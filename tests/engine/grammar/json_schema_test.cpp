// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: JSON schemas as grammars, against a table and against the `jsonschema` package's verdicts.
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/engine/grammar/grammar_fixture.h"

namespace vitrine::engine {
namespace {

std::string schema(const std::string& source, std::string_view text, bool strict = false) {
    return verdict(ConstraintKind::json_schema, source, text, strict);
}

TEST(JsonSchema, AgreesWithThePackageOnRandomSchemas) {
    std::ifstream file(VITRINE_TESTS_DIR "/engine/grammar/schema_golden.jsonl"); // make_schema_golden.py
    ASSERT_TRUE(file);
    int num_documents = 0;
    int num_valid = 0;
    for (std::string line; std::getline(file, line);) {
        const auto golden = nlohmann::ordered_json::parse(line);
        const std::string source = golden["schema"].dump();
        const GrammarResult grammar = compiled(ConstraintKind::json_schema, source);
        for (const auto& document : golden["documents"]) {
            const std::string text = document[0];
            const bool valid = document[1];
            // A schema that nothing can satisfy has no grammar.
            const bool accepted = grammar && accepts(*grammar, text);
            EXPECT_EQ(accepted, valid) << source << "\n"
                                       << text << "\n"
                                       << (grammar ? "" : grammar.error().error.message);
            ++num_documents;
            num_valid += valid ? 1 : 0;
        }
    }
    EXPECT_GT(num_valid, 250);
    EXPECT_GT(num_documents - num_valid, 100);
}

struct Case {
    const char* schema;
    std::vector<std::string> in;
    std::vector<std::string> out;
};

void check(std::span<const Case> cases, bool strict) {
    for (const Case& one : cases) {
        for (const std::string& text : one.in)
            EXPECT_EQ(schema(one.schema, text, strict), "yes") << one.schema << "\n" << text;
        for (const std::string& text : one.out)
            EXPECT_EQ(schema(one.schema, text, strict), "no") << one.schema << "\n" << text;
    }
}

TEST(JsonSchema, HonoursEachKeyword) {
    const Case cases[] = {
        {R"(true)", {"1", "[]", "\"x\"", "null"}, {"", "nul"}},
        {R"({})", {"{}", "[1, {\"a\": null}]"}, {"{]", "01"}},
        {R"({"type":"object"})", {"{}", "{ }", R"({"a": 1, "b": [2]})"}, {"[]", "{,}", "{\"a\":1,}"}},
        {R"({"type":"object","properties":{},"additionalProperties":false})", {"{}"}, {R"({"a":1})"}},
        {R"({"properties":{"a \"b\"\n":{"const":1},"ü\u0000🙂":{"const":2}},"required":["a \"b\"\n","ü\u0000🙂"]})",
            {R"({"a \"b\"\n":1,"ü\u0000🙂":2})"}, {R"({"ü\u0000🙂":2,"a \"b\"\n":1})"}},
        {R"({"type":"object","properties":{"a":{"type":"integer"}}})", {R"({"a":1,"b":"x"})", R"({"aa":"x"})"},
            {R"({"a":"x"})", R"({"b":1,"a":"x"})", R"({"b":1,"\u0061":"x"})"}},
        {R"({"type":"object","required":["x"]})", {R"({"x":[]})", R"({"x":1,"y":2})"}, {"{}", R"({"y":1})"}},
        {R"({"type":"object","additionalProperties":{"type":"integer"},"minProperties":1,"maxProperties":2})",
            {R"({"a":1})", R"({"a":1,"b":2})"}, {"{}", R"({"a":1,"b":2,"c":3})", R"({"a":"x"})"}},
        {R"({"enum":[1,"a",null,[1,{"b":2}],true]})", {"1", "\"a\"", "null", "[1,{\"b\":2}]", "[1, { \"b\": 2 }]"},
            {"2", "false"}},
        {R"({"type":"string","enum":["ab",1],"minLength":2})", {"\"ab\""}, {"1"}},
        {R"({"const":null})", {"null"}, {"0", "\"null\""}},
        {R"({"type":["string","null"],"maxLength":1})", {"null", "\"a\"", "\"\""}, {"\"ab\"", "1"}},
        {R"({"type":"string","nullable":true})", {"null", "\"\""}, {"1"}},
        {R"({"type":"integer"})", {"0", "-1", "123456789012345"}, {"-0", "1.0", "1e5", "01", "+1", "-"}},
        {R"({"type":"number"})", {"0", "-1.5", "1e5", "2.5E-3", "10.25e+10"}, {"01", ".5", "1.", "1e", "NaN", "--1"}},
        {R"({"type":"integer","minimum":5,"exclusiveMaximum":12})", {"5", "9", "10", "11"}, {"4", "12", "05", "-5"}},
        {R"({"type":"integer","minimum":-12,"maximum":-3})", {"-3", "-12", "-10"}, {"-2", "-13", "3", "0"}},
        {R"({"type":"integer","minimum":0})", {"0", "17"}, {"-1", "-0"}},
        {R"({"type":"integer","exclusiveMinimum":0.5})", {"1"}, {"0"}},
        {R"({"type":"number","minimum":0.5,"maximum":2})", {"0.5", "0.51", "1", "1.999", "2", "2.0", "2.000"},
            {"0.49", "2.001", "0", "-1", "3"}},
        {R"({"type":"number","exclusiveMinimum":-1.5,"exclusiveMaximum":0})", {"-1.49", "-0.1"},
            {"-1.5", "-1.50", "0", "-0", "0.0", "-2"}},
        {R"({"type":"number","multipleOf":0.01})", {"1", "1.25", "-3.1"}, {"1.255"}},
        {R"({"type":"integer","multipleOf":100,"maximum":500})", {"0", "100", "500", "-1200"}, {"50", "600", "101"}},
        {R"({"type":"number","minimum":5,"exclusiveMinimum":true})", {"5.1"}, {"5"}},
        {R"({"type":"string","minLength":2,"maxLength":3})",
            {"\"ab\"", "\"🙂é\"", R"("\n\u00e9x")", R"("\ud83d\ude42a")"},
            {"\"a\"", "\"abcd\"", R"("\ud83d\ude42")"}},
        {R"({"type":"string"})", {R"("\u0041\ud83d\ude42")", "\"\x7F\""},
            {R"("\ud83d")", R"("\ude42")", R"("\ud83d\u0041")", "\"\n\"", R"("\x")"}},
        {R"({"type":"string","maxLength":20000})", {"\"" + std::string(20000, 'a') + "\""},
            {"\"" + std::string(20001, 'a') + "\""}},
        {R"({"type":"string","pattern":"b"})", {"\"abc\"", "\"b\""}, {"\"ac\"", "\"\""}},
        {R"({"type":"string","pattern":"^\"\\\\\\n$"})", {R"("\"\\\n")"}, {R"("x")"}},
        {R"({"type":"string","pattern":"^[a-z]+$","minLength":2,"maxLength":3})", {"\"ab\"", "\"abc\""},
            {"\"a\"", "\"abcd\"", "\"a1\""}},
        {R"({"type":"string","pattern":"^a|b$"})", {"\"axx\"", "\"xxb\""}, {"\"xax\""}},
        {R"({"type":"string","format":"date"})", {"\"2024-02-29\"", "\"1999-12-31\""},
            {"\"2023-02-29\"", "\"2024-04-31\"", "\"0000-01-01\"", "\"1900-02-29\""}},
        {R"({"type":"string","format":"date-time"})", {"\"2024-02-29T23:59:59.5+01:00\""},
            {"\"2024-02-29\"", "\"2024-02-29T24:00:00Z\""}},
        {R"({"type":"string","format":"ipv4"})", {"\"192.168.0.255\""}, {"\"192.168.0.256\"", "\"1.2.3\""}},
        {R"({"type":"string","format":"uuid"})", {"\"123e4567-e89b-12d3-a456-426614174000\""}, {"\"123e4567\""}},
        {R"({"type":"string","format":"email"})", {"\"a.b+c@example.org\""}, {"\"a@b\"", "\"@x.org\""}},
        {R"({"type":"integer","format":"int32"})", {"7"}, {"\"7\""}},
        {R"({"type":"array"})", {"[]", "[1, \"a\", [null]]"}, {"[1,]", "{}"}},
        {R"({"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":3})", {"[1,2]", "[1, 2, 3]"},
            {"[]", "[1]", "[1,2,3,4]", "[1,\"a\"]"}},
        {R"({"type":"array","maxItems":0})", {"[]"}, {"[1]"}},
        {R"({"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false})",
            {"[]", "[1]", "[1,\"a\"]"}, {"[\"a\"]", "[1,\"a\",2]"}},
        {R"({"type":"array","prefixItems":[{"type":"integer"}],"minItems":1})", {"[1]", "[1,\"x\",null]"},
            {"[]", "[\"x\"]"}},
        {R"({"type":"array","items":[{"type":"integer"}],"additionalItems":{"type":"null"}})", {"[1,null]"}, {"[1,2]"}},
        {R"({"anyOf":[{"type":"integer"},{"type":"string","maxLength":1}]})", {"1", "\"a\""}, {"\"ab\"", "null"}},
        {R"({"oneOf":[{"type":"integer"},{"type":"null"}]})", {"1", "null"}, {"\"a\""}},
        {R"({"allOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{"type":"null"}},"required":["b"]}]})",
            {R"({"a":1,"b":null})"}, {R"({"a":1})", R"({"b":null})"}},
        {R"({"type":"integer","allOf":[{"minimum":2},{"maximum":4}]})", {"2", "4"}, {"1", "5"}},
        {R"({"allOf":[{"pattern":"a"},{"pattern":"b"}],"type":"string"})", {"\"ab\"", "\"b-a\""}, {"\"a\"", "\"b\""}},
        {R"({"$ref":"#/definitions/a%20~1b","definitions":{"a /b":{"const":1}}})", {"1"}, {"2"}},
        {R"({"$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/n"}},"required":["v"],"additionalProperties":false}},"$ref":"#/$defs/n"})",
            {R"({"v":1,"next":{"v":2,"next":{"v":3}}})"}, {R"({"v":1,"next":{}})"}},
        {R"({"type":"object","properties":{"child":{"$ref":"#"}},"additionalProperties":false})",
            {R"({"child":{"child":{}}})"}, {R"({"child":1})"}},
        {R"({"$ref":"#/$defs/s","maxLength":1,"$defs":{"s":{"type":"string"}}})", {"\"a\""}, {"\"ab\""}},
        {R"({"title":"T","description":"d","default":{"not":1},"examples":[],"x-unknown":1,"type":"boolean"})",
            {"true"}, {"null"}},
    };
    check(cases, false);
}

TEST(JsonSchema, StrictMeansNoOtherProperties) {
    const Case cases[] = {
        {R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{}}}},"required":["a"]})",
            {R"({"a":{"b":1}})", R"({"a":{}})"}, {R"({"a":{},"c":1})", R"({"a":{"c":1}})"}},
        {R"({"type":"object","properties":{"a":{}},"additionalProperties":true})", {R"({"c":1})"}, {}},
        {R"({"type":"object"})", {R"({"c":1})"}, {}},
    };
    check(cases, true);
}

TEST(JsonSchema, BoundsWhiteSpace) {
    const char* source =
        R"({"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false})";
    EXPECT_EQ(schema(source, "{\n  \"a\": 1\n}"), "yes");
    EXPECT_EQ(schema(source, "{\n" + std::string(20, ' ') + "\"a\" : 1 }"), "yes");
    EXPECT_EQ(schema(source, "{\n" + std::string(21, ' ') + "\"a\":1}"), "no");
    EXPECT_EQ(schema(source, "{\n\n\"a\":1}"), "no");
    EXPECT_EQ(schema(source, "{\"a\":1} "), "no");
}

TEST(JsonSchema, RefusesWhatItCannotHonourWithThePath) {
    const std::pair<const char*, const char*> cases[] = {
        {R"({"type":"object","properties":{"a":{"not":{}}}})",
            "properties.a.not: the keyword 'not' cannot be enforced"},
        {R"({"if":{},"then":{}})", "if: the keyword 'if' cannot be enforced"},
        {R"({"type":"array","items":{"type":"strin"}})", "items.type: the type \"strin\" is unknown"},
        {R"({"type":"array","uniqueItems":true})", "uniqueItems: 'uniqueItems' cannot be enforced"},
        {R"({"patternProperties":{"a":{}}})", "patternProperties: the keyword 'patternProperties' cannot be enforced"},
        {R"({"type":"string","format":"iri"})", "format: the format \"iri\" is unknown"},
        {R"g({"type":"string","pattern":"(?=a)"})g",
            "pattern: regular expression, character 1: look-around is not supported"},
        {R"({"type":"string","pattern":"(a)\\1"})",
            "pattern: regular expression, character 4: back references are not supported"},
        {R"({"$ref":"http://x/y"})", "$ref: the reference 'http://x/y' leads outside the schema"},
        {R"({"anyOf":[{"type":"null"},{"$ref":"#/$defs/x"}]})",
            "anyOf[1].$ref: the reference '#/$defs/x' names nothing in the schema"},
        {R"({"type":"object","properties":{},"required":["x"],"additionalProperties":false})",
            "required[0]: 'required' names 'x', which is no property and no others are allowed"},
        {R"({"type":"integer","minimum":3,"maximum":2})", ": no text can satisfy it"},
        {R"({"type":"string","minLength":3,"maxLength":2})",
            "minLength: 'minLength' is 3 and 'maxLength' is 2: nothing can be both"},
        {R"({"type":"string","maxLength":1000000000})",
            "maxLength: 'maxLength' is 1000000000, at most 100000 can be enforced"},
        {R"({"type":"number","multipleOf":3})", "multipleOf: multiples of 3 cannot be enforced"},
        {R"({"oneOf":[{"type":"integer"},{"type":"number"}]})",
            "oneOf: two members of 'oneOf' may allow the same value, which a grammar cannot exclude"},
        {R"({"type":"object","minProperties":2})", "minProperties: at least 2 properties cannot be enforced"},
        {R"({"$ref":"#"})", ": the rule 'the schema' is left-recursive: it begins with itself"},
        {R"(false)", ": no text can satisfy it"},
        {R"([1])", ": a schema is an object, true or false, but this is array"},
        {R"({"type":"object","properties":[]})", "properties: 'properties' must be an object"},
        {R"({"enum":[]})", "enum: 'enum' must be an array of values"},
        {R"({"type":)", ": the schema is not valid JSON in UTF-8"},
        {R"({"allOf":[{"$ref":"#"}]})", ": schemas combine more than 48 deep"},
    };
    for (const auto& [source, message] : cases) {
        const std::string found = schema(source, "");
        if (std::string_view(source) == R"({"$ref":"#"})" || std::string_view(source).starts_with(R"({"allOf)"))
            EXPECT_FALSE(compiled(ConstraintKind::json_schema, source)) << found; // any reason will do
        else
            EXPECT_EQ(found, message) << source;
    }
    EXPECT_NE(schema(std::string(300'000, ' '), "").find("bytes"), std::string::npos);
    std::string deep = "{}";
    for (int i = 0; i < 150; ++i)
        deep = R"({"type":"array","items":)" + deep + "}";
    EXPECT_FALSE(compiled(ConstraintKind::json_schema, deep));
}

TEST(JsonSchema, SurvivesMembersOfOddTypes) {
    for (const char* keyword :
        {"type", "properties", "required", "additionalProperties", "items", "prefixItems", "enum", "const", "anyOf",
            "oneOf", "allOf", "$ref", "minimum", "maximum", "exclusiveMinimum", "multipleOf", "minLength", "maxLength",
            "minItems", "maxItems", "minProperties", "pattern", "format", "nullable", "uniqueItems", "$defs"})
        for (const char* value :
            {"null", "true", "-1", "1.5", "1e400", "\"x\"", "[]", "[null]", "[[]]", "{}", "{\"a\":1}"}) {
            const std::string source = std::string("{\"") + keyword + "\":" + value + "}";
            for (const std::string& one : {source, R"({"allOf":[)" + source + "," + source + "]}",
                     R"({"type":["object","array","string","number"],")" + source.substr(1)})
                static_cast<void>(compiled(ConstraintKind::json_schema, one)); // no exception, no crash
        }
}

} // namespace
} // namespace vitrine::engine
