// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: what the host says to the kernels of a mixture of experts.  A pair is a row and one of its experts:
// pair = row * num_used + k.
#pragma once

#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

inline constexpr int kExpertColumns = 8; // pairs of one expert that are multiplied together
inline constexpr int kMaxDeviceExperts = 1024;

/// Up to kExpertColumns pairs of one expert.
struct ExpertItem {
    std::int32_t expert = 0;
    std::int32_t first = 0; // in the grouped list of pairs
    std::int32_t count = 0;
};

struct RouteArgs {
    const float* router = nullptr; // [row][num_experts]
    const float* selection_bias = nullptr; // [num_experts] or null
    int num_rows = 0;
    int num_experts = 0;
    int num_used = 0;
    RouterKind kind = RouterKind::softmax;
    bool normalize = false;
    float scale = 1;
    std::int32_t* ids = nullptr; // [pair]
    float* weights = nullptr; // [pair]
    std::int32_t* grouped = nullptr; // pairs, expert by expert
    ExpertItem* items = nullptr; // [max_expert_items()]
    std::int32_t* num_items = nullptr;
};
[[nodiscard]] constexpr int max_expert_items(int num_pairs, int num_experts) noexcept {
    return num_pairs / kExpertColumns + (num_pairs < num_experts ? num_pairs : num_experts);
}
/// Chooses experts as kernels/ref/expert_choice does and lists the pairs of each.
[[nodiscard]] cudaError_t launch_route(const RouteArgs& args, cudaStream_t stream);

/// Rows to f16 in the order of B fragments, see expert_place(), each divided by a power of two where f16 would clip.
/// rows: [row][dim] f32   image: [row][padded_dim]   scales: [row]
[[nodiscard]] cudaError_t launch_expert_rows(
    const float* rows, int num_rows, int dim, int padded_dim, std::uint16_t* image, float* scales, cudaStream_t stream);

struct ExpertProductArgs {
    TileMatrix first; // gate, or down; all experts, one below the other, plain order
    TileMatrix second; // up, of the same format; tiles null: there is none
    const float* bias = nullptr; // [num_experts * out_dim] of each, or null
    const float* second_bias = nullptr;
    int out_dim = 0; // of one expert, a multiple of 16
    int padded_dim = 0;
    GateKind kind = GateKind::silu;
    const std::uint16_t* image = nullptr;
    const float* scales = nullptr; // of the image's rows
    int num_used = 0; // pairs of an image row; 1: the image has a row for each pair
    const float* weights = nullptr; // [pair] factor of the result, or null
    const ExpertItem* items = nullptr;
    const std::int32_t* num_items = nullptr;
    const std::int32_t* grouped = nullptr;
    int max_items = 0;
    float* output = nullptr; // [pair][out_dim]
};
/// output = act(first + bias) * (second + bias), or (first + bias) * weight.
[[nodiscard]] cudaError_t launch_expert_product(const ExpertProductArgs& args, cudaStream_t stream);
/// residual[row] += the sum of its pairs' parts, in order.   parts: [pair][dim]
[[nodiscard]] cudaError_t launch_expert_sum(
    const float* parts, float* residual, int num_rows, int num_used, int dim, cudaStream_t stream);

/// target += source * scale * sigmoid(gate[row])   target, source: [row][dim]
[[nodiscard]] cudaError_t launch_add_gated(
    const float* gate, const float* source, float* target, float scale, int num_rows, int dim, cudaStream_t stream);

} // namespace vitrine::kernels
