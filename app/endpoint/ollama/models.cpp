// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: /api/tags, /api/ps, /api/show, /api/version and the root.
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/endpoint/generation/generation_handler.h"
#include "app/endpoint/json_fields.h"
#include "app/endpoint/ollama/ollama_format.h"
#include "app/endpoint/ollama/ollama_handlers.h"

namespace vitrine::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersion = "0.12.0"; // of the API spoken here: clients switch features by it

/// 64 hex digits that tell files apart by name and size; reading gigabytes for a real digest would not pay.
std::string digest(const std::string& id, std::uintmax_t size) {
    std::uint64_t hash = 0xcbf29ce484222325;
    std::string out;
    const std::string text = fmt::format("{}/{}", id, size);
    for (int part = 0; part < 4; ++part) {
        for (const char c : text)
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        out += fmt::format("{:016x}", hash);
    }
    return out;
}

std::string parameter_size(std::int64_t parameters) {
    const auto count = static_cast<double>(parameters);
    return count >= 1e9 ? fmt::format("{:.1f}B", count * 1e-9) : fmt::format("{:.2f}M", count * 1e-6);
}

Json details(const engine::ModelInfo& info) {
    return {{"parent_model", ""}, {"format", "gguf"}, {"family", info.architecture},
        {"families", Json::array({info.architecture})}, {"parameter_size", parameter_size(info.parameters)},
        {"quantization_level", info.quantization}};
}

Json entry(const NamedModel& model, const engine::ModelInfo& info) {
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(model.path, ignored);
    const std::uintmax_t bytes = ignored ? 0 : size;
    return {{"name", model.id}, {"model", model.id}, {"size", bytes}, {"digest", digest(model.id, bytes)},
        {"details", details(info)}};
}

std::string modified_at(const std::string& path) {
    std::error_code ignored;
    const auto time = std::filesystem::last_write_time(path, ignored);
    return rfc3339(
        std::chrono::time_point_cast<std::chrono::system_clock::duration>(std::chrono::file_clock::to_sys(time)));
}

Json tags(Services& services) {
    Json models = Json::array();
    for (const NamedModel& model : services.models->list()) {
        const auto info =
            model.loaded ? Result<engine::ModelInfo>(model.loaded->info) : services.engine.inspect(model.path);
        if (!info)
            continue; // not a model that could be loaded
        Json one = entry(model, *info);
        one["modified_at"] = modified_at(model.path);
        models.push_back(std::move(one));
    }
    return {{"models", std::move(models)}};
}

Json show(const engine::ModelInfo& info, const std::string& chat_template) {
    const std::string& arch = info.architecture;
    Json capabilities = Json::array({"completion", "embedding"});
    if (chat_template.find("tools") != std::string::npos)
        capabilities.push_back("tools");
    if (chat_template.find("think") != std::string::npos)
        capabilities.push_back("thinking");
    Json fields = {{"general.architecture", arch}, {"general.basename", info.name},
        {"general.parameter_count", info.parameters}, {"tokenizer.ggml.model", info.tokenizer_model}};
    fields[arch + ".context_length"] = info.context_length;
    fields[arch + ".embedding_length"] = info.embedding_dim;
    fields[arch + ".block_count"] = info.num_layers;
    fields[arch + ".feed_forward_length"] = info.feed_forward_dim;
    fields[arch + ".attention.head_count"] = info.num_heads;
    fields[arch + ".attention.head_count_kv"] = info.num_kv_heads;
    return {{"license", info.license}, {"modelfile", ""}, {"parameters", ""}, {"template", chat_template},
        {"details", details(info)}, {"model_info", std::move(fields)}, {"capabilities", std::move(capabilities)}};
}

void not_here(Exchange& exchange, Services& services, const std::string& name) {
    ApiError error = services.models->not_found(name);
    error.status = 404;
    respond_error(exchange, error);
}

/// Disk work, so on a worker.
void answer_show(const std::shared_ptr<Exchange>& exchange, Services& services) {
    const auto body = parse_body(exchange->request().body);
    std::string name;
    if (body) {
        Fields fields(*body);
        name = fields.text("model", fields.text("name"));
    }
    const auto model = services.models->find(name);
    const auto info = !model ? Result<engine::ModelInfo>(engine::ModelInfo{})
        : model->loaded      ? Result<engine::ModelInfo>(model->loaded->info)
                             : services.engine.inspect(model->path);
    const auto text = services.engine.text_model();
    Json answer = info ? show(*info, model && model->loaded && text ? text->chat_template() : "") : Json();
    if (model && answer.is_object())
        answer["modified_at"] = modified_at(model->path);
    exchange->post([exchange, &services, name, body, known = model.has_value(), answer = std::move(answer)] {
        if (!body)
            respond_error(*exchange, body.error());
        else if (!known || !answer.is_object())
            not_here(*exchange, services, name);
        else
            respond_json(*exchange, answer);
    });
}

/// Weights and cache on GPUs; of a model that two devices share as planned.
std::int64_t gpu_bytes(const engine::LoadedModel& model) {
    if (model.plan.devices.size() < 2)
        return model.device.id.starts_with("cpu") ? 0 : model.measured_weight_bytes + model.measured_kv_bytes;
    std::int64_t bytes = 0;
    for (const engine::DevicePlan& part : model.plan.devices)
        bytes += part.device.starts_with("cpu") ? 0 : part.weights + part.kv;
    return bytes;
}

} // namespace

void handle_root(const std::shared_ptr<Exchange>& exchange, Services&) {
    HttpResponse response;
    response.content_type = "text/plain; charset=utf-8";
    response.body = "Ollama is running"; // probes compare it
    exchange->respond(std::move(response));
}

void handle_ollama_version(const std::shared_ptr<Exchange>& exchange, Services&) {
    respond_json(*exchange, {{"version", kVersion}});
}

void handle_ollama_tags(const std::shared_ptr<Exchange>& exchange, Services& services) {
    services.run_on_worker([exchange, &services] {
        exchange->post([exchange, answer = tags(services)] { respond_json(*exchange, answer); });
    });
}

void handle_ollama_ps(const std::shared_ptr<Exchange>& exchange, Services& services) {
    Json models = Json::array();
    if (const auto loaded = services.engine.snapshot()->model) {
        const std::vector<NamedModel> all = services.models->list();
        Json one = entry(all.front(), loaded->info);
        const auto expiry = services.models->expiry();
        one["expires_at"] = rfc3339(expiry.value_or(std::chrono::system_clock::now() + std::chrono::hours(24 * 365)));
        one["size_vram"] = gpu_bytes(*loaded);
        one["context_length"] = loaded->context;
        models.push_back(std::move(one));
    }
    respond_json(*exchange, {{"models", std::move(models)}});
}

void handle_ollama_show(const std::shared_ptr<Exchange>& exchange, Services& services) {
    services.run_on_worker([exchange, &services] { answer_show(exchange, services); });
}

} // namespace vitrine::app
