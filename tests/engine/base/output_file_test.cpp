// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/output_file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <optional>
#include <unistd.h>

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public ::testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
    const fs::path folder_ = fs::temp_directory_path() / ("vitrine_output_" + std::to_string(getpid()));
};

TEST_F(OutputFileTest, AppearsUnderItsNameWhenItIsFinished) {
    OutputFile file;
    ASSERT_TRUE(file.create(path("a"), 5, path("a.part")));
    ASSERT_TRUE(file.put("he", 2));
    EXPECT_FALSE(fs::exists(path("a")));
    ASSERT_TRUE(file.put("llo", 3));
    ASSERT_TRUE(file.finish());
    EXPECT_FALSE(file.is_open());
    EXPECT_FALSE(fs::exists(path("a.part")));
    std::ifstream in(path("a"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "hello");
}

TEST_F(OutputFileTest, LeavesNothingBehindUnfinished) {
    std::optional<OutputFile> file(std::in_place);
    ASSERT_TRUE(file->create(path("b"), 1 << 20));
    EXPECT_EQ(fs::file_size(path("b")), 1U << 20); // reserved
    file.reset();
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(OutputFileTest, NamesTheFileAndWhatIsWrong) {
    OutputFile nowhere;
    const auto missing = nowhere.create(path("no/folder/c"), 1);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::io);
    EXPECT_NE(missing.error().message.find("no/folder/c"), std::string::npos);
    OutputFile large;
    const auto full = large.create(path("d"), std::uint64_t{1} << 60);
    ASSERT_FALSE(full);
    EXPECT_NE((full.error().message + full.error().remedy).find("reserving the space"), std::string::npos);
}

} // namespace
} // namespace vitrine::engine
