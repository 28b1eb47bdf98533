// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: a LoRA adapter (Hu et al. 2021) from a GGUF file or a PEFT directory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/model_config.h"

namespace vitrine::engine {

/// W' = W + up * down for one tensor, at weight 1: alpha / rank is in `up`.
struct AdapterFactors {
    std::int64_t rank = 0;
    std::int64_t in_dim = 0;
    std::int64_t out_dim = 0;
    std::vector<float> down; // [rank, in_dim]
    std::vector<float> up; // [out_dim, rank]
};

struct Adapter {
    std::string name; // file name without .gguf, or the directory's
    std::string path;
    float alpha = 0;
    int rank = 0; // the largest
    std::map<std::string, AdapterFactors> tensors; // by the model's tensor name in GGUF: "blk.0.attn_q.weight"
};

/// path: a GGUF file as llama.cpp's converter writes it, or a directory with adapter_config.json and
/// adapter_model.safetensors (that file itself too), with rsLoRA and ranks or alphas by pattern.
/// Rows of q and k are paired as GGUF stores them.  Every size is checked against the other factor, not against the model:
/// attach_adapters() does that.  Errors: not_found, bad_file; unsupported (DoRA, trained biases, norms or whole modules,
/// another architecture than `model`) names what and where.
[[nodiscard]] Result<Adapter> read_adapter(const std::string& path, const ModelConfig& model);

} // namespace vitrine::engine
