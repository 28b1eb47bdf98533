// SPDX-License-Identifier: GPL-3.0-or-later
// Products of Q5_0 and Q5_1.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/body/linear_bands.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {

void add_linear_5bit(IsaTable& table) {
    table.linear[static_cast<int>(WeightFormat::q5_0)][0] = linear<CodecQ5_0, false>;
    table.linear[static_cast<int>(WeightFormat::q5_0)][1] = linear<CodecQ5_0, true>;
    table.linear[static_cast<int>(WeightFormat::q5_1)][0] = linear<CodecQ5_1, false>;
    table.linear[static_cast<int>(WeightFormat::q5_1)][1] = linear<CodecQ5_1, true>;
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
