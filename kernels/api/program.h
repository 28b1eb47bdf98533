// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: the ordered ops of one forward pass, built by an architecture from metadata alone.
#pragma once

#include <string>
#include <vector>

#include "kernels/api/ids.h"
#include "kernels/api/kv_pool.h"
#include "kernels/api/ops.h"
#include "kernels/api/weight_group.h"

namespace vitrine::kernels {

/// A named slot of [num_rows, dim] f32 values that lives during one step.  The layout in memory is the backend's secret.
struct Activation {
    std::string name;
    std::int64_t dim = 0;
};

enum class RopeStyle : std::uint8_t {
    interleaved, // pairs (2i, 2i+1): GGUF llama
    neox, // pairs (i, i + rotary_dim/2): qwen, gemma, phi
};

/// angle(pos, i) = pos * inv_freq[i], computed in double; cos and sin are multiplied by `attention_factor` (YaRN).
struct RopeSpec {
    RopeStyle style = RopeStyle::interleaved;
    int rotary_dim = 0; // even, <= head_dim; the rest of the head passes through
    std::vector<double> inv_freq; // rotary_dim / 2 entries, every scaling rule already applied
    double attention_factor = 1;
};

struct Program {
    std::vector<Activation> activations; // index == ActivationId
    std::vector<WeightGroupSpec> weights; // index == WeightGroupId
    std::vector<RopeSpec> ropes; // index == RopeId
    std::vector<KvLayer> kv_layers; // index == LayerId
    std::vector<Op> ops; // in execution order; the last one samples, unless the model is an encoder
    ActivationId hidden{}; // of an encoder: what StepResult::hidden gives; none: what the head reads
    ActivationId input{}; // of a part of a model (cut_program.h): comes as StepArgs::input before the first op
    ActivationId output{}; // and this leaves as StepResult::output behind the last one
    std::int64_t vocab_size = 0;
    int max_positions = 0; // rope tables reach this far
    int num_adapters = 0; // LoRA adapters that sequences may use
};

} // namespace vitrine::kernels
