// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: the vocabulary of a GGUF file: spellings, kinds, bytes, special ids.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "engine/text/fill_marks.h"
#include "engine/text/token_map.h"

namespace vitrine::engine {

using TokenId = std::int32_t;

/// tokenizer.ggml.token_type
enum class TokenKind : std::uint8_t { normal = 1, unknown, control, user_defined, unused, byte };

/// bpe: bytes spelled in GPT-2's printable alphabet.  spm: SentencePiece, space spelled U+2581, bytes as <0xXX>.
/// spaced_bpe (gemma4): merges over characters, spelled as spm.  wordpiece (bert): U+2581 begins a word.  unigram (t5): the
/// likeliest pieces by score, spelled as spm.
enum class TokenizerModel : std::uint8_t { bpe, spm, spaced_bpe, wordpiece, unigram };

/// Does the file name a tokenizer?  llama.cpp writes "no_vocab" where there is none, as synthetic models have it.
[[nodiscard]] bool has_vocabulary(const gguf::File& file);

/// Immutable; safe from every thread.
class Vocab {
public:
    /// Checks lengths of the arrays, kinds and special ids.  Refuses a tokenizer model it does not know by name.
    [[nodiscard]] static Result<std::unique_ptr<Vocab>> load(const gguf::File& file);
    Vocab(const Vocab&) = delete;
    Vocab& operator=(const Vocab&) = delete;

    TokenizerModel model = TokenizerModel::bpe;
    std::string model_name; // "gpt2", "llama", "gemma4"
    std::string pre; // tokenizer.ggml.pre
    std::string lower_name; // general.name in lower case: some rules go by it
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
    std::optional<TokenId> unknown;
    bool add_bos = false;
    bool add_eos = false;
    bool add_space_prefix = false; // spm and unigram only
    bool squeezes_spaces = false; // unigram only: runs of spaces count as one, none at the ends
    bool lowercase = true; // wordpiece only: lower case, no accents
    std::vector<TokenId> eog; // rising
    FillMarks fill;

    [[nodiscard]] int size() const noexcept { return static_cast<int>(texts_.size()); }
    [[nodiscard]] bool has(TokenId id) const noexcept { return id >= 0 && id < size(); }
    // Requires of all below: has(id).
    [[nodiscard]] const std::string& text(TokenId id) const noexcept { return texts_[index(id)]; }
    [[nodiscard]] const std::string& bytes(TokenId id) const noexcept { return bytes_[index(id)]; }
    [[nodiscard]] TokenKind kind(TokenId id) const noexcept { return kinds_[index(id)]; }
    [[nodiscard]] bool is_hidden(TokenId id) const noexcept {
        return (kind(id) == TokenKind::control && !visible_[index(id)]) || kind(id) == TokenKind::unknown;
    }
    /// Requires: the model has scores (spm, unigram).
    [[nodiscard]] float score(TokenId id) const noexcept { return scores_[index(id)]; }

    [[nodiscard]] std::span<const std::string> texts() const noexcept { return texts_; }
    [[nodiscard]] std::optional<TokenId> find(std::string_view text) const noexcept; // any kind, lowest id
    /// What ordinary text may become: normal, user-defined, unused; kNone: no such token.
    [[nodiscard]] TokenId find_piece(std::string_view text) const noexcept { return pieces_->find(text); }
    [[nodiscard]] TokenId byte_token(std::uint8_t byte) const noexcept { return byte_tokens_[byte]; } // kNone: none

private:
    Vocab() = default;
    [[nodiscard]] static std::size_t index(TokenId id) noexcept { return static_cast<std::size_t>(id); }
    [[nodiscard]] Result<void> read_model(const gguf::File& file);
    [[nodiscard]] Result<void> read_tokens(const gguf::File& file);
    [[nodiscard]] Result<void> read_special_ids(const gguf::File& file);
    [[nodiscard]] Result<void> read_wordpiece(const gguf::File& file);
    [[nodiscard]] Result<void> read_end_ids(const gguf::File& file);
    [[nodiscard]] Result<void> read_fill_ids(const gguf::File& file);
    void index_pieces();
    void decode_texts();

    std::vector<std::string> texts_;
    std::vector<std::string> bytes_;
    std::vector<TokenKind> kinds_;
    std::vector<bool> visible_; // control for matching, shown to the parser (gpt-oss channels)
    std::vector<float> scores_;
    std::unique_ptr<TokenMap> all_;
    std::unique_ptr<TokenMap> pieces_;
    std::vector<TokenId> byte_tokens_; // [256]
};

} // namespace vitrine::engine
