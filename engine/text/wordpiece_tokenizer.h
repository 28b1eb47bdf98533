// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: WordPiece (Schuster and Nakajima 2012) behind BERT's normalizer and word splitting.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/tokenizer.h"
#include "engine/text/vocab.h"

namespace vitrine::engine {

/// GGUF spells a token that begins a word with U+2581 and one that goes on bare, where Hugging Face writes ## before the latter.
class WordpieceTokenizer final : public Tokenizer {
public:
    [[nodiscard]] static std::unique_ptr<const Tokenizer> create(std::unique_ptr<const Vocab> vocab);

protected:
    [[nodiscard]] Result<void> encode_fragment(
        std::string_view text, EncodeScratch& scratch, std::vector<TokenId>& ids) const override;

private:
    explicit WordpieceTokenizer(std::unique_ptr<const Vocab> vocab);
    /// Longest token first; one unknown token for a word that no tokens spell, or of more than 100 characters.
    void encode_word(std::string_view word, std::vector<TokenId>& ids) const;
};

/// BERT's words of a text: control characters gone, accents too when `lowercase`, split at white space, around punctuation and
/// around Chinese characters.  text: valid UTF-8.  Pure.
[[nodiscard]] std::vector<std::string> bert_words(std::string_view text, bool lowercase);

} // namespace vitrine::engine
