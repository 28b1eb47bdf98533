// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: file facts.
#include "engine/model/model_inspection.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace vitrine::engine {
namespace {

// llama.cpp's numbers of general.file_type.
constexpr std::array<std::pair<std::int64_t, std::string_view>, 33> kFileTypes{
    {{0, "F32"}, {1, "F16"}, {2, "Q4_0"}, {3, "Q4_1"}, {7, "Q8_0"}, {8, "Q5_0"}, {9, "Q5_1"}, {10, "Q2_K"},
        {11, "Q3_K_S"}, {12, "Q3_K_M"}, {13, "Q3_K_L"}, {14, "Q4_K_S"}, {15, "Q4_K_M"}, {16, "Q5_K_S"}, {17, "Q5_K_M"},
        {18, "Q6_K"}, {19, "IQ2_XXS"}, {20, "IQ2_XS"}, {21, "Q2_K_S"}, {22, "IQ3_XS"}, {23, "IQ3_XXS"}, {24, "IQ1_S"},
        {25, "IQ4_NL"}, {26, "IQ3_S"}, {27, "IQ3_M"}, {28, "IQ2_S"}, {29, "IQ2_M"}, {30, "IQ4_XS"}, {31, "IQ1_M"},
        {32, "BF16"}, {36, "TQ1_0"}, {37, "TQ2_0"}, {38, "MXFP4"}}};

int number(const gguf::File& file, const std::string& key, int fallback = 0) {
    const auto value = file.integer_or(key, fallback);
    return value ? static_cast<int>(*value) : fallback;
}

std::string words(const gguf::File& file, std::string_view key) {
    return file.text_or(key, "").value_or("");
}

std::string type_name(const gguf::Tensor& tensor) {
    if (tensor.format)
        return std::string(kernels::format_info(*tensor.format).gguf_name);
    return fmt::format("type {}", tensor.type);
}

/// The file's own word, else the type that takes most bytes.
std::string quantization_name(const gguf::File& file, const ModelInfo& info) {
    if (const auto file_type = file.integer_or("general.file_type", -1); file_type && *file_type >= 0)
        if (const auto name = file_type_name(*file_type); !name.empty())
            return std::string(name);
    const auto most = std::max_element(info.bytes_by_type.begin(), info.bytes_by_type.end(),
        [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == info.bytes_by_type.end() ? std::string() : most->first;
}

void read_shape(const gguf::File& file, ModelInfo& info) {
    const std::string prefix = info.architecture + ".";
    info.context_length = number(file, prefix + "context_length");
    info.num_layers = number(file, prefix + "block_count");
    info.num_heads = number(file, prefix + "attention.head_count");
    info.num_kv_heads = number(file, prefix + "attention.head_count_kv", info.num_heads);
    info.embedding_dim = number(file, prefix + "embedding_length");
    info.head_dim =
        number(file, prefix + "attention.key_length", info.num_heads > 0 ? info.embedding_dim / info.num_heads : 0);
    info.feed_forward_dim = number(file, prefix + "feed_forward_length");
    info.sliding_window = number(file, prefix + "attention.sliding_window");
    info.pooling_type = number(file, prefix + "pooling_type");
    if (info.num_layers > 0 && info.num_kv_heads > 0 && info.head_dim > 0)
        info.kv_bytes_per_token = kv_bytes_by_type(info.num_layers, info.num_kv_heads, info.head_dim);
}

void read_tokenizer(const gguf::File& file, ModelInfo& info) {
    info.tokenizer_model = words(file, "tokenizer.ggml.model");
    info.tokenizer_pre = words(file, "tokenizer.ggml.pre");
    if (const auto* tokens = file.texts("tokenizer.ggml.tokens"))
        info.vocab_size = static_cast<int>(tokens->size());
    info.has_chat_template = file.find("tokenizer.chat_template") != nullptr;
}

} // namespace

std::string_view file_type_name(std::int64_t file_type) noexcept {
    for (const auto& [known, name] : kFileTypes)
        if (known == file_type)
            return name;
    return {};
}

std::map<std::string, std::int64_t> kv_bytes_by_type(int num_layers, int num_kv_heads, int head_dim) {
    std::map<std::string, std::int64_t> bytes;
    kernels::KvSpec spec;
    spec.layers.assign(static_cast<std::size_t>(num_layers), kernels::KvLayer{num_kv_heads, head_dim});
    for (int type = 0; type < kernels::kNumKvTypes; ++type) {
        spec.type = static_cast<kernels::KvType>(type);
        bytes.emplace(kernels::kv_type_name(spec.type), kernels::kv_bytes_per_token(spec));
    }
    return bytes;
}

namespace {

/// "Q4_K_M", "IQ4_XS", "F16", "bf16", "MXFP4": the way file names end.
bool is_format_word(std::string_view word) {
    std::string lower;
    for (const char c : word)
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto digit_at = [&](std::size_t i) { return i < lower.size() && lower[i] >= '0' && lower[i] <= '9'; };
    return lower == "f16" || lower == "f32" || lower == "bf16" || lower.starts_with("mxfp4") ||
        (lower.starts_with("q") && digit_at(1)) || (lower.starts_with("iq") && digit_at(2));
}

/// People know a model by its file: "SmolLM2-135M-Instruct.Q4_1.gguf" is SmolLM2-135M-Instruct, whatever the converter wrote
/// into general.name ("Smollm2 135M 8k Lc100K Mix1 Ep2").  Files named by a program (model.gguf, sha256-...) say nothing.
std::string display_name(const std::filesystem::path& path, std::string written) {
    std::string stem = path.extension() == ".gguf" ? path.stem().string() : path.filename().string();
    const std::size_t mark = stem.find_last_of(".-");
    if (mark != std::string::npos && mark > 0 && is_format_word(std::string_view(stem).substr(mark + 1)))
        stem.resize(mark);
    const bool says_nothing = stem.starts_with("model") || stem.starts_with("ggml-model") || stem.starts_with("sha256");
    return says_nothing && !written.empty() ? written : stem;
}

/// bytes_of: of a tensor's weights.
template <class BytesOf>
ModelInfo inspect(const gguf::File& file, const BytesOf& bytes_of) {
    ModelInfo info;
    info.path = file.path();
    info.file_bytes = file.file_bytes();
    info.architecture = words(file, "general.architecture");
    info.name = display_name(file.path(), words(file, "general.name"));
    info.license = words(file, "general.license");
    for (const gguf::Tensor& tensor : file.tensors()) {
        std::int64_t count = 1;
        for (const std::int64_t dim : tensor.dims)
            count *= dim;
        info.parameters += count;
        info.weight_bytes += bytes_of(tensor);
        info.bytes_by_type[type_name(tensor)] += bytes_of(tensor);
    }
    info.vocabulary_only = info.weight_bytes == 0;
    read_shape(file, info);
    read_tokenizer(file, info);
    if (info.vocab_size == 0)
        if (const auto* embedding = file.find_tensor("token_embd.weight"))
            info.vocab_size = static_cast<int>(embedding->out_dim());
    info.quantization = quantization_name(file, info);
    return info;
}

} // namespace

ModelInfo inspect_file(const gguf::File& file) {
    return inspect(file, [](const gguf::Tensor& tensor) { return std::ssize(tensor.bytes); });
}

ModelInfo inspect_shapes(const gguf::File& file) {
    return inspect(file, [](const gguf::Tensor& tensor) {
        return tensor.format ? kernels::row_bytes(*tensor.format, tensor.in_dim()) * tensor.out_dim() : 0;
    });
}

} // namespace vitrine::engine
