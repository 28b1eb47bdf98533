// SPDX-License-Identifier: GPL-3.0-or-later
// The rules are those of html.spec.whatwg.org, "Interpreting an event stream"; the first cases are its examples.
#include "app/remote/sse_parser.h"

#include <gtest/gtest.h>

namespace vitrine::app {
namespace {

QByteArrayList dataOf(const QList<ServerEvent>& events) {
    QByteArrayList result;
    for (const ServerEvent& event : events)
        result.append(event.data);
    return result;
}

TEST(SseParser, JoinsLinesAndTakesOneSpaceAway) {
    SseParser parser;
    EXPECT_EQ(dataOf(parser.feed("data: YHOO\ndata: +2\ndata: 10\n\n")), QByteArrayList{"YHOO\n+2\n10"});
    EXPECT_EQ(dataOf(parser.feed("data:test\n\ndata:  two\n\n")), (QByteArrayList{"test", " two"}));
    EXPECT_EQ(dataOf(parser.feed("data\n\ndata\ndata\n\n")), (QByteArrayList{"", "\n"}));
}

TEST(SseParser, DropsCommentsUnknownFieldsAndEmptyEvents) {
    SseParser parser;
    EXPECT_TRUE(parser.feed(": keep-alive\n\n:\n\nid: 7\nretry: 10\n\n\n\n").isEmpty());
    EXPECT_EQ(dataOf(parser.feed(": ping\ndata: a\n: ping\n\n")), QByteArrayList{"a"});
}

TEST(SseParser, KeepsTheTypeOfOneEventOnly) {
    SseParser parser;
    const auto events = parser.feed("event: error\ndata: x\n\ndata: y\n\nerror: {\"message\":\"z\"}\n\n");
    ASSERT_EQ(events.size(), 3);
    EXPECT_EQ(events[0].type, "error");
    EXPECT_EQ(events[1].type, "");
    EXPECT_EQ(events[2].type, "error");
    EXPECT_EQ(events[2].data, "{\"message\":\"z\"}");
}

/// Whatever the pieces and the line ends are, the events are the same.
TEST(SseParser, GivesTheSameEventsForEveryWayToCut) {
    for (const QByteArray& end : QByteArrayList{"\n", "\r", "\r\n"}) {
        const QByteArray bytes = "\xEF\xBB\xBF"
                                 "data: {\"a\":\"日本 👨‍👩‍👧\"}" +
            end + end + ": ping" + end + end + "data: é" + end + "data: 2" + end + end + "data: [DONE]" + end + end;
        const QByteArrayList expected{"{\"a\":\"日本 👨‍👩‍👧\"}", "é\n2", "[DONE]"};
        for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
            SseParser parser;
            auto events = parser.feed(bytes.left(cut));
            events += parser.feed(bytes.mid(cut));
            EXPECT_EQ(dataOf(events), expected) << "cut at " << cut;
        }
        SseParser parser;
        QList<ServerEvent> events;
        for (const char byte : bytes)
            events += parser.feed(QByteArray(1, byte));
        EXPECT_EQ(dataOf(events), expected);
    }
}

TEST(SseParser, GivesTheLastEventThatNoEmptyLineEnds) {
    SseParser parser;
    EXPECT_TRUE(parser.feed("data: last").isEmpty());
    EXPECT_EQ(dataOf(parser.finish()), QByteArrayList{"last"});
    EXPECT_TRUE(parser.finish().isEmpty());
}

TEST(SseParser, StopsAtAnEventWithoutEnd) {
    SseParser parser;
    const QByteArray much(1 << 20, 'x');
    static_cast<void>(parser.feed("data: "));
    for (int i = 0; i < 17 && !parser.overflowed(); ++i)
        static_cast<void>(parser.feed(much));
    EXPECT_TRUE(parser.overflowed());
    EXPECT_TRUE(parser.finish().isEmpty());
}

} // namespace
} // namespace vitrine::app
