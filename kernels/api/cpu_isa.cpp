// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/api/cpu_isa.h"

#include <array>
#include <cpuid.h>
#include <cstdlib>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernels/api/sentence.h"

namespace vitrine::kernels {
namespace {

std::string brand() {
    std::array<unsigned, 12> words{};
    for (unsigned i = 0; i < 3; ++i) {
        unsigned* at = words.data() + 4 * i;
        if (__get_cpuid(0x80000002U + i, at, at + 1, at + 2, at + 3) == 0)
            return "x86-64 CPU";
    }
    std::array<char, sizeof words + 1> text{};
    std::memcpy(text.data(), words.data(), sizeof words);
    std::string name = text.data();
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    return name.empty() ? "x86-64 CPU" : name;
}

/// AMX-TILE and AMX-INT8, and Linux saves the tiles of those who ask (Documentation/arch/x86/xstate.rst).
bool has_tiles() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned kTileAndInt8 = 3U << 24;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & kTileAndInt8) != kTileAndInt8)
        return false;
    constexpr long kRequestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
    constexpr long kTileData = 18; // XFEATURE_XTILEDATA
    static const bool kAllowed = syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
    return kAllowed;
}

struct Choice {
    const char* name;
    CpuIsa isa;
    bool CpuFeatures::*present; // null: always
};

// Widest first.
constexpr std::array<Choice, 5> kChoices{{
    {"amx", CpuIsa::amx, &CpuFeatures::amx},
    {"avx512", CpuIsa::avx512, &CpuFeatures::avx512},
    {"avxvnni", CpuIsa::avxvnni, &CpuFeatures::avxvnni},
    {"avx2", CpuIsa::avx2, &CpuFeatures::avx2},
    {"scalar", CpuIsa::scalar, nullptr},
}};

} // namespace

CpuFeatures cpu_features() {
    __builtin_cpu_init(); // asks XGETBV too: the operating system must save the wide registers
    CpuFeatures features;
    features.name = brand();
    features.intel = __builtin_cpu_is("intel") != 0;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    const bool f16c = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
    features.avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 && f16c;
    features.avxvnni = features.avx2 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & (1U << 4)) != 0;
    features.avx512 = features.avx2 && __builtin_cpu_supports("avx512f") != 0 &&
        __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
        __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512vnni") != 0;
    features.amx = features.avx512 && has_tiles();
    return features;
}

Result<CpuIsa> choose_cpu_isa(const std::string& wanted) {
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
        if (choice.present == nullptr || features.*choice.present)
            return choice.isa;
        if (!name.empty())
            return fail(ErrorCode::unsupported, say(Sentence::isa_lacking, source, name, features.name),
                say(Sentence::take_narrower_isa));
    }
    return fail(ErrorCode::invalid_argument, say(Sentence::isa_unknown, source, name), say(Sentence::use_known_isa));
}

} // namespace vitrine::kernels
