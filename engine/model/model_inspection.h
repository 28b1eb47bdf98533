// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: what a file is, from its metadata and tensor table alone.
#pragma once

#include "engine/api/model_info.h"
#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "engine/model/model_config.h"

namespace vitrine::engine {

/// Works for every GGUF file, those this build cannot run and vocabulary-only ones too: what is absent stays 0 or empty.
[[nodiscard]] ModelInfo inspect_file(const gguf::File& file);
/// The same of a file whose tensors have shapes and no data: bytes are what they would take.
[[nodiscard]] ModelInfo inspect_shapes(const gguf::File& file);

/// KV type name -> bytes of one token, for equal layers.
[[nodiscard]] std::map<std::string, std::int64_t> kv_bytes_by_type(int num_layers, int num_kv_heads, int head_dim);

/// general.file_type as people name it ("Q4_K_M"); empty: unknown number.
[[nodiscard]] std::string_view file_type_name(std::int64_t file_type) noexcept;

} // namespace vitrine::engine
