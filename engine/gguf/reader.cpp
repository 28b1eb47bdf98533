// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: the header of one GGUF file, after the GGUF specification (versions 2 and 3).
#include "engine/gguf/reader.h"

#include <algorithm>
#include <bit>
#include <fmt/core.h>
#include <limits>
#include <unordered_set>

#include "engine/gguf/byte_cursor.h"
#include "engine/gguf/limits.h"
#include "engine/gguf/types.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine::gguf {
namespace {

/// What the table says of a tensor, before its place in the file is checked.
struct TableRow {
    Tensor tensor;
    std::uint64_t offset = 0; // from the start of the data section
    std::optional<std::uint64_t> num_bytes; // unknown type: none
};

// The least a pair or a row takes: lengths, one character, type, value; lengths, one character, one dim, type, offset.
constexpr std::uint64_t kMinPairBytes = 8 + 1 + 4 + 1;
constexpr std::uint64_t kMinRowBytes = 8 + 1 + 4 + 8 + 4 + 8;

Result<std::uint32_t> read_version(ByteCursor& cursor) {
    const Result<std::uint32_t> magic = cursor.number<std::uint32_t>("the magic");
    VT_TRY(magic);
    if (*magic != kMagic)
        return fail(ErrorCode::bad_file,
            say(Sentence::wrong_magic, cursor.path(), fmt::format("0x{:08X}", *magic), fmt::format("0x{:08X}", kMagic)),
            say(Sentence::choose_gguf));
    const Result<std::uint32_t> version = cursor.number<std::uint32_t>("the version");
    VT_TRY(version);
    if (*version == 2 || *version == 3)
        return *version;
    if ((*version & 0xFFFFU) == 0 && *version != 0)
        return fail(
            ErrorCode::unsupported, say(Sentence::big_endian, cursor.path()), say(Sentence::convert_little_endian));
    return fail(ErrorCode::unsupported, say(Sentence::wrong_version, cursor.path(), std::to_string(*version)),
        say(Sentence::convert_currently));
}

/// dims and byte size of one row of the table; refuses zero dims, which hide overflow, and partial blocks.
Result<void> read_shape(ByteCursor& cursor, const std::string& field, TableRow& row) {
    const Result<std::uint32_t> num_dims = cursor.number<std::uint32_t>(field);
    VT_TRY(num_dims);
    if (*num_dims < 1 || *num_dims > kMaxDims)
        return cursor.bad(
            say(Sentence::part_found_range, fmt::format("{}: dimensions", field), *num_dims, 1, kMaxDims));
    std::int64_t num_weights = 1;
    for (std::uint32_t i = 0; i < *num_dims; ++i) {
        const Result<std::uint64_t> dim = cursor.number<std::uint64_t>(field);
        VT_TRY(dim);
        const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / num_weights);
        if (*dim < 1 || *dim > most)
            return cursor.bad(
                say(Sentence::part_found_range, fmt::format("{}: dimension {}", field, i), *dim, 1, most));
        row.tensor.dims.push_back(static_cast<std::int64_t>(*dim));
        num_weights *= row.tensor.dims.back();
    }
    const Result<std::uint32_t> type = cursor.number<std::uint32_t>(field);
    VT_TRY(type);
    row.tensor.type = *type;
    const std::optional<BlockInfo> block = block_info(*type);
    if (!block)
        return {};
    if (row.tensor.in_dim() % block->weights != 0)
        return cursor.bad(say(Sentence::part_found_multiple, fmt::format("{}: {}", field, tensor_type_name(*type)),
            row.tensor.in_dim(), block->weights));
    const std::int64_t num_blocks = num_weights / block->weights;
    if (num_blocks > std::numeric_limits<std::int64_t>::max() / block->bytes)
        return cursor.bad(say(Sentence::part_found_most, fmt::format("{}: weights", field), num_weights,
            std::numeric_limits<std::int64_t>::max() / block->bytes * block->weights));
    row.num_bytes = static_cast<std::uint64_t>(num_blocks * block->bytes);
    row.tensor.format = kernels::format_from_ggml_type(static_cast<int>(*type));
    return {};
}

