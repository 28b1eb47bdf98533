// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: picks the instruction set of a session, once.
#pragma once

#include <string>

#include "kernels/api/result.h"
#include "kernels/cpu/isa_table.h"

namespace vitrine::kernels::cpu {

namespace scalar {
void fill_table(IsaTable& table);
}
namespace avx2 {
void fill_table(IsaTable& table);
}
namespace avxvnni {
void fill_table(IsaTable& table);
}
namespace avx512 {
void fill_table(IsaTable& table);
}

/// `wanted`: "scalar", "avx2", "avxvnni", "avx512"; empty or "auto": VITRINE_FORCE_ISA if set, else the widest this CPU has.
/// Errors: `invalid_argument` for another name, `unsupported` when the CPU lacks it.
[[nodiscard]] Result<IsaTable> select_isa(const std::string& wanted);

} // namespace vitrine::kernels::cpu
