// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: byte-pair encoding.
#include "engine/text/bpe_tokenizer.h"

#include <algorithm>
#include <bit>
#include <fmt/core.h>

#include "engine/base/nearest_name.h"
#include "engine/base/utf8.h"
#include "engine/text/encode_scratch.h"
#include "engine/text/pre_tokenizer_table.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";

/// "a b" -> (a, b).  The first space may be the left part's own, so the search starts after it.
std::optional<std::pair<std::string_view, std::string_view>> parts_of(std::string_view merge) {
    const std::size_t space = merge.find(' ', 1);
    if (space == std::string_view::npos || space + 1 == merge.size())
        return std::nullopt;
    return std::pair(merge.substr(0, space), merge.substr(space + 1));
}

/// Every name that a file may give, of all families.
std::vector<std::string_view> pre_tokenizer_names() {
    std::vector<std::string_view> names;
    for (const PreTokenizerRow& row : pre_tokenizer_table())
        names.insert(names.end(), row.names.begin(), row.names.end());
    return names;
}

} // namespace

BpeTokenizer::MergeTable::MergeTable(std::size_t num_merges)
    : slots_(std::bit_ceil(std::max<std::size_t>(num_merges, 4) * 2)), mask_(slots_.size() - 1) {}

std::uint64_t BpeTokenizer::MergeTable::pair_of(std::int32_t left, std::int32_t right) noexcept {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) | static_cast<std::uint32_t>(right);
}

std::size_t BpeTokenizer::MergeTable::first_slot(std::uint64_t pair) const noexcept {
    const std::uint64_t mixed = pair * 0x9E3779B97F4A7C15; // 2^64 / golden ratio
    return static_cast<std::size_t>(mixed ^ (mixed >> 32)) & mask_;
}

void BpeTokenizer::MergeTable::add(std::int32_t left, std::int32_t right, PairMerger::Merge merge) {
    const std::uint64_t pair = pair_of(left, right);
    std::size_t at = first_slot(pair);
    while (slots_[at].pair != kEmpty && slots_[at].pair != pair)
        at = (at + 1) & mask_;
    if (slots_[at].pair == kEmpty)
        slots_[at] = {pair, merge};
}

PairMerger::Merge BpeTokenizer::MergeTable::find(std::int32_t left, std::int32_t right) const noexcept {
    const std::uint64_t pair = pair_of(left, right);
    for (std::size_t at = first_slot(pair); slots_[at].pair != kEmpty; at = (at + 1) & mask_) {
        if (slots_[at].pair == pair)
            return slots_[at].merge;
    }
    return {};
}

BpeTokenizer::BpeTokenizer(
    std::unique_ptr<const Vocab> vocab, std::vector<std::string> warnings, std::size_t num_merges)
    : Tokenizer(std::move(vocab), std::move(warnings)), merges_(num_merges), num_symbols_(this->vocab().size()) {}

Result<std::unique_ptr<const Tokenizer>> BpeTokenizer::create(
    const gguf::File& file, std::unique_ptr<const Vocab> vocab) {
    const bool over_characters = vocab->model == TokenizerModel::spaced_bpe;
    const PreTokenizerRow* row = find_pre_tokenizer(over_characters ? "gemma4" : vocab->pre);
    if (row == nullptr)
        return fail(ErrorCode::unsupported, say(Sentence::pre_tokenizer_unknown, file.path(), vocab->pre),
            known_names(vocab->pre, pre_tokenizer_names()));
    std::vector<std::string> warnings;
    if (row->family == "default")
        warnings.push_back(
            fmt::format("The file names no pre-tokenizer (tokenizer.ggml.pre is \"{}\"): a general one is "
                        "used, and words may be cut otherwise than the model learned.",
                vocab->pre));
    const std::vector<std::string>* merges = file.texts(kMergesKey);
    if (merges == nullptr)
        return fail(ErrorCode::bad_file,
            say(Sentence::vocabulary_malformed, file.path(),
                fmt::format("metadata \"{}\": found no texts, needed the merges", kMergesKey)),
            say(Sentence::use_complete_conversion));
    std::vector<std::string> patterns;
    for (const std::string_view pattern : row->patterns) {
        if (!pattern.empty())
            patterns.emplace_back(pattern);
    }
    Result<std::unique_ptr<const PreTokenizer>> pre = PreTokenizer::create(std::move(patterns));
    VT_TRY(pre);
    std::unique_ptr<BpeTokenizer> result(new BpeTokenizer(std::move(vocab), std::move(warnings), merges->size()));
    result->pre_tokenizer_ = std::move(*pre);
    result->over_characters_ = over_characters;
    VT_TRY(result->read_merges(file, *merges));
    if (row->ignore_merges)
        result->index_whole_pieces();
    return std::unique_ptr<const Tokenizer>(std::move(result));
}

