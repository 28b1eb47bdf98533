// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: what a model file is, known before it is loaded.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/api/kv_pool.h"

namespace vitrine::engine {

struct ModelInfo {
    std::string path;
    std::string name; // general.name, or the file name without .gguf
    std::string architecture;
    std::int64_t parameters = 0;
    std::int64_t weight_bytes = 0;
    std::map<std::string, std::int64_t> bytes_by_type; // "Q4_1" -> bytes
    std::string quantization; // main type, as people name it: "Q4_K_M", "Q4_1", "F16"
    int context_length = 0;
    int num_layers = 0;
    int num_heads = 0;
    int num_kv_heads = 0;
    int head_dim = 0;
    int embedding_dim = 0;
    int feed_forward_dim = 0;
    int sliding_window = 0; // 0: none
    std::map<std::string, std::int64_t> kv_bytes_per_token; // KV type name -> bytes, over all layers
    std::map<std::string, std::int64_t>
        kv_bytes_per_far_token; // what one more costs beyond every window; empty: the same
    std::string tokenizer_model;
    std::string tokenizer_pre;
    int vocab_size = 0;
    bool has_chat_template = false;
    int pooling_type = 0; // of embeddings, as the file says: 1 mean, 3 last token; 0: it does not say
    bool vocabulary_only = false; // no weights: tokenize only
    std::string license;
    std::int64_t file_bytes = 0;
};

/// What one device holds of a model that is planned, in bytes.
struct DevicePlan {
    std::string device; // DeviceInfo::id
    int num_layers = 0;
    std::int64_t weights = 0;
    std::int64_t kv = 0;
    std::int64_t scratch = 0;
    std::int64_t total = 0; // with the margin
    std::int64_t available = 0;
    std::int64_t kv_block_bytes = 0;
    bool fits = false;
};

/// What takes memory, in bytes, and whether it fits what is free now.  Numbers are those of all devices together; `fits` only
/// if each part fits its device.
struct LoadPlan {
    std::int64_t weights = 0;
    std::int64_t kv = 0;
    std::int64_t scratch = 0;
    std::int64_t margin = 0; // 10 % of the rest
    std::int64_t total = 0;
    std::int64_t available = 0; // free now on the device, what the loaded model will give back included
    bool fits = false;
    int num_blocks = 0; // usable KV blocks the plan asks for
    int block_tokens = 16;
    int context = 0; // tokens a sequence may have
    int max_parallel = 0; // sequences of `context` tokens that would fit in available memory
    std::int64_t kv_bytes_per_token = 0; // over all layers
    std::int64_t kv_bytes_per_far_token = 0; // of one more token beyond every window: the layers that see everything
    std::int64_t kv_block_bytes = 0;
    int blocks_per_sequence = 0; // most that one sequence of `context` tokens holds at once
    std::string device; // "cuda:0", "cpu", "cuda:0+cpu"
    std::vector<DevicePlan> devices; // in the order of their layers; most models have one
};

} // namespace vitrine::engine
