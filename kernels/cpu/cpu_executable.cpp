// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/cpu_executable.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <variant>

#include "kernels/api/op_ids.h"
#include "kernels/api/resolve.h"

namespace vitrine::kernels::cpu {
namespace {

std::size_t at(std::int64_t index) noexcept {
    return static_cast<std::size_t>(index);
}

/// Widths that size buffers.
struct Widths {
    std::int64_t input = 0; // widest product input
    std::int64_t staged = 0; // widest row that is normed before it is added: logits never are
    std::int64_t kv = 0; // widest row of keys
    int head_dim = 16;
    int attention_rows = 1; // queries x group of one attention item
    std::int64_t file_row = 0; // bytes of the longest gathered row
    bool has_dense = false; // matrices of floats
};

Widths widths_of(const Program& program) noexcept {
    Widths widths;
    for (const Op& op : program.ops)
        if (const auto* linear = std::get_if<LinearOp>(&op))
            if (const auto* added = std::get_if<AddResidualEpilogue>(&linear->epilogue))
                widths.staged = std::max(widths.staged, program.activations[at(added->residual.value)].dim);
    for (const WeightGroupSpec& group : program.weights) {
        for (const WeightMember& member : group.members) {
            widths.input = std::max(widths.input, member.in_dim);
            widths.has_dense = widths.has_dense ||
                (is_dense(member.format) && group.role != WeightRole::vector && group.role != WeightRole::embedding);
            if (group.role == WeightRole::embedding || group.role == WeightRole::tied_head)
                widths.file_row = std::max(widths.file_row, row_bytes(member.format, member.in_dim));
        }
    }
    for (const KvLayer& layer : program.kv_layers) {
        widths.kv = std::max(widths.kv, std::int64_t{layer.num_kv_heads} * layer.head_dim);
        widths.head_dim = std::max(widths.head_dim, layer.head_dim);
    }
    for (const Op& op : program.ops) {
        if (const auto* attention = std::get_if<AttentionOp>(&op)) {
            const int group = attention->heads.num_heads / attention->heads.num_kv_heads;
            widths.attention_rows = std::max(widths.attention_rows, attention_block_queries(group) * group);
            widths.attention_rows = std::max(widths.attention_rows, 8 * group);
        }
    }
    return widths;
}

std::int64_t tile_floats(const Widths& widths) noexcept {
    return std::max<std::int64_t>(2 * kTileFloats, std::int64_t{kChunkTokens} * round_up(widths.head_dim, 16));
}

/// Float matrices need the widest panels.
std::int64_t panel_bytes(const Widths& widths, int rows, PanelKind kind) noexcept {
    const std::int64_t blocks = round_up(widths.input, kQuantBlock) / kQuantBlock;
    return round_up(blocks * panel_block_bytes(widths.has_dense ? PanelKind::dense : kind) * rows, 64);
}

ActivationId logits_of(const Program& program) noexcept {
    ActivationId logits;
    for (const Op& op : program.ops) {
        if (const auto* sampling = std::get_if<SamplingOp>(&op))
            logits = sampling->logits;
        if (const auto* linear = std::get_if<LinearOp>(&op))
            if (const auto* epilogue = std::get_if<LogitsEpilogue>(&linear->epilogue))
                logits = epilogue->logits;
    }
    return logits;
}

/// The gated output of `ops[index]` if the next op could take it as a panel.
ActivationId panel_candidate(const Program& program, std::size_t index) {
    const auto* gate = std::get_if<LinearOp>(&program.ops[index]);
    if (gate == nullptr || index + 1 >= program.ops.size())
        return {};
    const auto* epilogue = std::get_if<GatedEpilogue>(&gate->epilogue);
    const auto* next = std::get_if<LinearOp>(&program.ops[index + 1]);
    if (epilogue == nullptr || next == nullptr || next->input != epilogue->output || next->rows != gate->rows ||
        !std::holds_alternative<NoPrologue>(next->prologue) || std::holds_alternative<LogitsEpilogue>(next->epilogue))
        return {};
    const WeightMember& member = program.weights[at(next->weights.value)].members.front();
    const bool fits = !is_dense(member.format) && member.in_dim % kQuantBlock == 0;
    return fits ? epilogue->output : ActivationId{};
}

/// Activations whose every reader follows its gate directly and can read a panel: they never exist as floats.
std::vector<bool> panel_only_activations(const Program& program) {
    std::vector<bool> only(program.activations.size(), false);
    for (std::size_t i = 0; i < program.ops.size(); ++i)
        if (const ActivationId id = panel_candidate(program, i); id.valid())
            only[at(id.value)] = true;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        visit_activations(program.ops[i], [&](ActivationId id, Access access) {
            if (access == Access::update ||
                (access == Access::read && (i == 0 || panel_candidate(program, i - 1) != id)))
                only[at(id.value)] = false;
        });
    }
    if (program.output.valid())
        only[at(program.output.value)] = false;
    return only;
}

/// Two-plane or plain codes.
PanelKind panel_kind_of(Numerics mode) noexcept {
    return mode == Numerics::exact ? PanelKind::int8x2 : PanelKind::int8;
}

} // namespace

