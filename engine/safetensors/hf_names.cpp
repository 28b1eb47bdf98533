// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/safetensors: names of tensors in both worlds.
#include <array>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "engine/safetensors/hf_config.h"

namespace vitrine::engine::safetensors {
namespace {

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
    Names{"post_mlp_layernorm", "post_ffw_norm"}, Names{"self_attn.q_a_proj", "attn_q_a"},
    Names{"self_attn.q_a_layernorm", "attn_q_a_norm"}, Names{"self_attn.q_b_proj", "attn_q_b"},
    Names{"self_attn.kv_a_proj_with_mqa", "attn_kv_a_mqa"}, Names{"self_attn.kv_a_layernorm", "attn_kv_a_norm"},
    Names{"mlp.shared_experts.gate_proj", "ffn_gate_shexp"}, Names{"mlp.shared_experts.up_proj", "ffn_up_shexp"},
    Names{"mlp.shared_experts.down_proj", "ffn_down_shexp"}};

// Where several of their names share one of ours: the architecture's own; otherwise the first of the table above.
struct OwnName {
    std::string_view architecture, theirs, ours;
};
constexpr std::array kOwnNames{OwnName{"phi3", "mlp.gate_up_proj", "ffn_up"},
    OwnName{"glm4", "mlp.gate_up_proj", "ffn_up"}, OwnName{"glm4", "post_mlp_layernorm", "post_ffw_norm"},
    OwnName{"starcoder2", "mlp.c_fc", "ffn_up"}, OwnName{"starcoder2", "mlp.c_proj", "ffn_down"},
    OwnName{"phi2", "mlp.fc1", "ffn_up"}, OwnName{"phi2", "mlp.fc2", "ffn_down"},
    OwnName{"phi2", "self_attn.dense", "attn_output"}, OwnName{"phi2", "final_layernorm", "output_norm"}};

// BERT's names below "encoder.layer.N." and at the top.
constexpr std::array kEncoderNames{Names{"embeddings.word_embeddings", "token_embd"},
    Names{"embeddings.position_embeddings", "position_embd"}, Names{"embeddings.token_type_embeddings", "token_types"},
    Names{"embeddings.LayerNorm", "token_embd_norm"}, Names{"attention.self.query", "attn_q"},
    Names{"attention.self.key", "attn_k"}, Names{"attention.self.value", "attn_v"},
    Names{"attention.output.dense", "attn_output"}, Names{"attention.output.LayerNorm", "attn_output_norm"},
    Names{"intermediate.dense", "ffn_up"}, Names{"output.dense", "ffn_down"},
    Names{"output.LayerNorm", "layer_output_norm"}};

/// What the norm between attention and feed-forward is called in GGUF.
std::string_view post_attention_name(std::string_view architecture) {
    const bool before_addition = architecture == "gemma2" || architecture == "gemma3" || architecture == "olmo2" ||
        architecture == "exaone4" || architecture == "gpt-oss";
    return before_addition ? "post_attention_norm" : "ffn_norm";
}

/// "model.layers.61.mlp..." -> 61; -1 outside the layers.
int layer_of(std::string_view name) {
    constexpr std::string_view kStart = "model.layers.";
    int layer = -1;
    if (name.starts_with(kStart))
        std::from_chars(name.data() + kStart.size(), name.data() + name.size(), layer);
    return layer;
}

} // namespace

bool is_left_out(const HfModel& model, std::string_view name) {
    if (model.architecture == "deepseek2") // layers that draft further tokens stand behind the model's own
        return layer_of(name) >= model.num_layers;
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
    if (name == "mlp.gate.e_score_correction_bias")
        return prefix + "exp_probs_b.bias";
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

std::optional<std::string> hf_name(const HfModel& model, std::string_view name) {
    std::string prefix = "model.";
    if (name.starts_with("blk.")) {
        const std::size_t dot = name.find('.', 4);
        if (dot == std::string_view::npos)
            return std::nullopt;
        prefix += fmt::format("layers.{}.", name.substr(4, dot - 4));
        name.remove_prefix(dot + 1);
    }
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || model.architecture == "bert")
        return std::nullopt;
    const std::string_view stem = name.substr(0, dot), suffix = name.substr(dot);
    if (stem == "output")
        return fmt::format("lm_head{}", suffix);
    if (stem == post_attention_name(model.architecture))
        return fmt::format("{}post_attention_layernorm{}", prefix, suffix);
    for (const OwnName& own : kOwnNames)
        if (own.architecture == model.architecture && own.ours == stem)
            return fmt::format("{}{}{}", prefix, own.theirs, suffix);
    for (const auto& [theirs, ours] : kNames)
        if (ours == stem)
            return fmt::format("{}{}{}", prefix, theirs, suffix);
    return std::nullopt;
}

} // namespace vitrine::engine::safetensors
