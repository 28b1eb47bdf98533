// SPDX-License-Identifier: GPL-3.0-or-later
// Block layouts: the GGUF specification (ggml).
#include "kernels/cpu/repack/unit_fields.h"

#include <cstring>

namespace vitrine::kernels::cpu {
namespace {

using Byte = std::uint8_t;

constexpr std::array<UnitShape, kNumWeightFormats> kShapes{{
    {}, {}, {}, // f32, f16, bf16
    {32, 4, 0, 1, 0}, // q4_0
    {32, 4, 0, 2, 0}, // q4_1
    {32, 4, 1, 1, 0}, // q5_0
    {32, 4, 1, 2, 0}, // q5_1
    {32, 8, 0, 1, 0}, // q8_0
    {256, 2, 0, 2, 2}, // q2_k
    {256, 2, 1, 1, 2}, // q3_k
    {256, 4, 0, 2, 2}, // q4_k
    {256, 4, 1, 2, 2}, // q5_k
    {256, 4, 2, 1, 2}, // q6_k
    {32, 4, 0, 1, 0}, // iq4_nl
    {256, 4, 0, 1, 1}, // iq4_xs
    {32, 4, 0, 1, 0}, // mxfp4
}};

std::uint16_t load16(const Byte* p) noexcept {
    std::uint16_t value = 0;
    std::memcpy(&value, p, sizeof value);
    return value;
}

void store16(Byte* p, std::uint16_t value) noexcept {
    std::memcpy(p, &value, sizeof value);
}

// ---- nibbles: byte i holds weight i low, i + 16 high ---------------------------------------------------------------

void read_nibbles(const Byte* p, Byte* codes) noexcept {
    for (int i = 0; i < 16; ++i) {
        codes[i] = p[i] & 15;
        codes[i + 16] = static_cast<Byte>(p[i] >> 4);
    }
}

void write_nibbles(Byte* p, const Byte* codes) noexcept {
    for (int i = 0; i < 16; ++i)
        p[i] = static_cast<Byte>((codes[i] & 15) | (codes[i + 16] << 4));
}

// ---- Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 IQ4_NL: [wide fields][fifth bits][codes] ----------------------------------------------

void read_simple(WeightFormat format, const Byte* p, UnitFields& fields) noexcept {
    const UnitShape& shape = unit_shape(format);
    for (int i = 0; i < shape.wide; ++i, p += 2)
        fields.wide[static_cast<std::size_t>(i)] = load16(p);
    if (shape.low_bits == 8) {
        std::memcpy(fields.codes.data(), p, 32);
        return;
    }
    read_nibbles(p + 4 * shape.high_bits, fields.codes.data());
    if (shape.high_bits == 1) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, p, sizeof bits);
        for (std::size_t i = 0; i < 32; ++i)
            fields.codes[i] = static_cast<Byte>(fields.codes[i] | (((bits >> i) & 1U) << 4));
    }
}

void write_simple(WeightFormat format, const UnitFields& fields, Byte* p) noexcept {
    const UnitShape& shape = unit_shape(format);
    for (int i = 0; i < shape.wide; ++i, p += 2)
        store16(p, fields.wide[static_cast<std::size_t>(i)]);
    if (shape.low_bits == 8) {
        std::memcpy(p, fields.codes.data(), 32);
        return;
    }
    write_nibbles(p + 4 * shape.high_bits, fields.codes.data());
    if (shape.high_bits == 1) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 32; ++i)
            bits |= static_cast<std::uint32_t>((fields.codes[i] >> 4) & 1) << i;
        std::memcpy(p, &bits, sizeof bits);
    }
}

// ---- MXFP4: the exponent byte e stands for 2^(e - 128), kept as bf16 ---------------------------------------------------

void read_mxfp4(const Byte* p, UnitFields& fields) noexcept {
    // 2^-128 and 2^-127 are subnormal; above them the exponent field is e - 1.
    fields.wide[0] = static_cast<std::uint16_t>(p[0] < 2 ? 0x20 << p[0] : (p[0] - 1) << 7);
    read_nibbles(p + 1, fields.codes.data());
}

void write_mxfp4(const UnitFields& fields, Byte* p) noexcept {
    const int bits = fields.wide[0];
    p[0] = static_cast<Byte>(bits < 0x80 ? bits / 0x40 : (bits >> 7) + 1);
    write_nibbles(p + 1, fields.codes.data());
}

// ---- two-bit planes of Q2_K and Q3_K: 128 weights take 32 bytes, 32 weights a bit pair of each ---------------------------

void read_pairs(const Byte* p, Byte* codes) noexcept {
    for (int i = 0; i < 256; ++i)
        codes[i] = static_cast<Byte>((p[i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2)) & 3);
}

void write_pairs(Byte* p, const Byte* codes) noexcept {
    std::memset(p, 0, 64);
    for (int i = 0; i < 256; ++i)
        p[i / 128 * 32 + i % 32] |= static_cast<Byte>((codes[i] & 3) << (i % 128 / 32 * 2));
}

