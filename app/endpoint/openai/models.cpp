// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/openai/openai_handlers.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

Json loaded_meta(const engine::LoadedModel& model) {
    Json capabilities = Json::array({"completion", "embedding"});
    if (model.is_chat_model)
        capabilities.push_back("chat");
    return {{"n_ctx_train", model.info.context_length}, {"n_ctx", model.context}, {"n_params", model.info.parameters},
        {"size", model.info.weight_bytes}, {"quant", model.info.quantization}, {"capabilities", capabilities},
        {"loaded", true}};
}

/// What is not loaded is not opened for a list: its id says what it is.
Json model_json(const NamedModel& model) {
    // One date for every model: the file's own would leak nothing useful and change with a copy.
    constexpr std::int64_t kCreated = 1'700'000'000;
    Json json = {{"id", model.id}, {"object", "model"}, {"created", kCreated}, {"owned_by", "vitrine"},
        {"display_name", model.loaded ? model.loaded->info.name : model.id}, {"type", "model"},
        {"created_at", "2023-11-14T22:13:20Z"},
        {"meta", model.loaded ? loaded_meta(*model.loaded) : Json{{"loaded", false}}}};
    for (std::size_t i = 0; model.loaded && i < model.loaded->adapters.size(); ++i)
        if (model.loaded->adapters[i].name == model.id) // as vLLM lists adapters
            json["parent"] = model.loaded->info.name;
    return json;
}

} // namespace

void handle_models(const std::shared_ptr<Exchange>& exchange, Services& services) {
    const std::vector<NamedModel> models = services.models->list();
    Json data = Json::array();
    for (const NamedModel& model : models)
        data.push_back(model_json(model));
    const bool any = !models.empty();
    respond_json(*exchange,
        {{"object", "list"}, {"data", data}, {"first_id", any ? Json(models.front().id) : Json(nullptr)},
            {"last_id", any ? Json(models.back().id) : Json(nullptr)}, {"has_more", false}});
}

void handle_model(const std::shared_ptr<Exchange>& exchange, Services& services) {
    const std::string& path = exchange->request().path;
    const std::string asked = path.substr(path.find("/models/") + 8);
    if (auto model = services.models->find(asked)) {
        model->id = asked;
        respond_json(*exchange, model_json(*model));
        return;
    }
    ApiError error = services.models->not_found(asked);
    error.status = 404;
    error.code = "model_not_found";
    error.retry_after_s = 0;
    respond_error(*exchange, error);
}

} // namespace vitrine::app
