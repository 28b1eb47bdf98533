// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/body: the functions of one ISA, gathered by table.cpp.
#pragma once

#include "kernels/cpu/isa_table.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {

/// Each sets the entries of its formats.
void add_linear_4bit(IsaTable& table);
void add_linear_5bit(IsaTable& table);
void add_linear_8bit(IsaTable& table);
void add_linear_k45(IsaTable& table);
void add_linear_k236(IsaTable& table);
void add_linear_dense(IsaTable& table);
void add_products(IsaTable& table); // all of the above
void add_rows(IsaTable& table);
void add_attention(IsaTable& table);
void add_kv_write(IsaTable& table);

} // namespace vitrine::kernels::cpu::VITRINE_ISA
