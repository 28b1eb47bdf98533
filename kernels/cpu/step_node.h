// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: one op of a compiled program as a phase of a step, and what all phases share.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/api/input_observer.h"
#include "kernels/api/program.h"
#include "kernels/api/step_args.h"
#include "kernels/cpu/cpu_kv_pool.h"
#include "kernels/cpu/greedy_picks.h"
#include "kernels/cpu/isa_table.h"
#include "kernels/cpu/packed_weights.h"
#include "kernels/cpu/worker_pool.h"
#include "kernels/ref/ref_sampling.h"

namespace vitrine::kernels::cpu {

inline constexpr int kChunkTokens = 128; // tokens whose panel stays in the second-level cache while bands pass
inline constexpr int kRedundantRows = 2; // up to so many rows every worker prepares for itself: cheaper than a barrier
inline constexpr int kTileFloats = 8 * 1024; // results of a product on their way into the epilogue

struct IndexRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};
[[nodiscard]] constexpr IndexRange share_of(std::int64_t count, int worker, int num_workers) noexcept {
    return {count * worker / num_workers, count * (worker + 1) / num_workers};
}

/// Memory of one worker; sized at compile.
struct WorkerScratch {
    std::vector<float> tile; // kTileFloats or one unit of a chunk, twice (gate, up)
    std::vector<float> row; // the widest input
    std::vector<float> attention; // attention_scratch_floats
    std::vector<std::byte> bytes; // a row in file order
    std::vector<std::uint8_t> panel; // kRedundantRows rows
    SamplingScratch sampling;
};

/// cos and sin of the step's positions, expanded to elements: [num_rows][2][rotary_dim].
struct RopeRows {
    RopeStyle style = RopeStyle::interleaved;
    int rotary_dim = 0;
    std::vector<float> values;
};

/// What one mixture of experts works with; nodes run one after another, so all of a program share the largest.
struct ExpertsSpace {
    std::vector<std::uint8_t> input_panel, hidden_panel; // rows in the order of places, with room to align
    std::vector<float> output; // as the panels: [pairs][dim]
};

/// Everything a phase sees.  Constant during a region but for the buffers, which phases write in disjoint parts.
struct StepContext {
    const IsaTable& isa;
    WorkerPool& pool;
    const Program& program;
    const std::vector<PackedGroup>& weights;
    CpuKvPool& kv;
    StepArgs step;
    ActivationId logits_id;
    std::vector<float*> activations; // [rows][dim]; null: only ever a panel
    std::vector<std::int32_t> all_rows; // 0, 1, 2 ...
    std::vector<RopeRows> ropes;
    std::vector<WorkerScratch> scratch;
    std::uint8_t* panel = nullptr; // of the product that runs
    std::uint8_t* gated_panel = nullptr; // written by a gate, read by the next product
    float* staged_keys = nullptr; // [rows][kv dim]: 8-bit caches see whole heads, or whole steps
    float* staged_values = nullptr;
    float* staged_rows = nullptr; // [rows][dim]: a product that is normed before it is added
    std::vector<float> partials; // of the attention that runs; grows to the longest context seen
    ExpertsSpace experts; // of the mixture that runs
    StepResult result;
    GreedyPicks picks;
    InputObserver* observer = nullptr; // or none

    [[nodiscard]] int num_rows() const noexcept { return static_cast<int>(step.tokens.size()); }
    [[nodiscard]] std::span<const std::int32_t> rows_of(RowSet set) const noexcept {
        return set == RowSet::all ? std::span(all_rows).first(step.tokens.size()) : step.logit_rows;
    }
    [[nodiscard]] float* row(ActivationId id, std::int64_t index) const noexcept {
        return activations[static_cast<std::size_t>(id.value)] + index * dim(id);
    }
    [[nodiscard]] std::int64_t dim(ActivationId id) const noexcept {
        return program.activations[static_cast<std::size_t>(id.value)].dim;
    }
    /// Row of `id` for the i-th of `rows`: logits are compact, everything else keeps its place.
    [[nodiscard]] float* target_row(
        ActivationId id, std::span<const std::int32_t> rows, std::int64_t i) const noexcept {
        return row(id, id == logits_id ? i : rows[static_cast<std::size_t>(i)]);
    }
    [[nodiscard]] const PackedGroup& group(WeightGroupId id) const noexcept {
        return weights[static_cast<std::size_t>(id.value)];
    }
    /// Null for no group.
    [[nodiscard]] const float* vector(WeightGroupId id) const noexcept {
        return id.valid() ? group(id).vector.data() : nullptr;
    }
    [[nodiscard]] IndexRange share(std::int64_t count, int worker) const noexcept {
        return share_of(count, worker, pool.size());
    }
};

