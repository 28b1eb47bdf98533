// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/request_gate.h"

#include <gtest/gtest.h>

namespace vitrine::app {
namespace {

HttpRequest request_with(HeaderList headers) {
    HttpRequest request;
    request.method = "POST";
    request.headers = std::move(headers);
    return request;
}

} // namespace

TEST(RequestGate, TakesLoopbackHostsWithAnyPortAndNothingThatMerelyLooksLikeThem) {
    const GateConfig gate{{"box.lan"}, {}, {}};
    for (const char* host : {"localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080",
             "app.localhost", "localhost.:8080", "app.localhost.", "box.lan:80"})
        EXPECT_TRUE(host_allowed(host, gate)) << host;
    for (const char* host : {"", "evil.com", "localhost.evil.com", "127.0.0.1.evil.com", "localhost:80@evil.com",
             "localhost:x", "localhost..", "evil.com.", "evil.com:localhost", "0.0.0.0", "[::1", "127.0.0.2",
             ".localhost", "user@localhost"})
        EXPECT_FALSE(host_allowed(host, gate)) << host;
}

TEST(RequestGate, ComparesOriginsByTheirParts) {
    const GateConfig gate{{}, {"http://localhost:*", "https://chat.example:8443", "vscode-webview://*", "file://"}, {}};
    for (const char* origin : {"http://localhost:3000", "http://localhost", "https://chat.example:8443",
             "vscode-webview://abc", "file://", "http://127.0.0.1:8080"}) // the last one: same origin
        EXPECT_TRUE(origin_allowed(origin, "127.0.0.1:8080", gate)) << origin;
    for (const char* origin :
        {"null", "", "http://localhost.evil.com", "https://localhost:3000", "https://chat.example",
            "http://chat.example:8443", "http://evil.com", "http://127.0.0.1:9999", "localhost"})
        EXPECT_FALSE(origin_allowed(origin, "127.0.0.1:8080", gate)) << origin;
}

TEST(RequestGate, AsksForHostThenOriginThenKey) {
    const GateConfig gate{{}, {}, {"secret"}};
    EXPECT_EQ(check_head(request_with({}), gate, true)->status, 400);
    EXPECT_EQ(check_head(request_with({{"host", "localhost"}, {"host", "localhost"}}), gate, true)->status, 400);
    EXPECT_EQ(check_head(request_with({{"host", "evil.com"}, {"authorization", "Bearer secret"}}), gate, true)->code,
        "host_not_allowed");
    EXPECT_EQ(check_head(request_with({{"host", "localhost"}, {"origin", "null"}, {"authorization", "Bearer secret"}}),
                  gate, true)
                  ->code,
        "origin_not_allowed");
    EXPECT_EQ(check_head(request_with({{"host", "localhost"}, {"sec-fetch-site", "cross-site"}}), gate, false)->code,
        "origin_not_allowed");
    EXPECT_EQ(check_head(request_with({{"host", "localhost"}}), gate, true)->status, 401);
    EXPECT_FALSE(check_head(request_with({{"host", "localhost"}}), gate, false).has_value());
}

TEST(RequestGate, TakesTheKeyFromThreeHeaders) {
    const GateConfig gate{{}, {}, {"first", "secret"}};
    for (const auto& [name, value] : HeaderList{{"authorization", "Bearer secret"}, {"authorization", "bEARER first"},
             {"x-api-key", "secret"}, {"api-key", "secret"}})
        EXPECT_TRUE(key_allowed(request_with({{name, value}}), gate)) << name << value;
    for (const auto& [name, value] : HeaderList{{"authorization", "Basic secret"}, {"authorization", "secret"},
             {"x-api-key", "Secret"}, {"api-key", "secret "}, {"api-key", ""}, {"api-key", std::string("secret\0", 7)}})
        EXPECT_FALSE(key_allowed(request_with({{name, value}}), gate)) << name << value;
    EXPECT_TRUE(key_allowed(request_with({}), GateConfig{}));
}

TEST(RequestGate, TakesJsonOnly) {
    EXPECT_FALSE(check_content_type(request_with({{"content-type", "Application/JSON; charset=utf-8"}})).has_value());
    for (const HeaderList& headers :
        {HeaderList{}, HeaderList{{"content-type", "text/plain"}}, HeaderList{{"content-type", "application/jsonx"}},
            HeaderList{{"content-type", "application/json"}, {"content-encoding", "gzip"}}})
        EXPECT_EQ(check_content_type(request_with(headers))->status, 415);
}

TEST(HttpMessage, DecodesAPathOnceAndCollapsesSlashes) {
    EXPECT_EQ(normalised_path("//v1///models/"), "/v1/models");
    EXPECT_EQ(normalised_path("/v1/models/a%2Fb:Q4_K%20M?x=1"), "/v1/models/a/b:Q4_K M");
    EXPECT_EQ(normalised_path("/a%252F"), "/a%2F");
    for (const char* bad : {"", "x", "/a%2", "/a%zz", "/a%00b", "/%-1"})
        EXPECT_EQ(normalised_path(bad), "") << bad;
}

} // namespace vitrine::app
