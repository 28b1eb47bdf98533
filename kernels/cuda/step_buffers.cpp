// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/step_buffers.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace vitrine::kernels {
namespace {

std::size_t size(std::int64_t value) {
    return static_cast<std::size_t>(value);
}

int tiles_of(int rows, int group) {
    return (rows * group + kQueryTile - 1) / kQueryTile;
}

/// By the last row of a tile, windows aside.
int keys_seen(const StepArgs& step, int2 tile, int group) {
    const std::size_t seq = size(tile.x);
    const int rows = step.query_starts[seq + 1] - step.query_starts[seq];
    const int last_row = std::min((tile.y + kQueryTile - 1) / group, rows - 1);
    return step.context_lens[seq] - (rows - 1 - last_row);
}

} // namespace

Result<StepBuffers> StepBuffers::make(const StepLimits& limits, int block_tokens, int num_kv_groups,
    std::vector<int> groups, const AttentionBounds& attention) {
    StepBuffers buffers;
    buffers.limits_ = limits;
    buffers.attention_ = attention;
    buffers.groups_ = std::move(groups);
    StepArrays& arrays = buffers.arrays_;
    arrays.table_stride = (limits.max_context + block_tokens - 1) / block_tokens;
    const std::size_t rows = size(limits.max_rows);
    const std::size_t seqs = size(limits.max_seqs);
    buffers.num_kv_groups_ = num_kv_groups;
    arrays.slot_stride = limits.max_rows;
    arrays.group_stride = limits.max_seqs * arrays.table_stride;
    buffers.head_ints_ = (2 + size(num_kv_groups)) * rows + size(limits.max_logit_rows) + 2 * seqs + 1;
    const std::size_t table_ints = size(num_kv_groups) * size(arrays.group_stride);
    for (const int group : buffers.groups_)
        buffers.max_tiles_ += tiles_of(limits.max_rows, group) + limits.max_seqs;
    const std::size_t tile_start = (buffers.head_ints_ + table_ints + 1) / 2 * 2;
    const std::size_t bytes = (tile_start + 2 * size(buffers.max_tiles_)) * sizeof(int);
    auto device = DeviceBuffer::make(bytes, "Step arguments");
    VT_TRY(device);
    buffers.device_ = std::move(*device);
    for (PinnedBuffer& slot : buffers.pinned_) {
        auto pinned = PinnedBuffer::make(bytes, "Reserving page-locked memory");
        VT_TRY(pinned);
        slot = std::move(*pinned);
    }
    int* base = buffers.device_.as<int>();
    arrays.tokens = base;
    arrays.positions = base + rows;
    arrays.slots = base + 2 * rows;
    arrays.logit_rows = base + (2 + size(num_kv_groups)) * rows;
    arrays.query_starts = arrays.logit_rows + limits.max_logit_rows;
    arrays.context_lens = arrays.query_starts + seqs + 1;
    arrays.block_tables = base + buffers.head_ints_;
    arrays.tiles = reinterpret_cast<int2*>(base + tile_start);
    return buffers;
}

StepShape StepBuffers::shape_of(const StepArgs& step) const {
    StepShape shape;
    shape.num_rows = static_cast<int>(step.tokens.size());
    shape.num_seqs = static_cast<int>(step.context_lens.size());
    shape.num_logit_rows = static_cast<int>(step.logit_rows.size());
    int max_context = 0;
    for (std::size_t seq = 0; seq < step.context_lens.size(); ++seq) {
        const int rows = step.query_starts[seq + 1] - step.query_starts[seq];
        for (const int group : groups_) {
            if (rows == 0 || rows * group > decode_flat())
                continue;
            max_context = std::max({max_context, step.context_lens[seq], 1});
            shape.max_decode_rows = std::max(shape.max_decode_rows, rows);
        }
    }
    if (max_context > 0)
        shape.cluster = cluster_for(shape.num_seqs, shape.max_decode_rows, max_context);
    return shape;
}

