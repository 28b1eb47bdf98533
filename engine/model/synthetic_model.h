// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: a GGUF of real shapes with seeded random weights and no vocabulary, for speed tests anywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "engine/model/shape_presets.h"
#include "engine/quant/quant_mix.h"

namespace vitrine::engine {

/// Weights are uniform with variance 1 / in_dim, so that activations stay in range; norms are 1.  Rows repeat from a pool of
/// 64 random ones, since quantizing billions of weights would take hours.  Errors: unsupported (a mixture of experts),
/// what the writer says.  Thread: any.
[[nodiscard]] Result<void> write_synthetic_model(
    const ShapePreset& preset, const QuantMix& mix, std::uint64_t seed, const std::string& path);

/// The same model with shapes and no weights, to plan with: nothing is written, and it cannot be loaded.
[[nodiscard]] std::shared_ptr<const gguf::File> shapes_of_preset(const ShapePreset& preset, const QuantMix& mix);

} // namespace vitrine::engine
