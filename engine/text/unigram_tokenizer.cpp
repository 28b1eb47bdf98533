// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: unigram language model.
#include "engine/text/unigram_tokenizer.h"

#include <algorithm>
#include <limits>

#include "engine/base/utf8.h"
#include "engine/text/encode_scratch.h"

namespace vitrine::engine {
namespace {

constexpr std::string_view kSpaceSpelling = EncodeScratch::kSpaceSpelling;
constexpr double kUnknownPenalty = 10; // below the worst piece, as SentencePiece has it

/// The likeliest way to spell the text up to here.
struct Node {
    double score = -std::numeric_limits<double>::infinity();
    std::size_t begin = 0; // of the last piece
    TokenId id = TokenMap::kNone; // kNone: a character that nothing spells
};

/// Runs of spaces shrink to one, none stand at the ends.
std::string squeezed(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c != ' ' || (!out.empty() && out.back() != ' '))
            out += c;
    if (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out;
}

} // namespace

UnigramTokenizer::UnigramTokenizer(std::unique_ptr<const Vocab> words, Charsmap charsmap)
    : Tokenizer(std::move(words), {}), charsmap_(std::move(charsmap)) {
    double worst = 0;
    for (TokenId id = 0; id < vocab().size(); ++id) {
        longest_ = std::max(longest_, vocab().text(id).size());
        if (const auto score = static_cast<double>(vocab().score(id)); score < worst) // not-a-number is not
            worst = score;
    }
    unknown_score_ = worst - kUnknownPenalty;
}

std::unique_ptr<const Tokenizer> UnigramTokenizer::create(std::unique_ptr<const Vocab> vocab, Charsmap charsmap) {
    return std::unique_ptr<const Tokenizer>(new UnigramTokenizer(std::move(vocab), std::move(charsmap)));
}

void UnigramTokenizer::append_unknown(std::string_view text, std::vector<TokenId>& ids) const {
    const bool has_bytes = std::all_of(text.begin(), text.end(),
        [this](char c) { return vocab().byte_token(static_cast<std::uint8_t>(c)) != TokenMap::kNone; });
    if (has_bytes)
        for (const char c : text)
            ids.push_back(vocab().byte_token(static_cast<std::uint8_t>(c)));
    else if (vocab().unknown)
        ids.push_back(*vocab().unknown);
}

void UnigramTokenizer::encode_word(std::string_view word, std::vector<TokenId>& ids) const {
    std::vector<Node> best(word.size() + 1);
    best[0].score = 0;
    for (std::size_t begin = 0; begin < word.size();) {
        const auto character = static_cast<std::size_t>(decode_utf8(word, begin).length);
        const auto offer = [&](std::size_t length, double score, TokenId id) {
            Node& node = best[begin + length];
            if (best[begin].score + score > node.score)
                node = {best[begin].score + score, begin, id};
        };
        bool spelled = false; // the character alone
        for (std::size_t end = begin + character; end <= word.size() && end - begin <= longest_;) {
            const TokenId id = vocab().find_piece(word.substr(begin, end - begin));
            if (id != TokenMap::kNone) {
                offer(end - begin, static_cast<double>(vocab().score(id)), id);
                spelled = spelled || end == begin + character;
            }
            end += end < word.size() ? static_cast<std::size_t>(decode_utf8(word, end).length) : 1;
        }
        if (!spelled)
            offer(character, unknown_score_, TokenMap::kNone);
        begin += character;
    }
    std::vector<Node> path; // from the end; begin of each, and its end is the next one's begin
    for (std::size_t at = word.size(); at > 0; at = best[at].begin)
        path.push_back(best[at]);
    for (std::size_t i = path.size(); i-- > 0;) {
        if (path[i].id != TokenMap::kNone) {
            ids.push_back(path[i].id);
            continue;
        }
        std::size_t last = i;
        while (last > 0 && path[last - 1].id == TokenMap::kNone)
            --last;
        const std::size_t end = last > 0 ? path[last - 1].begin : word.size();
        append_unknown(word.substr(path[i].begin, end - path[i].begin), ids);
        i = last;
    }
}

Result<void> UnigramTokenizer::encode_fragment(
    std::string_view text, EncodeScratch& /*scratch*/, std::vector<TokenId>& ids) const {
    std::string normal = charsmap_.normalize(text);
    if (vocab().squeezes_spaces)
        normal = squeezed(normal);
    std::string spelled;
    if (vocab().add_space_prefix && !normal.empty() && normal.front() != ' ' && !normal.starts_with(kSpaceSpelling))
        spelled = kSpaceSpelling;
    for (const char c : normal)
        c == ' ' ? spelled.append(kSpaceSpelling) : spelled.append(1, c);
    for (std::size_t begin = 0; begin < spelled.size();) {
        const std::size_t end = std::min(spelled.find(kSpaceSpelling, begin + 1), spelled.size());
        encode_word(std::string_view(spelled).substr(begin, end - begin), ids);
        begin = end;
    }
    return {};
}

} // namespace vitrine::engine
