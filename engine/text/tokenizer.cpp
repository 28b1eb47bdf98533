// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: what all tokenizers share: special tokens, BOS and EOS, decoding.
#include "engine/text/tokenizer.h"

#include <algorithm>
#include <bit>

#include "engine/base/utf8.h"
#include "engine/text/bpe_tokenizer.h"
#include "engine/text/encode_scratch.h"
#include "engine/text/special_tokens.h"
#include "engine/text/spm_tokenizer.h"
#include "engine/text/unigram_tokenizer.h"
#include "engine/text/vocab.h"
#include "engine/text/wordpiece_tokenizer.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

/// Text and origin with U+FFFD for what is no UTF-8; a replacement is the user's if any byte of it was.
struct RepairedText {
    std::string text;
    std::vector<std::uint8_t> user_bytes;
};

RepairedText repaired(std::string_view text, std::span<const std::uint8_t> user_bytes) {
    RepairedText result;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = decode_utf8(text, at);
        const auto length = static_cast<std::size_t>(step.length);
        const std::string_view part = step.valid ? text.substr(at, length) : kReplacementUtf8;
        result.text += part;
        if (!user_bytes.empty()) {
            const auto origin = user_bytes.subspan(at, length);
            const bool user = std::any_of(origin.begin(), origin.end(), [](std::uint8_t b) { return b != 0; });
            step.valid ? result.user_bytes.insert(result.user_bytes.end(), origin.begin(), origin.end())
                       : result.user_bytes.insert(result.user_bytes.end(), part.size(), user ? 1 : 0);
        }
        at += length;
    }
    return result;
}

/// Of a std::string: the object, and what malloc takes beside it for a text that does not fit inside.
std::int64_t string_bytes(const std::string& text) {
    constexpr std::size_t kInside = 15, kChunk = 16;
    const std::size_t beside = text.size() <= kInside ? 0 : (text.size() + 1 + 8 + kChunk - 1) / kChunk * kChunk;
    return static_cast<std::int64_t>(sizeof(std::string) + beside);
}

/// Of a table of open addressing that is at most half full.
std::int64_t table_bytes(std::size_t num_entries, std::size_t slot_bytes) {
    return static_cast<std::int64_t>(std::bit_ceil(std::max<std::size_t>(num_entries, 4) * 2) * slot_bytes);
}

} // namespace

std::int64_t tokenizer_bytes(const gguf::File& file) {
    const std::vector<std::string>* tokens = file.texts("tokenizer.ggml.tokens");
    if (tokens == nullptr || !has_vocabulary(file))
        return 0;
    std::int64_t texts = 0;
    for (const std::string& token : *tokens)
        texts += string_bytes(token);
    // Spellings and bytes, two maps from spelling to id, and about twelve bytes a token: kind, score, order, rule.
    std::int64_t bytes = 2 * texts + 2 * table_bytes(tokens->size(), 8) + 12 * std::ssize(*tokens);
    if (const auto* merges = file.texts("tokenizer.ggml.merges"))
        bytes += table_bytes(merges->size(), 16);
    return bytes;
}

Tokenizer::Tokenizer(std::unique_ptr<const Vocab> vocab, std::vector<std::string> warnings)
    : vocab_(std::move(vocab)), special_(std::make_unique<SpecialTokens>(*vocab_)), warnings_(std::move(warnings)) {}

Tokenizer::~Tokenizer() = default;

Result<std::vector<TokenId>> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
    return encode(text, {}, options);
}

Result<std::vector<TokenId>> Tokenizer::encode(
    std::string_view text, std::span<const std::uint8_t> user_bytes, const EncodeOptions& options) const {
    // Symbols count bytes in 32 bits, and a space may take three.
    constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;
    if (text.size() > kMaxTextBytes || (!user_bytes.empty() && user_bytes.size() != text.size()))
        return fail(ErrorCode::invalid_argument,
            say(Sentence::text_too_long, text.size(), user_bytes.size(), kMaxTextBytes),
            say(Sentence::use_shorter_text));
    std::vector<TokenId> ids;
    ids.reserve(text.size() / 4 + 8);
    if (options.add_special && vocab_->add_bos)
        ids.push_back(*vocab_->bos);
    if (is_valid_utf8(text)) {
        VT_TRY(encode_parts(text, user_bytes, options.parse_special, ids));
    } else {
        const RepairedText whole = repaired(text, user_bytes);
        VT_TRY(encode_parts(whole.text, whole.user_bytes, options.parse_special, ids));
    }
    if (options.add_special && vocab_->add_eos)
        ids.push_back(*vocab_->eos);
    return ids;
}

