// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/fault_injection.h"

#include <atomic>
#include <cstdlib>

#include "kernels/cuda/cuda_error.h"
#include "kernels/cuda/fault_setting.h"
#include "kernels/cuda/launch.h"

namespace vitrine::kernels {
namespace {

const char* setting() {
    static const char* const value = std::getenv("VITRINE_CUDA_FAIL");
    return value;
}

bool is_due(const char* kind, std::atomic<long>& count) {
    return setting() != nullptr && fault_is_due(setting(), kind, ++count);
}

} // namespace

Result<void> fault_in_launch(cudaStream_t stream) {
    static std::atomic<long> launches{0};
    static std::atomic<long> traps{0};
    if (is_due("trap", traps))
        return cuda_result(launch_trap(stream), "A GPU step");
    if (is_due("launch", launches))
        return fail(ErrorCode::device, "A GPU step failed: VITRINE_CUDA_FAIL asked for it.", "Unset the variable.");
    return {};
}

Result<void> fault_in_wait() {
    static std::atomic<long> waits{0};
    if (is_due("wait", waits))
        return fail(ErrorCode::device, "A GPU step failed: VITRINE_CUDA_FAIL asked for it.", "Unset the variable.");
    return {};
}

bool fault_in_allocation() noexcept {
    static std::atomic<long> allocations{0};
    return is_due("alloc", allocations);
}

} // namespace vitrine::kernels
