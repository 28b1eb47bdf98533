// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: descriptors of the fused operations and of the floor they decompose to: what is computed, never how.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "kernels/api/ids.h"

namespace vitrine::kernels {

enum class RowSet : std::uint8_t { all, needs_logits }; // which rows of the step an op computes
enum class GateKind : std::uint8_t { silu, gelu_tanh };

struct HeadLayout {
    int num_heads = 0;
    int num_kv_heads = 0;
    int head_dim = 0;
};

// ---- prologues and epilogues of LinearOp -------------------------------------------------------------------------
struct NoPrologue {};
/// x / rms(x) * gain, rms over in_dim with eps; folded into the product.
struct RmsNormPrologue {
    WeightGroupId gain; // vector [in_dim]
    float eps = 0;
};

/// output = y (+ bias).                                        output: [num_rows, out_dim] f32
struct StoreEpilogue {
    ActivationId output;
    WeightGroupId bias{}; // vector [out_dim], or none
};
/// residual += post_norm(y + bias) * scale.                    residual: [num_rows, out_dim] f32
struct AddResidualEpilogue {
    ActivationId residual;
    WeightGroupId bias{};
    std::optional<RmsNormPrologue> post_norm{}; // Gemma: norm of y before it is added
    std::optional<RmsNormPrologue>
        next_norm; // hint: the norm that reads this residual next, so the writer may prepare it
    float scale = 1; // Granite's residual multiplier
};
/// members q, k, v.  q is rotated into `query`; k (rotated) and v go to the step's slots of `layer`.
struct RopeKvEpilogue {
    ActivationId query; // [num_rows, num_heads, head_dim] f32
    LayerId layer;
    HeadLayout heads;
    RopeId rope{}; // none: no rotation
    WeightGroupId q_bias{}, k_bias{}, v_bias{};
    std::optional<RmsNormPrologue> q_norm{}, k_norm{}; // per head over head_dim, before the rotation
};
/// members gate, up.  output = act(gate) * up                  output: [num_rows, ff_dim] f32
struct GatedEpilogue {
    ActivationId output;
    GateKind kind = GateKind::silu;
};
/// logits = softcap(y * scale), kept for sampling.             logits: [num_logit_rows, vocab] f32
struct LogitsEpilogue {
    ActivationId logits;
    float scale = 1;
    float softcap = 0; // 0: none; else cap * tanh(x / cap)
};

/// y_i = epilogue(W_i * prologue(x)), one to three matrices that share x.   x: [num_rows, in_dim]   W_i: [out_dim_i, in_dim]
struct LinearOp {
    ActivationId input;
    std::variant<NoPrologue, RmsNormPrologue> prologue;
    WeightGroupId weights;
    std::variant<StoreEpilogue, AddResidualEpilogue, RopeKvEpilogue, GatedEpilogue, LogitsEpilogue> epilogue;
    RowSet rows = RowSet::all;
};

/// Causal attention of every sequence of the step in one call: prefill chunks, decode and draft verification alike.
/// query, output: [num_rows, num_heads, head_dim] f32   keys, values: in the KV pool, found through StepArgs::block_tables
struct AttentionOp {
    ActivationId query, output;
    LayerId layer;
    HeadLayout heads;
    float scale = 0;
    float softcap = 0; // 0: none
    std::optional<int> window_tokens{}; // sliding window, this token included
};

/// output[row] = scale * W[token[row]]                          W: [vocab, dim]   output: [num_rows, dim] f32
struct GatherOp {
    WeightGroupId embedding; // role embedding or tied_head
    ActivationId output;
    float scale = 1; // Gemma: sqrt(dim), rounded to the model's 16-bit type by the architecture
    std::optional<RmsNormPrologue> next_norm{}; // hint, as in AddResidualEpilogue
};

/// Chooses the next token of every sampling sequence of the step, or verifies its drafts; see sampling.h.
struct SamplingOp {
    ActivationId logits; // [num_logit_rows, vocab] f32
};

// ---- the floor: what fused ops decompose to ------------------------------------------------------------------------
/// output = input / rms(input) * gain, over groups of `group_dim` (a head, or the whole row).  May be in place.
struct NormOp {
    ActivationId input, output;
    RmsNormPrologue norm;
    int group_dim = 0; // 0: the whole row
};
/// Rotates [num_rows, num_heads, head_dim] in place by the rope table at the row's position.
struct RopeOp {
    ActivationId value;
    int num_heads = 0;
    int head_dim = 0;
    RopeId rope;
};
/// Writes k and v, [num_rows, num_kv_heads, head_dim] f32, to the step's slots of `layer`.
struct KvWriteOp {
    ActivationId keys, values;
    LayerId layer;
    HeadLayout heads;
};
/// target += source * scale                                     both: [num_rows, dim] f32
struct AddOp {
    ActivationId target, source;
    float scale = 1;
};
/// output = act(gate) * up                                      all: [num_rows, ff_dim] f32
struct GateOp {
    ActivationId gate, up, output;
    GateKind kind = GateKind::silu;
};
/// One member of a group, y = W_m * x (+ bias), stored.         A LinearOp with StoreEpilogue of one member.
struct MemberLinearOp {
    ActivationId input, output;
    WeightGroupId weights;
    int member = 0;
    WeightGroupId bias{};
    RowSet rows = RowSet::all;
};

using Op =
    std::variant<GatherOp, LinearOp, AttentionOp, SamplingOp, NormOp, RopeOp, KvWriteOp, AddOp, GateOp, MemberLinearOp>;

} // namespace vitrine::kernels
