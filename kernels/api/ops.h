// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: descriptors of the fused operations and of the floor they decompose to: what is computed, never how.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "kernels/api/ids.h"

namespace vitrine::kernels {

enum class RowSet : std::uint8_t { all, needs_logits }; // which rows of the step an op computes
/// gelu: by the error function.  swiglu_clamped: gpt-oss, g = min(gate, 7), (clamp(up, -7, 7) + 1) * g * sigmoid(1.702 g).
enum class GateKind : std::uint8_t { silu, gelu_tanh, gelu, swiglu_clamped };

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

/// Attention of every sequence of the step in one call: prefill chunks, decode and draft verification alike.
/// query, output: [num_rows, num_heads, head_dim] f32   keys, values: in the KV pool, found through StepArgs::block_tables
struct AttentionOp {
    ActivationId query, output;
    LayerId layer;
    HeadLayout heads;
    float scale = 0;
    float softcap = 0; // 0: none
    std::optional<int> window_tokens{}; // sliding window, this token included
    WeightGroupId sinks{}; // vector [num_heads] or none: a score that takes part in the softmax and has no value
    bool causal = true; // false: every row sees the whole context (encoders), so a sequence comes in one step
};

enum class GatherIndex : std::uint8_t { token, position, zero }; // which row of the table a row of the step takes

/// output[row] (+)= scale * W[index of the row]                 W: [vocab, dim]   output: [num_rows, dim] f32
struct GatherOp {
    WeightGroupId embedding; // role embedding or tied_head
    ActivationId output;
    float scale = 1; // Gemma: sqrt(dim), rounded to the model's 16-bit type by the architecture
    std::optional<RmsNormPrologue> next_norm{}; // hint, as in AddResidualEpilogue
    GatherIndex index = GatherIndex::token;
    bool adds = false; // to what the output holds
};

/// Chooses the next token of every sampling sequence of the step, or verifies its drafts; see sampling.h.
struct SamplingOp {
    ActivationId logits; // [num_logit_rows, vocab] f32
};

// ---- the floor: what fused ops decompose to ------------------------------------------------------------------------
/// output = input / rms(input) * gain, over groups of `group_dim` (a head, or the whole row).  May be in place.
/// centered (layer norm): the mean is taken off first, `bias` is added last.
struct NormOp {
    ActivationId input, output;
    RmsNormPrologue norm;
    int group_dim = 0; // 0: the whole row
    bool centered = false;
    WeightGroupId bias{}; // vector as long as the gain, or none
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
/// target += source * scale (* sigmoid(row_gate))               both: [num_rows, dim] f32   row_gate: [num_rows, 1] or none
struct AddOp {
    ActivationId target, source;
    float scale = 1;
    ActivationId row_gate{};
};
/// output = act(gate) * up, or act(gate) without `up`           all: [num_rows, ff_dim] f32
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

enum class RouterKind : std::uint8_t { softmax, sigmoid }; // how router logits become scores

/// Mixture of experts: the `num_used` experts of highest score (+ selection_bias) for each row; their scores, divided by
/// their sum if `normalize`, weigh down_e(act(gate_e(x) + gate_bias) * (up_e(x) + up_bias)) + down_bias.
/// residual += scale * weighted sum.   input: [num_rows, dim], normed   router: [num_rows, num_experts] logits
struct ExpertsOp {
    ActivationId input, router, residual;
    WeightGroupId gate_up; // role experts, members gate, up: [num_experts * ff_dim, dim]
    WeightGroupId down; // role experts: [num_experts * dim, ff_dim]
    WeightGroupId gate_bias{}, up_bias{}, down_bias{}; // vectors, expert by expert, or none
    WeightGroupId selection_bias{}; // vector [num_experts] or none: chooses, does not weigh
    int num_experts = 0;
    int num_used = 0;
    RouterKind router_kind = RouterKind::softmax;
    bool normalize = false;
    float scale = 1;
    GateKind kind = GateKind::silu;
};
/// Copies a part of each head: target[h][target_first + i] = source[h or 0][source_first + i], i < count; source heads are
/// one (shared by all) or as many as the target's.  The rest of the target keeps its values, or is 0 with `clear`.
struct HeadCopyOp {
    ActivationId source, target;
    int num_heads = 0; // of the target
    int source_heads = 0; // num_heads or 1
    int source_first = 0;
    int target_first = 0;
    int count = 0;
    bool clear = false;
};

/// One matrix for each head (latent attention): target[h][target_first + i] = row i of W_h * source[h][source_first ...].
/// W: role experts, 1 member [num_heads * out, in].  The rest of the target keeps its values.
struct HeadLinearOp {
    ActivationId source, target;
    WeightGroupId weights;
    int num_heads = 0;
    int source_first = 0;
    int target_first = 0;
};

/// LoRA: output += up * (weight ∘ (down * input)), where `weight` is, for each row and each of the `rank_ends.back()` hidden
/// values, the row's StepArgs::adapter_weights of the adapter that the value belongs to.  A step without weights skips it.
/// Hidden values [rank_ends[a - 1], rank_ends[a]) belong to adapter a; those behind the last end are padding of zeros.
struct LowRankOp {
    ActivationId input, output;
    ActivationId hidden; // [num_rows, padded rank]
    WeightGroupId down; // [padded rank, in_dim]
    WeightGroupId up; // [out_dim, padded rank]
    std::vector<std::int32_t> rank_ends; // one for each of Program::num_adapters, ascending
    RowSet rows = RowSet::all;
};

using Op = std::variant<GatherOp, LinearOp, AttentionOp, SamplingOp, NormOp, RopeOp, KvWriteOp, AddOp, GateOp,
    MemberLinearOp, ExpertsOp, HeadCopyOp, HeadLinearOp, LowRankOp>;

} // namespace vitrine::kernels
