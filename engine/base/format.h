// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: numbers as people read them, the same in log, command line and window.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace vitrine::engine {

[[nodiscard]] std::string format_bytes(std::int64_t bytes); // "94 MiB", "8.38 GiB": three digits, powers of 1024
[[nodiscard]] std::string format_rate(double per_second); // "6.3", "63", "14.2k"
[[nodiscard]] std::string format_duration(std::chrono::microseconds duration); // "0.18 s", "12.4 s", "2 min 14 s"
[[nodiscard]] std::string format_step(std::chrono::microseconds duration); // "70.2 ms"
[[nodiscard]] std::string format_percent(double ratio); // 0.934 -> "93 %"
[[nodiscard]] std::string format_count(std::int64_t count); // "12,345": grouped by thousands

} // namespace vitrine::engine
