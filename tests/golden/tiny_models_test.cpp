// SPDX-License-Identifier: GPL-3.0-or-later
// Every architecture against `transformers`: tiny random models whose logits make_tiny_models.py computed in float64.
#include <algorithm>
#include <cmath>

#include "app/cli/open_model.h"
#include "engine/lab/direct_model.h"
#include "tests/golden/golden_data.h"

namespace vitrine::testing {
namespace {

using engine::DirectModel;

std::string tiny_folder() {
    return std::string(VITRINE_TESTS_DIR) + "/golden/tiny/";
}

const nlohmann::json& tiny_models() {
    static const auto records = [] {
        std::ifstream file(tiny_folder() + "tiny_models.json");
        return nlohmann::json::parse(file);
    }();
    return records;
}

/// Largest difference of the last two positions' logits; `chunk`: rows fed at once.
double largest_error(const std::string& name, const std::string& device, std::size_t chunk) {
    app::ModelOptions options;
    options.model = tiny_folder() + name + ".gguf";
    options.config.device = device;
    auto model = open_direct(options, 32, 1); // a short session: LongRoPE takes its short factors
    if (!model) {
        ADD_FAILURE() << model.error().message;
        return 0;
    }
    const auto ids = tiny_models()[name]["ids"].get<std::vector<engine::TokenId>>();
    const auto expected = tiny_models()[name]["logits"].get<std::vector<std::vector<double>>>();
    const std::size_t first_known = ids.size() - expected.size();
    double error = 0;
    for (std::size_t begin = 0; begin < ids.size(); begin += chunk) {
        const std::size_t end = std::min(begin + chunk, ids.size());
        const std::vector<engine::TokenId> part(
            ids.begin() + static_cast<std::ptrdiff_t>(begin), ids.begin() + static_cast<std::ptrdiff_t>(end));
        const auto fed = model->feed(0, static_cast<int>(begin), part, [&](int at, std::span<const float> logits) {
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

INSTANTIATE_TEST_SUITE_P(Architectures, TinyModel, ::testing::ValuesIn(names()), [](const auto& entry) {
    std::string name = entry.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace
} // namespace vitrine::testing
