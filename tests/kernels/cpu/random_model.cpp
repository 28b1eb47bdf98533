// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/cpu/random_model.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <string>

#include "kernels/api/resolve.h"
#include "kernels/ref/half.h"

namespace vitrine::kernels::testing {
namespace {

template <class T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().message.c_str());
        std::abort();
    }
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// 16-bit scale fields of a block: offset, and the share of the spread each unit of code carries.
struct ScaleField {
    int offset;
    float value; // for a spread of 1
};
std::vector<ScaleField> scale_fields(WeightFormat format) {
    switch (format) {
    case WeightFormat::q4_0:
        return {{0, 0.2F}};
    case WeightFormat::q4_1:
        return {{0, 0.2F}, {2, -1.5F}};
    case WeightFormat::q5_0:
        return {{0, 0.1F}};
    case WeightFormat::q5_1:
        return {{0, 0.1F}, {2, -1.55F}};
    case WeightFormat::q8_0:
        return {{0, 0.0136F}};
    case WeightFormat::q2_k:
        return {{80, 0.1F}, {82, 0.15F}};
    case WeightFormat::q3_k:
        return {{108, 0.024F}};
    case WeightFormat::q4_k:
        return {{0, 0.0065F}, {2, 0.05F}};
    case WeightFormat::q5_k:
        return {{0, 0.0033F}, {2, 0.05F}};
    case WeightFormat::q6_k:
        return {{208, 0.0007F}};
    case WeightFormat::iq4_nl:
        return {{0, 0.016F}};
    case WeightFormat::iq4_xs:
        return {{0, 0.0009F}};
    default:
        return {};
    }
}

void put16(std::byte* at, std::uint16_t bits) {
    std::memcpy(at, &bits, sizeof bits);
}

} // namespace

std::vector<std::byte> random_matrix(
    WeightFormat format, std::int64_t out_dim, std::int64_t in_dim, std::uint32_t seed) {
    std::mt19937 random(seed);
    const FormatInfo& info = format_info(format);
    const float spread = 1.0F / std::sqrt(static_cast<float>(in_dim));
    std::vector<std::byte> bytes(static_cast<std::size_t>(row_bytes(format, in_dim) * out_dim));
    const std::vector<ScaleField> fields = scale_fields(format);
    std::normal_distribution<float> normal(0, spread);
    for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(info.block_bytes)) {
        std::byte* block = bytes.data() + at;
        if (info.block_weights == 1) {
            const float value = normal(random);
            if (format == WeightFormat::f32)
                std::memcpy(block, &value, sizeof value);
            else
                put16(block, format == WeightFormat::f16 ? f32_to_f16(value) : f32_to_bf16(value));
            continue;
        }
        for (int i = 0; i < info.block_bytes; i += 4) {
            const auto word = static_cast<std::uint32_t>(random());
            std::memcpy(block + i, &word, static_cast<std::size_t>(std::min(4, info.block_bytes - i)));
        }
        for (const ScaleField& field : fields) {
            const float jitter = 0.75F + static_cast<float>(random() % 1000) / 2000;
            put16(block + field.offset, f32_to_f16(field.value * spread * jitter));
        }
        if (format == WeightFormat::mxfp4) // 2^(e - 128) times doubled codes up to 12
            block[0] =
                static_cast<std::byte>(125 + static_cast<int>(std::log2(spread)) + static_cast<int>(random() % 2));
    }
    return bytes;
}

