// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/checkpoint_packing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "kernels/ref/half.h"

namespace vitrine::engine {
namespace {

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::vector<std::byte> text_bytes(const std::string& text) {
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

std::vector<std::byte> half_bytes(const std::vector<float>& values) {
    std::vector<std::uint16_t> halves;
    for (const float value : values)
        halves.push_back(kernels::f32_to_f16(value));
    return bytes_of(halves);
}

std::int64_t parts_of(std::int64_t size, std::int64_t part) noexcept {
    return (size + part - 1) / part;
}

/// 32-bit words of one tensor, filled code by code.
struct Words {
    explicit Words(std::int64_t count) : words(static_cast<std::size_t>(count)) {}
    void put(std::int64_t word, int position, int bits, std::uint32_t code) {
        words[static_cast<std::size_t>(word)] |= code << (position * bits);
    }
    std::vector<std::uint32_t> words;
};

std::uint32_t code_at(const GroupCodes& codes, std::int64_t o, std::int64_t k) {
    return codes.codes[static_cast<std::size_t>(o * codes.in_dim + k)];
}

std::uint32_t zero_at(const GroupCodes& codes, std::int64_t group, std::int64_t o) {
    return codes.zeros[static_cast<std::size_t>(group * codes.out_dim + o)];
}

// The quantiles of a normal distribution that QLoRA's authors publish (Dettmers et al. 2023, appendix E).
constexpr std::array<float, 16> kNf4{-1.0F, -0.6961928009986877F, -0.5250730514526367F, -0.39491748809814453F,
    -0.28444138169288635F, -0.18477343022823334F, -0.09105003625154495F, 0.0F, 0.07958029955625534F,
    0.16093020141124725F, 0.24611230194568634F, 0.33791524171829224F, 0.44070982933044434F, 0.5626170039176941F,
    0.7229568362236023F, 1.0F};
constexpr std::int64_t kNf4Block = 64;
constexpr std::int64_t kNestedBlock = 256;
constexpr std::int64_t kStateBytes = 256; // of the JSON that describes NF4 data, filled up with spaces
constexpr std::int64_t kFp8Block = 128;

/// bitsandbytes' 8-bit map: a sign, a run of zeros as exponent of ten, the rest a linear fraction (Dettmers 2015,
/// arXiv:1511.04561); rising.
std::vector<float> dynamic_map() {
    constexpr int kExponents = 7;
    std::vector<float> values{0, 1};
    for (int exponent = 0; exponent < kExponents; ++exponent) {
        const int parts = 1 << exponent; // fractions: the middles of `parts` equal pieces of 0.1 .. 1
        for (int part = 0; part < parts; ++part) {
            const double middle = 0.1 + 0.9 * (part + 0.5) / parts;
            const auto value = static_cast<float>(std::pow(10.0, exponent - kExponents + 1) * middle);
            values.push_back(value);
            values.push_back(-value);
        }
    }
    std::sort(values.begin(), values.end());
    return values;
}

/// Index of the nearest of rising values.
std::size_t nearest(std::span<const float> values, float x) {
    const auto above = static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), x) - values.begin());
    if (above == 0)
        return 0;
    if (above == values.size() || x - values[above - 1] <= values[above] - x)
        return above - 1;
    return above;
}

float largest_of(const float* x, std::int64_t count) {
    float largest = 0;
    for (std::int64_t i = 0; i < count; ++i)
        largest = std::max(largest, std::abs(x[i]));
    return largest;
}

/// Scales of blocks in eight bits.
struct NestedScales {
    std::vector<std::uint8_t> codes;
    std::vector<float> nested; // largest magnitude of each 256
    std::vector<float> restored; // what a reader will get
    float offset = 0;
};

NestedScales nest(const std::vector<float>& scales, const std::vector<float>& map) {
    NestedScales result;
    double sum = 0;
    for (const float scale : scales)
        sum += static_cast<double>(scale);
    result.offset = static_cast<float>(sum / static_cast<double>(scales.size()));
    for (std::size_t first = 0; first < scales.size(); first += kNestedBlock) {
        const std::size_t last = std::min(scales.size(), first + kNestedBlock);
        float largest = 0;
        for (std::size_t i = first; i < last; ++i)
            largest = std::max(largest, std::abs(scales[i] - result.offset));
        result.nested.push_back(largest);
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t code = nearest(map, largest > 0 ? (scales[i] - result.offset) / largest : 0);
            result.codes.push_back(static_cast<std::uint8_t>(code));
            result.restored.push_back(map[code] * largest + result.offset);
        }
    }
    return result;
}

} // namespace

