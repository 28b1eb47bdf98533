// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: block groups.
#include "engine/kv/kv_groups.h"

#include <algorithm>
#include <map>
#include <variant>

namespace vitrine::engine {
namespace {

/// What each KV layer sees; 0: everything.
std::vector<int> windows_of(const kernels::Program& program) {
    std::vector<int> windows(program.kv_layers.size(), 0);
    for (const kernels::Op& op : program.ops) {
        if (const auto* attention = std::get_if<kernels::AttentionOp>(&op))
            windows[static_cast<std::size_t>(attention->layer.value)] =
                attention->causal ? attention->window_tokens.value_or(0) : 0;
    }
    return windows;
}

bool same_shapes(const std::vector<kernels::KvLayer>& layers) {
    return std::ranges::all_of(layers, [&](const kernels::KvLayer& layer) {
        return layer.num_kv_heads == layers.front().num_kv_heads && layer.head_dim == layers.front().head_dim;
    });
}

/// Layers of one group.  The rarest kind makes one group and the others several; kinds of nearly equal number make one each,
/// though the smaller leaves some planes of its blocks empty.
int group_size(const std::map<int, int>& layers_by_window) {
    int fewest = layers_by_window.begin()->second;
    int most = fewest;
    for (const auto& [window, count] : layers_by_window) {
        fewest = std::min(fewest, count);
        most = std::max(most, count);
    }
    return 4 * most <= 5 * fewest ? most : fewest;
}

int ceil_div(int value, int divisor) noexcept {
    return (value + divisor - 1) / divisor;
}

} // namespace

KvLayout kv_layout(const kernels::Program& program, kernels::KvType type, int block_tokens, bool by_window) {
    KvLayout layout{{type, block_tokens, program.kv_layers}, {}};
    std::vector<kernels::KvLayer>& layers = layout.spec.layers;
    const std::vector<int> windows = windows_of(program);
    std::map<int, int> layers_by_window; // 0, which sees everything, comes first
    for (const int window : windows)
        ++layers_by_window[window];
    if (!by_window || layers.empty() || layers_by_window.contains(1) || !same_shapes(layers)) {
        layout.groups = {BlockGroup{0, static_cast<int>(layers.size())}};
        return layout;
    }
    const int size = group_size(layers_by_window);
    for (const auto& [window, count] : layers_by_window) {
        const int first_group = static_cast<int>(layout.groups.size());
        const int num_groups = ceil_div(count, size);
        layout.groups.resize(layout.groups.size() + static_cast<std::size_t>(num_groups), BlockGroup{window, 0});
        int place = 0;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            if (windows[i] != window)
                continue;
            layers[i].group = first_group + place++ % num_groups; // in turn: sizes differ by one at most
            ++layout.groups[static_cast<std::size_t>(layers[i].group)].num_layers;
        }
    }
    return layout;
}

int blocks_behind_window(int window_tokens, int num_computed, int block_tokens) noexcept {
    // The next row, at num_computed, sees [num_computed - window + 1, num_computed].
    return window_tokens == 0 ? 0 : std::max(0, num_computed - window_tokens + 1) / block_tokens;
}

int blocks_of_sequence(std::span<const BlockGroup> groups, int block_tokens, int num_tokens, int step_tokens) noexcept {
    const int whole = ceil_div(num_tokens, block_tokens);
    int blocks = 0;
    for (const BlockGroup& group : groups) {
        if (group.window_tokens == 0 || step_tokens >= num_tokens) {
            blocks += whole;
            continue;
        }
        // A step sees window - 1 tokens before its own, beginning anywhere in a block.
        const int seen = group.window_tokens - 1 + step_tokens;
        blocks += std::min(whole, ceil_div(seen - 1, block_tokens) + 1);
    }
    return blocks;
}

int tokens_that_fit(
    std::span<const BlockGroup> groups, int block_tokens, int num_blocks, int step_tokens, int most) noexcept {
    int fitting = 0;
    for (int too_many = most + 1; fitting + 1 < too_many;) {
        const int middle = fitting + (too_many - fitting) / 2;
        if (blocks_of_sequence(groups, block_tokens, middle, step_tokens) <= num_blocks)
            fitting = middle;
        else
            too_many = middle;
    }
    return fitting;
}

std::int64_t kv_bytes_per_far_token(const KvLayout& layout) noexcept {
    kernels::KvSpec far = layout.spec;
    std::erase_if(far.layers, [&](const kernels::KvLayer& layer) {
        return layout.groups[static_cast<std::size_t>(layer.group)].window_tokens > 0;
    });
    return kernels::kv_bytes_per_token(far);
}

std::map<std::string, std::int64_t> far_kv_bytes_by_type(KvLayout layout) {
    std::map<std::string, std::int64_t> bytes;
    for (int type = 0; type < kernels::kNumKvTypes; ++type) {
        layout.spec.type = static_cast<kernels::KvType>(type);
        bytes.emplace(kernels::kv_type_name(layout.spec.type), kv_bytes_per_far_token(layout));
    }
    return bytes;
}

} // namespace vitrine::engine
