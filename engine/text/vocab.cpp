// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: the vocabulary of a GGUF file.
#include "engine/text/vocab.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "engine/base/utf8.h"
#include "engine/text/byte_alphabet.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::string_view kSpaceSpelling = "\xE2\x96\x81"; // U+2581

// Tokens that end a generation wherever they occur (text.md section 3).
constexpr auto kEndTexts = std::to_array<std::string_view>({"<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>",
    "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>", "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>",
    "[EOT]", "[EOS]", "<|end_of_text|>", "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>",
    "<\uFF5Cend\u2581of\u2581sentence\uFF5C>", "[e~["});
// Fill-in-the-middle padding, repository and file marks: the output is over for a chat as well.
constexpr auto kFillEndTexts = std::to_array<std::string_view>({"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>",
    "<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<|file_sep|>"});
constexpr auto kEndKeys = std::to_array<std::string_view>(
    {"eot_token_id", "eom_token_id", "fim_pad_token_id", "fim_rep_token_id", "fim_sep_token_id"});
// Spellings of the families: Qwen and DeepSeek-V2, CodeGemma, StarCoder, Granite, CodeLlama, DeepSeek-Coder.
struct FillTexts {
    std::string_view prefix, suffix, middle;
};
constexpr auto kFillTexts = std::to_array<FillTexts>({{"<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"},
    {"<fim_prefix>", "<fim_suffix>", "<fim_middle>"}, {"<fim-prefix>", "<fim-suffix>", "<fim-middle>"},
    {"\u2581<PRE>", "\u2581<SUF>", "\u2581<MID>"}, {"<PRE>", "<SUF>", "<MID>"},
    {"<\uFF5Cfim\u2581begin\uFF5C>", "<\uFF5Cfim\u2581hole\uFF5C>", "<\uFF5Cfim\u2581end\uFF5C>"},
    {"<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"}});
constexpr auto kHarmonyTexts =
    std::to_array<std::string_view>({"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"});

// add_bos when the file does not say: the groups whose originals prepend it.
constexpr auto kBosByDefault = std::to_array<std::string_view>({"llama3", "llama-v3", "llama-bpe", "falcon3",
    "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano", "tekken", "chameleon"});

std::string key(std::string_view name) {
    return fmt::format("tokenizer.ggml.{}", name);
}

tl::unexpected<Error> bad_vocab(const gguf::File& file, const std::string& what) {
    return fail(ErrorCode::bad_file, say(Sentence::vocabulary_malformed, file.path(), what),
        say(Sentence::use_complete_conversion));
}

/// A special id, absent when the file does not have it or says "none" (-1 in either width).
Result<std::optional<TokenId>> special_id(const gguf::File& file, std::string_view name, std::int64_t size) {
    if (file.find(key(name)) == nullptr)
        return std::nullopt;
    const Result<std::int64_t> id = file.integer(key(name));
    VT_TRY(id);
    if (*id == -1 || *id == 0xFFFFFFFF)
        return std::nullopt;
    if (*id < 0 || *id >= size)
        return bad_vocab(
            file, fmt::format("metadata \"{}\": found {}, needed an id below the {} tokens", key(name), *id, size));
    return static_cast<TokenId>(*id);
}

/// "<0x0A>" -> 10
std::optional<std::uint8_t> byte_spelled(std::string_view text) {
    if (text.size() != 6 || !text.starts_with("<0x") || text.back() != '>')
        return std::nullopt;
    int value = 0;
    for (const char c : text.substr(3, 2)) {
        const int digit = c >= '0' && c <= '9' ? c - '0'
            : c >= 'A' && c <= 'F'             ? c - 'A' + 10
            : c >= 'a' && c <= 'f'             ? c - 'a' + 10
                                               : -1;
        if (digit < 0)
            return std::nullopt;
        value = value * 16 + digit;
    }
    return static_cast<std::uint8_t>(value);
}

std::string spaces_restored(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const bool space = text.substr(at).starts_with(kSpaceSpelling);
        result += space ? ' ' : text[at];
        at += space ? kSpaceSpelling.size() : 1;
    }
    return result;
}

} // namespace

