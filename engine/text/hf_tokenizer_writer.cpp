// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: tokenizer.json from GGUF.
#include "engine/text/hf_tokenizer_writer.h"

#include <algorithm>
#include <tuple>

#include <nlohmann/json.hpp>

#include "engine/base/utf8.h"
#include "engine/text/pre_tokenizer_table.h"
#include "engine/text/vocab.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using nlohmann::json;

constexpr const char* kSpace = "\xE2\x96\x81"; // U+2581

class TokenizerWriter {
public:
    TokenizerWriter(const gguf::File& file, const Vocab& vocab, std::span<const std::int64_t> kinds)
        : file_(file), vocab_(vocab), kinds_(kinds) {}

    Result<TokenizerFiles> write() {
        const bool byte_level = vocab_.model == TokenizerModel::bpe;
        if (!byte_level && vocab_.model != TokenizerModel::spm)
            return fail(ErrorCode::unsupported, say(Sentence::tokenizer_not_written, file_.path(), vocab_.model_name),
                say(Sentence::start_from_own_folder));
        json_ = {{"version", "1.0"}, {"truncation", nullptr}, {"padding", nullptr}, {"added_tokens", added_tokens()},
            {"normalizer", nullptr}, {"pre_tokenizer", nullptr}, {"post_processor", nullptr}, {"decoder", nullptr},
            {"model",
                {{"type", "BPE"}, {"dropout", nullptr}, {"unk_token", nullptr}, {"continuing_subword_prefix", nullptr},
                    {"end_of_word_suffix", nullptr}, {"fuse_unk", false}, {"byte_fallback", false},
                    {"ignore_merges", false}, {"vocab", vocabulary()}, {"merges", json::array()}}}};
        VT_TRY(byte_level ? describe_byte_level() : describe_spaced());
        if (vocab_.add_bos)
            json_["post_processor"] = bos_first();
        TokenizerFiles files;
        files.path = file_.path();
        files.tokenizer = json_.dump(-1, ' ', false, json::error_handler_t::replace);
        files.config = config().dump(2, ' ', false, json::error_handler_t::replace);
        if (!vocab_.eog.empty())
            files.generation = json{{"eos_token_id", vocab_.eog}}.dump(2);
        return files;
    }

private:
    /// As the file says, before Vocab's rules change kinds.
    [[nodiscard]] TokenKind kind(TokenId id) const {
        const std::int64_t stored = kinds_.empty() ? 1 : kinds_[static_cast<std::size_t>(id)];
        return stored == 0 ? TokenKind::normal : static_cast<TokenKind>(stored);
    }
    [[nodiscard]] bool is_padding(TokenId id) const {
        return kind(id) == TokenKind::unused && vocab_.text(id).starts_with("[PAD");
    }
    [[nodiscard]] json vocabulary() const {
        json tokens = json::object();
        for (TokenId id = 0; id < vocab_.size(); ++id)
            if (!is_padding(id))
                tokens.emplace(vocab_.text(id), id); // of equals the first
        return tokens;
    }
    [[nodiscard]] json added_tokens() const {
        json tokens = json::array();
        for (TokenId id = 0; id < vocab_.size(); ++id) {
            const TokenKind its = kind(id);
            if (its == TokenKind::control || its == TokenKind::user_defined || its == TokenKind::unknown)
                tokens.push_back({{"id", id}, {"content", vocab_.text(id)}, {"single_word", false}, {"lstrip", false},
                    {"rstrip", false}, {"normalized", false}, {"special", its != TokenKind::user_defined}});
        }
        return tokens;
    }
    [[nodiscard]] std::string text_of(std::optional<TokenId> id) const { return id ? vocab_.text(*id) : std::string(); }