/// One op.  run() is called by every worker; it returns when this worker may start the next op.
class StepNode {
public:
    virtual ~StepNode() = default;
    /// On the stepping thread before the region.
    virtual void begin_step(StepContext& context) { static_cast<void>(context); }
    virtual void run(StepContext& context, int worker) = 0;
};

struct CompileEnvironment {
    const Program& program;
    const std::vector<PackedGroup>& weights;
    const IsaTable& isa;
    const CpuKvPool& kv;
    PanelKind panel_kind; // of quantized weights
};

/// `gates_into_panel`: the output of this gated product is read by the next op alone, as a panel.  `reads_gated_panel`: this
/// product's input is that panel.  `is_sampled_next`: the next op samples from this head's logits.
struct LinearPlan {
    bool gates_into_panel = false;
    bool reads_gated_panel = false;
    bool is_sampled_next = false;
};

[[nodiscard]] std::unique_ptr<StepNode> make_linear_node(
    const CompileEnvironment& environment, const LinearOp& op, LinearPlan plan);
[[nodiscard]] std::unique_ptr<StepNode> make_linear_node(
    const CompileEnvironment& environment, const MemberLinearOp& op);
/// max_rows: of a step; `space` grows to what the node needs, which experts_bytes() counts.
[[nodiscard]] std::unique_ptr<StepNode> make_experts_node(
    const CompileEnvironment& environment, const ExpertsOp& op, int max_rows, ExpertsSpace& space);
[[nodiscard]] std::unique_ptr<StepNode> make_head_linear_node(
    const CompileEnvironment& environment, const HeadLinearOp& op);
[[nodiscard]] std::unique_ptr<StepNode> make_low_rank_node(const CompileEnvironment& environment, const LowRankOp& op);
[[nodiscard]] std::int64_t experts_bytes(
    const Program& program, const ExpertsOp& op, PanelKind kind, int max_rows) noexcept;
[[nodiscard]] std::unique_ptr<StepNode> make_attention_node(const AttentionOp& op, KvType type);
[[nodiscard]] std::unique_ptr<StepNode> make_node(const GatherOp& op);
[[nodiscard]] std::unique_ptr<StepNode> make_node(const NormOp& op);
[[nodiscard]] std::unique_ptr<StepNode> make_node(const RopeOp& op);
[[nodiscard]] std::unique_ptr<StepNode> make_node(const KvWriteOp& op);
[[nodiscard]] std::unique_ptr<StepNode> make_node(const AddOp& op);
[[nodiscard]] std::unique_ptr<StepNode> make_node(const GateOp& op);
[[nodiscard]] std::unique_ptr<StepNode> make_node(const SamplingOp& op);
[[nodiscard]] std::unique_ptr<StepNode> make_node(const HeadCopyOp& op);

/// Rotates one head or a part of it by the step's table.
void rotate(const StepContext& context, RopeId rope, std::int64_t row, float* x, int first, int count);

/// Writes keys and values [rows][kv dim] to the step's slots, every worker its share; calibrates the layer's scales first
/// if the cache has such.  Ends with a barrier.
void write_kv_rows(
    StepContext& context, int worker, LayerId layer, const HeadLayout& heads, const float* keys, const float* values);

/// Queries that one attention item covers, and rows (queries x group) at most.
[[nodiscard]] int attention_block_queries(int group) noexcept;

} // namespace vitrine::kernels::cpu
