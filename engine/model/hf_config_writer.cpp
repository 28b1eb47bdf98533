// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: config.json from metadata.
#include "engine/model/hf_config_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/nearest_name.h"
#include "engine/model/model_config.h"
#include "engine/model/rope_scaling.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using nlohmann::ordered_json;

struct Family {
    std::string_view architecture; // of GGUF
    std::string_view model_type, class_name; // of transformers
    int window_period = 0; // every window_period-th layer sees everything, where the file does not say
};

constexpr std::array kFamilies{Family{"llama", "llama", "LlamaForCausalLM"},
    Family{"qwen2", "qwen2", "Qwen2ForCausalLM"}, Family{"qwen3", "qwen3", "Qwen3ForCausalLM"},
    Family{"gemma", "gemma", "GemmaForCausalLM"}, Family{"gemma2", "gemma2", "Gemma2ForCausalLM", 2},
    Family{"gemma3", "gemma3_text", "Gemma3ForCausalLM", 6}, Family{"granite", "granite", "GraniteForCausalLM"},
    Family{"smollm3", "smollm3", "SmolLM3ForCausalLM"}};

/// The factor of a pair under Llama 3's rule with its usual borders, one and four turns (Meta 2024).
double llama3_factor(double turns, double factor) {
    const double smooth = (turns - 1) / 3;
    return turns > 4 ? 1 : turns < 1 ? factor : 1 / ((1 - smooth) / factor + smooth);
}

class ConfigWriter {
public:
    ConfigWriter(const gguf::File& file, const ModelConfig& config, const Family& family)
        : file_(file), config_(config), family_(family) {}

