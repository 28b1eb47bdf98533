// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>

#include "kernels/cpu/cpu_backend.h"
#include "tests/conformance/implementation.h"

namespace vitrine::testing {

void add_cpu_implementations(std::vector<Implementation>& list) {
    const char* forced = std::getenv("VITRINE_FORCE_ISA");
    for (const std::string isa : {"scalar", "avx2", "avxvnni", "avx512", "amx"}) {
        // Unpinned: ctest runs several of these binaries at once.
        const CpuOptions options{isa, 2, false, false};
        if ((forced != nullptr && *forced != '\0' && isa != forced) || !probe_cpu(options))
            continue;
        const auto make = [options] { return make_cpu_backend(options); };
        const std::string name = "cpu_" + isa;
        list.push_back({name, make, NumberPath::int8_per_32, NumberPath::float32, Numerics::fast, false, true});
        list.push_back(
            {name + "_exact", make, NumberPath::int16_per_32, NumberPath::float32, Numerics::exact, false, true});
        list.push_back(
            {name + "_decomposed", make, NumberPath::int8_per_32, NumberPath::float32, Numerics::fast, true, true});
    }
}

} // namespace vitrine::testing
