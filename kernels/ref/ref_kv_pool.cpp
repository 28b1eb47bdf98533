// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/ref_kv_pool.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>

#include "kernels/ref/kv_codec.h"

namespace vitrine::kernels {
namespace {

constexpr std::array<KvPart, 2> kParts{KvPart::keys, KvPart::values};

std::size_t head_index(const KvLayer& shape, KvPart part, int head) {
    return static_cast<std::size_t>(part) * static_cast<std::size_t>(shape.num_kv_heads) +
        static_cast<std::size_t>(head);
}

float largest_magnitude(const double* row, int count) {
    double largest = 0;
    for (int i = 0; i < count; ++i)
        largest = std::max(largest, std::abs(row[i]));
    return static_cast<float>(largest);
}

} // namespace

RefKvPool::RefKvPool(const KvSpec& spec, int num_blocks, bool exact)
    : spec_(spec), num_blocks_(num_blocks), exact_(exact) {
    const std::vector<int> planes = kv_planes(spec);
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const KvLayer& shape = spec.layers[i];
        const auto heads = static_cast<std::size_t>(2 * shape.num_kv_heads);
        Layer layer{shape, static_cast<std::size_t>(planes[i]), {}, false};
        if (has_head_scales(spec.type))
            layer.head_scales.assign(heads, 0);
        layers_.push_back(std::move(layer));
        if (layers_.back().plane < planes_.size())
            continue;
        const std::size_t tokens =
            static_cast<std::size_t>(num_blocks) * heads * static_cast<std::size_t>(spec.block_tokens);
        const std::size_t elements = tokens * static_cast<std::size_t>(shape.head_dim);
        Plane plane;
        if (exact)
            plane.exact.assign(elements, 0);
        else
            plane.codes.assign(elements, 0);
        if (spec.type == KvType::int8)
            plane.token_scales.assign(tokens, 0);
        planes_.push_back(std::move(plane));
    }
}

KvGeometry RefKvPool::geometry() const noexcept {
    return {num_blocks_, spec_.block_tokens, kv_bytes_per_block(spec_), kv_num_groups(spec_)};
}

Result<void> RefKvPool::copy_blocks(std::span<const BlockCopy> copies) {
    const auto inside = [this](std::int32_t block) { return block >= 0 && block < num_blocks_; };
    for (const BlockCopy& copy : copies) {
        if (!inside(copy.source) || !inside(copy.target))
            return fail(ErrorCode::invalid_argument,
                "KV block copy " + std::to_string(copy.source) + " -> " + std::to_string(copy.target) +
                    ": the pool has " + std::to_string(num_blocks_) + " blocks.");
        const auto copy_slice = [&](auto& values) {
            const std::size_t size = values.size() / static_cast<std::size_t>(num_blocks_);
            std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(size) * copy.source, size,
                values.begin() + static_cast<std::ptrdiff_t>(size) * copy.target);
        };
        for (Plane& plane : planes_) {
            copy_slice(plane.codes);
            copy_slice(plane.exact);
            copy_slice(plane.token_scales);
        }
    }
    return {};
}

Result<std::vector<float>> RefKvPool::read_block(LayerId layer, std::int32_t block) const {
    if (layer.value < 0 || static_cast<std::size_t>(layer.value) >= layers_.size() || block < 0 || block >= num_blocks_)
        return fail(ErrorCode::invalid_argument,
            "KV block " + std::to_string(block) + " of layer " + std::to_string(layer.value) + " does not exist.");
    const KvLayer& shape = layers_[static_cast<std::size_t>(layer.value)].shape;
    std::vector<float> values;
    std::vector<double> row(static_cast<std::size_t>(shape.head_dim));
    for (const KvPart part : kParts) {
        for (int head = 0; head < shape.num_kv_heads; ++head) {
            for (int offset = 0; offset < spec_.block_tokens; ++offset) {
                read(layer, part, head, block, offset, row.data());
                std::transform(row.begin(), row.end(), std::back_inserter(values),
                    [](double value) { return static_cast<float>(value); });
            }
        }
    }
    return values;
}

std::size_t RefKvPool::token_index(
    const Layer& layer, KvPart part, int head, std::int32_t block, int offset) const noexcept {
    const auto heads = static_cast<std::size_t>(2 * layer.shape.num_kv_heads);
    return (static_cast<std::size_t>(block) * heads + head_index(layer.shape, part, head)) *
        static_cast<std::size_t>(spec_.block_tokens) +
        static_cast<std::size_t>(offset);
}

