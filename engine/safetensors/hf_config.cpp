// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/safetensors: config.json.
#include "engine/safetensors/hf_config.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/json_depth.h"
#include "engine/base/nearest_name.h"

namespace vitrine::engine::safetensors {
namespace {

using nlohmann::json;

struct ModelType {
    std::string_view type; // model_type
    std::string_view architecture;
    bool permute_heads = false;
};

constexpr std::array kModelTypes{ModelType{"llama", "llama", true}, ModelType{"mistral", "llama", true},
    ModelType{"mixtral", "llama", true}, ModelType{"qwen2_moe", "qwen2moe"}, ModelType{"qwen3_moe", "qwen3moe"},
    ModelType{"qwen2", "qwen2"}, ModelType{"qwen3", "qwen3"}, ModelType{"gemma", "gemma"},
    ModelType{"gemma2", "gemma2"}, ModelType{"gemma3_text", "gemma3"}, ModelType{"phi", "phi2"},
    ModelType{"phi3", "phi3"}, ModelType{"granite", "granite", true}, ModelType{"olmo2", "olmo2"},
    ModelType{"olmo3", "olmo2"}, ModelType{"smollm3", "smollm3", true}, ModelType{"glm4", "glm4"},
    ModelType{"exaone4", "exaone4"}, ModelType{"starcoder2", "starcoder2"}, ModelType{"bert", "bert"},
    ModelType{"gpt_oss", "gpt-oss"}};

using Names = std::pair<std::string_view, std::string_view>;
constexpr std::array kNames{Names{"embed_tokens", "token_embd"}, Names{"norm", "output_norm"},
    Names{"final_layernorm", "output_norm"}, Names{"lm_head", "output"}, Names{"self_attn.q_proj", "attn_q"},
    Names{"self_attn.k_proj", "attn_k"}, Names{"self_attn.v_proj", "attn_v"}, Names{"self_attn.o_proj", "attn_output"},
    Names{"self_attn.dense", "attn_output"}, Names{"mlp.router", "ffn_gate_inp"},
    Names{"self_attn.qkv_proj", "attn_qkv"}, Names{"self_attn.q_norm", "attn_q_norm"},
    Names{"self_attn.k_norm", "attn_k_norm"}, Names{"input_layernorm", "attn_norm"}, Names{"mlp.gate_proj", "ffn_gate"},
    Names{"mlp.up_proj", "ffn_up"}, Names{"mlp.down_proj", "ffn_down"}, Names{"mlp.gate", "ffn_gate_inp"},
    Names{"block_sparse_moe.gate", "ffn_gate_inp"}, Names{"mlp.shared_expert.gate_proj", "ffn_gate_shexp"},
    Names{"mlp.shared_expert.up_proj", "ffn_up_shexp"}, Names{"mlp.shared_expert.down_proj", "ffn_down_shexp"},
    Names{"mlp.shared_expert_gate", "ffn_gate_inp_shexp"}, Names{"mlp.gate_up_proj", "ffn_up"},
    Names{"mlp.c_fc", "ffn_up"}, Names{"mlp.c_proj", "ffn_down"}, Names{"mlp.fc1", "ffn_up"},
    Names{"mlp.fc2", "ffn_down"}, Names{"pre_feedforward_layernorm", "ffn_norm"},
    Names{"post_feedforward_layernorm", "post_ffw_norm"}, Names{"post_self_attn_layernorm", "post_attention_norm"},
    Names{"post_mlp_layernorm", "post_ffw_norm"}};

// BERT's names below "encoder.layer.N." and at the top.
constexpr std::array kEncoderNames{Names{"embeddings.word_embeddings", "token_embd"},
    Names{"embeddings.position_embeddings", "position_embd"}, Names{"embeddings.token_type_embeddings", "token_types"},
    Names{"embeddings.LayerNorm", "token_embd_norm"}, Names{"attention.self.query", "attn_q"},
    Names{"attention.self.key", "attn_k"}, Names{"attention.self.value", "attn_v"},
    Names{"attention.output.dense", "attn_output"}, Names{"attention.output.LayerNorm", "attn_output_norm"},
    Names{"intermediate.dense", "ffn_up"}, Names{"output.dense", "ffn_down"},
    Names{"output.LayerNorm", "layer_output_norm"}};

class ConfigReader {
public:
    ConfigReader(const std::string& path, const json& config) : path_(path), config_(config) {}

