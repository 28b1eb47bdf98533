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
inline constexpr int kMaxColumns = 8; // tokens of one mma
inline constexpr int kMaxSegments = 3;

/// Layout of one 16-row tile along K; see device/tile_formats.cuh.
enum class TileFormat : std::uint8_t { q4, q4k, q6k, q8, g8, h16 };

struct TileInfo {
    int chunk_weights; // K of one chunk
    int chunk_bytes; // of 16 rows
};

[[nodiscard]] constexpr TileInfo tile_info(TileFormat format) noexcept {
    switch (format) {
    case TileFormat::q4:
        return {64, 640};
    case TileFormat::q4k:
        return {256, 2368};
    case TileFormat::q6k:
        return {256, 3360};
    case TileFormat::q8:
        return {64, 1088};
    case TileFormat::g8:
        return {64, 1536};
    case TileFormat::h16:
        return {64, 2048};
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

/// How two to kMaxColumns rows lie as int8, chunk after chunk of 256 of K; see device/int8_formats.cuh.
struct Int8Place {
    int columns = 0; // rows
    bool mins = false, halves = false; // which sums the reader's formats need

    [[nodiscard]] constexpr int scale() const noexcept { return columns * 256; }
    [[nodiscard]] constexpr int sum() const noexcept { return scale() + 256; }
    [[nodiscard]] constexpr int offset() const noexcept { return sum() + (mins ? 256 : 0); }
    [[nodiscard]] constexpr int stride() const noexcept { return offset() + (halves ? 512 : 0); }
};

/// Rows as the panel kernel reads them, left by the op before: f16 (times the gain of their norm) in ImageOrder::columns, never
/// scaled, with what the reader needs for the norm and to know whether f16 held them.  Arrays: [..][kPanelRows].
struct PanelFeed {
    std::uint16_t* image = nullptr; // null: none
    int width = 0; // places of a block
    int padded_dim = 0;
    int* largest = nullptr; // [place] bits of the largest magnitude; zero before the step
    float* parts = nullptr; // [part][place] sums of squares
    int* num_parts = nullptr;
};

/// What the linear op that reads an output next wants beside it: output * gain, f16 in fragment order or int8, and for its norm
/// the sum of squares of each sixteen outputs.
struct FeedArgs {
    std::uint16_t* image = nullptr; // null: nobody, or int8
    std::uint8_t* bytes = nullptr; // int8 instead
    Int8Place place{};
    float* squares = nullptr; // [place][squares_stride] or null
    const float* gain = nullptr; // or null
    int lanes = 0; // see fragment_offset()
    int squares_stride = 0;
    PanelFeed panel{}; // instead of image and bytes
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
    FeedArgs feed{}; // add_residual and gated
    // rope_kv
    const float2* rope = nullptr; // [position][half_rotary] cos, sin; null: no rotation
    const int* positions = nullptr;
    const int* slots = nullptr;
    KvTarget kv{};
    float* keys = nullptr; // f32 [row][kv_dim] instead of the pool, for 8-bit types
    float* values = nullptr;
};

/// Whether four neighbouring pairs of rows of a tile lie in the output in runs of four, aligned to sixteen bytes.
[[nodiscard]] constexpr bool lies_in_quads(const TileMatrix& matrix, const EpilogueArgs& e) noexcept {
    if (matrix.out_dim % (matrix.order == RowOrder::plain ? 16 : 8) != 0)
        return false;
    if (e.kind == EpilogueKind::rope_kv)
        return (matrix.order == RowOrder::plain || (matrix.head_dim % 8 == 0 && matrix.half_rotary % 4 == 0)) &&
            e.kv.head_dim % 16 == 0;
    return e.output_stride % 4 == 0;
}

inline constexpr int kSlices = 8; // of K: part of a product's bits

struct LinearArgs {
    TileMatrix segment[kMaxSegments];
    int num_segments = 1;
    int first_segment = 0; // of the epilogue: segment[0] is member `first_segment` of the op
    int total_tiles = 0;
    int in_dim = 0;
    int padded_dim = 0; // multiple of `unit`: activations are zero beyond in_dim
    int unit = 0; // K of the largest chunk of the op's formats: slices begin at its multiples
    // input
    const float* input = nullptr; // [row][in_dim]
    const int* rows = nullptr; // row of each place, or null
    const float* gain = nullptr; // rms norm, or null
    float eps = 0;
    // the same as f16: fragments (small kernels), columns (wide kernel) or rows (cuBLAS), see PrepareArgs
    const std::uint16_t* image = nullptr;
    const std::uint8_t* bytes = nullptr; // int8 kernels, several rows: the same as int8, or null
    Int8Place place{}; // of bytes
    const float* squares = nullptr; // small kernels with a norm: [place][squares_stride]
    int squares_stride = 0;
    const float* slice_scales = nullptr; // wide kernel: [slice][place]
    const float* row_scales = nullptr; // wide kernel and cuBLAS: [place]
    int max_places = 0; // stride of slice_scales
    PanelFeed fed{}; // panel kernel: what the op before left, or nothing
    int first_place = 0;
    int num_columns = 0; // of this launch
    EpilogueArgs epilogue;
};

/// Order of prepared activations.  fragments: groups of eight places (one place alone is packed), as the small kernels read
/// them, without scaling; the squares are kept.  columns: blocks of places with the sums of their groups, as the wide kernel's
/// tensor core instructions read them.  rows: [place][padded_dim].
enum class ImageOrder : std::uint8_t { fragments, columns, rows };

/// Rows to f16 (times the gain of their norm).  columns and rows are scaled by powers of two where f16 would clip or lose
/// bits: columns per K slice, or per row if `whole_rows`.
struct PrepareArgs {
    ImageOrder order = ImageOrder::fragments;
    const float* input = nullptr;
    const int* rows = nullptr;
    const float* gain = nullptr;
    float eps = 0;
    int in_dim = 0;
    int padded_dim = 0;
    int unit = 0;
    int first_place = 0;
    int num_rows = 0;
    bool whole_rows = false;
    int block_columns = 0, last_columns = 0; // columns: places of a full block and of the last one
    std::uint16_t* image = nullptr;
    float* squares = nullptr; // fragments
    int squares_stride = 0;
    float* slice_scales = nullptr; // columns: [slice][max_places]
    int max_places = 0;
    float* row_scales = nullptr; // columns, rows: what a product must be multiplied by
};

/// Bytes of 64 of K in ImageOrder::columns: [place][128 B, swizzled]; behind all of them the sums of each 256 of K, see
/// split_sum(): [place / 8][4 groups][place % 8][4 groups].
[[nodiscard]] constexpr int column_piece_bytes(int columns) noexcept {
    return columns * 128;
}
[[nodiscard]] constexpr int column_sums_bytes(int columns) noexcept {
    return columns * 32;
}
[[nodiscard]] constexpr std::int64_t column_block_bytes(int columns, int padded_dim) noexcept {
    return std::int64_t{column_piece_bytes(columns)} * (padded_dim / 64) +
        std::int64_t{column_sums_bytes(columns)} * ((padded_dim + 255) / 256);
}
inline constexpr int kExactColumns = 64; // places of one pass of the wide kernel
inline constexpr int kPanelColumns = 128; // of a block of the panel kernel, at most
inline constexpr int kPanelRows = 256; // places of the panel kernel, at most
/// The panel kernel feeds the next op up to this many places: beyond, its epilogue takes as long for it as launch_prepare_rows().
inline constexpr int kFeedWidth = 64;
/// Places of each block of the panel kernel.
[[nodiscard]] constexpr int panel_width(int num_rows) noexcept {
    return num_rows <= 16 ? 16 : num_rows <= 32 ? 32 : num_rows <= 64 ? 64 : kPanelColumns;
}

[[nodiscard]] bool small_linear_supports(TileFormat first, TileFormat second) noexcept;
inline constexpr int kSmallRows = 8; // places of the small kernel, at most

/// What a GPU has for the blocks of the small kernel.
struct SmallLimits {
    int num_sms = 1;
    int block_bytes = 0; // shared memory of a block
    int sm_bytes = 0; // of an SM
    int max_cluster = 1;
};
struct SmallPlan {
    int cluster_log2 = 0;
    int blocks = 0; // 0: the activations do not fit
    int shared_bytes = 0; // of a block
};
/// How many blocks share the slices of K, from the rounds that all tiles take.
[[nodiscard]] SmallPlan small_plan(
    int padded_dim, int unit, int columns, int total_tiles, int ring_stage_bytes, const SmallLimits& limits) noexcept;
/// Whether the small kernel takes products of this depth, in whatever format.
[[nodiscard]] bool small_linear_fits(int padded_dim, int columns, const SmallLimits& limits) noexcept;
/// args.image: fragments.  Requires: small_linear_fits().
[[nodiscard]] cudaError_t launch_small_linear(const LinearArgs& args, const SmallLimits& limits, cudaStream_t stream);
/// Whether the int8 kernels take the op: up to kSmallRows rows of K-quants.
[[nodiscard]] bool int8_linear_supports(const LinearArgs& args) noexcept;
/// How the op wants its activations.
[[nodiscard]] Int8Place int8_place(const LinearArgs& args) noexcept;
/// args.bytes, or args.image: fragments, which become int8 with a scale for each 32; `image`: room, int8_image_bytes().  sm_90
/// and later.  Requires: int8_linear_supports().
[[nodiscard]] cudaError_t launch_int8_linear(
    LinearArgs args, std::uint8_t* image, const SmallLimits& limits, cudaStream_t stream);
[[nodiscard]] constexpr std::int64_t int8_image_bytes(int padded_dim) noexcept {
    return std::int64_t{padded_dim / 256} * (kMaxColumns * 256 + 1024);
}
/// sm_90a alone, with the small kernels' bits.  `columns`: 16, 32 or 64: of the image's block at args.image.
[[nodiscard]] cudaError_t launch_wide_linear(const LinearArgs& args, int columns, int num_sms, cudaStream_t stream);
/// sm_90a alone, for any number of places; weights are rounded to f16.  `columns`: 16, 32, 64 or 128: of each of the image's
/// blocks.  args.slice_scales is not read: rows are scaled as a whole.  args.fed instead of args.image and args.row_scales.
[[nodiscard]] cudaError_t launch_panel_linear(const LinearArgs& args, int columns, int num_sms, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_prepare_rows(const PrepareArgs& args, cudaStream_t stream);
/// Tiles [first_tile, first_tile + num_tiles) to f16 [num_tiles * 16][padded_dim], tile order, times weight_factor().
[[nodiscard]] cudaError_t launch_dequantize(
    const TileMatrix& matrix, int first_tile, int num_tiles, int padded_dim, std::uint16_t* out, cudaStream_t stream);
[[nodiscard]] constexpr float weight_factor(TileFormat format) noexcept {
    return format == TileFormat::h16 ? 1.0F : 16.0F;
}
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
    const int* tokens = nullptr; // -1 - i: sampled[i]
    const int* sampled = nullptr; // what the step before chose; -1 there: any token
    float* output = nullptr;
    float scale = 1;
    int dim = 0;
    int num_rows = 0;
};
[[nodiscard]] cudaError_t launch_gather(const GatherArgs& args, cudaStream_t stream);
/// A kernel that traps: the context is lost; for fault_injection.h alone.
[[nodiscard]] cudaError_t launch_trap(cudaStream_t stream);
/// Whether the plugin was compiled for the current GPU.
[[nodiscard]] bool has_code_for_device() noexcept;
[[nodiscard]] cudaError_t launch_norm(const float* input, float* output, const float* gain, float eps, int group_dim,
    std::int64_t num_groups, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_rope_table(
    const double* inv_freq, double factor, int half_rotary, int num_positions, float2* table, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_rope(float* value, const float2* table, const int* positions, int num_rows,
    int num_heads, int head_dim, int half_rotary, bool neox, cudaStream_t stream);
/// Each head of [rows, heads, head_dim] times an orthonormal Hadamard matrix (kernels/ref/kv_codec.h); `from` may be `to`.
[[nodiscard]] cudaError_t launch_rotate_heads(
    const float* from, float* to, std::int64_t num_heads, int head_dim, cudaStream_t stream);
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

/// Sequences with up to this many flattened (row, head of the group) queries are decoded, longer ones prefilled; in invariant
/// mode all are decoded.
inline constexpr int kDecodeFlat = 64;
inline constexpr int kDecodeKeys = 64; // keys that one block of the decode kernel has in hand
inline constexpr int kQueryTile = 128; // flattened queries of one block of the prefill kernel

struct AttentionArgs {
    const float* query = nullptr; // [row][head][head_dim]
    float* output = nullptr;
    KvTarget kv{};
    int num_heads = 0;
    float scale = 1;
    float softcap = 0;
    const float* sinks = nullptr; // [num_heads] a score without a value, or null
    int window = 0; // 0: none
    const int* query_starts = nullptr;
    const int* context_lens = nullptr;
    const int* block_tables = nullptr;
    int table_stride = 0;
    int num_seqs = 0;
    int cluster = 0; // decode: blocks that share a sequence's keys, a power of two
    int max_flat = 0; // decode: flattened queries of the longest sequence
    int decode_flat = kDecodeFlat; // longer sequences are left to the prefill kernel
    const int2* tiles = nullptr; // prefill: (sequence, first flattened query)
    int num_tiles = 0;
    FeedArgs feed{};
};

/// Whether `feed.bytes` may be set: whole groups of 32 outputs lie in a warp.
[[nodiscard]] bool decode_attention_feeds_int8(const AttentionArgs& args) noexcept;
[[nodiscard]] cudaError_t launch_decode_attention(const AttentionArgs& args, cudaStream_t stream);
/// Fast mode: instead of launch_decode_attention() for many sequences of up to eight flattened queries.
[[nodiscard]] bool stream_attention_supports(const AttentionArgs& args) noexcept;
[[nodiscard]] cudaError_t launch_stream_attention(const AttentionArgs& args, cudaStream_t stream);
[[nodiscard]] cudaError_t launch_prefill_attention(const AttentionArgs& args, cudaStream_t stream);

} // namespace vitrine::kernels
