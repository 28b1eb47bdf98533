// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture of experts: rows are sorted by expert, so that each expert's weights are read once for all of its rows; then
// gate and up, then down, then every row sums its experts in the order of their scores.  Work is handed out by a counter:
// experts have different numbers of rows.  A row's bits depend on neither.
#include <algorithm>
#include <array>
#include <atomic>

#include "kernels/cpu/step_node.h"
#include "kernels/ref/expert_choice.h"

namespace vitrine::kernels::cpu {
namespace {

constexpr int kBlockRows = 256; // rows of a step that are sorted together: bounds the memory of long prompts
constexpr std::int64_t kUnitColumns = 32; // of one piece of work

/// Bytes of one row of `dim` values in a panel.
std::int64_t panel_row_bytes(PanelKind kind, std::int64_t dim) noexcept {
    return kind == PanelKind::dense ? dim * 4 : round_up(dim, kQuantBlock) / kQuantBlock * panel_block_bytes(kind);
}

PanelKind kind_for(WeightFormat format, PanelKind quantized) noexcept {
    return is_dense(format) ? PanelKind::dense : quantized;
}

class ExpertsNode final : public StepNode {
public:
    ExpertsNode(const CompileEnvironment& environment, const ExpertsOp& op, int max_rows, ExpertsSpace& space)
        : op_(op), gate_(matrices(environment, op.gate_up)[0]), up_(matrices(environment, op.gate_up)[1]),
          down_(matrices(environment, op.down)[0]), ff_dim_(gate_.out_dim / op.num_experts),
          dim_(down_.out_dim / op.num_experts), in_kind_(kind_for(gate_.layout.format, environment.panel_kind)),
          hidden_kind_(kind_for(down_.layout.format, environment.panel_kind)),
          in_stride_(panel_row_bytes(in_kind_, dim_)), hidden_stride_(panel_row_bytes(hidden_kind_, ff_dim_)) {
        const auto pairs =
            static_cast<std::size_t>(std::min(max_rows, kBlockRows)) * static_cast<std::size_t>(op.num_used);
        experts_.resize(pairs);
        weights_.resize(pairs);
        places_.resize(pairs);
        starts_.resize(static_cast<std::size_t>(op.num_experts) + 1);
        active_.reserve(static_cast<std::size_t>(op.num_experts));
        const auto grow = [](auto& memory, std::size_t size) { memory.resize(std::max(memory.size(), size)); };
        grow(space.input_panel, pairs * static_cast<std::size_t>(in_stride_) + 64);
        grow(space.hidden_panel, pairs * static_cast<std::size_t>(hidden_stride_) + 64);
        grow(space.output, pairs * static_cast<std::size_t>(dim_));
    }

    void run(StepContext& context, int worker) override {
        for (int first = 0; first < context.num_rows(); first += kBlockRows)
            run_block(context, worker, first, std::min(kBlockRows, context.num_rows() - first));
    }

private:
    static const std::vector<PackedMember>& matrices(const CompileEnvironment& environment, WeightGroupId id) {
        return environment.weights[static_cast<std::size_t>(id.value)].members;
    }
    static std::uint8_t* aligned(std::vector<std::uint8_t>& memory) noexcept {
        return memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
    }
    [[nodiscard]] int rows_of(int expert) const noexcept {
        const auto e = static_cast<std::size_t>(expert);
        return starts_[e + 1] - starts_[e];
    }

    void run_block(StepContext& context, int worker, int first_row, int num_rows) {
        route(context, worker, first_row, num_rows);
        context.pool.barrier();
        if (worker == 0)
            sort(num_rows);
        context.pool.barrier();
        fill_panel(context, worker, first_row, num_rows);
        if (context.observer != nullptr && worker == 0)
            observe_inputs(context, first_row, num_rows);
        context.pool.barrier();
        hand_out(0, ff_dim_, [&](int expert, std::int64_t column, std::int64_t count) {
            gate_up(context, worker, expert, column, count);
        });
        context.pool.barrier();
        if (context.observer != nullptr && worker == 0)
            observe_hidden(context);
        hand_out(1, dim_,
            [&](int expert, std::int64_t column, std::int64_t count) { down(context, worker, expert, column, count); });
        context.pool.barrier();
        add_up(context, worker, first_row, num_rows);
        context.pool.barrier();
    }

