// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: vitrine-cli.
#include <iostream>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"

int main(int argc, char** argv) {
    using namespace vitrine::app;
    Console console(std::cin, std::cout, std::cerr);
    const CommandLine command_line = parse_command_line(argc, argv, console);
    if (!command_line.options)
        return command_line.exit_code;
    return std::visit([&](const auto& options) { return run_command(options, console); }, *command_line.options);
}
