// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/row_quantizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "engine/quant/block_fit.h"
#include "engine/quant/fit_loops.h"
#include "engine/quant/k_blocks.h"
#include "engine/quant/table_blocks.h"
#include "kernels/api/sentence.h"
#include "kernels/ref/half.h"

namespace vitrine::engine {
namespace {

using kernels::f16_to_f32;
using kernels::f32_to_bf16;
using kernels::f32_to_f16;
using kernels::WeightFormat;
using enum kernels::WeightFormat;

constexpr float kLargestHalf = 65504;

float as_half(float value) {
    return f16_to_f32(f32_to_f16(value));
}

Affine as_stored(Affine rule) {
    return {as_half(rule.scale), as_half(rule.offset)};
}

std::byte* put16(std::byte* out, std::uint16_t bits) {
    std::memcpy(out, &bits, sizeof bits);
    return out + sizeof bits;
}

/// The better of two rules once both are rounded to 16 bits.
Affine better_rule(const FitBlock& block, Affine plain, Affine fitted, CodeRange range) {
    const Affine first = as_stored(plain);
    const Affine second = as_stored(fitted);
    return squared_error(block, second, range) < squared_error(block, first, range) ? second : first;
}

Affine symmetric_rule(const FitBlock& block, CodeRange range) {
    return better_rule(block, plain_symmetric(block.x, range), fit_symmetric(block, range), range);
}

Affine affine_rule(const FitBlock& block, int high) {
    return better_rule(block, plain_affine(block.x, high), fit_affine(block, high, false), {0, high});
}

void encode_f32(const FitBlock& block, std::byte* out) noexcept {
    std::memcpy(out, block.x.data(), block.x.size_bytes());
}

void encode_f16(const FitBlock& block, std::byte* out) noexcept {
    for (const float value : block.x)
        out = put16(out, f32_to_f16(value));
}

void encode_bf16(const FitBlock& block, std::byte* out) noexcept {
    for (const float value : block.x)
        out = put16(out, f32_to_bf16(value));
}

/// 32 codes as 16 bytes: low nibbles hold the first half, high nibbles the second; fifth bits go to one word.
struct PackedCodes {
    std::array<std::uint8_t, 16> nibbles{};
    std::uint32_t fifth_bits = 0;
};

/// `bias` makes codes unsigned.
PackedCodes pack_codes(std::span<const float> x, Affine rule, CodeRange range, int bias) {
    PackedCodes packed;
    std::array<std::int8_t, 32> codes;
    nearest_codes(x, rule, range, codes.data());
    for (std::int8_t& code : codes)
        code = static_cast<std::int8_t>(code + bias);
    for (std::size_t i = 0; i < 16; ++i)
        packed.nibbles[i] = static_cast<std::uint8_t>((codes[i] & 0xF) | ((codes[i + 16] & 0xF) << 4));
    for (std::size_t i = 0; i < 32; ++i)
        packed.fifth_bits |= static_cast<std::uint32_t>(codes[i] >> 4) << i;
    return packed;
}

void put_codes(std::byte* out, const PackedCodes& packed, bool five_bits) {
    if (five_bits) {
        std::memcpy(out, &packed.fifth_bits, 4);
        out += 4;
    }
    std::memcpy(out, packed.nibbles.data(), packed.nibbles.size());
}

void encode_symmetric(const FitBlock& block, int bits, std::byte* out) {
    const int half = 1 << (bits - 1);
    const CodeRange range{-half, half - 1};
    const Affine rule = symmetric_rule(block, range);
    put_codes(put16(out, f32_to_f16(rule.scale)), pack_codes(block.x, rule, range, half), bits == 5);
}

void encode_affine(const FitBlock& block, int bits, std::byte* out) {
    const CodeRange range{0, (1 << bits) - 1};
    const Affine rule = affine_rule(block, range.high);
    std::byte* codes = put16(put16(out, f32_to_f16(rule.scale)), f32_to_f16(rule.offset));
    put_codes(codes, pack_codes(block.x, rule, range, 0), bits == 5);
}

void encode_q4_0(const FitBlock& block, std::byte* out) noexcept {
    encode_symmetric(block, 4, out);
}

void encode_q4_1(const FitBlock& block, std::byte* out) noexcept {
    encode_affine(block, 4, out);
}

void encode_q5_0(const FitBlock& block, std::byte* out) noexcept {
    encode_symmetric(block, 5, out);
}

void encode_q5_1(const FitBlock& block, std::byte* out) noexcept {
    encode_affine(block, 5, out);
}

constexpr CodeRange kEightBits{-127, 127};

void put_eight_bits(const FitBlock& block, float scale, std::byte* out) noexcept {
    std::byte* codes = put16(out, f32_to_f16(scale));
    nearest_codes(block.x, {scale, 0}, kEightBits, reinterpret_cast<std::int8_t*>(codes));
}

/// Not searched: at 8 bits that gains 1% of an error that is already small, and costs most of the time.
float plain_eight_bit_scale(const FitBlock& block) noexcept {
    return as_half(std::abs(largest_magnitude(block.x)) / 127);
}

/// Weights that were quantized to five bits or fewer lie on whole steps: the largest is one to sixteen of them, and so one of
/// the codes 112 to 127 puts all of them on codes.  Nothing: no such steps.
std::optional<float> stepped_scale(const FitBlock& block) noexcept {
    const float largest = std::abs(largest_magnitude(block.x));
    RuleSet rules;
    for (int code = kEightBits.high; rules.count < RuleSet::kMost; --code)
        rules.add({as_half(largest / static_cast<float>(code)), 0});
    const auto errors = squared_errors(block, rules, kEightBits);
    const auto best = std::min_element(errors.begin(), errors.end());
    constexpr float kFound = 0.25F; // of the plain rule's error; between steps a search gains a hundredth
    if (!(*best < kFound * errors.front()))
        return {};
    return rules.scales[static_cast<std::size_t>(best - errors.begin())];
}

/// A row; its first blocks tell whether the others are worth a look.
void encode_q8_0(const FitBlock& row, std::byte* out) noexcept {
    constexpr std::size_t kBlock = 32, kLooked = 2;
    const auto bytes = static_cast<std::size_t>(kernels::format_info(q8_0).block_bytes);
    bool is_stepped = false;
    for (std::size_t start = 0; start < row.x.size(); start += kBlock) {
        const FitBlock block = row.part(start, kBlock);
        std::optional<float> scale;
        if (is_stepped || start < kLooked * kBlock) {
            scale = stepped_scale(block);
            is_stepped = is_stepped || scale.has_value();
        }
        put_eight_bits(block, scale.value_or(plain_eight_bit_scale(block)), out);
        out += bytes;
    }
}

using Encoder = void (*)(const FitBlock& block, std::byte* out) noexcept;

/// weighs_size: a scale alone decides where the codes end, and the least sum of squares cuts the largest weights off, which
/// sway a model most.  With an offset, or at five bits, that pays nothing (measured on two models, README).
struct Writer {
    WeightFormat format;
    Encoder encode;
    bool weighs_size = false;
    bool takes_rows = false; // as many blocks as there are
};

constexpr std::array<Writer, 16> kWriters{{{f32, encode_f32, false, true}, {f16, encode_f16, false, true},
    {bf16, encode_bf16, false, true}, {q4_0, encode_q4_0, true}, {q4_1, encode_q4_1}, {q5_0, encode_q5_0},
    {q5_1, encode_q5_1}, {q8_0, encode_q8_0, false, true}, {q4_k, encode_q4_k}, {q5_k, encode_q5_k},
    {q6_k, encode_q6_k, true}, {iq4_nl, encode_iq4_nl, true}, {q2_k, encode_q2_k}, {q3_k, encode_q3_k, true},
    {iq4_xs, encode_iq4_xs, true}, {mxfp4, encode_mxfp4}}};

const Writer* writer_of(WeightFormat format) noexcept {
    const auto* found = std::find_if(
        kWriters.begin(), kWriters.end(), [format](const Writer& writer) { return writer.format == format; });
    return found == kWriters.end() ? nullptr : found;
}

constexpr std::size_t kLargestBlock = 256;

void encode_block(const Writer& writer, const FitBlock& block, std::byte* out) noexcept {
    if (!writer.weighs_size || !block.importance.empty()) // measured importance knows better
        return writer.encode(block, out);
    std::array<float, kLargestBlock> weights;
    fit_loops().size_weights(block.x.data(), block.x.size(), weights.data());
    writer.encode({block.x, std::span(weights).first(block.x.size())}, out);
}

/// What replaces a format of 256-weight blocks where 256 does not divide the row.
WeightFormat narrow_format(WeightFormat wanted) noexcept {
    switch (wanted) {
    case q2_k:
    case q3_k:
    case iq4_xs:
        return iq4_nl;
    case q4_k:
        return q5_0;
    case q5_k:
        return q5_1;
    case q6_k:
        return q8_0;
    default:
        return wanted;
    }
}

Result<void> check_values(WeightFormat to, std::span<const float> row) {
    const float limit = to == f32 || to == bf16 ? std::numeric_limits<float>::max() : kLargestHalf;
    if (fit_loops().are_within(row.data(), row.size(), limit))
        return {};
    const auto bad = std::find_if(row.begin(), row.end(), [limit](float x) { return !(std::abs(x) <= limit); });
    return fail(ErrorCode::invalid_argument,
        say(Sentence::weight_beyond_type, bad - row.begin(), six_digits(*bad), kernels::format_info(to).name,
            six_digits(limit)),
        say(Sentence::damaged_or_bf16));
}

} // namespace

bool can_quantize_to(WeightFormat format) noexcept {
    return writer_of(format) != nullptr;
}

WeightFormat fallback_format(WeightFormat wanted, std::int64_t in_dim) noexcept {
    for (const WeightFormat format : {wanted, narrow_format(wanted)}) {
        if (in_dim % kernels::format_info(format).block_weights == 0)
            return format;
    }
    return f16;
}

Result<void> quantize_row(
    WeightFormat to, std::span<const float> row, std::byte* out, std::span<const float> importance) {
    const kernels::FormatInfo& info = kernels::format_info(to);
    const Writer* writer = writer_of(to);
    if (writer == nullptr)
        return fail(ErrorCode::unsupported, say(Sentence::quantization_without_writer, info.name),
            say(Sentence::choose_listed_type));
    const auto block = static_cast<std::size_t>(info.block_weights);
    if (row.size() % block != 0)
        return fail(ErrorCode::invalid_argument, say(Sentence::row_not_divisible, row.size(), block, info.name),
            say(Sentence::use_fallback_type));
    VT_TRY(check_values(to, row));
    const FitBlock whole{row, importance};
    if (writer->takes_rows) {
        writer->encode(whole, out);
        return {};
    }
    for (std::size_t start = 0; start < row.size(); start += block) {
        encode_block(*writer, whole.part(start, block), out);
        out += info.block_bytes;
    }
    return {};
}

} // namespace vitrine::engine
