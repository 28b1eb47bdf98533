// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: compiled normalization.
#include "engine/text/charsmap.h"

#include <cstring>
#include <memory>

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include "engine/base/check.h"
#include "engine/base/utf8.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxGraphemeBytes = 5;

// A unit of the array: a label in the low byte (of an inner node), a mark that a value follows, an offset to the children.
std::uint32_t label_of(std::uint32_t unit) noexcept {
    return unit & (0x80000000U | 0xFFU);
}
bool has_value(std::uint32_t unit) noexcept {
    return (unit >> 8 & 1U) != 0;
}
std::uint32_t offset_of(std::uint32_t unit) noexcept {
    return (unit >> 10) << ((unit & (1U << 9)) >> 6);
}

using Breaks = std::unique_ptr<UBreakIterator, decltype(&ubrk_close)>;
using Text = std::unique_ptr<UText, decltype(&utext_close)>;

} // namespace

Result<Charsmap> Charsmap::read(const std::string& path, std::string_view bytes) {
    Charsmap map;
    if (bytes.empty())
        return map;
    std::uint32_t length = 0;
    if (bytes.size() >= sizeof length)
        std::memcpy(&length, bytes.data(), sizeof length);
    if (bytes.size() < sizeof length || length == 0 || length % 4 != 0 || length > bytes.size() - sizeof length)
        return fail(ErrorCode::bad_file,
            say(Sentence::file_malformed, path,
                say(Sentence::part_found_most, "precompiled_charsmap", length, bytes.size())),
            say(Sentence::fetch_model_again));
    map.units_.resize(length / 4);
    std::memcpy(map.units_.data(), bytes.data() + sizeof length, length);
    map.texts_ = bytes.substr(sizeof length + length);
    return map;
}

std::optional<std::string_view> Charsmap::replacement(std::string_view part) const noexcept {
    std::size_t node = offset_of(units_[0]);
    for (const char c : part) {
        const auto byte = static_cast<std::uint8_t>(c);
        node ^= byte;
        if (byte == 0 || node >= units_.size() || label_of(units_[node]) != byte)
            return std::nullopt;
        const std::uint32_t unit = units_[node];
        node ^= offset_of(unit);
        if (!has_value(unit))
            continue;
        const std::size_t at = node < units_.size() ? units_[node] & 0x7FFFFFFFU : texts_.size();
        if (at >= texts_.size())
            return std::nullopt;
        const std::string_view rest = std::string_view(texts_).substr(at);
        return rest.substr(0, rest.find('\0'));
    }
    return std::nullopt;
}

void Charsmap::append(std::string_view grapheme, std::string& out) const {
    if (grapheme.size() <= kMaxGraphemeBytes)
        if (const auto whole = replacement(grapheme)) {
            out += *whole;
            return;
        }
    for (std::size_t at = 0; at < grapheme.size();) {
        const auto length = static_cast<std::size_t>(decode_utf8(grapheme, at).length);
        const std::string_view character = grapheme.substr(at, length);
        out += replacement(character).value_or(character);
        at += length;
    }
}

std::string Charsmap::normalize(std::string_view text) const {
    if (units_.empty())
        return std::string(text);
    std::string out;
    out.reserve(text.size());
    UErrorCode status = U_ZERO_ERROR;
    const Text utext(
        utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status), utext_close);
    const Breaks breaks(ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &status), ubrk_close);
    if (U_SUCCESS(status))
        ubrk_setUText(breaks.get(), utext.get(), &status);
    VT_CHECK(U_SUCCESS(status)); // ICU without its own data
    std::int32_t begin = ubrk_first(breaks.get());
    for (std::int32_t end = ubrk_next(breaks.get()); end != UBRK_DONE; begin = end, end = ubrk_next(breaks.get()))
        append(text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), out);
    return out;
}

} // namespace vitrine::engine
