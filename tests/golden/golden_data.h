// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/golden: the reference records and the models they belong to.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "engine/base/data_dir.h"
#include "engine/device/backend_catalog.h"

namespace vitrine::testing {

struct GoldenModel {
    std::string name; // prefix of the files in data/
    std::string file_name; // in the data directory's models/
    friend void PrintTo(const GoldenModel& model, std::ostream* out) { *out << model.name; }
};

inline GoldenModel smollm2() {
    return {"smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"};
}
inline GoldenModel gemma3() {
    return {"gemma3", "gemma-3-270m-Q4_K_M.gguf"};
}

inline std::string path_of(const GoldenModel& model) {
    return (engine::data_dir() / "models" / model.file_name).string();
}
inline bool is_there(const GoldenModel& model) {
    return std::filesystem::exists(path_of(model));
}
/// Of the sources that were compiled, or VITRINE_TESTS_DIR on a machine that has none (tests/gpu/goldens.sh).
inline std::string tests_dir() {
    const char* elsewhere = std::getenv("VITRINE_TESTS_DIR");
    return elsewhere == nullptr ? VITRINE_TESTS_DIR : elsewhere;
}
inline nlohmann::json golden_json(const GoldenModel& model, const std::string& kind) {
    std::ifstream file(tests_dir() + "/golden/data/" + model.name + "_" + kind + ".json");
    return nlohmann::json::parse(file);
}
inline std::string whole_licence_text() {
    std::ifstream file(tests_dir() + "/../LICENSE", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
/// The text of the *_nll.json files: the first 6000 characters of the GPL-3 text, which is this repository's licence.
inline std::string licence_text() {
    std::string text = whole_licence_text();
    text.resize(std::min<std::size_t>(text.size(), 6000));
    return text;
}
/// Why the tests of a GPU are skipped; empty: there is one.
inline std::string why_no_gpu() {
    engine::DeviceRequest request;
    request.device = "cuda";
    const auto found = engine::BackendCatalog().find(request);
    return found ? std::string() : found.error().message;
}
inline app::ModelOptions model_options(const GoldenModel& model, const std::string& device) {
    app::ModelOptions options;
    options.model = path_of(model);
    options.config.device = device;
    return options;
}

} // namespace vitrine::testing
