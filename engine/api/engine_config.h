// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: every knob of a loaded model; the flags of vitrine-cli are these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/api/backend.h"
#include "kernels/api/kv_pool.h"

namespace vitrine::engine {

enum class BatchPolicy : std::uint8_t { immediate, fixed, continuous }; // "immediate", "static", "continuous"

/// A LoRA adapter that is loaded with the model: a GGUF file or a directory of safetensors.
struct AdapterFile {
    std::string path;
    float weight = 1; // of requests that choose none themselves; 0: they use it not
    [[nodiscard]] friend bool operator==(const AdapterFile&, const AdapterFile&) = default;
};

struct EngineConfig {
    std::string device = "auto"; // auto, cpu, cuda, cuda:N
    std::string isa = "auto"; // auto, scalar, avx2, avxvnni, avx512, amx
    int num_threads = 0; // 0: physical cores
    int gpu_layers = -1; // layers on the GPU, from the first; the CPU runs the others; -1: as many as fit
    kernels::KvType kv_type = kernels::KvType::f16;
    int block_tokens = 16; // 16 or 32; 0: the device's choice
    int num_blocks = 0; // usable blocks; 0: from free memory
    double memory_fraction = 0.9; // of free memory, when num_blocks is 0
    int context = 0; // tokens of one sequence; 0: the model's, at most 8192
    int max_seqs = 256;
    int max_batch_tokens = 0; // 0: 2048 on GPU, 512 on CPU, at least what the configuration check asks for
    int prefill_chunk = 0; // tokens of one sequence in one step; 0: 2048 on GPU, 256 on CPU
    bool prefix_cache = true;
    bool kv_cache = true; // off: every token recomputes its whole sequence, and nothing is shared (ablation)
    bool paged_kv = true; // off: a sequence holds a whole context from admission, and nothing is shared (ablation)
    bool window_groups = true; // off: layers with a window keep every block (one block table for all layers)
    bool chunked_prefill = true;
    bool cuda_graphs = true;
    bool step_ahead = true; // on a GPU the next decode step is handed over while this one runs (kernels.md 6.10)
    bool decompose = false; // run every fused op decomposed (ablation)
    kernels::Numerics numerics = kernels::Numerics::fast;
    bool auto_numerics = true; // numerics is chosen at load: exact on a CPU where it costs little
    BatchPolicy policy = BatchPolicy::continuous;
    std::string quantize; // re-quantize weights on load: "", "q8_0", "q4_0" ...
    std::vector<AdapterFile> adapters; // ids of requests are places in this list
    std::string draft; // who guesses tokens ahead: "", "ngram" or the path of a small model with the same vocabulary
    int gamma = -1; // drafts per step; -1: as many as pay, by the measured acceptance; 0: none
    double slo_ttft_s = 1; // objectives of goodput: first token, and
    double slo_tpot_s = 0.05; // mean time per further token
    bool fixed_hash_seed = false; // tests: equal block hashes in every process
#ifdef NDEBUG
    bool check_invariants = false; // after every step (engine.md 11)
#else
    bool check_invariants = true;
#endif
};

} // namespace vitrine::engine
