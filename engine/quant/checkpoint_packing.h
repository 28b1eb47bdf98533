// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: quantized matrices as the tensors that AutoGPTQ, AutoAWQ, bitsandbytes and DeepSeek's FP8 files hold;
// engine/model/checkpoint_weights.h reads them.
#pragma once

#include <string>
#include <vector>

#include "engine/quant/group_codes.h"

namespace vitrine::engine {

/// One tensor of a module: "qweight", "weight.absmax".
struct PackedPart {
    std::string name;
    std::string dtype; // of safetensors: "I32", "F16"
    std::vector<std::int64_t> shape; // row-major
    std::vector<std::byte> bytes;
};
using PackedParts = std::vector<PackedPart>;

/// Names, types and shapes without bytes, so that a file's header can be written first.
[[nodiscard]] PackedParts gptq_parts(GroupRule rule, std::int64_t out_dim, std::int64_t in_dim);
[[nodiscard]] PackedParts awq_parts(GroupRule rule, std::int64_t out_dim, std::int64_t in_dim);
[[nodiscard]] PackedParts int8_parts(std::int64_t out_dim, std::int64_t in_dim);
[[nodiscard]] PackedParts nf4_parts(std::int64_t out_dim, std::int64_t in_dim);
[[nodiscard]] PackedParts fp8_parts(std::int64_t out_dim, std::int64_t in_dim);

/// qweight [in * bits / 32, out], qzeros [groups, out * bits / 32] (less one), scales f16 [groups, out], g_idx [in].
/// Requires: in_dim and out_dim multiples of 32 / bits.
[[nodiscard]] PackedParts pack_gptq(const GroupCodes& codes);
/// qweight [in, out / 8] and qzeros [groups, out / 8] in the order 0 2 4 6 1 3 5 7, scales f16 [groups, out].
/// Requires: 4 bits, out_dim a multiple of 8, in_dim of the group, groups of neighbours.
[[nodiscard]] PackedParts pack_awq(const GroupCodes& codes);
/// weight I8 [out, in], SCB f32 [out]: each row's largest magnitude falls on 127 (Dettmers et al. 2022, LLM.int8()).
[[nodiscard]] PackedParts pack_int8(const DenseMatrix& weights);
/// Blocks of 64 weights, each scaled by its largest magnitude to the 16 values of NF4; these scales in 8 bits by blocks of 256
/// less their mean (Dettmers et al. 2023, QLoRA).  Requires: an even number of weights.
[[nodiscard]] PackedParts pack_nf4(const DenseMatrix& weights);
/// weight F8_E4M3 [out, in], weight_scale_inv f32 for blocks of 128 by 128: the largest magnitude falls on 448.
[[nodiscard]] PackedParts pack_fp8(const DenseMatrix& weights);

} // namespace vitrine::engine
