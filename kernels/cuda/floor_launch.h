// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: ops of the floor that few models have: layer norm, activations without a gate, latent attention, and
// attention of any head.  Written to be right; none was tuned.
#pragma once

#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

inline constexpr int kMaxPlainHeadDim = 640;

/// output = (input - mean) / deviation * gain (+ bias), over groups of group_dim; may be in place.
struct LayerNormArgs {
    const float* input = nullptr;
    float* output = nullptr;
    const float* gain = nullptr;
    const float* bias = nullptr; // or null
    float eps = 0;
    int group_dim = 0;
    std::int64_t num_groups = 0;
};
[[nodiscard]] cudaError_t launch_layer_norm(const LayerNormArgs& args, cudaStream_t stream);

/// output = act(gate) * up, or act(gate); every kind.  Any two may be one array.
[[nodiscard]] cudaError_t launch_activate(
    const float* gate, const float* up, float* output, GateKind kind, std::int64_t count, cudaStream_t stream);

/// Heads of [row][head][dim] arrays.
struct HeadPart {
    int dim = 0; // of one head
    int first = 0; // of the part
};
struct HeadCopyArgs {
    const float* source = nullptr;
    float* target = nullptr;
    HeadPart from, to;
    int num_rows = 0;
    int num_heads = 0; // of the target
    int source_heads = 0; // as many, or 1 for all
    int count = 0;
    bool clear = false; // zeros beside the part
};
[[nodiscard]] cudaError_t launch_head_copy(const HeadCopyArgs& args, cudaStream_t stream);

/// target[row][head][to.first + o] = row o of the head's matrix * source[row][head][from.first ...]
struct HeadLinearArgs {
    const std::uint8_t* table = nullptr; // file order, [num_heads * out_dim] rows
    WeightFormat format = WeightFormat::f32;
    std::int64_t row_bytes = 0;
    const float* source = nullptr;
    float* target = nullptr;
    HeadPart from, to;
    int num_rows = 0;
    int num_heads = 0;
    int in_dim = 0;
    int out_dim = 0; // of one head
};
[[nodiscard]] cudaError_t launch_head_linear(const HeadLinearArgs& args, cudaStream_t stream);

/// Attention of every row, of heads up to kMaxPlainHeadDim, seen by causality or whole.  Of AttentionArgs what is not said to
/// be for decode or prefill alone; nothing is fed.  A row's bits depend on the row and its context alone.
[[nodiscard]] cudaError_t launch_plain_attention(
    const AttentionArgs& args, int num_rows, bool causal, cudaStream_t stream);

} // namespace vitrine::kernels
