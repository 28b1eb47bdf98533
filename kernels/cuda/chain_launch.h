// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: all layers of a small model for one token in one kernel; see device/chain.cu.
#pragma once

#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

inline constexpr int kChainBlocks = 16; // the one cluster that runs the layers
inline constexpr int kChainLayers = 64; // at most

/// Where one layer is.
struct ChainLayer {
    const std::uint8_t* q = nullptr;
    const std::uint8_t* k = nullptr;
    const std::uint8_t* v = nullptr;
    const std::uint8_t* o = nullptr;
    const std::uint8_t* gate_up = nullptr;
    const std::uint8_t* down = nullptr;
    const float* attention_gain = nullptr;
    const float* ff_gain = nullptr;
    void* kv = nullptr;
    int window = 0; // tokens, 0: none
    int unused = 0;
};

/// What all layers share: every matrix is of `format`, dims are whole tiles, heads rotate as a whole.
struct ChainArgs {
    const ChainLayer* layers = nullptr; // device
    int num_layers = 0;
    TileFormat format = TileFormat::q4;
    int dim = 0, ff_dim = 0, num_heads = 0, num_kv_heads = 0, head_dim = 0;
    bool neox = false;
    float attention_eps = 0, ff_eps = 0;
    float o_scale = 1, down_scale = 1;
    GateKind gate = GateKind::silu;
    float score_scale = 1, softcap = 0;
    float* x = nullptr; // [dim], read and written
    const float* last_gain = nullptr; // of the norm that reads x next
    std::uint16_t* last_image = nullptr; // x * last_gain as fragments of one place
    float* last_squares = nullptr; // [dim / 16]
    const float2* rope = nullptr; // [position][head_dim / 2]
    const int* positions = nullptr;
    const int* slots = nullptr;
    const int* context_lens = nullptr;
    const int* blocks = nullptr; // of the sequence
    int block_tokens = 0;
};

/// Whether launch_chain() takes it: a cluster of `max_cluster` blocks with `block_bytes` of shared memory each holds a layer; format,
/// dims and heads are those that the kernel knows.
[[nodiscard]] bool chain_supports(const ChainArgs& args, int max_cluster, int block_bytes) noexcept;
/// Queues all layers for one token: reads x, writes x, the keys and values of the token's slot and what the norm behind the layers
/// reads.  Requires: chain_supports(), sm_90.  Errors: those of a launch.
[[nodiscard]] cudaError_t launch_chain(const ChainArgs& args, int block_bytes, cudaStream_t stream);

} // namespace vitrine::kernels
