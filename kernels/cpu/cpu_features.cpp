// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/cpu_features.h"

#include <algorithm>
#include <array>
#include <cpuid.h>
#include <cstring>
#include <fstream>
#include <sched.h>
#include <set>

namespace vitrine::kernels::cpu {
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

cpu_set_t allowed_cpus() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_SET(0, &allowed);
    return allowed;
}

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
    return features;
}

std::vector<int> physical_cores() {
    // Of the first call: a thread that has stepped is pinned, and so are the threads it starts, but a second backend has the
    // whole machine all the same.
    static const cpu_set_t allowed = allowed_cpus();
    std::vector<int> cores;
    std::set<std::string> seen; // sibling lists: equal for the threads of one core
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
        std::string siblings;
        if (!std::getline(file, siblings))
            siblings = std::to_string(cpu);
        if (seen.insert(siblings).second)
            cores.push_back(cpu);
    }
    return cores.empty() ? std::vector<int>{0} : cores;
}

} // namespace vitrine::kernels::cpu
