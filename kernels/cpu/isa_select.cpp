// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/isa_select.h"

#include <array>
#include <cstdlib>

#include "kernels/cpu/cpu_features.h"

namespace vitrine::kernels::cpu {
namespace {

struct Choice {
    const char* name;
    bool CpuFeatures::*present; // null: always
    void (*fill)(IsaTable&);
};

// Widest first.
constexpr std::array<Choice, 4> kChoices{{
    {"avx512", &CpuFeatures::avx512, avx512::fill_table},
    {"avxvnni", &CpuFeatures::avxvnni, avxvnni::fill_table},
    {"avx2", &CpuFeatures::avx2, avx2::fill_table},
    {"scalar", nullptr, scalar::fill_table},
}};

} // namespace

Result<IsaTable> select_isa(const std::string& wanted) {
    std::string name = wanted == "auto" ? std::string() : wanted;
    std::string source = "the requested instruction set";
    if (name.empty()) {
        if (const char* forced = std::getenv("VITRINE_FORCE_ISA"); forced != nullptr && *forced != '\0') {
            name = forced;
            source = "VITRINE_FORCE_ISA";
        }
    }
    const CpuFeatures features = cpu_features();
    for (const Choice& choice : kChoices) {
        if (!name.empty() && name != choice.name)
            continue;
        if (choice.present != nullptr && !(features.*choice.present)) {
            if (name.empty())
                continue;
            return fail(ErrorCode::unsupported,
                source + " is " + name + ", which this CPU (" + features.name + ") lacks",
                "Choose a narrower one: avx2 or scalar; or leave the choice to the program.");
        }
        IsaTable table;
        table.name = choice.name;
        choice.fill(table);
        // Measured on Sapphire Rapids, whose shared cache answers late: products of one token 10 to 20 % faster than without,
        // 4 % faster than at 2 KiB.  On Zen 4 and 5 the hardware keeps up with one or two tokens.
        if (features.intel)
            table.prefetch = {8192, 8192};
        return table;
    }
    return fail(ErrorCode::invalid_argument,
        source + " is \"" + name + "\"; known are scalar, avx2, avxvnni and avx512",
        "Use one of the four names, or none for the best.");
}

} // namespace vitrine::kernels::cpu
