// SPDX-License-Identifier: GPL-3.0-or-later
// Block layouts: the GGUF specification (ggml).  Each function decodes one block; the order of multiplications is the
// definition's, so that results agree bit for bit.
#include "kernels/ref/dequantize.h"

#include <array>
#include <bit>
#include <cstring>

#include "kernels/ref/half.h"

static_assert(std::endian::native == std::endian::little, "GGUF is read in place");

namespace vitrine::kernels {
namespace {

using Byte = unsigned char;

constexpr std::array<float, 16> kIq4Values{-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
constexpr std::array<float, 16> kMxfp4Values{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12}; // twice e2m1

std::uint16_t load16(const Byte* at) {
    std::uint16_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

std::uint32_t load32(const Byte* at) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}

float half_at(const Byte* at) {
    return f16_to_f32(load16(at));
}

void block_f32(const Byte* block, float* out) {
    std::memcpy(out, block, sizeof(float));
}

void block_f16(const Byte* block, float* out) {
    *out = half_at(block);
}

void block_bf16(const Byte* block, float* out) {
    *out = bf16_to_f32(load16(block));
}

void block_q4_0(const Byte* block, float* out) {
    const float d = half_at(block);
    const Byte* quants = block + 2;
    for (int i = 0; i < 16; ++i) {
        out[i] = static_cast<float>((quants[i] & 0xF) - 8) * d;
        out[i + 16] = static_cast<float>((quants[i] >> 4) - 8) * d;
    }
}

void block_q4_1(const Byte* block, float* out) {
    const float d = half_at(block);
    const float m = half_at(block + 2);
    const Byte* quants = block + 4;
    for (int i = 0; i < 16; ++i) {
        out[i] = static_cast<float>(quants[i] & 0xF) * d + m;
        out[i + 16] = static_cast<float>(quants[i] >> 4) * d + m;
    }
}

/// Code of weight i of a 5-bit block: low nibbles first, fifth bits in one word.
int code5(const Byte* quants, std::uint32_t high, int i) {
    const int low = i < 16 ? quants[i] & 0xF : quants[i - 16] >> 4;
    return low | static_cast<int>(((high >> i) & 1U) << 4);
}

void block_q5_0(const Byte* block, float* out) {
    const float d = half_at(block);
    const std::uint32_t high = load32(block + 2);
    for (int i = 0; i < 32; ++i)
        out[i] = static_cast<float>(code5(block + 6, high, i) - 16) * d;
}

void block_q5_1(const Byte* block, float* out) {
    const float d = half_at(block);
    const float m = half_at(block + 2);
    const std::uint32_t high = load32(block + 4);
    for (int i = 0; i < 32; ++i)
        out[i] = static_cast<float>(code5(block + 8, high, i)) * d + m;
}

void block_q8_0(const Byte* block, float* out) {
    const float d = half_at(block);
    for (int i = 0; i < 32; ++i)
        out[i] = static_cast<float>(static_cast<signed char>(block[2 + i])) * d;
}

/// Two-bit code of weight i in the planes of Q2_K and Q3_K: 128 weights take 32 bytes, 32 weights a bit pair of each.
int code2(const Byte* quants, int i) {
    return (quants[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2)) & 3;
}

void block_q2_k(const Byte* block, float* out) {
    const Byte* scales = block;
    const Byte* quants = block + 16;
    const float d = half_at(block + 80);
    const float dmin = half_at(block + 82);
    for (int i = 0; i < 256; ++i) {
        const Byte scale = scales[i / 16];
        const float dl = d * static_cast<float>(scale & 0xF);
        const float ml = dmin * static_cast<float>(scale >> 4);
        out[i] = dl * static_cast<float>(code2(quants, i)) - ml;
    }
}

/// Six-bit scale of sixteen weights: four low bits in nibbles of bytes 0..7, two high bits in bytes 8..11.
int q3_scale(const Byte* scales, int group) {
    const int low = group < 8 ? scales[group] & 0xF : scales[group - 8] >> 4;
    const int high = (scales[8 + group % 4] >> (group / 4 * 2)) & 3;
    return (low | (high << 4)) - 32;
}

void block_q3_k(const Byte* block, float* out) {
    const Byte* high_bits = block;
    const Byte* quants = block + 32;
    const Byte* scales = block + 96;
    const float d = half_at(block + 108);
    for (int i = 0; i < 256; ++i) {
        const float dl = d * static_cast<float>(q3_scale(scales, i / 16));
        const int high = (high_bits[i % 32] >> (i / 32)) & 1;
        out[i] = dl * static_cast<float>(code2(quants, i) - (high != 0 ? 0 : 4));
    }
}

struct ScaleMin {
    int scale;
    int min;
};

/// Six-bit scale and minimum of 32 weights, packed in 12 bytes (Q4_K, Q5_K).
ScaleMin k_scale_min(const Byte* packed, int group) {
    if (group < 4)
        return {packed[group] & 63, packed[group + 4] & 63};
    return {(packed[group + 4] & 0xF) | ((packed[group - 4] >> 6) << 4),
        (packed[group + 4] >> 4) | ((packed[group] >> 6) << 4)};
}

/// Q4_K and Q5_K share everything but the plane of fifth bits (null for Q4_K).
void block_k45(const Byte* block, const Byte* high_bits, const Byte* quants, float* out) {
    const float d = half_at(block);
    const float dmin = half_at(block + 2);
    for (int group = 0; group < 8; ++group) {
        const ScaleMin packed = k_scale_min(block + 4, group);
        const float dl = d * static_cast<float>(packed.scale);
        const float ml = dmin * static_cast<float>(packed.min);
        for (int i = 0; i < 32; ++i) {
            const Byte pair = quants[group / 2 * 32 + i];
            int code = group % 2 == 0 ? pair & 0xF : pair >> 4;
            if (high_bits != nullptr)
                code |= ((high_bits[i] >> group) & 1) << 4;
            out[group * 32 + i] = dl * static_cast<float>(code) - ml;
        }
    }
}

void block_q4_k(const Byte* block, float* out) {
    block_k45(block, nullptr, block + 16, out);
}

void block_q5_k(const Byte* block, float* out) {
    block_k45(block, block + 16, block + 48, out);
}

void block_q6_k(const Byte* block, float* out) {
    const float d = half_at(block + 208);
    for (int i = 0; i < 256; ++i) {
        const int half = i / 128;
        const int quarter = i % 128 / 32;
        const Byte low = block[half * 64 + quarter % 2 * 32 + i % 32];
        const int high = (block[128 + half * 32 + i % 32] >> (quarter * 2)) & 3;
        const int code = (quarter < 2 ? low & 0xF : low >> 4) | (high << 4);
        const auto scale = static_cast<signed char>(block[192 + i / 16]);
        out[i] = d * static_cast<float>(scale) * static_cast<float>(code - 32);
    }
}

/// 32 codes of a 16-entry table: low nibbles, then high nibbles.
void table_nibbles(const Byte* quants, const std::array<float, 16>& table, float d, float* out) {
    for (int i = 0; i < 16; ++i) {
        out[i] = d * table[quants[i] & 0xFU];
        out[i + 16] = d * table[quants[i] >> 4];
    }
}

void block_iq4_nl(const Byte* block, float* out) {
    table_nibbles(block + 2, kIq4Values, half_at(block), out);
}

void block_iq4_xs(const Byte* block, float* out) {
    const float d = half_at(block);
    const int scales_high = load16(block + 2);
    for (int group = 0; group < 8; ++group) {
        const int low = (block[4 + group / 2] >> (group % 2 * 4)) & 0xF;
        const int high = (scales_high >> (group * 2)) & 3;
        const float dl = d * static_cast<float>((low | (high << 4)) - 32);
        table_nibbles(block + 8 + group * 16, kIq4Values, dl, out + group * 32);
    }
}

void block_mxfp4(const Byte* block, float* out) {
    table_nibbles(block + 1, kMxfp4Values, e8m0_half_to_f32(block[0]), out);
}

using BlockDecoder = void (*)(const Byte* block, float* out);

// index == WeightFormat
constexpr std::array<BlockDecoder, kNumWeightFormats> kDecoders{block_f32, block_f16, block_bf16, block_q4_0,
    block_q4_1, block_q5_0, block_q5_1, block_q8_0, block_q2_k, block_q3_k, block_q4_k, block_q5_k, block_q6_k,
    block_iq4_nl, block_iq4_xs, block_mxfp4};

} // namespace

void dequantize_row(WeightFormat format, const std::byte* row, std::int64_t in_dim, float* out) {
    const FormatInfo& info = format_info(format);
    const BlockDecoder decode = kDecoders[static_cast<std::size_t>(format)];
    const auto* block = reinterpret_cast<const Byte*>(row);
    for (std::int64_t i = 0; i < in_dim; i += info.block_weights) {
        decode(block, out + i);
        block += info.block_bytes;
    }
}

} // namespace vitrine::kernels
