// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: tokenize, detokenize and render; vocabulary-only files will do.
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/open_model.h"
#include "engine/chat/template_probe.h"
#include "engine/text/tokenizer.h"

namespace vitrine::app {
namespace {

using nlohmann::ordered_json;

struct Vocabulary {
    std::shared_ptr<const engine::gguf::File> file;
    std::unique_ptr<const engine::Tokenizer> tokenizer;
};

Result<Vocabulary> open_vocabulary(const std::string& model) {
    auto file = open_model_file(model);
    if (!file)
        return tl::unexpected(file.error());
    auto tokenizer = engine::make_tokenizer(**file);
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    return Vocabulary{*std::move(file), *std::move(tokenizer)};
}

std::string spelled(const engine::Tokenizer& tokenizer, std::optional<engine::TokenId> id) {
    return id ? std::string(tokenizer.token_text(*id)) : std::string();
}

/// The request's fields as the template takes them: what is no known key becomes a variable.
Result<engine::RenderInput> read_request(const std::string& text, const std::string& file) {
    const auto json = ordered_json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("messages"))
        return fail(ErrorCode::bad_file, fmt::format("{} is no JSON object with \"messages\"", file),
            "Give an OpenAI chat request.");
    engine::RenderInput input;
    input.messages_json = json["messages"].dump();
    ordered_json variables = ordered_json::object();
    for (const auto& [key, value] : json.items()) {
        if (key == "tools" && !value.is_null())
            input.tools_json = value.dump();
        else if (key == "documents" && !value.is_null())
            input.documents_json = value.dump();
        else if (key == "add_generation_prompt" && value.is_boolean())
            input.add_generation_prompt = value.get<bool>();
        else if (key != "messages" && key != "tools" && key != "documents")
            variables[key] = value;
    }
    if (!json.contains("add_generation_prompt"))
        input.add_generation_prompt = true;
    input.variables_json = variables.dump();
    return input;
}

Result<std::string> template_source(const RenderOptions& options, const engine::gguf::File& file, Console& console) {
    if (!options.template_file.empty())
        return read_text(options.template_file, console);
    auto source = file.text_or("tokenizer.chat_template", "");
    if (source && source->empty())
        return fail(ErrorCode::template_error, fmt::format("{} has no chat template", file.path()),
            "Give one by --template FILE.jinja.");
    return source;
}

Result<std::string> render(const RenderOptions& options, Console& console) {
    auto vocabulary = open_vocabulary(options.model);
    if (!vocabulary)
        return tl::unexpected(vocabulary.error());
    auto text = read_text(options.file, console);
    if (!text)
        return tl::unexpected(text.error());
    auto source = template_source(options, *vocabulary->file, console);
    if (!source)
        return tl::unexpected(source.error());
    auto input = read_request(*text, options.file);
    if (!input)
        return tl::unexpected(input.error());
    const engine::Tokenizer& tokenizer = *vocabulary->tokenizer;
    input->bos_token = options.bos.value_or(spelled(tokenizer, tokenizer.bos_id()));
    input->eos_token = options.eos.value_or(spelled(tokenizer, tokenizer.eos_id()));
    if (!options.now.empty()) {
        auto now = engine::TemplateTime::parse(options.now);
        if (!now)
            return tl::unexpected(now.error());
        input->now = *now;
    }
    if (options.adapt) {
        auto format = engine::ChatFormat::create(*std::move(source), input->bos_token, input->eos_token);
        if (!format)
            return tl::unexpected(format.error());
        return (*format)->render(*input).map([](const engine::AdaptedText& adapted) { return adapted.prompt.text; });
    }
    auto compiled = engine::ChatTemplate::compile(*std::move(source));
    if (!compiled)
        return tl::unexpected(compiled.error());
    return (*compiled)->render(*input).map([](const engine::RenderedText& rendered) { return rendered.text; });
}

} // namespace

int run_command(const TokenizeOptions& options, Console& console) {
    auto vocabulary = open_vocabulary(options.model);
    if (!vocabulary)
        return console.fail(vocabulary.error());
    const engine::Tokenizer& tokenizer = *vocabulary->tokenizer;
    const auto ids =
        tokenizer.encode(console.read_all(), engine::EncodeOptions{options.add_bos, options.parse_special});
    if (!ids)
        return console.fail(ids.error());
    if (!options.json) {
        console.line(fmt::format("{}", fmt::join(*ids, " ")));
        return kExitSuccess;
    }
    ordered_json pieces = ordered_json::array();
    for (const engine::TokenId id : *ids)
        pieces.push_back(std::string(tokenizer.token_bytes(id, true)));
    console.json(ordered_json{{"ids", *ids}, {"pieces", pieces}});
    return kExitSuccess;
}

int run_command(const DetokenizeOptions& options, Console& console) {
    auto vocabulary = open_vocabulary(options.model);
    if (!vocabulary)
        return console.fail(vocabulary.error());
    std::vector<engine::TokenId> ids;
    for (const std::int64_t id : options.ids) {
        if (id < 0 || id >= vocabulary->tokenizer->vocab_size())
            return console.fail(Error{ErrorCode::invalid_argument,
                fmt::format("token id {} is outside the vocabulary of {}", id, vocabulary->tokenizer->vocab_size()),
                "Use ids of this model's tokenizer."});
        ids.push_back(static_cast<engine::TokenId>(id));
    }
    console.write(vocabulary->tokenizer->decode(ids, true));
    return kExitSuccess;
}

int run_command(const RenderOptions& options, Console& console) {
    const auto prompt = render(options, console);
    if (!prompt)
        return console.fail(prompt.error());
    if (options.json)
        console.json(ordered_json{{"prompt", *prompt}});
    else
        console.write(*prompt);
    return kExitSuccess;
}

} // namespace vitrine::app
