// SPDX-License-Identifier: GPL-3.0-or-later
// Products of Q8_0.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/body/linear_bands.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {

void add_linear_8bit(IsaTable& table) {
    table.linear[static_cast<int>(WeightFormat::q8_0)][0] = linear<CodecQ8_0, false>;
    table.linear[static_cast<int>(WeightFormat::q8_0)][1] = linear<CodecQ8_0, true>;
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
