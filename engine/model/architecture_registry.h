// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: the explicit list of architectures this build can run.
#pragma once

#include <span>
#include <string>

#include "engine/model/architecture.h"

namespace vitrine::engine {

[[nodiscard]] std::span<const Architecture> architectures() noexcept;
/// Error unsupported names the architecture and those that exist.
[[nodiscard]] Result<const Architecture*> find_architecture(std::string_view name);

struct ProgramOptions {
    int context = 0; // tokens of one sequence; 0: the file's
    std::string quantize; // target format of matrices, "" as in the file
};

/// The program of a file: no tensor byte is read except rope factors.  Errors: unsupported (architecture, tensor type,
/// quantize name), bad_file (missing tensor, wrong shape; the message names it).
[[nodiscard]] Result<kernels::Program> build_program(
    const gguf::File& file, const ModelConfig& config, const ProgramOptions& options);

} // namespace vitrine::engine
