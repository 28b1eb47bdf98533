// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: LoRA adapters.
#include "engine/core/adapter_setup.h"

#include <atomic>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <xxhash.h>

namespace vitrine::engine {
namespace {

/// Rises with every adapter loaded in this process.
std::uint64_t next_generation() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

std::int64_t bytes_of(const Adapter& adapter) {
    std::int64_t count = 0;
    for (const auto& [name, factors] : adapter.tensors)
        count += std::ssize(factors.down) + std::ssize(factors.up);
    return count * static_cast<std::int64_t>(sizeof(float));
}

} // namespace

Result<AdapterSetup> set_up_adapters(
    const std::vector<AdapterFile>& files, const ModelConfig& model, kernels::Program& program) {
    AdapterSetup setup;
    std::vector<Adapter> adapters;
    for (const AdapterFile& file : files) {
        auto adapter = read_adapter(file.path, model);
        VT_TRY(adapter);
        for (const LoadedAdapter& other : setup.adapters)
            if (other.name == adapter->name)
                return fail(ErrorCode::invalid_argument,
                    fmt::format("two adapters have the name \"{}\": {} and {}", other.name, other.path, file.path),
                    "Rename one of the files.");
        setup.adapters.push_back({adapter->name, file.path, file.weight, adapter->rank, adapter->alpha,
            bytes_of(*adapter), next_generation()});
        adapters.push_back(*std::move(adapter));
    }
    auto weights = attach_adapters(program, adapters);
    VT_TRY(weights);
    setup.weights = *std::move(weights);
    return setup;
}

Result<void> check_adapters(const std::optional<std::vector<AdapterUse>>& uses, std::size_t num_adapters) {
    if (!uses)
        return {};
    std::vector<bool> seen(num_adapters, false);
    for (const AdapterUse& use : *uses) {
        const auto id = static_cast<std::size_t>(use.id);
        if (use.id < 0 || id >= num_adapters)
            return fail(ErrorCode::invalid_argument,
                fmt::format("lora: adapter {} is not loaded; there are {}", use.id, num_adapters),
                num_adapters == 0 ? "Load the model with --lora FILE." : "Use an id that /lora-adapters lists.");
        if (seen[id])
            return fail(ErrorCode::invalid_argument, fmt::format("lora: adapter {} stands twice", use.id),
                "Name each adapter once.");
        if (!std::isfinite(use.weight))
            return fail(ErrorCode::invalid_argument,
                fmt::format("lora: the scale of adapter {} is no finite number", use.id),
                "Use 1 for the adapter as it is.");
        seen[id] = true;
    }
    return {};
}

AdapterChoice choose_adapters(
    const std::optional<std::vector<AdapterUse>>& uses, const std::vector<LoadedAdapter>& adapters) {
    AdapterChoice choice;
    std::vector<float> weights(adapters.size(), 0);
    if (uses)
        for (const AdapterUse& use : *uses)
            weights[static_cast<std::size_t>(use.id)] = use.weight;
    else
        for (std::size_t i = 0; i < adapters.size(); ++i)
            weights[i] = adapters[i].weight;
    std::vector<std::uint64_t> used; // generation and weight of each
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0)
            continue;
        used.push_back(adapters[i].generation);
        used.push_back(std::bit_cast<std::uint32_t>(weights[i]));
    }
    if (used.empty())
        return choice;
    const bool plain = used.size() == 2 && used.back() == std::bit_cast<std::uint32_t>(1.0F);
    constexpr std::uint64_t kMixture = std::uint64_t{1} << 63;
    choice.key = plain ? used.front() : XXH3_64bits(used.data(), used.size() * sizeof used[0]) | kMixture;
    choice.weights = std::move(weights);
    return choice;
}

} // namespace vitrine::engine
