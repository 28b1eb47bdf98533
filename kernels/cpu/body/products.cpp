// SPDX-License-Identifier: GPL-3.0-or-later
// The products of every format.
#include "kernels/cpu/body/entries.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {

void add_products(IsaTable& table) {
    add_linear_4bit(table);
    add_linear_5bit(table);
    add_linear_8bit(table);
    add_linear_k45(table);
    add_linear_k236(table);
    add_linear_dense(table);
#if VITRINE_TILES
    for (const PanelKind kind : {PanelKind::int8, PanelKind::int8x2})
        table.panel_tokens[static_cast<int>(kind)] = 16;
#endif
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
