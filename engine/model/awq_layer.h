// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: which step before takes AWQ's factors back, in a layer of the Llama kind.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/checkpoint_job.h"

namespace vitrine::engine {

/// One layer by the names of GGUF without "blk.N." and ".weight" ("attn_q"); biases as "attn_q.bias".  Vectors have one row.
using LayerTensors = std::map<std::string, DenseMatrix>;

/// Multiplies matrices by their factors and divides what makes their inputs: attn_norm for q, k and v, ffn_norm for gate and up,
/// the rows of up for down, the rows of v for the output where every query head has a value head of its own.
/// products: by the same names.  Gives the mean square of each matrix's new input.  Error internal: a matrix without products.
[[nodiscard]] Result<std::map<std::string, std::vector<float>>> apply_awq(
    LayerTensors& layer, const ProductsByTensor& products, const GroupRule& rule, int num_threads);

} // namespace vitrine::engine
