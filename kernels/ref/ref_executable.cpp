// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/ref_executable.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>

#include "kernels/api/resolve.h"
#include "kernels/ref/ref_attention.h"
#include "kernels/ref/ref_experts.h"
#include "kernels/ref/ref_floor_ops.h"
#include "kernels/ref/ref_linear.h"

namespace vitrine::kernels {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

} // namespace

RefExecutable::RefExecutable(
    const Program& program, const RefWeights& weights, RefKvPool& pool, const StepLimits& limits, int num_threads)
    : program_(program), weights_(weights), pool_(pool), limits_(limits), num_threads_(num_threads),
      activations_(program.activations.size()) {
    for (const Op& op : program_.ops) {
        kernels_.push_back({describe(program_, op), "ref", true, {}});
        if (const auto* sampling = std::get_if<SamplingOp>(&op))
            logits_ = sampling->logits;
    }
}

Result<void> RefExecutable::validate(const StepArgs& step) const {
    const auto refuse = [](const std::string& what) {
        return fail(ErrorCode::invalid_argument, "Step arguments: " + what + ".", "This is a bug of the caller.");
    };
    const std::size_t rows = step.tokens.size();
    const std::size_t seqs = step.context_lens.size();
    if (rows > at(limits_.max_rows) || seqs > at(limits_.max_seqs) ||
        step.logit_rows.size() > at(limits_.max_logit_rows))
        return refuse("more rows or sequences than the limits of compile()");
    const KvGeometry geometry = pool_.geometry();
    const std::size_t groups = at(geometry.num_groups);
    if (step.positions.size() != rows || step.slots.size() != groups * rows || step.query_starts.size() != seqs + 1 ||
        step.block_tables.size() != groups * seqs * at(step.max_blocks) ||
        step.input.size() != (program_.input.valid() ? rows * dim(program_.input) : 0) ||
        (!step.adapter_weights.empty() && step.adapter_weights.size() != seqs * at(program_.num_adapters)))
        return refuse("arrays of different lengths");
    const auto inside = [](std::int32_t value, std::int64_t end) { return value >= 0 && value < end; };
    const std::int64_t num_slots = std::int64_t{geometry.num_blocks} * geometry.block_tokens;
    for (std::size_t row = 0; row < rows; ++row) {
        if (!inside(step.tokens[row], program_.vocab_size))
            return refuse("token " + std::to_string(step.tokens[row]) + " is not in the vocabulary");
    }
    for (const std::int32_t slot : step.slots) {
        if (!inside(slot, num_slots))
            return refuse("slot " + std::to_string(slot) + " is outside the pool");
    }
    for (std::size_t seq = 0; seq < seqs; ++seq) {
        if (step.context_lens[seq] > step.max_blocks * geometry.block_tokens)
            return refuse("a context longer than its block table");
    }
    for (const std::int32_t block : step.block_tables) {
        if (!inside(block, geometry.num_blocks))
            return refuse("block " + std::to_string(block) + " is outside the pool");
    }
    for (const std::int32_t row : step.logit_rows) {
        if (!inside(row, static_cast<std::int64_t>(rows)))
            return refuse("a logit row outside the step");
    }
    for (const SamplingSequence& sequence : step.sampling) {
        if (sequence.logit_row < 0 || at(sequence.logit_row) + sequence.drafts.size() >= step.logit_rows.size())
            return refuse("a sampling sequence without its logit rows");
    }
    return {};
}

void RefExecutable::prepare(const StepArgs& step) {
    step_ = step;
    result_ = {};
    all_rows_.resize(step.tokens.size());
    std::iota(all_rows_.begin(), all_rows_.end(), 0);
    for (std::size_t i = 0; i < activations_.size(); ++i) {
        const ActivationId id{static_cast<std::int32_t>(i)};
        const std::size_t rows = id == logits_ ? step.logit_rows.size() : step.tokens.size();
        activations_[i].assign(rows * dim(id), std::numeric_limits<double>::quiet_NaN());
    }
    if (program_.input.valid())
        std::copy(step.input.begin(), step.input.end(), values(program_.input).begin());
}

Result<Ticket> RefExecutable::submit(const StepArgs& step) {
    VT_TRY(validate(step));
    const auto start = Clock::now();
    prepare(step);
    for (const Op& op : program_.ops)
        std::visit([this](const auto& entry) { run(entry); }, op);
    if (step.want_hidden && program_.hidden.valid())
        take_hidden();
    if (program_.output.valid())
        take_output();
    result_.forward_time = Clock::now() - start - result_.sample_time;
    step_ = {};
    finished_.emplace_back(++num_steps_, std::move(result_));
    return Ticket{num_steps_};
}

