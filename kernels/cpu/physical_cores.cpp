// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/physical_cores.h"

#include <fstream>
#include <sched.h>
#include <set>
#include <string>

namespace vitrine::kernels::cpu {
namespace {

cpu_set_t allowed_cpus() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_SET(0, &allowed);
    return allowed;
}

} // namespace

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
