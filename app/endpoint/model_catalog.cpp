// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/model_catalog.h"

#include <algorithm>
#include <set>

#include "app/endpoint/http_message.h"

namespace vitrine::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 6; // Hugging Face cache: models--x--y/snapshots/hash/folder/file
constexpr std::size_t kMaxModels = 1000;

bool is_model(const fs::path& path) {
    const std::string name = lower_case(path.filename().string());
    if (!name.ends_with(".gguf") || name.starts_with("mmproj") || name.find("ggml-vocab") != std::string::npos)
        return false;
    const std::size_t part = name.find("-of-");
    return part == std::string::npos || part < 5 || name.substr(part - 5, 5) == "00001";
}

std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
        if (it.depth() >= kMaxDepth)
            it.disable_recursion_pending();
        std::error_code ignored;
        if (is_model(it->path()) && it->is_regular_file(ignored))
            files.push_back(it->path());
        if (files.size() >= kMaxModels)
            break;
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

std::vector<std::string> scan_models(const std::vector<fs::path>& folders) {
    std::vector<std::string> models;
    std::set<std::string> names;
    for (const fs::path& folder : folders) {
        for (const fs::path& file : files_below(folder)) {
            if (models.size() < kMaxModels && names.insert(lower_case(file.stem().string())).second)
                models.push_back(fs::absolute(file).lexically_normal().string());
        }
    }
    return models;
}

} // namespace vitrine::app
