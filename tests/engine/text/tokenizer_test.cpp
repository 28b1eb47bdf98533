// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: the rules around the merges, on vocabularies small enough to work out by hand.
#include "engine/text/tokenizer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <thread>

#include "engine/base/utf8.h"
#include "engine/text/byte_alphabet.h"
#include "engine/text/pre_tokenizer_table.h"
#include "tests/support/tiny_gguf.h"

namespace vitrine::engine {
namespace {

using test::TempFolder;
using test::TinyGguf;

enum Kind : std::int32_t { normal = 1, unknown, control, user_defined, unused, byte };

/// A vocabulary under construction; ids in the order added.
struct Words {
    std::vector<std::string> tokens;
    std::vector<std::int32_t> kinds;
    std::vector<float> scores;
    std::vector<std::string> merges;

    TokenId add(const std::string& token, std::int32_t kind = normal, float score = 0) {
        tokens.push_back(token);
        kinds.push_back(kind);
        scores.push_back(score);
        return static_cast<TokenId>(tokens.size()) - 1;
    }
    [[nodiscard]] TinyGguf file(const std::string& model, const std::string& pre = "gpt-2") const {
        TinyGguf file;
        file.text("tokenizer.ggml.model", model).text("tokenizer.ggml.pre", pre);
        file.texts("tokenizer.ggml.tokens", tokens).i32s("tokenizer.ggml.token_type", kinds);
        if (model == "llama")
            file.f32s("tokenizer.ggml.scores", scores);
        else
            file.texts("tokenizer.ggml.merges", merges);
        return file;
    }
};

/// 256 bytes in order of value: the id of a byte is its value.
Words byte_words() {
    Words words;
    for (int value = 0; value < 256; ++value) {
        std::string spelling;
        append_utf8(spelling, alphabet_character(static_cast<std::uint8_t>(value)));
        words.add(spelling);
    }
    return words;
}

/// <unk> <s> </s>, then 256 byte tokens: the id of a byte is its value + 3.
Words spm_words() {
    Words words;
    words.add("<unk>", unknown);
    words.add("<s>", control);
    words.add("</s>", control);
    for (int value = 0; value < 256; ++value) {
        char text[8];
        std::snprintf(text, sizeof text, "<0x%02X>", value);
        words.add(text, byte);
    }
    return words;
}

Result<std::unique_ptr<const Tokenizer>> make(const TinyGguf& tiny) {
    const TempFolder folder;
    const auto file = gguf::File::open(folder.write("tiny.gguf", tiny.bytes()));
    if (!file)
        return tl::unexpected(file.error());
    return make_tokenizer(**file);
}

std::unique_ptr<const Tokenizer> made(const TinyGguf& tiny) {
    auto tokenizer = make(tiny);
    EXPECT_TRUE(tokenizer) << tokenizer.error().message;
    return tokenizer ? std::move(*tokenizer) : nullptr;
}

std::vector<TokenId> encode(const Tokenizer& tokenizer, std::string_view text, EncodeOptions options = {}) {
    return tokenizer.encode(text, options).value();
}

using Ids = std::vector<TokenId>;

TEST(Bpe, MergesLowestRankFirstLeftmostOnTies) {
    Words words = byte_words();
    const TokenId bc = words.add("bc");
    const TokenId ab = words.add("ab");
    const TokenId aa = words.add("aa");
    words.merges = {"b c", "a b", "a a"};
    const auto tokenizer = made(words.file("gpt2"));
    EXPECT_EQ(encode(*tokenizer, "abc"), (Ids{'a', bc}));
    EXPECT_EQ(encode(*tokenizer, "aab"), (Ids{'a', ab}));
    EXPECT_EQ(encode(*tokenizer, "aaa"), (Ids{aa, 'a'}));
    EXPECT_EQ(encode(*tokenizer, ""), Ids{});
}

TEST(Bpe, SplitsASymbolWithoutTokenIntoBytes) {
    Words words = byte_words();
    words.merges = {"a b"}; // no token "ab"
    EXPECT_EQ(encode(*made(words.file("gpt2")), "ab"), (Ids{'a', 'b'}));
}

TEST(Bpe, RefusesMergesThatAreNoPairs) {
    for (const char* merge : {"nospace", "", " ", "a ", " a"}) { // " a": the space is the left part's own
        Words words = byte_words();
        words.merges = {"a b", merge};
        const auto refused = make(words.file("gpt2"));
        ASSERT_FALSE(refused) << merge;
        EXPECT_NE(refused.error().message.find("entry 1"), std::string::npos);
    }
}

TEST(Bpe, KnowsTheFillInTheMiddleTokensBySpellingOrMetadata) {
    Words words = byte_words();
    EXPECT_FALSE(made(words.file("gpt2"))->fill_marks().middle);
    const TokenId prefix = words.add("<|fim_prefix|>", control);
    const TokenId middle = words.add("<|fim_middle|>", control);
    EXPECT_FALSE(made(words.file("gpt2"))->fill_marks().prefix); // two of three are none
    const TokenId suffix = words.add("<|fim_suffix|>", control);
    const FillMarks marks = made(words.file("gpt2"))->fill_marks();
    EXPECT_EQ(marks.prefix, prefix);
    EXPECT_EQ(marks.suffix, suffix);
    EXPECT_EQ(marks.middle, middle);
    TinyGguf file = words.file("gpt2");
    file.u32("tokenizer.ggml.fim_pre_token_id", 1).u32("tokenizer.ggml.fim_suf_token_id", 2);
    file.u32("tokenizer.ggml.fim_mid_token_id", 3);
    EXPECT_EQ(made(file)->fill_marks().middle, 3);
    EXPECT_FALSE(make(TinyGguf(words.file("gpt2")).u32("tokenizer.ggml.fim_mid_token_id", 9999)));
}

TEST(Bpe, NoMergeMakesAControlToken) {
    Words words = byte_words();
    words.add("<e>", control);
    words.add("<e");
    words.merges = {"< e", "<e >"};
    const auto tokenizer = made(words.file("gpt2", "gpt-2"));
    const auto ids = encode(*tokenizer, "<e>", {.parse_special = false});
    for (const TokenId id : ids)
        EXPECT_FALSE(tokenizer->is_control(id));
    EXPECT_EQ(tokenizer->decode(ids), "<e>");
}

TEST(Bpe, DropsBytesTheVocabularyLacks) {
    Words words = byte_words();
    words.tokens['x'] = "gone";
    const TokenId ab = words.add("ab");
    words.merges = {"a b"};
    EXPECT_EQ(encode(*made(words.file("gpt2").u32("tokenizer.ggml.unknown_token_id", 0)), "axb"), Ids{ab});
}

TEST(Bpe, WholePieceWinsWhereTheOriginalIgnoresMerges) {
    Words words = byte_words();
    const TokenId abc = words.add("abc");
    EXPECT_EQ(encode(*made(words.file("gpt2", "llama-bpe")), "abc", {.add_special = false}), Ids{abc});
    EXPECT_EQ(encode(*made(words.file("gpt2", "qwen2")), "abc", {.add_special = false}), (Ids{'a', 'b', 'c'}));
}

TEST(Bpe, RefusesUnknownNamesAndBadArrays) {
    const Words words = byte_words();
    const auto pre = make(words.file("gpt2", "brand-new"));
    ASSERT_FALSE(pre);
    EXPECT_EQ(pre.error().code, ErrorCode::unsupported);
    EXPECT_NE(pre.error().message.find("\"brand-new\""), std::string::npos);
    EXPECT_FALSE(pre.error().remedy.empty());
    for (const char* model : {"rwkv", "plamo2", "whitespace", "none"}) {
        const auto refused = make(words.file(model));
        ASSERT_FALSE(refused) << model;
        EXPECT_NE(refused.error().message.find(model), std::string::npos);
    }
    Words short_kinds = words;
    short_kinds.kinds.pop_back();
    EXPECT_FALSE(make(short_kinds.file("gpt2")));
    Words odd_kind = words;
    odd_kind.kinds[5] = 9;
    EXPECT_FALSE(make(odd_kind.file("gpt2")));
    EXPECT_FALSE(make(words.file("gpt2").u32("tokenizer.ggml.eos_token_id", 256))) << "beyond the vocabulary";
    Words no_tokens;
    EXPECT_FALSE(make(no_tokens.file("gpt2")));
    EXPECT_FALSE(make(TinyGguf()));
}

TEST(Bpe, WarnsOfTheGeneralPreTokenizer) {
    EXPECT_TRUE(made(byte_words().file("gpt2", "gpt-2"))->warnings().empty());
    EXPECT_FALSE(made(byte_words().file("gpt2", "default"))->warnings().empty());
}

TEST(Bpe, EveryRowOfTheTableWorks) {
    for (const PreTokenizerRow& row : pre_tokenizer_table()) {
        for (const std::string_view name : row.names) {
            const auto tokenizer = made(byte_words().file("gpt2", std::string(name)));
            ASSERT_NE(tokenizer, nullptr) << name;
            const std::string text = "It's 12345 d\xC3\xA9j\xC3\xA0  vu!\r\n\n \xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E  ";
            EXPECT_EQ(tokenizer->decode(encode(*tokenizer, text, {.add_special = false})), text) << name;
        }
    }
}

TEST(Bpe, OverCharactersFallsBackToBytes) { // gemma4
    Words words = spm_words();
    const TokenId he = words.add("he");
    const TokenId space = words.add("\xE2\x96\x81");
    words.add("h");
    words.add("e");
    words.merges = {"h e"};
    const auto tokenizer = made(words.file("gemma4"));
    EXPECT_EQ(encode(*tokenizer, "he he\xC3\xA4", {.add_special = false}), (Ids{he, space, he, 0xC3 + 3, 0xA4 + 3}));
    EXPECT_EQ(tokenizer->decode(Ids{he, space, he, 0xC3 + 3, 0xA4 + 3}), "he he\xC3\xA4");
}

TEST(Spm, MergesByScoreWithPrefixSpaceAndByteFallback) {
    Words words = spm_words();
    const std::string space = "\xE2\x96\x81";
    const TokenId sp = words.add(space, normal, -9);
    const TokenId a = words.add("a", normal, -8);
    const TokenId b = words.add("b", normal, -8);
    const TokenId ab = words.add("ab", normal, -2);
    const TokenId spa = words.add(space + "a", normal, -1);
    const auto tokenizer = made(words.file("llama"));
    EXPECT_EQ(encode(*tokenizer, "ab"), (Ids{1, spa, b})) << "add_bos is the default";
    EXPECT_EQ(encode(*tokenizer, "bab", {.add_special = false}), (Ids{sp, b, ab}));
    EXPECT_EQ(encode(*tokenizer, "\xC3\xA4", {.add_special = false}), (Ids{sp, 0xC3 + 3, 0xA4 + 3}));
    EXPECT_EQ(encode(*tokenizer, "</s>ab"), (Ids{1, 2, spa, b})) << "a space after a special token, as in the original";
    EXPECT_EQ(tokenizer->decode(Ids{1, spa, b, spa, a, 2}), "ab aa") << "one leading space off, control hidden";
    EXPECT_EQ(tokenizer->decode(Ids{1, spa}, true), "<s> a");
    const auto bare = made(words.file("llama").flag("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(encode(*bare, "ab", {.add_special = false}), Ids{ab});
    EXPECT_EQ(bare->decode(Ids{spa}), " a");
}

TEST(Spm, TakesUnusedTokensApart) { // sentencepiece resegments what training marked unused
    Words words = spm_words();
    const TokenId a = words.add("a", normal, -3);
    const TokenId b = words.add("b", normal, -3);
    words.add("ab", unused, -1);
    const auto tokenizer = made(words.file("llama").flag("tokenizer.ggml.add_space_prefix", false));
    EXPECT_EQ(encode(*tokenizer, "ab", {.add_special = false}), (Ids{a, b}));
}

TEST(Spm, ControlSpellingsDoNotComeFromMerges) {
    Words words = spm_words();
    for (const char* text : {"<", "/", "s", ">", "</", "s>", "/s"})
        words.add(text, normal, -1);
    const auto tokenizer = made(words.file("llama").flag("tokenizer.ggml.add_space_prefix", false));
    for (const TokenId id : encode(*tokenizer, "</s><s><unk>", {.add_special = false, .parse_special = false}))
        EXPECT_GT(id, 2);
}

TEST(SpecialTokens, LeftmostThenLongestAndByKind) {
    Words words = byte_words();
    const TokenId x = words.add("<x>", control);
    const TokenId xy = words.add("<x><y>", control);
    const TokenId tool = words.add("<tool>", user_defined);
    const auto tokenizer = made(words.file("gpt2"));
    EXPECT_EQ(encode(*tokenizer, "<x><y>"), Ids{xy});
    EXPECT_EQ(encode(*tokenizer, "<x><x><z"), (Ids{x, x, '<', 'z'}));
    EXPECT_EQ(encode(*tokenizer, "<x><tool>", {.parse_special = false}), (Ids{'<', 'x', '>', tool}));
}

TEST(SpecialTokens, ControlThatTouchesAUserByteStaysText) {
    Words words = byte_words();
    const TokenId x = words.add("<x>", control);
    const TokenId xx = words.add("<x><x>", control);
    const TokenId tool = words.add("<t>", user_defined);
    const auto tokenizer = made(words.file("gpt2"));
    const std::string text = "<x><x><t>";
    std::vector<std::uint8_t> user(text.size(), 0);
    EXPECT_EQ(*tokenizer->encode(text, user, {}), (Ids{xx, tool}));
    user[3] = 1; // one byte of the second
    EXPECT_EQ(*tokenizer->encode(text, user, {}), (Ids{x, '<', 'x', '>', tool})) << "the first is found all the same";
    std::fill(user.begin(), user.end(), std::uint8_t{1});
    EXPECT_EQ(*tokenizer->encode(text, user, {}), (Ids{'<', 'x', '>', '<', 'x', '>', tool}));
    user.pop_back();
    EXPECT_FALSE(tokenizer->encode(text, user, {})) << "an origin for each byte";
}

TEST(SpecialTokens, Phi3SwallowsSpacesAfterThem) {
    Words words = spm_words();
    const TokenId end = words.add("<|end|>", control);
    const TokenId a = words.add("\xE2\x96\x81"
                                "a",
        normal, -1);
    words.add("\xE2\x96\x81", normal, -2);
    words.add("a", normal, -2);
    EXPECT_EQ(encode(*made(words.file("llama").text("general.name", "Phi-3 mini")), "<|end|>\n a"), (Ids{1, end, a}));
}

TEST(EndOfGeneration, ComesFromIdsAndSpellings) {
    Words words = byte_words();
    const TokenId eos = words.add("<stop>", control);
    const TokenId im_end = words.add("<|im_end|>"); // normal in a faulty file: made control
    const TokenId eot = words.add("<turn>", control);
    const TokenId fim = words.add("<|fim_pad|>", control);
    const auto tokenizer = made(words.file("gpt2")
                                    .u32("tokenizer.ggml.eos_token_id", static_cast<std::uint32_t>(eos))
                                    .u32("tokenizer.ggml.eot_token_id", static_cast<std::uint32_t>(eot)));
    EXPECT_EQ(Ids(tokenizer->eog_ids().begin(), tokenizer->eog_ids().end()), (Ids{eos, im_end, eot, fim}));
    EXPECT_TRUE(tokenizer->is_control(im_end));
    EXPECT_FALSE(tokenizer->is_eog('a'));
    EXPECT_FALSE(tokenizer->is_eog(-1));
}

TEST(EndOfGeneration, HarmonyKeepsEndAndShowsChannels) {
    Words words = byte_words();
    const TokenId end = words.add("<|end|>", control);
    const TokenId ret = words.add("<|return|>", control);
    const TokenId call = words.add("<|call|>", control);
    const TokenId channel = words.add("<|channel|>", control);
    const auto tokenizer = made(words.file("gpt2", "gpt-4o"));
    EXPECT_FALSE(tokenizer->is_eog(end));
    EXPECT_TRUE(tokenizer->is_eog(ret) && tokenizer->is_eog(call));
    EXPECT_EQ(tokenizer->token_bytes(channel), "<|channel|>") << "the parser of channels needs it";
    EXPECT_EQ(tokenizer->token_bytes(end), "");
    EXPECT_EQ(tokenizer->token_bytes(end, true), "<|end|>");
    const std::string text = "<|channel|>";
    const std::vector<std::uint8_t> user(text.size(), 1);
    const Ids ids = tokenizer->encode(text, user, {}).value();
    EXPECT_EQ(std::count(ids.begin(), ids.end(), channel), 0);
}

TEST(Tokenizer, AddsBosAndEosAsTheFileSays) {
    Words words = byte_words();
    const auto bos = static_cast<std::uint32_t>(words.add("<b>", control));
    const auto eos = static_cast<std::uint32_t>(words.add("<e>", control));
    TinyGguf file = words.file("gpt2");
    file.u32("tokenizer.ggml.bos_token_id", bos).u32("tokenizer.ggml.eos_token_id", eos);
    EXPECT_EQ(encode(*made(file), "a"), Ids{'a'});
    file.flag("tokenizer.ggml.add_bos_token", true).flag("tokenizer.ggml.add_eos_token", true);
    const auto tokenizer = made(file);
    EXPECT_EQ(encode(*tokenizer, "a"), (Ids{static_cast<TokenId>(bos), 'a', static_cast<TokenId>(eos)}));
    EXPECT_EQ(encode(*tokenizer, "a", {.add_special = false}), Ids{'a'});
    EXPECT_TRUE(tokenizer->adds_bos());
    EXPECT_EQ(tokenizer->bos_id(), static_cast<TokenId>(bos));
}

TEST(Tokenizer, FindsTheLowestOfEqualSpellings) {
    Words words = byte_words();
    const TokenId first = words.add("twice");
    const TokenId second = words.add("twice");
    const auto tokenizer = made(words.file("gpt2"));
    EXPECT_EQ(tokenizer->find_token("twice"), first);
    EXPECT_EQ(tokenizer->token_bytes(second), "twice");
    EXPECT_EQ(tokenizer->token_text(99999), "");
    EXPECT_EQ(tokenizer->find_token("none"), std::nullopt);
}

TEST(Tokenizer, ReadsInvalidUtf8AsReplacementCharacters) {
    const auto tokenizer = made(byte_words().file("gpt2"));
    const std::string bad = "a\xE2\x82\xFF"
                            "b";
    EXPECT_EQ(encode(*tokenizer, bad), encode(*tokenizer, replace_invalid_utf8(bad)));
    const std::vector<std::uint8_t> user(bad.size(), 1);
    EXPECT_EQ(*tokenizer->encode(bad, user, {}), encode(*tokenizer, bad));
}

/// Any scalar values, U+0000 included, with spaces and line ends in between.
std::string random_text(std::mt19937& random) {
    std::string text;
    const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
    for (unsigned i = below(60); i > 0; --i) {
        const unsigned kind = below(4);
        char32_t c = kind == 0 ? below(128) : kind == 1 ? below(0x3000) : below(0x110000);
        if (kind == 3)
            c = U" \n\r\t '0aZ\u00a0\u180e"[below(11)];
        if (c < 0xD800 || c >= 0xE000)
            append_utf8(text, c);
    }
    return text;
}

TEST(Tokenizer, DecodesWhatItEncoded) {
    const auto bpe = made(byte_words().file("gpt2", "qwen2"));
    Words spm = spm_words();
    spm.add("\xE2\x96\x81", normal, -1);
    spm.add("e", normal, -2);
    const auto with_prefix = made(spm.file("llama"));
    const auto without = made(spm.file("llama").flag("tokenizer.ggml.add_space_prefix", false));
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        const std::string text = random_text(random);
        ASSERT_EQ(bpe->decode(encode(*bpe, text)), text);
        if (text.find("\xE2\x96\x81") != std::string::npos)
            continue; // SentencePiece's own spelling of the space
        ASSERT_EQ(with_prefix->decode(encode(*with_prefix, text)), text);
        ASSERT_EQ(without->decode(encode(*without, text)), text);
    }
}

TEST(Tokenizer, ServesManyThreads) {
    const auto tokenizer = made(byte_words().file("gpt2", "llama-bpe"));
    const std::string text = "The quick brown fox, 12345 times: d\xC3\xA9j\xC3\xA0 vu.";
    const Ids expected = encode(*tokenizer, text);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int round = 0; round < 200; ++round)
                EXPECT_EQ(encode(*tokenizer, text), expected);
        });
}

TEST(Tokenizer, TakesVeryLongRuns) {
    const auto tokenizer = made(byte_words().file("gpt2", "llama-bpe"));
    for (const char c : {' ', 'a', '\n', '!', '7'}) {
        const std::string text(300000, c);
        EXPECT_EQ(tokenizer->decode(encode(*tokenizer, text, {.add_special = false})), text);
    }
}

} // namespace
} // namespace vitrine::engine
