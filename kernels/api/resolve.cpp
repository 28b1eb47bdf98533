// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/api/resolve.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "kernels/api/sentence.h"

namespace vitrine::kernels {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>; // clang 14 does not deduce aggregates

const WeightGroupSpec& group_of(const Program& program, WeightGroupId id) {
    return program.weights[static_cast<std::size_t>(id.value)];
}

std::int64_t dim_of(const Program& program, ActivationId id) {
    return program.activations[static_cast<std::size_t>(id.value)].dim;
}

/// An activation between the pieces of one op.  The next op that comes apart takes the same one again: ops run in order,
/// and no piece reads what another op's pieces left.
ActivationId scratch(Program& program, const std::string& purpose, std::int64_t dim) {
    const std::string name = "decomposed." + purpose;
    const auto found = std::find_if(program.activations.begin(), program.activations.end(),
        [&](const Activation& entry) { return entry.name == name && entry.dim == dim; });
    if (found != program.activations.end())
        return {static_cast<std::int32_t>(found - program.activations.begin())};
    program.activations.push_back({name, dim});
    return {static_cast<std::int32_t>(program.activations.size()) - 1};
}

MemberLinearOp member_op(const LinearOp& op, int member, ActivationId output, WeightGroupId bias = {}) {
    return {op.input, output, op.weights, member, bias, op.rows};
}

std::vector<Op> split_prologue(Program& program, const LinearOp& op, const RmsNormPrologue& norm) {
    const ActivationId normed = scratch(program, "norm", dim_of(program, op.input));
    LinearOp rest = op;
    rest.input = normed;
    rest.prologue = NoPrologue{};
    return {NormOp{op.input, normed, norm, 0}, rest};
}

std::vector<Op> split_gated(Program& program, const LinearOp& op, const GatedEpilogue& gated) {
    const std::int64_t dim = dim_of(program, gated.output);
    const ActivationId gate = scratch(program, "gate", dim);
    const ActivationId up = scratch(program, "up", dim);
    return {member_op(op, 0, gate), member_op(op, 1, up), GateOp{gate, up, gated.output, gated.kind}};
}

std::vector<Op> split_rope_kv(Program& program, const LinearOp& op, const RopeKvEpilogue& target) {
    const HeadLayout& heads = target.heads;
    const std::int64_t kv_dim = std::int64_t{heads.num_kv_heads} * heads.head_dim;
    const ActivationId keys = scratch(program, "keys", kv_dim);
    const ActivationId values = scratch(program, "values", kv_dim);
    std::vector<Op> ops{member_op(op, 0, target.query, target.q_bias), member_op(op, 1, keys, target.k_bias),
        member_op(op, 2, values, target.v_bias)};
    if (target.q_norm)
        ops.push_back(NormOp{target.query, target.query, *target.q_norm, heads.head_dim});
    if (target.k_norm)
        ops.push_back(NormOp{keys, keys, *target.k_norm, heads.head_dim});
    if (target.rope.valid()) {
        ops.push_back(RopeOp{target.query, heads.num_heads, heads.head_dim, target.rope});
        ops.push_back(RopeOp{keys, heads.num_kv_heads, heads.head_dim, target.rope});
    }
    ops.push_back(KvWriteOp{keys, values, target.layer, heads});
    return ops;
}

std::vector<Op> split_add_residual(Program& program, const LinearOp& op, const AddResidualEpilogue& target) {
    const ActivationId added = scratch(program, "added", dim_of(program, target.residual));
    LinearOp store = op;
    store.epilogue = StoreEpilogue{added, target.bias};
    std::vector<Op> ops{store};
    if (target.post_norm)
        ops.push_back(NormOp{added, added, *target.post_norm, 0});
    ops.push_back(AddOp{target.residual, added, target.scale});
    return ops;
}

std::vector<Op> split_linear(Program& program, const LinearOp& op) {
    const auto* norm = std::get_if<RmsNormPrologue>(&op.prologue);
    // A single member of a group has no prologue, so ops of several members lose theirs first.
    const bool several =
        std::holds_alternative<GatedEpilogue>(op.epilogue) || std::holds_alternative<RopeKvEpilogue>(op.epilogue);
    if (norm != nullptr && several)
        return split_prologue(program, op, *norm);
    return std::visit(Overloaded{
                          [&](const StoreEpilogue& store) -> std::vector<Op> {
                              if (norm != nullptr)
                                  return split_prologue(program, op, *norm);
                              return {member_op(op, 0, store.output, store.bias)};
                          },
                          [&](const AddResidualEpilogue& target) { return split_add_residual(program, op, target); },
                          [&](const RopeKvEpilogue& target) { return split_rope_kv(program, op, target); },
                          [&](const GatedEpilogue& target) { return split_gated(program, op, target); },
                          [&](const LogitsEpilogue& target) -> std::vector<Op> {
                              if (target.scale == 1 && target.softcap == 0) {
                                  LinearOp store = op;
                                  store.epilogue = StoreEpilogue{target.logits, {}};
                                  store.rows = RowSet::needs_logits;
                                  return {store};
                              }
                              // No op of the floor scales or caps: what is left of this one belongs to it.
                              return norm != nullptr ? split_prologue(program, op, *norm) : std::vector<Op>{};
                          },
                      },
        op.epilogue);
}

std::string formats_of(const Program& program, WeightGroupId id) {
    std::string text;
    for (const WeightMember& member : group_of(program, id).members)
        text += (text.empty() ? "" : "+") + std::string(format_info(member.format).name);
    return text;
}

std::string_view gate_name(GateKind kind) noexcept {
    switch (kind) {
    case GateKind::silu:
        return "silu";
    case GateKind::gelu_tanh:
    case GateKind::gelu:
        return "gelu";
    case GateKind::swiglu_clamped:
        return "swiglu";
    }
    return {};
}

std::string describe_epilogue(const LinearOp& op) {
    return std::visit(
        Overloaded{
            [](const StoreEpilogue& e) -> std::string { return e.bias.valid() ? "bias store" : "store"; },
            [](const AddResidualEpilogue& e) -> std::string {
                return std::string(e.bias.valid() ? "bias " : "") + (e.post_norm ? "post_norm " : "") + "add_residual";
            },
            [](const RopeKvEpilogue& e) -> std::string {
                return std::string(e.q_bias.valid() ? "bias " : "") + (e.q_norm ? "qk_norm " : "") +
                    (e.rope.valid() ? "rope_kv" : "kv");
            },
            [](const GatedEpilogue& e) -> std::string { return "gated_" + std::string(gate_name(e.kind)); },
            [](const LogitsEpilogue& e) -> std::string { return e.softcap != 0 ? "softcap logits" : "logits"; },
        },
        op.epilogue);
}

/// Weights an op multiplies by, or none.
WeightGroupId weights_of(const Op& op) {
    return std::visit(
        [](const auto& entry) -> WeightGroupId {
            using Entry = std::decay_t<decltype(entry)>;
            if constexpr (std::is_same_v<Entry, LinearOp> || std::is_same_v<Entry, MemberLinearOp> ||
                std::is_same_v<Entry, HeadLinearOp>)
                return entry.weights;
            else if constexpr (std::is_same_v<Entry, GatherOp>)
                return entry.embedding;
            else if constexpr (std::is_same_v<Entry, ExpertsOp>)
                return entry.gate_up;
            else if constexpr (std::is_same_v<Entry, LowRankOp>)
                return entry.down;
            else
                return {};
        },
        op);
}

/// `describe` and the tensor it reads: "linear q4_k add_residual blk.0.attn_output".
std::string report_name(const Program& program, const Op& op) {
    std::string text = describe(program, op);
    const WeightGroupId weights = weights_of(op);
    if (!weights.valid())
        return text;
    const auto* single = std::get_if<MemberLinearOp>(&op);
    const auto index = static_cast<std::size_t>(single != nullptr ? single->member : 0);
    std::string name = group_of(program, weights).members[index].name;
    constexpr std::string_view kSuffix = ".weight";
    if (name.size() > kSuffix.size() && name.compare(name.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0)
        name.resize(name.size() - kSuffix.size());
    return text + " " + name;
}

/// Takes ops apart until the backend accepts every piece.
class Resolver {
public:
    Resolver(Program program, const Backend& backend, Numerics mode, bool decompose_all)
        : backend_(backend), mode_(mode), decompose_all_(decompose_all) {
        resolved_.program = std::move(program);
    }

    Result<ResolvedProgram> run() {
        const std::vector<Op> ops = std::exchange(resolved_.program.ops, {});
        std::vector<Op> done;
        for (const Op& op : ops)
            VT_TRY(place(op, {}, done));
        resolved_.program.ops = std::move(done);
        return std::move(resolved_);
    }

private:
    /// `reason`: why the op that this one is a piece of came apart; empty for an op of the original program.
    Result<void> place(const Op& op, const std::string& reason, std::vector<Op>& done) {
        Program& program = resolved_.program;
        if (decompose_all_) {
            const std::vector<Op> pieces = decompose(program, op);
            if (!pieces.empty())
                return place_all(pieces, reason.empty() ? "decomposed on request" : reason, done);
        }
        const Verdict verdict = backend_.check(program, op, mode_);
        if (const auto* accepted = std::get_if<Accepted>(&verdict)) {
            resolved_.kernels.push_back({report_name(program, op), accepted->kernel, reason.empty(), reason});
            done.push_back(op);
            return {};
        }
        const std::string& why = std::get<Declined>(verdict).reason;
        const std::vector<Op> pieces = decompose(program, op);
        if (!pieces.empty())
            return place_all(pieces, why, done);
        const DeviceInfo device = backend_.device();
        return fail(ErrorCode::unsupported,
            say(Sentence::op_not_run, device.id, device.isa, report_name(program, op), why),
            say(Sentence::choose_other_device));
    }

    Result<void> place_all(const std::vector<Op>& pieces, const std::string& reason, std::vector<Op>& done) {
        for (const Op& piece : pieces)
            VT_TRY(place(piece, reason, done));
        return {};
    }

    const Backend& backend_;
    Numerics mode_;
    bool decompose_all_;
    ResolvedProgram resolved_;
};

} // namespace

std::vector<Op> decompose(Program& program, const Op& op) {
    if (const auto* linear = std::get_if<LinearOp>(&op))
        return split_linear(program, *linear);
    if (const auto* gather = std::get_if<GatherOp>(&op); gather != nullptr && gather->next_norm) {
        GatherOp plain = *gather;
        plain.next_norm.reset();
        return {plain};
    }
    return {};
}

Result<ResolvedProgram> resolve(Program program, const Backend& backend, Numerics mode, bool decompose_all) {
    return Resolver(std::move(program), backend, mode, decompose_all).run();
}

std::string describe(const Program& program, const Op& op) {
    return std::visit(
        Overloaded{
            [&](const GatherOp& e) { return "gather " + formats_of(program, e.embedding); },
            [&](const LinearOp& e) {
                const bool norm = std::holds_alternative<RmsNormPrologue>(e.prologue);
                return "linear " + formats_of(program, e.weights) + (norm ? " rms_norm " : " ") + describe_epilogue(e);
            },
            [](const AttentionOp& e) {
                return std::string(e.causal ? "attention" : "whole attention") + (e.window_tokens ? " window" : "") +
                    (e.softcap != 0 ? " softcap" : "") + (e.sinks.valid() ? " sinks" : "");
            },
            [](const SamplingOp&) { return std::string("sampling"); },
            [](const NormOp& e) {
                return std::string(e.centered ? "layer norm" : "norm") + (e.group_dim != 0 ? " heads" : "");
            },
            [](const RopeOp&) { return std::string("rope"); },
            [](const KvWriteOp&) { return std::string("kv_write"); },
            [](const AddOp&) { return std::string("add"); },
            [](const GateOp& e) { return (e.up.valid() ? "gate " : "activate ") + std::string(gate_name(e.kind)); },
            [&](const MemberLinearOp& e) {
                const auto member = static_cast<std::size_t>(e.member);
                const WeightFormat format = group_of(program, e.weights).members[member].format;
                return "linear " + std::string(format_info(format).name) + (e.bias.valid() ? " bias" : "") + " member";
            },
            [&](const ExpertsOp& e) {
                return "experts " + std::to_string(e.num_used) + "/" + std::to_string(e.num_experts) + " " +
                    formats_of(program, e.gate_up) + "+" + formats_of(program, e.down);
            },
            [](const HeadCopyOp&) { return std::string("copy heads"); },
            [&](const HeadLinearOp& e) { return "linear " + formats_of(program, e.weights) + " heads"; },
            [](const LowRankOp& e) { return "low rank " + std::to_string(e.rank_ends.back()); },
        },
        op);
}

} // namespace vitrine::kernels
