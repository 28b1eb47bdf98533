// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/device: opens a backend plugin, checks that it is of this build, and never closes it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "kernels/api/plugin.h"

namespace vitrine::engine {

/// VITRINE_BACKEND_DIR if set, then the executable's own folder, then ../lib/vitrine of it.  Never the working directory.
[[nodiscard]] std::vector<std::filesystem::path> plugin_folders();

/// lib`name`.so of the first folder that has it; empty: none has.
[[nodiscard]] std::filesystem::path find_plugin(
    std::string_view name, const std::vector<std::filesystem::path>& folders);

/// The entry of lib`name`.so in the first folder that has it.  not_found: no such file (the backend is not installed).
/// device: it does not load (a driver library is missing), or it is of another build; the message says which.
/// The library stays mapped until the process ends.  Thread: any.
[[nodiscard]] Result<const kernels::PluginEntry*> load_plugin(
    std::string_view name, const std::vector<std::filesystem::path>& folders);

/// Is the entry of this build?  Looks at abi_version first and at nothing else if that differs.
[[nodiscard]] Result<void> check_plugin(const kernels::PluginEntry& entry, const std::string& file);

} // namespace vitrine::engine
