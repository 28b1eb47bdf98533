// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: SentencePiece's BPE model.
#include "engine/text/spm_tokenizer.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/base/utf8.h"
#include "engine/text/encode_scratch.h"

namespace vitrine::engine {
namespace {

constexpr std::string_view kSpaceSpelling = EncodeScratch::kSpaceSpelling;

} // namespace

SpmTokenizer::SpmTokenizer(std::unique_ptr<const Vocab> words) : Tokenizer(std::move(words), {}) {
    rank_scores();
    find_joined_words();
}

std::unique_ptr<const Tokenizer> SpmTokenizer::create(std::unique_ptr<const Vocab> vocab) {
    return std::unique_ptr<const Tokenizer>(new SpmTokenizer(std::move(vocab)));
}

void SpmTokenizer::rank_scores() {
    std::vector<TokenId> by_score(static_cast<std::size_t>(vocab().size()));
    std::iota(by_score.begin(), by_score.end(), 0);
    // Not-a-number in a damaged file sorts last, so that the order stays an order.
    const auto score = [this](TokenId id) {
        const float value = vocab().score(id);
        return value == value ? value : -std::numeric_limits<float>::infinity();
    };
    std::stable_sort(by_score.begin(), by_score.end(), [&](TokenId a, TokenId b) { return score(a) > score(b); });
    order_.resize(by_score.size());
    std::int32_t order = 0;
    for (std::size_t i = 0; i < by_score.size(); ++i) {
        if (i > 0 && score(by_score[i]) < score(by_score[i - 1]))
            ++order;
        order_[static_cast<std::size_t>(by_score[i])] = order;
    }
}

/// The bytes around the U+2581 at `space` (not at the start), as one number; nothing after it counts as 0.
std::size_t SpmTokenizer::border_of(std::string_view text, std::size_t space) noexcept {
    const std::size_t after = space + kSpaceSpelling.size();
    const auto next = after < text.size() ? static_cast<std::uint8_t>(text[after]) : std::uint8_t{0};
    return static_cast<std::size_t>(static_cast<std::uint8_t>(text[space - 1])) * 256 + next;
}

/// Words can be merged one by one wherever no token spans the border: much smaller heaps, the same result.
void SpmTokenizer::find_joined_words() {
    joins_.assign(std::size_t{256} * 256, false);
    for (TokenId id = 0; id < vocab().size(); ++id) {
        const std::string_view text = vocab().text(id);
        for (std::size_t at = text.find(kSpaceSpelling, 1); at != std::string_view::npos;
             at = text.find(kSpaceSpelling, at + 1)) {
            const std::size_t border = border_of(text, at);
            if (at + kSpaceSpelling.size() < text.size())
                joins_[border] = true;
            else // ends with it: anything may follow
                std::fill_n(joins_.begin() + static_cast<std::ptrdiff_t>(border), 256, true);
        }
    }
}

/// An unused token is taken apart the way it was put together: its parts are the best-scored pair that spells it.
void SpmTokenizer::append_unused(std::string_view text, std::vector<TokenId>& ids) const {
    PairMerger merger;
    for (std::size_t at = 0; at < text.size();) {
        const auto size = static_cast<std::size_t>(decode_utf8(text, at).length);
        merger.append(vocab().find_piece(text.substr(at, size)), static_cast<std::uint32_t>(at),
            static_cast<std::uint32_t>(size));
        at += size;
    }
    merger.run([&](const PairMerger::Symbol& left, const PairMerger::Symbol& right) -> PairMerger::Merge {
        const TokenId id = vocab().find_piece(text.substr(left.begin, left.size + right.size));
        if (id == TokenMap::kNone || vocab().kind(id) == TokenKind::unused)
            return {};
        return {.order = order_[static_cast<std::size_t>(id)], .id = id};
    });
    merger.for_each([&](const PairMerger::Symbol& symbol) {
        const bool unused = symbol.id != TokenMap::kNone && vocab().kind(symbol.id) == TokenKind::unused;
        append_symbol(text.substr(symbol.begin, symbol.size), unused ? TokenMap::kNone : symbol.id, ids);
    });
}

void SpmTokenizer::append_symbol(std::string_view text, TokenId id, std::vector<TokenId>& ids) const {
    if (id != TokenMap::kNone && vocab().kind(id) == TokenKind::unused) {
        append_unused(text, ids);
        return;
    }
    if (id != TokenMap::kNone) {
        ids.push_back(id);
        return;
    }
    const bool has_bytes = std::all_of(text.begin(), text.end(),
        [this](char c) { return vocab().byte_token(static_cast<std::uint8_t>(c)) != TokenMap::kNone; });
    if (!has_bytes) {
        if (vocab().unknown)
            ids.push_back(*vocab().unknown);
        return;
    }
    for (const char c : text)
        ids.push_back(vocab().byte_token(static_cast<std::uint8_t>(c)));
}

void SpmTokenizer::encode_word(std::string_view word, PairMerger& merger, std::vector<TokenId>& ids) const {
    merger.clear();
    for (std::size_t at = 0; at < word.size();) {
        const auto size = static_cast<std::size_t>(decode_utf8(word, at).length);
        merger.append(vocab().find_piece(word.substr(at, size)), static_cast<std::uint32_t>(at),
            static_cast<std::uint32_t>(size));
        at += size;
    }
    merger.run([&](const PairMerger::Symbol& left, const PairMerger::Symbol& right) -> PairMerger::Merge {
        const TokenId id = vocab().find_piece(word.substr(left.begin, left.size + right.size));
        if (id == TokenMap::kNone)
            return {};
        return {.order = order_[static_cast<std::size_t>(id)], .id = id};
    });
    merger.for_each([&](const PairMerger::Symbol& symbol) {
        append_symbol(word.substr(symbol.begin, symbol.size), symbol.id, ids);
    });
}

Result<void> SpmTokenizer::encode_fragment(
    std::string_view text, EncodeScratch& scratch, std::vector<TokenId>& ids) const {
    const std::string_view all = scratch.spell(text, vocab().add_space_prefix);
    const auto append = [&](std::string_view word) {
        scratch.memo.append(word, ids, [&] { encode_word(word, scratch.merger, ids); });
    };
    std::size_t begin = 0;
    for (std::size_t at = all.find(kSpaceSpelling, 1); at != std::string_view::npos;
         at = all.find(kSpaceSpelling, at + 1)) {
        if (joins_[border_of(all, at)])
            continue;
        append(all.substr(begin, at - begin));
        begin = at;
    }
    append(all.substr(begin));
    return {};
}

} // namespace vitrine::engine
