// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: preset table.
#include "engine/model/shape_presets.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/base/check.h"
#include "engine/base/nearest_name.h"
#include "engine/model/model_inspection.h"
#include "engine/model/synthetic_model.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

// From each model's published config.json.
constexpr std::array kPresets{
    ShapePreset{"smollm2-135m", "llama", 30, 9, 3, 64, 576, 1536, 49152, 8192, 100000, true, 0},
    ShapePreset{"smollm2-1.7b", "llama", 24, 32, 32, 64, 2048, 8192, 49152, 8192, 130000, true, 0},
    ShapePreset{"llama-3.2-1b", "llama", 16, 32, 8, 64, 2048, 8192, 128256, 131072, 500000, true, 0},
    ShapePreset{"llama-3.2-3b", "llama", 28, 24, 8, 128, 3072, 8192, 128256, 131072, 500000, true, 0},
    ShapePreset{"llama-3.1-8b", "llama", 32, 32, 8, 128, 4096, 14336, 128256, 131072, 500000, false, 0},
    ShapePreset{"llama-3.1-70b", "llama", 80, 64, 8, 128, 8192, 28672, 128256, 131072, 500000, false, 0},
    ShapePreset{"mistral-7b-v0.3", "llama", 32, 32, 8, 128, 4096, 14336, 32768, 32768, 1000000, false, 0},
    ShapePreset{"qwen2.5-7b", "qwen2", 28, 28, 4, 128, 3584, 18944, 152064, 32768, 1000000, false, 0},
    ShapePreset{"qwen3-0.6b", "qwen3", 28, 16, 8, 128, 1024, 3072, 151936, 40960, 1000000, true, 0},
    ShapePreset{"qwen3-8b", "qwen3", 36, 32, 8, 128, 4096, 12288, 151936, 40960, 1000000, false, 0},
    ShapePreset{"qwen3-30b-a3b", "qwen3moe", 48, 32, 4, 128, 2048, 768, 151936, 40960, 1000000, false, 128, 8},
    ShapePreset{"mixtral-8x7b", "llama", 32, 32, 8, 128, 4096, 14336, 32000, 32768, 1000000, false, 8, 2},
    ShapePreset{"gpt-oss-20b", "gpt-oss", 24, 64, 8, 64, 2880, 2880, 201088, 131072, 150000, false, 32, 4},
    ShapePreset{"gemma-3-270m", "gemma3", 18, 4, 1, 256, 640, 2048, 262144, 32768, 1000000, true, 0},
    ShapePreset{"gemma-3-4b", "gemma3", 34, 8, 4, 256, 2560, 10240, 262208, 131072, 1000000, true, 0},
};

} // namespace

std::span<const ShapePreset> shape_presets() noexcept {
    return kPresets;
}

Result<ShapePreset> find_shape_preset(std::string_view name) {
    std::vector<std::string_view> known;
    for (const ShapePreset& preset : kPresets) {
        if (preset.name == name)
            return preset;
        known.push_back(preset.name);
    }
    return fail(ErrorCode::not_found, fmt::format("there is no built-in shape \"{}\"", name),
        english(known_names(name, known)));
}

ModelInfo describe_preset(const ShapePreset& preset) {
    const auto mix = quant_mix_from_name("bf16");
    VT_CHECK(mix);
    ModelInfo info = inspect_shapes(*shapes_of_preset(preset, *mix));
    info.name = preset.name;
    return info;
}

} // namespace vitrine::engine
