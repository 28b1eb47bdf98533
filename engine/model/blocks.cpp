// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: builders of the blocks of a layer.
#include "engine/model/blocks.h"

#include <fmt/format.h>

namespace vitrine::engine {

using namespace kernels;

namespace {

struct QkvNeeds {
    std::vector<TensorNeed> matrices;
    WeightGroupId q_bias, k_bias, v_bias;
};

/// Three tensors, or one whose rows are q, then k, then v.
QkvNeeds qkv_needs(ProgramBuilder& builder, int layer, std::int64_t query_dim, std::int64_t kv_dim) {
    const std::int64_t total = query_dim + 2 * kv_dim;
    if (const std::string fused = layer_tensor(layer, "attn_qkv.weight"); builder.has(fused)) {
        const std::string bias = layer_tensor(layer, "attn_qkv.bias");
        return {{{fused, query_dim, 0, total}, {fused, kv_dim, query_dim, total},
                    {fused, kv_dim, query_dim + kv_dim, total}},
            builder.optional_vector(bias, query_dim, 0, total), builder.optional_vector(bias, kv_dim, query_dim, total),
            builder.optional_vector(bias, kv_dim, query_dim + kv_dim, total)};
    }
    return {{{layer_tensor(layer, "attn_q.weight"), query_dim}, {layer_tensor(layer, "attn_k.weight"), kv_dim},
                {layer_tensor(layer, "attn_v.weight"), kv_dim}},
        builder.optional_vector(layer_tensor(layer, "attn_q.bias"), query_dim),
        builder.optional_vector(layer_tensor(layer, "attn_k.bias"), kv_dim),
        builder.optional_vector(layer_tensor(layer, "attn_v.bias"), kv_dim)};
}

/// The norm that will read the residual next, for the op that writes it: only an RMS norm folds into the reader.
std::optional<RmsNormPrologue> norm_hint(ProgramBuilder& builder, const std::string& name) {
    if (builder.config().layer_norm || !builder.has(name))
        return std::nullopt;
    return builder.norm(name, builder.config().embedding_dim);
}

std::optional<RmsNormPrologue> hint_after_layer(ProgramBuilder& builder, int layer) {
    const bool last = layer + 1 == builder.config().num_layers;
    return norm_hint(builder, last ? "output_norm.weight" : layer_tensor(layer + 1, "attn_norm.weight"));
}

AddResidualEpilogue residual_epilogue(ProgramBuilder& builder, int layer, std::string_view bias,
    std::string_view post_norm, std::optional<RmsNormPrologue> next_norm) {
    AddResidualEpilogue add{builder.residual(),
        builder.optional_vector(layer_tensor(layer, bias), builder.config().embedding_dim), {}, next_norm,
        builder.config().residual_scale};
    if (!post_norm.empty())
        add.post_norm = builder.norm(layer_tensor(layer, post_norm), builder.config().embedding_dim);
    return add;
}

BlockInput materialized(ProgramBuilder& builder, const BlockInput& input) {
    const auto* norm = std::get_if<RmsNormPrologue>(&input.prologue);
    if (!norm)
        return input;
    const auto output = builder.activation("normed", builder.config().embedding_dim);
    builder.add(NormOp{input.id, output, *norm, 0, false, {}});
    return {output, NoPrologue{}};
}

/// q, k, v one by one: for norms that span all heads (OLMo 2).
void projected_heads(ProgramBuilder& builder, int layer, const BlockInput& input, WeightGroupId qkv,
    const QkvNeeds& needs, const HeadLayout& heads, LayerId kv_layer, RopeId rope, ActivationId query) {
    const std::int64_t kv_dim = std::int64_t{heads.num_kv_heads} * heads.head_dim;
    const auto keys = builder.activation("keys", kv_dim);
    const auto values = builder.activation("values", kv_dim);
    const ActivationId source = materialized(builder, input).id;
    builder.add(MemberLinearOp{source, query, qkv, 0, needs.q_bias, RowSet::all});
    builder.add(MemberLinearOp{source, keys, qkv, 1, needs.k_bias, RowSet::all});
    builder.add(MemberLinearOp{source, values, qkv, 2, needs.v_bias, RowSet::all});
    const auto norm = [&](ActivationId value, std::string_view name, std::int64_t dim) {
        builder.add(NormOp{value, value, builder.norm(layer_tensor(layer, name), dim), 0, false, {}});
    };
    norm(query, "attn_q_norm.weight", std::int64_t{heads.num_heads} * heads.head_dim);
    norm(keys, "attn_k_norm.weight", kv_dim);
    if (rope.valid()) {
        builder.add(RopeOp{query, heads.num_heads, heads.head_dim, rope});
        builder.add(RopeOp{keys, heads.num_kv_heads, heads.head_dim, rope});
    }
    builder.add(KvWriteOp{keys, values, kv_layer, heads});
}

struct GateUpNeeds {
    std::vector<TensorNeed> matrices; // gate, up; or up alone
    WeightGroupId gate_bias, up_bias;
};

GateUpNeeds gate_up_needs(ProgramBuilder& builder, int layer, std::string_view suffix, std::int64_t ff_dim) {
    const auto name = [&](std::string_view part) { return layer_tensor(layer, fmt::format("ffn_{}{}", part, suffix)); };
    const std::string up = name("up");
    if (builder.has(name("gate") + ".weight"))
        return {{{name("gate") + ".weight", ff_dim}, {up + ".weight", ff_dim}},
            builder.optional_vector(name("gate") + ".bias", ff_dim), builder.optional_vector(up + ".bias", ff_dim)};
    if (builder.rows_of(up + ".weight") == 2 * ff_dim) // gate above up in one tensor (Phi 3, GLM 4)
        return {{{up + ".weight", ff_dim, 0, 2 * ff_dim}, {up + ".weight", ff_dim, ff_dim, 2 * ff_dim}},
            builder.optional_vector(up + ".bias", ff_dim, 0, 2 * ff_dim),
            builder.optional_vector(up + ".bias", ff_dim, ff_dim, 2 * ff_dim)};
    return {{{up + ".weight", ff_dim}}, {}, builder.optional_vector(up + ".bias", ff_dim)};
}

/// act(gate(x)) * up(x), or act(up(x)), into an activation of its own.
ActivationId hidden_values(ProgramBuilder& builder, const GateUpNeeds& needs, GateKind kind, std::string_view name,
    std::int64_t ff_dim, const BlockInput& input) {
    const auto hidden = builder.activation(name, ff_dim);
    const bool is_gated = needs.matrices.size() == 2;
    const std::int64_t in_dim = builder.config().embedding_dim;
    const auto weights = builder.matrices(is_gated ? WeightRole::gate_up : WeightRole::plain, in_dim, needs.matrices);
    if (!is_gated) {
        builder.add(LinearOp{input.id, input.prologue, weights, StoreEpilogue{hidden, needs.up_bias}, RowSet::all});
        builder.add(GateOp{hidden, {}, hidden, kind});
        return hidden;
    }
    if (!needs.gate_bias.valid() && !needs.up_bias.valid()) {
        builder.add(LinearOp{input.id, input.prologue, weights, GatedEpilogue{hidden, kind}, RowSet::all});
        return hidden;
    }
    const auto gate = builder.activation(fmt::format("{}.gate", name), ff_dim);
    const auto up = builder.activation(fmt::format("{}.up", name), ff_dim);
    const ActivationId source = materialized(builder, input).id;
    builder.add(MemberLinearOp{source, gate, weights, 0, needs.gate_bias, RowSet::all});
    builder.add(MemberLinearOp{source, up, weights, 1, needs.up_bias, RowSet::all});
    builder.add(GateOp{gate, up, hidden, kind});
    return hidden;
}

/// Experts that see every token, weighed by a gate of their own where the file has one (Qwen 2 MoE).
void shared_experts(ProgramBuilder& builder, int layer, GateKind kind, const BlockInput& input) {
    const std::string down = layer_tensor(layer, "ffn_down_shexp.weight");
    if (!builder.has(down))
        return;
    const ModelConfig& config = builder.config();
    const std::int64_t ff_dim = builder.width_of(down);
    const auto needs = gate_up_needs(builder, layer, "_shexp", ff_dim);
    const auto hidden = hidden_values(builder, needs, kind, "shared_experts", ff_dim, input);
    const auto weights = builder.matrices(WeightRole::plain, ff_dim, {{down, config.embedding_dim}});
    const std::string gate_name = layer_tensor(layer, "ffn_gate_inp_shexp.weight");
    if (!builder.has(gate_name)) {
        builder.add(LinearOp{hidden, NoPrologue{}, weights,
            AddResidualEpilogue{builder.residual(), {}, {}, {}, config.residual_scale}, RowSet::all});
        return;
    }
    const auto gate = builder.activation("shared_gate", 1);
    const auto output = builder.activation("shared_output", config.embedding_dim);
    const auto gate_weights = builder.matrices(WeightRole::plain, config.embedding_dim, {{gate_name, 1}});
    builder.add(LinearOp{input.id, input.prologue, gate_weights, StoreEpilogue{gate, {}}, RowSet::all});
    builder.add(LinearOp{hidden, NoPrologue{}, weights, StoreEpilogue{output, {}}, RowSet::all});
    builder.add(AddOp{builder.residual(), output, config.residual_scale, gate});
}

} // namespace

std::string layer_tensor(int layer, std::string_view tail) {
    return fmt::format("blk.{}.{}", layer, tail);
}

void embed(ProgramBuilder& builder, float scale) {
    const ModelConfig& config = builder.config();
    const bool tied = !builder.has("output.weight");
    const auto embedding = builder.matrices(tied ? WeightRole::tied_head : WeightRole::embedding, config.embedding_dim,
        {{"token_embd.weight", config.vocab_size}});
    builder.add(
        GatherOp{embedding, builder.residual(), scale, norm_hint(builder, layer_tensor(0, "attn_norm.weight"))});
}

BlockInput plain_residual(ProgramBuilder& builder) {
    return {builder.residual(), NoPrologue{}};
}

BlockInput normed(ProgramBuilder& builder, const std::string& stem) {
    return builder.config().layer_norm
        ? normed_once(builder, stem)
        : BlockInput{builder.residual(), builder.norm(stem + ".weight", builder.config().embedding_dim)};
}

BlockInput normed_once(ProgramBuilder& builder, const std::string& stem) {
    const std::int64_t dim = builder.config().embedding_dim;
    const auto output = builder.activation("normed", dim);
    builder.add(NormOp{builder.residual(), output, builder.norm(stem + ".weight", dim), 0, builder.config().layer_norm,
        builder.optional_vector(stem + ".bias", dim)});
    return {output, NoPrologue{}};
}

void attention(ProgramBuilder& builder, int layer, const AttentionBlock& block, const BlockInput& input) {
    const ModelConfig& config = builder.config();
    const HeadLayout heads{config.num_heads, config.num_kv_heads, config.head_dim};
    const std::int64_t query_dim = std::int64_t{heads.num_heads} * heads.head_dim;
    const std::int64_t kv_dim = std::int64_t{heads.num_kv_heads} * heads.head_dim;
    const auto query = builder.activation("query", query_dim);
    const auto mixed = builder.activation("attention", query_dim);
    const LayerId kv_layer = builder.add_kv_layer(heads);
    const QkvNeeds needs = qkv_needs(builder, layer, query_dim, kv_dim);
    const auto qkv = builder.matrices(WeightRole::qkv, config.embedding_dim, needs.matrices);

    const std::string q_norm = layer_tensor(layer, "attn_q_norm.weight");
    if (builder.has(q_norm) && builder.width_of(q_norm) != heads.head_dim) {
        projected_heads(builder, layer, input, qkv, needs, heads, kv_layer, block.rope, query);
    } else {
        RopeKvEpilogue rope_kv{query, kv_layer, heads, block.rope, needs.q_bias, needs.k_bias, needs.v_bias, {}, {}};
        if (builder.has(q_norm)) {
            rope_kv.q_norm = builder.norm(q_norm, heads.head_dim);
            rope_kv.k_norm = builder.norm(layer_tensor(layer, "attn_k_norm.weight"), heads.head_dim);
        }
        builder.add(LinearOp{input.id, input.prologue, qkv, rope_kv, RowSet::all});
    }
    builder.add(AttentionOp{query, mixed, kv_layer, heads, block.scale, block.softcap, block.window_tokens,
        builder.optional_vector(layer_tensor(layer, "attn_sinks.weight"), heads.num_heads), block.causal});
    const auto add = residual_epilogue(builder, layer, "attn_output.bias", block.post_norm,
        block.next_norm.empty() ? std::nullopt : norm_hint(builder, layer_tensor(layer, block.next_norm)));
    const auto output = builder.matrices(
        WeightRole::plain, query_dim, {{layer_tensor(layer, "attn_output.weight"), config.embedding_dim}});
    builder.add(LinearOp{mixed, NoPrologue{}, output, add, RowSet::all});
}

void feed_forward(ProgramBuilder& builder, int layer, const FeedForwardBlock& block, const BlockInput& input) {
    const ModelConfig& config = builder.config();
    const GateUpNeeds needs = gate_up_needs(builder, layer, "", config.feed_forward_dim);
    const auto hidden = hidden_values(builder, needs, block.gate, "feed_forward", config.feed_forward_dim, input);
    const auto add =
        residual_epilogue(builder, layer, "ffn_down.bias", block.post_norm, hint_after_layer(builder, layer));
    const auto down = builder.matrices(
        WeightRole::plain, config.feed_forward_dim, {{layer_tensor(layer, "ffn_down.weight"), config.embedding_dim}});
    builder.add(LinearOp{hidden, NoPrologue{}, down, add, RowSet::all});
}

void experts(ProgramBuilder& builder, int layer, const ExpertsBlock& block, const BlockInput& input) {
    const ModelConfig& config = builder.config();
    const ExpertConfig& mixture = config.experts;
    const std::int64_t dim = config.embedding_dim;
    const std::int64_t total = std::int64_t{mixture.num_experts} * mixture.feed_forward_dim;
    const auto router = builder.activation("router", mixture.num_experts);
    const auto router_weights =
        builder.matrices(WeightRole::plain, dim, {{layer_tensor(layer, "ffn_gate_inp.weight"), mixture.num_experts}});
    builder.add(LinearOp{input.id, input.prologue, router_weights,
        StoreEpilogue{router, builder.optional_vector(layer_tensor(layer, "ffn_gate_inp.bias"), mixture.num_experts)},
        RowSet::all});
    ExpertsOp op;
    op.input = input.id;
    op.router = router;
    op.residual = builder.residual();
    op.gate_up = builder.matrices(WeightRole::experts, dim,
        {{layer_tensor(layer, "ffn_gate_exps.weight"), total}, {layer_tensor(layer, "ffn_up_exps.weight"), total}});
    op.down = builder.matrices(WeightRole::experts, mixture.feed_forward_dim,
        {{layer_tensor(layer, "ffn_down_exps.weight"), mixture.num_experts * dim}});
    op.gate_bias = builder.optional_vector(layer_tensor(layer, "ffn_gate_exps.bias"), total);
    op.up_bias = builder.optional_vector(layer_tensor(layer, "ffn_up_exps.bias"), total);
    op.down_bias = builder.optional_vector(layer_tensor(layer, "ffn_down_exps.bias"), mixture.num_experts * dim);
    op.selection_bias = builder.optional_vector(layer_tensor(layer, "exp_probs_b.bias"), mixture.num_experts);
    op.num_experts = mixture.num_experts;
    op.num_used = mixture.num_used;
    op.router_kind = mixture.sigmoid ? RouterKind::sigmoid : RouterKind::softmax;
    op.normalize = block.normalize || mixture.normalize;
    op.scale = mixture.scale * config.residual_scale;
    op.kind = block.gate;
    builder.add(op);
    shared_experts(builder, layer, block.gate, input);
}

void head(ProgramBuilder& builder, float logit_scale, float softcap) {
    const ModelConfig& config = builder.config();
    const bool tied = !builder.has("output.weight");
    const WeightGroupId weights = tied
        ? WeightGroupId{0} // embed() came first
        : builder.matrices(WeightRole::head, config.embedding_dim, {{"output.weight", config.vocab_size}});
    const auto logits = builder.activation("logits", config.vocab_size);
    const BlockInput input = normed(builder, "output_norm");
    if (builder.has("output.bias"))
        builder.add(LinearOp{input.id, input.prologue, weights,
            StoreEpilogue{logits, builder.vector("output.bias", config.vocab_size)}, RowSet::needs_logits});
    else
        builder.add(LinearOp{
            input.id, input.prologue, weights, LogitsEpilogue{logits, logit_scale, softcap}, RowSet::needs_logits});
    builder.add(SamplingOp{logits});
}

} // namespace vitrine::engine