    Result<HfModel> read() {
        VT_TRY(find_architecture());
        VT_TRY(refuse_unsupported());
        set("general.architecture", model_.architecture);
        VT_TRY(copy_shape());
        VT_TRY(copy_experts());
        VT_TRY(copy_rope());
        copy_scales();
        copy_windows();
        return std::move(model_);
    }

private:
    [[nodiscard]] tl::unexpected<Error> unsupported(const std::string& what) const {
        return fail(ErrorCode::unsupported, fmt::format("{}: {}", path_, what), "Choose a GGUF file of the model.");
    }
    void set(const std::string& key, gguf::Value value) {
        // Counts are unsigned in GGUF: llama.cpp refuses a file, quantized from this folder, whose counts are i32.
        if (const auto* count = std::get_if<std::int64_t>(&value); count != nullptr && *count >= 0)
            value = static_cast<std::uint64_t>(*count);
        model_.metadata.emplace_back(key, std::move(value));
    }
    [[nodiscard]] std::string key(std::string_view name) const {
        return fmt::format("{}.{}", model_.architecture, name);
    }
    [[nodiscard]] const json* find(std::string_view name) const {
        const auto found = config_.find(name);
        return found == config_.end() || found->is_null() ? nullptr : &*found;
    }
    [[nodiscard]] double number(const json& from, std::string_view name, double fallback) const {
        const auto found = from.find(name);
        return found != from.end() && found->is_number() ? found->get<double>() : fallback;
    }
    [[nodiscard]] std::string word(const json& from, std::string_view name) const {
        const auto found = from.find(name);
        return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
    }
    [[nodiscard]] bool truth(std::string_view name, bool fallback) const {
        const json* found = find(name);
        return found && found->is_boolean() ? found->get<bool>() : fallback;
    }
    /// A whole number from 1 to 2^26, or the fallback when it is not there; -1: something else.
    [[nodiscard]] std::int64_t size(std::string_view name, std::int64_t fallback) const {
        const json* found = find(name);
        if (!found)
            return fallback;
        const bool whole = found->is_number_unsigned() && found->get<std::uint64_t>() <= (std::uint64_t{1} << 26);
        return whole ? found->get<std::int64_t>() : -1;
    }

