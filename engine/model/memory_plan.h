// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: will it fit: weights, KV, scratch and a margin against what is free.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "engine/api/model_info.h"
#include "engine/base/result.h"

namespace vitrine::engine {

struct MemoryNeeds {
    std::int64_t weight_bytes = 0;
    std::int64_t scratch_bytes = 0; // workspace of a step, and on the CPU the tokenizer's tables
    std::int64_t kv_block_bytes = 0;
    std::int64_t kv_bytes_per_token = 0;
    std::int64_t kv_bytes_per_far_token = 0;
    int block_tokens = 16;
    int blocks_per_sequence = 0; // of `context` tokens: blocks_of_sequence()
    int num_blocks = 0; // usable
    int context = 0; // tokens of one sequence
    std::int64_t available_bytes = 0;
    std::string device;
    int num_layers = 0; // on this device
};

/// What the loaded model will give back, by device.
using HeldBytes = std::map<std::string, std::int64_t>;

/// total = (weights + KV + scratch) * 1.1 (engine.md 7); the null block counts as KV.  max_parallel: sequences of
/// `context` tokens for which the total still fits.  Pure.
[[nodiscard]] LoadPlan make_load_plan(const MemoryNeeds& needs);
/// One model on several devices: needs of each, which differ in bytes alone.  Requires: at least one.
[[nodiscard]] LoadPlan make_load_plan(std::span<const MemoryNeeds> needs);

} // namespace vitrine::engine
