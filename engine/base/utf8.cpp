// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: UTF-8 by table 3-7 of the Unicode standard (well-formed byte sequences).
#include "engine/base/utf8.h"

#include <cstdint>

namespace vitrine::engine {
namespace {

/// What the first byte promises: bytes in all (0: cannot start a character) and the range of the second byte.
struct Lead {
    int length = 0;
    std::uint8_t second_min = 0x80;
    std::uint8_t second_max = 0xBF;
};

Lead lead_of(std::uint8_t byte) noexcept {
    if (byte < 0x80)
        return {.length = 1};
    if (byte < 0xC2 || byte > 0xF4)
        return {.length = 0};
    if (byte < 0xE0)
        return {.length = 2};
    if (byte < 0xF0) // E0: no overlong forms; ED: no surrogates
        return {.length = 3,
            .second_min = static_cast<std::uint8_t>(byte == 0xE0 ? 0xA0 : 0x80),
            .second_max = static_cast<std::uint8_t>(byte == 0xED ? 0x9F : 0xBF)};
    return {.length = 4,
        .second_min = static_cast<std::uint8_t>(byte == 0xF0 ? 0x90 : 0x80),
        .second_max = static_cast<std::uint8_t>(byte == 0xF4 ? 0x8F : 0xBF)};
}

} // namespace

Utf8Step decode_utf8(std::string_view text, std::size_t at) noexcept {
    const auto byte_at = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte_at(at);
    const Lead lead = lead_of(first);
    if (lead.length == 0)
        return {};
    if (lead.length == 1)
        return {.code_point = first, .length = 1, .valid = true};
    char32_t code_point = first & (0xFFU >> (lead.length + 1));
    for (int i = 1; i < lead.length; ++i) {
        if (at + static_cast<std::size_t>(i) >= text.size())
            return {.length = i, .truncated = true};
        const std::uint8_t byte = byte_at(at + static_cast<std::size_t>(i));
        const bool fits = i == 1 ? byte >= lead.second_min && byte <= lead.second_max : (byte & 0xC0) == 0x80;
        if (!fits)
            return {.length = i};
        code_point = (code_point << 6) | (byte & 0x3FU);
    }
    return {.code_point = code_point, .length = lead.length, .valid = true};
}

void append_utf8(std::string& text, char32_t code_point) {
    const auto put = [&text](char32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0 | (code_point >> 6));
        put(0x80 | (code_point & 0x3F));
    } else if (code_point < 0x10000) {
        put(0xE0 | (code_point >> 12));
        put(0x80 | ((code_point >> 6) & 0x3F));
        put(0x80 | (code_point & 0x3F));
    } else {
        put(0xF0 | (code_point >> 18));
        put(0x80 | ((code_point >> 12) & 0x3F));
        put(0x80 | ((code_point >> 6) & 0x3F));
        put(0x80 | (code_point & 0x3F));
    }
}

bool is_valid_utf8(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = decode_utf8(text, at);
        if (!step.valid)
            return false;
        at += static_cast<std::size_t>(step.length);
    }
    return true;
}

std::string replace_invalid_utf8(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = decode_utf8(text, at);
        const auto length = static_cast<std::size_t>(step.length);
        result += step.valid ? text.substr(at, length) : kReplacementUtf8;
        at += length;
    }
    return result;
}

std::size_t incomplete_utf8_tail(std::string_view text) noexcept {
    // A lead byte among the last three whose sequence the end cuts off.
    for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        const std::size_t at = text.size() - back;
        if ((static_cast<std::uint8_t>(text[at]) & 0xC0) == 0x80)
            continue;
        const Utf8Step step = decode_utf8(text, at);
        return step.truncated ? back : 0;
    }
    return 0;
}

std::size_t count_code_points(std::string_view text) noexcept {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count)
        at += static_cast<std::size_t>(decode_utf8(text, at).length);
    return count;
}

} // namespace vitrine::engine