std::int64_t workspace_bytes(const Program& program, const StepLimits& limits, int num_workers) noexcept {
    const Widths widths = widths_of(program);
    const std::vector<bool> panel_only = panel_only_activations(program);
    const ActivationId logits = logits_of(program);
    std::int64_t bytes = 2 * panel_bytes(widths, limits.max_rows, PanelKind::int8x2);
    for (std::size_t i = 0; i < program.activations.size(); ++i) {
        const bool compact = static_cast<std::int32_t>(i) == logits.value;
        if (!panel_only[i])
            bytes += program.activations[i].dim * (compact ? limits.max_logit_rows : limits.max_rows) * 4;
    }
    bytes += limits.max_rows * (2 * widths.kv + widths.staged) * 4;
    std::int64_t largest_experts = 0;
    for (const Op& op : program.ops)
        if (const auto* experts = std::get_if<ExpertsOp>(&op))
            largest_experts =
                std::max(largest_experts, experts_bytes(program, *experts, PanelKind::int8x2, limits.max_rows));
    bytes += largest_experts;
    for (const RopeSpec& rope : program.ropes)
        bytes += 2LL * limits.max_rows * rope.rotary_dim * 4;
    const std::int64_t per_worker = tile_floats(widths) * 4 + widths.input * 4 + widths.file_row +
        attention_scratch_floats(widths.attention_rows, widths.head_dim) * 4 +
        panel_bytes(widths, kRedundantRows, PanelKind::int8x2);
    return bytes + per_worker * num_workers;
}

std::string kernel_name(const Program& program, const Op& op, const IsaTable& isa, Numerics mode) {
    const auto product = [&](WeightGroupId id, int member) {
        const WeightFormat format = program.weights[at(id.value)].members[at(member)].format;
        const char* activations = is_dense(format) ? "f32" : mode == Numerics::exact ? "int8x2" : "int8";
        return "linear_" + std::string(format_info(format).name) + "_" + activations + "_" + isa.name;
    };
    if (const auto* linear = std::get_if<LinearOp>(&op))
        return product(linear->weights, 0);
    if (const auto* linear = std::get_if<MemberLinearOp>(&op))
        return product(linear->weights, linear->member);
    if (const auto* experts = std::get_if<ExpertsOp>(&op))
        return "experts_" + product(experts->gate_up, 0);
    if (const auto* low_rank = std::get_if<LowRankOp>(&op))
        return "low_rank_" + product(low_rank->down, 0);
    if (const auto* heads = std::get_if<HeadLinearOp>(&op))
        return "heads_" + product(heads->weights, 0);
    if (std::holds_alternative<AttentionOp>(op))
        return std::string("attention_tile64_") + isa.name;
    return std::string("rows_") + isa.name;
}

