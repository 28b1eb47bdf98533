// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: sets of Unicode scalar values.
#include <algorithm>

#include "engine/grammar/grammar_builder.h"

namespace vitrine::engine {
namespace {

constexpr char32_t kLast = 0x10FFFF;
constexpr CodePointRange kSurrogates{0xD800, 0xDFFF};

void append(CodePointSet& set, char32_t first, char32_t last) {
    last = std::min(last, kLast);
    if (first <= last)
        set.push_back({first, last});
}

CodePointSet merged(CodePointSet set) {
    std::ranges::sort(set);
    CodePointSet out;
    for (const CodePointRange& range : set) {
        if (!out.empty() && range.first <= out.back().last + 1)
            out.back().last = std::max(out.back().last, range.last);
        else
            out.push_back(range);
    }
    return out;
}

} // namespace

CodePointSet normalized(CodePointSet set) {
    CodePointSet split;
    for (const CodePointRange& range : set) {
        append(split, range.first, std::min<char32_t>(range.last, kSurrogates.first - 1));
        append(split, std::max<char32_t>(range.first, kSurrogates.last + 1), range.last);
    }
    return merged(std::move(split));
}

CodePointSet complement_of(const CodePointSet& set) {
    CodePointSet out;
    char32_t next = 0;
    for (const CodePointRange& range : set) {
        if (range.first > next)
            out.push_back({next, range.first - 1});
        next = range.last + 1;
    }
    append(out, next, kLast);
    return normalized(std::move(out));
}

CodePointSet intersection_of(const CodePointSet& a, const CodePointSet& b) {
    CodePointSet out;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        append(out, std::max(a[i].first, b[j].first), std::min(a[i].last, b[j].last));
        if (a[i].last < b[j].last)
            ++i;
        else
            ++j;
    }
    return out;
}

bool contains(const CodePointSet& set, char32_t code_point) noexcept {
    return std::ranges::any_of(set,
        [code_point](const CodePointRange& range) { return range.first <= code_point && code_point <= range.last; });
}

} // namespace vitrine::engine
