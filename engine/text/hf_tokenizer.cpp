// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: tokenizer.json.
#include "engine/text/hf_tokenizer.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/json_depth.h"
#include "engine/text/pre_tokenizer_table.h"
#include "engine/text/vocab.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxTokens = 1 << 21; // Gemma 3, among the largest: 262144
constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// No object when it nests too deep.
json parse(std::string_view text) {
    return json_depth_is_bounded(text) ? json::parse(text, nullptr, false) : json();
}

json section(const json& from, std::string_view name) {
    const auto found = from.is_object() ? from.find(name) : from.end();
    return from.is_object() && found != from.end() ? *found : json();
}

std::string word(const json& from, std::string_view name) {
    const json value = section(from, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

bool truth(const json& from, std::string_view name) {
    const json value = section(from, name);
    return value.is_boolean() && value.get<bool>();
}

/// "type" of a component, or of the members of a Sequence.
std::vector<json> components(const json& component, std::string_view list) {
    if (word(component, "type") != "Sequence")
        return component.is_object() ? std::vector<json>{component} : std::vector<json>{};
    const json members = section(component, list);
    return members.is_array() ? members.get<std::vector<json>>() : std::vector<json>{};
}

/// On one line, to be cut anywhere.
std::string ascii(const json& value) {
    return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

class TokenizerReader {
public:
    explicit TokenizerReader(const TokenizerFiles& files)
        : files_(files), tokenizer_(parse(files.tokenizer)), config_(parse(files.config)),
          generation_(parse(files.generation)) {}

    Result<MetadataPairs> read() {
        if (!tokenizer_.is_object())
            return bad(say(Sentence::part_no_json, "tokenizer.json", kMaxFileJsonDepth));
        const json model = section(tokenizer_, "model");
        const std::string type = word(model, "type");
        if (type == "WordPiece")
            return read_wordpiece(model);
        if (type == "Unigram")
            return read_unigram(model);
        if (type != "BPE" && !(type.empty() && model.contains("merges")))
            return unsupported("model", type);
        VT_TRY(read_tokens(model));
        VT_TRY(read_merges(model));
        VT_TRY(is_byte_level() ? describe_byte_level(model) : describe_spaced(model));
        set_special_ids();
        set_template();
        return std::move(pairs_);
    }

private:
    [[nodiscard]] tl::unexpected<Error> bad(Phrase what) const {
        return fail(ErrorCode::bad_file, say(Sentence::file_malformed, files_.path, std::move(what)),
            say(Sentence::fetch_model_again));
    }
    /// `part`: what the file calls it, and of which kind it is.
    [[nodiscard]] tl::unexpected<Error> unsupported(std::string_view part, std::string_view kind) const {
        return fail(ErrorCode::unsupported,
            say(Sentence::tokenizer_part_unknown, files_.path, fmt::format("{} \"{}\"", part, kind.substr(0, 200))),
            say(Sentence::choose_gguf_of_model));
    }
    void set(std::string_view key, gguf::Value value) {
        pairs_.emplace_back(fmt::format("tokenizer.ggml.{}", key), std::move(value));
    }

    Result<void> add_token(const std::string& text, const json& id, TokenKind kind) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= static_cast<std::uint64_t>(kMaxTokens))
            return bad(say(Sentence::part_found_most, fmt::format("id \"{}\"", text.substr(0, 64)),
                ascii(id).substr(0, 32), kMaxTokens - 1));
        const auto place = id.get<std::size_t>();
        if (place >= texts_.size()) {
            texts_.resize(place + 1);
            kinds_.resize(place + 1, 0);
        }
        texts_[place] = text;
        kinds_[place] = static_cast<std::int64_t>(kind);
        return {};
    }
    Result<void> read_tokens(const json& model) {
        const json vocab = section(model, "vocab");
        if (!vocab.is_object() || vocab.empty())
            return bad(say(Sentence::part_missing, "model.vocab"));
        const bool bytes = truth(model, "byte_fallback");
        const std::string unknown = word(model, "unk_token");
        for (const auto& [text, id] : vocab.items()) {
            const bool is_byte = bytes && text.size() == 6 && text.starts_with("<0x") && text.back() == '>';
            VT_TRY(add_token(text, id,
                is_byte                                   ? TokenKind::byte
                    : !unknown.empty() && text == unknown ? TokenKind::unknown
                                                          : TokenKind::normal));
        }
        VT_TRY(read_added_tokens(unknown));
        return pad_tokens();
    }
    Result<void> read_added_tokens(const std::string& unknown) {
        const json added = section(tokenizer_, "added_tokens");
        for (const json& token : added.is_array() ? added : json::array()) {
            const std::string text = word(token, "content");
            if (text != unknown)
                VT_TRY(add_token(text, section(token, "id"),
                    truth(token, "special") ? TokenKind::control : TokenKind::user_defined));
        }
        return {};
    }
    /// As many tokens as the embedding has rows.
    Result<void> pad_tokens() {
        const auto wanted = static_cast<std::size_t>(std::clamp<std::int64_t>(files_.vocab_size, 0, kMaxTokens));
        if (texts_.size() > wanted && wanted > 0)
            return bad(say(Sentence::part_found_most, "model.vocab", texts_.size(), wanted));
        texts_.resize(std::max(texts_.size(), wanted));
        kinds_.resize(texts_.size(), 0);
        for (std::size_t i = 0; i < texts_.size(); ++i) {
            if (kinds_[i] != 0)
                continue;
            texts_[i] = fmt::format("[PAD{}]", i);
            kinds_[i] = static_cast<std::int64_t>(TokenKind::unused);
        }
        return {};
    }
    /// "a b", or ["a", "b"] in newer files.
    Result<void> read_merges(const json& model) {
        const json merges = section(model, "merges");
        for (const json& merge : merges.is_array() ? merges : json::array()) {
            const bool pair = merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string();
            if (!pair && !merge.is_string())
                return bad(say(Sentence::part_found, "model.merges", ascii(merge).substr(0, 64), "[\"a\", \"b\"]"));
            merges_.push_back(
                pair ? merge[0].get<std::string>() + " " + merge[1].get<std::string>() : merge.get<std::string>());
        }
        return merges_.empty() ? Result<void>(bad(say(Sentence::part_missing, "model.merges"))) : Result<void>();
    }

    [[nodiscard]] bool is_byte_level() const {
        const auto has = [](const std::vector<json>& list) {
            return std::any_of(list.begin(), list.end(), [](const json& c) { return word(c, "type") == "ByteLevel"; });
        };
        return has(components(section(tokenizer_, "pre_tokenizer"), "pretokenizers")) ||
            has(components(section(tokenizer_, "decoder"), "decoders"));
    }
    Result<void> describe_byte_level(const json& model) {
        std::vector<std::string> patterns;
        for (const json& step : components(section(tokenizer_, "pre_tokenizer"), "pretokenizers")) {
            const std::string type = word(step, "type");
            if (type == "Split")
                patterns.push_back(word(section(step, "pattern"), "Regex"));
            else if (type == "Digits")
                patterns.emplace_back(truth(step, "individual_digits") ? R"(\p{N})" : R"(\p{N}+)");
            else if (type == "ByteLevel" && section(step, "use_regex") != json(false))
                patterns.emplace_back(kGpt2Pattern);
            else if (type != "ByteLevel")
                return unsupported("pre_tokenizer", type);
        }
        const PreTokenizerRow* row = row_of(patterns, truth(model, "ignore_merges"));
        if (row == nullptr)
            return unsupported("Split", patterns.empty() ? std::string() : patterns.front());
        set("model", std::string("gpt2"));
        set("pre", std::string(row->names.front()));
        set("tokens", texts_);
        set("token_type", kinds_);
        set("merges", merges_);
        return {};
    }
    /// A row with these passes; the wish about merges decides between rows that differ in nothing else.
    static const PreTokenizerRow* row_of(const std::vector<std::string>& patterns, bool ignore_merges) {
        const PreTokenizerRow* found = nullptr;
        for (const PreTokenizerRow& row : pre_tokenizer_table()) {
            bool same = patterns.size() <= row.patterns.size();
            for (std::size_t i = 0; same && i < row.patterns.size(); ++i)
                same = row.patterns[i] == (i < patterns.size() ? std::string_view(patterns[i]) : std::string_view());
            if (same && (found == nullptr || row.ignore_merges == ignore_merges))
                found = &row;
        }
        return found;
    }
    /// SentencePiece's merging by score: the earlier a merge, the higher the score of what it makes.
    Result<void> describe_spaced(const json& model) {
        if (!truth(model, "byte_fallback"))
            return unsupported("byte_fallback", "false");
        bool prefix = false;
        for (const json& step : components(section(tokenizer_, "normalizer"), "normalizers")) {
            const std::string type = word(step, "type");
            if (type == "Prepend")
                prefix = true;
            else if (type != "Replace")
                return unsupported("normalizer", type);
        }
        for (const json& step : components(section(tokenizer_, "pre_tokenizer"), "pretokenizers"))
            if (word(step, "type") == "Metaspace")
                prefix = word(step, "prepend_scheme") != "never" && section(step, "add_prefix_space") != json(false);
        std::map<std::string, double> scores;
        for (std::size_t i = 0; i < merges_.size(); ++i) {
            std::string made = merges_[i];
            if (const std::size_t space = made.find(' ', 1); space != std::string::npos)
                made.erase(space, 1);
            scores.try_emplace(std::move(made), -1.0 - static_cast<double>(i));
        }
        std::vector<double> by_id;
        for (const std::string& text : texts_) {
            const auto known = scores.find(text);
            by_id.push_back(known == scores.end() ? -1e6 : known->second);
        }
        set("model", std::string("llama"));
        set("pre", std::string("default"));
        set("tokens", texts_);
        set("token_type", kinds_);
        set("scores", by_id);
        set("add_space_prefix", prefix);
        return {};
    }

    /// [["piece", score], ...] in the order of ids.
    Result<MetadataPairs> read_unigram(const json& model) {
        const json vocab = section(model, "vocab"), unknown_id = section(model, "unk_id");
        if (!vocab.is_array() || vocab.empty() || vocab.size() > static_cast<std::size_t>(kMaxTokens))
            return bad(say(Sentence::part_missing, "model.vocab"));
        std::vector<double> scores;
        std::string unknown;
        for (const json& piece : vocab) {
            if (!piece.is_array() || piece.size() != 2 || !piece[0].is_string() || !piece[1].is_number())
                return bad(say(Sentence::part_found, fmt::format("model.vocab[{}]", scores.size()),
                    ascii(piece).substr(0, 64), "[\"a\", -1.5]"));
            const auto text = piece[0].get<std::string>();
            const bool is_unknown = unknown_id.is_number_unsigned() && unknown_id == json(scores.size());
            const bool is_byte =
                truth(model, "byte_fallback") && text.size() == 6 && text.starts_with("<0x") && text.back() == '>';
            unknown = is_unknown ? text : unknown;
            VT_TRY(add_token(text, json(scores.size()),
                is_unknown    ? TokenKind::unknown
                    : is_byte ? TokenKind::byte
                              : TokenKind::normal));
            scores.push_back(piece[1].get<double>());
        }
        VT_TRY(read_added_tokens(unknown));
        VT_TRY(pad_tokens());
        VT_TRY(describe_unigram());
        scores.resize(texts_.size(), 0);
        set("model", std::string("t5")); // as llama.cpp names it
        set("pre", std::string("default"));
        set("tokens", texts_);
        set("token_type", kinds_);
        set("scores", scores);
        set_special_ids();
        if (const std::int64_t id = id_of(unknown); id >= 0)
            set("unknown_token_id", id);
        set_template();
        return std::move(pairs_);
    }
    Result<void> describe_unigram() {
        bool squeezes = false;
        for (const json& step : components(section(tokenizer_, "normalizer"), "normalizers")) {
            const std::string type = word(step, "type"), pattern = word(section(step, "pattern"), "Regex");
            if (type == "Precompiled") {
                auto bytes = decode_base64(word(step, "precompiled_charsmap"));
                VT_TRY(bytes);
                set("precompiled_charsmap", *std::move(bytes));
            } else if (type == "Replace" && pattern == " {2,}") {
                squeezes = true;
            } else if (type != "Strip" || section(step, "strip_right") != json(true)) {
                return unsupported("Unigram, normalizer", type);
            }
        }
        bool splits = false, prefix = false;
        for (const json& step : components(section(tokenizer_, "pre_tokenizer"), "pretokenizers")) {
            const std::string type = word(step, "type"), scheme = word(step, "prepend_scheme");
            if (type == "WhitespaceSplit") {
                squeezes = true;
            } else if (type == "Metaspace" && section(step, "split") != json(false) && scheme != "first") {
                splits = true;
                prefix = scheme != "never" && section(step, "add_prefix_space") != json(false);
            } else {
                return unsupported("Unigram, pre_tokenizer", type);
            }
        }
        if (!splits || !squeezes)
            return unsupported("Unigram", splits ? "WhitespaceSplit" : "Metaspace");
        set("add_space_prefix", prefix);
        set("remove_extra_whitespaces", true);
        return {};
    }
    [[nodiscard]] Result<std::vector<std::int64_t>> decode_base64(std::string_view text) const {
        constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        std::vector<std::int64_t> bytes;
        std::uint32_t bits = 0;
        int count = 0;
        for (const char c : text.substr(0, text.find('='))) {
            const std::size_t value = kAlphabet.find(c);
            if (value == std::string_view::npos)
                return bad(say(Sentence::part_found, "precompiled_charsmap", std::string(1, c), "base64"));
            bits = (bits << 6U | static_cast<std::uint32_t>(value)) & 0xFFFFFFU;
            count += 6;
            if (count < 8)
                continue;
            count -= 8;
            bytes.push_back(bits >> static_cast<unsigned>(count) & 0xFFU);
        }
        return bytes;
    }

    /// ##ing -> ing, word -> U+2581 word, as GGUF spells them; special tokens stay.
    Result<MetadataPairs> read_wordpiece(const json& model) {
        VT_TRY(read_tokens(model));
        if (const std::string prefix = word(model, "continuing_subword_prefix"); prefix != "##")
            return unsupported("WordPiece, continuing_subword_prefix", prefix);
        const json normalizer = section(tokenizer_, "normalizer");
        const bool lowercase = truth(normalizer, "lowercase");
        const json accents = section(normalizer, "strip_accents");
        const bool as_bert = word(normalizer, "type") == "BertNormalizer" && truth(normalizer, "clean_text") &&
            truth(normalizer, "handle_chinese_chars") && (accents.is_null() || accents == json(lowercase));
        if (!as_bert || word(section(tokenizer_, "pre_tokenizer"), "type") != "BertPreTokenizer")
            return unsupported("WordPiece, normalizer", word(normalizer, "type"));
        for (std::size_t i = 0; i < texts_.size(); ++i)
            if (kinds_[i] == static_cast<std::int64_t>(TokenKind::normal))
                texts_[i] = texts_[i].starts_with("##") ? texts_[i].substr(2) : "\u2581" + texts_[i];
        set("model", std::string("bert"));
        set("tokens", texts_);
        set("token_type", kinds_);
        set("normalizer.lowercase", lowercase);
        const std::pair<const char*, const char*> ids[] = {
            {"cls_token_id", "[CLS]"}, {"seperator_token_id", "[SEP]"}, {"unknown_token_id", "[UNK]"}};
        for (const auto& [name, text] : ids)
            if (const std::int64_t id = id_of(text); id >= 0)
                set(name, id);
        return std::move(pairs_);
    }

    [[nodiscard]] std::int64_t id_of(const std::string& text) const {
        const auto found = std::find(texts_.begin(), texts_.end(), text);
        return text.empty() || found == texts_.end() ? -1 : found - texts_.begin();
    }
    /// A text, or an added token with its content.
    [[nodiscard]] std::int64_t configured_id(std::string_view name) const {
        const json value = section(config_, name);
        return id_of(value.is_object() ? word(value, "content") : word(config_, name));
    }
    [[nodiscard]] bool is_unigram() const { return word(section(tokenizer_, "model"), "type") == "Unigram"; }
    /// Whether the template of the post-processor ends with the token.
    [[nodiscard]] bool appends(std::int64_t id) const {
        for (const json& step : components(section(tokenizer_, "post_processor"), "processors")) {
            const json single = section(step, "single");
            if (word(step, "type") == "TemplateProcessing" && single.is_array() && !single.empty())
                return id >= 0 && id_of(word(section(single.back(), "SpecialToken"), "id")) == id;
        }
        return false;
    }
    /// Whether the template of the post-processor starts with the token.
    [[nodiscard]] bool prepends(std::int64_t id) const {
        for (const json& step : components(section(tokenizer_, "post_processor"), "processors")) {
            const json single = section(step, "single");
            if (word(step, "type") == "TemplateProcessing" && single.is_array() && !single.empty())
                return id >= 0 && id_of(word(section(single[0], "SpecialToken"), "id")) == id;
        }
        return false;
    }
    void set_special_ids() {
        const std::int64_t bos = configured_id("bos_token");
        std::vector<std::int64_t> ends;
        const json generation_end = section(generation_, "eos_token_id");
        for (const json& id : generation_end.is_array() ? generation_end : json::array({generation_end}))
            if (id.is_number_unsigned() && id.get<std::uint64_t>() < texts_.size())
                ends.push_back(id.get<std::int64_t>());
        std::int64_t eos = configured_id("eos_token");
        if (eos < 0 && !ends.empty())
            eos = ends.front();
        set("bos_token_id", bos);
        set("eos_token_id", eos);
        const auto other = std::find_if(ends.begin(), ends.end(), [&](std::int64_t id) { return id != eos; });
        if (other != ends.end())
            set("eot_token_id", *other);
        if (const std::int64_t unknown = id_of(word(section(tokenizer_, "model"), "unk_token")); unknown >= 0)
            set("unknown_token_id", unknown);
        const json wanted = section(config_, "add_bos_token");
        set("add_bos_token", wanted.is_boolean() ? wanted.get<bool>() : prepends(bos));
        set("add_eos_token", truth(config_, "add_eos_token") || (is_unigram() && appends(eos)));
    }
    void set_template() {
        std::string text = files_.chat_template;
        const json inside = section(config_, "chat_template");
        if (text.empty() && inside.is_string())
            text = inside.get<std::string>();
        for (const json& entry : inside.is_array() ? inside : json::array())
            if (text.empty() && word(entry, "name") == "default")
                text = word(entry, "template");
        if (!text.empty())
            pairs_.emplace_back("tokenizer.chat_template", std::move(text));
    }

    const TokenizerFiles& files_;
    const json tokenizer_, config_, generation_;
    std::vector<std::string> texts_;
    std::vector<std::int64_t> kinds_;
    std::vector<std::string> merges_;
    MetadataPairs pairs_;
};

} // namespace

Result<MetadataPairs> read_hf_tokenizer(const TokenizerFiles& files) {
    return TokenizerReader(files).read();
}

} // namespace vitrine::engine
