// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: tokenizer and template of a model.
#include "engine/core/loaded_text.h"

#include "engine/text/vocab.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

tl::unexpected<Error> no_tokenizer() {
    return fail(ErrorCode::unsupported, say(Sentence::model_without_text), say(Sentence::choose_model_with_tokenizer));
}

Error no_chat(Phrase why) {
    return make_error(ErrorCode::template_error, std::move(why), say(Sentence::send_plain_text));
}

std::string spelled(const Tokenizer& tokenizer, std::optional<TokenId> id) {
    return id ? std::string(tokenizer.token_text(*id)) : std::string();
}

} // namespace

Result<std::shared_ptr<const LoadedText>> LoadedText::create(const gguf::File& file, int vocab_size) {
    std::shared_ptr<LoadedText> text(new LoadedText());
    text->vocab_size_ = vocab_size;
    if (!has_vocabulary(file)) {
        text->template_note_ = no_chat(say(Sentence::vocabulary_missing));
        return std::shared_ptr<const LoadedText>(std::move(text));
    }
    auto tokenizer = make_tokenizer(file);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    text->tokenizer_ = *std::move(tokenizer);
    text->read_templates(file);
    return std::shared_ptr<const LoadedText>(std::move(text));
}

void LoadedText::read_templates(const gguf::File& file) {
    const std::string bos = spelled(*tokenizer_, tokenizer_->bos_id());
    const std::string eos = spelled(*tokenizer_, tokenizer_->eos_id());
    const std::string source = file.text_or("tokenizer.chat_template", "").value_or("");
    if (source.empty()) {
        template_note_ = no_chat(say(Sentence::template_missing));
        return;
    }
    auto format = ChatFormat::create(source, bos, eos);
    if (!format) {
        template_note_ = no_chat(say(Sentence::template_unusable, cause_of(format.error())));
        return;
    }
    format_ = *std::move(format);
    reasoning_ = format_->traits().reasoning;
    const std::string tool_source = file.text_or("tokenizer.chat_template.tool_use", "").value_or("");
    if (tool_source.empty())
        return;
    if (auto with_tools = ChatFormat::create(tool_source, bos, eos))
        tool_format_ = *std::move(with_tools);
}

Result<std::vector<TokenId>> LoadedText::tokenize(std::string_view text, bool add_special, bool parse_special) const {
    if (!tokenizer_)
        return no_tokenizer();
    return tokenizer_->encode(text, EncodeOptions{add_special, parse_special});
}

std::string LoadedText::token_bytes(TokenId token) const {
    return tokenizer_ ? std::string(tokenizer_->token_bytes(token, true)) : std::string();
}

std::string LoadedText::detokenize(std::span<const TokenId> ids, bool show_special) const {
    return tokenizer_ ? tokenizer_->decode(ids, show_special) : std::string();
}

std::shared_ptr<const TokenTrie> LoadedText::token_trie() const {
    std::call_once(trie_made_, [this] {
        std::vector<std::string> bytes;
        bytes.reserve(static_cast<std::size_t>(tokenizer_->vocab_size()));
        for (TokenId token = 0; token < tokenizer_->vocab_size(); ++token)
            bytes.emplace_back(tokenizer_->is_control(token) ? "" : tokenizer_->token_bytes(token));
        const auto ends = tokenizer_->eog_ids();
        trie_ = std::make_shared<TokenTrie>(std::move(bytes), std::vector<TokenId>(ends.begin(), ends.end()));
    });
    return trie_;
}

std::string LoadedText::chat_template() const {
    return format_ ? format_->chat_template().source() : std::string();
}

Result<TextModel::Rendered> LoadedText::render(const ChatPrompt& prompt) const {
    auto encoded = encode_chat(prompt);
    if (!encoded)
        return tl::unexpected(encoded.error());
    return Rendered{std::move(encoded->text), std::move(encoded->ids), encoded->reasoning_open};
}

Result<EncodedPrompt> LoadedText::encode_chat(const ChatPrompt& prompt) const {
    if (!format_)
        return tl::unexpected(*template_note_);
    const ChatFormat& format = tool_format_ && !prompt.tools_json.empty() ? *tool_format_ : *format_;
    RenderInput input;
    input.messages_json = prompt.messages_json;
    input.tools_json = prompt.tools_json;
    input.variables_json = prompt.variables_json;
    input.add_generation_prompt = prompt.add_generation_prompt;
    EncodedPrompt encoded;
    RenderedText rendered;
    if (prompt.adapt) {
        auto adapted = format.render(input);
        if (!adapted)
            return tl::unexpected(adapted.error());
        rendered = std::move(adapted->prompt);
        encoded.reasoning_open = adapted->reasoning_open;
        encoded.tools = std::move(adapted->tools);
    } else {
        auto given = format.render_as_given(std::move(input));
        if (!given)
            return tl::unexpected(given.error());
        rendered = *std::move(given);
        encoded.reasoning_open = format.traits().reasoning_open;
        encoded.tools = format.traits().tools;
    }
    auto ids = encode_rendered(rendered);
    if (!ids)
        return tl::unexpected(ids.error());
    encoded.ids = *std::move(ids);
    encoded.text = std::move(rendered.text);
    return encoded;
}

Result<std::vector<TokenId>> LoadedText::encode_rendered(const RenderedText& rendered) const {
    // Half of all templates write BOS themselves: never two, never none.
    const std::string bos = spelled(*tokenizer_, tokenizer_->bos_id());
    const bool has_bos = !bos.empty() && rendered.text.starts_with(bos);
    auto ids = tokenizer_->encode(rendered.text, rendered.user_bytes, EncodeOptions{false, true});
    if (ids && !has_bos && tokenizer_->adds_bos() && tokenizer_->bos_id())
        ids->insert(ids->begin(), *tokenizer_->bos_id());
    return ids;
}

Result<std::vector<TokenId>> LoadedText::fill_in_middle(std::string_view prefix, std::string_view suffix) const {
    if (!tokenizer_)
        return no_tokenizer();
    const FillMarks marks = tokenizer_->fill_marks();
    if (!marks.prefix || !marks.suffix || !marks.middle)
        return fail(ErrorCode::unsupported, say(Sentence::model_without_fill_marks), say(Sentence::leave_suffix_out));
    const auto before = tokenizer_->encode(prefix, EncodeOptions{false, false});
    VT_TRY(before);
    const auto after = tokenizer_->encode(suffix, EncodeOptions{false, false});
    VT_TRY(after);
    std::vector<TokenId> ids;
    if (tokenizer_->adds_bos() && tokenizer_->bos_id())
        ids.push_back(*tokenizer_->bos_id());
    ids.push_back(*marks.prefix);
    ids.insert(ids.end(), before->begin(), before->end());
    ids.push_back(*marks.suffix);
    ids.insert(ids.end(), after->begin(), after->end());
    ids.push_back(*marks.middle);
    return ids;
}

} // namespace vitrine::engine