CpuExecutable::CpuExecutable(const Program& program, const std::vector<PackedGroup>& weights, const IsaTable& isa,
    WorkerPool& workers, CpuKvPool& kv, const StepLimits& limits, Numerics mode, InputObserver* observer)
    : program_(program), workers_(workers),
      limits_(limits), context_{isa, workers, program_, weights, kv, {}, logits_of(program_), {}, {}, {}, {}, nullptr,
                           nullptr, nullptr, nullptr, nullptr, {}, {}, {}, {}},
      panel_only_(panel_only_activations(program_)) {
    context_.observer = observer;
    if (observer != nullptr) // it sees floats
        panel_only_.assign(panel_only_.size(), false);
    make_nodes(panel_kind_of(mode));
    allocate(panel_kind_of(mode));
    for (const Op& op : program_.ops)
        reports_.push_back({describe(program_, op), kernel_name(program_, op, isa, mode), true, {}});
}

void CpuExecutable::make_nodes(PanelKind panel_kind) {
    const CompileEnvironment environment{program_, context_.weights, context_.isa, context_.kv, panel_kind};
    const auto is_panel = [this](ActivationId id) { return id.valid() && panel_only_[at(id.value)]; };
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
        nodes_.push_back(std::visit(
            [&](const auto& op) -> std::unique_ptr<StepNode> {
                using Type = std::decay_t<decltype(op)>;
                if constexpr (std::is_same_v<Type, LinearOp>)
                    return make_linear_node(environment, op,
                        {is_panel(panel_candidate(program_, i)), i > 0 && is_panel(panel_candidate(program_, i - 1)),
                            i + 1 < program_.ops.size() && std::holds_alternative<SamplingOp>(program_.ops[i + 1])});
                else if constexpr (std::is_same_v<Type, MemberLinearOp>)
                    return make_linear_node(environment, op);
                else if constexpr (std::is_same_v<Type, ExpertsOp>)
                    return make_experts_node(environment, op, limits_.max_rows, context_.experts);
                else if constexpr (std::is_same_v<Type, LowRankOp>)
                    return make_low_rank_node(environment, op);
                else if constexpr (std::is_same_v<Type, HeadLinearOp>)
                    return make_head_linear_node(environment, op);
                else if constexpr (std::is_same_v<Type, AttentionOp>)
                    return make_attention_node(op, context_.kv.spec().type);
                else
                    return make_node(op);
            },
            program_.ops[i]));
    }
}

void CpuExecutable::allocate(PanelKind panel_kind) {
    const Widths widths = widths_of(program_);
    const auto rows_of = [&](std::size_t id) -> std::int64_t {
        if (panel_only_[id])
            return 0;
        return static_cast<std::int32_t>(id) == context_.logits_id.value ? limits_.max_logit_rows : limits_.max_rows;
    };
    std::int64_t total = 0;
    for (std::size_t i = 0; i < program_.activations.size(); ++i)
        total += round_up(rows_of(i) * program_.activations[i].dim, 16);
    activation_memory_.allocate(at(total + 16));
    float* next = activation_memory_.data();
    for (std::size_t i = 0; i < program_.activations.size(); ++i) {
        context_.activations.push_back(next);
        next += round_up(rows_of(i) * program_.activations[i].dim, 16);
    }
    staging_memory_.allocate(at(limits_.max_rows * (2 * widths.kv + widths.staged)));
    context_.staged_keys = staging_memory_.data();
    context_.staged_values = context_.staged_keys + limits_.max_rows * widths.kv;
    context_.staged_rows = context_.staged_values + limits_.max_rows * widths.kv;
    const std::int64_t panel = panel_bytes(widths, limits_.max_rows, panel_kind);
    panel_memory_.allocate(at(2 * panel + 64));
    auto address = reinterpret_cast<std::uintptr_t>(panel_memory_.data());
    context_.panel = panel_memory_.data() + (64 - address % 64) % 64;
    context_.gated_panel = context_.panel + panel;
    context_.all_rows.resize(at(limits_.max_rows));
    std::iota(context_.all_rows.begin(), context_.all_rows.end(), 0);
    context_.picks.allocate(limits_.max_logit_rows, workers_.size());
    for (const RopeSpec& rope : program_.ropes)
        context_.ropes.push_back(
            {rope.style, rope.rotary_dim, std::vector<float>(at(2LL * limits_.max_rows * rope.rotary_dim))});
    context_.scratch.resize(at(workers_.size()));
    for (WorkerScratch& scratch : context_.scratch) {
        scratch.tile.resize(at(tile_floats(widths)));
        scratch.row.resize(at(widths.input));
        scratch.attention.resize(at(attention_scratch_floats(widths.attention_rows, widths.head_dim)));
        scratch.bytes.resize(at(widths.file_row));
        scratch.panel.resize(at(panel_bytes(widths, kRedundantRows, panel_kind)));
    }
}

