// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: fits a program to a backend: declined ops are decomposed until each is accepted.
#pragma once

#include <string>
#include <vector>

#include "kernels/api/backend.h"

namespace vitrine::kernels {

/// One op as simpler ops that compute the same; new activations are added to `program`.  Empty: the op is of the floor.
/// One feature less each time: Logits -> Store; Gated -> two linears, gate; RopeKv -> three linears, norms, rope, kv
/// write; AddResidual -> Store, norm, add; RmsNorm prologue -> norm.
[[nodiscard]] std::vector<Op> decompose(Program& program, const Op& op);

struct ResolvedProgram {
    Program program;
    std::vector<KernelReport> kernels; // one for each op of program.ops
};

/// `decompose_all` takes every fused op apart (ablation, tests).  Error `unsupported` names op, format and backend.
[[nodiscard]] Result<ResolvedProgram> resolve(
    Program program, const Backend& backend, Numerics mode, bool decompose_all = false);

/// A short text for reports: "linear q4_1+q4_1+q8_0 rms_norm rope_kv".
[[nodiscard]] std::string describe(const Program& program, const Op& op);

} // namespace vitrine::kernels
