// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: rope frequencies.
#include "engine/model/rope_scaling.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

/// Dimension pair whose wavelength makes `rotations` turns in the original context (YaRN, eq. 21 solved for the index).
double pair_of_rotations(double rotations, const RopeConfig& rope, int original) {
    return rope.rotary_dim * std::log(original / (rotations * 2 * std::numbers::pi)) / (2 * std::log(rope.base));
}

void apply_yarn(const RopeConfig& rope, int original, kernels::RopeSpec& spec) {
    const double last = rope.rotary_dim - 1;
    const double first_slow = pair_of_rotations(rope.beta_fast, rope, original);
    const double all_slow = pair_of_rotations(rope.beta_slow, rope, original);
    const double low = std::clamp(rope.truncates ? std::floor(first_slow) : first_slow, 0.0, last);
    const double high = std::clamp(rope.truncates ? std::ceil(all_slow) : all_slow, 0.0, last);
    const double width = std::max(high - low, 0.001);
    for (std::size_t i = 0; i < spec.inv_freq.size(); ++i) {
        // 1: a fast pair, kept as trained; 0: a slow pair, interpolated.
        const double kept = 1 - std::clamp((static_cast<double>(i) - low) / width, 0.0, 1.0);
        spec.inv_freq[i] *= kept + (1 - kept) / rope.factor;
    }
    if (rope.factor > 1)
        spec.attention_factor = 0.1 * std::log(rope.factor) + 1;
}

double longrope_attention_factor(int context_length, int original) {
    const double scale = static_cast<double>(context_length) / original;
    return scale <= 1 ? 1 : std::sqrt(1 + std::log(scale) / std::log(static_cast<double>(original)));
}

} // namespace

kernels::RopeSpec make_rope(
    const RopeConfig& rope, kernels::RopeStyle style, std::span<const float> factors, int context_length) {
    kernels::RopeSpec spec{style, rope.rotary_dim, {}, 1};
    const int original = rope.original_context > 0 ? rope.original_context : context_length;
    for (int i = 0; i < rope.rotary_dim / 2; ++i)
        spec.inv_freq.push_back(std::pow(rope.base, -2.0 * i / rope.rotary_dim));
    if (rope.scaling == RopeScaling::linear)
        for (double& freq : spec.inv_freq)
            freq /= rope.factor;
    if (rope.scaling == RopeScaling::yarn)
        apply_yarn(rope, original, spec);
    if (rope.scaling == RopeScaling::longrope)
        spec.attention_factor = longrope_attention_factor(context_length, original);
    for (std::size_t i = 0; i < factors.size() && i < spec.inv_freq.size(); ++i)
        spec.inv_freq[i] /= static_cast<double>(factors[i]);
    // GGUF: the file's factor multiplies YaRN's own and replaces LongRoPE's.
    if (rope.attention_factor > 0)
        spec.attention_factor =
            rope.scaling == RopeScaling::yarn ? spec.attention_factor * rope.attention_factor : rope.attention_factor;
    return spec;
}

Result<std::vector<float>> rope_factors(const gguf::File& file, const ModelConfig& config, int context) {
    const gguf::Tensor* tensor = file.find_tensor("rope_freqs.weight");
    if (!tensor) {
        const int original = config.rope.original_context > 0 ? config.rope.original_context : config.context_length;
        tensor = file.find_tensor(context > original ? "rope_factors_long.weight" : "rope_factors_short.weight");
    }
    if (!tensor)
        return std::vector<float>{};
    const auto needed = static_cast<std::size_t>(config.rope.rotary_dim / 2);
    if (tensor->format != kernels::WeightFormat::f32 || tensor->bytes.size() != needed * sizeof(float))
        return fail(ErrorCode::bad_file,
            say(Sentence::factors_of_wrong_type, file.path(), tensor->name, tensor->bytes.size(), tensor->type, needed),
            say(Sentence::fetch_damaged_again));
    std::vector<float> factors(needed);
    std::memcpy(factors.data(), tensor->bytes.data(), tensor->bytes.size());
    if (std::any_of(factors.begin(), factors.end(), [](float f) { return !(f > 0) || !std::isfinite(f); }))
        return fail(ErrorCode::bad_file, say(Sentence::factor_not_positive, file.path(), tensor->name),
            say(Sentence::fetch_damaged_again));
    return factors;
}

} // namespace vitrine::engine
