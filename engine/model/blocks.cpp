// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: fused-op builders.
#include "engine/model/blocks.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/quant/row_quantizer.h"

namespace vitrine::engine {

using namespace kernels;

ProgramBuilder::ProgramBuilder(const gguf::File& file, const ModelConfig& config, BuilderOptions options)
    : file_(file), config_(config), options_(std::move(options)) {
    program_.vocab_size = config.vocab_size;
    program_.max_positions = options_.max_positions;
}

void ProgramBuilder::embed(float scale) {
    const bool tied = file_.find_tensor("output.weight") == nullptr;
    embedding_ = matrices(tied ? WeightRole::tied_head : WeightRole::embedding, config_.embedding_dim,
        {{"token_embd.weight", config_.vocab_size}});
    program_.ops.emplace_back(GatherOp{embedding_, activation("residual", config_.embedding_dim), scale,
        norm(layer_name(0, "attn_norm.weight"), config_.embedding_dim)});
}

void ProgramBuilder::attention(int layer, const AttentionBlock& block) {
    const HeadLayout heads{config_.num_heads, config_.num_kv_heads, config_.head_dim};
    const std::int64_t query_dim = std::int64_t{heads.num_heads} * heads.head_dim;
    const std::int64_t kv_dim = std::int64_t{heads.num_kv_heads} * heads.head_dim;
    const auto residual = activation("residual", config_.embedding_dim);
    const auto query = activation("query", query_dim);
    const auto mixed = activation("attention", query_dim);
    const LayerId layer_id{static_cast<std::int32_t>(program_.kv_layers.size())};
    program_.kv_layers.push_back(KvLayer{heads.num_kv_heads, heads.head_dim});

    RopeKvEpilogue rope_kv{query, layer_id, heads, block.rope, {}, {}, {}, {}, {}};
    if (block.biases) {
        rope_kv.q_bias = vector(layer_name(layer, "attn_q.bias"), query_dim);
        rope_kv.k_bias = vector(layer_name(layer, "attn_k.bias"), kv_dim);
        rope_kv.v_bias = vector(layer_name(layer, "attn_v.bias"), kv_dim);
    }
    if (block.qk_norm) {
        rope_kv.q_norm = norm(layer_name(layer, "attn_q_norm.weight"), heads.head_dim);
        rope_kv.k_norm = norm(layer_name(layer, "attn_k_norm.weight"), heads.head_dim);
    }
    const auto qkv = matrices(WeightRole::qkv, config_.embedding_dim,
        {{layer_name(layer, "attn_q.weight"), query_dim}, {layer_name(layer, "attn_k.weight"), kv_dim},
            {layer_name(layer, "attn_v.weight"), kv_dim}});
    program_.ops.emplace_back(LinearOp{
        residual, norm(layer_name(layer, "attn_norm.weight"), config_.embedding_dim), qkv, rope_kv, RowSet::all});
    program_.ops.emplace_back(
        AttentionOp{query, mixed, layer_id, heads, block.scale, block.softcap, block.window_tokens});

    AddResidualEpilogue add{
        residual, {}, {}, norm(layer_name(layer, "ffn_norm.weight"), config_.embedding_dim), config_.residual_scale};
    if (block.post_norm)
        add.post_norm = norm(layer_name(layer, "post_attention_norm.weight"), config_.embedding_dim);
    if (const auto bias = layer_name(layer, "attn_output.bias"); file_.find_tensor(bias))
        add.bias = vector(bias, config_.embedding_dim);
    const auto output =
        matrices(WeightRole::plain, query_dim, {{layer_name(layer, "attn_output.weight"), config_.embedding_dim}});
    program_.ops.emplace_back(LinearOp{mixed, NoPrologue{}, output, add, RowSet::all});
}

void ProgramBuilder::feed_forward(int layer, const FeedForwardBlock& block) {
    const auto residual = activation("residual", config_.embedding_dim);
    const auto gated = activation("feed_forward", config_.feed_forward_dim);
    const auto gate_up = matrices(WeightRole::gate_up, config_.embedding_dim,
        {{layer_name(layer, "ffn_gate.weight"), config_.feed_forward_dim},
            {layer_name(layer, "ffn_up.weight"), config_.feed_forward_dim}});
    program_.ops.emplace_back(LinearOp{residual, norm(layer_name(layer, "ffn_norm.weight"), config_.embedding_dim),
        gate_up, GatedEpilogue{gated, block.gate}, RowSet::all});

    AddResidualEpilogue add{residual, {}, {}, norm_after(layer), config_.residual_scale};
    if (block.post_norm)
        add.post_norm = norm(layer_name(layer, "post_ffw_norm.weight"), config_.embedding_dim);
    const auto down = matrices(
        WeightRole::plain, config_.feed_forward_dim, {{layer_name(layer, "ffn_down.weight"), config_.embedding_dim}});
    program_.ops.emplace_back(LinearOp{gated, NoPrologue{}, down, add, RowSet::all});
}

void ProgramBuilder::head(float logit_scale, float softcap) {
    WeightGroupId weights = embedding_;
    if (file_.find_tensor("output.weight"))
        weights = matrices(WeightRole::head, config_.embedding_dim, {{"output.weight", config_.vocab_size}});
    const auto logits = activation("logits", config_.vocab_size);
    program_.ops.emplace_back(
        LinearOp{activation("residual", config_.embedding_dim), norm("output_norm.weight", config_.embedding_dim),
            weights, LogitsEpilogue{logits, logit_scale, softcap}, RowSet::needs_logits});
    program_.ops.emplace_back(SamplingOp{logits});
}

RopeId ProgramBuilder::add_rope(const RopeConfig& rope, bool with_factors) {
    const auto factors = with_factors ? std::span<const float>(options_.rope_factors) : std::span<const float>{};
    program_.ropes.push_back(make_rope(rope, options_.rope_style, factors, config_.context_length));
    return RopeId{static_cast<std::int32_t>(program_.ropes.size()) - 1};
}

Result<Program> ProgramBuilder::finish() {
    if (error_)
        return tl::unexpected(*error_);
    return std::move(program_);
}

std::string ProgramBuilder::layer_name(int layer, std::string_view tail) const {
    return fmt::format("blk.{}.{}", layer, tail);
}

ActivationId ProgramBuilder::activation(std::string_view name, std::int64_t dim) {
    const auto [entry, is_new] = activations_.try_emplace(
        std::string(name), ActivationId{static_cast<std::int32_t>(program_.activations.size())});
    if (is_new)
        program_.activations.push_back(Activation{std::string(name), dim});
    return entry->second;
}

WeightGroupId ProgramBuilder::matrices(WeightRole role, std::int64_t in_dim, const std::vector<TensorNeed>& needs) {
    WeightGroupSpec group{role, {}};
    for (const TensorNeed& need : needs) {
        auto found = member(need.name, need.out_dim, in_dim);
        if (!found)
            return {};
        found->format = stored_format(found->format, in_dim, role);
        group.members.push_back(*std::move(found));
    }
    program_.weights.push_back(std::move(group));
    return WeightGroupId{static_cast<std::int32_t>(program_.weights.size()) - 1};
}

WeightGroupId ProgramBuilder::vector(const std::string& name, std::int64_t dim) {
    if (const auto known = vectors_.find(name); known != vectors_.end())
        return known->second;
    auto found = member(name, 1, dim);
    if (!found)
        return {};
    const WeightGroupId id{static_cast<std::int32_t>(program_.weights.size())};
    program_.weights.push_back(WeightGroupSpec{WeightRole::vector, {*std::move(found)}});
    vectors_.emplace(name, id);
    return id;
}

RmsNormPrologue ProgramBuilder::norm(const std::string& name, std::int64_t dim) {
    return RmsNormPrologue{vector(name, dim), config_.rms_eps};
}

RmsNormPrologue ProgramBuilder::norm_after(int layer) {
    const bool last = layer + 1 == config_.num_layers;
    return norm(last ? "output_norm.weight" : layer_name(layer + 1, "attn_norm.weight"), config_.embedding_dim);
}

std::optional<WeightMember> ProgramBuilder::member(const std::string& name, std::int64_t out_dim, std::int64_t in_dim) {
    const gguf::Tensor* tensor = file_.find_tensor(name);
    if (!tensor) {
        keep(Error{ErrorCode::bad_file, fmt::format("{}: tensor {} is missing", file_.path(), name),
            "The file is incomplete or not a text model; fetch it again."});
        return std::nullopt;
    }
    if (!tensor->format) {
        keep(Error{ErrorCode::unsupported,
            fmt::format(
                "{}: tensor {} has type number {}, which this build cannot compute", file_.path(), name, tensor->type),
            "Choose a file of a common quantization such as Q4_K_M, Q8_0 or F16."});
        return std::nullopt;
    }
    if (tensor->in_dim() != in_dim || tensor->out_dim() != out_dim) {
        keep(Error{ErrorCode::bad_file,
            fmt::format("{}: tensor {} is {} by {}, needed {} by {}", file_.path(), name, tensor->in_dim(),
                tensor->out_dim(), in_dim, out_dim),
            "The file is damaged; fetch it again."});
        return std::nullopt;
    }
    return WeightMember{name, out_dim, in_dim, *tensor->format};
}

WeightFormat ProgramBuilder::stored_format(WeightFormat in_file, std::int64_t in_dim, WeightRole role) const {
    if (!options_.target)
        return in_file;
    const bool vocabulary = role != WeightRole::plain && role != WeightRole::qkv && role != WeightRole::gate_up;
    const auto wanted = fallback_format(*options_.target, in_dim);
    // Embedding and head decide every token: below 8 bits they cost quality out of proportion to their size.
    if (vocabulary && row_bytes(wanted, in_dim) < row_bytes(WeightFormat::q8_0, in_dim))
        return row_bytes(in_file, in_dim) <= row_bytes(WeightFormat::q8_0, in_dim) ? in_file : WeightFormat::q8_0;
    return wanted;
}

void ProgramBuilder::keep(Error error) {
    if (!error_)
        error_ = std::move(error);
}

} // namespace vitrine::engine
