// SPDX-License-Identifier: GPL-3.0-or-later
// The rules are those of prometheus.io/docs/instrumenting/exposition_formats (text format 0.0.4).
#include "app/remote/prometheus_text.h"

#include <cmath>
#include <gtest/gtest.h>

namespace vitrine::app {
namespace {

std::vector<MetricSample> good(std::string_view page) {
    const auto samples = parseMetrics(page);
    EXPECT_TRUE(samples.has_value()) << (samples ? "" : samples.error().message);
    return samples.value_or(std::vector<MetricSample>());
}

std::string refusal(std::string_view page) {
    const auto samples = parseMetrics(page);
    EXPECT_FALSE(samples.has_value());
    return samples ? std::string() : samples.error().message;
}

TEST(PrometheusText, ReadsNamesLabelsAndValues) {
    const auto samples = good("# HELP a:b_total Help with \\ and {\n# TYPE a:b_total counter\n"
                              "a:b_total{model_name=\"x\",engine=\"0\"} 8.128902e+06\n\nplain 3 1700000000000\n");
    ASSERT_EQ(samples.size(), 2U);
    EXPECT_EQ(samples[0].name, "a:b_total");
    EXPECT_EQ(*samples[0].label("engine"), "0");
    EXPECT_EQ(samples[0].label("le"), nullptr);
    EXPECT_EQ(samples[0].value, 8128902);
    EXPECT_EQ(samples[1].value, 3);
}

TEST(PrometheusText, TakesBlanksTrailingCommasAndCarriageReturns) {
    const auto samples = good("  a { b = \"1\" , c=\"2\", } \t 5\t\r\nd{}7\r\n");
    ASSERT_EQ(samples.size(), 2U);
    EXPECT_EQ(*samples[0].label("c"), "2");
    EXPECT_EQ(samples[0].value, 5);
    EXPECT_EQ(samples[1].value, 7);
}

TEST(PrometheusText, ReadsEscapesInLabels) {
    const auto samples = good("a{path=\"C:\\\\x \\\"q\\\"\\n}\",u=\"日本\"} 1");
    ASSERT_EQ(samples.size(), 1U);
    EXPECT_EQ(*samples[0].label("path"), "C:\\x \"q\"\n}");
    EXPECT_EQ(*samples[0].label("u"), "日本");
}

TEST(PrometheusText, ReadsNumbersThatAreNotFinite) {
    const auto samples = good("a NaN\nb +Inf\nc -Inf\nd +1.5\ne 1e400\nf -1e400\ng 1e-400\n");
    ASSERT_EQ(samples.size(), 7U);
    EXPECT_TRUE(std::isnan(samples[0].value));
    EXPECT_TRUE(std::isinf(samples[1].value) && samples[1].value > 0);
    EXPECT_TRUE(std::isinf(samples[2].value) && samples[2].value < 0);
    EXPECT_EQ(samples[3].value, 1.5);
    EXPECT_TRUE(std::isinf(samples[4].value) && samples[4].value > 0);
    EXPECT_TRUE(std::isinf(samples[5].value) && samples[5].value < 0);
    EXPECT_EQ(samples[6].value, 0);
}

TEST(PrometheusText, TakesExemplarsAndTheEndOfOpenMetrics) {
    const auto samples = good("a_bucket{le=\"1\"} 4 # {trace_id=\"7\"} 0.5\nb 1 1700000000 # x\n# EOF\n");
    ASSERT_EQ(samples.size(), 2U);
    EXPECT_EQ(samples[0].value, 4);
}

TEST(PrometheusText, NamesTheLineAndWhatIsWrong) {
    EXPECT_NE(refusal("a 1\nb{c=1} 2\n").find("line 2"), std::string::npos);
    EXPECT_NE(refusal("a{b=\"x} 1\n").find("without end"), std::string::npos);
    EXPECT_NE(refusal("a{b=\"\\t\"} 1\n").find("escape"), std::string::npos);
    EXPECT_NE(refusal("a\n").find("no number"), std::string::npos);
    EXPECT_NE(refusal("a 1x\n").find("no number"), std::string::npos);
    EXPECT_NE(refusal("a ++1\n").find("no number"), std::string::npos);
    EXPECT_NE(refusal("a 1 yesterday\n").find("timestamp"), std::string::npos);
    EXPECT_NE(refusal("a 1 2 3\n").find("behind the timestamp"), std::string::npos);
    EXPECT_NE(refusal("a{b=\"1\" c=\"2\"} 1\n").find("'}'"), std::string::npos);
    EXPECT_NE(refusal("{\"detail\":\"Not Found\"}").find("line 1"), std::string::npos);
    EXPECT_NE(refusal("<html>\n").find("name of a metric"), std::string::npos);
}

TEST(PrometheusText, SurvivesEveryTruncation) {
    const std::string page = "a:b{le=\"+Inf\",q=\"\\\\\\\"\\n\"} +1.5e+06 1700\nc NaN # {x=\"1\"} 2\n";
    for (std::size_t length = 0; length <= page.size(); ++length)
        static_cast<void>(parseMetrics(std::string_view(page).substr(0, length))); // must return, either way
    EXPECT_EQ(good(page).size(), 2U);
}

} // namespace
} // namespace vitrine::app