RandomModel make_random_model(const ModelShape& shape, std::uint32_t seed) {
    RandomModel model;
    Program& program = model.program;
    program.vocab_size = shape.vocab;
    program.max_positions = 8192;
    std::mt19937 random(seed);
    const auto activation = [&](const char* name, std::int64_t dim) {
        program.activations.push_back({name, dim});
        return ActivationId{static_cast<std::int32_t>(program.activations.size()) - 1};
    };
    const auto add_group = [&](WeightGroupSpec spec, std::vector<std::vector<std::byte>> bytes) {
        program.weights.push_back(std::move(spec));
        model.bytes.push_back(std::move(bytes));
        return WeightGroupId{static_cast<std::int32_t>(program.weights.size()) - 1};
    };
    const auto matrices = [&](WeightRole role, std::vector<std::int64_t> out_dims, std::int64_t in_dim,
                              WeightFormat format) {
        WeightGroupSpec spec{role, {}};
        std::vector<std::vector<std::byte>> bytes;
        for (const std::int64_t out_dim : out_dims) {
            spec.members.push_back({"w" + std::to_string(program.weights.size()), out_dim, in_dim, format});
            bytes.push_back(random_matrix(format, out_dim, in_dim, static_cast<std::uint32_t>(random())));
        }
        return add_group(std::move(spec), std::move(bytes));
    };
    const auto vector = [&](std::int64_t dim, float center, float spread) {
        std::normal_distribution<float> normal(center, spread);
        std::vector<std::byte> bytes(static_cast<std::size_t>(dim) * 4);
        for (std::int64_t i = 0; i < dim; ++i) {
            const float value = normal(random);
            std::memcpy(bytes.data() + 4 * i, &value, 4);
        }
        return add_group({WeightRole::vector, {{"v", 1, dim, WeightFormat::f32}}}, {std::move(bytes)});
    };
    const auto norm = [&](std::int64_t dim) { return RmsNormPrologue{vector(dim, 1, 0.1F), 1e-5F}; };

    RopeSpec rope{shape.rope, shape.head_dim, {}, 1};
    for (int i = 0; i < shape.head_dim / 2; ++i)
        rope.inv_freq.push_back(std::pow(10000.0, -2.0 * i / shape.head_dim));
    program.ropes.push_back(rope);
    const bool softcaps = shape.gemma && shape.softcaps;
    const HeadLayout heads{shape.num_heads, shape.num_kv_heads, shape.head_dim};
    const std::int64_t q_dim = std::int64_t{shape.num_heads} * shape.head_dim;
    const std::int64_t kv_dim = std::int64_t{shape.num_kv_heads} * shape.head_dim;
    const auto residual = activation("residual", shape.dim);
    const auto query = activation("query", q_dim);
    const auto mixed = activation("attention", q_dim);
    const auto gated = activation("feed_forward", shape.ff_dim);
    const auto logits = activation("logits", shape.vocab);
    const auto embedding = matrices(WeightRole::tied_head, {shape.vocab}, shape.dim, shape.head_format);
    program.ops.emplace_back(GatherOp{embedding, residual, std::sqrt(static_cast<float>(shape.dim)), {}});
    for (int layer = 0; layer < shape.num_layers; ++layer) {
        const LayerId id{layer};
        program.kv_layers.push_back({shape.num_kv_heads, shape.head_dim});
        RopeKvEpilogue rope_kv{query, id, heads, RopeId{0}, {}, {}, {}, {}, {}};
        if (shape.qwen) {
            rope_kv.q_bias = vector(q_dim, 0, 0.2F);
            rope_kv.k_bias = vector(kv_dim, 0, 0.2F);
            rope_kv.v_bias = vector(kv_dim, 0, 0.2F);
            rope_kv.q_norm = norm(shape.head_dim);
            rope_kv.k_norm = norm(shape.head_dim);
        }
        const auto qkv = matrices(WeightRole::qkv, {q_dim, kv_dim, kv_dim}, shape.dim, shape.format);
        program.ops.emplace_back(LinearOp{residual, norm(shape.dim), qkv, rope_kv, RowSet::all});
        AttentionOp attention{
            query, mixed, id, heads, 1.0F / std::sqrt(static_cast<float>(shape.head_dim)), softcaps ? 20.0F : 0, {}};
        if (shape.window > 0 && layer % 2 == 0)
            attention.window_tokens = shape.window;
        program.ops.emplace_back(attention);
        AddResidualEpilogue add{residual, {}, {}, {}, 1};
        if (shape.gemma)
            add.post_norm = norm(shape.dim);
        program.ops.emplace_back(LinearOp{mixed, NoPrologue{},
            matrices(WeightRole::plain, {shape.dim}, q_dim, shape.out_format.value_or(shape.format)), add,
            RowSet::all});
        const auto gate_up = matrices(WeightRole::gate_up, {shape.ff_dim, shape.ff_dim}, shape.dim, shape.format);
        program.ops.emplace_back(LinearOp{residual, norm(shape.dim), gate_up,
            GatedEpilogue{gated, shape.gemma ? GateKind::gelu_tanh : GateKind::silu}, RowSet::all});
        if (shape.gemma)
            add.post_norm = norm(shape.dim);
        program.ops.emplace_back(LinearOp{gated, NoPrologue{},
            matrices(WeightRole::plain, {shape.dim}, shape.ff_dim, shape.down_format.value_or(shape.format)), add,
            RowSet::all});
    }
    program.ops.emplace_back(LinearOp{
        residual, norm(shape.dim), embedding, LogitsEpilogue{logits, 1, softcaps ? 30.0F : 0}, RowSet::needs_logits});
    program.ops.emplace_back(SamplingOp{logits});
    return model;
}

