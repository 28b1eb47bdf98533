// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/kernels/cuda: the plugin as the application loads it.
#pragma once

#include <cstdlib>
#include <dlfcn.h>

#include "kernels/api/plugin.h"

namespace vitrine::testing {

/// The entry of the file that VITRINE_CUDA_PLUGIN names, or null.  It stays mapped until the process ends.
inline const kernels::PluginEntry* load_cuda_plugin() {
    const char* path = std::getenv("VITRINE_CUDA_PLUGIN");
    void* library = path != nullptr ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    void* symbol = library != nullptr ? dlsym(library, kVitrineBackendPluginSymbol) : nullptr;
    return symbol != nullptr ? reinterpret_cast<VitrineBackendPluginFunction>(symbol)() : nullptr;
}

} // namespace vitrine::testing
