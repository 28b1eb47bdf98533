// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: reads little-endian numbers and strings out of a header, never past its end.
#include "engine/gguf/byte_cursor.h"

#include <algorithm>
#include <bit>
#include <fmt/core.h>

#include "engine/base/utf8.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine::gguf {

static_assert(std::endian::native == std::endian::little, "GGUF numbers are copied as they stand in the file");

std::string quoted(std::string_view foreign) {
    constexpr std::size_t kShown = 64;
    std::string result = "\"";
    for (const char c : replace_invalid_utf8(foreign.substr(0, kShown))) {
        const auto byte = static_cast<unsigned char>(c);
        result += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02X}", byte) : std::string(1, c);
    }
    return result + (foreign.size() > kShown ? "...\"" : "\"");
}

Result<void> ByteCursor::need(std::uint64_t num_bytes, std::string_view field) const {
    if (num_bytes <= left())
        return {};
    return fail(ErrorCode::bad_file, say(Sentence::file_ends_inside, path_, field, left(), at_, num_bytes),
        say(Sentence::download_again));
}

Result<std::string> ByteCursor::text(std::string_view field, std::uint64_t max_bytes) {
    const Result<std::uint64_t> length = number<std::uint64_t>(field);
    VT_TRY(length);
    if (*length > max_bytes)
        return bad(say(Sentence::part_found_most, fmt::format("{}: bytes", field), *length, max_bytes));
    VT_TRY(need(*length, field));
    std::string result(reinterpret_cast<const char*>(bytes_.data() + at_), static_cast<std::size_t>(*length));
    at_ += static_cast<std::size_t>(*length);
    return result;
}

Result<std::uint64_t> ByteCursor::count(std::string_view field, std::uint64_t item_bytes, std::uint64_t max_items) {
    const Result<std::uint64_t> items = number<std::uint64_t>(field);
    VT_TRY(items);
    // The division cannot overflow where the product could.
    if (*items > max_items || *items > left() / item_bytes)
        return bad(
            say(Sentence::part_found_most, field, *items, std::min<std::uint64_t>(max_items, left() / item_bytes)));
    return *items;
}

tl::unexpected<Error> ByteCursor::bad(PhraseValue what) const {
    return fail(
        ErrorCode::bad_file, say(Sentence::file_malformed, path_, std::move(what)), say(Sentence::convert_again));
}

} // namespace vitrine::engine::gguf
