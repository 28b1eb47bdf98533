// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: SentencePiece's BPE model (Kudo and Richardson 2018): the best-scored neighbours merge first.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/pair_merger.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

class SpmTokenizer final : public Tokenizer {
public:
    [[nodiscard]] static std::unique_ptr<const Tokenizer> create(std::unique_ptr<const Vocab> vocab);

protected:
    [[nodiscard]] Result<void> encode_fragment(
        std::string_view text, EncodeScratch& scratch, std::vector<TokenId>& ids) const override;

private:
    explicit SpmTokenizer(std::unique_ptr<const Vocab> vocab);
    void rank_scores();
    void find_joined_words();
    [[nodiscard]] static std::size_t border_of(std::string_view text, std::size_t space) noexcept;
    void encode_word(std::string_view word, PairMerger& merger, std::vector<TokenId>& ids) const;
    void append_symbol(std::string_view text, TokenId id, std::vector<TokenId>& ids) const;
    void append_unused(std::string_view text, std::vector<TokenId>& ids) const;

    std::vector<std::int32_t> order_; // by token: 0 is the highest score, equal scores are equal
    std::vector<bool> joins_; // [256 * 256]: last byte before, first byte after a U+2581 that some token spans
};

} // namespace vitrine::engine
