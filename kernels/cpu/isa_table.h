// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: what one instruction set offers: plain functions over plain arguments, chosen once at start.
// All functions are pure over their arguments; any worker may call them at the same time on disjoint outputs.
#pragma once

#include <cstdint>

#include "kernels/api/kv_pool.h"
#include "kernels/api/ops.h"
#include "kernels/api/weight_format.h"

namespace vitrine::kernels::cpu {

inline constexpr int kWidestTile = 16; // tokens that share one pass over a band's weights, at most
inline constexpr int kQuantBlock = 32; // activations that share a scale
inline constexpr int kAttentionTile = 64; // keys scored before one softmax
inline constexpr int kSplitTokens = 256; // keys of one partial result, in absolute tokens: never a matter of threads

/// How activations are laid out for a product.  A panel holds tiles of `IsaTable::panel_tokens`, then of halves of that down
/// to 1; a tile of T tokens holds for each block of 32 k: T x 32 codes (exact: two planes of them), then T each of d,
/// s = d * sum, -128 * sum, -128 * sum of the first 16.  dense: T floats for each k.
enum class PanelKind : std::uint8_t { int8, int8x2, dense };

/// Bytes of one token in a panel, per 32 k.
[[nodiscard]] constexpr std::int64_t panel_block_bytes(PanelKind kind) noexcept {
    return kind == PanelKind::int8 ? 48 : kind == PanelKind::int8x2 ? 80 : 128;
}

/// The tile that a token of a panel lies in, where the widest hold `widest` tokens, a power of two.
struct PanelTile {
    int first = 0; // token
    int size = 0; // tokens
};
[[nodiscard]] constexpr PanelTile panel_tile(int token, int num_tokens, int widest) noexcept {
    const int full = num_tokens / widest * widest;
    if (token < full)
        return {token / widest * widest, widest};
    int first = full;
    for (int size = widest / 2; size > 0; size /= 2) {
        if ((num_tokens & size) == 0)
            continue;
        if (token < first + size)
            return {first, size};
        first += size;
    }
    return {first, 1};
}

/// out[token * out_stride + band * lanes + row] = W * panel, for `num_bands` bands and `num_tokens` tokens.
/// How far ahead of its reader a product asks for weights, bytes; 0: the core sees them coming by itself.
struct PrefetchDistance {
    int few = 0; // tiles of one or two tokens
    int many = 2048; // a tile that works too long on a block for the core to see the next one
};

struct LinearArgs {
    const std::uint8_t* weights = nullptr; // first band
    std::int64_t band_bytes = 0;
    int num_bands = 0;
    std::int64_t in_dim = 0;
    const std::uint8_t* panel = nullptr; // first tile; its first token is a multiple of the widest tile
    int num_tokens = 0;
    float* out = nullptr;
    std::int64_t out_stride = 0;
    PrefetchDistance prefetch;
};

/// x: [count] f32 -> blocks first_block.. of token `index` of a tile of `size` tokens that starts at `tile`.
struct PanelRow {
    const float* x = nullptr;
    std::int64_t count = 0; // int8: a multiple of 32
    std::uint8_t* tile = nullptr;
    int size = 1;
    int index = 0;
    std::int64_t first_block = 0;
};

struct NormArgs {
    const float* x = nullptr;
    const float* gain = nullptr;
    float* y = nullptr; // may alias x
    std::int64_t dim = 0;
    float eps = 0;
    const float* bias = nullptr; // layer_norm; may be null
};

/// Rotates `count` elements of a head, those from `first`, in place.  cosine, sine: [rotary_dim] of one position, expanded
/// to elements; interleaved carries the sign of the first of each pair in the sine.
struct RopeArgs {
    float* x = nullptr;
    int first = 0;
    int count = 0; // neox: the whole head
    int rotary_dim = 0;
    bool neox = false;
    const float* cosine = nullptr;
    const float* sine = nullptr;
};

/// One head of one block of the pool.
struct KvHead {
    std::uint8_t* keys = nullptr; // [head_dim][block_tokens]
    std::uint8_t* values = nullptr; // [block_tokens][head_dim]
    float* key_scales = nullptr; // int8: [block_tokens]; int8_head, fp8: [1]
    float* value_scales = nullptr;
};

/// Writes elements first .. first + count of one token's key or value.  int8: the whole head.
struct KvWriteArgs {
    KvType type = KvType::f16;
    KvHead head;
    int head_dim = 0;
    int block_tokens = 0;
    int offset = 0; // token in the block
    int first = 0;
    int count = 0;
    const float* x = nullptr;
    bool is_key = true;
};

/// target = (keep ? target : 0) + (source + bias) * scale, row by row.
struct AddArgs {
    float* target = nullptr;
    std::int64_t target_stride = 0;
    const float* source = nullptr;
    std::int64_t source_stride = 0;
    int num_rows = 1;
    std::int64_t num_columns = 0;
    const float* bias = nullptr; // [num_columns], or none
    float scale = 1;
    bool keep = false;
};

/// Row (m, l, o) of a partial softmax: max, sum of exponentials, unnormalized output.
struct AttentionArgs {
    const float* query = nullptr; // first row, first head of the group
    std::int64_t query_stride = 0;
    float* output = nullptr; // as query; null when partials are wanted
    std::int64_t output_stride = 0;
    float* partial = nullptr; // [num_queries * group][head_dim + 2]: o, m, l of the one split
    int num_queries = 0;
    int group = 0; // query heads per kv head
    int head_dim = 0;
    int first_visible = 0; // keys visible to the first query
    bool causal = true; // each next query sees one more; else all see the same
    int window = 0; // 0: none
    int split_begin = 0; // splits of kSplitTokens to fold, [begin, end)
    int split_end = 0;
    float scale = 1;
    float softcap = 0;
    const float* sinks = nullptr; // [group] or none
    KvType type = KvType::f16;
    const std::int32_t* blocks = nullptr;
    int block_tokens = 16;
    KvHead head; // of block 0
    std::int64_t block_bytes = 0; // from one block's head to the next block's
    std::int64_t scale_stride = 0; // floats from one block's scales to the next's
    float* scratch = nullptr; // attention_scratch_floats
};

/// o /= l over partials folded in order.
struct CombineArgs {
    const float* partials = nullptr; // [num_splits] at `split_stride` floats
    std::int64_t split_stride = 0;
    int num_splits = 0;
    int head_dim = 0;
    float* output = nullptr;
    const float* sink = nullptr; // the head's, or none
    float* scratch = nullptr; // attention_scratch_floats of one row
};

[[nodiscard]] constexpr std::int64_t round_up(std::int64_t value, std::int64_t step) noexcept {
    return (value + step - 1) / step * step;
}

/// Floats that attention needs for `rows` = queries * group rows.
[[nodiscard]] constexpr std::int64_t attention_scratch_floats(int rows, int head_dim) noexcept {
    const std::int64_t padded = round_up(head_dim, 16);
    return 2 * kAttentionTile * padded + round_up(rows, 16) * (kAttentionTile + 2 * padded + 8) + 64;
}

struct IsaTable {
    const char* name = "";
    int lanes = 0; // rows of a band
    bool signed_codes = false; // 8-bit codes: signed, or + 128
    PrefetchDistance prefetch; // of this processor
    int panel_tokens[3] = {8, 8, 8}; // [PanelKind]: of the widest tile
    [[nodiscard]] constexpr PanelTile tile_of(PanelKind kind, int token, int num_tokens) const noexcept {
        return panel_tile(token, num_tokens, panel_tokens[static_cast<int>(kind)]);
    }
    void (*linear[kNumWeightFormats][2])(const LinearArgs&) = {}; // [format][exact]
    void (*panel_row[3])(const PanelRow&) = {}; // [PanelKind]
    void (*rms_norm)(const NormArgs&) = nullptr;
    void (*layer_norm)(const NormArgs&) = nullptr;
    void (*rope)(const RopeArgs&) = nullptr;
    void (*kv_write)(const KvWriteArgs&) = nullptr;
    void (*attention)(const AttentionArgs&) = nullptr;
    void (*combine)(const CombineArgs&) = nullptr;
    /// up: null for an activation without a gate.
    void (*gate)(const float* gate, const float* up, float* out, std::int64_t count, GateKind kind) = nullptr;
    void (*add)(const AddArgs&) = nullptr;
    void (*logits)(const float* y, float* out, float scale, float softcap, std::int64_t count) = nullptr;
    /// First index of the largest value; -1 when none is above -infinity.
    std::int64_t (*argmax)(const float* x, std::int64_t count) = nullptr;
};

} // namespace vitrine::kernels::cpu