Result<std::unique_ptr<Vocab>> Vocab::load(const gguf::File& file) {
    std::unique_ptr<Vocab> vocab(new Vocab);
    VT_TRY(vocab->read_model(file));
    VT_TRY(vocab->read_tokens(file));
    vocab->all_ = std::make_unique<TokenMap>(vocab->texts_, vocab->texts_.size());
    for (TokenId id = 0; id < vocab->size(); ++id)
        vocab->all_->add(id);
    VT_TRY(vocab->read_special_ids(file));
    VT_TRY(vocab->read_fill_ids(file));
    VT_TRY(vocab->read_end_ids(file)); // changes kinds, which the next goes by
    vocab->index_pieces();
    vocab->decode_texts();
    return vocab;
}

Result<void> Vocab::read_model(const gguf::File& file) {
    Result<std::string> name = file.text(key("model"));
    VT_TRY(name);
    model_name = std::move(*name);
    if (model_name == "gpt2")
        model = TokenizerModel::bpe;
    else if (model_name == "llama")
        model = TokenizerModel::spm;
    else if (model_name == "gemma4")
        model = TokenizerModel::spaced_bpe;
    else if (model_name == "bert")
        model = TokenizerModel::wordpiece;
    else if (model_name == "t5")
        model = TokenizerModel::unigram;
    else
        return fail(ErrorCode::unsupported, say(Sentence::tokenizer_unknown, file.path(), model_name),
            say(Sentence::choose_known_tokenizer));
    Result<std::string> pre_name = file.text_or(key("pre"), "");
    VT_TRY(pre_name);
    pre = std::move(*pre_name);
    Result<std::string> model_title = file.text_or("general.name", "");
    VT_TRY(model_title);
    lower_name = std::move(*model_title);
    for (char& c : lower_name)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return {};
}

Result<void> Vocab::read_tokens(const gguf::File& file) {
    const std::vector<std::string>* tokens = file.texts(key("tokens"));
    if (tokens == nullptr || tokens->empty())
        return bad_vocab(file, fmt::format("metadata \"{}\": found no texts, needed the vocabulary", key("tokens")));
    if (tokens->size() > static_cast<std::size_t>(INT32_MAX / 2))
        return bad_vocab(
            file, fmt::format("metadata \"{}\": found {} tokens, too many", key("tokens"), tokens->size()));
    texts_ = *tokens;
    visible_.assign(texts_.size(), false);
    kinds_.assign(texts_.size(), TokenKind::normal);
    if (file.find(key("token_type")) != nullptr) {
        const std::vector<std::int64_t>* kinds = file.integers(key("token_type"));
        if (kinds == nullptr || kinds->size() != texts_.size())
            return bad_vocab(file,
                fmt::format("metadata \"{}\": found {} integers, needed {}, one a token", key("token_type"),
                    kinds == nullptr ? 0 : kinds->size(), texts_.size()));
        for (std::size_t i = 0; i < texts_.size(); ++i) {
            if ((*kinds)[i] < 0 || (*kinds)[i] > 6)
                return bad_vocab(file,
                    fmt::format("metadata \"{}\": found {} at {}, needed 1 to 6", key("token_type"), (*kinds)[i], i));
            // 0 (undefined) is what some converters leave for ordinary tokens.
            kinds_[i] = (*kinds)[i] == 0 ? TokenKind::normal : static_cast<TokenKind>((*kinds)[i]);
        }
    }
    if (model != TokenizerModel::spm && model != TokenizerModel::unigram)
        return {};
    const std::vector<double>* scores = file.reals(key("scores"));
    if (scores == nullptr || scores->size() != texts_.size())
        return bad_vocab(file,
            fmt::format("metadata \"{}\": found {} real numbers, needed {}, one a token", key("scores"),
                scores == nullptr ? 0 : scores->size(), texts_.size()));
    scores_.reserve(scores->size());
    for (const double score : *scores)
        scores_.push_back(static_cast<float>(score));
    return {};
}

