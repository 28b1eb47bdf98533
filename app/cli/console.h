// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: where results and errors go, and which exit code an error gives.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace vitrine::app {

/// Exit codes of vitrine-cli (cli.md): fixed, scripts rely on them.
enum ExitCode : int {
    kExitSuccess = 0,
    kExitOther = 1,
    kExitUsage = 2,
    kExitBadFile = 3,
    kExitNoMemory = 4,
    kExitNoDevice = 5,
    kExitTemplate = 6,
};
[[nodiscard]] int exit_code_of(ErrorCode code) noexcept;

/// Results on `out`, everything else on `err`.  Thread: one.
class Console {
public:
    Console(std::istream& in, std::ostream& out, std::ostream& err) : in_(in), out_(out), err_(err) {}

    void write(std::string_view text); // as it is, flushed
    void line(std::string_view text);
    void json(const nlohmann::ordered_json& document); // pretty
    void json_line(const nlohmann::ordered_json& document);
    void note(std::string_view text); // to err, one line
    /// One line: what happened and the next step.  Returns the exit code.
    int fail(const Error& error);
    [[nodiscard]] std::string read_all(); // of `in`
    [[nodiscard]] bool read_line(std::string& line); // false: end of `in`

private:
    std::istream& in_;
    std::ostream& out_;
    std::ostream& err_;
};

} // namespace vitrine::app
