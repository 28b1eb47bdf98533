// SPDX-License-Identifier: GPL-3.0-or-later
// Products: rows become a panel, bands pass over it, the epilogue takes the results while they are in the first-level cache.
// Work is cut into (chunk of tokens) x (unit of columns), in that order, and dealt out in equal runs: one token cuts by
// columns, a prompt by tokens.  A row's bits depend on neither.
#include <algorithm>
#include <optional>
#include <variant>

#include "kernels/cpu/step_node.h"

namespace vitrine::kernels::cpu {
namespace {

/// Results of `num_tokens` rows from `first_token` on (indices into the op's rows), columns of one member.
struct Tile {
    float* y;
    std::int64_t stride;
    int first_token;
    int num_tokens;
    int member;
    std::int64_t first_column;
    std::int64_t num_columns;

    [[nodiscard]] float* row(int i) const noexcept { return y + i * stride; }
};

struct Chunks {
    int count;
    int tokens; // of each but the last, a multiple of kWidestTile
};
Chunks chunks_of(int num_rows) noexcept {
    const int count = (num_rows + kChunkTokens - 1) / kChunkTokens;
    const auto tokens = static_cast<int>(round_up((num_rows + count - 1) / count, kWidestTile));
    return {(num_rows + tokens - 1) / tokens, tokens};
}

class LinearNode : public StepNode {
public:
    struct Input {
        ActivationId id;
        std::optional<RmsNormPrologue> norm;
        WeightGroupId weights;
        RowSet rows = RowSet::all;
        bool from_gated_panel = false;
        bool overwrites_input = false; // the epilogue writes what other workers may still read
    };

    LinearNode(const CompileEnvironment& environment, Input input, int first_member, int num_members)
        : input_(input), members_(members_of(environment, input, first_member, num_members)),
          kind_(is_dense(members_.front().layout.format) ? PanelKind::dense : environment.panel_kind) {}

    void run(StepContext& context, int worker) final {
        const std::span<const std::int32_t> rows = this->rows(context);
        if (!rows.empty()) {
            if (context.observer != nullptr)
                observe(context, worker, rows);
            multiply(context, worker, prepare(context, worker, rows), static_cast<int>(rows.size()));
            context.pool.barrier();
        }
        finish_rows(context, worker, rows);
    }

protected:
    /// Rows of the step that this product computes.
    [[nodiscard]] virtual std::span<const std::int32_t> rows(const StepContext& context) const noexcept {
        return context.rows_of(input_.rows);
    }
    /// Columns that belong together; a multiple of 16.
    [[nodiscard]] virtual std::int64_t unit_columns() const noexcept { return 32; }
    virtual void finish(StepContext& context, int worker, const Tile& tile) = 0;
    /// After every result is in place and a barrier; ends with one if it writes.
    virtual void finish_rows(StepContext& context, int worker, std::span<const std::int32_t> rows) {
        static_cast<void>(context);
        static_cast<void>(worker);
        static_cast<void>(rows);
    }
    /// Units over all members; a gate counts its pair once.
    [[nodiscard]] virtual std::int64_t num_units() const noexcept {
        std::int64_t units = 0;
        for (const PackedMember& member : members_)
            units += units_of(member);
        return units;
    }
    virtual void multiply_units(StepContext& context, int worker, const std::uint8_t* panel, int first_token,
        int num_tokens, IndexRange units) {
        std::int64_t offset = 0;
        for (int m = 0; m < static_cast<int>(members_.size()); ++m) {
            const std::int64_t count = units_of(member(m));
            const std::int64_t begin = std::clamp<std::int64_t>(units.begin - offset, 0, count);
            const std::int64_t end = std::clamp<std::int64_t>(units.end - offset, 0, count);
            offset += count;
            const std::int64_t step = units_per_tile(num_tokens);
            for (std::int64_t unit = begin; unit < end; unit += step) {
                const Tile tile =
                    make_tile(context, worker, m, first_token, num_tokens, unit, std::min(end, unit + step));
                product(context, panel, tile);
                finish(context, worker, tile);
            }
        }
    }

