// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: GGUF files written and read back.
#include "engine/gguf/writer.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "tests/support/tiny_gguf.h"

namespace vitrine::engine::gguf {
namespace {

using test::TempFolder;

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

std::size_t num_files(const TempFolder& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path("")), {}));
}

TEST(GgufWriter, WritesWhatTheReaderReads) {
    const TempFolder folder;
    const std::string path = folder.path("out.gguf");
    Writer writer(path);
    writer.set("general.architecture", std::string("llama"));
    writer.set("count", std::uint64_t{7});
    writer.set("big", std::uint64_t{1} << 40);
    writer.set("negative", std::int64_t{-3});
    writer.set("real", 0.25);
    writer.set("flag", true);
    writer.set("texts", std::vector<std::string>{"a", "b c"});
    writer.set("reals", std::vector<double>{1.5});
    writer.set("integers", std::vector<std::int64_t>{1, 2});
    writer.set("flags", std::vector<bool>{true, false});
    writer.set("count", std::uint64_t{8});
    ASSERT_TRUE(writer.declare("a", {8}, kernels::WeightFormat::f32));
    ASSERT_TRUE(writer.declare("b", {32, 3}, kernels::WeightFormat::q4_1));
    ASSERT_TRUE(writer.begin());
    const std::string a(32, 'a');
    const std::string b(60, 'b');
    ASSERT_TRUE(writer.write(bytes_of(a + b.substr(0, 10)))); // cut anywhere
    ASSERT_TRUE(writer.write(bytes_of(b.substr(10))));
    EXPECT_FALSE(std::filesystem::exists(path)) << "the name appears with the finished file";
    ASSERT_TRUE(writer.finish());

    const auto file = File::open(path);
    ASSERT_TRUE(file) << file.error().message;
    const File& f = **file;
    EXPECT_EQ(f.integer("count").value(), 8);
    EXPECT_EQ(f.integer("big").value(), std::int64_t{1} << 40);
    EXPECT_EQ(f.integer("negative").value(), -3);
    EXPECT_EQ(f.real("real").value(), 0.25);
    EXPECT_TRUE(f.boolean("flag").value());
    EXPECT_EQ(f.texts("texts")->at(1), "b c");
    EXPECT_EQ(*f.integers("integers"), (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(f.find_tensor("b")->bytes.size(), 60U);
    EXPECT_EQ(f.find_tensor("b")->bytes.back(), std::byte{'b'});
    EXPECT_EQ(f.find_tensor("a")->bytes.front(), std::byte{'a'});
    EXPECT_EQ(f.file_bytes(), writer.total_bytes());
    EXPECT_EQ(num_files(folder), 1U);
}

TEST(GgufWriter, CopiesMetadataWithoutSplitKeysAndAlignment) {
    const TempFolder folder;
    test::TinyGguf source;
    source.u32("general.alignment", 64).u32("split.no", 0).u32("split.count", 0).text("general.name", "x");
    const auto file = File::open(folder.write("in.gguf", source.bytes()));
    ASSERT_TRUE(file) << file.error().message;
    Writer writer(folder.path("out.gguf"));
    writer.copy_metadata(**file);
    ASSERT_TRUE(writer.begin());
    ASSERT_TRUE(writer.finish());
    EXPECT_EQ(File::open(folder.path("out.gguf")).value()->keys(), std::vector<std::string>{"general.name"});
}

TEST(GgufWriter, LeavesNothingWithoutFinish) {
    const TempFolder folder;
    {
        Writer writer(folder.path("out.gguf"));
        ASSERT_TRUE(writer.declare("a", {8}, kernels::WeightFormat::f32));
        ASSERT_TRUE(writer.begin());
        EXPECT_EQ(num_files(folder), 1U);
    }
    EXPECT_EQ(num_files(folder), 0U);
}

TEST(GgufWriter, RefusesPartialBlocksAndMissingFolders) {
    const TempFolder folder;
    Writer writer(folder.path("none/out.gguf"));
    const auto partial = writer.declare("a", {31}, kernels::WeightFormat::q4_1);
    ASSERT_FALSE(partial);
    EXPECT_NE(partial.error().message.find("multiple of 32"), std::string::npos);
    EXPECT_FALSE(writer.declare("a", {8, 0}, kernels::WeightFormat::f32));
    const auto begun = writer.begin();
    ASSERT_FALSE(begun);
    EXPECT_EQ(begun.error().code, ErrorCode::io);
    EXPECT_NE(begun.error().message.find("out.gguf"), std::string::npos);
}

TEST(GgufWriter, SaysHowMuchRoomAFullDiskNeeds) {
    const TempFolder folder;
    Writer writer(folder.path("out.gguf"));
    // 4 EiB: more than any file system here holds.
    ASSERT_TRUE(writer.declare("a", {std::int64_t{1} << 30, std::int64_t{1} << 30}, kernels::WeightFormat::f32));
    const auto begun = writer.begin();
    ASSERT_FALSE(begun);
    EXPECT_EQ(begun.error().code, ErrorCode::io);
}

} // namespace
} // namespace vitrine::engine::gguf
