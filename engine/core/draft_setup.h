// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: a draft model beside the model it drafts for: same device, same block layout, same vocabulary.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "engine/api/engine_config.h"
#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "engine/kv/block_hash.h"
#include "engine/kv/kv_groups.h"
#include "engine/spec/proposer.h"
#include "kernels/api/backend.h"
#include "kernels/api/resolve.h"

namespace vitrine::engine {

/// What is known of a draft model before a weight byte moves.
struct DraftSetup {
    std::shared_ptr<const gguf::File> file;
    std::unique_ptr<kernels::Backend> backend;
    kernels::ResolvedProgram resolved;
    kernels::StepLimits limits;
    KvLayout kv;
    double blocks_per_target_block = 1; // its pool holds what the target's pool can hold
    kernels::Footprint footprint;
    HashContext hash;
};

/// The model it drafts for.
struct DraftTarget {
    const gguf::File* file = nullptr;
    int vocab_size = 0;
    kernels::StepLimits limits;
    const KvLayout* kv = nullptr;
    int blocks_per_sequence = 0;
};

/// True if the configuration asks for a model as drafter.
[[nodiscard]] bool wants_draft_model(const EngineConfig& config) noexcept;

/// config: resolved for the target.  Errors: as set_up_load(); invalid_argument names the first token that differs.
[[nodiscard]] Result<DraftSetup> set_up_draft(
    const EngineConfig& config, const DraftTarget& target, std::unique_ptr<kernels::Backend> backend);

/// Usable blocks of the draft model's pool beside `num_blocks` of the target's.
[[nodiscard]] int draft_blocks(const DraftSetup& setup, int num_blocks) noexcept;

/// Uploads the weights and makes a pool of draft_blocks(num_blocks) usable blocks.  Thread: load.
[[nodiscard]] Result<std::unique_ptr<Proposer>> finish_draft(
    DraftSetup setup, const EngineConfig& config, int num_blocks, int target_vocab_size, std::stop_token stop);

} // namespace vitrine::engine