/// Few sequences: many blocks share one and the latency counts; many sequences: each has enough to do alone.
int StepBuffers::cluster_for(int num_seqs, int max_rows, int max_context) const {
    constexpr int kBlocksPerSm = 3;
    constexpr int kSharedCluster = 8; // of several sequences, at most: measured
    if (attention_.invariant)
        return std::min(attention_.max_cluster, 8);
    const int group = groups_.empty() ? 1 : *std::max_element(groups_.begin(), groups_.end());
    const int tiles = (max_rows * group + kMaxColumns - 1) / kMaxColumns; // of queries
    const int most = num_seqs == 1 ? attention_.max_cluster : std::min(attention_.max_cluster, kSharedCluster);
    const int wanted = (max_context + kDecodeKeys - 1) / kDecodeKeys;
    int cluster = 1;
    while (cluster < wanted && cluster < most &&
        num_seqs * tiles * attention_.max_kv_heads * cluster * 2 <= attention_.num_sms * kBlocksPerSm)
        cluster *= 2;
    return cluster;
}

void StepBuffers::list_tiles(const StepArgs& step, int2* out) {
    tile_ends_.clear();
    int count = 0;
    for (const int group : groups_) {
        const int begin = count;
        for (std::size_t seq = 0; seq < step.context_lens.size(); ++seq) {
            const int flat = (step.query_starts[seq + 1] - step.query_starts[seq]) * group;
            for (int first = 0; flat > decode_flat() && first < flat; first += kQueryTile)
                out[count++] = {static_cast<int>(seq), first};
        }
        // What sees the most keys starts first.
        std::sort(out + begin, out + count, [&](int2 a, int2 b) {
            return std::tuple(keys_seen(step, b, group), a.x, a.y) < std::tuple(keys_seen(step, a, group), b.x, b.y);
        });
        tile_ends_.push_back(count);
    }
}

Result<StepShape> StepBuffers::fill(const StepArgs& step, int slot, const CudaStream& stream) {
    int* host = pinned_[size(slot)].as<int>();
    const int* base = device_.as<int>();
    const auto put = [&](std::span<const std::int32_t> values, const int* target) {
        std::memcpy(host + (target - base), values.data(), values.size_bytes());
    };
    put(step.tokens, arrays_.tokens);
    put(step.positions, arrays_.positions);
    for (int group = 0; group < num_kv_groups_; ++group)
        put(step.group_slots(group), arrays_.slots + group * arrays_.slot_stride);
    put(step.logit_rows, arrays_.logit_rows);
    put(step.query_starts, arrays_.query_starts);
    put(step.context_lens, arrays_.context_lens);
    const std::size_t num_seqs = step.context_lens.size();
    const std::size_t width = std::min(size(step.max_blocks), size(arrays_.table_stride));
    for (int group = 0; group < num_kv_groups_; ++group) {
        for (std::size_t seq = 0; seq < num_seqs; ++seq)
            put(step.group_tables(group).subspan(seq * size(step.max_blocks), width),
                arrays_.block_tables + group * arrays_.group_stride + seq * size(arrays_.table_stride));
    }
    auto* tiles = reinterpret_cast<int2*>(host + (reinterpret_cast<const int*>(arrays_.tiles) - base));
    list_tiles(step, tiles);
    StepShape shape = shape_of(step);
    shape.num_prefill_tiles = tile_ends_.empty() ? 0 : tile_ends_.back();
    const auto send = [&](const void* target, const void* source, std::size_t bytes) {
        return cuda_result(
            cudaMemcpyAsync(const_cast<void*>(target), source, bytes, cudaMemcpyHostToDevice, stream.get()),
            "Copying step arguments");
    };
    VT_TRY(send(base, host, (head_ints_ + num_seqs * size(arrays_.table_stride)) * sizeof(int)));
    for (int group = 1; group < num_kv_groups_; ++group) {
        const int* tables = arrays_.block_tables + group * arrays_.group_stride;
        VT_TRY(send(tables, host + (tables - base), num_seqs * size(arrays_.table_stride) * sizeof(int)));
    }
    if (shape.num_prefill_tiles > 0)
        VT_TRY(send(arrays_.tiles, tiles, size(shape.num_prefill_tiles) * sizeof(int2)));
    return shape;
}

} // namespace vitrine::kernels
