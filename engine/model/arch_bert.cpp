// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: BERT (Devlin et al. 2018) and Nomic's variant with rotation and a gate: encoders for embeddings.
#include <cmath>

#include "engine/model/architecture.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {

using namespace kernels;

namespace {

/// Sum of the rows for token, kind (the first: one text) and, without rotation, position.
void embed_text(ProgramBuilder& builder) {
    const std::int64_t dim = builder.config().embedding_dim;
    const auto table = [&](const std::string& name) {
        return builder.matrices(WeightRole::embedding, dim, {{name, builder.rows_of(name)}});
    };
    const auto gather = [&](const std::string& name, GatherIndex index, bool adds) {
        builder.add(GatherOp{table(name), builder.residual(), 1, {}, index, adds});
    };
    gather("token_embd.weight", GatherIndex::token, false);
    if (builder.has("token_types.weight"))
        gather("token_types.weight", GatherIndex::zero, true);
    if (!builder.has("position_embd.weight"))
        return;
    if (builder.rows_of("position_embd.weight") < builder.config().context_length)
        builder.keep(make_error(ErrorCode::bad_file,
            say(Sentence::positions_too_few, builder.rows_of("position_embd.weight"), builder.config().context_length),
            say(Sentence::fetch_damaged_again)));
    gather("position_embd.weight", GatherIndex::position, true);
}

/// The residual itself is normed, after each block.
void norm_in_place(ProgramBuilder& builder, const std::string& stem) {
    const std::int64_t dim = builder.config().embedding_dim;
    builder.add(NormOp{builder.residual(), builder.residual(), builder.norm(stem + ".weight", dim), 0, true,
        builder.optional_vector(stem + ".bias", dim)});
}

void build_encoder(ProgramBuilder& builder, GateKind gate) {
    const ModelConfig& config = builder.config();
    AttentionBlock block;
    block.causal = false;
    block.scale = 1 / std::sqrt(static_cast<float>(config.head_dim));
    if (!builder.has("position_embd.weight"))
        block.rope = builder.add_rope(config.rope, false);
    embed_text(builder);
    norm_in_place(builder, "token_embd_norm");
    for (int layer = 0; layer < config.num_layers; ++layer) {
        attention(builder, layer, block, plain_residual(builder));
        norm_in_place(builder, layer_tensor(layer, "attn_output_norm"));
        feed_forward(builder, layer, FeedForwardBlock{gate, {}}, plain_residual(builder));
        norm_in_place(builder, layer_tensor(layer, "layer_output_norm"));
    }
    builder.set_hidden(builder.residual());
}

} // namespace

void build_bert(ProgramBuilder& builder, const ModelConfig& /*config*/) {
    build_encoder(builder, GateKind::gelu);
}

void build_nomic_bert(ProgramBuilder& builder, const ModelConfig& /*config*/) {
    build_encoder(builder, GateKind::silu);
}

} // namespace vitrine::engine
