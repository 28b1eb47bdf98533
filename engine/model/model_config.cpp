// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: metadata to ModelConfig.
#include "engine/model/model_config.h"

#include <cmath>

#include <fmt/format.h>

namespace vitrine::engine {
namespace {

constexpr std::int64_t kMaxDim = 1 << 20;

/// Reads keys below one prefix and keeps the first error, so that the list of keys reads as a list.
class KeyReader {
public:
    KeyReader(const gguf::File& file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {}

    int needed(std::string_view name) { return checked(name, file_.integer(key(name)), 1); }
    int optional(std::string_view name, int fallback) {
        return checked(name, file_.integer_or(key(name), fallback), 0);
    }
    double real(std::string_view name, double fallback) {
        auto value = file_.real_or(key(name), fallback);
        if (!value)
            return keep(value.error()), fallback;
        if (!std::isfinite(*value))
            keep(Error{ErrorCode::bad_file, fmt::format("{}: {} is not a finite number", file_.path(), key(name)),
                "The file is damaged; fetch it again."});
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
    int checked(std::string_view name, Result<std::int64_t> value, std::int64_t least) {
        if (!value) {
            keep(value.error());
            return static_cast<int>(least);
        }
        if (*value < least || *value > kMaxDim * 64) {
            keep(Error{ErrorCode::bad_file,
                fmt::format("{}: {} is {}, needed {} to {}", file_.path(), key(name), *value, least, kMaxDim * 64),
                "The file is damaged or of a kind this build does not know."});
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
    keys.keep(Error{ErrorCode::unsupported, fmt::format("{}: rope scaling \"{}\" is not known", path, name),
        "Known kinds: none, linear, yarn, longrope."});
    return RopeScaling::none;
}

RopeConfig read_rope(KeyReader& keys, const std::string& path, int head_dim) {
    RopeConfig rope;
    rope.base = keys.real("rope.freq_base", 10000);
    rope.rotary_dim = keys.optional("rope.dimension_count", head_dim);
    rope.scaling = scaling_kind(keys, path);
    rope.factor = keys.real("rope.scaling.factor", 1);
    rope.original_context = keys.optional("rope.scaling.original_context_length", 0);
    rope.attention_factor = keys.real("rope.scaling.attn_factor", 0);
    rope.beta_fast = keys.real("rope.scaling.yarn_beta_fast", 32);
    rope.beta_slow = keys.real("rope.scaling.yarn_beta_slow", 1);
    // Old Gemma 3 files carry a factor and no type: it was always linear.
    if (rope.scaling == RopeScaling::none && rope.factor > 1)
        rope.scaling = RopeScaling::linear;
    return rope;
}

Result<void> check_shape(const ModelConfig& config, const std::string& path) {
    const auto bad = [&](std::string what) {
        return fail(ErrorCode::bad_file, fmt::format("{}: {}", path, what), "The file is damaged; fetch it again.");
    };
    if (config.num_heads % config.num_kv_heads != 0)
        return bad(fmt::format(
            "{} attention heads are not a multiple of {} key/value heads", config.num_heads, config.num_kv_heads));
    if (config.rope.rotary_dim % 2 != 0 || config.rope.rotary_dim > config.head_dim || config.rope.rotary_dim <= 0)
        return bad(fmt::format("rope dimension {} must be even and at most the head dimension {}",
            config.rope.rotary_dim, config.head_dim));
    if (!(config.rms_eps > 0) || !(config.rope.base > 0) || !(config.rope.factor > 0))
        return bad("norm epsilon, rope base and rope factor must be above 0");
    if (config.embedding_dim > kMaxDim || config.feed_forward_dim > kMaxDim || config.num_layers > 1024)
        return bad(fmt::format("{} layers of {} by {} are beyond what this build accepts", config.num_layers,
            config.embedding_dim, config.feed_forward_dim));
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

Result<ModelConfig> read_model_config(const gguf::File& file) {
    auto architecture = file.text("general.architecture");
    if (!architecture)
        return tl::unexpected(architecture.error());
    KeyReader keys(file, *architecture);
    ModelConfig config;
    config.architecture = *architecture;
    config.num_layers = keys.needed("block_count");
    config.num_heads = keys.needed("attention.head_count");
    config.num_kv_heads = keys.optional("attention.head_count_kv", config.num_heads);
    config.embedding_dim = keys.needed("embedding_length");
    config.feed_forward_dim = keys.needed("feed_forward_length");
    config.context_length = keys.needed("context_length");
    config.head_dim = keys.optional("attention.key_length", config.embedding_dim / std::max(1, config.num_heads));
    const int value_dim = keys.optional("attention.value_length", config.head_dim);
    config.vocab_size = vocabulary_size(file, keys);
    config.rms_eps = static_cast<float>(keys.real("attention.layer_norm_rms_epsilon", 1e-5));
    config.rope = read_rope(keys, file.path(), config.head_dim);
    config.local_rope_base = keys.real("rope.freq_base_swa", 10000);
    config.sliding_window = keys.optional("attention.sliding_window", 0);
    config.num_experts = keys.optional("expert_count", 0);
    config.embedding_scale = static_cast<float>(keys.real("embedding_scale", 1));
    config.residual_scale = static_cast<float>(keys.real("residual_scale", 1));
    config.attention_scale = static_cast<float>(keys.real("attention.scale", 0));
    config.logit_scale = static_cast<float>(keys.real("logit_scale", 1));
    config.final_softcap = static_cast<float>(keys.real("final_logit_softcapping", 0));
    config.attention_softcap = static_cast<float>(keys.real("attn_logit_softcapping", 0));
    // A list of booleans under this key (newer files) follows the same period as the architecture's rule.
    if (const auto* pattern = file.find(keys.key("attention.sliding_window_pattern"));
        pattern && !std::holds_alternative<std::vector<bool>>(*pattern))
        config.window_period = keys.optional("attention.sliding_window_pattern", 0);
    if (value_dim != config.head_dim)
        keys.keep(Error{ErrorCode::unsupported,
            fmt::format("{}: value heads of {} beside key heads of {}", file.path(), value_dim, config.head_dim),
            "This build needs both equal."});
    if (keys.error())
        return tl::unexpected(*keys.error());
    if (config.num_kv_heads < 1)
        return fail(ErrorCode::bad_file, fmt::format("{}: {} is 0", file.path(), keys.key("attention.head_count_kv")),
            "The file is damaged.");
    VT_TRY(check_shape(config, file.path()));
    return config;
}

} // namespace vitrine::engine
