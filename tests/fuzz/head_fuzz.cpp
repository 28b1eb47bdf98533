// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz: bytes through Beast's parser and every check a head meets.  What passes has one allowed Host, no foreign Origin, the
// key and a route that exists.
#include <boost/beast/http/parser.hpp>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include "app/endpoint/request_head.h"

namespace {

using namespace vitrine;
namespace http = boost::beast::http;

void require(bool holds) {
    if (!holds)
        std::abort();
}

void check_passed(const app::HttpRequest& head, const app::GateConfig& gate, const app::HeadVerdict& verdict) {
    require(head.count("host") == 1 && app::host_allowed(*head.header("host"), gate));
    if (const auto origin = head.header("origin"))
        require(app::origin_allowed(*origin, *head.header("host"), gate));
    if (verdict.answer) {
        require(verdict.answer->status == 204 && head.method == "OPTIONS");
        return;
    }
    require(verdict.route != nullptr);
    require(!verdict.route->needs_key || app::key_allowed(head, gate));
    require(head.method != "POST" || head.header("content-type").has_value());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const app::GateConfig gate{{}, {"http://localhost:*", "app://*"}, {"k"}};
    http::request_parser<http::string_body> parser;
    parser.header_limit((64 << 10) - 1);
    parser.body_limit(1 << 20);
    boost::beast::error_code error;
    parser.eager(false);
    try {
        parser.put(boost::asio::buffer(data, size), error);
    } catch (const std::length_error&) {
        return 0; // the connection's catch answers for it
    }
    if (error || !parser.is_header_done())
        return 0;
    if (app::check_framing(parser.get()))
        return 0;
    const app::HttpRequest head = app::take_head(parser.get());
    const app::HeadVerdict verdict = app::judge_head(head, gate, false);
    if (verdict.error)
        require(verdict.error->status >= 400 && !verdict.error->message.empty());
    else
        check_passed(head, gate, verdict);
    return 0;
}
