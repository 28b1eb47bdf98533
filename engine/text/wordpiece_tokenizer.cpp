// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: WordPiece.
#include "engine/text/wordpiece_tokenizer.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "engine/base/utf8.h"

namespace vitrine::engine {
namespace {

constexpr std::string_view kWordStart = "\xE2\x96\x81"; // U+2581
constexpr std::size_t kMaxWordCharacters = 100;

bool is_space(char32_t c) {
    return c == '\t' || c == '\n' || c == '\r' || u_isUWhiteSpace(static_cast<UChar32>(c));
}

/// Control, format, private and unassigned characters.
bool is_control(char32_t c) {
    const auto category = u_charType(static_cast<UChar32>(c));
    return category == U_CONTROL_CHAR || category == U_FORMAT_CHAR || category == U_PRIVATE_USE_CHAR ||
        category == U_UNASSIGNED || category == U_SURROGATE;
}

/// Unicode punctuation, and every ASCII character that is no letter, digit or space.
bool is_punctuation(char32_t c) {
    const bool ascii = (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
    return ascii || u_ispunct(static_cast<UChar32>(c));
}

/// The blocks that BERT pads with spaces; Hangul and kana are not among them.
bool is_chinese(char32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
        (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
        (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

/// Canonical decomposition of one character; the whole text's differs from it in the order of marks alone, which go.
void append_decomposed(std::u32string& out, char32_t c) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* form = unorm2_getNFDInstance(&status);
    UChar units[64];
    const std::int32_t length =
        U_SUCCESS(status) ? unorm2_getDecomposition(form, static_cast<UChar32>(c), units, 64, &status) : -1;
    if (length < 0 || U_FAILURE(status)) {
        out += c;
        return;
    }
    for (std::int32_t i = 0; i < length;) {
        UChar32 part = 0;
        U16_NEXT(units, i, length, part);
        out += static_cast<char32_t>(part);
    }
}

/// Full lower case: one character may become several (U+0130).
void append_lower(std::string& out, char32_t c) {
    UChar source[2];
    std::int32_t count = 0;
    U16_APPEND_UNSAFE(source, count, static_cast<UChar32>(c));
    UChar units[8];
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t length = u_strToLower(units, 8, source, count, "", &status);
    if (U_FAILURE(status)) {
        append_utf8(out, c);
        return;
    }
    for (std::int32_t i = 0; i < length;) {
        UChar32 part = 0;
        U16_NEXT(units, i, length, part);
        append_utf8(out, static_cast<char32_t>(part));
    }
}

/// Collects words; a character that stands alone ends the word before it.
class WordSplitter {
public:
    void add(char32_t c, bool lowercase) {
        if (is_space(c)) {
            end_word();
            return;
        }
        const bool alone = is_punctuation(c) || is_chinese(c);
        if (alone)
            end_word();
        if (lowercase)
            append_lower(word_, c);
        else
            append_utf8(word_, c);
        if (alone)
            end_word();
    }
    std::vector<std::string> finish() {
        end_word();
        return std::move(words_);
    }

private:
    void end_word() {
        if (!word_.empty())
            words_.push_back(std::exchange(word_, {}));
    }
    std::string word_;
    std::vector<std::string> words_;
};

} // namespace

std::vector<std::string> bert_words(std::string_view text, bool lowercase) {
    WordSplitter splitter;
    std::u32string parts;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Step step = decode_utf8(text, at);
        at += static_cast<std::size_t>(step.length);
        const char32_t c = step.code_point;
        if (!is_space(c) && (c == 0 || c == kReplacementCharacter || is_control(c)))
            continue;
        if (!lowercase) {
            splitter.add(c, false);
            continue;
        }
        parts.clear();
        append_decomposed(parts, c);
        for (const char32_t part : parts)
            if (u_charType(static_cast<UChar32>(part)) != U_NON_SPACING_MARK)
                splitter.add(part, true);
    }
    return splitter.finish();
}

WordpieceTokenizer::WordpieceTokenizer(std::unique_ptr<const Vocab> words) : Tokenizer(std::move(words), {}) {}

std::unique_ptr<const Tokenizer> WordpieceTokenizer::create(std::unique_ptr<const Vocab> vocab) {
    return std::unique_ptr<const Tokenizer>(new WordpieceTokenizer(std::move(vocab)));
}

void WordpieceTokenizer::encode_word(std::string_view word, std::vector<TokenId>& ids) const {
    const std::size_t known = ids.size();
    const auto give_up = [&] {
        ids.resize(known);
        if (vocab().unknown)
            ids.push_back(*vocab().unknown);
    };
    if (count_code_points(word) > kMaxWordCharacters)
        return give_up();
    std::string spelling(kWordStart);
    std::size_t head = kWordStart.size(); // only the first token carries the mark
    for (std::size_t begin = 0; begin < word.size();) {
        std::size_t end = word.size();
        TokenId id = TokenMap::kNone;
        for (; end > begin; --end) {
            if (end < word.size() && (static_cast<std::uint8_t>(word[end]) & 0xC0) == 0x80)
                continue; // inside a character
            spelling.resize(head);
            spelling += word.substr(begin, end - begin);
            id = vocab().find_piece(spelling);
            if (id != TokenMap::kNone)
                break;
        }
        if (id == TokenMap::kNone)
            return give_up();
        ids.push_back(id);
        begin = end;
        head = 0;
    }
}

Result<void> WordpieceTokenizer::encode_fragment(
    std::string_view text, EncodeScratch& /*scratch*/, std::vector<TokenId>& ids) const {
    for (const std::string& word : bert_words(text, vocab().lowercase))
        encode_word(word, ids);
    return {};
}

} // namespace vitrine::engine
