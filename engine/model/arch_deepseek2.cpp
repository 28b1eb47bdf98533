// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: DeepSeek 2 and 3: multi-head latent attention, in the form where all heads share one cached row of
// latent values and a rotated part (DeepSeek-AI 2024, arXiv:2405.04434, appendix C), and experts after the first layers.
#include <cmath>

#include "engine/model/architecture.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {

using namespace kernels;

namespace {

struct LatentShape {
    std::int64_t latent, rotated, plain; // of a key: cached latent, rotated, and not rotated dimensions
    HeadLayout heads; // one KV head of latent + rotated
};

LatentShape shape_of(const ModelConfig& config) {
    const std::int64_t rotated = config.rope.rotary_dim;
    const std::int64_t latent = config.latent.kv_rank;
    return {
        latent, rotated, config.latent.key_dim - rotated, {config.num_heads, 1, static_cast<int>(latent + rotated)}};
}

/// q of all heads, [plain | rotated] each, by one product or through a compressed form.
ActivationId raw_query(ProgramBuilder& builder, int layer, const BlockInput& input, const LatentShape& shape) {
    const ModelConfig& config = builder.config();
    const std::int64_t dim = config.num_heads * (shape.plain + shape.rotated);
    const auto query = builder.activation("raw_query", dim);
    if (config.latent.query_rank == 0) {
        const auto weights =
            builder.matrices(WeightRole::plain, config.embedding_dim, {{layer_tensor(layer, "attn_q.weight"), dim}});
        builder.add(LinearOp{input.id, input.prologue, weights, StoreEpilogue{query, {}}, RowSet::all});
        return query;
    }
    const auto compressed = builder.activation("query_latent", config.latent.query_rank);
    const auto down = builder.matrices(
        WeightRole::plain, config.embedding_dim, {{layer_tensor(layer, "attn_q_a.weight"), config.latent.query_rank}});
    builder.add(LinearOp{input.id, input.prologue, down, StoreEpilogue{compressed, {}}, RowSet::all});
    const auto up =
        builder.matrices(WeightRole::plain, config.latent.query_rank, {{layer_tensor(layer, "attn_q_b.weight"), dim}});
    builder.add(
        LinearOp{compressed, builder.norm(layer_tensor(layer, "attn_q_a_norm.weight"), config.latent.query_rank), up,
            StoreEpilogue{query, {}}, RowSet::all});
    return query;
}

/// Writes [rotated | latent] of every token to the cache.  The rotated part stands first, where rope finds it.
void write_latent(
    ProgramBuilder& builder, int layer, const BlockInput& input, const LatentShape& shape, LayerId kv, RopeId rope) {
    const std::string name = layer_tensor(layer, "attn_kv_a_mqa.weight");
    const std::int64_t total = shape.latent + shape.rotated;
    const auto latent = builder.activation("kv_latent", shape.latent);
    const auto rotated = builder.activation("kv_rotated", shape.rotated);
    const auto keys = builder.activation("keys", total);
    const auto values = builder.activation("values", total);
    const auto weights = builder.matrices(WeightRole::plain, builder.config().embedding_dim,
        {{name, shape.latent, 0, total}, {name, shape.rotated, shape.latent, total}});
    builder.add(MemberLinearOp{input.id, latent, weights, 0, {}, RowSet::all});
    builder.add(MemberLinearOp{input.id, rotated, weights, 1, {}, RowSet::all});
    builder.add(
        NormOp{latent, latent, builder.norm(layer_tensor(layer, "attn_kv_a_norm.weight"), shape.latent), 0, false, {}});
    const auto latent_dim = static_cast<int>(shape.latent);
    const auto rotated_dim = static_cast<int>(shape.rotated);
    builder.add(HeadCopyOp{rotated, keys, 1, 1, 0, 0, rotated_dim, false});
    builder.add(HeadCopyOp{latent, keys, 1, 1, 0, rotated_dim, latent_dim, false});
    builder.add(HeadCopyOp{latent, values, 1, 1, 0, 0, latent_dim, true});
    builder.add(RopeOp{keys, 1, shape.heads.head_dim, rope});
    builder.add(KvWriteOp{keys, values, kv, shape.heads});
}

void latent_attention(ProgramBuilder& builder, int layer, const AttentionBlock& block) {
    const ModelConfig& config = builder.config();
    const LatentShape shape = shape_of(config);
    const auto rotated = static_cast<int>(shape.rotated);
    const LayerId kv = builder.add_kv_layer(shape.heads);
    const std::int64_t query_dim = std::int64_t{config.num_heads} * shape.heads.head_dim;
    const BlockInput input = normed_once(builder, layer_tensor(layer, "attn_norm"));
    write_latent(builder, layer, input, shape, kv, block.rope);
    const auto raw = raw_query(builder, layer, input, shape);
    const auto query = builder.activation("query", query_dim);
    const auto mixed = builder.activation("attention", query_dim);
    const auto values = builder.activation("head_values", std::int64_t{config.num_heads} * config.latent.value_dim);
    const auto key_weights = builder.matrices(
        WeightRole::experts, shape.plain, {{layer_tensor(layer, "attn_k_b.weight"), config.num_heads * shape.latent}});
    const auto value_weights = builder.matrices(WeightRole::experts, shape.latent,
        {{layer_tensor(layer, "attn_v_b.weight"), std::int64_t{config.num_heads} * config.latent.value_dim}});
    builder.add(
        HeadCopyOp{raw, query, config.num_heads, config.num_heads, static_cast<int>(shape.plain), 0, rotated, false});
    builder.add(HeadLinearOp{raw, query, key_weights, config.num_heads, 0, rotated});
    builder.add(RopeOp{query, config.num_heads, shape.heads.head_dim, block.rope});
    builder.add(AttentionOp{query, mixed, kv, shape.heads, block.scale, 0, {}, {}});
    builder.add(HeadLinearOp{mixed, values, value_weights, config.num_heads, 0, 0});
    const auto output = builder.matrices(WeightRole::plain, std::int64_t{config.num_heads} * config.latent.value_dim,
        {{layer_tensor(layer, "attn_output.weight"), config.embedding_dim}});
    builder.add(
        LinearOp{values, NoPrologue{}, output, AddResidualEpilogue{builder.residual(), {}, {}, {}, 1}, RowSet::all});
}

/// YaRN's factor on the scores is not the one on the rotation (modeling_deepseek: mscale and mscale_all_dim).
float latent_scale(const ModelConfig& config) {
    const double mscale =
        config.rope.scaling == RopeScaling::yarn ? 1 + config.rope.log_multiplier * std::log(config.rope.factor) : 1;
    return static_cast<float>(mscale * mscale / std::sqrt(static_cast<double>(config.latent.key_dim)));
}

} // namespace

void build_deepseek2(ProgramBuilder& builder, const ModelConfig& config) {
    if (config.latent.kv_rank == 0 || builder.has("blk.0.attn_kv_b.weight")) {
        builder.keep(
            make_error(ErrorCode::unsupported, say(Sentence::latent_not_split), say(Sentence::fetch_newer_conversion)));
        return;
    }
    RopeConfig rope = config.rope;
    if (rope.scaling == RopeScaling::yarn) // the rotation itself keeps its length
        rope.attention_factor = 1 / (0.1 * std::log(rope.factor) + 1);
    AttentionBlock block;
    block.rope = builder.add_rope(rope, true);
    block.scale = latent_scale(config);
    embed(builder, 1);
    for (int layer = 0; layer < config.num_layers; ++layer) {
        latent_attention(builder, layer, block);
        const std::string stem = layer_tensor(layer, "ffn_norm");
        if (config.experts.num_experts > 0 && layer >= config.experts.num_dense_layers)
            experts(builder, layer, ExpertsBlock{}, normed_once(builder, stem));
        else
            feed_forward(builder, layer, FeedForwardBlock{}, normed(builder, stem));
    }
    head(builder, 1, 0);
}

} // namespace vitrine::engine