    [[nodiscard]] const PackedMember& member(int index) const noexcept {
        return members_[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] std::int64_t units_of(const PackedMember& member) const noexcept {
        return (member.out_dim + unit_columns() - 1) / unit_columns();
    }
    [[nodiscard]] std::int64_t units_per_tile(int num_tokens) const noexcept {
        return std::max<std::int64_t>(1, kTileFloats / (num_tokens * unit_columns()));
    }
    [[nodiscard]] Tile make_tile(StepContext& context, int worker, int index, int first_token, int num_tokens,
        std::int64_t first_unit, std::int64_t end_unit) const noexcept {
        const std::int64_t first = first_unit * unit_columns();
        const std::int64_t end = std::min(end_unit * unit_columns(), member(index).out_dim);
        std::vector<float>& buffer = context.scratch[static_cast<std::size_t>(worker)].tile;
        return {buffer.data() + (index == 1 ? second_tile() : 0), round_up(end - first, 16), first_token, num_tokens,
            index, first, end - first};
    }
    void product(const StepContext& context, const std::uint8_t* panel, const Tile& tile) const noexcept {
        const PackedMember& weights = member(tile.member);
        const int lanes = context.isa.lanes;
        LinearArgs args;
        args.weights = weights.data + tile.first_column / lanes * weights.band_bytes;
        args.band_bytes = weights.band_bytes;
        args.num_bands = static_cast<int>((tile.num_columns + lanes - 1) / lanes);
        args.in_dim = weights.in_dim;
        args.prefetch = context.isa.prefetch;
        args.panel = panel;
        args.num_tokens = tile.num_tokens;
        args.out = tile.y;
        args.out_stride = tile.stride;
        context.isa.linear[static_cast<int>(weights.layout.format)][kind_ == PanelKind::int8x2 ? 1 : 0](args);
    }
    /// target of the tile's rows (+)= (tile + bias) * scale, one call where the rows lie at one stride.
    void add_tile(const StepContext& context, const Tile& tile, ActivationId target, const float* bias, float scale,
        bool keep) const noexcept {
        const auto rows = context.rows_of(input_.rows);
        const bool dense_rows = input_.rows == RowSet::all || target == context.logits_id;
        AddArgs args{nullptr, context.dim(target), tile.y, tile.stride, tile.num_tokens, tile.num_columns,
            bias == nullptr ? nullptr : bias + tile.first_column, scale, keep};
        if (!dense_rows)
            args.num_rows = 1;
        for (int i = 0; i < tile.num_tokens; i += args.num_rows) {
            args.target = context.target_row(target, rows, tile.first_token + i) + tile.first_column;
            args.source = tile.row(i);
            context.isa.add(args);
        }
    }
    /// Where the second member of a pair puts its results.
    [[nodiscard]] virtual std::int64_t second_tile() const noexcept { return 0; }

    const Input input_;

private:
    static std::vector<PackedMember> members_of(
        const CompileEnvironment& environment, const Input& input, int first, int count) {
        const auto& all = environment.weights[static_cast<std::size_t>(input.weights.value)].members;
        return {all.begin() + first, all.begin() + first + count};
    }
    [[nodiscard]] std::int64_t token_bytes() const noexcept {
        return round_up(members_.front().in_dim, kQuantBlock) / kQuantBlock * panel_block_bytes(kind_);
    }
    /// Row of the input, normed where the op says so.
    [[nodiscard]] const float* input_row(StepContext& context, int worker, std::int32_t row) const noexcept {
        const float* x = context.row(input_.id, row);
        if (!input_.norm)
            return x;
        float* normed = context.scratch[static_cast<std::size_t>(worker)].row.data();
        context.isa.rms_norm({x, context.vector(input_.norm->gain), normed, members_.front().in_dim, input_.norm->eps});
        return normed;
    }
    /// All workers wait: the product may overwrite its input.
    void observe(StepContext& context, int worker, std::span<const std::int32_t> rows) const {
        const WeightGroupSpec& group = context.program.weights[static_cast<std::size_t>(input_.weights.value)];
        const auto dim = static_cast<std::size_t>(members_.front().in_dim);
        for (std::size_t i = 0; worker == 0 && i < rows.size(); ++i)
            context.observer->on_input(group, 0, 1, {input_row(context, worker, rows[i]), dim});
        context.pool.barrier();
    }
    void fill_row(StepContext& context, int worker, std::span<const std::int32_t> rows, int i,
        std::uint8_t* panel) const noexcept {
        const std::int64_t dim = members_.front().in_dim;
        const float* x = input_row(context, worker, rows[static_cast<std::size_t>(i)]);
        const PanelTile tile = context.isa.tile_of(kind_, i, static_cast<int>(rows.size()));
        const std::int64_t tile_offset = kind_ == PanelKind::dense ? tile.first * dim * 4 : tile.first * token_bytes();
        context.isa.panel_row[static_cast<int>(kind_)]({x, dim, panel + tile_offset, tile.size, i - tile.first, 0});
    }
    const std::uint8_t* prepare(StepContext& context, int worker, std::span<const std::int32_t> rows) const noexcept {
        if (input_.from_gated_panel)
            return context.gated_panel;
        const auto num_rows = static_cast<int>(rows.size());
        if (num_rows <= kRedundantRows && !input_.overwrites_input) {
            std::uint8_t* own = context.scratch[static_cast<std::size_t>(worker)].panel.data();
            for (int i = 0; i < num_rows; ++i)
                fill_row(context, worker, rows, i, own);
            return own;
        }
        const IndexRange mine = context.share(num_rows, worker);
        for (std::int64_t i = mine.begin; i < mine.end; ++i)
            fill_row(context, worker, rows, static_cast<int>(i), context.panel);
        context.pool.barrier();
        return context.panel;
    }
    void multiply(StepContext& context, int worker, const std::uint8_t* panel, int num_rows) {
        const Chunks chunks = chunks_of(num_rows);
        const std::int64_t units = num_units();
        const IndexRange mine = context.share(chunks.count * units, worker);
        const std::int64_t token_stride = kind_ == PanelKind::dense ? members_.front().in_dim * 4 : token_bytes();
        for (std::int64_t item = mine.begin; item < mine.end;) {
            const std::int64_t chunk = item / units;
            const std::int64_t end = std::min(mine.end, (chunk + 1) * units);
            const auto first = static_cast<int>(chunk * chunks.tokens);
            multiply_units(context, worker, panel + first * token_stride, first,
                std::min(chunks.tokens, num_rows - first), {item - chunk * units, end - chunk * units});
            item = end;
        }
    }

    const std::vector<PackedMember> members_;

protected:
    const PanelKind kind_;
};

// ---- epilogues -----------------------------------------------------------------------------------------------------

class StoreNode final : public LinearNode {
public:
    StoreNode(const CompileEnvironment& environment, const Input& input, int member, const StoreEpilogue& epilogue)
        : LinearNode(environment, input, member, 1), epilogue_(epilogue) {}

private:
    void finish(StepContext& context, int, const Tile& tile) override {
        add_tile(context, tile, epilogue_.output, context.vector(epilogue_.bias), 1, false);
    }

