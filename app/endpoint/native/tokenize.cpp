// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/native/native_handlers.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;
using Answer = tl::expected<Json, ApiError>;

bool valid_utf8(const std::string& text) {
    return dump_json(Json(text)).find("\xEF\xBF\xBD") == std::string::npos;
}

Json piece_json(const engine::TextModel& text, engine::TokenId id) {
    const std::string bytes = text.token_bytes(id);
    if (valid_utf8(bytes))
        return {{"id", id}, {"piece", bytes}};
    Json array = Json::array();
    for (const char c : bytes)
        array.push_back(static_cast<unsigned char>(c));
    return {{"id", id}, {"piece", array}};
}

Answer tokenize(const Json& body, const ModelLease& lease) {
    const engine::TextModel& text = *lease.text;
    Fields fields(body);
    const bool vllm_shape = body.contains("prompt") || body.contains("messages");
    Result<std::vector<engine::TokenId>> ids;
    if (body.contains("messages")) {
        auto rendered = text.render(engine::ChatPrompt{dump_json(body["messages"]), {}, {}, true, true});
        if (!rendered)
            return tl::unexpected(from_engine_error(rendered.error()));
        ids = std::move(rendered->ids);
    } else {
        const std::string content = fields.text(vllm_shape ? "prompt" : "content");
        const bool special =
            vllm_shape ? fields.boolean("add_special_tokens", true) : fields.boolean("add_special", false);
        ids = text.tokenize(content, special, fields.boolean("parse_special", true));
    }
    const bool with_pieces = fields.boolean("with_pieces", false) || fields.boolean("return_token_strs", false);
    if (fields.error())
        return tl::unexpected(*fields.error());
    if (!ids)
        return tl::unexpected(from_engine_error(ids.error()));
    Json tokens = Json::array();
    for (const engine::TokenId id : *ids)
        tokens.push_back(with_pieces ? piece_json(text, id) : Json(id));
    return Json{{"tokens", std::move(tokens)}, {"count", ids->size()}, {"max_model_len", lease.model->context}};
}

Answer detokenize(const Json& body, const ModelLease& lease) {
    const engine::TextModel& text = *lease.text;
    const auto tokens = body.find("tokens");
    if (tokens == body.end() || !tokens->is_array())
        return tl::unexpected(invalid_value("tokens", "'tokens' must be an array of token ids.", "invalid_type"));
    std::vector<engine::TokenId> ids;
    for (const Json& token : *tokens) {
        if (!token.is_number_integer() || token.get<std::int64_t>() < 0 ||
            token.get<std::int64_t>() >= text.vocab_size())
            return tl::unexpected(invalid_value("tokens[" + std::to_string(ids.size()) + "]",
                "The token id " + dump_json(token) + " is not in the vocabulary of " +
                    std::to_string(text.vocab_size()) + " tokens."));
        ids.push_back(token.get<engine::TokenId>());
    }
    const std::string content = text.detokenize(ids, true);
    return Json{{"content", content}, {"prompt", content}};
}

Answer apply_template(const Json& body, const ModelLease& lease) {
    const engine::TextModel& text = *lease.text;
    if (!body.contains("messages") || !body["messages"].is_array())
        return tl::unexpected(invalid_value("messages", "'messages' must be an array.", "missing_required_parameter"));
    engine::ChatPrompt prompt;
    prompt.messages_json = dump_json(body["messages"]);
    if (body.contains("tools") && body["tools"].is_array())
        prompt.tools_json = dump_json(body["tools"]);
    if (body.contains("chat_template_kwargs") && body["chat_template_kwargs"].is_object())
        prompt.variables_json = dump_json(body["chat_template_kwargs"]);
    Fields fields(body);
    prompt.add_generation_prompt = fields.boolean("add_generation_prompt", true);
    if (fields.error())
        return tl::unexpected(*fields.error());
    const auto rendered = text.render(prompt);
    if (!rendered)
        return tl::unexpected(from_engine_error(rendered.error()));
    return Json{{"prompt", rendered->text}};
}

} // namespace

void handle_tokenize(const std::shared_ptr<Exchange>& exchange, Services& services) {
    answer_with_model(exchange, services, ModelField::optional, tokenize);
}

void handle_detokenize(const std::shared_ptr<Exchange>& exchange, Services& services) {
    answer_with_model(exchange, services, ModelField::optional, detokenize);
}

void handle_apply_template(const std::shared_ptr<Exchange>& exchange, Services& services) {
    answer_with_model(exchange, services, ModelField::optional, apply_template);
}

} // namespace vitrine::app
