// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: synthetic models.
#include "engine/model/synthetic_model.h"

#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "engine/base/check.h"
#include "engine/gguf/writer.h"
#include "engine/quant/row_quantizer.h"

namespace vitrine::engine {
namespace {

using kernels::WeightFormat;

constexpr int kPoolRows = 64;
constexpr std::size_t kWriteBytes = std::size_t{8} << 20;

struct PlannedTensor {
    std::string name;
    std::int64_t in_dim = 0;
    std::int64_t out_dim = 0; // of one expert
    WeightFormat format = WeightFormat::f32;
    std::int64_t num_experts = 1;
    bool ones = false; // a norm or a bias; else random rows

    [[nodiscard]] std::vector<std::int64_t> dims() const {
        std::vector<std::int64_t> dims{in_dim};
        if (out_dim > 1)
            dims.push_back(out_dim);
        if (num_experts > 1)
            dims.push_back(num_experts);
        return dims;
    }
    [[nodiscard]] std::int64_t num_rows() const { return out_dim * num_experts; }
};

/// splitmix64 (Steele, Lea, Flood 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    float uniform() { return static_cast<float>(next() >> 40) * 0x1p-23F - 1; } // -1 .. 1

private:
    std::uint64_t state_;
};

/// Adds the tensors of one layer by what its architecture has.
class LayerPlan {
public:
    LayerPlan(const ShapePreset& preset, const QuantMix& mix, int layer, std::vector<PlannedTensor>& tensors)
        : p_(preset), mix_(mix), layer_(layer), tensors_(tensors) {}

    void add() {
        const std::int64_t query = std::int64_t{p_.num_heads} * p_.head_dim;
        const std::int64_t kv = std::int64_t{p_.num_kv_heads} * p_.head_dim;
        const bool gpt_oss = p_.architecture == "gpt-oss", gemma3 = p_.architecture == "gemma3";
        vector("attn_norm.weight", p_.embedding_dim);
        matrix("attn_q", p_.embedding_dim, query);
        matrix("attn_k", p_.embedding_dim, kv);
        matrix("attn_v", p_.embedding_dim, kv);
        matrix("attn_output", query, p_.embedding_dim);
        if (p_.architecture == "qwen2" || gpt_oss) {
            vector("attn_q.bias", query);
            vector("attn_k.bias", kv);
            vector("attn_v.bias", kv);
        }
        if (gpt_oss) {
            vector("attn_output.bias", p_.embedding_dim);
            vector("attn_sinks.weight", p_.num_heads);
        }
        if (p_.architecture.starts_with("qwen3") || gemma3) {
            vector("attn_q_norm.weight", p_.head_dim);
            vector("attn_k_norm.weight", p_.head_dim);
        }
        if (gemma3)
            vector("post_ffw_norm.weight", p_.embedding_dim);
        if (gemma3 || gpt_oss)
            vector("post_attention_norm.weight", p_.embedding_dim);
        if (!gpt_oss)
            vector("ffn_norm.weight", p_.embedding_dim);
        p_.num_experts > 0 ? add_experts(gpt_oss) : add_feed_forward();
    }

private:
    void add_feed_forward() {
        matrix("ffn_gate", p_.embedding_dim, p_.feed_forward_dim);
        matrix("ffn_up", p_.embedding_dim, p_.feed_forward_dim);
        matrix("ffn_down", p_.feed_forward_dim, p_.embedding_dim);
    }
    void add_experts(bool biases) {
        tensors_.push_back({name("ffn_gate_inp.weight"), p_.embedding_dim, p_.num_experts, WeightFormat::f32});
        matrix("ffn_gate_exps", p_.embedding_dim, p_.feed_forward_dim, p_.num_experts);
        matrix("ffn_up_exps", p_.embedding_dim, p_.feed_forward_dim, p_.num_experts);
        matrix("ffn_down_exps", p_.feed_forward_dim, p_.embedding_dim, p_.num_experts);
        if (!biases)
            return;
        vector("ffn_gate_inp.bias", p_.num_experts);
        vector("ffn_gate_exps.bias", p_.feed_forward_dim, p_.num_experts);
        vector("ffn_up_exps.bias", p_.feed_forward_dim, p_.num_experts);
        vector("ffn_down_exps.bias", p_.embedding_dim, p_.num_experts);
    }
    [[nodiscard]] std::string name(std::string_view tail) const { return fmt::format("blk.{}.{}", layer_, tail); }
    void matrix(std::string_view tail, std::int64_t in_dim, std::int64_t out_dim, std::int64_t experts = 1) {
        const std::string full = name(fmt::format("{}.weight", tail));
        tensors_.push_back({full, in_dim, out_dim, mixed_format(mix_, full, layer_, p_.num_layers, in_dim), experts});
    }
    void vector(std::string_view tail, std::int64_t dim, std::int64_t experts = 1) {
        tensors_.push_back({name(tail), dim, 1, WeightFormat::f32, experts, true});
    }