    const StoreEpilogue epilogue_;
};

class AddResidualNode final : public LinearNode {
public:
    AddResidualNode(const CompileEnvironment& environment, const Input& input, const AddResidualEpilogue& epilogue)
        : LinearNode(environment, input, 0, 1), epilogue_(epilogue) {}

private:
    void finish(StepContext& context, int, const Tile& tile) override {
        const float* bias = context.vector(epilogue_.bias);
        if (!epilogue_.post_norm) {
            add_tile(context, tile, epilogue_.residual, bias, epilogue_.scale, true);
            return;
        }
        const std::int64_t dim = context.dim(epilogue_.residual);
        context.isa.add({context.staged_rows + tile.first_token * dim + tile.first_column, dim, tile.y, tile.stride,
            tile.num_tokens, tile.num_columns, bias == nullptr ? nullptr : bias + tile.first_column, 1, false});
    }
    void finish_rows(StepContext& context, int worker, std::span<const std::int32_t> rows) override {
        if (!epilogue_.post_norm)
            return;
        const std::int64_t dim = context.dim(epilogue_.residual);
        const IndexRange mine = context.share(static_cast<std::int64_t>(rows.size()), worker);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            float* y = context.staged_rows + i * dim;
            context.isa.rms_norm({y, context.vector(epilogue_.post_norm->gain), y, dim, epilogue_.post_norm->eps});
            context.isa.add(
                {context.target_row(epilogue_.residual, rows, i), 0, y, 0, 1, dim, nullptr, epilogue_.scale, true});
        }
        context.pool.barrier();
    }

    const AddResidualEpilogue epilogue_;
};

class RopeKvNode final : public LinearNode {
public:
    RopeKvNode(const CompileEnvironment& environment, const Input& input, const RopeKvEpilogue& epilogue)
        : LinearNode(environment, input, 0, 3), epilogue_(epilogue),
          stages_(environment.kv.spec().type != KvType::f16 && environment.kv.spec().type != KvType::bf16),
          unit_(unit_for(environment, epilogue)) {}

private:
    /// Pairs that lie side by side let a head be cut; norms and distant pairs do not.
    static std::int64_t unit_for(const CompileEnvironment& environment, const RopeKvEpilogue& epilogue) {
        const int head_dim = epilogue.heads.head_dim;
        const bool neox = epilogue.rope.valid() &&
            environment.program.ropes[static_cast<std::size_t>(epilogue.rope.value)].style == RopeStyle::neox;
        const bool whole = neox || epilogue.q_norm || epilogue.k_norm || head_dim % 32 != 0;
        return whole ? head_dim : 32;
    }
    [[nodiscard]] std::int64_t unit_columns() const noexcept override { return unit_; }