void Vocab::index_pieces() {
    pieces_ = std::make_unique<TokenMap>(texts_, texts_.size());
    for (TokenId id = 0; id < size(); ++id) {
        const TokenKind its_kind = kind(id);
        if (its_kind == TokenKind::normal || its_kind == TokenKind::user_defined || its_kind == TokenKind::unused)
            pieces_->add(id);
    }
}

Result<void> Vocab::read_special_ids(const gguf::File& file) {
    const auto read = [&](std::string_view name, TokenId fallback, std::optional<TokenId>& id) -> Result<void> {
        const Result<std::optional<TokenId>> found = special_id(file, name, size());
        VT_TRY(found);
        const bool absent = file.find(key(name)) == nullptr;
        id = absent && fallback >= 0 && fallback < size() ? std::optional(fallback) : *found;
        return {};
    };
    // Defaults: what llama.cpp assumes of files that do not say.
    const bool spm = model == TokenizerModel::spm;
    VT_TRY(read("bos_token_id", spm ? 1 : 11, bos));
    VT_TRY(read("eos_token_id", spm ? 2 : 11, eos));
    VT_TRY(read("unknown_token_id", spm ? 0 : -1, unknown));
    const bool bos_by_default = spm || model == TokenizerModel::spaced_bpe ||
        std::find(kBosByDefault.begin(), kBosByDefault.end(), pre) != kBosByDefault.end();
    const Result<bool> wants_bos = file.boolean_or(key("add_bos_token"), bos_by_default);
    VT_TRY(wants_bos);
    const Result<bool> wants_eos = file.boolean_or(key("add_eos_token"), false);
    VT_TRY(wants_eos);
    const bool unigram = model == TokenizerModel::unigram;
    const Result<bool> space = file.boolean_or(key("add_space_prefix"), spm || unigram);
    VT_TRY(space);
    const Result<bool> squeezes = file.boolean_or(key("remove_extra_whitespaces"), unigram);
    VT_TRY(squeezes);
    add_bos = *wants_bos && bos.has_value();
    add_eos = *wants_eos && eos.has_value();
    add_space_prefix = (spm || unigram) && *space;
    squeezes_spaces = unigram && *squeezes;
    return model == TokenizerModel::wordpiece ? read_wordpiece(file) : Result<void>{};
}

/// A text stands between [CLS] and [SEP]; files name these ids in several ways, or not at all.
Result<void> Vocab::read_wordpiece(const gguf::File& file) {
    const auto read = [&](std::initializer_list<std::string_view> names, std::string_view text,
                          std::optional<TokenId>& id) -> Result<void> {
        id.reset();
        for (const std::string_view name : names) {
            const Result<std::optional<TokenId>> found = special_id(file, name, size());
            VT_TRY(found);
            id = id ? id : *found;
        }
        id = id ? id : find(text);
        return {};
    };
    VT_TRY(read({"cls_token_id", "bos_token_id"}, "[CLS]", bos));
    VT_TRY(read({"seperator_token_id", "separator_token_id", "eos_token_id"}, "[SEP]", eos));
    VT_TRY(read({"unknown_token_id"}, "[UNK]", unknown));
    const Result<bool> wants_bos = file.boolean_or(key("add_bos_token"), true);
    VT_TRY(wants_bos);
    const Result<bool> wants_eos = file.boolean_or(key("add_eos_token"), true);
    VT_TRY(wants_eos);
    const Result<bool> wants_sep = file.boolean_or(key("add_sep_token"), *wants_eos);
    VT_TRY(wants_sep);
    const Result<bool> lower = file.boolean_or(key("normalizer.lowercase"), true);
    VT_TRY(lower);
    add_bos = *wants_bos && bos.has_value();
    add_eos = *wants_sep && eos.has_value();
    lowercase = *lower;
    return {};
}

