// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/route_table.h"

#include <array>
#include <fmt/format.h>
#include <vector>

#include "app/endpoint/anthropic/anthropic_handlers.h"
#include "app/endpoint/native/native_handlers.h"
#include "app/endpoint/ollama/ollama_handlers.h"
#include "app/endpoint/openai/openai_handlers.h"

namespace vitrine::app {
namespace {

constexpr std::array kRoutes{
    Route{"GET", "/health", handle_health, false},
    Route{"GET", "/v1/health", handle_health, false},
    Route{"GET", "/v1/models", handle_models},
    Route{"GET", "/models", handle_models},
    Route{"GET", "/v1/models/*", handle_model},
    Route{"GET", "/models/*", handle_model},
    Route{"POST", "/v1/chat/completions", handle_chat_completions},
    Route{"POST", "/chat/completions", handle_chat_completions},
    Route{"POST", "/v1/completions", handle_completions},
    Route{"POST", "/completions", handle_completions},
    Route{"POST", "/v1/embeddings", handle_embeddings},
    Route{"POST", "/embeddings", handle_embeddings},
    Route{"POST", "/v1/responses", handle_responses},
    Route{"POST", "/responses", handle_responses},
    Route{"POST", "/v1/responses/input_tokens", handle_responses_input_tokens},
    Route{"POST", "/v1/messages", handle_messages},
    Route{"POST", "/v1/messages/count_tokens", handle_count_tokens},
    Route{"GET", "/", handle_root, false},
    Route{"GET", "/api/version", handle_ollama_version},
    Route{"GET", "/api/tags", handle_ollama_tags},
    Route{"GET", "/api/ps", handle_ollama_ps},
    Route{"POST", "/api/show", handle_ollama_show},
    Route{"POST", "/api/chat", handle_ollama_chat},
    Route{"POST", "/api/generate", handle_ollama_generate},
    Route{"POST", "/api/embed", handle_ollama_embed},
    Route{"POST", "/api/embeddings", handle_ollama_embeddings},
    Route{"GET", "/stats", handle_stats},
    Route{"GET", "/metrics", handle_metrics},
    Route{"GET", "/props", handle_props},
    Route{"POST", "/completion", handle_llama_completion},
    Route{"POST", "/infill", handle_infill},
    Route{"POST", "/fim/completions", handle_fim},
    Route{"POST", "/v1/fim/completions", handle_fim},
    Route{"GET", "/lora-adapters", handle_lora_adapters},
    Route{"POST", "/tokenize", handle_tokenize},
    Route{"POST", "/detokenize", handle_detokenize},
    Route{"POST", "/apply-template", handle_apply_template},
};

bool path_matches(std::string_view pattern, std::string_view path) {
    if (!pattern.ends_with("/*"))
        return pattern == path;
    const std::string_view head = pattern.substr(0, pattern.size() - 1);
    return path.size() > head.size() && path.starts_with(head);
}

} // namespace

std::span<const Route> routes() {
    return kRoutes;
}

RouteMatch find_route(std::string_view method, std::string_view path) {
    const std::string_view wanted = method == "HEAD" ? "GET" : method;
    std::vector<std::string_view> allowed; // in the order of the table
    for (const Route& route : kRoutes) {
        if (!path_matches(route.path, path))
            continue;
        if (route.method == wanted)
            return {&route, {}};
        allowed.push_back(route.method);
        if (route.method == "GET")
            allowed.push_back("HEAD");
    }
    RouteMatch match;
    if (allowed.empty()) {
        match.error.status = 404;
        match.error.code = "unsupported_endpoint";
        match.error.message = fmt::format("There is no endpoint {}.", path);
        return match;
    }
    allowed.push_back("OPTIONS");
    match.error.status = 405;
    match.error.code = "method_not_allowed";
    for (const std::string_view name : allowed)
        match.error.allow += (match.error.allow.empty() ? "" : ", ") + std::string(name);
    match.error.message = fmt::format("{} does not take {}; it takes {}.", path, method, match.error.allow);
    return match;
}

} // namespace vitrine::app
