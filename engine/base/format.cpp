// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: three digits for bytes, the shortest honest form for rates and times.
#include "engine/base/format.h"

#include <cmath>
#include <fmt/core.h>

#include "kernels/api/sentence.h"

namespace vitrine::engine {

std::string format_bytes(std::int64_t bytes) {
    return english(ByteCount{bytes});
}

std::string format_rate(double per_second) {
    if (per_second >= 9999.5)
        return fmt::format("{:.1f}k", per_second / 1000);
    if (per_second >= 9.95)
        return fmt::format("{:.0f}", per_second);
    return fmt::format("{:.1f}", per_second);
}

std::string format_duration(std::chrono::microseconds duration) {
    const double seconds = static_cast<double>(duration.count()) / 1e6;
    if (seconds < 9.995)
        return fmt::format("{:.2f} s", seconds);
    if (seconds < 59.95)
        return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string format_step(std::chrono::microseconds duration) {
    return fmt::format("{:.1f} ms", static_cast<double>(duration.count()) / 1e3);
}

std::string format_percent(double ratio) {
    return fmt::format("{:.0f} %", ratio * 100);
}

std::string format_count(std::int64_t count) {
    const std::string digits = std::to_string(count < 0 ? -count : count);
    std::string grouped;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0)
            grouped += ',';
        grouped += digits[i];
    }
    return count < 0 ? "-" + grouped : grouped;
}

} // namespace vitrine::engine
