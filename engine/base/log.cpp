// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: the only user of spdlog, whose headers are costly.
#include "engine/base/log.h"

#include <atomic>
#include <memory>
#include <spdlog/logger.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxFileBytes = 5U * 1024 * 1024;
constexpr std::size_t kMaxOldFiles = 1;
constexpr std::string_view kLevelNames[] = {"trace", "debug", "info", "warn", "error", "off"};

std::atomic<LogLevel> g_level{LogLevel::warn};

spdlog::level::level_enum to_spdlog(LogLevel level) {
    switch (level) {
    case LogLevel::trace:
        return spdlog::level::trace;
    case LogLevel::debug:
        return spdlog::level::debug;
    case LogLevel::info:
        return spdlog::level::info;
    case LogLevel::warn:
        return spdlog::level::warn;
    case LogLevel::error:
        return spdlog::level::err;
    case LogLevel::off:
        break;
    }
    return spdlog::level::off;
}

/// Sinks are added once at start, then never: the logger itself is thread-safe.
spdlog::logger& logger() {
    static const std::shared_ptr<spdlog::logger> instance = [] {
        auto made = std::make_shared<spdlog::logger>("vitrine", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made->set_pattern("%H:%M:%S.%e %^%l%$ %v");
        made->set_level(spdlog::level::trace); // write_log() filters
        made->flush_on(spdlog::level::warn);
        return made;
    }();
    return *instance;
}

} // namespace

Result<LogLevel> log_level_from_name(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kLevelNames); ++i) {
        if (kLevelNames[i] == name)
            return static_cast<LogLevel>(i);
    }
    return fail(ErrorCode::invalid_argument, fmt::format("unknown log level \"{}\"", name),
        "use trace, debug, info, warn, error or off");
}

void set_log_level(LogLevel level) {
    g_level.store(level, std::memory_order_relaxed);
}

bool log_enabled(LogLevel level) noexcept {
    const LogLevel limit = g_level.load(std::memory_order_relaxed);
    return level != LogLevel::off && level >= limit;
}

Result<void> log_to_file(const std::string& path) {
    try {
        auto sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(path, kMaxFileBytes, kMaxOldFiles);
        sink->set_pattern("%Y-%m-%d %H:%M:%S.%e %l %v");
        logger().sinks().push_back(std::move(sink));
        return {};
    } catch (const spdlog::spdlog_ex& error) { // spdlog reports a file it cannot open only this way
        return fail(ErrorCode::io, fmt::format("cannot write the log file {}: {}", path, error.what()),
            "check that the folder exists and is writable");
    }
}

void flush_log() {
    logger().flush();
}

void write_log(LogLevel level, std::string_view message) {
    if (log_enabled(level))
        logger().log(to_spdlog(level), message);
}

} // namespace vitrine::engine
