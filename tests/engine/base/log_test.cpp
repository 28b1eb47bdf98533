// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: levels and the log file.
#include "engine/base/log.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace vitrine::engine {
namespace {

TEST(Log, LevelNamesAreThoseOfTheCommandLine) {
    EXPECT_EQ(log_level_from_name("debug").value(), LogLevel::debug);
    EXPECT_EQ(log_level_from_name("off").value(), LogLevel::off);
    const auto refused = log_level_from_name("loud");
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(refused.error().remedy.find("warn"), std::string::npos);
}

TEST(Log, WritesWhatTheLevelAllowsToTheFile) {
    const std::string path = ::testing::TempDir() + "vitrine_log_test.log";
    std::filesystem::remove(path);
    ASSERT_TRUE(log_to_file(path).has_value());
    set_log_level(LogLevel::info);
    log_debug("hidden {}", 1);
    log_info("shown {}", 2);
    set_log_level(LogLevel::warn);
    log_info("hidden {}", 3);
    flush_log();
    std::stringstream content;
    content << std::ifstream(path).rdbuf();
    EXPECT_NE(content.str().find("info shown 2"), std::string::npos) << content.str();
    EXPECT_EQ(content.str().find("hidden"), std::string::npos);
    EXPECT_EQ(log_to_file("/proc/no/such/folder/x.log").error().code, ErrorCode::io);
}

} // namespace
} // namespace vitrine::engine
