// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: GGUF files, valid and hostile.
#include "engine/gguf/file.h"

#include <gtest/gtest.h>

#include "engine/gguf/reader.h"
#include "tests/support/tiny_gguf.h"

namespace vitrine::engine::gguf {
namespace {

using test::Bytes;
using test::TempFolder;
using test::TinyGguf;

/// Two tensors, every kind of metadata.
TinyGguf valid_file() {
    TinyGguf file;
    file.text("general.architecture", "llama").u32("llama.block_count", 30).flag("tokenizer.ggml.add_bos_token", true);
    file.pair("llama.rope.freq_base", 6, Bytes().number(10000.0F).str());
    file.pair("minus", 5, Bytes().number(std::int32_t{-7}).str());
    file.pair("wide", 10, Bytes().u64(~std::uint64_t{0}).str());
    file.texts("names", {"a", "", "ccc"}).i32s("numbers", {1, -2}).f32s("reals", {0.5F});
    file.pair("flags", 9, Bytes().u32(7).u64(2).raw(std::string("\1\0", 2)).str());
    file.tensor({"norm", {8}, 0, 0}).tensor({"weight", {32, 2}, 3, 32}); // F32: 32 bytes, Q4_1: 2 blocks of 20
    file.data = std::string(32, 'n') + std::string(40, 'w');
    return file;
}

Result<std::shared_ptr<const File>> open(const std::string& bytes) {
    const TempFolder folder;
    return File::open(folder.write("tiny.gguf", bytes));
}

TEST(GgufFile, ReadsEveryKindOfMetadata) {
    const auto file = open(valid_file().bytes());
    ASSERT_TRUE(file) << file.error().message;
    const File& f = **file;
    EXPECT_EQ(f.version(), 3U);
    EXPECT_EQ(f.file_bytes(), static_cast<std::int64_t>(valid_file().bytes().size()));
    EXPECT_EQ(f.text("general.architecture").value(), "llama");
    EXPECT_EQ(f.integer("llama.block_count").value(), 30);
    EXPECT_EQ(f.integer("minus").value(), -7);
    EXPECT_EQ(f.real("llama.rope.freq_base").value(), 10000.0);
    EXPECT_EQ(f.real("llama.block_count").value(), 30.0);
    EXPECT_TRUE(f.boolean("tokenizer.ggml.add_bos_token").value());
    EXPECT_EQ(*f.texts("names"), (std::vector<std::string>{"a", "", "ccc"}));
    EXPECT_EQ(*f.integers("numbers"), (std::vector<std::int64_t>{1, -2}));
    EXPECT_EQ(*f.reals("reals"), std::vector<double>{0.5});
    EXPECT_EQ(f.keys().front(), "general.architecture");
    EXPECT_EQ(f.integer_or("absent", 5).value(), 5);
}

TEST(GgufFile, GivesEveryTensorItsBytes) {
    const auto file = open(valid_file().bytes());
    ASSERT_TRUE(file) << file.error().message;
    const Tensor* weight = (*file)->find_tensor("weight");
    ASSERT_NE(weight, nullptr);
    EXPECT_EQ(weight->in_dim(), 32);
    EXPECT_EQ(weight->out_dim(), 2);
    EXPECT_EQ(weight->format, kernels::WeightFormat::q4_1);
    ASSERT_EQ(weight->bytes.size(), 40U);
    EXPECT_EQ(weight->bytes.front(), std::byte{'w'});
    EXPECT_EQ((*file)->find_tensor("norm")->bytes.back(), std::byte{'n'});
    EXPECT_EQ((*file)->find_tensor("other"), nullptr);
    (*file)->drop_pages(*weight); // smaller than a page: nothing happens
    EXPECT_EQ(weight->bytes.front(), std::byte{'w'});
}

TEST(GgufFile, TypedAccessNamesFileKeyAndTypes) {
    const auto file = open(valid_file().bytes());
    ASSERT_TRUE(file) << file.error().message;
    const auto wrong = (*file)->text("llama.block_count");
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("tiny.gguf"), std::string::npos);
    EXPECT_NE(wrong.error().message.find("\"llama.block_count\": found an integer, needed a text"), std::string::npos);
    EXPECT_EQ((*file)->text("absent").error().code, ErrorCode::not_found);
    EXPECT_FALSE((*file)->integer("wide")) << "does not fit int64";
    EXPECT_FALSE((*file)->integer_or("general.architecture", 1)) << "a wrong type is an error with a default, too";
    EXPECT_EQ((*file)->texts("numbers"), nullptr);
}

TEST(GgufFile, AcceptsVersionTwoAndVocabularyOnly) {
    TinyGguf old = valid_file();
    old.version = 2;
    EXPECT_TRUE(open(old.bytes()));
    TinyGguf vocabulary;
    vocabulary.texts("tokenizer.ggml.tokens", {"a"});
    const auto file = open(vocabulary.bytes());
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_TRUE((*file)->tensors().empty());
}

TEST(GgufFile, KeepsTensorsOfUnknownTypeWithoutFormat) {
    TinyGguf file = valid_file();
    file.tensors[1].type = 99;
    const auto unknown = open(file.bytes());
    ASSERT_TRUE(unknown) << unknown.error().message;
    EXPECT_FALSE((*unknown)->find_tensor("weight")->format);
    file.tensors[1].type = 16; // IQ2_XXS: size known, not computable here, and 32 is no multiple of 256
    EXPECT_FALSE(open(file.bytes()));
}

/// From memory of exactly that size, so that the sanitizer sees a read past the end.
Result<Header> read(const std::string& bytes) {
    const std::vector<char> exact(bytes.begin(), bytes.end());
    return read_header("tiny.gguf", std::as_bytes(std::span(exact)));
}

TEST(GgufFile, TensorsOfUnknownTypeLieInsideTheFileToo) {
    TinyGguf file;
    file.text("general.architecture", "llama").tensor({"odd", {8}, 99, 0});
    file.data = "x"; // how long it is nobody knows: one byte at least
    const std::string whole = file.bytes();
    EXPECT_TRUE(read(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) // up to 31 bytes of padding, which may be missing
        EXPECT_FALSE(read(whole.substr(0, size))) << size << " of " << whole.size();
}

TEST(GgufFile, EveryTruncationIsAnErrorThatNamesTheFile) {
    const std::string whole = valid_file().bytes();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto cut = read(whole.substr(0, size));
        ASSERT_FALSE(cut) << size << " of " << whole.size();
        EXPECT_NE(cut.error().message.find("tiny.gguf"), std::string::npos);
        EXPECT_FALSE(cut.error().remedy.empty());
    }
}

TEST(GgufFile, NoChangedByteReadsOutsideTheFile) {
    const std::string whole = valid_file().bytes();
    for (std::size_t at = 0; at < valid_file().header().size(); ++at) {
        for (int value = 0; value < 256; ++value) {
            std::string changed = whole;
            changed[at] = static_cast<char>(value);
            const std::vector<char> exact(changed.begin(), changed.end());
            const auto bytes = std::as_bytes(std::span(exact));
            const auto header = read_header("tiny.gguf", bytes);
            if (!header) {
                EXPECT_FALSE(header.error().message.empty());
                continue;
            }
            for (const Tensor& tensor : header->tensors) {
                EXPECT_GE(tensor.bytes.data(), bytes.data());
                EXPECT_LE(tensor.bytes.data() + tensor.bytes.size(), bytes.data() + bytes.size());
            }
        }
    }
}

struct Hostile {
    const char* what;
    void (*spoil)(TinyGguf& file);
    const char* message; // part of it
};

const Hostile kHostile[] = {
    {"magic", [](TinyGguf& f) { f.magic = "GGML"; }, "magic"},
    {"version 1", [](TinyGguf& f) { f.version = 1; }, "version 1"},
    {"version 4", [](TinyGguf& f) { f.version = 4; }, "version 4"},
    {"big endian", [](TinyGguf& f) { f.version = 0x03000000; }, "big-endian"},
    {"tensor count", [](TinyGguf& f) { f.num_tensors = 1ULL << 62; }, "tensor count"},
    {"tensor count times row size overflows", [](TinyGguf& f) { f.num_tensors = ~0ULL; }, "tensor count"},
    {"one tensor too many", [](TinyGguf& f) { f.num_tensors = 3; }, "tensor"},
    {"pair count", [](TinyGguf& f) { f.num_pairs = 1ULL << 60; }, "metadata count"},
    {"one pair too many", [](TinyGguf& f) { f.num_pairs = 11; }, "tiny.gguf"},
    {"value type", [](TinyGguf& f) { f.pair("odd", 13, "1234"); }, "value type: found 13"},
    {"duplicate key", [](TinyGguf& f) { f.u32("minus", 1); }, "twice"},
    {"empty key", [](TinyGguf& f) { f.u32("", 1); }, "name is missing"},
    {"boolean 2", [](TinyGguf& f) { f.pair("b", 7, "\2"); }, "boolean"},
    {"string length", [](TinyGguf& f) { f.pair("s", 8, Bytes().u64(1ULL << 40).str()); }, "\"s\""},
    {"string length overflow", [](TinyGguf& f) { f.pair("s", 8, Bytes().u64(~0ULL).str()); }, "\"s\""},
    {"array count", [](TinyGguf& f) { f.pair("a", 9, Bytes().u32(4).u64(1ULL << 62).str()); }, "count"},
    {"array count in limit, not in file", [](TinyGguf& f) { f.pair("a", 9, Bytes().u32(8).u64(1 << 29).str()); },
        "count"},
    {"array of arrays", [](TinyGguf& f) { f.pair("a", 9, Bytes().u32(9).u64(0).str()); }, "array of arrays"},
    {"array element type", [](TinyGguf& f) { f.pair("a", 9, Bytes().u32(77).u64(0).str()); }, "value type: found 77"},
    {"u64 array beyond int64", [](TinyGguf& f) { f.pair("a", 9, Bytes().u32(10).u64(1).u64(~0ULL).str()); }, "\"a\""},
    {"alignment 0", [](TinyGguf& f) { f.u32("general.alignment", 0); }, "power of two"},
    {"alignment 24", [](TinyGguf& f) { f.u32("general.alignment", 24); }, "power of two"},
    {"alignment 2^31", [](TinyGguf& f) { f.u32("general.alignment", 1U << 31); }, "power of two"},
    {"alignment as text", [](TinyGguf& f) { f.text("general.alignment", "32"); }, "u32"},
    {"no dimensions", [](TinyGguf& f) { f.tensors[0].dims = {}; }, "dimensions: found 0"},
    {"five dimensions",
        [](TinyGguf& f) {
            f.tensors[0].dims = {8, 1, 1, 1, 1};
        },
        "dimensions: found 5"},
    {"2^32 - 1 dimensions", [](TinyGguf& f) { f.tensors[0].num_dims = 0xFFFFFFFF; }, "dimensions"},
    {"zero dimension",
        [](TinyGguf& f) {
            f.tensors[0].dims = {8, 0};
        },
        "dimension 1: found 0"},
    {"negative dimension", [](TinyGguf& f) { f.tensors[0].dims = {~0ULL}; }, "dimension 0"},
    {"product overflow",
        [](TinyGguf& f) {
            f.tensors[0].dims = {1ULL << 32, 1ULL << 32};
        },
        "dimension 1"},
    {"byte size overflow",
        [](TinyGguf& f) {
            f.tensors[0].dims = {1ULL << 31, 1ULL << 31};
        },
        "norm"},
    {"partial block",
        [](TinyGguf& f) {
            f.tensors[1].dims = {31, 2};
        },
        "multiple of 32"},
    {"duplicate tensor", [](TinyGguf& f) { f.tensors[1].name = "norm"; }, "repeated name"},
    {"empty tensor name", [](TinyGguf& f) { f.tensors[1].name = ""; }, "empty or repeated"},
    {"long tensor name", [](TinyGguf& f) { f.tensors[1].name = std::string(2000, 'x'); }, "bytes: found 2000"},
    {"crooked offset", [](TinyGguf& f) { f.tensors[1].offset = 33; }, "multiple of 32"},
    {"overlap", [](TinyGguf& f) { f.tensors[1].offset = 0; }, "inside another"},
    {"offset beyond the file", [](TinyGguf& f) { f.tensors[1].offset = 64; }, "data section holds"},
    {"offset near 2^64", [](TinyGguf& f) { f.tensors[1].offset = ~0ULL - 31; }, "data section holds"},
    {"unknown type beyond the file", [](TinyGguf& f) { f.tensors[1].type = 99, f.tensors[1].offset = 1 << 20; },
        "weight"},
    {"data one byte short", [](TinyGguf& f) { f.data.pop_back(); }, "data section holds"},
};

TEST(GgufFile, RefusesHostileFilesByName) {
    for (const Hostile& row : kHostile) {
        TinyGguf file = valid_file();
        row.spoil(file);
        const auto opened = open(file.bytes());
        ASSERT_FALSE(opened) << row.what;
        EXPECT_NE(opened.error().message.find(row.message), std::string::npos)
            << row.what << ": " << opened.error().message;
        EXPECT_NE(opened.error().message.find("tiny.gguf"), std::string::npos) << row.what;
        EXPECT_FALSE(opened.error().remedy.empty()) << row.what;
    }
}

TEST(GgufFile, HonoursAnotherAlignment) {
    TinyGguf file = valid_file();
    file.u32("general.alignment", 64);
    file.alignment = 64;
    file.tensors[1].offset = 64;
    file.data = std::string(64, 'n') + std::string(40, 'w');
    const auto opened = open(file.bytes());
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ((*opened)->find_tensor("weight")->bytes.front(), std::byte{'w'});
}

TEST(GgufFile, EscapesForeignNamesInMessages) {
    TinyGguf file = valid_file();
    file.tensors[1].name = "bad\x1b[31m\xFF";
    file.tensors[1].dims = {0};
    const auto opened = open(file.bytes());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().message.find('\x1b'), std::string::npos);
    EXPECT_NE(opened.error().message.find("\\x1B"), std::string::npos);
}