Result<void> CpuExecutable::validate(const StepArgs& step) const {
    const auto refuse = [](const std::string& what) {
        return fail(ErrorCode::invalid_argument, "step arguments: " + what, "This is a bug of the caller; report it.");
    };
    const std::size_t rows = step.tokens.size();
    const std::size_t seqs = step.context_lens.size();
    if (rows > at(limits_.max_rows) || seqs > at(limits_.max_seqs) ||
        step.logit_rows.size() > at(limits_.max_logit_rows))
        return refuse("more rows or sequences than the limits of compile()");
    const KvGeometry geometry = context_.kv.geometry();
    const std::size_t groups = at(geometry.num_groups);
    if (step.positions.size() != rows || step.slots.size() != groups * rows || step.query_starts.size() != seqs + 1 ||
        step.block_tables.size() != groups * seqs * at(step.max_blocks) ||
        std::ssize(step.input) !=
            (program_.input.valid() ? std::ssize(step.tokens) * context_.dim(program_.input) : 0) ||
        (!step.adapter_weights.empty() && step.adapter_weights.size() != seqs * at(program_.num_adapters)))
        return refuse("arrays of different lengths");
    const std::int64_t num_slots = std::int64_t{geometry.num_blocks} * geometry.block_tokens;
    const auto inside = [](std::int64_t value, std::int64_t end) { return value >= 0 && value < end; };
    for (std::size_t row = 0; row < rows; ++row)
        if (!inside(step.tokens[row], program_.vocab_size))
            return refuse("row " + std::to_string(row) + " has token " + std::to_string(step.tokens[row]) +
                "; needed are tokens below " + std::to_string(program_.vocab_size));
    for (const std::int32_t slot : step.slots)
        if (!inside(slot, num_slots))
            return refuse("slot " + std::to_string(slot) + "; needed are slots below " + std::to_string(num_slots));
    for (std::size_t seq = 0; seq < seqs; ++seq)
        if (step.context_lens[seq] > step.max_blocks * geometry.block_tokens ||
            step.query_starts[seq] > step.query_starts[seq + 1] ||
            !inside(step.query_starts[seq + 1], std::ssize(step.tokens) + 1))
            return refuse("sequence " + std::to_string(seq) + " does not fit its block table or the step's rows");
    for (const std::int32_t block : step.block_tables)
        if (!inside(block, geometry.num_blocks))
            return refuse("block " + std::to_string(block) + " is outside the pool");
    for (const std::int32_t row : step.logit_rows)
        if (!inside(row, std::ssize(step.tokens)))
            return refuse("logit row " + std::to_string(row) + " is outside the step");
    for (const SamplingSequence& sequence : step.sampling)
        if (sequence.logit_row < 0 || at(sequence.logit_row) + sequence.drafts.size() >= step.logit_rows.size())
            return refuse("a sampling sequence without its logit rows");
    return {};
}

