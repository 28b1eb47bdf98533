// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/api/cut_program.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "kernels/api/op_ids.h"
#include "kernels/api/sentence.h"

namespace vitrine::kernels {
namespace {

std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

/// Places of the ops that name each layer.
struct LayerOps {
    std::size_t first = 0;
    std::size_t last = 0;
};

std::vector<std::optional<LayerOps>> find_layers(const Program& program) {
    std::vector<std::optional<LayerOps>> layers(program.kv_layers.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        visit_ids(program.ops[i], [&](const auto& id, auto... /*access*/) {
            if constexpr (std::is_same_v<std::decay_t<decltype(id)>, LayerId>) {
                auto& layer = layers[at(id.value)];
                layer = LayerOps{layer ? layer->first : i, i};
            }
        });
    }
    return layers;
}

/// What an op writes of every head of an activation, leaving the rest.
struct HeadPart {
    ActivationId target{};
    int num_heads = 1;
    int first = 0;
    std::int64_t count = 0;
};

HeadPart head_part(const Program& program, const Op& op) {
    if (const auto* copy = std::get_if<HeadCopyOp>(&op); copy != nullptr && !copy->clear)
        return {copy->target, copy->num_heads, copy->target_first, copy->count};
    if (const auto* linear = std::get_if<HeadLinearOp>(&op))
        return {linear->target, linear->num_heads, linear->target_first,
            program.weights[at(linear->weights.value)].members.front().out_dim / linear->num_heads};
    return {};
}

/// Whether an activation's values reach beyond a place: looked at by those who come behind it, in their order.
class Fate {
public:
    void meet(const Program& program, ActivationId id, Access access, const HeadPart& part) {
        if (decided_)
            return;
        if (access == Access::update && part.target == id)
            return cover(program.activations[at(id.value)].dim / part.num_heads, part);
        decided_ = true;
        live_ = access != Access::write;
    }
    void read_at_end() { live_ = live_ || !decided_; }
    [[nodiscard]] bool is_live() const noexcept { return live_; }

private:
    /// Parts that together are the whole head leave nothing of what was there.
    void cover(std::int64_t head_dim, const HeadPart& part) {
        covered_.resize(static_cast<std::size_t>(head_dim), false);
        std::fill_n(covered_.begin() + part.first, part.count, true);
        decided_ = std::find(covered_.begin(), covered_.end(), false) == covered_.end();
    }

    bool decided_ = false;
    bool live_ = false;
    std::vector<bool> covered_; // of a head
};

/// Activations that ops before `place` leave for those from it on.
std::vector<ActivationId> live_at(const Program& program, std::size_t place) {
    std::vector<bool> written(program.activations.size(), false);
    std::vector<Fate> fates(program.activations.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const HeadPart part = head_part(program, program.ops[i]);
        visit_activations(program.ops[i], [&](ActivationId id, Access access) {
            if (i >= place)
                fates[at(id.value)].meet(program, id, access, part);
            else if (access != Access::read)
                written[at(id.value)] = true;
        });
    }
    if (program.hidden.valid())
        fates[at(program.hidden.value)].read_at_end();
    std::vector<ActivationId> live;
    for (std::size_t i = 0; i < fates.size(); ++i)
        if (written[i] && fates[i].is_live())
            live.push_back({static_cast<std::int32_t>(i)});
    return live;
}

struct Cut {
    std::size_t place = 0; // the back's first op
    ActivationId handed_over;
};

/// Between the attention of one layer and the next layer's keys: the last place where the residual alone is alive.
Result<Cut> find_cut(const Program& program, int front_layers) {
    const auto layers = find_layers(program);
    const auto& before = layers[at(front_layers - 1)];
    const auto& after = layers[at(front_layers)];
    const bool in_order = before && after && before->last < after->first;
    std::size_t fewest = program.activations.size();
    for (std::size_t place = in_order ? after->first : 0; in_order && place > before->last; --place) {
        const std::vector<ActivationId> live = live_at(program, place);
        if (live.size() == 1)
            return Cut{place, live.front()};
        fewest = std::min(fewest, live.size());
    }
    return fail(ErrorCode::unsupported, say(Sentence::layers_not_shared, front_layers - 1, front_layers, fewest),
        say(Sentence::run_on_one_device));
}

/// Builds a part: ids are given anew in the order in which the ops name them.
class PartBuilder {
public:
    PartBuilder(const Program& whole, int first_layer, int num_layers) : whole_(whole) {
        part_.first_layer = first_layer;
        part_.program.ropes = whole.ropes;
        part_.program.vocab_size = whole.vocab_size;
        part_.program.max_positions = whole.max_positions;
        part_.program.num_adapters = whole.num_adapters;
        const auto begin = whole.kv_layers.begin() + first_layer;
        part_.program.kv_layers.assign(begin, begin + num_layers);
        activations_.resize(whole.activations.size());
        groups_.resize(whole.weights.size());
    }

