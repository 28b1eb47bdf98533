// SPDX-License-Identifier: GPL-3.0-or-later
// The one symbol of the plugin.
#include "kernels/api/build_id.h"
#include "kernels/api/plugin.h"
#include "kernels/cuda/cuda_backend.h"
#include "kernels/cuda/cuda_probe.h"

extern "C" __attribute__((visibility("default"))) const vitrine::kernels::PluginEntry* vitrine_backend_plugin() {
    static const vitrine::kernels::PluginEntry entry{vitrine::kernels::kPluginAbiVersion, vitrine::kernels::kBuildId,
        "cuda", vitrine::kernels::probe_cuda_devices, vitrine::kernels::make_cuda_backend};
    return &entry;
}
