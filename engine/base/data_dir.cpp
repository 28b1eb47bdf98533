// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: folders by the XDG rules and by the habits of other programs.
#include "engine/base/data_dir.h"

#include <cstdlib>
#include <string_view>

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;

/// An environment variable as a path; empty if it is not set.
fs::path from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? fs::path() : fs::path(value);
}

fs::path home() {
    const fs::path path = from_environment("HOME");
    return path.empty() ? fs::path("/") : path;
}

void add_colon_list(std::vector<fs::path>& folders, std::string_view list) {
    while (!list.empty()) {
        const std::size_t colon = list.find(':');
        const std::string_view entry = list.substr(0, colon);
        if (!entry.empty())
            folders.emplace_back(entry);
        if (colon == std::string_view::npos)
            return;
        list.remove_prefix(colon + 1);
    }
}

fs::path ollama_models() {
    const fs::path own = from_environment("OLLAMA_MODELS");
    return own.empty() ? home() / ".ollama" / "models" : own;
}

fs::path hugging_face_cache() {
    if (const fs::path hub = from_environment("HF_HUB_CACHE"); !hub.empty())
        return hub;
    if (const fs::path root = from_environment("HF_HOME"); !root.empty())
        return root / "hub";
    const fs::path cache = from_environment("XDG_CACHE_HOME");
    return (cache.empty() ? home() / ".cache" : cache) / "huggingface" / "hub";
}

} // namespace

fs::path data_dir() {
    if (const fs::path own = from_environment("VITRINE_DATA_DIR"); !own.empty())
        return own;
    // The XDG base directory specification asks to ignore relative paths.
    if (const fs::path xdg = from_environment("XDG_DATA_HOME"); xdg.is_absolute())
        return xdg / "vitrine";
    return home() / ".local" / "share" / "vitrine";
}

fs::path default_model_path() {
    return data_dir() / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
}

std::vector<fs::path> model_folders() {
    std::vector<fs::path> folders{data_dir() / "models"};
    if (const char* list = std::getenv("VITRINE_MODELS"); list != nullptr)
        add_colon_list(folders, list);
    folders.push_back(home() / ".lmstudio" / "models");
    folders.push_back(home() / ".cache" / "lm-studio" / "models");
    folders.push_back(ollama_models());
    folders.push_back(hugging_face_cache());
    return folders;
}

} // namespace vitrine::engine