TEST(GgufFile, RefusesWhatIsNoFile) {
    const TempFolder folder;
    EXPECT_EQ(File::open(folder.path("none.gguf")).error().code, ErrorCode::not_found);
    const auto directory = File::open(folder.path(""));
    ASSERT_FALSE(directory);
    EXPECT_NE(directory.error().message.find("folder"), std::string::npos);
}

/// Part `number` of `count`, with one tensor "t<number>".
TinyGguf part(std::uint32_t number, std::uint32_t count, std::uint32_t total) {
    TinyGguf file;
    file.u32("split.no", number).u32("split.count", count).u32("split.tensors.count", total);
    file.tensor({"t" + std::to_string(number), {8}, 0, 0});
    file.data = std::string(32, static_cast<char>('0' + number));
    return file;
}

TEST(GgufFile, ReadsSplitFiles) {
    const TempFolder folder;
    const std::string first = folder.write("m-00001-of-00002.gguf", part(0, 2, 2).bytes());
    folder.write("m-00002-of-00002.gguf", part(1, 2, 2).bytes());
    const auto file = File::open(first);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ((*file)->tensors().size(), 2U);
    EXPECT_EQ((*file)->find_tensor("t1")->bytes.front(), std::byte{'1'});
    EXPECT_EQ((*file)->file_bytes(), static_cast<std::int64_t>(part(0, 2, 2).bytes().size() * 2));
}

