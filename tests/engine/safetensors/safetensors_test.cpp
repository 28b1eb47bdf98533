// SPDX-License-Identifier: GPL-3.0-or-later
// Headers and configs of safetensors models: sound ones, and ones that claim what is not there.
#include <cstring>
#include <gtest/gtest.h>

#include "engine/safetensors/hf_config.h"
#include "engine/safetensors/safetensors_file.h"

namespace vitrine::engine::safetensors {
namespace {

std::string file_of(const std::string& header, std::size_t data_bytes, std::int64_t claimed = -1) {
    const std::uint64_t length = claimed < 0 ? header.size() : static_cast<std::uint64_t>(claimed);
    std::string file(sizeof length, '\0');
    std::memcpy(file.data(), &length, sizeof length);
    return file + header + std::string(data_bytes, '\1');
}

Result<std::vector<Tensor>> read(const std::string& file) {
    return read_header("m.safetensors", std::as_bytes(std::span(file)));
}

TEST(SafetensorsHeader, GivesNamesShapesAndBytes) {
    const std::string file = file_of(R"({"__metadata__":{"format":"pt"},
        "a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"BF16","shape":[4],"data_offsets":[24,32]}})",
        32);
    const auto tensors = read(file);
    ASSERT_TRUE(tensors) << tensors.error().message;
    ASSERT_EQ(tensors->size(), 2U);
    EXPECT_EQ((*tensors)[0].name, "a");
    EXPECT_EQ((*tensors)[0].shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ((*tensors)[1].bytes.size(), 8U);
}

TEST(SafetensorsHeader, RefusesWhatCannotBe) {
    const auto one = [](const std::string& entry) { return "{\"a\":" + entry + "}"; };
    const std::string hostile[] = {"", "1234567", file_of("{}", 0, 1000), file_of("{}", 0, INT64_MAX), file_of("[]", 0),
        file_of("{", 0), file_of(one(std::string(200'000, '[') + std::string(200'000, ']')), 8), file_of(one("5"), 8),
        file_of(one(R"({"dtype":"F32"})"), 8),
        file_of(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0,16]})"), 8), // beyond the file
        file_of(one(R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})"), 8),
        file_of(one(R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})"), 8), // another size than the shape
        file_of(one(R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})"), 8),
        file_of(one(R"({"dtype":"F32","shape":[2.5],"data_offsets":[0,8]})"), 8),
        file_of(one(R"({"dtype":"F32","shape":"2","data_offsets":[0,8]})"), 8),
        file_of(one(R"({"dtype":"F32","shape":[2],"data_offsets":[0]})"), 8),
        file_of(one(R"({"dtype":"F32","shape":[4294967296,4294967296,4294967296],"data_offsets":[0,8]})"), 8),
        file_of(one(R"({"dtype":"F32","shape":[1,1,1,1,1,1,1,1,2],"data_offsets":[0,8]})"), 8),
        file_of(
            R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}})",
            8),
        file_of(
            R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
            8)};
    for (const std::string& file : hostile) {
        const auto tensors = read(file);
        ASSERT_FALSE(tensors) << file;
        EXPECT_EQ(tensors.error().code, ErrorCode::bad_file) << file;
    }
    const auto strange = read(file_of(one(R"({"dtype":"F4","shape":[8],"data_offsets":[0,8]})"), 8));
    ASSERT_FALSE(strange);
    EXPECT_EQ(strange.error().code, ErrorCode::unsupported);
    EXPECT_NE(strange.error().message.find("F4"), std::string::npos);
}

std::string config_with(const std::string& more) {
    return R"({"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,
        "max_position_embeddings":128,"vocab_size":96,"intermediate_size":128,"rms_norm_eps":1e-5)" +
        more + "}";
}

TEST(HfConfig, RefusesByName) {
    const std::pair<std::string, std::string> cases[] = {{config_with(R"(,"hidden_act":"relu")"), "relu"},
        {config_with(R"(,"quantization_config":{"quant_method":"aqlm"})"), "aqlm"},
        {config_with(R"(,"rope_scaling":{"type":"dynamic","factor":2.0})"), "dynamic"},
        {config_with(R"(,"rope_scaling":{"type":"linear","factor":0})"), "factor"},
        {R"({"model_type":"mamba2"})", "mamba2"}, {R"({"model_type":"gemma3","vision_config":{}})", "pictures"}};
    for (const auto& [text, named] : cases) {
        const auto model = read_config("config.json", text);
        ASSERT_FALSE(model) << text;
        EXPECT_EQ(model.error().code, ErrorCode::unsupported) << text;
        EXPECT_NE(model.error().message.find(named), std::string::npos) << model.error().message;
    }
}

TEST(HfConfig, RefusesWhatIsNoConfig) {
    for (const char* text : {"", "[]", "{\"model_type\":", R"({"model_type":"llama"})",
             R"({"model_type":"llama","hidden_size":-64,"num_attention_heads":4})",
             R"({"model_type":"llama","hidden_size":64.5,"num_attention_heads":4})",
             R"({"model_type":"llama","hidden_size":64,"num_attention_heads":99999999999999999999})"})
        EXPECT_FALSE(read_config("config.json", text)) << text;
}

TEST(HfConfig, RefusesDeepNesting) {
    const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
    const auto model = read_config("config.json", config_with(R"(,"rope_parameters":{"a":)" + deep + "}"));
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::bad_file);
}

TEST(HfConfig, NamesTensorsByArchitecture) {
    HfModel llama, gemma;
    llama.architecture = "llama";
    gemma.architecture = "gemma2";
    EXPECT_EQ(gguf_name(llama, "model.layers.12.self_attn.q_proj.bias"), "blk.12.attn_q.bias");
    EXPECT_EQ(gguf_name(llama, "model.layers.0.post_attention_layernorm.weight"), "blk.0.ffn_norm.weight");
    EXPECT_EQ(gguf_name(gemma, "model.layers.0.post_attention_layernorm.weight"), "blk.0.post_attention_norm.weight");
    EXPECT_EQ(gguf_name(llama, "vision_tower.patch.weight"), std::nullopt);
    EXPECT_EQ(gguf_name(llama, "model.layers."), std::nullopt);
}

} // namespace
} // namespace vitrine::engine::safetensors
