// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: puts LoRA adapters into a program.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/adapter_file.h"
#include "kernels/api/program.h"

namespace vitrine::engine {

/// Bytes of the groups that attach_adapters() put behind the program's own, one member each.
using AdapterWeights = std::vector<std::vector<std::byte>>;

/// Ops whose matrices an adapter changes are taken apart until the product is stored, and a LowRankOp follows it; all others
/// stay as they are.  The factors of all adapters lie side by side, so that sequences of different adapters share a step.
/// Errors: bad_file (a tensor that the model lacks, sizes that differ), unsupported (embeddings, experts, a scaled head).
[[nodiscard]] Result<AdapterWeights> attach_adapters(kernels::Program& program, std::span<const Adapter> adapters);

} // namespace vitrine::engine