    void route(StepContext& context, int worker, int first_row, int num_rows) {
        const auto used = static_cast<std::size_t>(op_.num_used);
        std::array<double, kMaxExperts> logits;
        const std::span<double> mine_logits(logits.data(), static_cast<std::size_t>(op_.num_experts));
        const std::span<const float> bias(
            context.vector(op_.selection_bias), op_.selection_bias.valid() ? mine_logits.size() : 0);
        const IndexRange mine = context.share(num_rows, worker);
        for (std::int64_t row = mine.begin; row < mine.end; ++row) {
            std::copy_n(context.row(op_.router, first_row + row), op_.num_experts, logits.begin());
            const std::size_t at = static_cast<std::size_t>(row) * used;
            choose_experts(
                op_, mine_logits, bias, std::span(experts_).subspan(at, used), std::span(weights_).subspan(at, used));
        }
    }
    /// Counting sort of (row, expert) pairs by expert; `places_` says where each pair went.
    void sort(int num_rows) {
        const std::size_t pairs = static_cast<std::size_t>(num_rows) * static_cast<std::size_t>(op_.num_used);
        std::fill(starts_.begin(), starts_.end(), 0);
        for (std::size_t i = 0; i < pairs; ++i)
            ++starts_[static_cast<std::size_t>(experts_[i]) + 1];
        active_.clear();
        for (int expert = 0; expert < op_.num_experts; ++expert) {
            if (starts_[static_cast<std::size_t>(expert) + 1] > 0)
                active_.push_back(expert);
            starts_[static_cast<std::size_t>(expert) + 1] += starts_[static_cast<std::size_t>(expert)];
        }
        std::array<std::int32_t, kMaxExperts> next;
        std::copy_n(starts_.begin(), op_.num_experts, next.begin());
        for (std::size_t i = 0; i < pairs; ++i) {
            places_[i] = next[static_cast<std::size_t>(experts_[i])]++;
        }
        counters_[0] = counters_[1] = 0;
    }
    void fill_panel(StepContext& context, int worker, int first_row, int num_rows) {
        const IndexRange mine = context.share(static_cast<std::int64_t>(num_rows) * op_.num_used, worker);
        for (std::int64_t pair = mine.begin; pair < mine.end; ++pair) {
            const std::int32_t place = places_[static_cast<std::size_t>(pair)];
            write_panel(context, in_kind_, aligned(context.experts.input_panel), in_stride_,
                experts_[static_cast<std::size_t>(pair)], place,
                context.row(op_.input, first_row + pair / op_.num_used), dim_, 0);
        }
    }
    void observe_inputs(StepContext& context, int first_row, int num_rows) {
        const WeightGroupSpec& group = context.program.weights[static_cast<std::size_t>(op_.gate_up.value)];
        const std::int64_t pairs = std::int64_t{num_rows} * op_.num_used;
        for (std::int64_t pair = 0; pair < pairs; ++pair)
            context.observer->on_input(group, experts_[static_cast<std::size_t>(pair)], op_.num_experts,
                {context.row(op_.input, first_row + pair / op_.num_used), static_cast<std::size_t>(dim_)});
        observed_.resize(static_cast<std::size_t>(pairs * ff_dim_));
    }
    void observe_hidden(StepContext& context) const {
        const WeightGroupSpec& group = context.program.weights[static_cast<std::size_t>(op_.down.value)];
        const auto width = static_cast<std::size_t>(ff_dim_);
        for (const int expert : active_)
            for (int i = 0; i < rows_of(expert); ++i) {
                const auto place = static_cast<std::size_t>(starts_[static_cast<std::size_t>(expert)] + i);
                context.observer->on_input(
                    group, expert, op_.num_experts, std::span(observed_).subspan(place * width, width));
            }
    }
    /// `count` values of the row at `place` into the panel of its expert, from block `first_block` on.
    void write_panel(StepContext& context, PanelKind kind, std::uint8_t* panel, std::int64_t stride, int expert,
        std::int32_t place, const float* x, std::int64_t count, std::int64_t first_block) const {
        const std::int32_t start = starts_[static_cast<std::size_t>(expert)];
        const PanelTile tile = context.isa.tile_of(kind, place - start, rows_of(expert));
        context.isa.panel_row[static_cast<int>(kind)](
            {x, count, panel + (start + tile.first) * stride, tile.size, place - start - tile.first, first_block});
    }
    /// Calls work(expert, column, count) for every piece that this worker gets.
    template <class Work>
    void hand_out(std::size_t counter, std::int64_t columns, const Work& work) {
        const std::int64_t units = (columns + kUnitColumns - 1) / kUnitColumns;
        const std::int64_t total = units * std::ssize(active_);
        for (;;) {
            const std::int64_t item = counters_[counter].fetch_add(1, std::memory_order_relaxed);
            if (item >= total)
                return;
            const std::int64_t column = item % units * kUnitColumns;
            work(active_[static_cast<std::size_t>(item / units)], column, std::min(kUnitColumns, columns - column));
        }
    }
    /// Rows [first, first + tokens) of an expert times `count` columns from `column` on.
    void multiply(StepContext& context, const PackedMember& member, PanelKind kind, const std::uint8_t* panel,
        int num_tokens, std::int64_t row, std::int64_t count, float* out) const {
        const int lanes = context.isa.lanes;
        LinearArgs args;
        args.weights = member.data + row / lanes * member.band_bytes;
        args.band_bytes = member.band_bytes;
        args.num_bands = static_cast<int>((count + lanes - 1) / lanes);
        args.in_dim = member.in_dim;
        args.prefetch = context.isa.prefetch;
        args.panel = panel;
        args.num_tokens = num_tokens;
        args.out = out;
        args.out_stride = kUnitColumns;
        context.isa.linear[static_cast<int>(member.layout.format)][kind == PanelKind::int8x2 ? 1 : 0](args);
    }
    void add_bias(StepContext& context, WeightGroupId bias, std::int64_t row, std::int64_t count, int num_tokens,
        float* y) const {
        if (bias.valid())
            context.isa.add(
                {y, kUnitColumns, y, kUnitColumns, num_tokens, count, context.vector(bias) + row, 1, false});
    }

