// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/ref_floor_ops.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace vitrine::kernels {
namespace {

struct Rotation {
    double cos;
    double sin;
};

std::vector<Rotation> rotations_at(std::int32_t position, const RopeSpec& rope) {
    std::vector<Rotation> rotations;
    for (const double frequency : rope.inv_freq) {
        const double angle = position * frequency;
        rotations.push_back({std::cos(angle) * rope.attention_factor, std::sin(angle) * rope.attention_factor});
    }
    return rotations;
}

void rotate_head(std::span<double> head, const std::vector<Rotation>& rotations, const RopeSpec& rope) {
    const auto half = static_cast<std::size_t>(rope.rotary_dim / 2);
    const bool neox = rope.style == RopeStyle::neox;
    for (std::size_t i = 0; i < half; ++i) {
        double& first = head[neox ? i : 2 * i];
        double& second = head[neox ? i + half : 2 * i + 1];
        const double a = first;
        const double b = second;
        first = a * rotations[i].cos - b * rotations[i].sin;
        second = a * rotations[i].sin + b * rotations[i].cos;
    }
}

} // namespace

void rms_norm(std::span<double> values, std::span<const float> gain, float eps) {
    const std::size_t dim = gain.size();
    for (std::size_t start = 0; start + dim <= values.size(); start += dim) {
        const std::span<double> row = values.subspan(start, dim);
        double squares = 0;
        for (const double value : row)
            squares += value * value;
        const double inverse = 1 / std::sqrt(squares / static_cast<double>(dim) + static_cast<double>(eps));
        for (std::size_t i = 0; i < dim; ++i)
            row[i] *= inverse * static_cast<double>(gain[i]);
    }
}

void layer_norm(std::span<double> values, std::span<const float> gain, std::span<const float> bias, float eps) {
    const std::size_t dim = gain.size();
    for (std::size_t start = 0; start + dim <= values.size(); start += dim) {
        const std::span<double> row = values.subspan(start, dim);
        double mean = 0;
        for (const double value : row)
            mean += value / static_cast<double>(dim);
        double variance = 0;
        for (const double value : row)
            variance += (value - mean) * (value - mean) / static_cast<double>(dim);
        const double inverse = 1 / std::sqrt(variance + static_cast<double>(eps));
        for (std::size_t i = 0; i < dim; ++i)
            row[i] = (row[i] - mean) * inverse * static_cast<double>(gain[i]) +
                (bias.empty() ? 0 : static_cast<double>(bias[i]));
    }
}

void rotate(std::span<double> values, std::span<const std::int32_t> positions, int num_heads, int head_dim,
    const RopeSpec& rope) {
    const auto dim = static_cast<std::size_t>(head_dim);
    const auto heads = static_cast<std::size_t>(num_heads);
    for (std::size_t row = 0; row < positions.size(); ++row) {
        const std::vector<Rotation> rotations = rotations_at(positions[row], rope);
        for (std::size_t head = 0; head < heads; ++head)
            rotate_head(values.subspan((row * heads + head) * dim, dim), rotations, rope);
    }
}

double gated(GateKind kind, double gate, double up) {
    switch (kind) {
    case GateKind::silu:
        return gate / (1 + std::exp(-gate)) * up;
    case GateKind::gelu_tanh: { // The tanh form of GELU (Hendrycks and Gimpel, 2016).
        const double inner = std::sqrt(2 / std::numbers::pi) * (gate + 0.044715 * gate * gate * gate);
        return 0.5 * gate * (1 + std::tanh(inner)) * up;
    }
    case GateKind::gelu:
        return 0.5 * gate * (1 + std::erf(gate / std::numbers::sqrt2)) * up;
    case GateKind::swiglu_clamped: { // gpt-oss (OpenAI, 2025)
        const double capped = std::min(gate, 7.0);
        return capped / (1 + std::exp(-1.702 * capped)) * (std::clamp(up, -7.0, 7.0) + 1);
    }
    }
    return 0;
}

double soft_capped(double x, float cap) {
    return cap == 0 ? x : static_cast<double>(cap) * std::tanh(x / static_cast<double>(cap));
}

} // namespace vitrine::kernels
