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
namespace amx {
void add_products(IsaTable& table);
}

/// Errors: as choose_cpu_isa().
[[nodiscard]] Result<IsaTable> select_isa(const std::string& wanted);

} // namespace vitrine::kernels::cpu
