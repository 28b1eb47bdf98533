// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "app/endpoint/json_fields.h"
#include "app/endpoint/openai/openai_handlers.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::json;

Json model_json(const std::string& id, const engine::LoadedModel& model) {
    // One date for every model: the file's own would leak nothing useful and change with a copy.
    constexpr std::int64_t kCreated = 1'700'000'000;
    Json capabilities = Json::array({"completion"});
    if (model.is_chat_model)
        capabilities.push_back("chat");
    return {{"id", id}, {"object", "model"}, {"created", kCreated}, {"owned_by", "vitrine"},
        {"display_name", model.info.name}, {"type", "model"}, {"created_at", "2023-11-14T22:13:20Z"},
        {"meta",
            {{"n_ctx_train", model.info.context_length}, {"n_ctx", model.context}, {"n_params", model.info.parameters},
                {"size", model.info.weight_bytes}, {"quant", model.info.quantization}, {"capabilities", capabilities},
                {"loaded", true}}}};
}

} // namespace

void handle_models(const std::shared_ptr<Exchange>& exchange, Services& services) {
    const auto model = services.engine.snapshot()->model;
    const std::vector<std::string> ids = model_ids(services);
    Json data = Json::array();
    for (const std::string& id : ids) {
        if (model)
            data.push_back(model_json(id, *model));
    }
    const bool any = !data.empty();
    HttpResponse response;
    response.body =
        dump_json({{"object", "list"}, {"data", data}, {"first_id", any ? Json(ids.front()) : Json(nullptr)},
            {"last_id", any ? Json(ids.back()) : Json(nullptr)}, {"has_more", false}});
    exchange->respond(std::move(response));
}

void handle_model(const std::shared_ptr<Exchange>& exchange, Services& services) {
    const std::string& path = exchange->request().path;
    const std::string asked = path.substr(path.find("/models/") + 8);
    const auto id = resolve_model(services, asked);
    const auto model = services.engine.snapshot()->model;
    if (!id || !model) {
        ApiError error = id ? ApiError{} : id.error();
        error.status = 404;
        error.code = "model_not_found";
        exchange->respond(error_response(error));
        return;
    }
    HttpResponse response;
    response.body = dump_json(model_json(*id, *model));
    exchange->respond(std::move(response));
}

} // namespace vitrine::app
