// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: byte-pair encoding (Sennrich et al. 2016), over bytes as GPT-2 does it, or over characters (gemma4).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/gguf/file.h"
#include "engine/text/pair_merger.h"
#include "engine/text/pre_tokenizer.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

class BpeTokenizer final : public Tokenizer {
public:
    /// Fails on a pre-tokenizer name that is not in the table, and on merges that are no pairs.
    [[nodiscard]] static Result<std::unique_ptr<const Tokenizer>> create(
        const gguf::File& file, std::unique_ptr<const Vocab> vocab);

protected:
    [[nodiscard]] Result<void> encode_fragment(
        std::string_view text, EncodeScratch& scratch, std::vector<TokenId>& ids) const override;

private:
    /// Rank and result by (left, right): open addressing, the merges are most of the work.
    class MergeTable {
    public:
        explicit MergeTable(std::size_t num_merges);
        void add(std::int32_t left, std::int32_t right, PairMerger::Merge merge); // the first of equal pairs stays
        [[nodiscard]] PairMerger::Merge find(std::int32_t left, std::int32_t right) const noexcept;

    private:
        struct Slot {
            std::uint64_t pair = kEmpty;
            PairMerger::Merge merge;
        };
        static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
        [[nodiscard]] static std::uint64_t pair_of(std::int32_t left, std::int32_t right) noexcept;
        [[nodiscard]] std::size_t first_slot(std::uint64_t pair) const noexcept;

        std::vector<Slot> slots_;
        std::size_t mask_;
    };

    BpeTokenizer(std::unique_ptr<const Vocab> vocab, std::vector<std::string> warnings, std::size_t num_merges);
    [[nodiscard]] Result<void> read_merges(const gguf::File& file, const std::vector<std::string>& merges);
    [[nodiscard]] std::int32_t symbol_of(
        std::string_view spelling, std::unordered_map<std::string, std::int32_t>& extra);
    void index_whole_pieces();
    void encode_piece(std::string_view piece, PairMerger& merger, std::vector<TokenId>& ids) const;
    void append_characters(std::string_view piece, PairMerger& merger) const;
    void append_bytes(std::string_view bytes, std::vector<TokenId>& ids) const;

    std::unique_ptr<const PreTokenizer> pre_tokenizer_;
    MergeTable merges_;
    std::int32_t num_symbols_; // tokens, then spellings that only merges know
    bool over_characters_ = false; // gemma4: symbols are characters, spaces spelled U+2581
    std::vector<std::string> whole_texts_; // ignore_merges: bytes of the normal tokens
    std::vector<TokenId> whole_ids_;
    std::unique_ptr<TokenMap> whole_pieces_; // null: merges decide alone
};

} // namespace vitrine::engine
