// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: the log, on stderr and optionally in a file; never on stdout, which belongs to results.
#pragma once

#include <fmt/core.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace vitrine::engine {

enum class LogLevel { trace, debug, info, warn, error, off };

/// "trace", "debug", "info", "warn", "error", "off"; `invalid_argument` names the choices.
[[nodiscard]] Result<LogLevel> log_level_from_name(std::string_view name);
/// Level of everything that follows; before the first call: warn.  Thread: any.
void set_log_level(LogLevel level);
[[nodiscard]] bool log_enabled(LogLevel level) noexcept;
/// Also writes to this file (5 MiB, one older kept).  `io` names the file.
Result<void> log_to_file(const std::string& path);
void flush_log();
/// Thread: any.  Not once per token.
void write_log(LogLevel level, std::string_view message);

template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args) {
    if (log_enabled(LogLevel::debug))
        write_log(LogLevel::debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
    if (log_enabled(LogLevel::info))
        write_log(LogLevel::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_warn(fmt::format_string<Args...> format, Args&&... args) {
    if (log_enabled(LogLevel::warn))
        write_log(LogLevel::warn, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args) {
    if (log_enabled(LogLevel::error))
        write_log(LogLevel::error, fmt::format(format, std::forward<Args>(args)...));
}

} // namespace vitrine::engine
