// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: metadata to ModelConfig.
#include "engine/model/model_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::int64_t kMaxDim = 1 << 20;

/// Reads keys below one prefix and keeps the first error, so that the list of keys reads as a list.
class KeyReader {
public:
    KeyReader(const gguf::File& file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {}

    int needed(std::string_view name) { return checked(name, integer(name), 1); }
    int optional(std::string_view name, int fallback) { return has(name) ? checked(name, integer(name), 0) : fallback; }
    bool flag(std::string_view name, bool fallback) {
        auto value = file_.boolean_or(key(name), fallback);
        if (!value)
            return keep(value.error()), fallback;
        return *value;
    }
    [[nodiscard]] bool has(std::string_view name) const { return file_.find(key(name)) != nullptr; }
    double real(std::string_view name, double fallback) {
        auto value = file_.real_or(key(name), fallback);
        if (!value)
            return keep(value.error()), fallback;
        if (!std::isfinite(*value))
            keep(make_error(ErrorCode::bad_file, say(Sentence::setting_not_finite, file_.path(), key(name)),
                say(Sentence::fetch_damaged_again)));
        return *value;
    }
    std::string text(std::string_view name, std::string fallback) {
        auto value = file_.text_or(key(name), fallback);
        if (!value)
            return keep(value.error()), fallback;
        return *value;
    }
    void keep(Error error) {
        if (!error_)
            error_ = std::move(error);
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    [[nodiscard]] std::string key(std::string_view name) const { return fmt::format("{}.{}", prefix_, name); }

private:
    /// A number, or a list of equal numbers, one a layer.
    [[nodiscard]] Result<std::int64_t> integer(std::string_view name) const {
        const auto* layers = file_.integers(key(name));
        if (!layers || layers->empty())
            return file_.integer(key(name));
        for (const std::int64_t value : *layers)
            if (value != layers->front())
                return fail(ErrorCode::unsupported,
                    say(Sentence::setting_differs, file_.path(), key(name), layers->front(), value),
                    say(Sentence::layers_must_be_alike));
        return layers->front();
    }
    int checked(std::string_view name, Result<std::int64_t> value, std::int64_t least) {
        if (!value) {
            keep(value.error());
            return static_cast<int>(least);
        }
        if (*value < least || *value > kMaxDim * 64) {
            keep(make_error(ErrorCode::bad_file,
                say(Sentence::setting_out_of_range, file_.path(), key(name), *value, least, kMaxDim * 64),
                say(Sentence::damaged_or_unknown_kind)));
            return static_cast<int>(least);
        }
        return static_cast<int>(*value);
    }

    const gguf::File& file_;
    std::string prefix_;
    std::optional<Error> error_;
};

RopeScaling scaling_kind(KeyReader& keys, const std::string& path) {
    const std::string name = keys.text("rope.scaling.type", "none");
    if (name == "none" || name.empty())
        return RopeScaling::none;
    if (name == "linear")
        return RopeScaling::linear;
    if (name == "yarn")
        return RopeScaling::yarn;
    if (name == "longrope" || name == "su")
        return RopeScaling::longrope;
    keys.keep(
        make_error(ErrorCode::unsupported, say(Sentence::rope_unknown, path, name), say(Sentence::known_rope_kinds)));
    return RopeScaling::none;
}

RopeConfig read_rope(KeyReader& keys, const std::string& path, int head_dim) {
    RopeConfig rope;
    rope.base = keys.real("rope.freq_base", 10000);
    rope.rotary_dim = keys.optional("rope.dimension_count", head_dim);
    rope.scaling = scaling_kind(keys, path);
    rope.factor = keys.real("rope.scaling.factor", keys.real("rope.scale_linear", 1)); // the older key
    rope.original_context = keys.optional("rope.scaling.original_context_length", 0);
    rope.attention_factor = keys.real("rope.scaling.attn_factor", keys.real("rope.scaling.yarn_attn_factor", 0));
    rope.beta_fast = keys.real("rope.scaling.yarn_beta_fast", 32);
    rope.beta_slow = keys.real("rope.scaling.yarn_beta_slow", 1);
    rope.truncates = keys.flag("rope.scaling.yarn_truncate", true);
    rope.log_multiplier = keys.real("rope.scaling.yarn_log_multiplier", 0);
    if (rope.factor == 0) // written for "no scaling"
        rope.factor = 1;
    // Old Gemma 3 files carry a factor and no type: it was always linear.
    if (rope.scaling == RopeScaling::none && rope.factor > 1)
        rope.scaling = RopeScaling::linear;
    return rope;
}

ExpertConfig read_experts(KeyReader& keys, const ModelConfig& config, const std::string& path) {
    ExpertConfig experts;
    experts.num_experts = keys.optional("expert_count", 0);
    if (experts.num_experts == 0)
        return experts;
    experts.num_used = keys.needed("expert_used_count");
    experts.feed_forward_dim = keys.optional("expert_feed_forward_length", config.feed_forward_dim);
    experts.num_shared = keys.optional("expert_shared_count", 0);
    experts.shared_feed_forward_dim = keys.optional("expert_shared_feed_forward_length", 0);
    experts.num_dense_layers = keys.optional("leading_dense_block_count", 0);
    experts.normalize = keys.flag("expert_weights_norm", false);
    experts.scale = static_cast<float>(keys.real("expert_weights_scale", 1));
    if (experts.scale == 0) // written for "no scaling"
        experts.scale = 1;
    const int gating = keys.optional("expert_gating_func", 0);
    experts.sigmoid = gating == 2;
    if (gating > 2)
        keys.keep(make_error(ErrorCode::unsupported,
            say(Sentence::gating_unknown, path, keys.key("expert_gating_func"), gating), say(Sentence::known_gatings)));
    if (experts.num_used > experts.num_experts || experts.num_experts > 1024)
        keys.keep(make_error(ErrorCode::bad_file,
            say(Sentence::experts_out_of_range, path, experts.num_used, experts.num_experts),
            say(Sentence::damaged_or_unknown_kind)));
    return experts;
}

LatentConfig read_latent(KeyReader& keys, const ModelConfig& config) {
    LatentConfig latent;
    latent.kv_rank = keys.optional("attention.kv_lora_rank", 0);
    latent.query_rank = keys.optional("attention.q_lora_rank", 0);
    latent.key_dim = keys.optional("attention.key_length_mla", config.head_dim);
    latent.value_dim = keys.optional("attention.value_length_mla", config.head_dim);
    return latent;
}

/// Keys that change what a model computes and that no architecture here reads.  A value of 0 or false changes nothing.
constexpr std::array kUnsupportedKeys{"attention.max_alibi_bias", "attention.clamp_kqv", "attention.temperature_length",
    "attention.temperature_scale", "attention.shared_kv_layers", "attention.indexer.head_count",
    "attention.output_scale", "attention.value_scale", "interleave_moe_layer_step", "moe_every_n_layers",
    "expert_group_scale", "ssm.inner_size", "altup.num_inputs", "full_attention_interval", "hyper_connection.count",
    "wkv.head_size", "rope.dimension_sections", "decoder_start_token_id"};

bool is_encoder(std::string_view architecture) {
    return architecture == "bert" || architecture == "nomic-bert";
}

void refuse_unsupported(const gguf::File& file, KeyReader& keys, std::string_view architecture) {
    const auto refuse = [&](std::string_view name) {
        keys.keep(make_error(ErrorCode::unsupported, say(Sentence::setting_unsupported, file.path(), keys.key(name)),
            say(Sentence::choose_other_model)));
    };
    for (const char* name : kUnsupportedKeys) {
        const gguf::Value* value = file.find(keys.key(name));
        if (!value)
            continue;
        const auto number = file.real(keys.key(name));
        const auto truth = file.boolean(keys.key(name));
        if ((number && *number == 0) || (truth && !*truth))
            continue;
        refuse(name);
    }
    if (keys.optional("expert_group_count", 1) > 1 && keys.optional("expert_group_used_count", 1) > 0 &&
        keys.optional("expert_group_count", 1) != keys.optional("expert_group_used_count", 1))
        refuse("expert_group_count");
    if (keys.flag("attention.causal", true) == is_encoder(architecture))
        refuse("attention.causal");
}

Result<void> check_shape(const ModelConfig& config, const std::string& path) {
    const auto bad = [&](Phrase what) {
        return fail(ErrorCode::bad_file, say(Sentence::model_malformed, path, std::move(what)),
            say(Sentence::fetch_damaged_again));
    };
    if (config.num_heads % config.num_kv_heads != 0)
        return bad(say(Sentence::heads_not_multiple, config.num_heads, config.num_kv_heads));
    if (config.rope.rotary_dim % 2 != 0 || config.rope.rotary_dim > config.head_dim || config.rope.rotary_dim <= 0)
        return bad(say(Sentence::rope_dimension_odd, config.rope.rotary_dim, config.head_dim));
    if (!(config.norm_eps > 0) || !(config.rope.base > 0) || !(config.rope.factor > 0))
        return bad(say(Sentence::scales_not_positive));
    const int widest = std::max({config.embedding_dim, config.feed_forward_dim, config.experts.feed_forward_dim,
        config.experts.shared_feed_forward_dim, config.latent.kv_rank, config.latent.query_rank});
    const std::int64_t query_dim = std::int64_t{config.num_heads} * config.head_dim;
    if (widest > kMaxDim || query_dim > kMaxDim || config.num_layers > 1024)
        return bad(say(Sentence::shape_too_large, config.num_layers, widest, config.num_heads, config.head_dim));
    if (!config.window_pattern.empty() && std::ssize(config.window_pattern) < config.num_layers)
        return bad(say(Sentence::window_pattern_short, config.window_pattern.size(), config.num_layers));
    const LatentConfig& latent = config.latent;
    if (latent.kv_rank > 0 && (latent.key_dim <= config.rope.rotary_dim || latent.value_dim <= 0))
        return bad(say(Sentence::latent_shape_wrong, latent.key_dim, config.rope.rotary_dim, latent.value_dim));
    return {};
}

int vocabulary_size(const gguf::File& file, KeyReader& keys) {
    if (const auto* embedding = file.find_tensor("token_embd.weight"))
        return static_cast<int>(embedding->out_dim());
    if (const auto* tokens = file.texts("tokenizer.ggml.tokens"))
        return static_cast<int>(tokens->size());
    return keys.needed("vocab_size");
}

} // namespace

bool ModelConfig::is_windowed(int layer, int period) const {
    if (sliding_window <= 0)
        return false;
    if (!window_pattern.empty())
        return window_pattern[static_cast<std::size_t>(layer)];
    const int every = window_period > 0 ? window_period : period;
    return every <= 0 || (layer + 1) % every != 0;
}

Result<ModelConfig> read_model_config(const gguf::File& file) {
    auto architecture = file.text("general.architecture");
    if (!architecture)
        return tl::unexpected(architecture.error());
    KeyReader keys(file, *architecture);
    ModelConfig config;
    config.architecture = *architecture;
    config.encoder = is_encoder(config.architecture);
    config.num_layers = keys.needed("block_count");
    config.num_heads = keys.needed("attention.head_count");
    config.num_kv_heads = keys.optional("attention.head_count_kv", config.num_heads);
    config.embedding_dim = keys.needed("embedding_length");
    config.feed_forward_dim = keys.optional("feed_forward_length", 0);
    config.context_length = keys.needed("context_length");
    config.head_dim = keys.optional("attention.key_length", config.embedding_dim / std::max(1, config.num_heads));
    const int value_dim = keys.optional("attention.value_length", config.head_dim);
    config.vocab_size = vocabulary_size(file, keys);
    config.layer_norm = keys.has("attention.layer_norm_epsilon") && !keys.has("attention.layer_norm_rms_epsilon");
    config.norm_eps = static_cast<float>(
        keys.real(config.layer_norm ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon", 1e-5));
    config.rope = read_rope(keys, file.path(), config.head_dim);
    config.local_rope_base = keys.real("rope.freq_base_swa", 10000);
    config.sliding_window = keys.optional("attention.sliding_window", 0);
    config.experts = read_experts(keys, config, file.path());
    config.latent = read_latent(keys, config);
    config.embedding_scale = static_cast<float>(keys.real("embedding_scale", 1));
    config.residual_scale = static_cast<float>(keys.real("residual_scale", 1));
    config.attention_scale = static_cast<float>(keys.real("attention.scale", 0));
    config.logit_scale = static_cast<float>(keys.real("logit_scale", 1));
    config.final_softcap = static_cast<float>(keys.real("final_logit_softcapping", 0));
    config.attention_softcap = static_cast<float>(keys.real("attn_logit_softcapping", 0));
    // One number (older files) or a list of booleans, true for a window.
    if (const auto* pattern = file.find(keys.key("attention.sliding_window_pattern"))) {
        if (const auto* layers = std::get_if<std::vector<bool>>(pattern))
            config.window_pattern = *layers;
        else
            config.window_period = keys.optional("attention.sliding_window_pattern", 0);
    }
    if (config.feed_forward_dim == 0 && config.experts.num_experts == 0)
        config.feed_forward_dim = keys.needed("feed_forward_length");
    if (value_dim != config.head_dim && config.latent.kv_rank == 0)
        keys.keep(make_error(ErrorCode::unsupported,
            say(Sentence::value_heads_differ, file.path(), value_dim, config.head_dim),
            say(Sentence::heads_must_be_equal)));
    refuse_unsupported(file, keys, config.architecture);
    if (keys.error())
        return tl::unexpected(*keys.error());
    if (config.num_kv_heads < 1)
        return fail(ErrorCode::bad_file, say(Sentence::setting_zero, file.path(), keys.key("attention.head_count_kv")),
            say(Sentence::fetch_damaged_again));
    VT_TRY(check_shape(config, file.path()));
    return config;
}

} // namespace vitrine::engine
