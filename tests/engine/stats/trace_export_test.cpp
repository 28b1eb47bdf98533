// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the trace is JSON in the trace-event format, with what Perfetto needs in every event.
#include "engine/stats/trace_export.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/trace_events.h"

namespace vitrine::engine {
namespace {

StepRecord step_at(std::uint64_t number, std::uint64_t start_us) {
    StepRecord step;
    step.step = number;
    step.start_us = start_us;
    step.schedule_us = 10;
    step.forward_us = 200;
    step.sample_us = 20;
    step.commit_us = 5;
    step.blocks_active = 12;
    return step;
}

SequenceLine line_of(std::uint8_t kind, std::uint64_t step, std::uint64_t time_us) {
    SequenceLine line;
    line.step = step;
    line.time_us = time_us;
    line.request = 3;
    line.sequence = 4;
    line.count = 1;
    line.kind = kind;
    return line;
}

TEST(TraceExport, WritesPhasesAndCounters) {
    const StepRecord step = step_at(7, 1000);
    const auto json = nlohmann::json::parse(export_trace(std::span(&step, 1), {}));
    int phases_us = 0;
    std::vector<std::string> counters;
    for (const auto& event : json.at("traceEvents")) {
        ASSERT_TRUE(event.contains("ph") && event.contains("pid") && event.contains("name"));
        if (event.at("ph") == "X" && event.at("tid") == 2)
            phases_us += event.at("dur").get<int>();
        if (event.at("ph") == "C")
            counters.push_back(event.at("name"));
        if (event.at("name") == "KV blocks") {
            EXPECT_EQ(event.at("args").at("active"), 12);
        }
    }
    EXPECT_EQ(phases_us, 235);
    EXPECT_EQ(counters, (std::vector<std::string>{"KV blocks", "sequences", "rows"}));
}

TEST(TraceExport, ALaneTellsWhatASequenceDid) {
    const StepRecord steps[] = {step_at(7, 1000), step_at(8, 1300), step_at(9, 1600), step_at(10, 1900)};
    SequenceLine finished = line_of(4, 10, 2130);
    finished.finish = 1;
    const SequenceLine lines[] = {line_of(5, 6, 400), line_of(0, 7, 1000), line_of(1, 8, 1300), line_of(3, 9, 1600),
        line_of(0, 10, 1900), finished};
    const auto json = nlohmann::json::parse(export_trace(steps, lines));
    std::vector<std::tuple<std::string, int, int>> spans; // name, start, length
    int rows = 0;
    for (const auto& event : json.at("traceEvents")) {
        if (event.at("pid") == 1 || event.at("ph") == "M")
            continue;
        EXPECT_EQ(event.at("tid"), 4);
        EXPECT_EQ(event.at("pid"), event.at("args").contains("step") ? 3 : 2);
        if (event.at("ph") == "i") {
            EXPECT_EQ(event.at("args").at("reason"), "length");
            EXPECT_EQ(event.at("ts"), 2130);
        } else if (event.at("args").contains("step")) {
            ++rows;
        } else {
            spans.emplace_back(event.at("name"), event.at("ts"), event.at("dur"));
        }
    }
    EXPECT_EQ(rows, 3);
    EXPECT_EQ(spans,
        (std::vector<std::tuple<std::string, int, int>>{{"queued", 400, 600}, {"prefill", 1000, 300},
            {"decode", 1300, 300}, {"preempted", 1600, 300}, {"prefill", 1900, 230}}));
}

/// Perfetto takes slices of one thread as a stack: they follow each other or nest.  Here one ends before its step does.
TEST(TraceExport, KeepsToTheFormat) {
    const StepRecord steps[] = {step_at(7, 1000), step_at(8, 1300), step_at(9, 1600)};
    const SequenceLine lines[] = {
        line_of(5, 6, 400), line_of(0, 7, 1010), line_of(1, 8, 1310), line_of(1, 9, 1610), line_of(4, 9, 1700)};
    EXPECT_EQ(testing::TraceEventReader::fault_of(export_trace(steps, lines)), "");
    EXPECT_EQ(testing::TraceEventReader::fault_of(export_trace({}, {})), "");
}

/// What the reader must find, or it would vouch for anything.
TEST(TraceExport, TheReaderOfTheFormatIsStrict) {
    const auto fault = [](const std::string& events) {
        return testing::TraceEventReader::fault_of(R"({"traceEvents":[{"ph":"M","name":"process_name","pid":1,"tid":0,)"
                                                   R"("args":{"name":"p"}},{"ph":"M","name":"thread_name","pid":1,)"
                                                   R"("tid":1,"args":{"name":"t"}},)" +
            events + "]}");
    };
    const std::string slice = R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":10,"dur":10})";
    EXPECT_EQ(fault(slice), "");
    EXPECT_NE(fault(slice + R"(,{"ph":"X","name":"b","pid":1,"tid":1,"ts":15,"dur":10})"), "") << "overlap";
    EXPECT_EQ(fault(slice + R"(,{"ph":"X","name":"b","pid":1,"tid":1,"ts":15,"dur":5})"), "") << "nested";
    EXPECT_NE(fault(R"({"ph":"X","name":"a","pid":1,"tid":2,"ts":10,"dur":10})"), "") << "unnamed thread";
    EXPECT_NE(fault(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":-1,"dur":10})"), "") << "negative time";
    EXPECT_NE(fault(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":"10","dur":10})"), "") << "text for a number";
    EXPECT_NE(fault(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":10})"), "") << "no length";
    EXPECT_NE(fault(R"({"ph":"C","name":"a","pid":1,"ts":10,"args":{}})"), "") << "no series";
    EXPECT_NE(fault(R"({"ph":"i","name":"a","pid":1,"tid":1,"ts":10,"s":"x"})"), "") << "unknown scope";
    EXPECT_NE(fault(R"({"ph":"B","name":"a","pid":1,"tid":1,"ts":10})"), "") << "a begin without an end";
}

TEST(TraceExport, AnUnfinishedLaneEndsWithTheTraceAndALostStepHasNoRows) {
    const StepRecord step = step_at(7, 1000);
    const SequenceLine lines[] = {line_of(1, 3, 500), line_of(1, 7, 1000)};
    const auto json = nlohmann::json::parse(export_trace(std::span(&step, 1), lines));
    int rows = 0;
    for (const auto& event : json.at("traceEvents")) {
        if (event.at("pid") == 1 || event.at("ph") == "M")
            continue;
        if (event.at("args").contains("step")) {
            ++rows;
        } else {
            EXPECT_EQ(event.at("ts"), 500);
            EXPECT_EQ(event.at("dur"), 735);
        }
    }
    EXPECT_EQ(rows, 1);
}

TEST(TraceExport, IsValidWithoutAnyStep) {
    EXPECT_TRUE(nlohmann::json::parse(export_trace({}, {})).at("traceEvents").is_array());
}

} // namespace
} // namespace vitrine::engine