/// The token of a spelling, or a number above all tokens for one that only merges know.
std::int32_t BpeTokenizer::symbol_of(std::string_view spelling, std::unordered_map<std::string, std::int32_t>& extra) {
    const TokenId id = vocab().find_piece(spelling);
    if (id != TokenMap::kNone)
        return id;
    const auto [place, added] = extra.try_emplace(std::string(spelling), num_symbols_);
    num_symbols_ += added ? 1 : 0;
    return place->second;
}

Result<void> BpeTokenizer::read_merges(const gguf::File& file, const std::vector<std::string>& merges) {
    std::unordered_map<std::string, std::int32_t> extra;
    std::string joined;
    for (std::size_t i = 0; i < merges.size(); ++i) {
        const auto parts = parts_of(merges[i]);
        if (!parts)
            return fail(ErrorCode::bad_file,
                say(Sentence::vocabulary_malformed, file.path(),
                    fmt::format("metadata \"{}\": entry {} is no pair \"a b\"", kMergesKey, i)),
                say(Sentence::use_complete_conversion));
        joined.assign(parts->first).append(parts->second);
        std::int32_t result = vocab().find_piece(joined);
        // Ordinary text must never become a control token, whatever the merges say.
        if (result == TokenMap::kNone && vocab().find(joined))
            continue;
        if (result == TokenMap::kNone)
            result = symbol_of(joined, extra);
        const std::int32_t left = symbol_of(parts->first, extra);
        const std::int32_t right = symbol_of(parts->second, extra);
        merges_.add(left, right, {.order = static_cast<std::int32_t>(i), .id = result});
    }
    return {};
}

void BpeTokenizer::index_whole_pieces() {
    const Vocab& words = vocab();
    for (TokenId id = 0; id < words.size(); ++id) {
        if (words.kind(id) != TokenKind::normal)
            continue;
        whole_texts_.push_back(words.bytes(id));
        whole_ids_.push_back(id);
    }
    whole_pieces_ = std::make_unique<TokenMap>(whole_texts_, whole_texts_.size());
    for (std::size_t i = 0; i < whole_texts_.size(); ++i)
        whole_pieces_->add(static_cast<std::int32_t>(i));
}

void BpeTokenizer::append_characters(std::string_view piece, PairMerger& merger) const {
    merger.clear();
    for (std::size_t at = 0; at < piece.size();) {
        const int length = over_characters_ ? decode_utf8(piece, at).length : 1;
        const auto size = static_cast<std::size_t>(length);
        const TokenId id = over_characters_ ? vocab().find_piece(piece.substr(at, size))
                                            : vocab().byte_token(static_cast<std::uint8_t>(piece[at]));
        // A byte without a token (SmolLM2 has none for 0xF3) is dropped before merging, as the originals do: their "unknown"
        // is the end of text, which no content may make.
        if (over_characters_ || id != TokenMap::kNone)
            merger.append(id, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(size));
        at += size;
    }
}

void BpeTokenizer::append_bytes(std::string_view bytes, std::vector<TokenId>& ids) const {
    for (const char c : bytes) {
        const TokenId id = vocab().byte_token(static_cast<std::uint8_t>(c));
        if (id != TokenMap::kNone)
            ids.push_back(id);
    }
}

void BpeTokenizer::encode_piece(std::string_view piece, PairMerger& merger, std::vector<TokenId>& ids) const {
    if (whole_pieces_ != nullptr) {
        if (const std::int32_t whole = whole_pieces_->find(piece); whole != TokenMap::kNone) {
            ids.push_back(whole_ids_[static_cast<std::size_t>(whole)]);
            return;
        }
    }
    append_characters(piece, merger);
    merger.run([this](const PairMerger::Symbol& left, const PairMerger::Symbol& right) {
        return merges_.find(left.id, right.id);
    });
    merger.for_each([&](const PairMerger::Symbol& symbol) {
        if (vocab().has(symbol.id))
            ids.push_back(symbol.id);
        else
            append_bytes(piece.substr(symbol.begin, symbol.size), ids);
    });
}

Result<void> BpeTokenizer::encode_fragment(
    std::string_view text, EncodeScratch& scratch, std::vector<TokenId>& ids) const {
    if (over_characters_)
        text = scratch.spell(text, false);
    const Result<std::vector<PreTokenizer::Piece>> pieces = pre_tokenizer_->split(text);
    VT_TRY(pieces);
    for (const PreTokenizer::Piece place : *pieces) {
        const std::string_view piece = text.substr(place.begin, place.size);
        scratch.memo.append(piece, ids, [&] { encode_piece(piece, scratch.merger, ids); });
    }
    return {};
}

} // namespace vitrine::engine
