// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa_select.h"

#include <array>

#include "kernels/api/cpu_isa.h"

namespace vitrine::kernels::cpu {
namespace {

struct Body {
    const char* name;
    void (*fill)(IsaTable&);
};

/// Tiles multiply; the rest is that of AVX-512.
void fill_amx(IsaTable& table) {
    avx512::fill_table(table);
    amx::add_products(table);
}

constexpr std::array<Body, 5> kBodies{{
    // as CpuIsa counts
    {"scalar", scalar::fill_table},
    {"avx2", avx2::fill_table},
    {"avxvnni", avxvnni::fill_table},
    {"avx512", avx512::fill_table},
    {"amx", fill_amx},
}};

} // namespace

Result<IsaTable> select_isa(const std::string& wanted) {
    const auto isa = choose_cpu_isa(wanted);
    VT_TRY(isa);
    const Body& body = kBodies[static_cast<std::size_t>(*isa)];
    IsaTable table;
    table.name = body.name;
    body.fill(table);
    // Measured on Sapphire Rapids, whose shared cache answers late: products of one token 10 to 20 % faster than without,
    // 4 % faster than at 2 KiB.  On Zen 4 and 5 the hardware keeps up with one or two tokens.
    if (cpu_features().intel)
        table.prefetch = {8192, 8192};
    return table;
}

} // namespace vitrine::kernels::cpu
