// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: step arguments on their way to the GPU: fixed device arrays, filled from a ring of pinned slots.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/api/backend.h"
#include "kernels/cuda/cuda_stream.h"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

inline constexpr int kStepsInFlight = 2;

/// What decides the launches of a step; two steps of equal shape may share a graph.
struct StepShape {
    int num_rows = 0;
    int num_seqs = 0;
    int num_logit_rows = 0;
    int cluster = 0; // of the decode attention, a power of two; 0: no decode rows
    int max_decode_rows = 0; // of one sequence
    int num_prefill_tiles = 0;
    bool greedy = false; // argmax on the device
    friend auto operator<=>(const StepShape&, const StepShape&) = default;
};

/// Device arrays of the running step, at fixed addresses.
struct StepArrays {
    int* tokens = nullptr;
    int* positions = nullptr;
    int* slots = nullptr; // [KV group][slot_stride]
    int* logit_rows = nullptr;
    int* query_starts = nullptr;
    int* context_lens = nullptr;
    int* block_tables = nullptr; // [KV group][sequence][table_stride]
    int2* tiles = nullptr;
    int slot_stride = 0;
    int table_stride = 0;
    int group_stride = 0; // of block_tables
};

/// What decides how many blocks share the keys of a sequence.
struct AttentionBounds {
    int max_kv_heads = 1;
    int num_sms = 1;
    int max_cluster = 1;
    bool invariant = false; // the number must not depend on the batch
};

class StepBuffers {
public:
    /// `groups`: the distinct numbers of query heads per KV head.  num_kv_groups: block tables of a sequence.
    [[nodiscard]] static Result<StepBuffers> make(const StepLimits& limits, int block_tokens, int num_kv_groups,
        std::vector<int> groups, const AttentionBounds& attention);

    /// Fills slot `slot` of the ring and queues the copies.  Sets everything of the shape but `greedy`.
    [[nodiscard]] Result<StepShape> fill(const StepArgs& step, int slot, const CudaStream& stream);
    [[nodiscard]] const StepArrays& arrays() const noexcept { return arrays_; }
    /// Prefill tiles of the layers with this group size, in arrays().tiles.
    [[nodiscard]] std::span<const int> tile_ends() const noexcept { return tile_ends_; }
    [[nodiscard]] std::span<const int> groups() const noexcept { return groups_; }
    /// Sequences with more flattened queries are prefilled.
    [[nodiscard]] int decode_flat() const noexcept {
        return attention_.invariant ? std::numeric_limits<int>::max() : kDecodeFlat;
    }

private:
    [[nodiscard]] StepShape shape_of(const StepArgs& step) const;
    [[nodiscard]] int cluster_for(int num_seqs, int max_rows, int max_context) const;
    void list_tiles(const StepArgs& step, int2* out);

    StepLimits limits_;
    AttentionBounds attention_;
    std::vector<int> groups_; // distinct group sizes of the program
    std::vector<int> tile_ends_; // index as groups_: end of its part of the tile list
    StepArrays arrays_;
    DeviceBuffer device_;
    std::array<PinnedBuffer, kStepsInFlight> pinned_;
    std::size_t head_ints_ = 0; // everything before the block tables
    int num_kv_groups_ = 1;
    int max_tiles_ = 0;
};

} // namespace vitrine::kernels