TEST(GgufFile, RefusesSplitFilesThatDoNotFit) {
    const TempFolder folder;
    const std::string first = folder.write("m-00001-of-00002.gguf", part(0, 2, 2).bytes());
    EXPECT_EQ(File::open(first).error().code, ErrorCode::not_found) << "second part missing";
    const std::string second = folder.write("m-00002-of-00002.gguf", part(1, 2, 2).bytes());
    EXPECT_NE(File::open(second).error().remedy.find("00001-of-00002"), std::string::npos);
    folder.write("m-00002-of-00002.gguf", part(0, 2, 2).bytes());
    EXPECT_FALSE(File::open(first)) << "the same part twice";
    folder.write("m-00002-of-00002.gguf", part(1, 3, 2).bytes());
    EXPECT_FALSE(File::open(first)) << "a part of another set";
    folder.write("m-00002-of-00002.gguf", part(1, 2, 2).bytes());
    folder.write("m-00001-of-00002.gguf", part(0, 2, 3).bytes());
    EXPECT_NE(File::open(first).error().message.find("split.tensors.count"), std::string::npos);
    folder.write("m-00001-of-00002.gguf", part(0, 0xFFFFFFFF, 2).bytes());
    EXPECT_FALSE(File::open(first)) << "absurd count";
    EXPECT_FALSE(File::open(folder.write("other.gguf", part(0, 2, 2).bytes()))) << "no part number in the name";
}

} // namespace
} // namespace vitrine::engine::gguf
