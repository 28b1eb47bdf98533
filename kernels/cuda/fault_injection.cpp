// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/fault_injection.h"

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "kernels/cuda/cuda_error.h"
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

bool fault_is_due(const char* setting, const char* kind, long count) noexcept {
    const std::string_view text(setting);
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || text.substr(0, colon) != kind)
        return false;
    const bool from_then_on = text.ends_with('+');
    const std::string_view number = text.substr(colon + 1, text.size() - colon - 1 - (from_then_on ? 1 : 0));
    long wanted = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), wanted);
    if (parsed.ec != std::errc() || parsed.ptr != number.data() + number.size() || wanted < 1)
        return false;
    return from_then_on ? count >= wanted : count == wanted;
}

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