    Result<void> find_architecture() {
        const std::string type = word(config_, "model_type");
        if (find("vision_config") || find("audio_config"))
            return fail(ErrorCode::unsupported,
                fmt::format("{}: \"{}\" is a model of pictures or sound beside text", path_, type.substr(0, 64)),
                "This build reads text-only directories; choose a GGUF file of the language model.");
        std::vector<std::string_view> known;
        for (const ModelType& entry : kModelTypes) {
            if (entry.type == type) {
                model_.architecture = entry.architecture;
                model_.permute_heads = entry.permute_heads;
                model_.norm_plus_one = type.starts_with("gemma");
                return {};
            }
            known.push_back(entry.type);
        }
        return fail(ErrorCode::unsupported,
            fmt::format(
                "{}: model type \"{}\" is not one this build reads from safetensors", path_, type.substr(0, 64)),
            "Choose a GGUF file of the model. " + known_names(type, known));
    }
    Result<void> refuse_unsupported() {
        if (const json* quantization = find("quantization_config"))
            VT_TRY(read_checkpoint(*quantization));
        std::string activation = word(config_, "hidden_act");
        if (activation.empty())
            activation = word(config_, "hidden_activation");
        if (const double limit = number(config_, "swiglu_limit", 7); limit != 7)
            return unsupported(fmt::format("swiglu_limit {}", limit));
        if (model_.architecture == "bert") {
            const std::string positions = word(config_, "position_embedding_type");
            if (!positions.empty() && positions != "absolute")
                return unsupported(fmt::format("position_embedding_type \"{}\"", positions.substr(0, 64)));
            return activation == "gelu" ? Result<void>{}
                                        : unsupported(fmt::format("activation \"{}\"", activation.substr(0, 64)));
        }
        const bool gelu = model_.norm_plus_one || model_.architecture == "phi2" || model_.architecture == "starcoder2";
        const bool known = gelu ? activation.starts_with("gelu") : activation == "silu";
        if (!activation.empty() && !known)
            return unsupported(fmt::format("activation \"{}\" in {}", activation.substr(0, 64), model_.architecture));
        // SmolLM3's program leaves every fourth layer without rotation.
        if (const json* rotated = find("no_rope_layers"); rotated && rotated->is_array())
            for (std::size_t i = 0; i < rotated->size(); ++i)
                if ((*rotated)[i] != ((i + 1) % 4 == 0 ? 0 : 1))
                    return unsupported(fmt::format("no_rope_layers differs from every fourth layer at {}", i));
        return {};
    }
    Result<void> read_checkpoint(const json& from) {
        const std::string method = word(from, "quant_method");
        const double bits = number(from, "bits", number(from, "w_bit", 4));
        CheckpointFormat& format = model_.checkpoint;
        if (method == "gptq" && (bits == 4 || bits == 8))
            format = {CheckpointMethod::gptq, static_cast<int>(bits), word(from, "checkpoint_format") == "gptq_v2"};
        else if (method == "awq" && bits == 4 && (word(from, "version").empty() || word(from, "version") == "gemm"))
            format = {CheckpointMethod::awq, 4, true};
        else if (method == "mxfp4" && model_.architecture == "gpt-oss")
            format = {CheckpointMethod::mxfp4, 4, true};
        else if (method == "fp8")
            format = {CheckpointMethod::fp8, 8, true};
        else if (method == "bitsandbytes")
            format = {CheckpointMethod::bitsandbytes, 0, true};
        else
            return unsupported(
                fmt::format("the weights are quantized with \"{}\" ({} bits), which this build does not read",
                    method.substr(0, 64), bits));
        return {};
    }
    Result<void> copy_experts() {
        const std::int64_t experts = size("num_local_experts", size("num_experts", 0));
        if (experts == 0)
            return {};
        const std::int64_t used = size("num_experts_per_tok", size("experts_per_token", -1));
        const std::int64_t width = size("moe_intermediate_size", size("intermediate_size", -1));
        const json* dense = find("mlp_only_layers");
        if (size("decoder_sparse_step", 1) != 1 || (dense && !dense->empty()))
            return unsupported("layers with and without experts in turns (decoder_sparse_step, mlp_only_layers)");
        if (experts < 0 || used <= 0 || width <= 0)
            return fail(ErrorCode::bad_file, fmt::format("{}: a number of the experts is missing or no size", path_),
                "Fetch the model again.");
        if (model_.architecture == "qwen3moe" && !truth("norm_topk_prob", false))
            return unsupported("norm_topk_prob false in qwen3_moe");
        set(key("expert_count"), experts);
        set(key("expert_used_count"), used);
        set(key("expert_feed_forward_length"), width);
        if (truth("norm_topk_prob", false))
            set(key("expert_weights_norm"), true);
        return {};
    }
    Result<void> copy_shape() {
        const std::int64_t heads = size("num_attention_heads", -1);
        const std::int64_t kv_heads = size("num_key_value_heads", heads);
        const std::int64_t dim = size("hidden_size", -1);
        if (heads <= 0 || kv_heads <= 0 || dim <= 0)
            return fail(ErrorCode::bad_file,
                fmt::format("{}: num_attention_heads, num_key_value_heads or hidden_size is missing or no size", path_),
                "Fetch the model again.");
        const std::int64_t head_dim = size("head_dim", dim / heads);
        model_.num_heads = static_cast<int>(heads);
        model_.num_kv_heads = static_cast<int>(kv_heads);
        model_.tied_head = truth("tie_word_embeddings", model_.norm_plus_one || model_.architecture == "starcoder2");
        const std::array<std::pair<const char*, std::int64_t>, 9> numbers{
            {{"block_count", size("num_hidden_layers", -1)}, {"context_length", size("max_position_embeddings", -1)},
                {"embedding_length", dim}, {"feed_forward_length", size("intermediate_size", 4 * dim)},
                {"attention.head_count", heads}, {"attention.head_count_kv", kv_heads},
                {"attention.key_length", head_dim}, {"attention.value_length", head_dim},
                {"vocab_size", size("vocab_size", -1)}}};
        for (const auto& [name, value] : numbers) {
            if (value <= 0)
                return fail(ErrorCode::bad_file,
                    fmt::format("{}: the number for {} is missing or no size", path_, name), "Fetch the model again.");
            set(key(name), value);
        }
        const bool layer_norm = find("rms_norm_eps") == nullptr;
        const double eps = layer_norm ? number(config_, "layer_norm_eps", number(config_, "norm_epsilon", 1e-5))
                                      : number(config_, "rms_norm_eps", 1e-5);
        set(key(layer_norm ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon"), eps);
        const double part =
            number(rope_section(), "partial_rotary_factor", number(config_, "partial_rotary_factor", 1));
        const double rotated = std::floor(static_cast<double>(head_dim) * part);
        if (!(rotated >= 2) || rotated > static_cast<double>(head_dim))
            return unsupported(fmt::format("partial_rotary_factor {}", part));
        if (model_.architecture == "bert")
            set(key("attention.causal"), false);
        rotary_dim_ = static_cast<std::int64_t>(rotated);
        set(key("rope.dimension_count"), rotary_dim_);
        return {};
    }
    /// Newer files: rope_parameters, perhaps by layer type; older ones: rope_scaling beside rope_theta.
    [[nodiscard]] json rope_section() const {
        const json* section = find("rope_parameters");
        if (!section)
            section = find("rope_scaling");
        if (!section || !section->is_object())
            return json::object();
        const auto full = section->find("full_attention");
        return full != section->end() && full->is_object() ? *full : *section;
    }
    Result<void> copy_rope() {
        const json rope = rope_section();
        base_ = number(rope, "rope_theta", number(config_, "rope_theta", 10000));
        set(key("rope.freq_base"), base_);
        if (model_.architecture == "gemma3") {
            const json* by_type = find("rope_parameters");
            const json local =
                by_type && by_type->is_object() ? by_type->value("sliding_attention", json::object()) : json::object();
            set(key("rope.freq_base_swa"), number(local, "rope_theta", number(config_, "rope_local_base_freq", 10000)));
        }
        std::string kind = word(rope, "rope_type");
        if (kind.empty())
            kind = word(rope, "type");
        if (kind.empty() || kind == "default")
            return {};
        const double factor = number(rope, "factor", 1);
        const double original =
            number(rope, "original_max_position_embeddings", number(config_, "original_max_position_embeddings", 0));
        if (!(factor > 0) || !(original >= 0) || original > 1e8)
            return unsupported(fmt::format("rope factor {} with an original context of {}", factor, original));
        if (kind == "llama3")
            return llama3_factors(rope, factor, original);
        if (kind == "longrope" || kind == "su")
            return long_factors(rope, factor, original);
        if (kind != "linear" && kind != "yarn")
            return unsupported(fmt::format("rope scaling \"{}\"", kind.substr(0, 64)));
        set(key("rope.scaling.type"), kind);
        set(key("rope.scaling.factor"), factor);
        if (original > 0)
            set(key("rope.scaling.original_context_length"), static_cast<std::int64_t>(original));
        if (kind == "yarn") {
            set(key("rope.scaling.yarn_beta_fast"), number(rope, "beta_fast", 32));
            set(key("rope.scaling.yarn_beta_slow"), number(rope, "beta_slow", 1));
            set(key("rope.scaling.yarn_truncate"), rope.value("truncate", json(true)) != json(false));
            if (rope.contains("attention_factor") && rope["attention_factor"].is_number()) // in place of YaRN's own
                set(key("rope.scaling.attn_factor"),
                    number(rope, "attention_factor", 1) / (factor > 1 ? 0.1 * std::log(factor) + 1 : 1));
        }
        return {};
    }
    /// Llama 3.1's rule, as factors for each pair (Meta 2024).
    Result<void> llama3_factors(const json& rope, double factor, double original) {
        const double low = number(rope, "low_freq_factor", 1);
        const double high = number(rope, "high_freq_factor", 4);
        if (!(original > 0) || !(low > 0) || !(high > low))
            return unsupported("rope scaling \"llama3\" without its numbers");
        for (std::int64_t i = 0; i < rotary_dim_ / 2; ++i) {
            const double frequency = std::pow(base_, -2.0 * static_cast<double>(i) / static_cast<double>(rotary_dim_));
            const double turns = original * frequency / (2 * std::numbers::pi);
            const double smooth = (turns - low) / (high - low);
            const double divisor = turns > high ? 1 : turns < low ? factor : 1 / ((1 - smooth) / factor + smooth);
            model_.rope_factors.push_back(static_cast<float>(divisor));
        }
        return {};
    }
    Result<void> long_factors(const json& rope, double /*factor*/, double original) {
        const auto list = [&](const char* name, std::vector<float>& into) {
            const auto found = rope.find(name);
            if (found == rope.end() || !found->is_array() || found->size() != static_cast<std::size_t>(rotary_dim_ / 2))
                return false;
            for (const json& value : *found) {
                if (!value.is_number())
                    return false;
                into.push_back(value.get<float>());
            }
            return true;
        };
        if (!list("long_factor", model_.long_factors) || !list("short_factor", model_.short_factors) || original < 1)
            return unsupported(
                fmt::format("rope scaling \"longrope\" without {} factors of each kind", rotary_dim_ / 2));
        set(key("rope.scaling.type"), std::string("longrope"));
        set(key("rope.scaling.original_context_length"), static_cast<std::int64_t>(original));
        if (rope.contains("attention_factor") && rope["attention_factor"].is_number())
            set(key("rope.scaling.attn_factor"), number(rope, "attention_factor", 1));
        return {};
    }
    void copy_scales() {
        const std::array<std::pair<const char*, const char*>, 6> scales{{{"embedding_multiplier", "embedding_scale"},
            {"residual_multiplier", "residual_scale"}, {"attention_multiplier", "attention.scale"},
            {"logits_scaling", "logit_scale"}, {"attn_logit_softcapping", "attn_logit_softcapping"},
            {"final_logit_softcapping", "final_logit_softcapping"}}};
        for (const auto& [theirs, ours] : scales)
            if (const json* value = find(theirs); value && value->is_number())
                set(key(ours), value->get<double>());
        if (const double scalar = number(config_, "query_pre_attn_scalar", 0); scalar > 0)
            set(key("attention.scale"), 1 / std::sqrt(scalar));
    }
    void copy_windows() {
        const std::int64_t window = size("sliding_window", 0);
        if (window <= 0 || !truth("use_sliding_window", true))
            return;
        set(key("attention.sliding_window"), window);
        if (const json* types = find("layer_types"); types && types->is_array()) {
            std::vector<bool> pattern;
            for (const json& type : *types)
                pattern.push_back(type.is_string() && type.get<std::string>() == "sliding_attention");
            set(key("attention.sliding_window_pattern"), pattern);
        }
    }

    const std::string& path_;
    const json& config_;
    HfModel model_;
    std::int64_t rotary_dim_ = 0;
    double base_ = 10000;
};

/// What the norm between attention and feed-forward is called in GGUF.
std::string_view post_attention_name(std::string_view architecture) {
    const bool before_addition = architecture == "gemma2" || architecture == "gemma3" || architecture == "olmo2" ||
        architecture == "exaone4" || architecture == "gpt-oss";
    return before_addition ? "post_attention_norm" : "ffn_norm";
}

} // namespace

Result<HfModel> read_config(const std::string& path, std::string_view text) {
    const json config = json_depth_is_bounded(text) ? json::parse(text, nullptr, false) : json();
    if (!config.is_object())
        return fail(ErrorCode::bad_file,
            fmt::format("{} is no JSON object of at most {} levels", path, kMaxFileJsonDepth),
            "Fetch the model again.");
    return ConfigReader(path, config).read();
}

HfModel naming_of(std::string_view architecture) {
    HfModel model;
    model.architecture = architecture;
    for (const ModelType& entry : kModelTypes)
        if (entry.architecture == architecture)
            model.permute_heads = entry.permute_heads;
    return model;
}

bool is_left_out(const HfModel& model, std::string_view name) {
    if (model.architecture != "bert")
        return false;
    if (name.starts_with("bert."))
        name.remove_prefix(5);
    return name == "embeddings.position_ids" || name.starts_with("pooler.") || name.starts_with("cls.");
}

std::optional<std::string> gguf_name(const HfModel& model, std::string_view name) {
    const bool encoder = model.architecture == "bert";
    const std::string_view layers = encoder ? "encoder.layer." : "layers.";
    if (const std::string_view whole = encoder ? "bert." : "model."; name.starts_with(whole))
        name.remove_prefix(whole.size()); // models saved without their head lack it
    std::string prefix;
    if (name.starts_with(layers)) {
        const std::size_t dot = name.find('.', layers.size());
        if (dot == std::string_view::npos)
            return std::nullopt;
        prefix = fmt::format("blk.{}.", name.substr(layers.size(), dot - layers.size()));
        name.remove_prefix(dot + 1);
    }
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const std::string_view stem = name.substr(0, dot);
    std::string_view suffix = name.substr(dot);
    if (encoder) // older files
        suffix = suffix == ".gamma" ? ".weight" : suffix == ".beta" ? ".bias" : suffix;
    if (name == "self_attn.sinks") // no ".weight" of its own
        return prefix + "attn_sinks.weight";
    if (stem == "post_attention_layernorm")
        return fmt::format("{}{}{}", prefix, post_attention_name(model.architecture), suffix);
    const auto search = [&](std::span<const Names> names) -> std::optional<std::string> {
        for (const auto& [theirs, ours] : names)
            if (theirs == stem)
                return fmt::format("{}{}{}", prefix, ours, suffix);
        return std::nullopt;
    };
    return encoder ? search(kEncoderNames) : search(kNames);
}

} // namespace vitrine::engine::safetensors
