// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: text to token ids and back, for one vocabulary.
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

namespace vitrine::engine {

using TokenId = std::int32_t; // as in engine/api/request.h

class Vocab;
class SpecialTokens;
struct EncodeScratch;

struct EncodeOptions {
    bool add_special = true; // BOS and EOS as the file asks for them
    bool parse_special = true; // control and unknown tokens in the text are found; user-defined ones always are
};

/// Immutable after make_tokenizer(): every member is safe from every thread at once.
class Tokenizer {
public:
    virtual ~Tokenizer();
    Tokenizer(const Tokenizer&) = delete;
    Tokenizer& operator=(const Tokenizer&) = delete;

    /// Invalid UTF-8 is read as U+FFFD per maximal subpart.  Fails when a pattern cannot be matched (out of memory).
    [[nodiscard]] Result<std::vector<TokenId>> encode(std::string_view text, const EncodeOptions& options) const;
    /// user_bytes: [text.size()], 1 where the byte came from a user.  A control or unknown token that touches such a
    /// byte stays text (text.md section 3, Injection); text without any is tokenized exactly as by the other overload.
    [[nodiscard]] Result<std::vector<TokenId>> encode(
        std::string_view text, std::span<const std::uint8_t> user_bytes, const EncodeOptions& options) const;

    /// Bytes of the ids in order: any bytes, not always UTF-8.  Control and unknown tokens are hidden unless
    /// `show_special`.  One leading space is dropped if strips_leading_space().  Ids outside the vocabulary give nothing.
    [[nodiscard]] std::string decode(std::span<const TokenId> ids, bool show_special = false) const;
    /// Bytes of one token, wherever it stands (no space stripped); empty for control and unknown unless `show_special`.
    [[nodiscard]] std::string_view token_bytes(TokenId id, bool show_special = false) const noexcept;
    /// The token as the vocabulary spells it ("Ġthe", "▁the", "<0x0A>"); empty outside the vocabulary.
    [[nodiscard]] std::string_view token_text(TokenId id) const noexcept;
    /// The lowest id with this spelling.
    [[nodiscard]] std::optional<TokenId> find_token(std::string_view token_text) const noexcept;

    [[nodiscard]] bool strips_leading_space() const noexcept; // decode drops one space at the start of a text
    [[nodiscard]] int vocab_size() const noexcept;
    [[nodiscard]] bool is_control(TokenId id) const noexcept; // control, and the end-of-generation tokens made so
    [[nodiscard]] bool is_special(TokenId id) const noexcept; // control, unknown or user-defined: found in raw text
    [[nodiscard]] bool is_eog(TokenId id) const noexcept; // generation ends on it
    [[nodiscard]] std::span<const TokenId> eog_ids() const noexcept; // rising
    [[nodiscard]] std::optional<TokenId> bos_id() const noexcept;
    [[nodiscard]] std::optional<TokenId> eos_id() const noexcept;
    [[nodiscard]] FillMarks fill_marks() const noexcept;
    [[nodiscard]] bool adds_bos() const noexcept;
    [[nodiscard]] bool adds_eos() const noexcept;
    [[nodiscard]] std::string_view model() const noexcept; // tokenizer.ggml.model
    [[nodiscard]] std::string_view pre_tokenizer() const noexcept; // tokenizer.ggml.pre, or empty
    [[nodiscard]] std::span<const std::string> warnings() const noexcept; // for the person who loads the model

protected:
    Tokenizer(std::unique_ptr<const Vocab> vocab, std::vector<std::string> warnings);
    [[nodiscard]] const Vocab& vocab() const noexcept { return *vocab_; }

    /// Text between special tokens: valid UTF-8, not empty.  Appends to `ids`.
    [[nodiscard]] virtual Result<void> encode_fragment(
        std::string_view text, EncodeScratch& scratch, std::vector<TokenId>& ids) const = 0;

private:
    [[nodiscard]] Result<void> encode_parts(std::string_view text, std::span<const std::uint8_t> user_bytes,
        bool parse_special, std::vector<TokenId>& ids) const;

    std::unique_ptr<const Vocab> vocab_;
    std::unique_ptr<const SpecialTokens> special_;
    std::vector<std::string> warnings_;
};

/// Bytes that make_tokenizer() of this file will keep, for the plan of a load; 0: the file has no vocabulary.  Thread: any.
[[nodiscard]] std::int64_t tokenizer_bytes(const gguf::File& file);

/// From tokenizer.ggml.*; an unknown tokenizer model or pre-tokenizer is refused by its name.
[[nodiscard]] Result<std::unique_ptr<const Tokenizer>> make_tokenizer(const gguf::File& file);

} // namespace vitrine::engine
