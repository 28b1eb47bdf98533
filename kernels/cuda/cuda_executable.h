// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: runs one resolved program, at most two steps in flight, decode steps as graphs.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "kernels/api/backend.h"
#include "kernels/cuda/cuda_chain.h"
#include "kernels/cuda/cuda_kv_pool.h"
#include "kernels/cuda/cuda_weights.h"
#include "kernels/cuda/device_sampler.h"
#include "kernels/cuda/experts_launch.h"
#include "kernels/cuda/linear_runner.h"
#include "kernels/cuda/step_buffers.h"
#include "kernels/cuda/step_sampler.h"

namespace vitrine::kernels {

/// Why the GPU cannot run an op as it is, or empty.
[[nodiscard]] std::string why_declined(const Program& program, const Op& op);
/// Whether an attention runs on the plain kernel: heads or a view that the tensor core kernels have not.
[[nodiscard]] bool needs_plain_attention(const AttentionOp& op) noexcept;
/// Short name of the kernel family that runs an op.
[[nodiscard]] std::string kernel_name(const Program& program, const Op& op);
/// Why the GPU cannot run a mixture of experts, or empty.
[[nodiscard]] std::string why_declined_experts(const Program& program, const ExpertsOp& op);
/// Bytes that mixtures of experts take for steps of `max_rows`.
[[nodiscard]] std::int64_t expert_bytes(const Program& program, int max_rows);
/// Bytes of one activation as the linear op that reads it wants it, for up to `max_rows`.
[[nodiscard]] std::int64_t feed_image_bytes(int padded_dim, int max_rows);
/// Bytes of activations and workspace.
[[nodiscard]] std::int64_t workspace_bytes(const Program& program, const StepLimits& limits);

class CudaExecutable final : public Executable {
public:
    /// `weights` and `pool` outlive it.
    [[nodiscard]] static Result<std::unique_ptr<CudaExecutable>> make(const Program& program,
        const CudaWeights& weights, CudaKvPool& pool, const StepLimits& limits, Numerics mode,
        std::shared_ptr<CudaStream> stream);
    ~CudaExecutable() override;

    Result<Ticket> submit(const StepArgs& step) override;
    Result<StepResult> wait(Ticket ticket) override;
    [[nodiscard]] bool keeps_tokens() const noexcept override { return keeps_tokens_; }
    [[nodiscard]] std::span<const KernelReport> kernels() const noexcept override { return kernels_; }

private:
    /// What a step leaves for wait().
    struct Slot {
        cudaEvent_t start = nullptr;
        cudaEvent_t forwarded = nullptr; // logits, and greedy tokens, are there
        cudaEvent_t end = nullptr;
        PinnedBuffer tokens;
        PinnedBuffer logits; // grows to what steps ask for
        std::size_t logits_capacity = 0;
        PinnedBuffer input, output; // rows from and for another device, if the program is a part of a model
        std::size_t num_rows = 0;
        std::vector<OwnedSampling> sampling; // of greedy steps all, else those that the host samples
        std::vector<bool> on_device; // which sequences the device samples; empty in greedy steps
        std::size_t num_logit_rows = 0;
        bool greedy = false;
        bool want_logits = false;
        bool graph_replayed = false;
    };

    CudaExecutable(const Program& program, const CudaWeights& weights, CudaKvPool& pool, const StepLimits& limits,
        std::shared_ptr<CudaStream> stream)
        : program_(program), weights_(weights), pool_(pool), limits_(limits), stream_(std::move(stream)) {}
    [[nodiscard]] Result<void> prepare(Numerics mode);
    [[nodiscard]] Result<void> make_activations();
    [[nodiscard]] Result<void> make_ropes();
    [[nodiscard]] Result<void> make_attention(Numerics mode);
    [[nodiscard]] Result<void> make_chain();
    [[nodiscard]] Result<void> make_slots();
    [[nodiscard]] Result<void> validate(const StepArgs& step) const;
    [[nodiscard]] bool is_token(std::int32_t token) const noexcept;
    /// The step's tokens as the gather reads them: those of the step before by their place in best_.
    [[nodiscard]] std::span<const std::int32_t> placed_tokens(std::span<const std::int32_t> tokens);
    /// Where the step that is queued leaves its tokens, for the one behind.
    void note_tokens(const Slot& slot, std::span<const SamplingSequence> sequences);

    [[nodiscard]] Result<bool> forward(const StepShape& shape);
    [[nodiscard]] Result<void> launch_all(const StepShape& shape);
    [[nodiscard]] Result<cudaGraphExec_t> capture(const StepShape& shape);
    [[nodiscard]] Result<void> sample(int index, std::span<const SamplingSequence> sequences);
    /// What another device hands over.
    [[nodiscard]] Result<void> take_input(Slot& slot, std::span<const float> input);
    [[nodiscard]] Result<void> copy_results(Slot& slot, const StepShape& shape);
    [[nodiscard]] Result<void> copy_tokens_and_logits(Slot& slot, const StepShape& shape);
    [[nodiscard]] std::vector<SamplingOutcome> outcomes_of(int index);

    [[nodiscard]] Result<void> run(const GatherOp& op);
    [[nodiscard]] Result<void> run(const LinearOp& op);
    [[nodiscard]] Result<void> run(const AttentionOp& op);
    [[nodiscard]] Result<void> run(const SamplingOp& op);
    [[nodiscard]] Result<void> run(const NormOp& op);
    [[nodiscard]] Result<void> run(const RopeOp& op);
    [[nodiscard]] Result<void> run(const KvWriteOp& op);
    /// keys, values: [rows, kv dim], on their way into the layer's cache.
    [[nodiscard]] Result<void> write_kv(LayerId layer, const float* keys, const float* values);
    [[nodiscard]] Result<void> run(const AddOp& op);
    [[nodiscard]] Result<void> run(const GateOp& op);
    [[nodiscard]] Result<void> run(const ExpertsOp& op);
    [[nodiscard]] Result<void> run(const HeadCopyOp& op);
    [[nodiscard]] Result<void> run(const HeadLinearOp& op);
    [[nodiscard]] Result<void> run(const LowRankOp& op);
    [[nodiscard]] Result<void> run(const MemberLinearOp& op);

