// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: the sampling chain on the device: what each logit row needs goes up, a token a row comes back.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "kernels/cuda/cuda_stream.h"
#include "kernels/cuda/sampling_launch.h"
#include "kernels/cuda/step_buffers.h"

namespace vitrine::kernels {

/// True if the device kernels cover the sequence; else the host must sample it from its logits.
[[nodiscard]] bool samples_on_device(const SamplingSequence& sequence, std::int64_t vocab) noexcept;

/// Buffers grow to what steps ask for.  Thread: engine.
class DeviceSampler {
public:
    DeviceSampler(std::shared_ptr<CudaStream> stream, std::int64_t vocab) : stream_(std::move(stream)), vocab_(vocab) {}

    /// Queues the sampling of `sequences` behind the logits, for slot `slot` of the steps in flight.
    /// logits: device, [row][vocab] f32, unchanged in the end.  tokens: device, [row], gets what was chosen.
    /// Requires: samples_on_device() of each.
    [[nodiscard]] Result<void> submit(
        int slot, std::span<const SamplingSequence* const> sequences, float* logits, std::int32_t* tokens);
    /// Outcomes of the slot's sequences, in order.  Requires: the step has ended.
    [[nodiscard]] std::vector<SamplingOutcome> collect(int slot) const;

private:
    /// Lists of a step before they are laid out.
    struct Lists {
        std::vector<SamplingRow> rows;
        std::vector<TokenCount> counts;
        std::vector<TokenBias> biases;
        std::vector<std::uint32_t> masks;
        std::vector<std::span<const float>> draft_probs;
        std::size_t num_draft_probs = 0;
        std::size_t num_saved = 0; // biases of all rows
        int max_logprobs = -1;
    };
    struct Slot {
        PinnedBuffer upload, results;
        std::size_t upload_bytes = 0, result_bytes = 0; // capacities
        std::vector<int> num_drafts; // of each sequence
        int num_rows = 0;
        int top_stride = 0;
    };
    void list(const SamplingSequence& sequence);
    [[nodiscard]] Result<SamplingBatch> send(Slot& slot);
    [[nodiscard]] Result<void> make_room(Slot& slot, std::size_t upload, std::size_t work, std::size_t results);

    std::shared_ptr<CudaStream> stream_;
    std::int64_t vocab_;
    Lists lists_;
    std::vector<TokenCount> merged_;
    std::array<Slot, kStepsInFlight> slots_;
    DeviceBuffer upload_, work_, results_;
};

} // namespace vitrine::kernels
