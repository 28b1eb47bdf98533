// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: argv to options; the only user of CLI11.
#pragma once

#include <optional>

#include "app/cli/console.h"
#include "app/cli/options.h"

namespace vitrine::app {

struct CommandLine {
    std::optional<Options> options; // empty: help was printed or the usage is wrong
    int exit_code = kExitSuccess; // then
};

/// Prints help to the console's output and usage errors to its error stream.  Sets the log level.
[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv, Console& console);

} // namespace vitrine::app
