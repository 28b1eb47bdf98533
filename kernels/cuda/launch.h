// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: what host code says to device code: plain argument structs and launchers, no CUDA C++.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

#include "kernels/api/kv_pool.h"
#include "kernels/api/ops.h"
#include "kernels/api/weight_format.h"

namespace vitrine::kernels {

// ---- weights -------------------------------------------------------------------------------------------------------
inline constexpr int kTileRows = 16; // rows of the mma's 16-row side
inline constexpr int kMaxColumns = 8; // tokens of one pass of the small linear kernel
inline constexpr int kMaxSegments = 3;

/// Layout of one 16-row tile along K; see device/tile_formats.cuh.
enum class TileFormat : std::uint8_t { q4, q4k, q6k, q8, g8, h16 };

struct TileInfo {
    int chunk_weights; // K of one chunk
    int chunk_bytes; // of 16 rows
    int group; // weights that share a scale: activation sums are kept per group
};

[[nodiscard]] constexpr TileInfo tile_info(TileFormat format) noexcept {
    switch (format) {
    case TileFormat::q4:
        return {64, 640, 32};
    case TileFormat::q4k:
        return {256, 2368, 32};
    case TileFormat::q6k:
        return {256, 3360, 16};
    case TileFormat::q8:
        return {64, 1088, 32};
    case TileFormat::g8:
        return {64, 1536, 16};
    case TileFormat::h16:
        return {64, 2048, 32};
    }
    return {};
}

[[nodiscard]] constexpr TileFormat tile_format_of(WeightFormat format) noexcept {
    switch (format) {
    case WeightFormat::f32:
    case WeightFormat::f16:
    case WeightFormat::bf16:
        return TileFormat::h16;
    case WeightFormat::q4_0:
    case WeightFormat::q4_1:
        return TileFormat::q4;
    case WeightFormat::q4_k:
        return TileFormat::q4k;
    case WeightFormat::q6_k:
        return TileFormat::q6k;
    case WeightFormat::q8_0:
        return TileFormat::q8;
    default:
        return TileFormat::g8;
    }
}

/// plain: row = tile * 16 + r.  paired: rows g and g + 8 of a tile are a RoPE pair.  gate_up: rows 0..7 gate, 8..15 up.
enum class RowOrder : std::uint8_t { plain, paired_neox, paired_interleaved, gate_up };

/// One matrix, or gate and up in one, on the device.
struct TileMatrix {
    const std::uint8_t* tiles = nullptr;
    const float* row_scales = nullptr; // h16: [num_tiles * 16] in tile order, else null
    TileFormat format = TileFormat::q4;
    RowOrder order = RowOrder::plain;
    int num_tiles = 0;
    int num_chunks = 0; // along K
    int out_dim = 0; // of one member
    int head_dim = 0; // paired orders
    int half_rotary = 0;
};

// ---- linear --------------------------------------------------------------------------------------------------------
enum class EpilogueKind : std::uint8_t { store, add_residual, rope_kv, gated, logits };

/// Where K and V of a layer are: [block][K|V][kv head][token][head_dim], scales beside them.
struct KvTarget {
    void* data = nullptr;
    float* token_scales = nullptr; // int8: [block][K|V][kv head][token]
    float* head_scales = nullptr; // int8_head, fp8: [K|V][kv head]
    int* calibrated = nullptr; // one flag of the layer
    KvType type = KvType::f16;
    int block_tokens = 0;
    int num_kv_heads = 0;
    int head_dim = 0;
};

struct EpilogueArgs {
    EpilogueKind kind = EpilogueKind::store;
    GateKind gate = GateKind::silu;
    float scale = 1;
    float softcap = 0;
    float* output = nullptr; // store, residual, gated, logits, query
    int output_stride = 0;
    const float* bias[kMaxSegments] = {};
    const int* rows = nullptr; // row of each place, or null: place == row
    bool output_by_place = false; // logits
    // rope_kv
    const float2* rope = nullptr; // [position][half_rotary] cos, sin; null: no rotation
    const int* positions = nullptr;
    const int* slots = nullptr;
    KvTarget kv{};
    float* keys = nullptr; // f32 [row][kv_dim] instead of the pool, for 8-bit types
    float* values = nullptr;
};

struct LinearArgs {
    TileMatrix segment[kMaxSegments];
    int num_segments = 1;
    int first_segment = 0; // of the epilogue: segment[0] is member `first_segment` of the op
    int total_tiles = 0;
    int in_dim = 0;
    int padded_dim = 0; // multiple of 256: activations are zero beyond in_dim
    // input
    const float* input = nullptr; // [row][in_dim]
    const int* rows = nullptr; // row of each place, or null
    const float* gain = nullptr; // rms norm, or null
    float eps = 0;
    // prepared input, see prepare_rows; null: each block prepares for itself
    const std::uint16_t* fragments = nullptr;
    const float* sums = nullptr;
    const float* row_scales = nullptr;
    int first_place = 0;
    int num_columns = 0; // of this launch: 1..kMaxColumns * column tiles
    EpilogueArgs epilogue;
};

/// Rows to f16 with a power-of-two scale each (norm folded into it).  Fragment order: groups of eight rows, as the small
/// linear kernel reads them, with sums per group of 16; row order: [place][padded_dim] for cuBLAS.
struct PrepareArgs {
    const float* input = nullptr;
    const int* rows = nullptr;
    const float* gain = nullptr;
    float eps = 0;
    int in_dim = 0;
    int padded_dim = 0;
    int num_rows = 0;
    std::uint16_t* fragments = nullptr; // [ceil(rows/8)][padded_dim * 8], or null
    float* sums = nullptr; // [ceil(rows/8)][sums_size(padded_dim)]
    std::uint16_t* row_major = nullptr; // or null
    float* row_scales = nullptr; // [num_rows]
};

/// Sums of one group of eight rows: per 16, then per 32 values, eight columns each.
[[nodiscard]] constexpr std::int64_t sums_size(int padded_dim) noexcept {
    return std::int64_t{padded_dim} * 3 / 32 * kMaxColumns;
}

[[nodiscard]] bool small_linear_supports(TileFormat first, TileFormat second) noexcept;
/// How a block holds the activations.  single: one row, prepared by the block.  staged: up to eight prepared rows copied to
/// shared memory.  direct: up to eight times `column_tiles` prepared rows read from L1 and L2.
enum class SmallMode : std::uint8_t { single, staged, direct };
/// `column_tiles`: 1, 2 or 4, direct only.
[[nodiscard]] cudaError_t launch_small_linear(
    const LinearArgs& args, SmallMode mode, int column_tiles, int num_sms, cudaStream_t stream);
/// Shared memory of one block.
[[nodiscard]] int small_linear_shared_bytes(int padded_dim, SmallMode mode, int column_tiles) noexcept;
[[nodiscard]] cudaError_t launch_prepare_rows(const PrepareArgs& args, cudaStream_t stream);
/// Tiles [first_tile, first_tile + num_tiles) to f16 [num_tiles * 16][padded_dim], tile order.
[[nodiscard]] cudaError_t launch_dequantize(
    const TileMatrix& matrix, int first_tile, int num_tiles, int padded_dim, std::uint16_t* out, cudaStream_t stream);
/// y: [num_rows][num_tiles * 16] f32, tile order, of segment 0; scaled by row_scales[place] and the matrix's own.
[[nodiscard]] cudaError_t launch_epilogue(
    const LinearArgs& args, int first_tile, int num_tiles, int num_rows, const float* y, cudaStream_t stream);

// ---- repack --------------------------------------------------------------------------------------------------------
struct RepackArgs {
    const std::uint8_t* source[2] = {}; // rows in file order; [1]: up
    WeightFormat format = WeightFormat::f32;
    TileMatrix matrix; // tiles and row_scales are written
    std::int64_t row_bytes = 0;
    int in_dim = 0;
};
[[nodiscard]] cudaError_t launch_repack(const RepackArgs& args, cudaStream_t stream);

// ---- the rest ------------------------------------------------------------------------------------------------------
struct GatherArgs {
    const std::uint8_t* table = nullptr; // file order
    WeightFormat format = WeightFormat::f32;
    std::int64_t row_bytes = 0;
    const int* tokens = nullptr;
    float* output = nullptr;
    float scale = 1;
    int dim = 0;
    int num_rows = 0;
};
[[nodiscard]] cudaError_t launch_gather(const GatherArgs& args, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_norm(const float* input, float* output, const float* gain, float eps, int group_dim,
    std::int64_t num_groups, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_rope_table(
    const double* inv_freq, double factor, int half_rotary, int num_positions, float2* table, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_rope(float* value, const float2* table, const int* positions, int num_rows,
    int num_heads, int head_dim, int half_rotary, bool neox, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_kv_write(const float* keys, const float* values, const int* slots, int num_rows,
    const KvTarget& target, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_kv_read(const KvTarget& target, int block, float* out, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_add(
    float* target, const float* source, float scale, std::int64_t count, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_gate(
    const float* gate, const float* up, float* output, GateKind kind, std::int64_t count, cudaStream_t stream);
/// Lowest id on ties, NaN counts as -inf; -1: no finite logit.
[[nodiscard]] cudaError_t launch_argmax(
    const float* logits, std::int64_t vocab, int num_rows, int* tokens, float* scratch, cudaStream_t stream);
inline constexpr int kArgmaxBlocks = 128; // per row; scratch: [rows][kArgmaxBlocks][2]

inline constexpr int kMaxSplits = 16;
inline constexpr int kQueryTile = 16; // flattened (row, head of the group) pairs of one warp
inline constexpr int kMinSplitTokens = 256; // invariant mode

struct AttentionArgs {
    const float* query = nullptr; // [row][head][head_dim]
    float* output = nullptr;
    KvTarget kv{};
    int num_heads = 0;
    float scale = 1;
    float softcap = 0;
    int window = 0; // 0: none
    const int* query_starts = nullptr;
    const int* context_lens = nullptr;
    const int* block_tables = nullptr;
    int table_stride = 0;
    int num_seqs = 0;
    int num_splits = 0; // grid of the decode kernel
    int min_split = kMinSplitTokens;
    int max_tile_rows = kQueryTile; // flattened rows of the largest decode sequence
    float* partials = nullptr; // [seq][kv head][kQueryTile][split][head_dim + 2]
    int* counters = nullptr; // [seq][kv head], zero between steps
    const int2* tiles = nullptr; // prefill: (sequence, first flattened row)
    int num_tiles = 0;
};

/// Tokens of one split.  With a fixed `minimum` it depends on the sequence's own length alone.
[[nodiscard]] constexpr int split_tokens(int context, int minimum) noexcept {
    const int per_split = (context + kMaxSplits - 1) / kMaxSplits;
    return (per_split + minimum - 1) / minimum * minimum;
}
[[nodiscard]] cudaError_t launch_decode_attention(const AttentionArgs& args, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_prefill_attention(const AttentionArgs& args, cudaStream_t stream);

} // namespace vitrine::kernels
