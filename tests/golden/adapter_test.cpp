// SPDX-License-Identifier: GPL-3.0-or-later
// LoRA adapters on a tiny model.  Expected: the same model with the product of the factors added to its matrices, which is
// what an adapter is by definition; the file is written here.
#include <cmath>
#include <cstring>
#include <random>

#include "app/cli/open_model.h"
#include "app/cli/run_requests.h"
#include "engine/gguf/writer.h"
#include "engine/lab/direct_model.h"
#include "engine/model/adapter_file.h"
#include "kernels/ref/half.h"
#include "tests/golden/golden_data.h"

namespace vitrine::testing {
namespace {

namespace fs = std::filesystem;
using engine::TokenId;
using kernels::WeightFormat;

constexpr std::int64_t kRank = 4;
constexpr float kAlpha = 6;

/// Factors of one tensor in the rows of the GGUF file.
struct Factors {
    std::string gguf, module;
    int heads = 0; // rows are paired; 0: not
    std::int64_t in_dim = 0, out_dim = 0;
    std::vector<float> down, up;
};

std::vector<float> random_values(std::int64_t count, std::mt19937& random) {
    std::normal_distribution<float> normal(0, 0.2F);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = normal(random);
    return values;
}

std::span<const std::byte> bytes_of(const std::vector<float>& values) {
    return std::as_bytes(std::span(values));
}

/// Row of a Hugging Face checkpoint that GGUF's row `row` was: halves of a head against pairs.
std::int64_t unpaired_row(std::int64_t row, std::int64_t head_dim) {
    const std::int64_t in_head = row % head_dim;
    return row - in_head + in_head / 2 + in_head % 2 * (head_dim / 2);
}

class AdapterTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("vitrine_adapter_" + std::to_string(::getpid()));
        fs::create_directories(folder_ / "peft");
        base_ = std::string(VITRINE_TESTS_DIR) + "/golden/tiny/llama.gguf";
        make_factors();
    }
    void TearDown() override { fs::remove_all(folder_); }

