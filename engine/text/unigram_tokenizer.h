// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: the unigram language model (Kudo 2018, arXiv:1804.10959): of all ways to spell a word the likeliest.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/text/charsmap.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

/// Text is normalized by the file's charsmap, runs of spaces shrink to one and ends are stripped where the file says so, and words
/// begin with U+2581.
class UnigramTokenizer final : public Tokenizer {
public:
    [[nodiscard]] static std::unique_ptr<const Tokenizer> create(std::unique_ptr<const Vocab> vocab, Charsmap charsmap);

protected:
    [[nodiscard]] Result<void> encode_fragment(
        std::string_view text, EncodeScratch& scratch, std::vector<TokenId>& ids) const override;

private:
    UnigramTokenizer(std::unique_ptr<const Vocab> vocab, Charsmap charsmap);
    /// Viterbi over the characters; neighbouring characters that nothing spells are one unknown token, or their bytes.
    void encode_word(std::string_view word, std::vector<TokenId>& ids) const;
    void append_unknown(std::string_view text, std::vector<TokenId>& ids) const;

    const Charsmap charsmap_;
    std::size_t longest_ = 0; // bytes of a piece
    double unknown_score_ = 0;
};

} // namespace vitrine::engine