    Result<std::string> write() {
        json_["architectures"] = {family_.class_name};
        // A Llama with a window on every layer is what transformers calls Mistral.
        const bool mistral = family_.architecture == "llama" && config_.sliding_window > 0;
        if (mistral)
            json_["architectures"] = {"MistralForCausalLM"};
        json_["model_type"] = mistral ? std::string_view("mistral") : family_.model_type;
        add_shape();
        VT_TRY(add_rope());
        add_windows();
        add_scales();
        add_ids();
        return json_.dump(2) + "\n";
    }

private:
    [[nodiscard]] bool is_gemma() const { return family_.architecture.starts_with("gemma"); }
    void add_shape() {
        json_["vocab_size"] = config_.vocab_size;
        json_["hidden_size"] = config_.embedding_dim;
        json_["intermediate_size"] = config_.feed_forward_dim;
        json_["num_hidden_layers"] = config_.num_layers;
        json_["num_attention_heads"] = config_.num_heads;
        json_["num_key_value_heads"] = config_.num_kv_heads;
        json_["head_dim"] = config_.head_dim;
        json_["max_position_embeddings"] = config_.context_length;
        json_["rms_norm_eps"] = config_.norm_eps;
        json_["tie_word_embeddings"] = file_.find_tensor("output.weight") == nullptr;
        json_["torch_dtype"] = "float16";
        json_["attention_bias"] = file_.find_tensor("blk.0.attn_q.bias") != nullptr;
        json_["mlp_bias"] = file_.find_tensor("blk.0.ffn_gate.bias") != nullptr;
        json_[is_gemma() ? "hidden_activation" : "hidden_act"] = is_gemma() ? "gelu_pytorch_tanh" : "silu";
    }
    Result<void> add_rope() {
        const RopeConfig& rope = config_.rope;
        json_["rope_theta"] = rope.base;
        if (rope.rotary_dim != config_.head_dim)
            json_["partial_rotary_factor"] = static_cast<double>(rope.rotary_dim) / config_.head_dim;
        if (config_.architecture == "gemma3")
            json_["rope_local_base_freq"] = config_.local_rope_base;
        const auto factors = rope_factors(file_, config_, config_.context_length);
        VT_TRY(factors);
        if (!factors->empty())
            return add_llama3(*factors);
        if (rope.scaling == RopeScaling::none)
            return {};
        if (rope.scaling == RopeScaling::longrope)
            return fail(ErrorCode::unsupported, say(Sentence::config_lacks_place, file_.path(), "LongRoPE"),
                say(Sentence::gguf_or_own_folder));
        ordered_json scaling{
            {"rope_type", rope.scaling == RopeScaling::linear ? "linear" : "yarn"}, {"factor", rope.factor}};
        if (rope.original_context > 0)
            scaling["original_max_position_embeddings"] = rope.original_context;
        if (rope.scaling == RopeScaling::yarn) {
            scaling["beta_fast"] = rope.beta_fast;
            scaling["beta_slow"] = rope.beta_slow;
            if (rope.attention_factor > 0) // GGUF multiplies YaRN's own
                scaling["attention_factor"] = rope.attention_factor * (0.1 * std::log(rope.factor) + 1);
        }
        json_["rope_scaling"] = scaling;
        return {};
    }
    /// Finds the trained context that gives the file's factors; they are all that GGUF keeps.
    Result<void> add_llama3(const std::vector<float>& factors) {
        const double factor = static_cast<double>(*std::max_element(factors.begin(), factors.end()));
        for (int original = 32; original <= 1 << 20; original *= 2) {
            bool same = true;
            for (std::size_t i = 0; i < factors.size() && same; ++i) {
                const double turns = original *
                    std::pow(config_.rope.base, -2.0 * static_cast<double>(i) / config_.rope.rotary_dim) /
                    (2 * std::numbers::pi);
                same = std::abs(llama3_factor(turns, factor) / static_cast<double>(factors[i]) - 1) < 1e-4;
            }
            if (!same)
                continue;
            json_["rope_scaling"] = {{"rope_type", "llama3"}, {"factor", factor}, {"low_freq_factor", 1.0},
                {"high_freq_factor", 4.0}, {"original_max_position_embeddings", original}};
            return {};
        }
        return fail(
            ErrorCode::unsupported, say(Sentence::factors_not_llama3, file_.path()), say(Sentence::gguf_or_own_folder));
    }
    void add_windows() {
        if (config_.sliding_window <= 0)
            return;
        json_["sliding_window"] = config_.sliding_window;
        if (family_.architecture == "llama")
            return;
        ordered_json types = ordered_json::array();
        for (int layer = 0; layer < config_.num_layers; ++layer)
            types.push_back(config_.is_windowed(layer, family_.window_period) ? "sliding_attention" : "full_attention");
        json_["layer_types"] = types;
    }
    void add_scales() {
        if (family_.architecture == "granite") {
            json_["embedding_multiplier"] = config_.embedding_scale;
            json_["residual_multiplier"] = config_.residual_scale;
            json_["logits_scaling"] = config_.logit_scale;
            json_["attention_multiplier"] = config_.attention_scale > 0
                ? config_.attention_scale
                : 1 / std::sqrt(static_cast<float>(config_.head_dim));
        }
        if (is_gemma() && config_.architecture != "gemma") {
            if (config_.attention_scale > 0)
                json_["query_pre_attn_scalar"] = 1 / (config_.attention_scale * config_.attention_scale);
            else // the 27B models' scalar is not the head dimension
                json_["query_pre_attn_scalar"] = config_.num_layers == (config_.architecture == "gemma2" ? 46 : 62)
                    ? config_.embedding_dim / config_.num_heads
                    : config_.head_dim;
        }
        if (config_.attention_softcap > 0)
            json_["attn_logit_softcapping"] = config_.attention_softcap;
        if (config_.final_softcap > 0)
            json_["final_logit_softcapping"] = config_.final_softcap;
        if (config_.architecture == "smollm3") {
            ordered_json rotated = ordered_json::array();
            for (int layer = 0; layer < config_.num_layers; ++layer)
                rotated.push_back((layer + 1) % 4 == 0 ? 0 : 1);
            json_["no_rope_layers"] = rotated;
        }
    }
    void add_ids() {
        for (const char* name : {"bos_token_id", "eos_token_id"})
            if (const auto id = file_.integer(fmt::format("tokenizer.ggml.{}", name)); id && *id >= 0)
                json_[name] = *id;
    }

    const gguf::File& file_;
    const ModelConfig& config_;
    const Family& family_;
    ordered_json json_;
};

} // namespace

Result<std::string> write_hf_config(const gguf::File& file) {
    const auto config = read_model_config(file);
    VT_TRY(config);
    std::vector<std::string_view> known;
    for (const Family& family : kFamilies) {
        if (family.architecture == config->architecture && config->experts.num_experts == 0)
            return ConfigWriter(file, *config, family).write();
        known.push_back(family.architecture);
    }
    if (config->experts.num_experts > 0)
        return fail(ErrorCode::unsupported, say(Sentence::experts_not_written, file.path(), config->architecture),
            say(Sentence::gguf_or_own_folder));
    return fail(ErrorCode::unsupported, say(Sentence::architecture_not_written, file.path(), config->architecture),
        say(Sentence::gguf_or_own_folder_known, known_names(config->architecture, known)));
}

} // namespace vitrine::engine
