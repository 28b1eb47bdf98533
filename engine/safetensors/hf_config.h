// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/safetensors: config.json in the terms of GGUF, and the names of tensors in both worlds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"

namespace vitrine::engine::safetensors {

enum class CheckpointMethod : std::uint8_t { none, gptq, awq, fp8, bitsandbytes, mxfp4 };

/// quantization_config: how the weights of linear layers are packed.
struct CheckpointFormat {
    CheckpointMethod method = CheckpointMethod::none;
    int bits = 0; // gptq, awq
    bool zeros_are_exact = false; // gptq_v2; the first version stores zero points less one
};

/// Heads of kv_b_proj: rows of `plain` key dimensions, then of `value` dimensions, each of `rank` inputs.  rank 0: none.
struct LatentHeads {
    std::int64_t plain = 0, value = 0, rank = 0;
};

struct HfModel {
    std::string architecture; // general.architecture
    std::vector<std::pair<std::string, gguf::Value>> metadata;
    std::int64_t num_layers = 0;
    int num_heads = 0;
    int num_kv_heads = 0;
    LatentHeads latent; // deepseek2
    bool permute_heads = false; // q and k are stored for halves, GGUF wants pairs
    bool norm_plus_one = false; // Gemma: GGUF's norms include the + 1
    bool tied_head = false;
    CheckpointFormat checkpoint;
    std::vector<float> rope_factors; // rope_freqs.weight (llama3); empty: none
    std::vector<float> long_factors, short_factors; // LongRoPE
};

/// text: config.json.  Errors: bad_file (not JSON, a number missing), unsupported (model type, quantization method, rope
/// rule, activation; the message names it).
[[nodiscard]] Result<HfModel> read_config(const std::string& path, std::string_view text);

/// What gguf_name() needs for an architecture in GGUF's name: adapters come without a config.json.
[[nodiscard]] HfModel naming_of(std::string_view architecture);

/// Tensors that no op needs: the pooler and the heads that encoders were trained with, layers that only draft.
[[nodiscard]] bool is_left_out(const HfModel& model, std::string_view name);
/// "model.layers.3.self_attn.q_proj.weight" -> "blk.3.attn_q.weight".  Nothing: no such tensor in the architecture.
[[nodiscard]] std::optional<std::string> gguf_name(const HfModel& model, std::string_view name);

/// The other way.  Nothing: an encoder's, an expert's, or a name that no tensor of a checkpoint has.
[[nodiscard]] std::optional<std::string> hf_name(const HfModel& model, std::string_view name);

} // namespace vitrine::engine::safetensors