    void make_factors() {
        std::mt19937 random(5);
        auto file = engine::gguf::File::open(base_);
        ASSERT_TRUE(file);
        const std::vector<std::tuple<std::string, std::string, int>> targets{{"attn_q", "self_attn.q_proj", 4},
            {"attn_k", "self_attn.k_proj", 2}, {"attn_v", "self_attn.v_proj", 0},
            {"attn_output", "self_attn.o_proj", 0}, {"ffn_gate", "mlp.gate_proj", 0}, {"ffn_up", "mlp.up_proj", 0},
            {"ffn_down", "mlp.down_proj", 0}};
        for (int layer = 0; layer < 4; ++layer) {
            for (const auto& [name, module, heads] : targets) {
                if (layer == 2 && name == "ffn_gate")
                    continue; // a pair of which one matrix alone is changed
                Factors factors;
                factors.gguf = "blk." + std::to_string(layer) + "." + name + ".weight";
                factors.module = "model.layers." + std::to_string(layer) + "." + module;
                factors.heads = heads;
                const auto* tensor = (*file)->find_tensor(factors.gguf);
                ASSERT_NE(tensor, nullptr) << factors.gguf;
                factors.in_dim = tensor->in_dim();
                factors.out_dim = tensor->out_dim();
                factors.down = random_values(kRank * factors.in_dim, random);
                factors.up = random_values(kRank * factors.out_dim, random);
                factors_.push_back(std::move(factors));
            }
        }
    }
    /// As llama.cpp's converter writes it.
    [[nodiscard]] std::string write_gguf(const std::string& name, const std::string& architecture = "llama") const {
        const std::string path = (folder_ / name).string();
        engine::gguf::Writer writer(path);
        writer.set("general.type", std::string("adapter"));
        writer.set("general.architecture", architecture);
        writer.set("adapter.type", std::string("lora"));
        writer.set("adapter.lora.alpha", double{kAlpha});
        for (const Factors& f : factors_) {
            EXPECT_TRUE(writer.declare(f.gguf + ".lora_a", {f.in_dim, kRank}, WeightFormat::f32));
            EXPECT_TRUE(writer.declare(f.gguf + ".lora_b", {kRank, f.out_dim}, WeightFormat::f32));
        }
        EXPECT_TRUE(writer.begin());
        for (const Factors& f : factors_) {
            EXPECT_TRUE(writer.write(bytes_of(f.down)));
            EXPECT_TRUE(writer.write(bytes_of(f.up)));
        }
        EXPECT_TRUE(writer.finish());
        return path;
    }
    /// As PEFT writes it.
    [[nodiscard]] std::string write_peft() const {
        nlohmann::ordered_json header;
        std::string data;
        const auto add = [&](const std::string& name, std::int64_t rows, std::int64_t columns, const float* values) {
            const std::size_t begin = data.size();
            data.append(
                reinterpret_cast<const char*>(values), static_cast<std::size_t>(rows * columns) * sizeof(float));
            header["base_model.model." + name] = {
                {"dtype", "F32"}, {"shape", {rows, columns}}, {"data_offsets", {begin, data.size()}}};
        };
        for (const Factors& f : factors_) {
            std::vector<float> up(f.up.size());
            for (std::int64_t row = 0; row < f.out_dim; ++row) {
                const std::int64_t theirs = f.heads == 0 ? row : unpaired_row(row, f.out_dim / f.heads);
                std::copy_n(f.up.begin() + row * kRank, kRank, up.begin() + theirs * kRank);
            }
            add(f.module + ".lora_A.weight", kRank, f.in_dim, f.down.data());
            add(f.module + ".lora_B.weight", f.out_dim, kRank, up.data());
        }
        const std::string text = header.dump();
        const auto length = static_cast<std::uint64_t>(text.size());
        std::ofstream file(folder_ / "peft" / "adapter_model.safetensors", std::ios::binary);
        file.write(reinterpret_cast<const char*>(&length), sizeof length);
        file << text << data;
        std::ofstream(folder_ / "peft" / "adapter_config.json")
            << R"({"peft_type": "LORA", "r": 4, "lora_alpha": 6, "bias": "none", "target_modules": ["q_proj"]})";
        return (folder_ / "peft").string();
    }
    /// The model with weight * alpha / rank * up * down added.
    [[nodiscard]] std::string write_merged(float weight) const {
        const std::string path = (folder_ / "merged.gguf").string();
        auto source = engine::gguf::File::open(base_);
        engine::gguf::Writer writer(path);
        writer.copy_metadata(**source);
        for (const auto& tensor : (*source)->tensors())
            EXPECT_TRUE(writer.declare(tensor.name, tensor.dims, WeightFormat::f32));
        EXPECT_TRUE(writer.begin());
        for (const auto& tensor : (*source)->tensors())
            EXPECT_TRUE(writer.write(bytes_of(merged(tensor, weight))));
        EXPECT_TRUE(writer.finish());
        return path;
    }
    [[nodiscard]] std::vector<float> merged(const engine::gguf::Tensor& tensor, float weight) const {
        std::vector<float> values(static_cast<std::size_t>(tensor.in_dim() * tensor.out_dim()));
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (*tensor.format == WeightFormat::f32) {
                std::memcpy(&values[i], tensor.bytes.data() + 4 * i, 4);
                continue;
            }
            std::uint16_t half = 0;
            std::memcpy(&half, tensor.bytes.data() + 2 * i, 2);
            values[i] = kernels::f16_to_f32(half);
        }
        const auto found =
            std::find_if(factors_.begin(), factors_.end(), [&](const Factors& f) { return f.gguf == tensor.name; });
        if (found == factors_.end())
            return values;
        for (std::int64_t o = 0; o < found->out_dim; ++o)
            for (std::int64_t i = 0; i < found->in_dim; ++i)
                for (std::int64_t r = 0; r < kRank; ++r)
                    values[static_cast<std::size_t>(o * found->in_dim + i)] += weight * kAlpha / kRank *
                        found->up[static_cast<std::size_t>(o * kRank + r)] *
                        found->down[static_cast<std::size_t>(r * found->in_dim + i)];
        return values;
    }
    [[nodiscard]] static app::ModelOptions options(
        const std::string& model, const std::string& device, std::vector<engine::AdapterFile> adapters = {}) {
        app::ModelOptions options;
        options.model = model;
        options.config.device = device;
        options.config.adapters = std::move(adapters);
        return options;
    }
    [[nodiscard]] static std::vector<float> logits(const app::ModelOptions& options) {
        auto model = app::open_direct(options, 32, 1);
        EXPECT_TRUE(model) << model.error().message;
        std::vector<float> all;
        const std::vector<TokenId> ids{3, 17, 42, 5, 88, 61, 2, 95, 30};
        const auto fed = model->feed(
            0, 0, ids, [&](int, std::span<const float> row) { all.insert(all.end(), row.begin(), row.end()); });
        EXPECT_TRUE(fed);
        return all;
    }
    static double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
        EXPECT_EQ(a.size(), b.size());
        double largest = 0;
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
        return largest;
    }

    fs::path folder_;
    std::string base_;
    std::vector<Factors> factors_;
};

TEST_F(AdapterTest, BothFormatsEqualTheMergedModel) {
    const std::string gguf = write_gguf("ours.gguf");
    const std::string peft = write_peft();
    for (const auto& [device, bound] : {std::pair("ref", 5e-5), std::pair("cpu", 0.03)}) {
        const auto expected = logits(options(write_merged(0.75F), device));
        const auto plain = logits(options(base_, device));
        EXPECT_LE(largest_difference(logits(options(base_, device, {{gguf, 0.75F}})), expected), bound) << device;
        EXPECT_LE(largest_difference(logits(options(base_, device, {{peft, 0.75F}})), expected), bound) << device;
        EXPECT_EQ(logits(options(base_, device, {{gguf, 0}})), logits(options(base_, device, {{peft, 0}}))) << device;
        EXPECT_LE(largest_difference(logits(options(base_, device, {{gguf, 0}})), plain), bound) << device;
        EXPECT_GT(largest_difference(plain, expected), 10 * bound) << device << ": the adapter changes nothing";
    }
}