PackedParts gptq_parts(GroupRule rule, std::int64_t out_dim, std::int64_t in_dim) {
    const std::int64_t groups = parts_of(in_dim, rule.group_size), per_word = 32 / rule.bits;
    return {{"qweight", "I32", {in_dim / per_word, out_dim}, {}}, {"qzeros", "I32", {groups, out_dim / per_word}, {}},
        {"scales", "F16", {groups, out_dim}, {}}, {"g_idx", "I32", {in_dim}, {}}};
}

PackedParts awq_parts(GroupRule rule, std::int64_t out_dim, std::int64_t in_dim) {
    const std::int64_t groups = parts_of(in_dim, rule.group_size);
    return {{"qweight", "I32", {in_dim, out_dim / 8}, {}}, {"qzeros", "I32", {groups, out_dim / 8}, {}},
        {"scales", "F16", {groups, out_dim}, {}}};
}

PackedParts int8_parts(std::int64_t out_dim, std::int64_t in_dim) {
    return {{"weight", "I8", {out_dim, in_dim}, {}}, {"SCB", "F32", {out_dim}, {}}, {"weight_format", "U8", {}, {}}};
}

PackedParts nf4_parts(std::int64_t out_dim, std::int64_t in_dim) {
    const std::int64_t count = out_dim * in_dim, blocks = parts_of(count, kNf4Block);
    return {{"weight", "U8", {count / 2, 1}, {}}, {"weight.absmax", "U8", {blocks}, {}},
        {"weight.nested_absmax", "F32", {parts_of(blocks, kNestedBlock)}, {}},
        {"weight.nested_quant_map", "F32", {256}, {}}, {"weight.quant_map", "F32", {16}, {}},
        {"weight.quant_state.bitsandbytes__nf4", "U8", {kStateBytes}, {}}};
}

PackedParts fp8_parts(std::int64_t out_dim, std::int64_t in_dim) {
    return {{"weight", "F8_E4M3", {out_dim, in_dim}, {}},
        {"weight_scale_inv", "F32", {parts_of(out_dim, kFp8Block), parts_of(in_dim, kFp8Block)}, {}}};
}

PackedParts pack_gptq(const GroupCodes& codes) {
    const int bits = codes.rule.bits, per_word = 32 / bits;
    Words weights(codes.in_dim / per_word * codes.out_dim), zeros(codes.num_groups * (codes.out_dim / per_word));
    for (std::int64_t o = 0; o < codes.out_dim; ++o)
        for (std::int64_t k = 0; k < codes.in_dim; ++k)
            weights.put(k / per_word * codes.out_dim + o, static_cast<int>(k % per_word), bits, code_at(codes, o, k));
    for (std::int64_t group = 0; group < codes.num_groups; ++group)
        for (std::int64_t o = 0; o < codes.out_dim; ++o)
            zeros.put(group * (codes.out_dim / per_word) + o / per_word, static_cast<int>(o % per_word), bits,
                zero_at(codes, group, o) - 1);
    PackedParts parts = gptq_parts(codes.rule, codes.out_dim, codes.in_dim);
    parts[0].bytes = bytes_of(weights.words);
    parts[1].bytes = bytes_of(zeros.words);
    parts[2].bytes = half_bytes(codes.scales);
    parts[3].bytes = bytes_of(codes.group_of);
    return parts;
}

PackedParts pack_awq(const GroupCodes& codes) {
    constexpr std::array<int, 8> kPlaces{0, 4, 1, 5, 2, 6, 3, 7}; // of output i % 8 in its word
    const std::int64_t words = codes.out_dim / 8;
    Words weights(codes.in_dim * words), zeros(codes.num_groups * words);
    for (std::int64_t o = 0; o < codes.out_dim; ++o) {
        const int place = kPlaces[static_cast<std::size_t>(o % 8)];
        for (std::int64_t k = 0; k < codes.in_dim; ++k)
            weights.put(k * words + o / 8, place, 4, code_at(codes, o, k));
        for (std::int64_t group = 0; group < codes.num_groups; ++group)
            zeros.put(group * words + o / 8, place, 4, zero_at(codes, group, o));
    }
    PackedParts parts = awq_parts(codes.rule, codes.out_dim, codes.in_dim);
    parts[0].bytes = bytes_of(weights.words);
    parts[1].bytes = bytes_of(zeros.words);
    parts[2].bytes = half_bytes(codes.scales);
    return parts;
}

