// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the trace is JSON in the trace-event format, with what Perfetto needs in every event.
#include "engine/stats/trace_export.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace vitrine::engine {
namespace {

TEST(TraceExport, WritesPhasesCountersAndSequences) {
    StepRecord step;
    step.step = 7;
    step.start_us = 1000;
    step.schedule_us = 10;
    step.forward_us = 200;
    step.sample_us = 20;
    step.commit_us = 5;
    step.blocks_active = 12;
    SequenceLine decode{.step = 7,
        .request = 3,
        .sequence = 4,
        .first_position = 20,
        .count = 1,
        .hit = 0,
        .accepted = 0,
        .kind = 1,
        .finish = 0};
    SequenceLine finished = decode;
    finished.kind = 4;
    finished.finish = 1;
    SequenceLine lost = decode;
    lost.step = 6;
    const SequenceLine lines[] = {lost, decode, finished};
    const auto json = nlohmann::json::parse(export_trace(std::span(&step, 1), lines));
    int phases_us = 0;
    std::vector<std::string> sequence_events;
    for (const auto& event : json.at("traceEvents")) {
        ASSERT_TRUE(event.contains("ph") && event.contains("pid") && event.contains("name"));
        const std::string kind = event.at("ph");
        if (kind != "M") {
            EXPECT_GE(event.at("ts").get<int>(), 1000);
        }
        if (kind == "X" && event.at("tid") == 2)
            phases_us += event.at("dur").get<int>();
        if (event.at("pid") == 2 && kind != "M")
            sequence_events.push_back(event.at("name"));
        if (event.at("name") == "finished") {
            EXPECT_EQ(event.at("args").at("reason"), "length");
            EXPECT_EQ(event.at("ts"), 1235);
        }
        if (event.at("name") == "KV blocks") {
            EXPECT_EQ(event.at("args").at("active"), 12);
        }
    }
    EXPECT_EQ(phases_us, 235);
    EXPECT_EQ(sequence_events, (std::vector<std::string>{"decode", "finished"}))
        << "a line without its step is left out";
}

TEST(TraceExport, IsValidWithoutAnyStep) {
    EXPECT_TRUE(nlohmann::json::parse(export_trace({}, {})).at("traceEvents").is_array());
}

} // namespace
} // namespace vitrine::engine
