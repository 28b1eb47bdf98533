// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the LoRA adapters of a load, and which of them a request uses.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/api/request.h"
#include "engine/api/snapshot.h"
#include "engine/base/result.h"
#include "engine/model/adapter_program.h"
#include "engine/model/model_config.h"
#include "kernels/api/program.h"

namespace vitrine::engine {

struct AdapterSetup {
    std::vector<LoadedAdapter> adapters; // in order of EngineConfig::adapters
    AdapterWeights weights; // of the program's last groups
};

/// Reads the files and puts them into the program.  Errors: as read_adapter and attach_adapters; invalid_argument where two
/// have one name.
[[nodiscard]] Result<AdapterSetup> set_up_adapters(
    const std::vector<AdapterFile>& files, const ModelConfig& model, kernels::Program& program);

/// Error invalid_argument: an id that is not loaded or stands twice, a weight that is no number.
[[nodiscard]] Result<void> check_adapters(const std::optional<std::vector<AdapterUse>>& uses, std::size_t num_adapters);

struct AdapterChoice {
    std::vector<float> weights; // one for each loaded adapter; empty: none is used
    std::uint64_t key = 0; // BlockExtras::lora_generation; 0: none is used
};
/// Requires: check_adapters() passed.  One adapter at weight 1 has its load generation as key; anything else a hash over
/// generations and weights with the highest bit set, so that blocks of different mixtures never meet.
[[nodiscard]] AdapterChoice choose_adapters(
    const std::optional<std::vector<AdapterUse>>& uses, const std::vector<LoadedAdapter>& adapters);

} // namespace vitrine::engine
