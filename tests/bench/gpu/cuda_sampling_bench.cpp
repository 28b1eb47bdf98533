// SPDX-License-Identifier: GPL-3.0-or-later
// What choosing the tokens of a step takes on the GPU, beside the reference sampler on one core of this machine.
// usage: VITRINE_CUDA_PLUGIN=libvitrine_cuda.so cuda_sampling_bench
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

#include "kernels/ref/ref_sampling.h"
#include "tests/kernels/cuda/plugin_loader.h"
#include "tests/kernels/cuda/sampling_rig.h"

namespace vitrine::testing {
namespace {

using namespace kernels;

constexpr std::int64_t kVocab = 128256;
constexpr int kTableRows = 16;

/// Rows as a language model gives them: a broad mass of unlikely tokens and a tail of a few dozen likely ones.
std::vector<float> model_like_table(float spread) {
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0, spread);
    std::vector<float> table(static_cast<std::size_t>(kTableRows * kVocab));
    for (float& value : table)
        value = normal(random);
    for (int row = 0; row < kTableRows; ++row)
        for (int i = 0; i < 60; ++i)
            table[static_cast<std::size_t>(row * kVocab + random() % kVocab)] =
                4 * spread + 6 - 0.2F * static_cast<float>(i);
    return table;
}

struct Setting {
    const char* name;
    SamplingSequence sequence;
};

double microseconds_of(SamplingRig& rig, int num_rows, const SamplingSequence& setting) {
    std::vector<std::int32_t> rows;
    std::vector<SamplingSequence> sequences;
    for (int i = 0; i < num_rows; ++i) {
        rows.push_back(i % kTableRows);
        sequences.push_back(setting);
        sequences.back().logit_row = i;
        sequences.back().seed = static_cast<std::uint64_t>(i);
    }
    double best = 1e30;
    for (std::uint32_t step = 0; step < 12; ++step) {
        for (SamplingSequence& sequence : sequences)
            sequence.position = step;
        auto result = rig.run(rows, sequences, false);
        if (!result) {
            std::fprintf(stderr, "%s\n", result.error().message.c_str());
            std::exit(1);
        }
        best = std::min(best, static_cast<double>(result->sample_time.count()) / 1e3);
    }
    return best;
}

int run() {
    const PluginEntry* entry = load_cuda_plugin();
    if (entry == nullptr) {
        std::fprintf(stderr, "VITRINE_CUDA_PLUGIN names no plugin\n");
        return 1;
    }
    std::vector<TokenCount> counts;
    for (std::int32_t i = 0; i < 500; ++i)
        counts.push_back({i * 37, i % 3, true});
    const std::vector<std::uint32_t> mask((kVocab + 31) / 32, 0xF0F0F0F0U);
    const Setting settings[] = {
        {"temperature 0.8", {.temperature = 0.8F}},
        {"top-k 40", {.temperature = 0.8F, .top_k = 40}},
        {"top-p 0.95", {.temperature = 0.8F, .top_p = 0.95F}},
        {"min-p 0.05, top-k 40, top-p 0.95", {.temperature = 0.8F, .min_p = 0.05F, .top_k = 40, .top_p = 0.95F}},
        {"typical-p 0.9", {.temperature = 0.8F, .typical_p = 0.9F}},
        {"top-p, 500 penalties, mask",
            {.temperature = 0.8F, .top_p = 0.95F, .repetition_penalty = 1.1F, .counts = counts, .allowed = mask}},
        {"top-p, 20 logprobs", {.temperature = 0.8F, .top_p = 0.95F, .num_logprobs = 20}},
        {"greedy with logprob", {.temperature = 0, .num_logprobs = 0}},
    };
    for (const float spread : {2.5F, 0.1F}) {
        auto backend = entry->create(0);
        if (!backend) {
            std::fprintf(stderr, "%s\n", backend.error().message.c_str());
            return 1;
        }
        const std::vector<float> table = model_like_table(spread);
        auto rig = SamplingRig::make(std::move(*backend), table, kVocab, 256);
        if (!rig) {
            std::fprintf(stderr, "%s\n", rig.error().message.c_str());
            return 1;
        }
        std::printf("spread %.1f: us a step for rows       1       8      64     256   host, a row\n",
            static_cast<double>(spread));
        for (const Setting& setting : settings) {
            std::printf("%-34s", setting.name);
            for (const int rows : {1, 8, 64, 256})
                std::printf("%8.1f", microseconds_of(**rig, rows, setting.sequence));
            SamplingScratch scratch;
            const auto begin = std::chrono::steady_clock::now();
            for (int i = 0; i < 4; ++i)
                (void)sample_sequence(std::span(table).first(kVocab), kVocab, setting.sequence, scratch);
            const std::chrono::duration<double, std::micro> host = std::chrono::steady_clock::now() - begin;
            std::printf("%14.0f\n", host.count() / 4);
        }
    }
    return 0;
}

} // namespace
} // namespace vitrine::testing

int main() {
    return vitrine::testing::run();
}
