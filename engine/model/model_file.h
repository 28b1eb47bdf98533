// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: opens what a user calls a model: a GGUF file or a directory of safetensors.
#pragma once

#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/gguf/file.h"

namespace vitrine::engine {

/// path: a .gguf file (the first of a split one), a directory with config.json and *.safetensors, or one of the latter's
/// files.  A directory is given as a GGUF file would show it: names, keys, order of heads.  Only tensors that must be
/// rearranged are copied.  Errors: as the readers say; each names the file.
[[nodiscard]] Result<std::shared_ptr<const gguf::File>> open_model_file(const std::string& path);

} // namespace vitrine::engine
