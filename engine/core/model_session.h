// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: everything one loaded model owns.
#pragma once

#include <memory>

#include "engine/api/snapshot.h"
#include "engine/core/grammar_store.h"
#include "engine/core/loaded_text.h"
#include "engine/exec/model_runner.h"
#include "engine/kv/kv_cache_manager.h"
#include "engine/sched/scheduler.h"
#include "engine/spec/proposer.h"
#include "engine/spec/step_costs.h"
#include "engine/stats/engine_stats.h"
#include "engine/stats/snapshot_builder.h"
#include "kernels/api/backend.h"

namespace vitrine::engine {

/// Built on the load thread, installed by command, then the engine thread's alone; released there too.  Members stand in
/// the order of their life: the backend, with its weights, goes last.
struct ModelSession {
    std::shared_ptr<const LoadedText> text;
    std::shared_ptr<GrammarStore> grammars =
        std::make_shared<GrammarStore>(); // prepare threads may outlive the session
    MaskStore masks;
    std::shared_ptr<const LoadedModel> model;
    std::unique_ptr<kernels::Backend> backend;
    std::unique_ptr<ModelRunner> runner;
    std::unique_ptr<KvCacheManager> kv;
    std::unique_ptr<Scheduler> scheduler;
    std::unique_ptr<Proposer> proposer; // null: no speculation
    StepCosts step_costs;
    std::unique_ptr<EngineStats> stats;
    bool gives_text = true; // false: an encoder, for embeddings only
    bool runs_aside = false; // a step runs while the engine thread goes on: a GPU
    bool steps_ahead = false; // and the next one is handed over meanwhile, where it can be
};

} // namespace vitrine::engine