void RefExecutable::take_output() {
    const std::span<const double> rows = values(program_.output);
    output_.resize(rows.size());
    std::transform(rows.begin(), rows.end(), output_.begin(), [](double value) { return static_cast<float>(value); });
    result_.output = output_;
}

Result<StepResult> RefExecutable::wait(Ticket ticket) {
    if (finished_.empty() || finished_.front().first != ticket.step)
        return fail(ErrorCode::internal, "Step " + std::to_string(ticket.step) + " is not the next one to wait for.");
    StepResult result = std::move(finished_.front().second);
    finished_.pop_front();
    return result;
}

std::span<double> RefExecutable::values(ActivationId id) {
    return activations_[at(id.value)];
}

std::size_t RefExecutable::dim(ActivationId id) const noexcept {
    return static_cast<std::size_t>(program_.activations[at(id.value)].dim);
}

std::span<const std::int32_t> RefExecutable::rows_of(RowSet rows) const noexcept {
    return rows == RowSet::all ? std::span<const std::int32_t>(all_rows_) : step_.logit_rows;
}

std::span<const float> RefExecutable::vector_of(WeightGroupId id) const {
    return id.valid() ? std::span<const float>(matrix_of(weights_, id).values) : std::span<const float>{};
}

RefExecutable::Values RefExecutable::input_rows(ActivationId id, RowSet rows) const {
    const std::vector<double>& source = activations_[at(id.value)];
    const std::size_t width = dim(id);
    Values x;
    for (const std::int32_t row : rows_of(rows)) {
        const auto begin = source.begin() + static_cast<std::ptrdiff_t>(at(row) * width);
        x.insert(x.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    return x;
}

void RefExecutable::store(ActivationId id, RowSet rows, const Values& y) {
    const std::size_t width = dim(id);
    const std::span<double> target = values(id);
    std::size_t source = 0;
    for (const std::int32_t row : rows_of(rows)) {
        const std::size_t place = id == logits_ ? source : at(row);
        std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(source * width), width,
            target.begin() + static_cast<std::ptrdiff_t>(place * width));
        ++source;
    }
}

RefExecutable::Values RefExecutable::product(
    const LinearOp& op, int member, const Values& x, WeightGroupId bias) const {
    return multiply(matrix_of(weights_, op.weights, member), x, vector_of(bias), num_threads_);
}

void RefExecutable::take_hidden() {
    const Values rows = input_rows(program_.hidden, RowSet::needs_logits);
    std::transform(rows.begin(), rows.end(), std::back_inserter(result_.hidden),
        [](double value) { return static_cast<float>(value); });
}

std::span<const float> RefExecutable::adapter_weights_of(std::int32_t row) const {
    const auto next = std::upper_bound(step_.query_starts.begin(), step_.query_starts.end(), row);
    const auto seq = static_cast<std::size_t>(next - step_.query_starts.begin()) - 1;
    return step_.adapter_weights.subspan(seq * at(program_.num_adapters), at(program_.num_adapters));
}

void RefExecutable::run(const GatherOp& op) {
    const RefMatrix& table = matrix_of(weights_, op.embedding);
    const std::span<double> output = values(op.output);
    std::size_t place = 0;
    for (std::size_t r = 0; r < step_.tokens.size(); ++r) {
        const std::int32_t index = op.index == GatherIndex::token ? step_.tokens[r]
            : op.index == GatherIndex::position                   ? step_.positions[r]
                                                                  : 0;
        const float* row = table.row(index);
        for (std::int64_t i = 0; i < table.in_dim; ++i, ++place) {
            const double value = static_cast<double>(op.scale) * static_cast<double>(row[i]);
            output[place] = op.adds ? output[place] + value : value;
        }
    }
}

void RefExecutable::run(const LinearOp& op) {
    const bool logits = std::holds_alternative<LogitsEpilogue>(op.epilogue);
    Values x = input_rows(op.input, logits ? RowSet::needs_logits : op.rows);
    if (const auto* norm = std::get_if<RmsNormPrologue>(&op.prologue))
        rms_norm(x, vector_of(norm->gain), norm->eps);
    std::visit([&](const auto& epilogue) { finish(op, x, epilogue); }, op.epilogue);
}

void RefExecutable::finish(const LinearOp& op, const Values& x, const StoreEpilogue& epilogue) {
    store(epilogue.output, op.rows, product(op, 0, x, epilogue.bias));
}

void RefExecutable::finish(const LinearOp& op, const Values& x, const AddResidualEpilogue& epilogue) {
    Values y = product(op, 0, x, epilogue.bias);
    if (epilogue.post_norm)
        rms_norm(y, vector_of(epilogue.post_norm->gain), epilogue.post_norm->eps);
    Values sum = input_rows(epilogue.residual, op.rows);
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += y[i] * static_cast<double>(epilogue.scale);
    store(epilogue.residual, op.rows, sum);
}

void RefExecutable::finish(const LinearOp& op, const Values& x, const RopeKvEpilogue& epilogue) {
    const HeadLayout& heads = epilogue.heads;
    Values query = product(op, 0, x, epilogue.q_bias);
    Values keys = product(op, 1, x, epilogue.k_bias);
    const Values written = product(op, 2, x, epilogue.v_bias);
    if (epilogue.q_norm)
        rms_norm(query, vector_of(epilogue.q_norm->gain), epilogue.q_norm->eps);
    if (epilogue.k_norm)
        rms_norm(keys, vector_of(epilogue.k_norm->gain), epilogue.k_norm->eps);
    if (epilogue.rope.valid()) {
        const RopeSpec& rope = program_.ropes[at(epilogue.rope.value)];
        rotate(query, step_.positions, heads.num_heads, heads.head_dim, rope);
        rotate(keys, step_.positions, heads.num_kv_heads, heads.head_dim, rope);
    }
    store(epilogue.query, op.rows, query);
    pool_.write(epilogue.layer, step_.group_slots(pool_.group_of(epilogue.layer)), keys, written);
}

void RefExecutable::finish(const LinearOp& op, const Values& x, const GatedEpilogue& epilogue) {
    Values gate = product(op, 0, x, {});
    const Values up = product(op, 1, x, {});
    for (std::size_t i = 0; i < gate.size(); ++i)
        gate[i] = gated(epilogue.kind, gate[i], up[i]);
    store(epilogue.output, op.rows, gate);
}

void RefExecutable::finish(const LinearOp& op, const Values& x, const LogitsEpilogue& epilogue) {
    if (step_.want_hidden)
        std::transform(x.begin(), x.end(), std::back_inserter(result_.hidden),
            [](double value) { return static_cast<float>(value); });
    Values y = product(op, 0, x, {});
    for (double& logit : y)
        logit = soft_capped(logit * static_cast<double>(epilogue.scale), epilogue.softcap);
    store(epilogue.logits, RowSet::needs_logits, y);
}

void RefExecutable::run(const AttentionOp& op) {
    attend(op, step_, pool_, values(op.query), values(op.output), vector_of(op.sinks));
}

void RefExecutable::run(const SamplingOp& op) {
    const auto start = Clock::now();
    const std::span<const double> exact = values(op.logits);
    std::vector<float> logits(exact.size());
    std::transform(exact.begin(), exact.end(), logits.begin(), [](double value) { return static_cast<float>(value); });
    const std::size_t width = dim(op.logits);
    for (const SamplingSequence& sequence : step_.sampling) {
        const std::size_t num_rows = sequence.drafts.size() + 1;
        const std::span<const float> rows(logits.data() + at(sequence.logit_row) * width, num_rows * width);
        result_.sampled.push_back(sample_sequence(rows, static_cast<std::int64_t>(width), sequence, scratch_));
    }
    if (step_.want_logits)
        result_.logits = std::move(logits);
    result_.sample_time = Clock::now() - start;
}

void RefExecutable::run(const NormOp& op) {
    const std::span<const double> input = values(op.input);
    const std::span<double> output = values(op.output);
    if (op.input != op.output)
        std::copy(input.begin(), input.end(), output.begin());
    if (op.centered)
        layer_norm(output, vector_of(op.norm.gain), vector_of(op.bias), op.norm.eps);
    else
        rms_norm(output, vector_of(op.norm.gain), op.norm.eps); // the gain is as long as the group
}

void RefExecutable::run(const RopeOp& op) {
    rotate(values(op.value), step_.positions, op.num_heads, op.head_dim, program_.ropes[at(op.rope.value)]);
}

void RefExecutable::run(const KvWriteOp& op) {
    pool_.write(op.layer, step_.group_slots(pool_.group_of(op.layer)), values(op.keys), values(op.values));
}

void RefExecutable::run(const AddOp& op) {
    const std::span<const double> source = values(op.source);
    const std::span<double> target = values(op.target);
    const std::size_t width = dim(op.target);
    for (std::size_t i = 0; i < target.size(); ++i) {
        const double gate = op.row_gate.valid() ? 1 / (1 + std::exp(-values(op.row_gate)[i / width])) : 1;
        target[i] += source[i] * static_cast<double>(op.scale) * gate;
    }
}

void RefExecutable::run(const GateOp& op) {
    const std::span<const double> gate = values(op.gate);
    const std::span<const double> up = op.up.valid() ? values(op.up) : std::span<double>{};
    const std::span<double> output = values(op.output);
    for (std::size_t i = 0; i < output.size(); ++i)
        output[i] = gated(op.kind, gate[i], up.empty() ? 1 : up[i]);
}

void RefExecutable::run(const MemberLinearOp& op) {
    const Values x = input_rows(op.input, op.rows);
    store(
        op.output, op.rows, multiply(matrix_of(weights_, op.weights, op.member), x, vector_of(op.bias), num_threads_));
}

void RefExecutable::run(const ExpertsOp& op) {
    const RefExperts experts{matrix_of(weights_, op.gate_up, 0), matrix_of(weights_, op.gate_up, 1),
        matrix_of(weights_, op.down), vector_of(op.gate_bias), vector_of(op.up_bias), vector_of(op.down_bias)};
    const std::size_t width = dim(op.residual);
    const std::size_t num_experts = dim(op.router);
    for (std::size_t row = 0; row < step_.tokens.size(); ++row)
        add_experts(op, experts, vector_of(op.selection_bias),
            values(op.router).subspan(row * num_experts, num_experts), values(op.input).subspan(row * width, width),
            values(op.residual).subspan(row * width, width));
}

void RefExecutable::run(const HeadCopyOp& op) {
    const std::size_t source_dim = dim(op.source) / at(op.source_heads);
    const std::size_t target_dim = dim(op.target) / at(op.num_heads);
    if (op.clear)
        std::fill(values(op.target).begin(), values(op.target).end(), 0.0);
    for (std::size_t i = 0; i < step_.tokens.size() * at(op.num_heads); ++i) {
        const std::size_t source_head = op.source_heads == 1 ? i / at(op.num_heads) : i;
        const auto from = values(op.source).subspan(source_head * source_dim + at(op.source_first), at(op.count));
        std::copy(from.begin(), from.end(),
            values(op.target).begin() + static_cast<std::ptrdiff_t>(i * target_dim + at(op.target_first)));
    }
}

void RefExecutable::run(const HeadLinearOp& op) {
    const RefMatrix& weights = matrix_of(weights_, op.weights);
    const std::size_t out_dim = at(static_cast<std::int32_t>(weights.out_dim)) / at(op.num_heads);
    const std::size_t source_dim = dim(op.source) / at(op.num_heads);
    const std::size_t target_dim = dim(op.target) / at(op.num_heads);
    for (std::size_t i = 0; i < step_.tokens.size() * at(op.num_heads); ++i) {
        const auto x = values(op.source).subspan(
            i * source_dim + at(op.source_first), at(static_cast<std::int32_t>(weights.in_dim)));
        for (std::size_t o = 0; o < out_dim; ++o) {
            const float* row = weights.row(static_cast<std::int64_t>(i % at(op.num_heads) * out_dim + o));
            double sum = 0;
            for (std::size_t k = 0; k < x.size(); ++k)
                sum += static_cast<double>(row[k]) * x[k];
            values(op.target)[i * target_dim + at(op.target_first) + o] = sum;
        }
    }
}

void RefExecutable::run(const LowRankOp& op) {
    if (step_.adapter_weights.empty())
        return;
    Values hidden = multiply(matrix_of(weights_, op.down), input_rows(op.input, op.rows), {}, num_threads_);
    const std::span<const std::int32_t> rows = rows_of(op.rows);
    const std::size_t rank = dim(op.hidden);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::span<const float> weights = adapter_weights_of(rows[r]);
        std::size_t i = 0;
        for (std::size_t adapter = 0; adapter < weights.size(); ++adapter)
            for (; i < at(op.rank_ends[adapter]); ++i)
                hidden[r * rank + i] *= static_cast<double>(weights[adapter]);
    }
    const Values added = multiply(matrix_of(weights_, op.up), hidden, {}, num_threads_);
    const std::size_t width = dim(op.output);
    const std::span<double> output = values(op.output);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::size_t place = op.output == logits_ ? r : at(rows[r]);
        for (std::size_t i = 0; i < width; ++i)
            output[place * width + i] += added[r * width + i];
    }
}

} // namespace vitrine::kernels
