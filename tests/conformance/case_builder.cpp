// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/case_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vitrine::testing {
namespace {

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

void make_int8_exact(std::vector<float>& row, Random& random) {
    for (std::size_t start = 0; start < row.size(); start += 32) {
        const std::size_t end = std::min(start + 32, row.size());
        const float step = std::ldexp(1.0F, -static_cast<int>(random() % 4) - 6);
        for (std::size_t i = start; i < end; ++i)
            row[i] = static_cast<float>(static_cast<int>(random() % 255) - 127) * step;
        row[start + random() % (end - start)] = 127 * step;
    }
}

std::vector<float> input_row(Inputs kind, std::int64_t dim, Random& random) {
    std::vector<float> row(static_cast<std::size_t>(dim));
    std::normal_distribution<float> normal(0, 1);
    for (float& value : row)
        value = normal(random);
    if (kind == Inputs::int8_exact)
        make_int8_exact(row, random);
    if (kind == Inputs::outlier)
        row[row.size() / 3] *= 50;
    if (kind == Inputs::all_equal)
        std::fill(row.begin(), row.end(), row[0] + 2);
    return row;
}

} // namespace

WeightGroupId CaseBuilder::add(WeightGroupSpec spec, std::vector<std::vector<std::byte>> bytes) {
    case_.program.weights.push_back(std::move(spec));
    case_.bytes.push_back(std::move(bytes));
    return {static_cast<std::int32_t>(case_.bytes.size()) - 1};
}

ActivationId CaseBuilder::activation(std::string name, std::int64_t dim) {
    case_.program.activations.push_back({std::move(name), dim});
    return {static_cast<std::int32_t>(case_.program.activations.size()) - 1};
}

WeightGroupId CaseBuilder::matrices(WeightRole role, const std::vector<WeightFormat>& formats,
    const std::vector<std::int64_t>& out_dims, std::int64_t in_dim) {
    WeightGroupSpec spec{role, {}};
    std::vector<std::vector<std::byte>> bytes;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        spec.members.push_back(
            {"w" + std::to_string(case_.bytes.size()) + "." + std::to_string(i), out_dims[i], in_dim, formats[i]});
        bytes.push_back(random_weights(formats[i], out_dims[i], in_dim, random_));
    }
    return add(std::move(spec), std::move(bytes));
}

WeightGroupId CaseBuilder::matrix(WeightRole role, WeightFormat format, std::int64_t out_dim, std::int64_t in_dim) {
    return matrices(role, {format}, {out_dim}, in_dim);
}

WeightGroupId CaseBuilder::table(
    WeightRole role, std::int64_t num_rows, std::int64_t dim, const std::vector<float>& values) {
    const std::string name = "t" + std::to_string(case_.bytes.size());
    return add({role, {{name, num_rows, dim, WeightFormat::f32}}}, {bytes_of(values)});
}

WeightGroupId CaseBuilder::vector(std::int64_t dim, float mean, float spread) {
    std::normal_distribution<float> normal(mean, spread);
    std::vector<float> values(static_cast<std::size_t>(dim));
    for (float& value : values)
        value = normal(random_);
    return table(WeightRole::vector, 1, dim, values);
}

RopeId CaseBuilder::rope(RopeStyle style, int rotary_dim) {
    RopeSpec spec{style, rotary_dim, {}, 1};
    for (int i = 0; i < rotary_dim / 2; ++i)
        spec.inv_freq.push_back(std::pow(10000.0, -2.0 * i / rotary_dim));
    case_.program.ropes.push_back(std::move(spec));
    return {static_cast<std::int32_t>(case_.program.ropes.size()) - 1};
}

LayerId CaseBuilder::layer(int num_kv_heads, int head_dim, int group) {
    case_.program.kv_layers.push_back({num_kv_heads, head_dim, group});
    return {static_cast<std::int32_t>(case_.program.kv_layers.size()) - 1};
}

ActivationId CaseBuilder::input(Inputs kind, std::int64_t num_rows, std::int64_t dim) {
    std::vector<float> values;
    for (std::int64_t row = 0; row < num_rows; ++row) {
        const std::vector<float> one = input_row(kind, dim, random_);
        values.insert(values.end(), one.begin(), one.end());
    }
    const WeightGroupId embedding = table(WeightRole::embedding, num_rows, dim, values);
    const ActivationId output = activation("input", dim);
    op(GatherOp{embedding, output, 1, {}});
    return output;
}

void CaseBuilder::end_with(
    ActivationId input, WeightGroupId weights, std::int64_t vocab, bool norm, float scale, float softcap) {
    const ActivationId logits = activation("logits", vocab);
    LinearOp linear{input, NoPrologue{}, weights, LogitsEpilogue{logits, scale, softcap}, RowSet::needs_logits};
    if (norm)
        linear.prologue = this->norm(case_.program.activations[static_cast<std::size_t>(input.value)].dim);
    op(linear);
    op(SamplingOp{logits});
    case_.program.vocab_size = vocab;
    case_.program.max_positions = 1024;
}

void CaseBuilder::observe(ActivationId watched) {
    const std::int64_t dim = case_.program.activations[static_cast<std::size_t>(watched.value)].dim;
    std::vector<float> unit(static_cast<std::size_t>(dim * dim), 0.0F);
    for (std::int64_t i = 0; i < dim; ++i)
        unit[static_cast<std::size_t>(i * dim + i)] = 1;
    end_with(watched, table(WeightRole::head, dim, dim, unit), dim, false, 1, 0);
}

void CaseBuilder::head(
    ActivationId input, WeightFormat format, std::int64_t vocab, bool norm, float scale, float softcap) {
    const std::int64_t dim = case_.program.activations[static_cast<std::size_t>(input.value)].dim;
    end_with(input, matrix(WeightRole::head, format, vocab, dim), vocab, norm, scale, softcap);
}

} // namespace vitrine::testing
