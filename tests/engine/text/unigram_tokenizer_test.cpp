// SPDX-License-Identifier: GPL-3.0-or-later
// The likeliest spelling against all spellings, tried one by one; maps that are no maps.  Real ones: tests/golden/directory_test.
#include "engine/text/unigram_tokenizer.h"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace vitrine::engine {
namespace {

struct Piece {
    std::string text;
    double score;
};

Result<std::unique_ptr<const Tokenizer>> make(const std::vector<Piece>& pieces, bool with_scores = true) {
    gguf::Assembly assembly;
    assembly.path = "made here";
    std::vector<std::string> texts;
    std::vector<double> scores;
    std::vector<std::int64_t> kinds;
    for (const Piece& piece : pieces) {
        texts.push_back(piece.text);
        scores.push_back(piece.score);
        kinds.push_back(static_cast<std::int64_t>(texts.size() == 1 ? TokenKind::unknown : TokenKind::normal));
    }
    assembly.metadata = {{"tokenizer.ggml.model", std::string("t5")}, {"tokenizer.ggml.tokens", texts},
        {"tokenizer.ggml.token_type", kinds}, {"tokenizer.ggml.unknown_token_id", std::int64_t{0}},
        {"tokenizer.ggml.bos_token_id", std::int64_t{-1}}, {"tokenizer.ggml.eos_token_id", std::int64_t{-1}}};
    if (with_scores)
        assembly.metadata.emplace_back("tokenizer.ggml.scores", scores);
    const auto file = gguf::File::assemble(std::move(assembly));
    EXPECT_TRUE(file);
    return make_tokenizer(**file);
}

TEST(Unigram, TakesTheLikeliestOfAllSpellings) {
    const std::vector<Piece> pieces{{"<unk>", 0}, {"\u2581", -3}, {"a", -2.5}, {"b", -2.75}, {"ab", -4}, {"ba", -4.125},
        {"aba", -6.5}, {"bb", -6}, {"\u2581a", -4.5}, {"bab", -6.25}};
    const auto tokenizer = make(pieces);
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    std::mt19937 random(5);
    for (int trial = 0; trial < 60; ++trial) {
        std::string word;
        for (unsigned i = 0; i < 1 + random() % 9; ++i)
            word += random() % 2 == 0 ? 'a' : 'b';
        const std::string spelled = "\u2581" + word;
        double best = -std::numeric_limits<double>::infinity();
        const std::function<void(std::size_t, double)> spell = [&](std::size_t at, double score) {
            if (at == spelled.size())
                best = std::max(best, score);
            for (const Piece& piece : pieces)
                if (spelled.compare(at, piece.text.size(), piece.text) == 0)
                    spell(at + piece.text.size(), score + piece.score);
        };
        spell(0, 0);
        const auto ids = (*tokenizer)->encode(word, {});
        ASSERT_TRUE(ids);
        double score = 0;
        std::string whole;
        for (const TokenId id : *ids) {
            score += pieces[static_cast<std::size_t>(id)].score;
            whole += pieces[static_cast<std::size_t>(id)].text;
        }
        EXPECT_EQ(whole, spelled);
        EXPECT_DOUBLE_EQ(score, best) << word;
    }
}

TEST(Unigram, UnknownCharactersInARowAreOneToken) {
    const auto tokenizer = make({{"<unk>", 0}, {"\u2581", -3}, {"a", -2}});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(*(*tokenizer)->encode("axyza  \u00e9 ", {}), (std::vector<TokenId>{1, 2, 0, 2, 1, 0}));
    EXPECT_TRUE((*tokenizer)->encode("   ", {})->empty());
}

TEST(Unigram, RefusesAVocabularyWithoutScores) {
    const auto refused = make({{"<unk>", 0}, {"a", -2}}, false);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("scores"), std::string::npos);
}

TEST(Charsmap, AnyBytesAreRefusedOrHarmless) {
    EXPECT_EQ(Charsmap::read("m", "")->normalize("e\u0301"), "e\u0301");
    EXPECT_FALSE(Charsmap::read("m", "abc"));
    EXPECT_FALSE(Charsmap::read("m", std::string("\x08\0\0\0abcd", 8))); // announces 8 bytes, has 4
    EXPECT_FALSE(Charsmap::read("m", std::string(8, '\0')));
    std::mt19937 random(9);
    for (int trial = 0; trial < 200; ++trial) {
        std::string bytes(4 + 256, '\0');
        for (char& c : bytes)
            c = static_cast<char>(random());
        const std::uint32_t length = 128;
        std::memcpy(bytes.data(), &length, sizeof length);
        const auto map = Charsmap::read("m", bytes);
        ASSERT_TRUE(map);
        (void)map->normalize("plain text, caf\u00e9 \u5317\u4eac \U0001f642");
    }
}

} // namespace
} // namespace vitrine::engine
