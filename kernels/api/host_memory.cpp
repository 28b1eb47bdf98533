// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: /proc/meminfo.
#include "kernels/api/host_memory.h"

#include <fstream>
#include <string>

#include "kernels/api/sentence.h"

namespace vitrine::kernels {

Result<std::int64_t> available_memory_bytes() {
    std::ifstream meminfo("/proc/meminfo");
    std::string key;
    std::int64_t kibibytes = 0;
    std::string unit;
    while (meminfo >> key >> kibibytes) {
        std::getline(meminfo, unit);
        if (key == "MemAvailable:")
            return kibibytes * 1024;
    }
    return fail(ErrorCode::io, say(Sentence::free_memory_unknown), say(Sentence::give_memory));
}

} // namespace vitrine::kernels