TEST_F(AdapterTest, RequestsOfOneBatchUseTheirOwnAndShareNoBlocks) {
    auto opened = app::open_engine(options(base_, "cpu", {{write_gguf("one.gguf"), 1}, {write_peft(), 0}}));
    ASSERT_TRUE(opened) << opened.error().message;
    std::vector<TokenId> prompt;
    for (int i = 0; i < 40; ++i)
        prompt.push_back((7 * i + 3) % 96);
    const auto ask = [&](std::vector<std::optional<std::vector<engine::AdapterUse>>> uses) {
        std::vector<engine::Request> requests;
        for (auto& use : uses) {
            engine::Request request;
            request.prompt = engine::TokenPrompt{prompt};
            request.sampling.temperature = 0;
            request.stop.max_tokens = 6;
            request.stop.ignore_eos = true;
            request.num_logprobs = 3;
            request.adapters = std::move(use);
            requests.push_back(std::move(request));
        }
        auto results = app::run_requests(**opened, std::move(requests));
        EXPECT_TRUE(results);
        return *std::move(results);
    };
    using Uses = std::vector<engine::AdapterUse>;
    const auto together = ask({std::nullopt, Uses{}, Uses{{1, 1}}, Uses{{0, 0.5F}, {1, 0.25F}}});
    const auto first_logprob = [](const app::RequestResult& result) {
        return result.choices.front().logprobs.front().logprob;
    };
    // The second adapter is the first in another format: one whole is one whole.
    EXPECT_NEAR(first_logprob(together[0]), first_logprob(together[2]), 1e-3);
    EXPECT_GT(std::abs(first_logprob(together[0]) - first_logprob(together[1])), 1e-3);
    EXPECT_GT(std::abs(first_logprob(together[0]) - first_logprob(together[3])), 1e-3);
    for (const app::RequestResult& result : together)
        EXPECT_EQ(result.choices.front().finished.usage.cached_tokens, 0);
    const auto again = ask({Uses{}, Uses{{0, 1}}, Uses{{0, 0.5F}}});
    EXPECT_EQ(again[0].choices.front().finished.usage.cached_tokens, 32);
    EXPECT_EQ(again[1].choices.front().finished.usage.cached_tokens, 32) << "what requests use by default";
    EXPECT_EQ(again[2].choices.front().finished.usage.cached_tokens, 0) << "no request had this mixture";
    EXPECT_EQ(again[0].choices.front().ids, together[1].choices.front().ids);
    EXPECT_EQ(again[1].choices.front().ids, together[0].choices.front().ids);
    for (const Uses& wrong : {Uses{{2, 1}}, Uses{{-1, 1}}, Uses{{0, 1}, {0, 1}}, Uses{{0, NAN}}}) {
        const auto refused = ask({wrong});
        ASSERT_TRUE(refused.front().rejected);
        EXPECT_EQ(refused.front().rejected->code, ErrorCode::invalid_argument);
    }
}

TEST_F(AdapterTest, WhatDoesNotFitIsRefusedByName) {
    const auto message = [&](const std::string& adapter) {
        const auto model = app::open_direct(options(base_, "ref", {{adapter, 1}}), 32, 1);
        return model ? std::string("loaded") : model.error().message;
    };
    EXPECT_NE(message(write_gguf("other.gguf", "qwen2")).find("qwen2"), std::string::npos);
    EXPECT_NE(message(base_).find("needed adapter and lora"), std::string::npos);
    const std::vector<Factors> kept = factors_;
    factors_.front().gguf = "blk.9.attn_q.weight";
    EXPECT_NE(message(write_gguf("missing.gguf")).find("blk.9.attn_q.weight"), std::string::npos);
    factors_ = kept;
    factors_.front().in_dim /= 2;
    factors_.front().down.resize(factors_.front().down.size() / 2);
    EXPECT_NE(message(write_gguf("narrow.gguf")).find("blk.0.attn_q.weight"), std::string::npos);
    factors_ = kept;
    factors_.front().gguf = "token_embd.weight";
    EXPECT_NE(message(write_gguf("embedding.gguf")).find("token_embd.weight"), std::string::npos);
    factors_ = kept;
    factors_.front().module = "model.layers.0.input_layernorm";
    EXPECT_NE(message(write_peft()).find("attn_norm"), std::string::npos);
    factors_ = kept;
    const std::string peft = write_peft();
    std::ofstream(folder_ / "peft" / "adapter_config.json") << R"({"peft_type": "LORA", "r": 4, "use_dora": true})";
    EXPECT_NE(message(peft).find("use_dora"), std::string::npos);
    std::ofstream(folder_ / "peft" / "adapter_config.json") << "[1, 2";
    EXPECT_NE(message(peft).find("no JSON object"), std::string::npos);
}

} // namespace
} // namespace vitrine::testing
