// SPDX-License-Identifier: GPL-3.0-or-later
// Products of Q2_K, Q3_K and Q6_K.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/body/linear_bands.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {

void add_linear_k236(IsaTable& table) {
    table.linear[static_cast<int>(WeightFormat::q2_k)][0] = linear<CodecQ2K, false>;
    table.linear[static_cast<int>(WeightFormat::q2_k)][1] = linear<CodecQ2K, true>;
    table.linear[static_cast<int>(WeightFormat::q3_k)][0] = linear<CodecQ3K, false>;
    table.linear[static_cast<int>(WeightFormat::q3_k)][1] = linear<CodecQ3K, true>;
    table.linear[static_cast<int>(WeightFormat::q6_k)][0] = linear<CodecQ6K, false>;
    table.linear[static_cast<int>(WeightFormat::q6_k)][1] = linear<CodecQ6K, true>;
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