PackedParts pack_int8(const DenseMatrix& weights) {
    std::vector<std::int8_t> codes(weights.values.size());
    std::vector<float> scales;
    for (std::int64_t o = 0; o < weights.num_rows; ++o) {
        const float largest = largest_of(weights.row(o), weights.num_columns);
        scales.push_back(largest);
        for (std::int64_t k = 0; k < weights.num_columns; ++k)
            codes[static_cast<std::size_t>(o * weights.num_columns + k)] =
                static_cast<std::int8_t>(largest > 0 ? std::lround(weights.row(o)[k] * (127 / largest)) : 0);
    }
    PackedParts parts = int8_parts(weights.num_rows, weights.num_columns);
    parts[0].bytes = bytes_of(codes);
    parts[1].bytes = bytes_of(scales);
    parts[2].bytes = {std::byte{0}}; // rows, as they are
    return parts;
}

PackedParts pack_nf4(const DenseMatrix& weights) {
    const auto count = std::ssize(weights.values);
    const std::int64_t blocks = parts_of(count, kNf4Block);
    std::vector<float> scales;
    for (std::int64_t block = 0; block < blocks; ++block)
        scales.push_back(
            largest_of(weights.values.data() + block * kNf4Block, std::min(kNf4Block, count - block * kNf4Block)));
    const std::vector<float> map = dynamic_map();
    const NestedScales nested = nest(scales, map);
    std::vector<std::uint8_t> pairs(static_cast<std::size_t>(count / 2));
    for (std::int64_t i = 0; i < count; ++i) { // by the scale as it will be read; the high nibble comes first
        const float scale = nested.restored[static_cast<std::size_t>(i / kNf4Block)];
        const float x = scale > 0 ? weights.values[static_cast<std::size_t>(i)] / scale : 0;
        auto& pair = pairs[static_cast<std::size_t>(i / 2)];
        pair = static_cast<std::uint8_t>(pair | (nearest(kNf4, x) << (i % 2 == 0 ? 4 : 0)));
    }
    std::string state = fmt::format(
        R"({{"quant_type": "nf4", "blocksize": {}, "dtype": "float16", "shape": [{}, {}], "nested_blocksize": {}, )"
        R"("nested_dtype": "float32", "nested_offset": {}}})",
        kNf4Block, weights.num_rows, weights.num_columns, kNestedBlock, nested.offset);
    state.resize(static_cast<std::size_t>(kStateBytes), ' ');
    PackedParts parts = nf4_parts(weights.num_rows, weights.num_columns);
    parts[0].bytes = bytes_of(pairs);
    parts[1].bytes = bytes_of(nested.codes);
    parts[2].bytes = bytes_of(nested.nested);
    parts[3].bytes = bytes_of(map);
    parts[4].bytes = bytes_of(std::vector<float>(kNf4.begin(), kNf4.end()));
    parts[5].bytes = text_bytes(state);
    return parts;
}

PackedParts pack_fp8(const DenseMatrix& weights) {
    constexpr std::int64_t kBlock = kFp8Block;
    constexpr float kLargest = 448;
    const std::int64_t rows = parts_of(weights.num_rows, kBlock), columns = parts_of(weights.num_columns, kBlock);
    std::vector<float> scales(static_cast<std::size_t>(rows * columns));
    for (std::int64_t o = 0; o < weights.num_rows; ++o)
        for (std::int64_t block = 0; block < columns; ++block) {
            float& scale = scales[static_cast<std::size_t>(o / kBlock * columns + block)];
            scale = std::max(scale,
                largest_of(weights.row(o) + block * kBlock, std::min(kBlock, weights.num_columns - block * kBlock)) /
                    kLargest);
        }
    std::vector<std::uint8_t> codes(weights.values.size());
    for (std::int64_t o = 0; o < weights.num_rows; ++o)
        for (std::int64_t k = 0; k < weights.num_columns; ++k) {
            const float scale = scales[static_cast<std::size_t>(o / kBlock * columns + k / kBlock)];
            codes[static_cast<std::size_t>(o * weights.num_columns + k)] =
                scale > 0 ? kernels::f32_to_fp8_e4m3(weights.row(o)[k] / scale) : std::uint8_t{0};
        }
    PackedParts parts = fp8_parts(weights.num_rows, weights.num_columns);
    parts[0].bytes = bytes_of(codes);
    parts[1].bytes = bytes_of(scales);
    return parts;
}

} // namespace vitrine::engine