    ProgramPart build(std::span<const Op> ops) {
        for (Op op : ops) {
            drop_hints(op);
            visit_ids(op, [this](auto& id, auto... /*access*/) { id = renamed(id); });
            part_.program.ops.push_back(std::move(op));
        }
        set_roles();
        return std::move(part_);
    }

    ActivationId renamed(ActivationId id) {
        if (!id.valid())
            return id;
        ActivationId& name = activations_[at(id.value)];
        if (!name.valid()) {
            name = {static_cast<std::int32_t>(part_.program.activations.size())};
            part_.program.activations.push_back(whole_.activations[at(id.value)]);
        }
        return name;
    }

private:
    WeightGroupId renamed(WeightGroupId id) {
        if (!id.valid())
            return id;
        WeightGroupId& name = groups_[at(id.value)];
        if (!name.valid()) {
            name = {static_cast<std::int32_t>(part_.program.weights.size())};
            part_.program.weights.push_back(whole_.weights[at(id.value)]);
            part_.groups.push_back(id);
        }
        return name;
    }
    [[nodiscard]] LayerId renamed(LayerId id) const { return id.valid() ? LayerId{id.value - part_.first_layer} : id; }
    [[nodiscard]] static RopeId renamed(RopeId id) { return id; } // both parts have all tables

    /// A hint names the norm of the reader, which may be in the other part.
    static void drop_hints(Op& op) {
        if (auto* gather = std::get_if<GatherOp>(&op))
            gather->next_norm.reset();
        if (auto* linear = std::get_if<LinearOp>(&op))
            if (auto* target = std::get_if<AddResidualEpilogue>(&linear->epilogue))
                target->next_norm.reset();
    }

    /// A tied table of which a part needs one use alone is stored for that one.
    void set_roles() {
        std::vector<bool> gathered(part_.program.weights.size(), false);
        std::vector<bool> multiplied(part_.program.weights.size(), false);
        for (const Op& op : part_.program.ops) {
            if (const auto* gather = std::get_if<GatherOp>(&op))
                gathered[at(gather->embedding.value)] = true;
            if (const auto* linear = std::get_if<LinearOp>(&op))
                multiplied[at(linear->weights.value)] = true;
        }
        for (std::size_t i = 0; i < gathered.size(); ++i) {
            WeightRole& role = part_.program.weights[i].role;
            if (role == WeightRole::tied_head && gathered[i] != multiplied[i])
                role = gathered[i] ? WeightRole::embedding : WeightRole::head;
        }
    }

    const Program& whole_;
    ProgramPart part_;
    std::vector<ActivationId> activations_; // index: of the whole program
    std::vector<WeightGroupId> groups_;
};

} // namespace

Result<CutProgram> cut_program(const Program& whole, int front_layers) {
    const int num_layers = static_cast<int>(whole.kv_layers.size());
    if (front_layers < 1 || front_layers >= num_layers)
        return fail(ErrorCode::invalid_argument, say(Sentence::layers_not_cut, num_layers, front_layers),
            say(Sentence::choose_layers_up_to, num_layers - 1));
    auto cut = find_cut(whole, front_layers);
    if (!cut)
        return tl::unexpected(cut.error());
    const std::span<const Op> ops(whole.ops);
    PartBuilder front(whole, 0, front_layers);
    PartBuilder back(whole, front_layers, num_layers - front_layers);
    const ActivationId output = front.renamed(cut->handed_over);
    const ActivationId input = back.renamed(cut->handed_over);
    const ActivationId hidden = back.renamed(whole.hidden);
    CutProgram parts{front.build(ops.first(cut->place)), back.build(ops.subspan(cut->place))};
    parts.front.program.output = output;
    parts.back.program.input = input;
    parts.back.program.hidden = hidden;
    return parts;
}

KvSpec kv_of_part(const KvSpec& whole, const ProgramPart& part) {
    KvSpec spec = whole;
    const auto begin = whole.layers.begin() + part.first_layer;
    spec.layers.assign(begin, begin + std::ssize(part.program.kv_layers));
    return spec;
}

} // namespace vitrine::kernels
