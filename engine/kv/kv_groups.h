// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: which layers of a program share KV blocks: those that see the same tokens.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/api/snapshot.h"
#include "kernels/api/program.h"

namespace vitrine::engine {

struct KvLayout {
    kernels::KvSpec spec;
    std::vector<BlockGroup> groups; // index == KvLayer::group
};

/// Parts the layers by window into groups of about equal size, so that one pool of equal blocks serves all of them and a
/// block that one window leaves is free for every other use (vLLM's hybrid KV cache).  Gemma 3 270M: 3 layers that see
/// everything, and 5 groups of 3 with a window.  One group, as large as the program, if `by_window` is false, if all layers see
/// the same, or if layers have different shapes.  Group 0 sees everything, unless no layer does.
[[nodiscard]] KvLayout kv_layout(
    const kernels::Program& program, kernels::KvType type, int block_tokens, bool by_window);

/// Leading blocks that no later row of a sequence sees once [0, num_computed) is computed.
[[nodiscard]] int blocks_behind_window(int window_tokens, int num_computed, int block_tokens) noexcept;
/// Most blocks that a sequence holds at once on its way to `num_tokens`, computing at most `step_tokens` in one step.
[[nodiscard]] int blocks_of_sequence(
    std::span<const BlockGroup> groups, int block_tokens, int num_tokens, int step_tokens) noexcept;
/// The longest sequence, at most `most` tokens, that num_blocks blocks can hold.
[[nodiscard]] int tokens_that_fit(
    std::span<const BlockGroup> groups, int block_tokens, int num_blocks, int step_tokens, int most) noexcept;
/// Bytes of K and V of one more token beyond every window: of the layers that see everything.
[[nodiscard]] std::int64_t kv_bytes_per_far_token(const KvLayout& layout) noexcept;
/// The same for every KV type, by its name.
[[nodiscard]] std::map<std::string, std::int64_t> far_kv_bytes_by_type(KvLayout layout);

} // namespace vitrine::engine
