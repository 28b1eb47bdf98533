// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: architecture list and program construction.
#include "engine/model/architecture_registry.h"

#include <algorithm>
#include <array>

#include "engine/base/nearest_name.h"
#include "engine/quant/row_quantizer.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using kernels::RopeStyle;

// One line an architecture.
constexpr std::array kArchitectures{
    Architecture{"llama", RopeStyle::interleaved, build_llama},
    Architecture{"qwen2", RopeStyle::neox, build_llama},
    Architecture{"qwen2moe", RopeStyle::neox, build_qwen2moe},
    Architecture{"qwen3", RopeStyle::neox, build_llama},
    Architecture{"qwen3moe", RopeStyle::neox, build_llama},
    Architecture{"gemma", RopeStyle::neox, build_gemma},
    Architecture{"gemma2", RopeStyle::neox, build_gemma2},
    Architecture{"gemma3", RopeStyle::neox, build_gemma3},
    Architecture{"phi2", RopeStyle::neox, build_phi2},
    Architecture{"phi3", RopeStyle::neox, build_phi3},
    Architecture{"granite", RopeStyle::interleaved, build_granite},
    Architecture{"granitemoe", RopeStyle::interleaved, build_granite},
    Architecture{"olmo2", RopeStyle::neox, build_olmo2},
    Architecture{"smollm3", RopeStyle::interleaved, build_smollm3},
    Architecture{"glm4", RopeStyle::interleaved, build_glm4},
    Architecture{"gpt-oss", RopeStyle::neox, build_gpt_oss},
    Architecture{"deepseek2", RopeStyle::interleaved, build_deepseek2},
    Architecture{"starcoder2", RopeStyle::neox, build_starcoder2},
    Architecture{"exaone", RopeStyle::neox, build_llama},
    Architecture{"exaone4", RopeStyle::neox, build_exaone4},
    Architecture{"bert", RopeStyle::neox, build_bert},
    Architecture{"nomic-bert", RopeStyle::neox, build_nomic_bert},
};

Result<std::optional<kernels::WeightFormat>> target_format(const std::string& name) {
    if (name.empty())
        return std::optional<kernels::WeightFormat>{};
    const auto format = kernels::format_from_name(name);
    if (!format || !can_quantize_to(*format))
        return fail(
            ErrorCode::unsupported, say(Sentence::requantization_unknown, name), say(Sentence::types_while_loading));
    return format;
}

} // namespace

std::span<const Architecture> architectures() noexcept {
    return kArchitectures;
}

Result<const Architecture*> find_architecture(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Architecture& architecture : kArchitectures) {
        if (architecture.name == name)
            return &architecture;
        known.push_back(architecture.name);
    }
    if (name == "clip")
        return fail(ErrorCode::unsupported, say(Sentence::projector_file), say(Sentence::choose_models_own_file));
    return fail(ErrorCode::unsupported, say(Sentence::architecture_unknown, name), known_names(name, known));
}

Result<kernels::Program> build_program(
    const gguf::File& file, const ModelConfig& config, const ProgramOptions& options) {
    auto architecture = find_architecture(config.architecture);
    if (!architecture)
        return tl::unexpected(architecture.error());
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
