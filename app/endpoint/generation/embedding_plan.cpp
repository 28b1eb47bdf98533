// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/generation/embedding_plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/json_fields.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxInputs = 2048;

using Ids = std::vector<engine::TokenId>;

tl::expected<Ids, ApiError> read_ids(const Json& input, const std::string& param, int vocab_size) {
    Ids ids;
    for (const Json& id : input) {
        if (!id.is_number_integer() || id.get<std::int64_t>() < 0 || id.get<std::int64_t>() >= vocab_size)
            return tl::unexpected(invalid_value(param,
                fmt::format(
                    "'{}' holds {}, which is no token id of this model's {} tokens; were the ids made by another "
                    "tokenizer (LangChain: check_embedding_ctx_length=False)?",
                    param, dump_json(id), vocab_size)));
        ids.push_back(id.get<engine::TokenId>());
    }
    return ids;
}

tl::expected<Ids, ApiError> read_input(
    const Json& input, const std::string& param, const ModelLease& lease, bool truncate) {
    tl::expected<Ids, ApiError> ids;
    if (input.is_string()) {
        auto encoded = lease.text->tokenize(input.get_ref<const std::string&>(), true, true);
        if (!encoded)
            return tl::unexpected(from_engine_error(encoded.error()));
        ids = *std::move(encoded);
    } else if (input.is_array()) {
        ids = read_ids(input, param, lease.text->vocab_size());
    } else {
        return tl::unexpected(invalid_value(
            param, fmt::format("'{}' must be a string or an array of token ids.", param), "invalid_type"));
    }
    if (!ids)
        return ids;
    if (ids->empty() || (input.is_string() && input.get_ref<const std::string&>().empty()))
        return tl::unexpected(invalid_value(param, fmt::format("'{}' is empty.", param)));
    const auto context = static_cast<std::size_t>(lease.model->context);
    if (ids->size() > context && truncate)
        ids->resize(context);
    if (ids->size() > context) {
        ApiError error = invalid_value(param,
            fmt::format("'{}' has {} tokens, the context is {} tokens.", param, ids->size(), context),
            "context_length_exceeded");
        error.prompt_tokens = static_cast<int>(ids->size());
        error.context_length = lease.model->context;
        return tl::unexpected(std::move(error));
    }
    return ids;
}

} // namespace

tl::expected<EmbeddingPlan, ApiError> plan_embeddings(
    const Json& body, const char* field, const ModelLease& lease, bool truncate) {
    Fields fields(body);
    EmbeddingPlan plan;
    plan.dimensions = static_cast<int>(fields.integer("dimensions", 0, 1, lease.model->info.embedding_dim));
    if (fields.error())
        return tl::unexpected(*fields.error());
    const Json* input = fields.find(field);
    if (input == nullptr)
        return tl::unexpected(
            invalid_value(field, fmt::format("'{}' is missing.", field), "missing_required_parameter"));
    const bool many = input->is_array() && !input->empty() && !(*input)[0].is_number();
    if (!many) {
        auto ids = read_input(*input, field, lease, truncate);
        if (!ids)
            return tl::unexpected(std::move(ids.error()));
        plan.inputs.push_back(*std::move(ids));
        return plan;
    }
    if (input->size() > kMaxInputs)
        return tl::unexpected(
            invalid_value(field, fmt::format("'{}' has {} entries, at most {}.", field, input->size(), kMaxInputs)));
    for (std::size_t i = 0; i < input->size(); ++i) {
        auto ids = read_input((*input)[i], fmt::format("{}[{}]", field, i), lease, truncate);
        if (!ids)
            return tl::unexpected(std::move(ids.error()));
        plan.inputs.push_back(*std::move(ids));
    }
    return plan;
}

} // namespace vitrine::app
