// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/implementation.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

#include "kernels/api/plugin.h"
#include "kernels/ref/ref_backend.h"

namespace vitrine::testing {
namespace {

/// The plugin stays mapped until the process ends.  A plugin that cannot be used ends the run: it was asked for by name.
const PluginEntry& load_plugin(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void* symbol = library == nullptr ? nullptr : dlsym(library, kVitrineBackendPluginSymbol);
    if (symbol == nullptr) {
        std::fprintf(stderr, "VITRINE_CONFORMANCE_PLUGIN: %s\n", dlerror());
        std::exit(1);
    }
    const PluginEntry* entry = reinterpret_cast<VitrineBackendPluginFunction>(symbol)();
    if (entry->abi_version != kPluginAbiVersion) {
        std::fprintf(stderr, "%s has ABI version %u, needed %u\n", path, entry->abi_version, kPluginAbiVersion);
        std::exit(1);
    }
    return *entry;
}

void add_plugin_implementations(std::vector<Implementation>& list, const char* path) {
    const PluginEntry& entry = load_plugin(path);
    const auto make = [&entry] { return entry.create(0); };
    const std::string name = entry.name;
    constexpr int kInt8Rows = 8; // beyond, activations are f16
    constexpr int kExactRows = 8; // beyond, weights are rounded and K is divided by the number of rows
    list.push_back(
        {name, make, NumberPath::int8_few_rows, NumberPath::weights_bf16, Numerics::fast, false, false, kInt8Rows});
    list.push_back({name + "_exact", make, NumberPath::weights_bf16, NumberPath::weights_bf16, Numerics::exact, false,
        false, kExactRows});
    list.push_back({name + "_invariant", make, NumberPath::weights_bf16, NumberPath::weights_bf16, Numerics::invariant,
        false, true});
    list.push_back({name + "_decomposed", make, NumberPath::int8_few_rows, NumberPath::weights_bf16, Numerics::fast,
        true, false, kInt8Rows});
}

} // namespace

Implementation reference() {
    return {"ref", [] { return Result<std::unique_ptr<Backend>>(make_ref_backend()); }, NumberPath::float64,
        NumberPath::float64, Numerics::fast, false, true};
}

std::vector<Implementation> implementations() {
    std::vector<Implementation> list{reference()};
    list.push_back(reference());
    list.back().name = "ref_decomposed";
    list.back().decompose_all = true;
    add_cpu_implementations(list);
    if (const char* path = std::getenv("VITRINE_CONFORMANCE_PLUGIN"))
        add_plugin_implementations(list, path);
    return list;
}

} // namespace vitrine::testing