    const ShapePreset& p_;
    const QuantMix& mix_;
    const int layer_;
    std::vector<PlannedTensor>& tensors_;
};

std::vector<PlannedTensor> plan_tensors(const ShapePreset& p, const QuantMix& mix) {
    std::vector<PlannedTensor> tensors;
    const auto vocabulary = [&](const char* name) {
        tensors.push_back(
            {name, p.embedding_dim, p.vocab_size, mixed_format(mix, name, -1, p.num_layers, p.embedding_dim)});
    };
    vocabulary("token_embd.weight");
    for (int layer = 0; layer < p.num_layers; ++layer)
        LayerPlan(p, mix, layer, tensors).add();
    tensors.push_back({"output_norm.weight", p.embedding_dim, 1, WeightFormat::f32, 1, true});
    if (!p.tied_head)
        vocabulary("output.weight");
    return tensors;
}

std::vector<std::pair<std::string, gguf::Value>> metadata_of(const ShapePreset& p, const QuantMix& mix) {
    std::vector<std::pair<std::string, gguf::Value>> metadata;
    const std::string architecture(p.architecture);
    const auto set = [&](std::string key, gguf::Value value) {
        metadata.emplace_back(std::move(key), std::move(value));
    };
    const auto set_number = [&](const char* key, std::int64_t value) {
        set(architecture + "." + key, static_cast<std::uint64_t>(value));
    };
    set("general.architecture", architecture);
    set("general.name", fmt::format("synthetic {} {}", p.name, mix.name));
    set("general.file_type", static_cast<std::uint64_t>(mix.file_type));
    set("tokenizer.ggml.model", std::string("no_vocab")); // as llama.cpp names it
    set_number("block_count", p.num_layers);
    set_number("context_length", p.context_length);
    set_number("embedding_length", p.embedding_dim);
    set_number("feed_forward_length", p.feed_forward_dim);
    set_number("attention.head_count", p.num_heads);
    set_number("attention.head_count_kv", p.num_kv_heads);
    set_number("attention.key_length", p.head_dim);
    set_number("attention.value_length", p.head_dim);
    set_number("vocab_size", p.vocab_size);
    set(architecture + ".attention.layer_norm_rms_epsilon", 1e-5);
    set(architecture + ".rope.freq_base", p.rope_base);
    if (architecture == "gemma3" || architecture == "gpt-oss")
        set_number("attention.sliding_window", architecture == "gemma3" ? 512 : 128);
    if (p.num_experts == 0)
        return metadata;
    set_number("expert_count", p.num_experts);
    set_number("expert_used_count", p.num_experts_used);
    set_number("expert_feed_forward_length", p.feed_forward_dim);
    return metadata;
}

/// Quantized random rows of one width and format.
Result<std::vector<std::byte>> make_pool(Random& random, std::int64_t in_dim, WeightFormat format) {
    const auto row_bytes = static_cast<std::size_t>(kernels::row_bytes(format, in_dim));
    std::vector<std::byte> pool(row_bytes * kPoolRows);
    std::vector<float> row(static_cast<std::size_t>(in_dim));
    const float scale = std::sqrt(3.0F / static_cast<float>(in_dim)); // a uniform number in -1..1 has variance 1/3
    for (std::size_t i = 0; i < kPoolRows; ++i) {
        for (float& weight : row)
            weight = scale * random.uniform();
        VT_TRY(quantize_row(format, row, pool.data() + i * row_bytes));
    }
    return pool;
}

Result<void> write_matrix(
    gguf::Writer& writer, const PlannedTensor& tensor, const std::vector<std::byte>& pool, Random& random) {
    const std::size_t row_bytes = pool.size() / kPoolRows;
    std::vector<std::byte> buffer;
    buffer.reserve(kWriteBytes + row_bytes);
    for (std::int64_t row = 0; row < tensor.num_rows(); ++row) {
        const std::byte* source = pool.data() + (random.next() % kPoolRows) * row_bytes;
        buffer.insert(buffer.end(), source, source + row_bytes);
        if (buffer.size() < kWriteBytes && row + 1 < tensor.num_rows())
            continue;
        VT_TRY(writer.write(buffer));
        buffer.clear();
    }
    return {};
}

} // namespace

Result<void> write_synthetic_model(
    const ShapePreset& preset, const QuantMix& mix, std::uint64_t seed, const std::string& path) {
    gguf::Writer writer(path);
    for (auto& [key, value] : metadata_of(preset, mix))
        writer.set(std::move(key), std::move(value));
    const std::vector<PlannedTensor> tensors = plan_tensors(preset, mix);
    for (const PlannedTensor& tensor : tensors)
        VT_TRY(writer.declare(tensor.name, tensor.dims(), tensor.format));
    VT_TRY(writer.begin());
    Random random(seed);
    std::map<std::pair<std::int64_t, WeightFormat>, std::vector<std::byte>> pools;
    for (const PlannedTensor& tensor : tensors) {
        if (tensor.ones) {
            const std::vector<float> ones(static_cast<std::size_t>(tensor.in_dim * tensor.num_rows()), 1.0F);
            VT_TRY(writer.write(std::as_bytes(std::span(ones))));
            continue;
        }
        std::vector<std::byte>& pool = pools[{tensor.in_dim, tensor.format}];
        if (pool.empty()) {
            auto made = make_pool(random, tensor.in_dim, tensor.format);
            if (!made)
                return tl::unexpected(made.error());
            pool = *std::move(made);
        }
        VT_TRY(write_matrix(writer, tensor, pool, random));
    }
    return writer.finish();
}

std::shared_ptr<const gguf::File> shapes_of_preset(const ShapePreset& preset, const QuantMix& mix) {
    gguf::Assembly assembly;
    assembly.path = std::string(preset.name);
    assembly.metadata = metadata_of(preset, mix);
    for (const PlannedTensor& planned : plan_tensors(preset, mix)) {
        gguf::Tensor tensor;
        tensor.name = planned.name;
        tensor.dims = planned.dims();
        tensor.type = static_cast<std::uint32_t>(kernels::format_info(planned.format).ggml_type);
        tensor.format = planned.format;
        assembly.tensors.push_back(std::move(tensor));
    }
    auto file = gguf::File::assemble(std::move(assembly));
    VT_CHECK(file); // names come from here
    return *std::move(file);
}

} // namespace vitrine::engine
