// SPDX-License-Identifier: GPL-3.0-or-later
// The small ops: each worker takes a run of rows.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "kernels/cpu/step_node.h"
#include "kernels/ref/kv_codec.h"

namespace vitrine::kernels::cpu {
namespace {

/// An op that treats every row alone.
template <class OpType, void (*kRow)(StepContext&, int worker, const OpType&, std::int64_t row)>
class RowNode final : public StepNode {
public:
    explicit RowNode(const OpType& op) : op_(op) {}
    void run(StepContext& context, int worker) override {
        const IndexRange mine = context.share(context.num_rows(), worker);
        for (std::int64_t row = mine.begin; row < mine.end; ++row)
            kRow(context, worker, op_, row);
        context.pool.barrier();
    }

private:
    const OpType op_;
};

void gather(StepContext& context, int worker, const GatherOp& op, std::int64_t row) {
    float* out = context.row(op.output, row);
    WorkerScratch& scratch = context.scratch[static_cast<std::size_t>(worker)];
    float* gathered = op.adds ? scratch.row.data() : out;
    const std::span<const std::int32_t> indices =
        op.index == GatherIndex::position ? context.step.positions : context.step.tokens;
    const std::int32_t index = op.index == GatherIndex::zero ? 0 : indices[static_cast<std::size_t>(row)];
    gather_row(context.group(op.embedding), index, scratch.bytes.data(), gathered);
    if (op.adds || op.scale != 1)
        context.isa.add({out, 0, gathered, 0, 1, context.dim(op.output), nullptr, op.scale, op.adds});
}

void norm(StepContext& context, int, const NormOp& op, std::int64_t row) {
    const auto dim = static_cast<std::int64_t>(context.group(op.norm.gain).vector.size()); // the gain spans a group
    const float* gain = context.vector(op.norm.gain);
    const float* x = context.row(op.input, row);
    float* y = context.row(op.output, row);
    const auto function = op.centered ? context.isa.layer_norm : context.isa.rms_norm;
    for (std::int64_t first = 0; first < context.dim(op.output); first += dim)
        function({x + first, gain, y + first, dim, op.norm.eps, context.vector(op.bias)});
}

void rope(StepContext& context, int, const RopeOp& op, std::int64_t row) {
    float* x = context.row(op.value, row);
    for (int head = 0; head < op.num_heads; ++head)
        rotate(context, op.rope, row, x + head * op.head_dim, 0, op.head_dim);
}

void add(StepContext& context, int, const AddOp& op, std::int64_t row) {
    float scale = op.scale;
    if (op.row_gate.valid())
        scale /= 1.0F + std::exp(-*context.row(op.row_gate, row));
    context.isa.add({context.row(op.target, row), 0, context.row(op.source, row), 0, 1, context.dim(op.target), nullptr,
        scale, true});
}

void gate(StepContext& context, int, const GateOp& op, std::int64_t row) {
    context.isa.gate(context.row(op.gate, row), op.up.valid() ? context.row(op.up, row) : nullptr,
        context.row(op.output, row), context.dim(op.output), op.kind);
}

void copy_heads(StepContext& context, int, const HeadCopyOp& op, std::int64_t row) {
    const std::int64_t source_dim = context.dim(op.source) / op.source_heads;
    const std::int64_t target_dim = context.dim(op.target) / op.num_heads;
    float* target = context.row(op.target, row);
    if (op.clear)
        std::fill_n(target, context.dim(op.target), 0.0F);
    for (int head = 0; head < op.num_heads; ++head) {
        const float* source = context.row(op.source, row) + (op.source_heads == 1 ? 0 : head * source_dim);
        std::copy_n(source + op.source_first, op.count, target + head * target_dim + op.target_first);
    }
}

class KvWriteNode final : public StepNode {
public:
    explicit KvWriteNode(const KvWriteOp& op) : op_(op) {}
    void run(StepContext& context, int worker) override {
        write_kv_rows(context, worker, op_.layer, op_.heads, context.row(op_.keys, 0), context.row(op_.values, 0));
    }

private:
    const KvWriteOp op_;
};

/// Sequences are dealt out one by one; of plain greedy ones the head has the answer, unless it is decomposed.
class SamplingNode final : public StepNode {
public:
    explicit SamplingNode(const SamplingOp& op) : op_(op) {}

    void begin_step(StepContext& context) override { context.result.sampled.resize(context.step.sampling.size()); }

    void run(StepContext& context, int worker) override {
        const auto start = std::chrono::steady_clock::now();
        const auto step = static_cast<std::size_t>(context.pool.size());
        for (auto i = static_cast<std::size_t>(worker); i < context.step.sampling.size(); i += step)
            context.result.sampled[i] = sample(context, worker, context.step.sampling[i]);
        if (worker == 0 && context.step.want_logits) {
            const float* logits = context.row(op_.logits, 0);
            const std::int64_t count =
                static_cast<std::int64_t>(context.step.logit_rows.size()) * context.dim(op_.logits);
            context.result.logits.assign(logits, logits + count);
        }
        context.pool.barrier();
        if (worker == 0)
            context.result.sample_time = std::chrono::steady_clock::now() - start;
    }

private:
    [[nodiscard]] SamplingOutcome sample(StepContext& context, int worker, const SamplingSequence& sequence) const {
        if (context.picks.are_taken() && is_plain_greedy(sequence))
            return verify_greedy(context.picks, sequence);
        const std::int64_t vocab = context.dim(op_.logits);
        const float* logits = context.row(op_.logits, sequence.logit_row);
        const std::size_t count = (sequence.drafts.size() + 1) * static_cast<std::size_t>(vocab);
        return sample_sequence(
            std::span(logits, count), vocab, sequence, context.scratch[static_cast<std::size_t>(worker)].sampling);
    }

