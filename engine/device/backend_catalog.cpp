// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/device: device list and backend creation.
#include "engine/device/backend_catalog.h"

#include <charconv>
#include <dlfcn.h>

#include "engine/device/plugin_loader.h"
#include "kernels/api/sentence.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/ref/ref_backend.h"

namespace vitrine::engine {
namespace {

using kernels::DeviceInfo;

/// "ref" is the float64 oracle of the command line: K and V are not rounded to the pool's type either.
constexpr kernels::RefOptions kReference{.exact_kv = true};

kernels::CpuOptions cpu_options(const DeviceRequest& request) {
    kernels::CpuOptions options;
    options.isa = request.isa == "auto" ? "" : request.isa;
    options.num_threads = request.num_threads;
    options.observer = request.observer;
    return options;
}

/// "cuda" -> 0, "cuda:3" -> 3.
Result<int> gpu_index(const std::string& device) {
    if (device == "cuda")
        return 0;
    int index = -1;
    const std::string_view digits = std::string_view(device).substr(std::min<std::size_t>(device.size(), 5));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (!device.starts_with("cuda:") || error != std::errc() || end != digits.data() + digits.size() || index < 0)
        return fail(ErrorCode::invalid_argument, say(Sentence::device_unknown, device), say(Sentence::known_devices));
    return index;
}

Error no_gpu(const std::string& device, const Error& cause) {
    Error error = wrapped(cause, say(Sentence::device_unusable, device, cause_of(cause)));
    error.code = ErrorCode::device;
    return error;
}

Error index_too_high(const std::string& device, std::size_t count) {
    return make_error(ErrorCode::device, say(Sentence::device_index_too_high, device, count),
        count > 0 ? say(Sentence::use_index_up_to, std::to_string(count - 1)) : say(Sentence::use_cpu));
}

BackendCatalog::Entry unusable(std::string id, std::string name, const Error& cause) {
    BackendCatalog::Entry entry;
    entry.info.id = std::move(id);
    entry.info.name = std::move(name);
    entry.unusable_reason = cause;
    return entry;
}

/// The driver's library is there: only then is a missing plugin worth a word.  Asked before the plugin is mapped, because that
/// maps cuBLAS too (measured: 150 MiB resident), for nothing where there is no driver.
bool has_cuda_library() {
    static const bool found =
        dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr; // stays mapped, as the plugin does
    return found;
}

Result<BackendCatalog::Made> made(
    Result<std::unique_ptr<kernels::Backend>> backend, std::optional<Error> reason = std::nullopt) {
    if (!backend)
        return tl::unexpected(backend.error());
    return BackendCatalog::Made{*std::move(backend), std::move(reason)};
}

} // namespace

BackendCatalog::BackendCatalog() : plugin_folders_(engine::plugin_folders()) {}

BackendCatalog::BackendCatalog(std::vector<std::filesystem::path> plugin_folders)
    : plugin_folders_(std::move(plugin_folders)) {}

Result<BackendCatalog::Gpus> BackendCatalog::probe_gpus() const {
    if (!find_plugin("vitrine_cuda", plugin_folders_).empty() && !has_cuda_library())
        return fail(ErrorCode::device, say(Sentence::no_driver, "libcuda.so.1"), say(Sentence::install_driver));
    auto entry = load_plugin("vitrine_cuda", plugin_folders_);
    if (!entry)
        return tl::unexpected(entry.error());
    auto devices = (*entry)->probe();
    if (!devices)
        return tl::unexpected(devices.error());
    if (devices->empty())
        return fail(ErrorCode::device, say(Sentence::no_gpu), say(Sentence::use_cpu));
    return Gpus{*entry, *std::move(devices)};
}

std::vector<BackendCatalog::Entry> BackendCatalog::devices() const {
    std::vector<Entry> entries;
    if (auto cpu = kernels::probe_cpu())
        entries.push_back(Entry{*std::move(cpu), {}});
    else
        entries.push_back(unusable("cpu", "CPU", cpu.error()));
    auto gpus = probe_gpus();
    if (gpus)
        for (DeviceInfo& device : gpus->devices)
            entries.push_back(Entry{std::move(device), {}});
    else if (gpus.error().code != ErrorCode::not_found || has_cuda_library())
        entries.push_back(unusable("cuda", "CUDA", gpus.error()));
    return entries;
}

Result<BackendCatalog::Made> BackendCatalog::make(const DeviceRequest& request) const {
    if (request.observer != nullptr && request.device != "cpu")
        return fail(ErrorCode::unsupported, say(Sentence::inputs_not_observed, request.device),
            say(Sentence::choose_cpu_as_device));
    if (request.device == "ref")
        return Made{kernels::make_ref_backend(kReference), {}};
    if (request.device == "cpu")
        return made(kernels::make_cpu_backend(cpu_options(request)));
    const bool automatic = request.device == "auto";
    auto index = automatic ? Result<int>(0) : gpu_index(request.device);
    if (!index)
        return tl::unexpected(index.error());
    auto gpus = probe_gpus();
    if (!gpus && automatic)
        return made(kernels::make_cpu_backend(cpu_options(request)),
            gpus.error().code != ErrorCode::not_found || has_cuda_library() ? std::optional(gpus.error())
                                                                            : std::nullopt);
    if (!gpus)
        return tl::unexpected(no_gpu(request.device, gpus.error()));
    if (static_cast<std::size_t>(*index) >= gpus->devices.size())
        return tl::unexpected(index_too_high(request.device, gpus->devices.size()));
    return made(gpus->entry->create(*index));
}

Result<DeviceInfo> BackendCatalog::find(const DeviceRequest& request) const {
    if (request.device == "ref")
        return kernels::make_ref_backend(kReference)->device();
    if (request.device != "cpu") {
        const bool automatic = request.device == "auto";
        auto index = automatic ? Result<int>(0) : gpu_index(request.device);
        if (!index)
            return tl::unexpected(index.error());
        auto gpus = probe_gpus();
        if (!gpus && !automatic)
            return tl::unexpected(no_gpu(request.device, gpus.error()));
        if (gpus && static_cast<std::size_t>(*index) >= gpus->devices.size())
            return tl::unexpected(index_too_high(request.device, gpus->devices.size()));
        if (gpus)
            return gpus->devices[static_cast<std::size_t>(*index)];
    }
    return kernels::probe_cpu(cpu_options(request));
}

} // namespace vitrine::engine
