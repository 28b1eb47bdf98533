// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: a llama-shaped program with random weights, and a session that steps it on any backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/api/backend.h"

namespace vitrine::kernels::testing {

struct ModelShape {
    int num_layers = 2;
    int dim = 64;
    int ff_dim = 96;
    int num_heads = 4;
    int num_kv_heads = 2;
    int head_dim = 16;
    int vocab = 80;
    WeightFormat format = WeightFormat::q4_1;
    WeightFormat head_format = WeightFormat::q8_0;
    RopeStyle rope = RopeStyle::interleaved;
    int window = 0; // of every second layer; 0: none
    bool qwen = false; // biases and norms of q and k
    bool gemma = false; // post norms, GELU, softcaps
    bool softcaps = true; // of gemma
    std::optional<WeightFormat> out_format{}; // of the attention's output; none: format
    std::optional<WeightFormat> down_format{};
};

/// Bytes of random rows in file order whose dequantized values have a spread of about 1 / sqrt(in_dim).
[[nodiscard]] std::vector<std::byte> random_matrix(
    WeightFormat format, std::int64_t out_dim, std::int64_t in_dim, std::uint32_t seed);

struct RandomModel {
    Program program;
    std::vector<std::vector<std::vector<std::byte>>> bytes; // [group][member]
};
[[nodiscard]] RandomModel make_random_model(const ModelShape& shape, std::uint32_t seed = 1);

[[nodiscard]] ModelShape smollm2_135m(); // Q4_1 with a tied Q8_0 head
[[nodiscard]] ModelShape gemma3_270m(); // as Q4_K_M has it: rows of 640 fall back to Q5_0, the head to Q8_0

/// A backend with the model loaded, its pool and executable.  Sequence s owns blocks 1 + s * max_blocks and following.
class ModelSession {
public:
    /// Aborts the test process with a message on any error.
    ModelSession(std::unique_ptr<Backend> backend, const RandomModel& model, const StepLimits& limits, Numerics mode,
        KvType kv_type = KvType::f16, bool decompose_all = false, int block_tokens = 16);

    struct Chunk {
        int seq = 0;
        int position = 0; // of the first token
        std::vector<std::int32_t> tokens;
        bool verifies = false; // every token after the first is a draft: all rows are judged
    };
    /// Logits of the last row of each chunk (of a verifying one: of all), [logit rows][vocab]; `sampled` by greedy sampling.
    std::vector<float> step(const std::vector<Chunk>& chunks, bool want_logits = true);
    /// Every sequence of the next steps samples by these rules but for its logit row and drafts.  Greedy at first.
    SamplingSequence rules;

    std::vector<std::int32_t> sampled; // of the last step, the last token of each chunk
    std::vector<SamplingOutcome> outcomes; // of the last step
    [[nodiscard]] Backend& backend() { return *backend_; }
    [[nodiscard]] KvPool& pool() { return *pool_; }
    [[nodiscard]] Executable& executable() { return *executable_; }

private:
    std::unique_ptr<Backend> backend_;
    Program program_;
    std::unique_ptr<KvPool> pool_;
    std::unique_ptr<Executable> executable_;
    int max_blocks_ = 0;
    int block_tokens_ = 16;
};

} // namespace vitrine::kernels::testing
