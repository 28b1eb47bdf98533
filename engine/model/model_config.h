// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: the numbers of a transformer, read from GGUF metadata and checked against each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"

namespace vitrine::engine {

enum class RopeScaling : std::uint8_t { none, linear, yarn, longrope };

/// Rotation of one kind of layer.  Factors in a tensor of the file (llama3, LongRoPE) are read by rope_scaling.
struct RopeConfig {
    double base = 10000;
    int rotary_dim = 0;
    RopeScaling scaling = RopeScaling::none;
    double factor = 1; // linear, yarn
    int original_context = 0; // tokens the model was trained on before scaling; 0: context_length
    double attention_factor = 0; // 0: the rule of the scaling kind
    double beta_fast = 32; // yarn
    double beta_slow = 1; // yarn
    bool truncates = true; // yarn: the borders are whole pairs (gpt-oss checkpoints say no)
    double log_multiplier = 0; // yarn of DeepSeek: 0.1 * mscale_all_dim
};

/// Mixture of experts; num_experts 0: dense.
struct ExpertConfig {
    int num_experts = 0;
    int num_used = 0;
    int feed_forward_dim = 0; // of one expert
    int num_shared = 0; // as a number of experts
    int shared_feed_forward_dim = 0; // of all shared experts together; 0: the file's tensor says
    int num_dense_layers = 0; // leading layers without experts
    bool normalize = false; // weights sum to 1
    bool sigmoid = false; // gating function; else softmax
    float scale = 1;
};

/// Multi-head latent attention (DeepSeek 2); kv_rank 0: none.
struct LatentConfig {
    int query_rank = 0; // 0: q is one product
    int kv_rank = 0;
    int key_dim = 0; // of a head before compression, rotated part included
    int value_dim = 0;
};

struct ModelConfig {
    std::string architecture;
    int num_layers = 0;
    int num_heads = 0;
    int num_kv_heads = 0;
    int head_dim = 0;
    int embedding_dim = 0;
    int feed_forward_dim = 0;
    int vocab_size = 0;
    int context_length = 0;
    bool encoder = false; // gives hidden states of whole texts, not further tokens
    bool layer_norm = false; // norms take the mean off; else RMS norms
    float norm_eps = 0;
    RopeConfig rope;
    double local_rope_base = 10000; // of sliding-window layers, where they differ
    int sliding_window = 0; // tokens, this one included; 0: none
    int window_period = 0; // every window_period-th layer sees everything; 0: the architecture's rule
    std::vector<bool> window_pattern; // layer by layer; empty: window_period
    ExpertConfig experts;
    LatentConfig latent;

    // Multipliers of the Granite kind; 1 or 0 where the file has none.
    float embedding_scale = 1;
    float residual_scale = 1;
    float attention_scale = 0; // 0: 1 / sqrt(head_dim)
    float logit_scale = 1;
    float final_softcap = 0;
    float attention_softcap = 0;

    /// Whether a layer sees the sliding window only.  `period`: the architecture's, where the file names none.
    [[nodiscard]] bool is_windowed(int layer, int period) const;
};

/// Reads and checks `{architecture}.*`.  bad_file names the key; unsupported names the architecture or the feature.
[[nodiscard]] Result<ModelConfig> read_model_config(const gguf::File& file);

} // namespace vitrine::engine