    /// The linear op that reads `output` of op `index` next, if that op may prepare its input: else null.
    [[nodiscard]] const LinearOp* fed_by(std::size_t index) const;
    [[nodiscard]] Result<void> make_feeds();
    /// How op `index` leaves the input of the linear op it feeds as int8; no columns: as f16.
    [[nodiscard]] Int8Place int8_feed(std::size_t index) const;
    /// The same of what an op wants.
    [[nodiscard]] Int8Place int8_input(const LinearOp& op) const;
    /// Whether any op of a step of so many rows may feed the panel kernel.
    [[nodiscard]] bool feeds_panels(int num_rows) const;
    /// Whether the outputs of an op that may feed lie as the panel kernel's epilogue feeds them.
    [[nodiscard]] bool leaves_quads(const LinearOp& op) const;
    /// How op `index` leaves the input of the linear op it feeds for many rows; no image: not at all.
    [[nodiscard]] PanelFeed panel_feed(std::size_t index) const;
    /// What the running op writes beside `output` for the linear op that reads it next.
    [[nodiscard]] FeedArgs feed_of(ActivationId output) const;
    [[nodiscard]] AttentionArgs attention_args(const AttentionOp& op) const;
    /// The matrices alone.
    [[nodiscard]] LinearArgs matrix_args(ActivationId input, WeightGroupId weights, int member) const;
    [[nodiscard]] LinearArgs linear_args(ActivationId input, WeightGroupId weights, RowSet rows, int member) const;
    void store_to(LinearArgs& args, ActivationId output, RowSet rows) const;
    void set_epilogue(LinearArgs& args, const LinearOp& op) const;
    [[nodiscard]] Result<void> make_experts();
    [[nodiscard]] Result<void> route_experts(const ExpertsOp& op);
    /// Rows of `input` to f16, then their products.
    [[nodiscard]] Result<void> multiply_experts(
        const ExpertProductArgs& args, const float* input, int num_rows, int in_dim);
    [[nodiscard]] Result<void> run_linear(const LinearArgs& args, RowSet rows);
    [[nodiscard]] float* values(ActivationId id) const {
        return activations_[static_cast<std::size_t>(id.value)].as<float>();
    }
    [[nodiscard]] int dim(ActivationId id) const {
        return static_cast<int>(program_.activations[static_cast<std::size_t>(id.value)].dim);
    }
    [[nodiscard]] const float* vector_of(WeightGroupId id) const;
    [[nodiscard]] const int* slots_of(LayerId layer) const {
        return step_.arrays().slots + pool_.group_of(layer) * step_.arrays().slot_stride;
    }
    /// Whether this step's layers run in one kernel.
    [[nodiscard]] bool chains() const { return chain_.has_value() && shape_.num_rows == 1; }
    [[nodiscard]] int rows_of(ActivationId id) const { return id == logits_ ? shape_.num_logit_rows : shape_.num_rows; }

    Program program_;
    const CudaWeights& weights_;
    CudaKvPool& pool_;
    StepLimits limits_;
    std::shared_ptr<CudaStream> stream_;
    std::vector<KernelReport> kernels_;
    ActivationId logits_; // what the sampling op reads: one row for each logit row
    std::unique_ptr<LinearRunner> linear_;
    StepBuffers step_;
    StepShape shape_; // of the step whose kernels are being launched
    std::vector<DeviceBuffer> activations_; // index == ActivationId
    struct Feed {
        DeviceBuffer image; // f16: fragments of up to kSmallRows rows, or blocks of up to kPanelRows
        DeviceBuffer squares; // fragments: of the same rows
        DeviceBuffer parts, num_parts; // blocks: sums of squares
        int padded_dim = 0;
    };
    std::vector<Feed> feeds_; // index == ActivationId
    std::vector<const LinearOp*> fed_; // index == op: the linear op whose input it prepares
    std::vector<int> feeder_; // index == op: the op before that prepares its input, or -1
    DeviceBuffer largest_; // [op][kPanelRows]: PanelFeed::largest of what the op feeds
    std::size_t running_ = 0; // op whose kernels are being launched
    std::optional<CudaChain> chain_; // the layers of a small model
    /// Of the running mixture of experts; sized for the largest.
    struct ExpertBuffers {
        DeviceBuffer image, scales, ids, weights, grouped, items, num_items;
        DeviceBuffer hidden, parts; // [pair][...] f32
    };
    ExpertBuffers experts_;
    std::vector<DeviceBuffer> ropes_; // index == RopeId: [position][half] float2
    DeviceBuffer keys_, values_; // f32 rows on their way to an 8-bit cache
    DeviceBuffer best_, best_parts_; // argmax; best_: [logit row], also of what the sampler chose
    bool keeps_tokens_ = false; // of the step submitted last
    std::vector<std::int32_t> token_places_; // of each of its sampling entries, in best_
    std::vector<std::int32_t> placed_tokens_;
    std::array<Slot, kStepsInFlight> slots_;
    std::map<StepShape, cudaGraphExec_t> graphs_;
    std::set<StepShape> seen_; // a shape becomes a graph when it comes again
    std::unique_ptr<DeviceSampler> sampler_;
    SamplingScratch scratch_;
    std::uint64_t num_submitted_ = 0;
    std::uint64_t num_waited_ = 0;
};

} // namespace vitrine::kernels