Result<void> Vocab::read_end_ids(const gguf::File& file) {
    const bool harmony = find("<|return|>").has_value() && find("<|call|>").has_value();
    const auto add_text = [&](std::string_view text) {
        const std::optional<TokenId> id = find(text);
        // Gemma 3 and 4: the end tag of struck-through HTML, whose partner <s> is user-defined as well.
        const bool plain_text =
            id && text == "</s>" && (model == TokenizerModel::spaced_bpe || kind(*id) == TokenKind::user_defined);
        const bool turn_only = text == "<|end|>" && (harmony || pre == "solar-open");
        if (!id || plain_text || turn_only)
            return;
        kinds_[index(*id)] = TokenKind::control;
        eog.push_back(*id);
    };
    std::for_each(kEndTexts.begin(), kEndTexts.end(), add_text);
    std::for_each(kFillEndTexts.begin(), kFillEndTexts.end(), add_text);
    if (eos)
        eog.push_back(*eos);
    for (const std::string_view name : kEndKeys) {
        const Result<std::optional<TokenId>> id = special_id(file, name, size());
        VT_TRY(id);
        if (*id)
            eog.push_back(**id);
    }
    std::sort(eog.begin(), eog.end());
    eog.erase(std::unique(eog.begin(), eog.end()), eog.end());
    // Channel marks structure the answer: the parser sees them, and user text must not make them.
    for (const std::string_view text : kHarmonyTexts) {
        const std::optional<TokenId> id = find(text);
        if (!harmony || !id)
            continue;
        kinds_[index(*id)] = TokenKind::control;
        visible_[index(*id)] = true;
    }
    return {};
}

Result<void> Vocab::read_fill_ids(const gguf::File& file) {
    const auto read = [&](std::string_view name, std::string_view older, std::optional<TokenId>& to) -> Result<void> {
        for (const std::string_view key_name : {name, older}) {
            const Result<std::optional<TokenId>> id = special_id(file, key_name, size());
            VT_TRY(id);
            if (!to)
                to = *id;
        }
        return {};
    };
    VT_TRY(read("fim_pre_token_id", "prefix_token_id", fill.prefix));
    VT_TRY(read("fim_suf_token_id", "suffix_token_id", fill.suffix));
    VT_TRY(read("fim_mid_token_id", "middle_token_id", fill.middle));
    for (const FillTexts& texts : kFillTexts) {
        const FillMarks spelled{find(texts.prefix), find(texts.suffix), find(texts.middle)};
        const bool has_all = spelled.prefix && spelled.suffix && spelled.middle;
        if (has_all && !(fill.prefix && fill.suffix && fill.middle))
            fill = spelled;
    }
    return {};
}

void Vocab::decode_texts() {
    const bool bpe = model == TokenizerModel::bpe;
    byte_tokens_.assign(256, TokenMap::kNone);
    bytes_.reserve(texts_.size());
    for (TokenId id = 0; id < size(); ++id) {
        const TokenKind its_kind = kind(id);
        const std::optional<std::uint8_t> byte = bpe ? std::nullopt : byte_spelled(text(id));
        if (its_kind == TokenKind::byte && byte) {
            bytes_.emplace_back(1, static_cast<char>(*byte));
            if (byte_tokens_[*byte] == TokenMap::kNone)
                byte_tokens_[*byte] = id;
        } else if (its_kind == TokenKind::normal || its_kind == TokenKind::unused) {
            bytes_.push_back(bpe ? alphabet_to_bytes(text(id)) : spaces_restored(text(id)));
        } else {
            bytes_.push_back(text(id));
        }
    }
    for (int byte = 0; bpe && byte < 256; ++byte) {
        std::string spelling;
        append_utf8(spelling, alphabet_character(static_cast<std::uint8_t>(byte)));
        byte_tokens_[static_cast<std::size_t>(byte)] = pieces_->find(spelling);
    }
}

std::optional<TokenId> Vocab::find(std::string_view text) const noexcept {
    const TokenId id = all_->find(text);
    return id == TokenMap::kNone ? std::nullopt : std::optional(id);
}

bool has_vocabulary(const gguf::File& file) {
    const gguf::Value* model = file.find("tokenizer.ggml.model");
    const auto* name = model == nullptr ? nullptr : std::get_if<std::string>(model);
    return model != nullptr && (name == nullptr || *name != "no_vocab");
}

} // namespace vitrine::engine