Result<std::vector<TableRow>> read_table(ByteCursor& cursor, std::uint64_t num_tensors) {
    std::vector<TableRow> rows;
    rows.reserve(static_cast<std::size_t>(num_tensors));
    std::unordered_set<std::string> names;
    for (std::uint64_t i = 0; i < num_tensors; ++i) {
        TableRow row;
        Result<std::string> name = cursor.text(fmt::format("the name of tensor {}", i), kMaxNameBytes);
        VT_TRY(name);
        const std::string field = fmt::format("tensor {}", quoted(*name));
        if (name->empty() || !names.insert(*name).second)
            return cursor.bad(say(Sentence::part_empty_or_twice, field));
        row.tensor.name = std::move(*name);
        VT_TRY(read_shape(cursor, field, row));
        const Result<std::uint64_t> offset = cursor.number<std::uint64_t>(field);
        VT_TRY(offset);
        row.offset = *offset;
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<std::uint64_t> read_alignment(const ByteCursor& cursor, const Metadata& metadata) {
    if (metadata.find(kAlignmentKey) == nullptr)
        return kDefaultAlignment;
    const Result<std::int64_t> found = metadata.integer(kAlignmentKey);
    VT_TRY(found);
    const auto alignment = static_cast<std::uint64_t>(*found);
    if (!std::has_single_bit(alignment) || alignment > kMaxAlignment)
        return cursor.bad(
            say(Sentence::part_no_power_of_two, fmt::format("metadata \"{}\"", kAlignmentKey), *found, kMaxAlignment));
    return alignment;
}

/// Gives every tensor its bytes: aligned, inside the data section, none over another.
Result<void> place_tensors(
    const ByteCursor& cursor, std::span<const std::byte> bytes, std::uint64_t alignment, std::vector<TableRow>& rows) {
    if (rows.empty())
        return {};
    const std::uint64_t data_start = (cursor.at() + alignment - 1) / alignment * alignment;
    const std::uint64_t data_bytes = data_start > bytes.size() ? 0 : bytes.size() - data_start;
    std::vector<TableRow*> by_offset;
    for (TableRow& row : rows)
        by_offset.push_back(&row);
    std::stable_sort(
        by_offset.begin(), by_offset.end(), [](const TableRow* a, const TableRow* b) { return a->offset < b->offset; });
    std::uint64_t free_from = 0; // end of the tensor before
    for (TableRow* row : by_offset) {
        const std::string field = fmt::format("tensor {}", quoted(row->tensor.name));
        const std::uint64_t num_bytes = row->num_bytes.value_or(0);
        const std::uint64_t least_bytes = std::max<std::uint64_t>(num_bytes, 1); // of an unknown type: some
        if (row->offset % alignment != 0)
            return cursor.bad(
                say(Sentence::part_found_multiple, fmt::format("{}: offset", field), row->offset, alignment));
        if (row->offset < free_from)
            return cursor.bad(say(Sentence::offset_inside_other, field, row->offset, free_from));
        if (row->offset > data_bytes || least_bytes > data_bytes - row->offset)
            return fail(ErrorCode::bad_file,
                say(Sentence::file_data_end, cursor.path(), quoted(row->tensor.name), data_bytes, least_bytes,
                    row->offset),
                say(Sentence::download_again));
        row->tensor.bytes =
            bytes.subspan(static_cast<std::size_t>(data_start + row->offset), static_cast<std::size_t>(num_bytes));
        free_from = row->offset + least_bytes;
    }
    return {};
}

} // namespace

Result<Header> read_header(const std::string& path, std::span<const std::byte> bytes) {
    ByteCursor cursor(path, bytes);
    const Result<std::uint32_t> version = read_version(cursor);
    VT_TRY(version);
    const Result<std::uint64_t> num_tensors =
        cursor.count("the tensor count", kMinRowBytes, std::numeric_limits<std::int64_t>::max());
    VT_TRY(num_tensors);
    const Result<std::uint64_t> num_pairs =
        cursor.count("the metadata count", kMinPairBytes, std::numeric_limits<std::int64_t>::max());
    VT_TRY(num_pairs);
    Result<Metadata> metadata = Metadata::read(cursor, *num_pairs);
    VT_TRY(metadata);
    const Result<std::uint64_t> alignment = read_alignment(cursor, *metadata);
    VT_TRY(alignment);
    Result<std::vector<TableRow>> rows = read_table(cursor, *num_tensors);
    VT_TRY(rows);
    VT_TRY(place_tensors(cursor, bytes, *alignment, *rows));
    Header header{.version = *version, .metadata = std::move(*metadata), .tensors = {}};
    for (TableRow& row : *rows)
        header.tensors.push_back(std::move(row.tensor));
    return header;
}

} // namespace vitrine::engine::gguf
