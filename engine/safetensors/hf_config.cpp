// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/safetensors: config.json.
#include "engine/safetensors/hf_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/json_depth.h"
#include "engine/base/nearest_name.h"
#include "kernels/api/sentence.h"

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
    ModelType{"gpt_oss", "gpt-oss"}, ModelType{"deepseek_v2", "deepseek2"}, ModelType{"deepseek_v3", "deepseek2"}};

class ConfigReader {
public:
    ConfigReader(const std::string& path, const json& config) : path_(path), config_(config) {}

    Result<HfModel> read() {
        VT_TRY(find_architecture());
        VT_TRY(refuse_unsupported());
        set("general.architecture", model_.architecture);
        VT_TRY(copy_shape());
        VT_TRY(copy_latent());
        VT_TRY(copy_experts());
        VT_TRY(copy_rope());
        copy_scales();
        copy_windows();
        return std::move(model_);
    }

private:
    [[nodiscard]] tl::unexpected<Error> unsupported(const std::string& what) const {
        return fail(ErrorCode::unsupported, say(Sentence::config_unsupported, path_, what),
            say(Sentence::choose_gguf_of_model));
    }
    /// One of these keys is not there or holds no number from 1 to 2^26.
    [[nodiscard]] tl::unexpected<Error> no_size(const std::string& keys) const {
        return fail(ErrorCode::bad_file, say(Sentence::file_malformed, path_, say(Sentence::part_no_size, keys)),
            say(Sentence::fetch_model_again));
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
            return fail(ErrorCode::unsupported, say(Sentence::model_of_pictures, path_, type.substr(0, 64)),
                say(Sentence::choose_gguf_of_language_model));
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
        return fail(ErrorCode::unsupported, say(Sentence::model_type_unknown, path_, type.substr(0, 64)),
            say(Sentence::choose_gguf_known, known_names(type, known)));
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
                                        : unsupported(fmt::format("hidden_act \"{}\"", activation.substr(0, 64)));
        }
        const bool gelu = model_.norm_plus_one || model_.architecture == "phi2" || model_.architecture == "starcoder2";
        const bool known = gelu ? activation.starts_with("gelu") : activation == "silu";
        if (!activation.empty() && !known)
            return unsupported(fmt::format("hidden_act \"{}\", {}", activation.substr(0, 64), model_.architecture));
        // SmolLM3's program leaves every fourth layer without rotation.
        if (const json* rotated = find("no_rope_layers"); rotated && rotated->is_array())
            for (std::size_t i = 0; i < rotated->size(); ++i)
                if ((*rotated)[i] != ((i + 1) % 4 == 0 ? 0 : 1))
                    return unsupported(fmt::format("no_rope_layers[{}] {}", i, (*rotated)[i].dump().substr(0, 16)));
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
            return fail(ErrorCode::unsupported,
                say(Sentence::packing_unknown, path_, method.substr(0, 64), six_digits(bits)),
                say(Sentence::choose_gguf_of_model));
        return {};
    }
    Result<void> copy_experts() {
        const std::int64_t experts = size("num_local_experts", size("num_experts", size("n_routed_experts", 0)));
        if (experts == 0)
            return {};
        const std::int64_t used = size("num_experts_per_tok", size("experts_per_token", -1));
        const std::int64_t width = size("moe_intermediate_size", size("intermediate_size", -1));
        const json* dense = find("mlp_only_layers");
        if (size("decoder_sparse_step", 1) != 1 || (dense && !dense->empty()))
            return unsupported("decoder_sparse_step, mlp_only_layers");
        if (experts < 0 || used <= 0 || width <= 0)
            return no_size("num_experts, num_experts_per_tok, moe_intermediate_size");
        if (model_.architecture == "qwen3moe" && !truth("norm_topk_prob", false))
            return unsupported("norm_topk_prob false, qwen3_moe");
        set(key("expert_count"), experts);
        set(key("expert_used_count"), used);
        set(key("expert_feed_forward_length"), width);
        if (truth("norm_topk_prob", false))
            set(key("expert_weights_norm"), true);
        return is_latent() ? copy_routing() : Result<void>{};
    }
    [[nodiscard]] bool is_latent() const { return model_.architecture == "deepseek2"; }
    /// DeepSeek's heads share one cached row: GGUF counts one key head of latent and rotated part.
    Result<void> copy_latent() {
        if (!is_latent())
            return {};
        const std::int64_t rank = size("kv_lora_rank", -1), rotated = size("qk_rope_head_dim", -1);
        const std::int64_t plain = size("qk_nope_head_dim", -1), value = size("v_head_dim", -1);
        const std::int64_t query = size("q_lora_rank", 0);
        if (std::min({rank, rotated, plain, value}) <= 0 || query < 0)
            return no_size("kv_lora_rank, qk_rope_head_dim, qk_nope_head_dim, v_head_dim");
        if (!truth("rope_interleave", true))
            return unsupported("rope_interleave false");
        set(key("attention.kv_lora_rank"), rank);
        if (query > 0)
            set(key("attention.q_lora_rank"), query);
        set(key("attention.key_length_mla"), plain + rotated);
        set(key("attention.value_length_mla"), value);
        model_.latent = {plain, value, rank};
        return {};
    }
    /// How DeepSeek's router chooses.
    Result<void> copy_routing() {
        const bool third = word(config_, "model_type") == "deepseek_v3";
        if (size("moe_layer_freq", 1) != 1)
            return unsupported(fmt::format("moe_layer_freq {}", size("moe_layer_freq", 1)));
        const std::string scoring = word(config_, "scoring_func");
        if (!scoring.empty() && scoring != "sigmoid" && scoring != "softmax")
            return unsupported(fmt::format("scoring_func \"{}\"", scoring.substr(0, 64)));
        const bool sigmoid = scoring.empty() ? third : scoring == "sigmoid";
        if (third && !truth("norm_topk_prob", true))
            return unsupported("norm_topk_prob false, deepseek_v3");
        if (third && !truth("norm_topk_prob", false)) // its default
            set(key("expert_weights_norm"), true);
        set(key("expert_gating_func"), std::int64_t{sigmoid ? 2 : 1});
        set(key("expert_weights_scale"), number(config_, "routed_scaling_factor", 1));
        set(key("expert_shared_count"), std::max<std::int64_t>(0, size("n_shared_experts", 0)));
        set(key("leading_dense_block_count"), first_dense());
        if (word(config_, "topk_method") != "greedy") { // which looks at no groups
            set(key("expert_group_count"), std::max<std::int64_t>(1, size("n_group", 1)));
            set(key("expert_group_used_count"), std::max<std::int64_t>(1, size("topk_group", 1)));
        }
        return {};
    }
    /// first_k_dense_replace may be 0, which size() takes for none.
    [[nodiscard]] std::int64_t first_dense() const {
        return static_cast<std::int64_t>(std::clamp(number(config_, "first_k_dense_replace", 0), 0.0, 1e6));
    }
    Result<void> copy_shape() {
        const std::int64_t heads = size("num_attention_heads", -1);
        const std::int64_t kv_heads = size("num_key_value_heads", heads);
        const std::int64_t dim = size("hidden_size", -1);
        if (heads <= 0 || kv_heads <= 0 || dim <= 0)
            return no_size("num_attention_heads, num_key_value_heads, hidden_size");
        const std::int64_t latent = is_latent() ? size("kv_lora_rank", -1) : 0;
        const std::int64_t head_dim = latent > 0 ? size("qk_rope_head_dim", -1) : size("head_dim", dim / heads);
        model_.num_heads = static_cast<int>(heads);
        model_.num_kv_heads = static_cast<int>(kv_heads);
        model_.tied_head = truth("tie_word_embeddings", model_.norm_plus_one || model_.architecture == "starcoder2");
        const std::array<std::pair<const char*, std::int64_t>, 9> numbers{
            {{"block_count", size("num_hidden_layers", -1)}, {"context_length", size("max_position_embeddings", -1)},
                {"embedding_length", dim}, {"feed_forward_length", size("intermediate_size", 4 * dim)},
                {"attention.head_count", heads}, {"attention.head_count_kv", latent > 0 ? 1 : kv_heads},
                {"attention.key_length", latent + head_dim}, {"attention.value_length", latent > 0 ? latent : head_dim},
                {"vocab_size", size("vocab_size", -1)}}};
        for (const auto& [name, value] : numbers) {
            if (value <= 0)
                return no_size(name);
            set(key(name), value);
        }
        model_.num_layers = size("num_hidden_layers", -1);
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
            return unsupported(fmt::format("rope factor {}, original_max_position_embeddings {}", factor, original));
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
            if (is_latent())
                return latent_yarn(rope);
            if (rope.contains("attention_factor") && rope["attention_factor"].is_number()) // in place of YaRN's own
                set(key("rope.scaling.attn_factor"),
                    number(rope, "attention_factor", 1) / (factor > 1 ? 0.1 * std::log(factor) + 1 : 1));
        }
        return {};
    }
    /// DeepSeek stretches the scores by mscale_all_dim and, with an mscale equal to it, leaves the rotation's length alone.
    Result<void> latent_yarn(const json& rope) {
        const double mscale = number(rope, "mscale", 0), all = number(rope, "mscale_all_dim", 0);
        if (mscale != all || !(all > 0))
            return unsupported(fmt::format("rope scaling \"yarn\", mscale {}, mscale_all_dim {}", mscale, all));
        set(key("rope.scaling.yarn_log_multiplier"), 0.1 * all);
        return {};
    }
    /// Llama 3.1's rule, as factors for each pair (Meta 2024).
    Result<void> llama3_factors(const json& rope, double factor, double original) {
        const double low = number(rope, "low_freq_factor", 1);
        const double high = number(rope, "high_freq_factor", 4);
        if (!(original > 0) || !(low > 0) || !(high > low))
            return unsupported(
                fmt::format("rope scaling \"llama3\", low_freq_factor {}, high_freq_factor {}", low, high));
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
            return unsupported("rope scaling \"longrope\", long_factor, short_factor");
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

} // namespace

Result<HfModel> read_config(const std::string& path, std::string_view text) {
    const json config = json_depth_is_bounded(text) ? json::parse(text, nullptr, false) : json();
    if (!config.is_object())
        return fail(ErrorCode::bad_file, say(Sentence::no_json_object, path, kMaxFileJsonDepth),
            say(Sentence::fetch_model_again));
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

} // namespace vitrine::engine::safetensors
