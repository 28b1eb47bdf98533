// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: quantized weights of Hugging Face checkpoints as float32, exactly.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/safetensors/hf_config.h"
#include "engine/safetensors/safetensors_file.h"

namespace vitrine::engine {

struct UnpackedMatrix {
    std::int64_t out_dim = 0;
    std::int64_t in_dim = 0;
    std::vector<float> values; // [out_dim, in_dim]
};

using TensorTable = std::map<std::string, const safetensors::Tensor*>;

/// The tensor that marks a packed matrix of the format: "qweight", or a "weight" beside its scales.  Empty: `name` is no such.
/// Returns the module: "model.layers.0.self_attn.q_proj".
[[nodiscard]] std::string packed_module(
    const safetensors::CheckpointFormat& format, const std::string& name, const TensorTable& tensors);

/// GPTQ (Frantar et al. 2022; bits 4 and 8, any group size, g_idx), AWQ (Lin et al. 2023; gemm order), FP8 E4M3 with a scale a
/// block or for all, bitsandbytes INT8 and NF4/FP4 with plain or double-quantized scales (Dettmers et al. 2023).
/// Errors bad_file, unsupported: name the module and the sizes that do not fit.
[[nodiscard]] Result<UnpackedMatrix> unpack_matrix(
    const safetensors::CheckpointFormat& format, const std::string& module, const TensorTable& tensors);

} // namespace vitrine::engine
