// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: rope frequencies with every published scaling rule applied.
#pragma once

#include <span>

#include "engine/model/model_config.h"
#include "kernels/api/program.h"

namespace vitrine::engine {

/// inv_freq[i] = base^(-2i/d), then the rule of `rope`:
///  linear (kaiokendev 2023): / factor.   llama3 and LongRoPE (arXiv:2402.13753): / factors[i], given by the file.
///  YaRN (arXiv:2309.00071, NTK-by-parts): blend of / factor and unchanged by wavelength, attention_factor 0.1 ln s + 1.
/// factors: [rotary_dim / 2] or empty.   context_length: what the file says the model can do after scaling.
[[nodiscard]] kernels::RopeSpec make_rope(
    const RopeConfig& rope, kernels::RopeStyle style, std::span<const float> factors, int context_length);

/// Frequency factors of the file for a session of `context` tokens: rope_freqs, else the long or short LongRoPE list.
/// Empty: none.  Error bad_file when the tensor has another length or type than needed.
[[nodiscard]] Result<std::vector<float>> rope_factors(const gguf::File& file, const ModelConfig& config, int context);

} // namespace vitrine::engine
