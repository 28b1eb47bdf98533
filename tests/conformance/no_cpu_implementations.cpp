// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the place of cpu_implementations.cpp in a build without kernels/cpu.
#include "tests/conformance/implementation.h"

namespace vitrine::testing {

void add_cpu_implementations(std::vector<Implementation>& /*list*/) {}

} // namespace vitrine::testing