    void gate_up(StepContext& context, int worker, int expert, std::int64_t column, std::int64_t count) {
        const std::int32_t start = starts_[static_cast<std::size_t>(expert)];
        float* gate = context.scratch[static_cast<std::size_t>(worker)].tile.data();
        float* up = gate + kTileFloats;
        const std::int64_t row = expert * ff_dim_ + column;
        for (int first = 0; first < rows_of(expert); first += kChunkTokens) {
            const int tokens = std::min(kChunkTokens, rows_of(expert) - first);
            const std::uint8_t* panel = aligned(context.experts.input_panel) + (start + first) * in_stride_;
            multiply(context, gate_, in_kind_, panel, tokens, row, count, gate);
            multiply(context, up_, in_kind_, panel, tokens, row, count, up);
            add_bias(context, op_.gate_bias, row, count, tokens, gate);
            add_bias(context, op_.up_bias, row, count, tokens, up);
            for (int i = 0; i < tokens; ++i) {
                float* hidden = gate + i * kUnitColumns;
                context.isa.gate(hidden, up + i * kUnitColumns, hidden, count, op_.kind);
                if (context.observer != nullptr)
                    std::copy_n(hidden, count, observed_.data() + (start + first + i) * ff_dim_ + column);
                write_panel(context, hidden_kind_, aligned(context.experts.hidden_panel), hidden_stride_, expert,
                    start + first + i, hidden, count, column / kQuantBlock);
            }
        }
    }
    void down(StepContext& context, int worker, int expert, std::int64_t column, std::int64_t count) {
        const std::int32_t start = starts_[static_cast<std::size_t>(expert)];
        float* y = context.scratch[static_cast<std::size_t>(worker)].tile.data();
        const std::int64_t row = expert * dim_ + column;
        for (int first = 0; first < rows_of(expert); first += kChunkTokens) {
            const int tokens = std::min(kChunkTokens, rows_of(expert) - first);
            multiply(context, down_, hidden_kind_,
                aligned(context.experts.hidden_panel) + (start + first) * hidden_stride_, tokens, row, count, y);
            add_bias(context, op_.down_bias, row, count, tokens, y);
            for (int i = 0; i < tokens; ++i)
                std::copy_n(
                    y + i * kUnitColumns, count, context.experts.output.data() + (start + first + i) * dim_ + column);
        }
    }
    void add_up(StepContext& context, int worker, int first_row, int num_rows) const {
        const IndexRange mine = context.share(num_rows, worker);
        for (std::int64_t row = mine.begin; row < mine.end; ++row) {
            for (int k = 0; k < op_.num_used; ++k) {
                const auto pair = static_cast<std::size_t>(row * op_.num_used + k);
                context.isa.add({context.row(op_.residual, first_row + row), 0,
                    context.experts.output.data() + places_[pair] * dim_, 0, 1, dim_, nullptr, weights_[pair], true});
            }
        }
    }

    const ExpertsOp op_;
    const PackedMember gate_, up_, down_;
    const std::int64_t ff_dim_, dim_;
    const PanelKind in_kind_, hidden_kind_;
    const std::int64_t in_stride_, hidden_stride_;
    std::vector<std::int32_t> experts_; // [rows][num_used]
    std::vector<float> weights_; // as experts_
    std::vector<std::int32_t> places_; // as experts_: place in the order by expert
    std::vector<std::int32_t> starts_; // first place of each expert
    std::vector<int> active_; // experts with rows
    std::array<std::atomic<std::int64_t>, 2> counters_{};
    std::vector<float> observed_; // [pairs][ff_dim], with an observer
};

} // namespace

std::unique_ptr<StepNode> make_experts_node(
    const CompileEnvironment& environment, const ExpertsOp& op, int max_rows, ExpertsSpace& space) {
    return std::make_unique<ExpertsNode>(environment, op, max_rows, space);
}

std::int64_t experts_bytes(const Program& program, const ExpertsOp& op, PanelKind kind, int max_rows) noexcept {
    const auto member = [&](WeightGroupId id) -> const WeightMember& {
        return program.weights[static_cast<std::size_t>(id.value)].members.front();
    };
    const WeightMember& gate = member(op.gate_up);
    const WeightMember& down = member(op.down);
    const std::int64_t pairs = std::int64_t{std::min(max_rows, kBlockRows)} * op.num_used;
    return pairs *
        (panel_row_bytes(kind_for(gate.format, kind), gate.in_dim) +
            panel_row_bytes(kind_for(down.format, kind), down.in_dim) + down.out_dim / op.num_experts * 4);
}

} // namespace vitrine::kernels::cpu
