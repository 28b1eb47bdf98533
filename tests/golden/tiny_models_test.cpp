// SPDX-License-Identifier: GPL-3.0-or-later
// Every architecture against `transformers`: tiny random models whose logits make_tiny_models.py computed in float64.
#include <algorithm>
#include <cmath>

#include "app/cli/open_model.h"
#include "engine/lab/direct_model.h"
#include "engine/model/model_file.h"
#include "engine/model/model_inspection.h"
#include "tests/golden/golden_data.h"
#include "tests/support/named_backend.h"

namespace vitrine::testing {
namespace {

using engine::DirectModel;

std::string tiny_folder() {
    return tests_dir() + "/golden/tiny/";
}

const nlohmann::json& tiny_models() {
    static const auto records = [] {
        std::ifstream file(tiny_folder() + "tiny_models.json");
        return nlohmann::json::parse(file);
    }();
    return records;
}

/// Largest difference of the last two positions' logits; `chunk`: rows fed at once.
double largest_error(DirectModel& model, const std::string& name, std::size_t chunk) {
    const auto ids = tiny_models()[name]["ids"].get<std::vector<engine::TokenId>>();
    const auto expected = tiny_models()[name]["logits"].get<std::vector<std::vector<double>>>();
    const std::size_t first_known = ids.size() - expected.size();
    double error = 0;
    for (std::size_t begin = 0; begin < ids.size(); begin += chunk) {
        const std::size_t end = std::min(begin + chunk, ids.size());
        const std::vector<engine::TokenId> part(
            ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.begin() + static_cast<std::ptrdiff_t>(end));
        const auto fed = model.feed(0, static_cast<int>(begin), part, [&](int at, std::span<const float> logits) {
            const auto position = static_cast<std::size_t>(at);
            for (std::size_t i = 0; position >= first_known && i < logits.size(); ++i) {
                const double difference =
                    std::abs(static_cast<double>(logits[i]) - expected[position - first_known][i]);
                error = std::isnan(difference) ? 1e9 : std::max(error, difference);
            }
        });
        EXPECT_TRUE(fed) << fed.error().message;
    }
    return error;
}

double largest_error(const std::string& name, const std::string& device, std::size_t chunk) {
    app::ModelOptions options;
    options.model = tiny_folder() + name + ".gguf";
    options.config.device = device;
    auto model = open_direct(options, 32, 1); // a short session: LongRoPE takes its short factors
    if (!model) {
        ADD_FAILURE() << model.error().message;
        return 0;
    }
    return largest_error(*model, name, chunk);
}

class TinyModel : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& [name, record] : tiny_models().items())
        found.push_back(name);
    return found;
}

TEST_P(TinyModel, AgreesOnRefToTheLastFloatDigits) {
    EXPECT_LE(largest_error(GetParam(), "ref", 16), 5e-5);
}

// Values of the cache are rounded to 16 bits here.
TEST_P(TinyModel, AgreesOnCpuWholeAndTokenByToken) {
    EXPECT_LE(largest_error(GetParam(), "cpu", 16), 0.03);
    EXPECT_LE(largest_error(GetParam(), "cpu", 1), 0.03);
}

/// Every architecture may be shared by two devices, wherever it is cut: the logits of one, bit for bit.
TEST_P(TinyModel, IsTheSameOnTwoDevices) {
    const std::string path = tiny_folder() + GetParam() + ".gguf";
    const auto on_cpu = [](const engine::DeviceRequest&) -> Result<engine::BackendCatalog::Made> {
        return engine::BackendCatalog().make({.device = "cpu"});
    };
    const auto shared = [&](const engine::DeviceRequest& request) -> Result<engine::BackendCatalog::Made> {
        auto made = on_cpu(request);
        if (made && request.device != "cpu")
            made->backend = std::make_unique<NamedBackend>(
                NamedDevice{{"cuda:0", "Test GPU", "sm_0", std::int64_t{1} << 36, std::int64_t{1} << 36, 0}},
                std::move(made->backend));
        return made;
    };
    const auto rows = [&](const engine::BackendMaker& make, int gpu_layers, std::size_t chunk) {
        engine::EngineConfig config;
        config.device = gpu_layers > 0 ? "cuda" : "cpu";
        config.gpu_layers = gpu_layers;
        auto model = DirectModel::open_on(path, config, 32, 1, make);
        std::vector<float> all;
        EXPECT_TRUE(model) << model.error().message;
        const auto ids = tiny_models()[GetParam()]["ids"].get<std::vector<engine::TokenId>>();
        for (std::size_t begin = 0; model && begin < ids.size(); begin += chunk) {
            const auto part = std::span(ids).subspan(begin, std::min(chunk, ids.size() - begin));
            const auto fed = model->feed(0, static_cast<int>(begin), part,
                [&](int, std::span<const float> logits) { all.insert(all.end(), logits.begin(), logits.end()); });
            EXPECT_TRUE(fed) << fed.error().message;
        }
        return all;
    };
    const auto file = engine::open_model_file(path);
    ASSERT_TRUE(file) << file.error().message;
    const int num_layers = engine::inspect_file(**file).num_layers;
    ASSERT_GT(num_layers, 1);
    for (int layers = 1; layers < num_layers; ++layers)
        for (const std::size_t chunk : {std::size_t{16}, std::size_t{1}})
            EXPECT_EQ(rows(shared, layers, chunk), rows(on_cpu, 0, chunk)) << layers << " layers on the first device";
}

// The GPU's activations are f16 here.
TEST_P(TinyModel, AgreesOnGpuWholeAndTokenByToken) {
    if (const std::string why = why_no_gpu(); !why.empty())
        GTEST_SKIP() << why;
    EXPECT_LE(largest_error(GetParam(), "cuda", 16), 0.06);
    EXPECT_LE(largest_error(GetParam(), "cuda", 1), 0.06);
}

INSTANTIATE_TEST_SUITE_P(Architectures, TinyModel, ::testing::ValuesIn(names()), [](const auto& entry) {
    std::string name = entry.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace
} // namespace vitrine::testing
