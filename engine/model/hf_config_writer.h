// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: the config.json of a model that comes from a GGUF file; engine/safetensors/hf_config.h reads it.
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/gguf/file.h"

namespace vitrine::engine {

/// JSON as transformers writes it, without quantization_config.  Architectures: llama (dense), qwen2, qwen3, gemma, gemma2, gemma3,
/// granite, smollm3.  Errors unsupported: another architecture, experts, a rope rule that config.json cannot say (factors that
/// are not Llama 3's).
[[nodiscard]] Result<std::string> write_hf_config(const gguf::File& file);

} // namespace vitrine::engine
