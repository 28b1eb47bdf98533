// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: every id that an op names, and what it does with its activations.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "kernels/api/ops.h"

namespace vitrine::kernels {

/// read: looks at the values.  write: what was there before does not count.  update: changes what is there.
enum class Access : std::uint8_t { read, write, update };

template <class Entry, class Wanted>
concept SameOp = std::is_same_v<std::remove_const_t<Entry>, Wanted>;

/// Calls visit(ActivationId&, Access) and visit(id&) of weight groups, layers and ropes; absent ids (-1) too.
template <class Visit>
class IdVisitor {
public:
    explicit IdVisitor(Visit& visit) : visit_(visit) {}

    template <SameOp<GatherOp> E>
    void operator()(E& e) const {
        visit_(e.output, e.adds ? Access::update : Access::write);
        visit_(e.embedding);
        visit_norm(e.next_norm);
    }
    template <SameOp<LinearOp> E>
    void operator()(E& e) const {
        visit_(e.input, Access::read);
        visit_(e.weights);
        if (auto* norm = std::get_if<RmsNormPrologue>(&e.prologue))
            visit_(norm->gain);
        std::visit(*this, e.epilogue);
    }
    template <SameOp<StoreEpilogue> E>
    void operator()(E& e) const {
        visit_(e.output, Access::write);
        visit_(e.bias);
    }
    template <SameOp<AddResidualEpilogue> E>
    void operator()(E& e) const {
        visit_(e.residual, Access::update);
        visit_(e.bias);
        visit_norm(e.post_norm);
        visit_norm(e.next_norm);
    }
    template <SameOp<RopeKvEpilogue> E>
    void operator()(E& e) const {
        visit_(e.query, Access::write);
        visit_(e.layer);
        visit_(e.rope);
        visit_(e.q_bias);
        visit_(e.k_bias);
        visit_(e.v_bias);
        visit_norm(e.q_norm);
        visit_norm(e.k_norm);
    }
    template <SameOp<GatedEpilogue> E>
    void operator()(E& e) const {
        visit_(e.output, Access::write);
    }
    template <SameOp<LogitsEpilogue> E>
    void operator()(E& e) const {
        visit_(e.logits, Access::write);
    }
    template <SameOp<AttentionOp> E>
    void operator()(E& e) const {
        visit_(e.query, Access::read);
        visit_(e.output, Access::write);
        visit_(e.layer);
        visit_(e.sinks);
    }
    template <SameOp<SamplingOp> E>
    void operator()(E& e) const {
        visit_(e.logits, Access::read);
    }
    template <SameOp<NormOp> E>
    void operator()(E& e) const {
        visit_(e.input, Access::read);
        visit_(e.output, Access::write);
        visit_(e.norm.gain);
        visit_(e.bias);
    }
    template <SameOp<RopeOp> E>
    void operator()(E& e) const {
        visit_(e.value, Access::update);
        visit_(e.rope);
    }
    template <SameOp<KvWriteOp> E>
    void operator()(E& e) const {
        visit_(e.keys, Access::read);
        visit_(e.values, Access::read);
        visit_(e.layer);
    }
    template <SameOp<AddOp> E>
    void operator()(E& e) const {
        visit_(e.source, Access::read);
        visit_(e.row_gate, Access::read);
        visit_(e.target, Access::update);
    }
    template <SameOp<GateOp> E>
    void operator()(E& e) const {
        visit_(e.gate, Access::read);
        visit_(e.up, Access::read);
        visit_(e.output, Access::write);
    }
    template <SameOp<MemberLinearOp> E>
    void operator()(E& e) const {
        visit_(e.input, Access::read);
        visit_(e.output, Access::write);
        visit_(e.weights);
        visit_(e.bias);
    }
    template <SameOp<ExpertsOp> E>
    void operator()(E& e) const {
        visit_(e.input, Access::read);
        visit_(e.router, Access::read);
        visit_(e.residual, Access::update);
        for (auto* id : {&e.gate_up, &e.down, &e.gate_bias, &e.up_bias, &e.down_bias, &e.selection_bias})
            visit_(*id);
    }
    template <SameOp<HeadCopyOp> E>
    void operator()(E& e) const {
        visit_(e.source, Access::read);
        visit_(e.target, e.clear ? Access::write : Access::update);
    }
    template <SameOp<HeadLinearOp> E>
    void operator()(E& e) const {
        visit_(e.source, Access::read);
        visit_(e.target, Access::update);
        visit_(e.weights);
    }
    template <SameOp<LowRankOp> E>
    void operator()(E& e) const {
        visit_(e.input, Access::read);
        visit_(e.hidden, Access::write);
        visit_(e.output, Access::update);
        visit_(e.down);
        visit_(e.up);
    }

private:
    template <class Norm>
    void visit_norm(Norm& norm) const {
        if (norm)
            visit_(norm->gain);
    }
    Visit& visit_;
};

/// `op`: an Op, const or not; the ids passed on are const if it is.  Reads come before writes.
template <class AnyOp, class Visit>
void visit_ids(AnyOp& op, Visit&& visit) {
    std::visit(IdVisitor<std::remove_reference_t<Visit>>(visit), op);
}

/// The same for activations alone: visit(id, access), of those that are there.
template <class Visit>
void visit_activations(const Op& op, Visit&& visit) {
    visit_ids(op, [&visit](const auto& id, auto... access) {
        if constexpr (sizeof...(access) == 1) {
            if (id.valid())
                visit(id, access...);
        }
    });
}

} // namespace vitrine::kernels
