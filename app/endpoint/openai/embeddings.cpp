// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: /v1/embeddings.
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/endpoint/generation/embedding_job.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/openai/openai_handlers.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "base64 embeddings are little-endian floats");

std::string base64(std::string_view bytes) {
    constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = (group << 8) | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += k <= count ? kAlphabet[(group >> (18 - 6 * k)) & 63U] : '=';
    }
    return out;
}

Json embedding_json(const std::vector<float>& vector, bool as_base64) {
    if (!as_base64)
        return vector;
    return base64({reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float)});
}

tl::expected<std::pair<EmbeddingPlan, EmbeddingJob::Format>, ApiError> plan(const Json& body, const ModelLease& lease) {
    Fields fields(body);
    const std::string encoding = fields.text("encoding_format", "float");
    if (!fields.error() && encoding != "float" && encoding != "base64")
        fields.refuse(
            invalid_value("encoding_format", "'encoding_format' is '" + encoding + "'; it must be float or base64."));
    if (fields.error())
        return tl::unexpected(*fields.error());
    auto embedding_plan = plan_embeddings(body, "input", lease, false);
    if (!embedding_plan)
        return tl::unexpected(std::move(embedding_plan.error()));
    return std::pair{*std::move(embedding_plan),
        EmbeddingJob::Format([model = lease.id, as_base64 = encoding == "base64"](const EmbeddingAnswer& answer) {
            Json data = Json::array();
            for (std::size_t i = 0; i < answer.vectors.size(); ++i)
                data.push_back({{"object", "embedding"}, {"index", i},
                    {"embedding", embedding_json(answer.vectors[i], as_base64)}});
            return Json{{"object", "list"}, {"data", std::move(data)}, {"model", model},
                {"usage", {{"prompt_tokens", answer.prompt_tokens}, {"total_tokens", answer.prompt_tokens}}}};
        })};
}

} // namespace

void handle_embeddings(const std::shared_ptr<Exchange>& exchange, Services& services) {
    handle_embedding_request(exchange, services, plan);
}

} // namespace vitrine::app