void read_q2_k(const Byte* p, UnitFields& fields) noexcept {
    for (std::size_t group = 0; group < 16; ++group)
        fields.small[group / 2][group % 2] = p[group]; // scale low, min high nibble, kept together
    read_pairs(p + 16, fields.codes.data());
    fields.wide = {load16(p + 80), load16(p + 82)};
}

void write_q2_k(const UnitFields& fields, Byte* p) noexcept {
    for (std::size_t group = 0; group < 16; ++group)
        p[group] = fields.small[group / 2][group % 2];
    write_pairs(p + 16, fields.codes.data());
    store16(p + 80, fields.wide[0]);
    store16(p + 82, fields.wide[1]);
}

/// Six-bit scales: four low bits in nibbles of bytes 0..7, two high bits in bytes 8..11; kept as scale - 32.
void read_q3_k(const Byte* p, UnitFields& fields) noexcept {
    read_pairs(p + 32, fields.codes.data());
    for (std::size_t i = 0; i < 256; ++i)
        fields.codes[i] = static_cast<Byte>(fields.codes[i] | (((p[i % 32] >> (i / 32)) & 1) << 2));
    const Byte* scales = p + 96;
    for (std::size_t group = 0; group < 16; ++group) {
        const int low = group < 8 ? scales[group] & 15 : scales[group - 8] >> 4;
        const int high = (scales[8 + group % 4] >> (group / 4 * 2)) & 3;
        fields.small[group / 2][group % 2] = static_cast<Byte>((low | (high << 4)) - 32);
    }
    fields.wide[0] = load16(p + 108);
}

void write_q3_k(const UnitFields& fields, Byte* p) noexcept {
    std::memset(p, 0, 110);
    write_pairs(p + 32, fields.codes.data());
    for (std::size_t i = 0; i < 256; ++i)
        p[i % 32] |= static_cast<Byte>(((fields.codes[i] >> 2) & 1) << (i / 32));
    Byte* scales = p + 96;
    for (std::size_t group = 0; group < 16; ++group) {
        const auto scale = static_cast<Byte>(fields.small[group / 2][group % 2] + 32);
        scales[group % 8] |= static_cast<Byte>((scale & 15) << (group / 8 * 4));
        scales[8 + group % 4] |= static_cast<Byte>((scale >> 4) << (group / 4 * 2));
    }
    store16(p + 108, fields.wide[0]);
}

// ---- Q4_K, Q5_K: [d, dmin][12 bytes of six-bit scales and mins][fifth bits][nibbles] -----------------------------------------

void read_scales_k(const Byte* p, UnitFields& fields) noexcept {
    for (std::size_t group = 0; group < 4; ++group)
        fields.small[group] = {static_cast<Byte>(p[group] & 63), static_cast<Byte>(p[group + 4] & 63)};
    for (std::size_t group = 4; group < 8; ++group)
        fields.small[group] = {static_cast<Byte>((p[group + 4] & 15) | ((p[group - 4] >> 6) << 4)),
            static_cast<Byte>((p[group + 4] >> 4) | ((p[group] >> 6) << 4))};
}

void write_scales_k(const UnitFields& fields, Byte* p) noexcept {
    for (std::size_t group = 0; group < 4; ++group) {
        const auto& low = fields.small[group];
        const auto& high = fields.small[group + 4];
        p[group] = static_cast<Byte>((low[0] & 63) | ((high[0] >> 4) << 6));
        p[group + 4] = static_cast<Byte>((low[1] & 63) | ((high[1] >> 4) << 6));
        p[group + 8] = static_cast<Byte>((high[0] & 15) | ((high[1] & 15) << 4));
    }
}

void read_k45(WeightFormat format, const Byte* p, UnitFields& fields) noexcept {
    const bool five = format == WeightFormat::q5_k;
    fields.wide = {load16(p), load16(p + 2)};
    read_scales_k(p + 4, fields);
    const Byte* high = p + 16;
    const Byte* quants = five ? p + 48 : p + 16;
    for (std::size_t i = 0; i < 256; ++i) {
        const std::size_t group = i / 32;
        const Byte pair = quants[group / 2 * 32 + i % 32];
        const int low = group % 2 == 0 ? pair & 15 : pair >> 4;
        const int fifth = five ? ((high[i % 32] >> group) & 1) << 4 : 0;
        fields.codes[i] = static_cast<Byte>(low | fifth);
    }
}

void write_k45(WeightFormat format, const UnitFields& fields, Byte* p) noexcept {
    const bool five = format == WeightFormat::q5_k;
    std::memset(p, 0, five ? 176 : 144);
    store16(p, fields.wide[0]);
    store16(p + 2, fields.wide[1]);
    write_scales_k(fields, p + 4);
    Byte* high = p + 16;
    Byte* quants = five ? p + 48 : p + 16;
    for (std::size_t i = 0; i < 256; ++i) {
        const std::size_t group = i / 32;
        quants[group / 2 * 32 + i % 32] |= static_cast<Byte>((fields.codes[i] & 15) << (group % 2 * 4));
        if (five)
            high[i % 32] |= static_cast<Byte>(((fields.codes[i] >> 4) & 1) << group);
    }
}

