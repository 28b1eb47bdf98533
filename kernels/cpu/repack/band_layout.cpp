// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/repack/band_layout.h"

#include <cstring>

#include "kernels/cpu/repack/unit_fields.h"

namespace vitrine::kernels::cpu {
namespace {

/// Where the parts of a unit lie, in bytes.
struct UnitPlaces {
    int lanes, vector; // vector: bytes of 4 k of every row
    bool in_header; // 16-bit fields: before the blocks of a 256-unit, or behind the codes of a 32-unit
    int high, scales, block, header;
};

UnitPlaces places_of(const BandLayout& layout) noexcept {
    const UnitShape& shape = unit_shape(layout.format);
    UnitPlaces at{};
    at.lanes = layout.lanes;
    at.vector = 4 * layout.lanes;
    at.in_header = shape.weights == 256;
    at.high = shape.low_bits * at.vector;
    at.scales = at.high + shape.high_bits * at.vector;
    const int wide = 2 * shape.wide * layout.lanes;
    at.block = at.scales + (at.in_header ? shape.small * layout.lanes : wide);
    at.header = at.in_header ? wide : 0;
    return at;
}

std::int64_t unit_bytes(const BandLayout& layout) noexcept {
    const UnitPlaces at = places_of(layout);
    return at.header + unit_shape(layout.format).weights / 32 * at.block;
}

/// Bit position of group g inside a plane of `bits` per code, and the vector it lies in.
struct PlanePlace {
    int vector, shift;
};
PlanePlace plane_place(int bits, int group) noexcept {
    const int per_byte = 8 / bits;
    return {group / per_byte, group % per_byte * bits};
}

void store_plane(std::uint8_t* plane, const UnitPlaces& at, int row, int bits, int shift, const std::uint8_t* codes) {
    const auto mask = static_cast<std::uint8_t>((1 << bits) - 1);
    for (int group = 0; group < 8; ++group) {
        const PlanePlace place = plane_place(bits, group);
        std::uint8_t* bytes = plane + place.vector * at.vector + 4 * row;
        for (int j = 0; j < 4; ++j) {
            const int code = (codes[4 * group + j] >> shift) & mask;
            bytes[j] = static_cast<std::uint8_t>((place.shift == 0 ? 0 : bytes[j]) | (code << place.shift));
        }
    }
}

void load_plane(const std::uint8_t* plane, const UnitPlaces& at, int row, int bits, int shift, std::uint8_t* codes) {
    const auto mask = static_cast<std::uint8_t>((1 << bits) - 1);
    for (int group = 0; group < 8; ++group) {
        const PlanePlace place = plane_place(bits, group);
        const std::uint8_t* bytes = plane + place.vector * at.vector + 4 * row;
        for (int j = 0; j < 4; ++j)
            codes[4 * group + j] =
                static_cast<std::uint8_t>(codes[4 * group + j] | (((bytes[j] >> place.shift) & mask) << shift));
    }
}

void store_unit(const BandLayout& layout, const UnitPlaces& at, int row, const UnitFields& fields, std::uint8_t* unit) {
    const UnitShape& shape = unit_shape(layout.format);
    std::uint8_t* wide = at.in_header ? unit : unit + at.scales;
    for (int i = 0; i < shape.wide; ++i)
        std::memcpy(wide + 2 * (i * at.lanes + row), &fields.wide[static_cast<std::size_t>(i)], 2);
    std::uint8_t* block = unit + at.header;
    for (int b = 0; b < shape.weights / 32; ++b, block += at.block) {
        const std::uint8_t* codes = fields.codes.data() + 32 * b;
        store_plane(block, at, row, shape.low_bits, 0, codes);
        if (shape.high_bits > 0)
            store_plane(block + at.high, at, row, shape.high_bits, shape.low_bits, codes);
        for (int i = 0; i < shape.small; ++i)
            block[at.scales + i * at.lanes + row] =
                fields.small[static_cast<std::size_t>(b)][static_cast<std::size_t>(i)];
    }
}

void load_unit(const BandLayout& layout, const UnitPlaces& at, int row, const std::uint8_t* unit, UnitFields& fields) {
    const UnitShape& shape = unit_shape(layout.format);
    const std::uint8_t* wide = at.in_header ? unit : unit + at.scales;
    for (int i = 0; i < shape.wide; ++i)
        std::memcpy(&fields.wide[static_cast<std::size_t>(i)], wide + 2 * (i * at.lanes + row), 2);
    std::memset(fields.codes.data(), 0, fields.codes.size());
    const std::uint8_t* block = unit + at.header;
    for (int b = 0; b < shape.weights / 32; ++b, block += at.block) {
        std::uint8_t* codes = fields.codes.data() + 32 * b;
        load_plane(block, at, row, shape.low_bits, 0, codes);
        if (shape.high_bits > 0)
            load_plane(block + at.high, at, row, shape.high_bits, shape.low_bits, codes);
        for (int i = 0; i < shape.small; ++i)
            fields.small[static_cast<std::size_t>(b)][static_cast<std::size_t>(i)] =
                block[at.scales + i * at.lanes + row];
    }
}

/// Q8_0 keeps signed bytes in the file; ISAs with an unsigned operand want them + 128.
void shift_codes(const BandLayout& layout, UnitFields& fields) noexcept {
    if (unit_shape(layout.format).low_bits != 8 || layout.signed_codes)
        return;
    for (std::size_t i = 0; i < 32; ++i)
        fields.codes[i] ^= 0x80;
}

} // namespace

bool is_dense(WeightFormat format) noexcept {
    return unit_shape(format).weights == 0;
}

std::int64_t BandLayout::band_bytes(std::int64_t in_dim) const noexcept {
    if (is_dense(format))
        return in_dim * lanes * format_info(format).block_bytes;
    return in_dim / unit_shape(format).weights * unit_bytes(*this);
}

void pack_band(const BandLayout& layout, std::span<const std::byte> rows, std::int64_t out_dim, std::int64_t in_dim,
    std::int64_t first_row, std::uint8_t* band) {
    const std::int64_t stride = row_bytes(layout.format, in_dim);
    std::memset(band, 0, static_cast<std::size_t>(layout.band_bytes(in_dim)));
    const FormatInfo& info = format_info(layout.format);
    const UnitPlaces at = places_of(layout);
    const std::int64_t bytes = unit_bytes(layout);
    for (int row = 0; row < layout.lanes && first_row + row < out_dim; ++row) {
        const auto* source = reinterpret_cast<const std::uint8_t*>(rows.data()) + (first_row + row) * stride;
        if (is_dense(layout.format)) {
            const int size = info.block_bytes;
            for (std::int64_t k = 0; k < in_dim; ++k)
                std::memcpy(band + (k * layout.lanes + row) * size, source + k * size, static_cast<std::size_t>(size));
            continue;
        }
        UnitFields fields;
        for (std::int64_t unit = 0; unit < in_dim / info.block_weights; ++unit) {
            read_unit(layout.format, source + unit * info.block_bytes, fields);
            shift_codes(layout, fields);
            store_unit(layout, at, row, fields, band + unit * bytes);
        }
    }
}

void unpack_row(
    const BandLayout& layout, const std::uint8_t* band, int row_in_band, std::int64_t in_dim, std::byte* row) {
    auto* target = reinterpret_cast<std::uint8_t*>(row);
    const FormatInfo& info = format_info(layout.format);
    if (is_dense(layout.format)) {
        const int size = info.block_bytes;
        for (std::int64_t k = 0; k < in_dim; ++k)
            std::memcpy(
                target + k * size, band + (k * layout.lanes + row_in_band) * size, static_cast<std::size_t>(size));
        return;
    }
    const UnitPlaces at = places_of(layout);
    const std::int64_t bytes = unit_bytes(layout);
    UnitFields fields;
    for (std::int64_t unit = 0; unit < in_dim / info.block_weights; ++unit) {
        load_unit(layout, at, row_in_band, band + unit * bytes, fields);
        shift_codes(layout, fields);
        write_unit(layout.format, fields, target + unit * info.block_bytes);
    }
}

} // namespace vitrine::kernels::cpu
