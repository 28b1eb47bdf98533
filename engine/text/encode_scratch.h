// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: what one encode() call keeps from fragment to fragment.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "engine/text/pair_merger.h"
#include "engine/text/piece_memo.h"

namespace vitrine::engine {

/// Thread: one.  `spaced` holds all fragments with the spaces spelled U+2581; pieces in `memo` are views of it, so it is
/// reserved for the whole text and never grows beyond.
struct EncodeScratch {
    static constexpr std::string_view kSpaceSpelling = "\xE2\x96\x81"; // U+2581

    /// `num_fragments`: each may get a space of its own.
    EncodeScratch(std::string_view text, std::size_t num_fragments) : memo(text.size()) {
        const auto num_spaces = static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + num_fragments;
        spaced.reserve(text.size() + num_spaces * kSpaceSpelling.size());
    }

    /// Appends the fragment to `spaced`; the view stays valid.
    std::string_view spell(std::string_view fragment, bool prefix_space) {
        const std::size_t begin = spaced.size();
        if (prefix_space)
            spaced += kSpaceSpelling;
        for (const char c : fragment)
            c == ' ' ? spaced.append(kSpaceSpelling) : spaced.append(1, c);
        return std::string_view(spaced).substr(begin);
    }

    std::string spaced;
    PairMerger merger;
    PieceMemo memo;
};

} // namespace vitrine::engine
