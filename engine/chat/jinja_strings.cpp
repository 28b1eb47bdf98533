// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: Python's str operations on text with origin.
#include "engine/chat/jinja_strings.h"

#include "engine/chat/jinja_unicode.h"

#include <algorithm>

namespace vitrine::engine {
namespace {

bool is_stripped(std::string_view bytes, std::size_t at, const JinjaText* chars) {
    const std::size_t length = utf8_length_at(bytes, at);
    if (chars == nullptr)
        return is_space(utf8_decode_at(bytes, at));
    return chars->bytes.find(bytes.substr(at, length)) != std::string::npos;
}

std::size_t previous(std::string_view bytes, std::size_t at) {
    do
        --at;
    while (at > 0 && (static_cast<unsigned char>(bytes[at]) & 0xC0U) == 0x80U);
    return at;
}

std::vector<JinjaValue> split_space(const JinjaText& text, std::int64_t max_splits, bool from_right) {
    std::vector<std::pair<std::size_t, std::size_t>> words;
    const std::string_view bytes = text.bytes;
    for (std::size_t i = 0; i < bytes.size();) {
        if (is_stripped(bytes, i, nullptr)) {
            i += utf8_length_at(bytes, i);
            continue;
        }
        std::size_t end = i;
        while (end < bytes.size() && !is_stripped(bytes, end, nullptr))
            end += utf8_length_at(bytes, end);
        words.emplace_back(i, end);
        i = end;
    }
    const auto limit = static_cast<std::size_t>(max_splits);
    if (max_splits >= 0 && words.size() > limit + 1) {
        if (from_right) { // the first words stay together, with what stands before them
            words[words.size() - limit - 1].first = 0;
            words.erase(words.begin(), words.end() - static_cast<std::ptrdiff_t>(limit) - 1);
        } else {
            words[limit].second = words.back().second;
            words.resize(limit + 1);
            words.back().second = bytes.size();
        }
    }
    std::vector<JinjaValue> parts;
    for (const auto& [begin, end] : words)
        parts.emplace_back(text.slice(begin, end));
    return parts;
}

} // namespace

JinjaText text_strip(const JinjaText& text, const JinjaText* chars, bool left, bool right) {
    std::size_t begin = 0;
    std::size_t end = text.bytes.size();
    while (left && begin < end && is_stripped(text.bytes, begin, chars))
        begin += utf8_length_at(text.bytes, begin);
    while (right && end > begin && is_stripped(text.bytes, previous(text.bytes, end), chars))
        end = previous(text.bytes, end);
    return text.slice(begin, end);
}

std::vector<JinjaValue> text_split(
    const JinjaText& text, const JinjaText* separator, std::int64_t max_splits, bool from_right) {
    if (separator == nullptr)
        return split_space(text, max_splits, from_right);
    if (separator->bytes.empty())
        throw JinjaError{"ValueError: empty separator"};
    std::vector<JinjaValue> parts;
    const std::string& bytes = text.bytes;
    if (!from_right) {
        std::size_t begin = 0;
        for (; max_splits != 0; --max_splits) {
            const std::size_t found = bytes.find(separator->bytes, begin);
            if (found == std::string::npos)
                break;
            parts.emplace_back(text.slice(begin, found));
            begin = found + separator->bytes.size();
        }
        parts.emplace_back(text.slice(begin, bytes.size()));
        return parts;
    }
    std::size_t end = bytes.size();
    for (; max_splits != 0 && end >= separator->bytes.size(); --max_splits) {
        const std::size_t found = bytes.rfind(separator->bytes, end - separator->bytes.size());
        if (found == std::string::npos)
            break;
        parts.emplace_back(text.slice(found + separator->bytes.size(), end));
        end = found;
    }
    parts.emplace_back(text.slice(0, end));
    std::reverse(parts.begin(), parts.end());
    return parts;
}

std::vector<JinjaText> text_lines(const JinjaText& text, bool keep_ends) {
    const auto is_break = [](char32_t c) {
        return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
    };
    std::vector<JinjaText> lines;
    const std::string& bytes = text.bytes;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = utf8_length_at(bytes, i);
        if (!is_break(utf8_decode_at(bytes, i))) {
            i += length;
            continue;
        }
        const std::size_t next = i + (bytes.compare(i, 2, "\r\n") == 0 ? 2 : length);
        lines.push_back(text.slice(begin, keep_ends ? next : i));
        begin = i = next;
    }
    if (begin < bytes.size())
        lines.push_back(text.slice(begin, bytes.size()));
    return lines;
}

JinjaText text_replace(
    const JinjaText& text, const JinjaText& old_text, const JinjaText& new_text, std::int64_t max_count) {
    JinjaText out;
    out.markup = text.markup;
    const std::string& bytes = text.bytes;
    std::size_t begin = 0;
    std::size_t search = 0;
    for (; max_count != 0; --max_count) {
        const std::size_t found = old_text.bytes.empty() ? search : bytes.find(old_text.bytes, search);
        if (found == std::string::npos || found > bytes.size())
            break;
        out.append(text, begin, found);
        out.append(new_text);
        begin = found + old_text.bytes.size();
        search = begin;
        if (old_text.bytes.empty()) // between all characters
            search = found < bytes.size() ? found + utf8_length_at(bytes, found) : found + 1;
        if (out.bytes.size() > (std::size_t{64} << 20U))
            throw JinjaError{"MemoryError: the result of replace is too large"};
    }
    out.append(text, begin, bytes.size());
    return out;
}

JinjaText text_case(const JinjaText& text, TextCase to) {
    JinjaText out;
    out.markup = text.markup;
    bool after_letter = false;
    for (std::size_t i = 0; i < text.bytes.size();) {
        const std::size_t length = utf8_length_at(text.bytes, i);
        const char32_t c = utf8_decode_at(text.bytes, i);
        const bool raises = to == TextCase::upper || (to == TextCase::title && !after_letter) ||
            (to == TextCase::capitalize && i == 0) || (to == TextCase::swap && is_lower(c));
        const char32_t mapped = raises ? simple_upper(c) : simple_lower(c);
        after_letter = is_upper(c) || is_lower(c);
        JinjaText piece;
        if (c == 0xDF && raises) // the one common letter whose upper case is two
            piece.bytes = to == TextCase::upper || to == TextCase::swap ? "SS" : "Ss";
        else
            utf8_append(piece.bytes, mapped);
        if (!text.marks.empty())
            piece.marks.assign(piece.bytes.size(), text.marks[i]);
        out.append(piece);
        i += length;
    }
    return out;
}

} // namespace vitrine::engine
