// SPDX-License-Identifier: GPL-3.0-or-later
// Products of Q4_0, Q4_1 and the formats of a 16-entry table.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/body/linear_bands.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {

void add_linear_4bit(IsaTable& table) {
    table.linear[static_cast<int>(WeightFormat::q4_0)][0] = linear<CodecQ4_0, false>;
    table.linear[static_cast<int>(WeightFormat::q4_0)][1] = linear<CodecQ4_0, true>;
    table.linear[static_cast<int>(WeightFormat::q4_1)][0] = linear<CodecQ4_1, false>;
    table.linear[static_cast<int>(WeightFormat::q4_1)][1] = linear<CodecQ4_1, true>;
    table.linear[static_cast<int>(WeightFormat::iq4_nl)][0] = linear<CodecIq4Nl, false>;
    table.linear[static_cast<int>(WeightFormat::iq4_nl)][1] = linear<CodecIq4Nl, true>;
    table.linear[static_cast<int>(WeightFormat::iq4_xs)][0] = linear<CodecIq4Xs, false>;
    table.linear[static_cast<int>(WeightFormat::iq4_xs)][1] = linear<CodecIq4Xs, true>;
    table.linear[static_cast<int>(WeightFormat::mxfp4)][0] = linear<CodecMxfp4, false>;
    table.linear[static_cast<int>(WeightFormat::mxfp4)][1] = linear<CodecMxfp4, true>;
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
