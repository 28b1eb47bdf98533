// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: step records of a steady batch.
#include "app/cli/step_overhead.h"

#include <algorithm>

#include "app/cli/open_model.h"
#include "app/cli/run_requests.h"

namespace vitrine::app {
namespace {

constexpr int kPrompt = 8; // tokens
constexpr int kBlockTokens = 16;

std::vector<engine::Request> steady_requests(int batch, int num_steps, int vocab_size) {
    std::vector<engine::Request> requests(static_cast<std::size_t>(batch));
    for (int i = 0; i < batch; ++i) {
        engine::TokenPrompt prompt;
        for (int k = 0; k < kPrompt; ++k)
            prompt.ids.push_back((i * 37 + k * 11 + 1) % vocab_size);
        engine::Request& request = requests[static_cast<std::size_t>(i)];
        request.prompt = std::move(prompt);
        request.sampling.temperature = 0;
        request.stop.max_tokens = num_steps;
        request.stop.ignore_eos = true;
    }
    return requests;
}

} // namespace

Result<StepOverhead> measure_step_overhead(const ModelOptions& options, int batch, int num_steps) {
    ModelOptions steady = options;
    engine::EngineConfig& config = steady.config;
    config.draft.clear();
    config.context = kPrompt + num_steps;
    config.max_seqs = batch;
    config.window_groups = false; // blocks of all layers: as many as the batch needs
    config.num_blocks = batch * ((config.context + kBlockTokens - 1) / kBlockTokens + 1);
    auto engine = open_engine(steady);
    if (!engine)
        return tl::unexpected(engine.error());
    const int vocab_size = (*engine)->text_model()->vocab_size();
    VT_TRY(run_requests(**engine, steady_requests(batch, num_steps, vocab_size)));
    (*engine)->stop();
    std::vector<engine::StepRecord> steps(8192);
    steps.resize((*engine)->read_steps(0, steps));
    StepOverhead overhead{.batch = batch};
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        const engine::StepRecord& step = steps[i];
        if (step.prefill_tokens != 0 || step.decode_rows != batch || steps[i + 1].decode_rows != batch)
            continue;
        const auto period = static_cast<double>(steps[i + 1].start_us - step.start_us);
        ++overhead.steps;
        overhead.step_us += period;
        overhead.schedule_us += step.schedule_us;
        overhead.commit_us += step.commit_us;
        overhead.between_us +=
            period - step.draft_us - step.schedule_us - step.forward_us - step.sample_us - step.commit_us;
    }
    const double count = std::max(overhead.steps, 1);
    for (double* sum : {&overhead.step_us, &overhead.schedule_us, &overhead.commit_us, &overhead.between_us})
        *sum /= count;
    return overhead;
}

} // namespace vitrine::app
