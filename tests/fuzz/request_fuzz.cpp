// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz: a request body through the JSON reader and one dialect's reader.  Nothing may throw or crash; what is refused says
// why; what is taken has at least one request for the engine.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/endpoint/anthropic/messages_request.h"
#include "app/endpoint/generation/embedding_plan.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/ollama/ollama_request.h"
#include "app/endpoint/openai/completion_plan.h"
#include "app/endpoint/openai/responses_request.h"

namespace {

using namespace vitrine;
using Json = nlohmann::ordered_json;

/// One token a byte.
class ByteText final : public engine::TextModel {
public:
    [[nodiscard]] int vocab_size() const noexcept override { return 256; }
    [[nodiscard]] Result<std::vector<engine::TokenId>> tokenize(std::string_view text, bool, bool) const override {
        std::vector<engine::TokenId> ids;
        for (const char c : text)
            ids.push_back(static_cast<unsigned char>(c));
        return ids;
    }
    [[nodiscard]] std::string token_bytes(engine::TokenId token) const override { return {static_cast<char>(token)}; }
    [[nodiscard]] std::string detokenize(std::span<const engine::TokenId> ids, bool) const override {
        return {ids.begin(), ids.end()};
    }
    [[nodiscard]] Result<Rendered> render(const engine::ChatPrompt&) const override {
        return Rendered{"x", {1}, false};
    }
    [[nodiscard]] std::string chat_template() const override { return "x"; }
    [[nodiscard]] Result<std::vector<engine::TokenId>> fill_in_middle(
        std::string_view a, std::string_view) const override {
        return tokenize(a, false, false);
    }
};

void require(bool holds) {
    if (!holds)
        std::abort();
}

void check_error(const app::ApiError& error) {
    require(!error.message.empty() && error.status >= 400);
    for (const auto dialect : {app::Dialect::openai, app::Dialect::anthropic, app::Dialect::ollama})
        require(Json::accept(app::error_response(error, dialect, "req_1").body));
}

void check_plan(const tl::expected<app::CompletionPlan, app::ApiError>& plan) {
    if (plan)
        require(!plan->requests.empty() && plan->num_choices >= 1);
    else
        check_error(plan.error());
}

void check_chat(const tl::expected<Json, app::ApiError>& chat, const ByteText& text) {
    if (chat)
        check_plan(app::plan_chat(*chat, text));
    else
        check_error(chat.error());
}

void check_embeddings(const Json& body, const std::shared_ptr<const engine::TextModel>& text) {
    app::ModelLease lease;
    lease.text = text;
    auto model = std::make_shared<engine::LoadedModel>();
    model->context = 64;
    model->info.embedding_dim = 8;
    lease.model = model;
    if (const auto plan = app::plan_embeddings(body, "input", lease, false); !plan)
        check_error(plan.error());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    static const auto text = std::make_shared<ByteText>();
    const auto body = app::parse_body({reinterpret_cast<const char*>(data) + 1, size - 1});
    if (!body) {
        check_error(body.error());
        return 0;
    }
    require(Json::accept(app::dump_json(*body)));
    switch (data[0] % 7) {
    case 0:
        check_plan(app::plan_chat(*body, *text));
        break;
    case 1:
        check_plan(app::plan_completion(*body, *text));
        break;
    case 2:
        check_chat(app::chat_from_responses(*body), *text);
        break;
    case 3:
        check_chat(app::chat_from_messages(*body, true), *text);
        break;
    case 4:
        check_chat(app::chat_from_ollama_chat(*body), *text);
        break;
    case 5:
        check_chat(app::chat_from_ollama_generate(*body), *text);
        if (const auto keep = app::read_keep_alive(*body); !keep)
            check_error(keep.error());
        break;
    default:
        check_embeddings(*body, text);
    }
    return 0;
}
