// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: the C entry of a backend plugin; the only symbol it exports.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/api/backend.h"

namespace vitrine::kernels {

inline constexpr std::uint32_t kPluginAbiVersion = 6;

/// abi_version and build_id are read, and must match, before anything else is touched.
struct PluginEntry {
    std::uint32_t abi_version;
    const char* build_id; // kBuildId of build_id.h: hash of kernels/api and the compiler
    const char* name; // "cuda"
    Result<std::vector<DeviceInfo>> (*probe)(); // the error says why no device is usable
    Result<std::unique_ptr<Backend>> (*create)(int device);
};

} // namespace vitrine::kernels

extern "C" {
using VitrineBackendPluginFunction = const vitrine::kernels::PluginEntry* (*)();
}
inline constexpr const char* kVitrineBackendPluginSymbol = "vitrine_backend_plugin";
