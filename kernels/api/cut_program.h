// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: a program in two, so that one device runs its first layers and another the rest.
#pragma once

#include <vector>

#include "kernels/api/program.h"
#include "kernels/api/result.h"

namespace vitrine::kernels {

/// A program of its own with the weights, layers and activations of its ops alone.
struct ProgramPart {
    Program program;
    std::vector<WeightGroupId> groups; // index == WeightGroupId of the part: the whole program's group
    int first_layer = 0; // LayerId 0 of the part, in the whole program
};

/// The front leaves what it hands over in Program::output, the back takes it as Program::input.
struct CutProgram {
    ProgramPart front;
    ProgramPart back;
};

/// The front gets the first `front_layers` layers and what comes before them, the back the other layers and the head.  A table
/// that is both gathered from and multiplied by goes to both.  Requires: a program that is not resolved yet.
/// Errors: invalid_argument (no layer would be left on one side), unsupported (the layers hand over more than one activation).
[[nodiscard]] Result<CutProgram> cut_program(const Program& whole, int front_layers);

/// The layers of one part.
[[nodiscard]] KvSpec kv_of_part(const KvSpec& whole, const ProgramPart& part);

} // namespace vitrine::kernels
