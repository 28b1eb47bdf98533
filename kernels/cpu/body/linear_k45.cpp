// SPDX-License-Identifier: GPL-3.0-or-later
// Products of Q4_K and Q5_K.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/body/linear_bands.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {

void add_linear_k45(IsaTable& table) {
    table.linear[static_cast<int>(WeightFormat::q4_k)][0] = linear<CodecQ4K, false>;
    table.linear[static_cast<int>(WeightFormat::q4_k)][1] = linear<CodecQ4K, true>;
    table.linear[static_cast<int>(WeightFormat::q5_k)][0] = linear<CodecQ5K, false>;
    table.linear[static_cast<int>(WeightFormat::q5_k)][1] = linear<CodecQ5K, true>;
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
