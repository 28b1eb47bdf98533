// SPDX-License-Identifier: GPL-3.0-or-later
// What is written comes back through the reader; what is not finished is not there.  Names go both ways.
#include "engine/safetensors/safetensors_writer.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/mapped_file.h"
#include "engine/safetensors/hf_config.h"
#include "engine/safetensors/safetensors_file.h"

namespace vitrine::engine::safetensors {
namespace {

std::string scratch(const std::string& name) {
    return (std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()) + ".safetensors")).string();
}

TEST(SafetensorsWriter, TensorsComeBack) {
    const std::string path = scratch("written");
    const std::vector<float> floats{1, 2, 3, 4, 5, 6};
    const std::vector<std::uint8_t> bytes{7};
    {
        Writer writer(path);
        writer.declare("a.weight", "F32", {2, 3});
        writer.declare("b", "U8", {});
        writer.declare("c", "F16", {0, 4});
        ASSERT_TRUE(writer.begin());
        const auto all = std::as_bytes(std::span(floats));
        ASSERT_TRUE(writer.write(all.first(5)));
        ASSERT_TRUE(writer.write(all.subspan(5)));
        ASSERT_TRUE(writer.write(std::as_bytes(std::span(bytes))));
        ASSERT_TRUE(writer.finish());
        EXPECT_EQ(writer.data_bytes(), 25);
    }
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file);
    const auto tensors = read_header(path, file->bytes());
    ASSERT_TRUE(tensors) << tensors.error().message;
    ASSERT_EQ(tensors->size(), 3U);
    for (const Tensor& tensor : *tensors) {
        if (tensor.name == "a.weight") {
            EXPECT_EQ(tensor.shape, (std::vector<std::int64_t>{2, 3}));
            EXPECT_TRUE(std::equal(tensor.bytes.begin(), tensor.bytes.end(), std::as_bytes(std::span(floats)).begin()));
            EXPECT_EQ((tensor.bytes.data() - file->bytes().data()) % 8, 0) << "aligned";
        }
    }
    std::filesystem::remove(path);
}

TEST(SafetensorsWriter, UnfinishedFilesAreRemoved) {
    const std::string path = scratch("unfinished");
    {
        Writer writer(path);
        writer.declare("a", "F32", {4});
        ASSERT_TRUE(writer.begin());
        EXPECT_TRUE(std::filesystem::exists(path));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    Writer nowhere("/nonexistent/folder/m.safetensors");
    nowhere.declare("a", "F32", {4});
    const auto begun = nowhere.begin();
    ASSERT_FALSE(begun);
    EXPECT_EQ(begun.error().code, ErrorCode::io);
    EXPECT_NE(begun.error().message.find("/nonexistent/folder"), std::string::npos);
}

TEST(HfConfig, NamesOfTensorsGoBothWays) {
    const char* const names[] = {"token_embd.weight", "output_norm.weight", "output.weight", "blk.3.attn_q.weight",
        "blk.3.attn_k.bias", "blk.3.attn_v.weight", "blk.3.attn_output.weight", "blk.3.attn_norm.weight",
        "blk.3.ffn_norm.weight", "blk.3.ffn_gate.weight", "blk.3.ffn_up.weight", "blk.3.ffn_down.weight",
        "blk.3.attn_q_norm.weight"};
    for (const char* architecture : {"llama", "qwen2", "qwen3", "gemma2", "gemma3", "granite", "phi2", "phi3", "glm4",
             "olmo2", "smollm3", "starcoder2"}) {
        const HfModel model = naming_of(architecture);
        for (const std::string name : names) {
            const auto theirs = hf_name(model, name);
            ASSERT_TRUE(theirs) << architecture << ' ' << name;
            EXPECT_EQ(gguf_name(model, *theirs), name) << architecture << ' ' << *theirs;
        }
    }
    EXPECT_EQ(hf_name(naming_of("llama"), "blk.3.ffn_norm.weight"), "model.layers.3.post_attention_layernorm.weight");
    EXPECT_EQ(hf_name(naming_of("gemma3"), "blk.3.ffn_norm.weight"), "model.layers.3.pre_feedforward_layernorm.weight");
    EXPECT_EQ(hf_name(naming_of("phi3"), "blk.3.ffn_up.weight"), "model.layers.3.mlp.gate_up_proj.weight");
    EXPECT_EQ(hf_name(naming_of("llama"), "blk.3.ffn_up_exps.weight"), std::nullopt);
}

} // namespace
} // namespace vitrine::engine::safetensors