    Result<void> describe_byte_level() {
        const PreTokenizerRow* row = find_pre_tokenizer(vocab_.pre);
        if (row == nullptr)
            return fail(ErrorCode::unsupported, say(Sentence::pre_tokenizer_not_written, file_.path(), vocab_.pre),
                say(Sentence::start_from_own_folder));
        json steps = json::array();
        for (const std::string_view pattern : row->patterns)
            if (!pattern.empty())
                steps.push_back({{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"},
                    {"invert", false}});
        const json bytes{
            {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", false}};
        steps.push_back(bytes);
        json_["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", steps}};
        json_["decoder"] = bytes;
        json_["model"]["ignore_merges"] = row->ignore_merges;
        const std::vector<std::string>* merges = file_.texts("tokenizer.ggml.merges");
        if (merges != nullptr)
            json_["model"]["merges"] = *merges;
        return {};
    }

    Result<void> describe_spaced() {
        const json spell{{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kSpace}};
        json decoders = json::array({{{"type", "Replace"}, {"pattern", {{"String", kSpace}}}, {"content", " "}},
            {{"type", "ByteFallback"}}, {{"type", "Fuse"}}});
        json_["normalizer"] = spell;
        if (vocab_.add_space_prefix) {
            json_["normalizer"] = {{"type", "Sequence"},
                {"normalizers", json::array({{{"type", "Prepend"}, {"prepend", kSpace}}, spell})}};
            decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
        }
        json_["decoder"] = {{"type", "Sequence"}, {"decoders", decoders}};
        json_["model"]["byte_fallback"] = true;
        json_["model"]["fuse_unk"] = true;
        if (vocab_.unknown)
            json_["model"]["unk_token"] = vocab_.text(*vocab_.unknown);
        json_["model"]["merges"] = implied_merges();
        return {};
    }
    /// Every pair of pieces that spells a piece, best score first; of one piece, the pair of lowest ids first.
    [[nodiscard]] json implied_merges() const {
        struct Merge {
            TokenId made, left, right;
        };
        std::vector<Merge> merges;
        for (TokenId id = 0; id < vocab_.size(); ++id) {
            const std::string& text = vocab_.text(id);
            if (kind(id) != TokenKind::normal)
                continue;
            for (std::size_t cut = static_cast<std::size_t>(decode_utf8(text, 0).length); cut < text.size();
                 cut += static_cast<std::size_t>(decode_utf8(text, cut).length)) {
                const TokenId left = vocab_.find_piece(std::string_view(text).substr(0, cut));
                const TokenId right = vocab_.find_piece(std::string_view(text).substr(cut));
                if (left != TokenMap::kNone && right != TokenMap::kNone)
                    merges.push_back({id, left, right});
            }
        }
        std::stable_sort(merges.begin(), merges.end(), [&](const Merge& a, const Merge& b) {
            const float first = vocab_.score(a.made), second = vocab_.score(b.made);
            return std::tie(second, a.made, a.left, a.right) < std::tie(first, b.made, b.left, b.right);
        });
        json list = json::array();
        for (const Merge& merge : merges)
            list.push_back({vocab_.text(merge.left), vocab_.text(merge.right)});
        return list;
    }

    [[nodiscard]] json bos_first() const {
        const std::string bos = text_of(vocab_.bos);
        const json first{{"SpecialToken", {{"id", bos}, {"type_id", 0}}}};
        const json text{{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
        const json second{{"Sequence", {{"id", "B"}, {"type_id", 0}}}};
        return {{"type", "TemplateProcessing"}, {"single", {first, text}}, {"pair", {first, text, second}},
            {"special_tokens", {{bos, {{"id", bos}, {"ids", {*vocab_.bos}}, {"tokens", {bos}}}}}}};
    }
    [[nodiscard]] json config() const {
        json config{{"tokenizer_class", "PreTrainedTokenizerFast"}, {"add_bos_token", vocab_.add_bos},
            {"add_eos_token", vocab_.add_eos}, {"clean_up_tokenization_spaces", false}};
        const std::pair<const char*, std::optional<TokenId>> marks[] = {
            {"bos_token", vocab_.bos}, {"eos_token", vocab_.eos}, {"unk_token", vocab_.unknown}};
        for (const auto& [name, id] : marks)
            if (id)
                config[name] = vocab_.text(*id);
        if (const auto text = file_.text("tokenizer.chat_template"); text)
            config["chat_template"] = *text;
        return config;
    }

    const gguf::File& file_;
    const Vocab& vocab_;
    std::span<const std::int64_t> kinds_; // of the file; empty: all normal
    json json_;
};

} // namespace

Result<TokenizerFiles> write_hf_tokenizer(const gguf::File& file) {
    const auto vocab = Vocab::load(file);
    VT_TRY(vocab);
    const auto* kinds = file.integers("tokenizer.ggml.token_type");
    return TokenizerWriter(file, **vocab, kinds != nullptr ? std::span(*kinds) : std::span<const std::int64_t>())
        .write();
}

} // namespace vitrine::engine