ModelShape smollm2_135m() {
    ModelShape shape;
    shape.num_layers = 30;
    shape.dim = 576;
    shape.ff_dim = 1536;
    shape.num_heads = 9;
    shape.num_kv_heads = 3;
    shape.head_dim = 64;
    shape.vocab = 49152;
    return shape;
}

ModelShape gemma3_270m() {
    ModelShape shape;
    shape.num_layers = 18;
    shape.dim = 640;
    shape.ff_dim = 2048;
    shape.num_heads = 4;
    shape.num_kv_heads = 1;
    shape.head_dim = 256;
    shape.vocab = 262144;
    shape.format = WeightFormat::q5_0;
    shape.out_format = WeightFormat::q4_k;
    shape.down_format = WeightFormat::q6_k; // in the file half of them are Q4_K
    shape.rope = RopeStyle::neox;
    shape.gemma = true;
    shape.softcaps = false; // Gemma 3 has none
    return shape;
}

ModelSession::ModelSession(std::unique_ptr<Backend> backend, const RandomModel& model, const StepLimits& limits,
    Numerics mode, KvType kv_type, bool decompose_all, int block_tokens)
    : backend_(std::move(backend)), block_tokens_(block_tokens) {
    rules.temperature = 0;
    auto resolved = must(resolve(model.program, *backend_, mode, decompose_all));
    program_ = std::move(resolved.program);
    for (std::size_t group = 0; group < model.bytes.size(); ++group) {
        std::vector<std::span<const std::byte>> members(model.bytes[group].begin(), model.bytes[group].end());
        must(backend_->upload(program_, WeightGroupId{static_cast<std::int32_t>(group)}, members));
    }
    max_blocks_ = (limits.max_context + block_tokens - 1) / block_tokens;
    pool_ =
        must(backend_->make_kv_pool({kv_type, block_tokens, program_.kv_layers}, 1 + limits.max_seqs * max_blocks_));
    executable_ = must(backend_->compile(program_, *pool_, limits, mode));
}

std::vector<float> ModelSession::step(const std::vector<Chunk>& chunks, bool want_logits) {
    std::vector<std::int32_t> tokens, positions, slots, starts{0}, lens, tables, rows;
    std::vector<SamplingSequence> sampling;
    for (const Chunk& chunk : chunks) {
        const std::int32_t first_block = 1 + chunk.seq * max_blocks_;
        for (std::size_t i = 0; i < chunk.tokens.size(); ++i) {
            const std::int32_t position = chunk.position + static_cast<std::int32_t>(i);
            tokens.push_back(chunk.tokens[i]);
            positions.push_back(position);
            slots.push_back(first_block * block_tokens_ + position);
        }
        starts.push_back(static_cast<std::int32_t>(tokens.size()));
        lens.push_back(chunk.position + static_cast<std::int32_t>(chunk.tokens.size()));
        for (int b = 0; b < max_blocks_; ++b)
            tables.push_back(first_block + b);
        SamplingSequence sequence = rules;
        sequence.logit_row = static_cast<std::int32_t>(rows.size());
        if (chunk.verifies)
            sequence.drafts = std::span(chunk.tokens).subspan(1);
        const auto end = static_cast<std::int32_t>(tokens.size());
        for (auto row = end - 1 - static_cast<std::int32_t>(sequence.drafts.size()); row < end; ++row)
            rows.push_back(row);
        sampling.push_back(sequence);
    }
    StepArgs args;
    args.tokens = tokens;
    args.positions = positions;
    args.slots = slots;
    args.query_starts = starts;
    args.context_lens = lens;
    args.block_tables = tables;
    args.max_blocks = max_blocks_;
    args.logit_rows = rows;
    args.sampling = sampling;
    args.want_logits = want_logits;
    StepResult result = must(executable_->wait(must(executable_->submit(args))));
    sampled.clear();
    outcomes = std::move(result.sampled);
    for (const SamplingOutcome& outcome : outcomes)
        sampled.push_back(outcome.tokens.back().token);
    return std::move(result.logits);
}

} // namespace vitrine::kernels::testing
