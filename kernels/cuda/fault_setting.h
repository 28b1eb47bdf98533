// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: the text of VITRINE_CUDA_FAIL.
#pragma once

#include <charconv>
#include <string_view>
#include <system_error>

namespace vitrine::kernels {

/// Whether event number `count` (from 1) of `kind` fails.  setting: "KIND:N", or "KIND:N+" for every later one too; anything
/// malformed: never.
[[nodiscard]] inline bool fault_is_due(std::string_view setting, std::string_view kind, long count) noexcept {
    const std::size_t colon = setting.find(':');
    if (colon == std::string_view::npos || setting.substr(0, colon) != kind)
        return false;
    std::string_view number = setting.substr(colon + 1);
    const bool from_then_on = number.ends_with('+');
    if (from_then_on)
        number.remove_suffix(1);
    long wanted = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), wanted);
    if (parsed.ec != std::errc() || parsed.ptr != number.data() + number.size() || wanted < 1)
        return false;
    return from_then_on ? count >= wanted : count == wanted;
}

} // namespace vitrine::kernels
