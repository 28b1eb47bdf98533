// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/device: which devices exist, which can be used, and why not.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "kernels/api/backend.h"
#include "kernels/api/input_observer.h"
#include "kernels/api/plugin.h"

namespace vitrine::engine {

/// As EngineConfig names them.
struct DeviceRequest {
    std::string device = "auto"; // auto, cpu, cuda, cuda:N; "ref": the reference backend, for comparisons
    std::string isa = "auto"; // auto, scalar, avx2, avxvnni, avx512, amx
    int num_threads = 0; // 0: physical cores
    kernels::InputObserver* observer = nullptr; // of the CPU backend; other devices refuse to be observed
};

/// Thread: any.  Probing a GPU may take a second the first time.
class BackendCatalog {
public:
    BackendCatalog();
    explicit BackendCatalog(std::vector<std::filesystem::path> plugin_folders);

    struct Entry {
        kernels::DeviceInfo info;
        std::optional<Error> unusable_reason; // nothing: usable
    };
    /// CPU first.  A missing CUDA plugin gives no entry; a plugin or driver that refuses gives one with its reason.
    [[nodiscard]] std::vector<Entry> devices() const;

    struct Made {
        std::unique_ptr<kernels::Backend> backend;
        std::optional<Error> device_reason; // with auto: why the GPU of this machine is not used; nothing without one
    };
    /// Errors: invalid_argument (an unknown name), device (it is not there, and why), unsupported (an ISA this CPU lacks).
    [[nodiscard]] Result<Made> make(const DeviceRequest& request) const;

    /// The device make() would use, without starting it.
    [[nodiscard]] Result<kernels::DeviceInfo> find(const DeviceRequest& request) const;

private:
    struct Gpus {
        const kernels::PluginEntry* entry = nullptr;
        std::vector<kernels::DeviceInfo> devices;
    };
    [[nodiscard]] Result<Gpus> probe_gpus() const;

    std::vector<std::filesystem::path> plugin_folders_;
};

} // namespace vitrine::engine