float RefKvPool::scale_of(const Layer& layer, KvPart part, int head, std::size_t token) const noexcept {
    if (spec_.type == KvType::int8)
        return planes_[layer.plane].token_scales[token];
    return has_head_scales(spec_.type) ? layer.head_scales[head_index(layer.shape, part, head)] : 1;
}

void RefKvPool::read(LayerId layer, KvPart part, int head, std::int32_t block, int offset, double* out) const {
    const Layer& stored = layers_[static_cast<std::size_t>(layer.value)];
    const std::size_t token = token_index(stored, part, head, block, offset);
    const auto dim = static_cast<std::size_t>(stored.shape.head_dim);
    const Plane& plane = planes_[stored.plane];
    if (exact_) {
        std::copy_n(plane.exact.data() + token * dim, dim, out);
        return;
    }
    const float scale = scale_of(stored, part, head, token);
    for (std::size_t i = 0; i < dim; ++i)
        out[i] = static_cast<double>(kv_decode(spec_.type, plane.codes[token * dim + i], scale));
    if (rotates_heads(spec_.type))
        rotate_head(out, stored.shape.head_dim);
}

void RefKvPool::calibrate(Layer& layer, std::span<const std::int32_t> slots, std::span<const double> keys,
    std::span<const double> values) const {
    const int heads = layer.shape.num_kv_heads;
    const int dim = layer.shape.head_dim;
    for (const KvPart part : kParts) {
        const std::span<const double> source = part == KvPart::keys ? keys : values;
        for (int head = 0; head < heads; ++head) {
            float largest = 0;
            for (std::size_t row = 0; row < slots.size(); ++row) {
                if (slots[row] < spec_.block_tokens)
                    continue; // padding
                const std::size_t start = (row * static_cast<std::size_t>(heads) + static_cast<std::size_t>(head)) *
                    static_cast<std::size_t>(dim);
                largest = std::max(largest, largest_magnitude(source.data() + start, dim));
                layer.calibrated = true;
            }
            layer.head_scales[head_index(layer.shape, part, head)] = kv_scale(spec_.type, largest);
        }
    }
}

void RefKvPool::write_row(Layer& layer, KvPart part, int head, std::int32_t slot, const double* row) {
    const int dim = layer.shape.head_dim;
    const std::size_t token = token_index(layer, part, head, slot / spec_.block_tokens, slot % spec_.block_tokens);
    Plane& plane = planes_[layer.plane];
    if (exact_) {
        std::copy_n(row, dim, plane.exact.data() + token * static_cast<std::size_t>(dim));
        return;
    }
    if (spec_.type == KvType::int8)
        plane.token_scales[token] = kv_scale(spec_.type, largest_magnitude(row, dim));
    const float scale = scale_of(layer, part, head, token);
    std::uint16_t* codes = plane.codes.data() + token * static_cast<std::size_t>(dim);
    for (int i = 0; i < dim; ++i)
        codes[i] = kv_encode(spec_.type, static_cast<float>(row[i]), scale);
}

void RefKvPool::write(
    LayerId layer, std::span<const std::int32_t> slots, std::span<const double> keys, std::span<const double> values) {
    Layer& target = layers_[static_cast<std::size_t>(layer.value)];
    std::array<std::vector<double>, 2> rotated;
    if (rotates_heads(spec_.type) && !exact_) {
        rotated = {std::vector(keys.begin(), keys.end()), std::vector(values.begin(), values.end())};
        for (std::vector<double>& part : rotated)
            for (std::size_t i = 0; i < part.size(); i += static_cast<std::size_t>(target.shape.head_dim))
                rotate_head(part.data() + i, target.shape.head_dim);
        keys = rotated[0];
        values = rotated[1];
    }
    if (has_head_scales(spec_.type) && !target.calibrated)
        calibrate(target, slots, keys, values);
    const auto heads = static_cast<std::size_t>(target.shape.num_kv_heads);
    const auto dim = static_cast<std::size_t>(target.shape.head_dim);
    for (std::size_t row = 0; row < slots.size(); ++row) {
        for (std::size_t head = 0; head < heads; ++head) {
            const std::size_t start = (row * heads + head) * dim;
            write_row(target, KvPart::keys, static_cast<int>(head), slots[row], keys.data() + start);
            write_row(target, KvPart::values, static_cast<int>(head), slots[row], values.data() + start);
        }
    }
}

} // namespace vitrine::kernels