    void finish(StepContext& context, int, const Tile& tile) override {
        const WeightGroupId biases[3] = {epilogue_.q_bias, epilogue_.k_bias, epilogue_.v_bias};
        const float* bias = context.vector(biases[tile.member]);
        if (bias != nullptr)
            context.isa.add({tile.y, tile.stride, tile.y, tile.stride, tile.num_tokens, tile.num_columns,
                bias + tile.first_column, 1, false});
        for (int i = 0; i < tile.num_tokens; ++i) {
            const int row = tile.first_token + i;
            float* y = tile.row(i);
            for (std::int64_t column = 0; column < tile.num_columns; column += unit_)
                finish_unit(context, tile.member, row, tile.first_column + column, y + column);
        }
    }
    /// x: `unit_` results of one row, columns from `column` on.
    void finish_unit(StepContext& context, int member, int row, std::int64_t column, float* x) const {
        const int head_dim = epilogue_.heads.head_dim;
        const auto head = static_cast<int>(column / head_dim);
        const auto first = static_cast<int>(column % head_dim);
        const auto count = static_cast<int>(unit_);
        const std::optional<RmsNormPrologue>& norm = member == 0 ? epilogue_.q_norm : epilogue_.k_norm;
        if (member != 2 && norm)
            context.isa.rms_norm({x, context.vector(norm->gain), x, head_dim, norm->eps});
        if (member != 2 && epilogue_.rope.valid())
            rotate(context, epilogue_.rope, row, x, first, count);
        if (member == 0) {
            std::copy_n(x, count, context.row(epilogue_.query, row) + column);
            return;
        }
        if (stages_) {
            const std::int64_t kv_dim = std::int64_t{epilogue_.heads.num_kv_heads} * head_dim;
            float* staged = member == 1 ? context.staged_keys : context.staged_values;
            std::copy_n(x, count, staged + row * kv_dim + column);
            return;
        }
        const int block_tokens = context.kv.spec().block_tokens;
        const auto slots = context.step.group_slots(context.kv.group_of(epilogue_.layer));
        const std::int32_t slot = slots[static_cast<std::size_t>(row)];
        context.isa.kv_write({context.kv.spec().type, context.kv.head(epilogue_.layer, slot / block_tokens, head),
            head_dim, block_tokens, slot % block_tokens, first, count, x, member == 1});
    }
    void finish_rows(StepContext& context, int worker, std::span<const std::int32_t>) override {
        if (stages_)
            write_kv_rows(
                context, worker, epilogue_.layer, epilogue_.heads, context.staged_keys, context.staged_values);
    }

    const RopeKvEpilogue epilogue_;
    const bool stages_;
    const std::int64_t unit_;
};

class GatedNode final : public LinearNode {
public:
    GatedNode(const CompileEnvironment& environment, const Input& input, const GatedEpilogue& epilogue, bool into_panel)
        : LinearNode(environment, input, 0, 2), epilogue_(epilogue), into_panel_(into_panel),
          out_kind_(environment.panel_kind) {}

private:
    [[nodiscard]] std::int64_t num_units() const noexcept override { return units_of(member(0)); }
    [[nodiscard]] std::int64_t second_tile() const noexcept override { return kTileFloats; }

    void multiply_units(StepContext& context, int worker, const std::uint8_t* panel, int first_token, int num_tokens,
        IndexRange units) override {
        const std::int64_t step = units_per_tile(num_tokens);
        for (std::int64_t unit = units.begin; unit < units.end; unit += step) {
            const std::int64_t end = std::min(units.end, unit + step);
            const Tile gate = make_tile(context, worker, 0, first_token, num_tokens, unit, end);
            const Tile up = make_tile(context, worker, 1, first_token, num_tokens, unit, end);
            product(context, panel, gate);
            product(context, panel, up);
            for (int i = 0; i < num_tokens; ++i)
                context.isa.gate(gate.row(i), up.row(i), gate.row(i), gate.num_columns, epilogue_.kind);
            finish(context, worker, gate);
        }
    }
    void finish(StepContext& context, int, const Tile& tile) override {
        const auto rows = context.rows_of(input_.rows);
        for (int i = 0; i < tile.num_tokens; ++i) {
            const int index = tile.first_token + i;
            if (!into_panel_) {
                std::copy_n(tile.row(i), tile.num_columns,
                    context.target_row(epilogue_.output, rows, index) + tile.first_column);
                continue;
            }
            const PanelTile place = context.isa.tile_of(out_kind_, index, static_cast<int>(rows.size()));
            const std::int64_t token_bytes = member(0).out_dim / kQuantBlock * panel_block_bytes(out_kind_);
            context.isa.panel_row[static_cast<int>(out_kind_)](
                {tile.row(i), tile.num_columns, context.gated_panel + place.first * token_bytes, place.size,
                    index - place.first, tile.first_column / kQuantBlock});
        }
    }

