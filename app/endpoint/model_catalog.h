// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the model files that a server may load by name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine::app {

/// GGUF files in `folders` and below, absolute paths, sorted within a folder; of equal names the first.  Left out: further
/// parts of split files, projectors (mmproj), vocabularies.  Opens nothing.  Blocks for disk.
[[nodiscard]] std::vector<std::string> scan_models(const std::vector<std::filesystem::path>& folders);

} // namespace vitrine::app
