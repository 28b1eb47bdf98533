// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_probe.h"

#include <cuda_runtime_api.h>
#include <string>

#include "kernels/api/sentence.h"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {
namespace {

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Error no_device(cudaError_t error) {
    int driver = 0;
    (void)cudaDriverGetVersion(&driver);
    if (driver == 0)
        return make_error(
            ErrorCode::device, say(Sentence::driver_missing), say(Sentence::install_driver_or_run_on_cpu));
    if (error == cudaErrorInsufficientDriver)
        return make_error(ErrorCode::device,
            say(Sentence::driver_too_old, version_text(driver), version_text(CUDART_VERSION)),
            say(Sentence::update_driver));
    if (error == cudaErrorNoDevice)
        return make_error(ErrorCode::device, say(Sentence::driver_without_gpu), say(Sentence::show_gpu));
    return make_error(
        ErrorCode::device, say(Sentence::driver_answer, cudaGetErrorString(error)), say(Sentence::restart_driver));
}

Result<DeviceInfo> describe_device(int index) {
    cudaDeviceProp properties{};
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, index); error != cudaSuccess)
        return tl::unexpected(no_device(error));
    const std::string capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
    if (properties.major < kMinComputeMajor)
        return fail(ErrorCode::device,
            say(Sentence::gpu_too_old, properties.name, capability, std::to_string(kMinComputeMajor) + ".0"),
            say(Sentence::run_on_cpu));
    DeviceInfo info;
    info.id = "cuda:" + std::to_string(index);
    info.name = properties.name;
    info.isa = "sm_" + std::to_string(properties.major * 10 + properties.minor);
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    if (const cudaError_t error = cudaSetDevice(index); error != cudaSuccess)
        return tl::unexpected(no_device(error));
    if (const cudaError_t error = cudaMemGetInfo(&free_bytes, &total_bytes); error != cudaSuccess)
        return tl::unexpected(no_device(error));
    if (!has_code_for_device())
        return fail(ErrorCode::device, say(Sentence::gpu_without_code, properties.name, capability),
            say(Sentence::build_for_gpu,
                std::to_string(properties.major * 10 + properties.minor) + (properties.major == 9 ? "a" : "")));
    info.memory_total_bytes = static_cast<std::int64_t>(total_bytes);
    info.memory_free_bytes = static_cast<std::int64_t>(free_bytes);
    return info;
}

} // namespace

Result<std::vector<DeviceInfo>> probe_cuda_devices() {
    int count = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0)
        return tl::unexpected(no_device(error == cudaSuccess ? cudaErrorNoDevice : error));
    std::vector<DeviceInfo> devices;
    Error last;
    for (int index = 0; index < count; ++index) {
        auto device = describe_device(index);
        if (device)
            devices.push_back(std::move(*device));
        else
            last = std::move(device.error());
    }
    if (devices.empty())
        return tl::unexpected(std::move(last));
    return devices;
}

} // namespace vitrine::kernels
