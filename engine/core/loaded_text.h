// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the text side of a loaded model: tokenizer, chat template and what they can do.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "engine/api/engine.h"
#include "engine/base/result.h"
#include "engine/chat/template_probe.h"
#include "engine/gguf/file.h"
#include "engine/grammar/token_trie.h"
#include "engine/text/tokenizer.h"

namespace vitrine::engine {

/// A prompt ready for the model, and how to read its answer.
struct EncodedPrompt {
    std::string text;
    std::vector<TokenId> ids;
    bool reasoning_open = false;
    ToolFormat tools;
};

/// Immutable; safe from every thread.
class LoadedText final : public TextModel {
public:
    /// A file without tokenizer (synth) gives an object that knows ids only.  Errors: what the tokenizer says.  A broken
    /// template is no error: template_note() says why chat is off.
    [[nodiscard]] static Result<std::shared_ptr<const LoadedText>> create(const gguf::File& file, int vocab_size);

    [[nodiscard]] int vocab_size() const noexcept override { return vocab_size_; }
    [[nodiscard]] Result<std::vector<TokenId>> tokenize(
        std::string_view text, bool add_special, bool parse_special) const override;
    [[nodiscard]] std::string token_bytes(TokenId token) const override;
    [[nodiscard]] std::string detokenize(std::span<const TokenId> ids, bool show_special) const override;
    [[nodiscard]] Result<Rendered> render(const ChatPrompt& prompt) const override;
    [[nodiscard]] std::string chat_template() const override;
    [[nodiscard]] Result<std::vector<TokenId>> fill_in_middle(
        std::string_view prefix, std::string_view suffix) const override;

    /// Like render(), with what the answer's readers need.
    [[nodiscard]] Result<EncodedPrompt> encode_chat(const ChatPrompt& prompt) const;
    [[nodiscard]] bool has_template() const noexcept { return format_ != nullptr; }
    [[nodiscard]] const std::optional<Error>& template_note() const noexcept { return template_note_; }
    [[nodiscard]] const ReasoningTags& reasoning() const noexcept { return reasoning_; }
    [[nodiscard]] const Tokenizer* tokenizer() const noexcept { return tokenizer_.get(); } // null: ids only
    /// The vocabulary as grammars walk it; made by the first call.  Requires: tokenizer().
    [[nodiscard]] std::shared_ptr<const TokenTrie> token_trie() const;

private:
    LoadedText() = default;
    void read_templates(const gguf::File& file);
    [[nodiscard]] Result<std::vector<TokenId>> encode_rendered(const RenderedText& rendered) const;

    int vocab_size_ = 0;
    std::unique_ptr<const Tokenizer> tokenizer_;
    std::unique_ptr<const ChatFormat> format_;
    std::unique_ptr<const ChatFormat> tool_format_; // tokenizer.chat_template.tool_use, if the file has one
    ReasoningTags reasoning_;
    std::optional<Error> template_note_;
    mutable std::once_flag trie_made_;
    mutable std::shared_ptr<const TokenTrie> trie_;
};

} // namespace vitrine::engine