Result<void> Tokenizer::encode_parts(std::string_view text, std::span<const std::uint8_t> user_bytes,
    bool parse_special, std::vector<TokenId>& ids) const {
    const std::vector<SpecialTokens::Match> matches = special_->find(text, user_bytes, parse_special);
    EncodeScratch scratch(text, matches.size() + 1);
    std::size_t done = 0;
    for (const SpecialTokens::Match& match : matches) {
        if (match.begin > done)
            VT_TRY(encode_fragment(text.substr(done, match.begin - done), scratch, ids));
        ids.push_back(match.id);
        done = match.end;
    }
    if (done < text.size())
        VT_TRY(encode_fragment(text.substr(done), scratch, ids));
    return {};
}

std::string Tokenizer::decode(std::span<const TokenId> ids, bool show_special) const {
    std::string bytes;
    bool at_start = strips_leading_space();
    for (const TokenId id : ids) {
        std::string_view part = token_bytes(id, show_special);
        if (at_start && !part.empty()) {
            at_start = false;
            if (part.front() == ' ')
                part.remove_prefix(1);
        }
        bytes += part;
    }
    return bytes;
}

std::string_view Tokenizer::token_bytes(TokenId id, bool show_special) const noexcept {
    if (!vocab_->has(id) || (vocab_->is_hidden(id) && !show_special))
        return {};
    return vocab_->bytes(id);
}

std::string_view Tokenizer::token_text(TokenId id) const noexcept {
    return vocab_->has(id) ? std::string_view(vocab_->text(id)) : std::string_view();
}

std::optional<TokenId> Tokenizer::find_token(std::string_view token_text) const noexcept {
    return vocab_->find(token_text);
}

bool Tokenizer::strips_leading_space() const noexcept {
    return vocab_->add_space_prefix;
}

int Tokenizer::vocab_size() const noexcept {
    return vocab_->size();
}

bool Tokenizer::is_control(TokenId id) const noexcept {
    return vocab_->has(id) && vocab_->kind(id) == TokenKind::control;
}

bool Tokenizer::is_special(TokenId id) const noexcept {
    if (!vocab_->has(id))
        return false;
    const TokenKind kind = vocab_->kind(id);
    return kind == TokenKind::control || kind == TokenKind::unknown || kind == TokenKind::user_defined;
}

bool Tokenizer::is_eog(TokenId id) const noexcept {
    return std::binary_search(vocab_->eog.begin(), vocab_->eog.end(), id);
}

std::span<const TokenId> Tokenizer::eog_ids() const noexcept {
    return vocab_->eog;
}

std::optional<TokenId> Tokenizer::bos_id() const noexcept {
    return vocab_->bos;
}

std::optional<TokenId> Tokenizer::eos_id() const noexcept {
    return vocab_->eos;
}

FillMarks Tokenizer::fill_marks() const noexcept {
    return vocab_->fill;
}

bool Tokenizer::adds_bos() const noexcept {
    return vocab_->add_bos;
}

bool Tokenizer::adds_eos() const noexcept {
    return vocab_->add_eos;
}

std::string_view Tokenizer::model() const noexcept {
    return vocab_->model_name;
}

std::string_view Tokenizer::pre_tokenizer() const noexcept {
    return vocab_->pre;
}

std::span<const std::string> Tokenizer::warnings() const noexcept {
    return warnings_;
}

Result<std::unique_ptr<const Tokenizer>> make_tokenizer(const gguf::File& file) {
    Result<std::unique_ptr<Vocab>> vocab = Vocab::load(file);
    VT_TRY(vocab);
    if ((*vocab)->model == TokenizerModel::spm)
        return SpmTokenizer::create(std::move(*vocab));
    if ((*vocab)->model == TokenizerModel::wordpiece)
        return WordpieceTokenizer::create(std::move(*vocab));
    if ((*vocab)->model == TokenizerModel::unigram) {
        std::string bytes;
        if (const auto* numbers = file.integers("tokenizer.ggml.precompiled_charsmap"); numbers != nullptr)
            for (const std::int64_t byte : *numbers)
                bytes += static_cast<char>(byte);
        auto charsmap = Charsmap::read(file.path(), bytes);
        VT_TRY(charsmap);
        return UnigramTokenizer::create(std::move(*vocab), *std::move(charsmap));
    }
    return BpeTokenizer::create(file, std::move(*vocab));
}

} // namespace vitrine::engine