    const SamplingOp op_;
};

float largest_magnitude(const float* x, int count) noexcept {
    float largest = 0;
    for (int i = 0; i < count; ++i)
        largest = std::max(largest, std::abs(x[i]));
    return largest;
}

/// Every head of some rows [.., row_dim]; `from` may be `to`.
void rotate_rows(IndexRange rows, std::int64_t row_dim, int head_dim, const float* from, float* to) noexcept {
    for (std::int64_t i = rows.begin * row_dim; i < rows.end * row_dim; i += head_dim) {
        if (from != to)
            std::copy_n(from + i, head_dim, to + i);
        rotate_head(to + i, head_dim);
    }
}

/// The largest magnitudes of this step fix the scales of a layer; padding is left out.
void calibrate(StepContext& context, LayerId layer, const HeadLayout& heads, const float* keys, const float* values) {
    const int block_tokens = context.kv.spec().block_tokens;
    const std::int64_t kv_dim = std::int64_t{heads.num_kv_heads} * heads.head_dim;
    const std::span<const std::int32_t> slots = context.step.group_slots(context.kv.group_of(layer));
    bool any = false;
    for (int head = 0; head < heads.num_kv_heads; ++head) {
        float key_largest = 0;
        float value_largest = 0;
        for (int row = 0; row < context.num_rows(); ++row) {
            if (slots[static_cast<std::size_t>(row)] < block_tokens)
                continue;
            any = true;
            const std::int64_t at = row * kv_dim + head * heads.head_dim;
            key_largest = std::max(key_largest, largest_magnitude(keys + at, heads.head_dim));
            value_largest = std::max(value_largest, largest_magnitude(values + at, heads.head_dim));
        }
        const KvType type = context.kv.spec().type;
        context.kv.set_head_scale(layer, head, true, kv_scale(type, key_largest));
        context.kv.set_head_scale(layer, head, false, kv_scale(type, value_largest));
    }
    if (any)
        context.kv.set_calibrated(layer);
}

} // namespace

void rotate(const StepContext& context, RopeId rope, std::int64_t row, float* x, int first, int count) {
    const RopeRows& table = context.ropes[static_cast<std::size_t>(rope.value)];
    const float* cosine = table.values.data() + 2 * row * table.rotary_dim;
    context.isa.rope(
        {x, first, count, table.rotary_dim, table.style == RopeStyle::neox, cosine, cosine + table.rotary_dim});
}

void write_kv_rows(
    StepContext& context, int worker, LayerId layer, const HeadLayout& heads, const float* keys, const float* values) {
    const KvSpec& spec = context.kv.spec();
    const std::int64_t kv_dim = std::int64_t{heads.num_kv_heads} * heads.head_dim;
    const IndexRange mine = context.share(context.num_rows(), worker);
    if (rotates_heads(spec.type)) {
        rotate_rows(mine, kv_dim, heads.head_dim, keys, context.staged_keys);
        rotate_rows(mine, kv_dim, heads.head_dim, values, context.staged_values);
        keys = context.staged_keys;
        values = context.staged_values;
    }
    if (has_head_scales(spec.type)) {
        const bool calibrates = context.kv.needs_calibration(layer);
        context.pool.barrier(); // everyone has looked before worker 0 changes the answer
        if (calibrates) {
            if (worker == 0)
                calibrate(context, layer, heads, keys, values);
            context.pool.barrier();
        }
    }
    const std::span<const std::int32_t> slots = context.step.group_slots(context.kv.group_of(layer));
    for (std::int64_t row = mine.begin; row < mine.end; ++row) {
        const std::int32_t slot = slots[static_cast<std::size_t>(row)];
        for (int head = 0; head < heads.num_kv_heads; ++head) {
            KvWriteArgs args{spec.type, context.kv.head(layer, slot / spec.block_tokens, head), heads.head_dim,
                spec.block_tokens, slot % spec.block_tokens, 0, heads.head_dim, nullptr, true};
            args.x = keys + row * kv_dim + head * heads.head_dim;
            context.isa.kv_write(args);
            args.x = values + row * kv_dim + head * heads.head_dim;
            args.is_key = false;
            context.isa.kv_write(args);
        }
    }
    context.pool.barrier();
}

std::unique_ptr<StepNode> make_node(const GatherOp& op) {
    return std::make_unique<RowNode<GatherOp, gather>>(op);
}
std::unique_ptr<StepNode> make_node(const NormOp& op) {
    return std::make_unique<RowNode<NormOp, norm>>(op);
}
std::unique_ptr<StepNode> make_node(const RopeOp& op) {
    return std::make_unique<RowNode<RopeOp, rope>>(op);
}
std::unique_ptr<StepNode> make_node(const AddOp& op) {
    return std::make_unique<RowNode<AddOp, add>>(op);
}
std::unique_ptr<StepNode> make_node(const GateOp& op) {
    return std::make_unique<RowNode<GateOp, gate>>(op);
}
std::unique_ptr<StepNode> make_node(const HeadCopyOp& op) {
    return std::make_unique<RowNode<HeadCopyOp, copy_heads>>(op);
}
std::unique_ptr<StepNode> make_node(const KvWriteOp& op) {
    return std::make_unique<KvWriteNode>(op);
}
std::unique_ptr<StepNode> make_node(const SamplingOp& op) {
    return std::make_unique<SamplingNode>(op);
}

} // namespace vitrine::kernels::cpu
