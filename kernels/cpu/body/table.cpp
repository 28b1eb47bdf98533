// SPDX-License-Identifier: GPL-3.0-or-later
// The table of one ISA.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/isa_select.h"
#include "kernels/cpu/simd/lanes.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {

void fill_table(IsaTable& table) {
    table.lanes = kLanes;
    table.signed_codes = kSignedCodes;
    add_products(table);
    add_rows(table);
    add_attention(table);
    add_kv_write(table);
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
