// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: nearest names.
#include "engine/base/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kLongestName = 64; // a longer one is no name: not worth the quadratic work

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
    if (name.size() > kLongestName)
        return {};
    std::string_view best;
    std::size_t least = kLongestName;
    for (const std::string_view candidate : known) {
        const std::size_t edits = distance(name, candidate);
        if (edits < least && 2 * edits <= std::max(name.size(), candidate.size())) {
            least = edits;
            best = candidate;
        }
    }
    return best;
}

Phrase known_names(std::string_view name, std::span<const std::string_view> known) {
    const std::string_view nearest = nearest_name(name, known);
    const std::string all = fmt::format("{}", fmt::join(known, ", "));
    return nearest.empty() ? say(Sentence::known_names, all) : say(Sentence::nearest_and_known_names, nearest, all);
}

} // namespace vitrine::engine
