// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: the experts of gpt-oss checkpoints: MXFP4 blocks, gate and up in turns.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "engine/model/checkpoint_weights.h"

namespace vitrine::engine {

/// A tensor with bytes of its own; `tensor.bytes` is empty.
struct OwnedTensor {
    gguf::Tensor tensor;
    std::vector<std::byte> bytes;
};

/// "model.layers.3.mlp.experts.gate_up_proj_blocks" or one of its companions (_scales, _bias; down_proj).
[[nodiscard]] bool is_packed_expert(const std::string& name);

/// All experts of the checkpoint as GGUF stores them: blk.N.ffn_gate_exps and so on, weights in MXFP4 without a change of value
/// (OCP Microscaling 1.0: a byte of exponent for 32 values), biases in F32.  Source of the layout: the model card of gpt-oss:
/// blocks [experts, rows, in / 32, 16], the even value of a pair in the low nibble; rows of gate and up alternate.
/// Errors bad_file: a companion is missing, sizes that do not fit.
[[nodiscard]] Result<std::vector<OwnedTensor>> unpack_experts(const TensorTable& tensors);

} // namespace vitrine::engine
