// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/row_quantizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "engine/quant/block_fit.h"
#include "engine/quant/fit_loops.h"
#include "engine/quant/k_blocks.h"
#include "engine/quant/table_blocks.h"
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

void encode_q8_0(const FitBlock& block, std::byte* out) noexcept {
    // The scale is not searched: at 8 bits that gains 1% of an error that is already small, and costs most of the time.
    constexpr CodeRange kRange{-127, 127};
    const Affine rule{as_half(std::abs(largest_magnitude(block.x)) / 127), 0};
    std::byte* codes = put16(out, f32_to_f16(rule.scale));
    nearest_codes(block.x, rule, kRange, reinterpret_cast<std::int8_t*>(codes));
}

using Encoder = void (*)(const FitBlock& block, std::byte* out) noexcept;

struct Writer {
    WeightFormat format;
    Encoder encode;
};

constexpr std::array<Writer, 16> kWriters{{{f32, encode_f32}, {f16, encode_f16}, {bf16, encode_bf16},
    {q4_0, encode_q4_0}, {q4_1, encode_q4_1}, {q5_0, encode_q5_0}, {q5_1, encode_q5_1}, {q8_0, encode_q8_0},
    {q4_k, encode_q4_k}, {q5_k, encode_q5_k}, {q6_k, encode_q6_k}, {iq4_nl, encode_iq4_nl}, {q2_k, encode_q2_k},
    {q3_k, encode_q3_k}, {iq4_xs, encode_iq4_xs}, {mxfp4, encode_mxfp4}}};

Encoder encoder_of(WeightFormat format) noexcept {
    const auto* found = std::find_if(
        kWriters.begin(), kWriters.end(), [format](const Writer& writer) { return writer.format == format; });
    return found == kWriters.end() ? nullptr : found->encode;
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
        fmt::format("weight {} of a row is {}; {} holds finite values up to {}", bad - row.begin(), *bad,
            kernels::format_info(to).name, limit),
        "The file is damaged, or choose bf16.");
}

} // namespace

bool can_quantize_to(WeightFormat format) noexcept {
    return encoder_of(format) != nullptr;
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
    const Encoder encode = encoder_of(to);
    if (encode == nullptr)
        return fail(ErrorCode::unsupported, fmt::format("weights cannot be quantized to {}", info.name),
            "Choose a format of the list that quantize prints.");
    const auto block = static_cast<std::size_t>(info.block_weights);
    if (row.size() % block != 0)
        return fail(ErrorCode::invalid_argument,
            fmt::format("a row of {} weights is not a multiple of the {} of {}", row.size(), block, info.name),
            "Use the fallback format of the row.");
    VT_TRY(check_values(to, row));
    const FitBlock whole{row, importance};
    if (block == 1) { // the encoders of single values take as many as there are
        encode(whole, out);
        return {};
    }
    for (std::size_t start = 0; start < row.size(); start += block) {
        encode(whole.part(start, block), out);
        out += info.block_bytes;
    }
    return {};
}

} // namespace vitrine::engine