// ---- Q6_K: [low nibbles 128][high pairs 64][s8 scales 16][d] ----------------------------------------------------------------

struct Q6Place {
    std::size_t low, high;
    int low_shift, high_shift;
};

Q6Place q6_place(std::size_t i) noexcept {
    const std::size_t half = i / 128;
    const std::size_t quarter = i % 128 / 32;
    return {half * 64 + quarter % 2 * 32 + i % 32, 128 + half * 32 + i % 32, quarter < 2 ? 0 : 4,
        static_cast<int>(quarter * 2)};
}

void read_q6_k(const Byte* p, UnitFields& fields) noexcept {
    for (std::size_t i = 0; i < 256; ++i) {
        const Q6Place at = q6_place(i);
        fields.codes[i] =
            static_cast<Byte>(((p[at.low] >> at.low_shift) & 15) | (((p[at.high] >> at.high_shift) & 3) << 4));
    }
    for (std::size_t group = 0; group < 16; ++group)
        fields.small[group / 2][group % 2] = p[192 + group];
    fields.wide[0] = load16(p + 208);
}

void write_q6_k(const UnitFields& fields, Byte* p) noexcept {
    std::memset(p, 0, 210);
    for (std::size_t i = 0; i < 256; ++i) {
        const Q6Place at = q6_place(i);
        p[at.low] |= static_cast<Byte>((fields.codes[i] & 15) << at.low_shift);
        p[at.high] |= static_cast<Byte>((fields.codes[i] >> 4) << at.high_shift);
    }
    for (std::size_t group = 0; group < 16; ++group)
        p[192 + group] = fields.small[group / 2][group % 2];
    store16(p + 208, fields.wide[0]);
}

// ---- IQ4_XS: [d][high pairs of scales][low nibbles of scales][nibbles]; scale - 32 is kept ------------------------------------

void read_iq4_xs(const Byte* p, UnitFields& fields) noexcept {
    fields.wide[0] = load16(p);
    const int high = load16(p + 2);
    for (std::size_t group = 0; group < 8; ++group) {
        const int low = (p[4 + group / 2] >> (group % 2 * 4)) & 15;
        fields.small[group][0] = static_cast<Byte>((low | (((high >> (group * 2)) & 3) << 4)) - 32);
        read_nibbles(p + 8 + group * 16, fields.codes.data() + group * 32);
    }
}

void write_iq4_xs(const UnitFields& fields, Byte* p) noexcept {
    std::memset(p, 0, 8);
    store16(p, fields.wide[0]);
    int high = 0;
    for (std::size_t group = 0; group < 8; ++group) {
        const auto scale = static_cast<Byte>(fields.small[group][0] + 32);
        p[4 + group / 2] |= static_cast<Byte>((scale & 15) << (group % 2 * 4));
        high |= (scale >> 4) << (group * 2);
        write_nibbles(p + 8 + group * 16, fields.codes.data() + group * 32);
    }
    store16(p + 2, static_cast<std::uint16_t>(high));
}

} // namespace

const UnitShape& unit_shape(WeightFormat format) noexcept {
    return kShapes[static_cast<std::size_t>(format)];
}

void read_unit(WeightFormat format, const std::uint8_t* block, UnitFields& fields) noexcept {
    switch (format) {
    case WeightFormat::q2_k:
        return read_q2_k(block, fields);
    case WeightFormat::q3_k:
        return read_q3_k(block, fields);
    case WeightFormat::q4_k:
    case WeightFormat::q5_k:
        return read_k45(format, block, fields);
    case WeightFormat::q6_k:
        return read_q6_k(block, fields);
    case WeightFormat::iq4_xs:
        return read_iq4_xs(block, fields);
    case WeightFormat::mxfp4:
        return read_mxfp4(block, fields);
    default:
        return read_simple(format, block, fields);
    }
}

void write_unit(WeightFormat format, const UnitFields& fields, std::uint8_t* block) noexcept {
    switch (format) {
    case WeightFormat::q2_k:
        return write_q2_k(fields, block);
    case WeightFormat::q3_k:
        return write_q3_k(fields, block);
    case WeightFormat::q4_k:
    case WeightFormat::q5_k:
        return write_k45(format, fields, block);
    case WeightFormat::q6_k:
        return write_q6_k(fields, block);
    case WeightFormat::iq4_xs:
        return write_iq4_xs(fields, block);
    case WeightFormat::mxfp4:
        return write_mxfp4(fields, block);
    default:
        return write_simple(format, fields, block);
    }
}

} // namespace vitrine::kernels::cpu