    const GatedEpilogue epilogue_;
    const bool into_panel_;
    const PanelKind out_kind_;
};

/// Logits of rows that are sampled from, or the arg max alone where that is all that is wanted.
class LogitsNode final : public LinearNode {
public:
    LogitsNode(const CompileEnvironment& environment, const Input& input, const LogitsEpilogue& epilogue, bool may_pick)
        : LinearNode(environment, input, 0, 1), epilogue_(epilogue), may_pick_(may_pick) {}

    void begin_step(StepContext& context) override { context.picks.plan(context.step, may_pick_); }

private:
    [[nodiscard]] std::span<const std::int32_t> rows(const StepContext& context) const noexcept override {
        return context.picks.head_rows();
    }
    void finish(StepContext& context, int worker, const Tile& tile) override {
        for (int i = 0; i < tile.num_tokens; ++i) {
            const int row = context.picks.logit_row(tile.first_token + i);
            const LogitUse use = context.picks.use(row);
            float* out = use.logits ? context.row(epilogue_.logits, row) + tile.first_column : tile.row(i);
            context.isa.logits(tile.row(i), out, epilogue_.scale, epilogue_.softcap, tile.num_columns);
            const std::int64_t best = use.pick ? context.isa.argmax(out, tile.num_columns) : -1;
            if (best >= 0)
                context.picks.offer(worker, row, static_cast<std::int32_t>(tile.first_column + best), out[best]);
        }
    }

    const LogitsEpilogue epilogue_;
    const bool may_pick_;
};

/// Makes the node of each epilogue.
struct NodeMaker {
    const CompileEnvironment& environment;
    LinearNode::Input input;
    LinearPlan plan;

    std::unique_ptr<StepNode> operator()(const StoreEpilogue& epilogue) {
        input.overwrites_input = epilogue.output == input.id;
        return std::make_unique<StoreNode>(environment, input, 0, epilogue);
    }
    std::unique_ptr<StepNode> operator()(const AddResidualEpilogue& epilogue) {
        input.overwrites_input = epilogue.residual == input.id;
        return std::make_unique<AddResidualNode>(environment, input, epilogue);
    }
    std::unique_ptr<StepNode> operator()(const RopeKvEpilogue& epilogue) {
        input.overwrites_input = epilogue.query == input.id;
        return std::make_unique<RopeKvNode>(environment, input, epilogue);
    }
    std::unique_ptr<StepNode> operator()(const GatedEpilogue& epilogue) {
        input.overwrites_input = epilogue.output == input.id;
        return std::make_unique<GatedNode>(environment, input, epilogue, plan.gates_into_panel);
    }
    std::unique_ptr<StepNode> operator()(const LogitsEpilogue& epilogue) {
        input.rows = RowSet::needs_logits;
        input.overwrites_input = epilogue.logits == input.id;
        return std::make_unique<LogitsNode>(environment, input, epilogue, plan.is_sampled_next);
    }
};

} // namespace

std::unique_ptr<StepNode> make_linear_node(const CompileEnvironment& environment, const LinearOp& op, LinearPlan plan) {
    LinearNode::Input input{op.input, std::nullopt, op.weights, op.rows, plan.reads_gated_panel, false};
    if (const auto* norm = std::get_if<RmsNormPrologue>(&op.prologue))
        input.norm = *norm;
    return std::visit(NodeMaker{environment, input, plan}, op.epilogue);
}

std::unique_ptr<StepNode> make_linear_node(const CompileEnvironment& environment, const MemberLinearOp& op) {
    LinearNode::Input input{op.input, std::nullopt, op.weights, op.rows, false, op.output == op.input};
    return std::make_unique<StoreNode>(environment, input, op.member, StoreEpilogue{op.output, op.bias});
}

} // namespace vitrine::kernels::cpu
