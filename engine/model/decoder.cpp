// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: layers of the common decoder.
#include "engine/model/decoder.h"

#include <cmath>

namespace vitrine::engine {
namespace {

void add_layer(ProgramBuilder& builder, int layer, AttentionBlock block, const DecoderStyle& style) {
    const ExpertConfig& mixture = builder.config().experts;
    const bool has_experts = mixture.num_experts > 0 && layer >= mixture.num_dense_layers;
    if (style.vary)
        style.vary(layer, block);
    if (style.post_norm)
        block.post_norm = "post_attention_norm.weight";
    if (has_experts || style.parallel || !style.pre_norm)
        block.next_norm = {};
    const auto input_of = [&](std::string_view norm, bool once) {
        if (!style.pre_norm)
            return plain_residual(builder);
        const std::string stem = layer_tensor(layer, norm);
        return once ? normed_once(builder, stem) : normed(builder, stem);
    };
    const BlockInput attention_input = input_of("attn_norm", style.parallel);
    attention(builder, layer, block, attention_input);
    const BlockInput input = style.parallel ? attention_input : input_of(style.ffn_norm, has_experts);
    if (has_experts)
        experts(builder, layer, ExpertsBlock{style.gate, style.normalize_experts}, input);
    else
        feed_forward(
            builder, layer, FeedForwardBlock{style.gate, style.post_norm ? "post_ffw_norm.weight" : ""}, input);
}

} // namespace

AttentionBlock plain_attention(ProgramBuilder& builder) {
    const ModelConfig& config = builder.config();
    AttentionBlock block;
    block.rope = builder.add_rope(config.rope, true);
    block.scale =
        config.attention_scale > 0 ? config.attention_scale : 1 / std::sqrt(static_cast<float>(config.head_dim));
    block.softcap = config.attention_softcap;
    if (config.sliding_window > 0)
        block.window_tokens = config.sliding_window;
    return block;
}

RopeConfig local_rope(const ModelConfig& config) {
    RopeConfig rope;
    rope.base = config.local_rope_base;
    rope.rotary_dim = config.rope.rotary_dim;
    return rope;
}

void build_decoder(ProgramBuilder& builder, const AttentionBlock& block, const DecoderStyle& style) {
    embed(builder, style.embedding_scale);
    for (int layer = 0; layer < builder.config().num_layers; ++layer)
        add_layer(builder, layer, block, style);
    head(builder, style.logit_scale, builder.config().final_softcap);
}

} // namespace vitrine::engine
