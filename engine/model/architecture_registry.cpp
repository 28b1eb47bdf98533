// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: architecture list and program construction.
#include "engine/model/architecture_registry.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/quant/row_quantizer.h"

namespace vitrine::engine {
namespace {

using kernels::RopeStyle;

// One line an architecture.
constexpr std::array kArchitectures{
    Architecture{"llama", RopeStyle::interleaved, build_llama},
    Architecture{"qwen2", RopeStyle::neox, build_qwen2},
    Architecture{"qwen3", RopeStyle::neox, build_qwen3},
    Architecture{"gemma3", RopeStyle::neox, build_gemma3},
};

Result<std::optional<kernels::WeightFormat>> target_format(const std::string& name) {
    if (name.empty())
        return std::optional<kernels::WeightFormat>{};
    const auto format = kernels::format_from_name(name);
    if (!format || !can_quantize_to(*format))
        return fail(ErrorCode::unsupported, fmt::format("weights cannot be re-quantized to \"{}\" while loading", name),
            "Use f32, f16, bf16, q8_0, q4_0, q4_1, q5_0, q5_1, q4_k, q5_k, q6_k or iq4_nl.");
    return format;
}

} // namespace

std::span<const Architecture> architectures() noexcept {
    return kArchitectures;
}

Result<const Architecture*> find_architecture(std::string_view name) {
    std::string known;
    for (const Architecture& architecture : kArchitectures) {
        if (architecture.name == name)
            return &architecture;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", architecture.name);
    }
    return fail(ErrorCode::unsupported, fmt::format("architecture \"{}\" is not one this build can run", name),
        fmt::format("Choose a model of one of these: {}.", known));
}

Result<kernels::Program> build_program(
    const gguf::File& file, const ModelConfig& config, const ProgramOptions& options) {
    auto architecture = find_architecture(config.architecture);
    if (!architecture)
        return tl::unexpected(architecture.error());
    if (config.num_experts > 0)
        return fail(ErrorCode::unsupported, fmt::format("{}: a mixture of {} experts", file.path(), config.num_experts),
            "This build runs dense models only.");
    auto target = target_format(options.quantize);
    if (!target)
        return tl::unexpected(target.error());
    const int context = options.context > 0 ? options.context : config.context_length;
    auto factors = rope_factors(file, config, context);
    if (!factors)
        return tl::unexpected(factors.error());
    ProgramBuilder builder(
        file, config, BuilderOptions{(*architecture)->rope_style, *std::move(factors), *target, std::max(context, 1)});
    (*architecture)->build(builder, config);
    return builder.finish();
}

} // namespace vitrine::engine