Result<Ticket> CpuExecutable::submit(const StepArgs& step) {
    VT_TRY(validate(step));
    const auto start = std::chrono::steady_clock::now();
    workers_.pin_caller();
    context_.step = step;
    context_.result = {};
    if (program_.input.valid())
        std::copy(step.input.begin(), step.input.end(), context_.row(program_.input, 0));
    for (const auto& node : nodes_)
        node->begin_step(context_);
    workers_.run([](void* self, int worker) { static_cast<CpuExecutable*>(self)->run_region(worker); }, this);
    if (step.want_hidden)
        take_hidden();
    if (program_.output.valid())
        context_.result.output = {
            context_.row(program_.output, 0), step.tokens.size() * at(context_.dim(program_.output))};
    context_.result.forward_time = std::chrono::steady_clock::now() - start - context_.result.sample_time;
    context_.step = {};
    finished_.emplace_back(++num_steps_, std::move(context_.result));
    return Ticket{num_steps_};
}

Result<StepResult> CpuExecutable::wait(Ticket ticket) {
    if (finished_.empty() || finished_.front().first != ticket.step)
        return fail(ErrorCode::internal, "step " + std::to_string(ticket.step) + " is not the next one to wait for");
    StepResult result = std::move(finished_.front().second);
    finished_.pop_front();
    return result;
}

void CpuExecutable::run_region(int worker) noexcept {
    if (!context_.ropes.empty()) {
        fill_ropes(worker);
        workers_.barrier();
    }
    for (const auto& node : nodes_)
        node->run(context_, worker);
}

/// The head's input is the residual stream, which lies there for every row; its norm is done again here.
void CpuExecutable::take_hidden() {
    if (program_.hidden.valid()) {
        for (const std::int32_t row : context_.step.logit_rows) {
            const float* x = context_.row(program_.hidden, row);
            context_.result.hidden.insert(context_.result.hidden.end(), x, x + context_.dim(program_.hidden));
        }
        return;
    }
    for (const Op& op : program_.ops) {
        const auto* head = std::get_if<LinearOp>(&op);
        if (head == nullptr || !std::holds_alternative<LogitsEpilogue>(head->epilogue))
            continue;
        const std::int64_t dim = context_.dim(head->input);
        const auto* norm = std::get_if<RmsNormPrologue>(&head->prologue);
        std::vector<float>& hidden = context_.result.hidden;
        hidden.resize(context_.step.logit_rows.size() * at(dim));
        float* out = hidden.data();
        for (const std::int32_t row : context_.step.logit_rows) {
            const float* x = context_.row(head->input, row);
            if (norm != nullptr)
                context_.isa.rms_norm({x, context_.vector(norm->gain), out, dim, norm->eps});
            else
                std::copy_n(x, dim, out);
            out += dim;
        }
    }
}

void CpuExecutable::fill_ropes(int worker) noexcept {
    const IndexRange mine = context_.share(context_.num_rows(), worker);
    for (std::size_t r = 0; r < context_.ropes.size(); ++r) {
        const RopeSpec& spec = program_.ropes[r];
        const int half = spec.rotary_dim / 2;
        for (std::int64_t row = mine.begin; row < mine.end; ++row) {
            float* cosine = context_.ropes[r].values.data() + 2 * row * spec.rotary_dim;
            float* sine = cosine + spec.rotary_dim;
            for (int i = 0; i < half; ++i) {
                const double angle = context_.step.positions[at(row)] * spec.inv_freq[at(i)];
                const auto c = static_cast<float>(std::cos(angle) * spec.attention_factor);
                const auto s = static_cast<float>(std::sin(angle) * spec.attention_factor);
                const bool neox = spec.style == RopeStyle::neox;
                cosine[neox ? i : 2 * i] = c;
                cosine[neox ? i + half : 2 * i + 1] = c;
                sine[neox ? i : 2 * i] = neox ? s : -s;
                sine[neox ? i + half : 2 * i + 1] = s;
            }
        }
    }
}

} // namespace vitrine::kernels::cpu
