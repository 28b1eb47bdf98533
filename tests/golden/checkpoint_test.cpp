// SPDX-License-Identifier: GPL-3.0-or-later
// Folders written from the tiny models: they are read as the same models, and answer as the files they were made from.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unistd.h>

#include "app/cli/open_model.h"
#include "engine/lab/direct_model.h"
#include "engine/lab/quality_report.h"
#include "engine/model/checkpoint_job.h"
#include "engine/model/model_file.h"
#include "engine/model/model_inspection.h"
#include "engine/quant/convert_rows.h"
#include "engine/text/tokenizer.h"
#include "tests/golden/golden_data.h"

namespace vitrine::testing {
namespace {

namespace fs = std::filesystem;
using engine::CheckpointOptions;

std::string tiny(const std::string& name) {
    return std::string(VITRINE_TESTS_DIR) + "/golden/tiny/" + name;
}

/// A folder that does not exist yet and is gone afterwards.
class Target {
public:
    explicit Target(const std::string& name)
        : path_(fs::temp_directory_path() / ("vitrine-" + name + std::to_string(::getpid()))) {
        fs::remove_all(path_);
    }
    ~Target() { fs::remove_all(path_); }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    fs::path path_;
};

std::vector<float> floats(const engine::gguf::Tensor& tensor) {
    const auto bytes = engine::convert_rows(
        *tensor.format, tensor.bytes, kernels::WeightFormat::f32, {tensor.out_dim(), tensor.in_dim()}, 1);
    EXPECT_TRUE(bytes);
    std::vector<float> values(bytes->size() / 4);
    std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
}

CheckpointOptions options_for(const std::string& type, const std::string& method) {
    CheckpointOptions options;
    const auto target = engine::checkpoint_target(type, method);
    EXPECT_TRUE(target);
    options.target = *target;
    options.num_threads = 2;
    return options;
}

/// Logits at every position of `ids`, one after another.
std::vector<float> logits_of(const std::string& model, const std::vector<engine::TokenId>& ids) {
    app::ModelOptions options;
    options.model = model;
    options.config.device = "ref";
    auto direct = app::open_direct(options, 32, 1);
    EXPECT_TRUE(direct) << (direct ? "" : direct.error().message);
    std::vector<float> all;
    if (direct) {
        EXPECT_TRUE(direct->feed(0, 0, ids,
            [&](int, std::span<const float> logits) { all.insert(all.end(), logits.begin(), logits.end()); }));
    }
    return all;
}

double relative_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double difference = 0, norm = 0;
    EXPECT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        difference += std::pow(static_cast<double>(a[i] - b[i]), 2);
        norm += std::pow(static_cast<double>(a[i]), 2);
    }
    return std::sqrt(difference / norm);
}

const std::vector<engine::TokenId> kIds{3, 17, 42, 5, 88, 61, 2, 95, 30, 30, 7, 54, 19, 73, 11, 66};

class WrittenFolder : public ::testing::TestWithParam<const char*> {};

// Eight bits a weight change every tensor by less than half a step of its row, and the answers by little: names, the order of
// rows, norms and config.json are right.  (Random models amplify rounding: 0.02 to 0.1 here; another model would be off by more than 1.)
TEST_P(WrittenFolder, IsTheModelItWasMadeFrom) {
    const std::string source_path = tiny(std::string(GetParam()) + ".gguf");
    const auto source = engine::open_model_file(source_path);
    ASSERT_TRUE(source) << source.error().message;
    const Target target(std::string("folder-") + GetParam());
    const auto report = engine::write_checkpoint(**source, target.path(), options_for("int8", "rtn"));
    ASSERT_TRUE(report) << report.error().message;
    const auto written = engine::open_model_file(target.path());
    ASSERT_TRUE(written) << written.error().message;
    for (const engine::gguf::Tensor& tensor : (*source)->tensors()) {
        const engine::gguf::Tensor* twin = (*written)->find_tensor(tensor.name);
        ASSERT_NE(twin, nullptr) << tensor.name;
        EXPECT_EQ(twin->dims, tensor.dims) << tensor.name;
        EXPECT_LT(relative_difference(floats(tensor), floats(*twin)), tensor.dims.size() == 1 ? 1e-6 : 0.02)
            << tensor.name;
    }
    EXPECT_LT(relative_difference(logits_of(source_path, kIds), logits_of(target.path(), kIds)), 0.2);
}

INSTANTIATE_TEST_SUITE_P(Architectures, WrittenFolder,
    ::testing::Values(
        "llama", "llama_linear", "mistral", "qwen2_yarn", "qwen3", "gemma", "gemma2", "gemma3", "granite", "smollm3"));

TEST(WrittenFolder, KeepsTheFilesOfAFolder) {
    for (const std::string name : {"bytes", "spaced"}) {
        const auto source = engine::open_model_file(tiny("directory/" + name));
        ASSERT_TRUE(source) << source.error().message;
        const Target target("kept-" + name);
        ASSERT_TRUE(engine::write_checkpoint(**source, target.path(), options_for("fp8", "rtn")));
        const auto written = engine::open_model_file(target.path());
        ASSERT_TRUE(written) << written.error().message;
        const auto before = engine::make_tokenizer(**source), after = engine::make_tokenizer(**written);
        ASSERT_TRUE(before && after);
        const std::string text = "Hello world, it's 2026! \n naïve café";
        EXPECT_EQ(*(*before)->encode(text, {}), *(*after)->encode(text, {}));
        EXPECT_NE((*written)->find("tokenizer.chat_template"), nullptr);
        EXPECT_LT(relative_difference(logits_of(tiny("directory/" + name), kIds), logits_of(target.path(), kIds)), 0.3);
    }
}

TEST(WrittenFolder, CountsItsBitsAsTheyArePacked) {
    const auto source = engine::open_model_file(tiny("directory/bytes"));
    ASSERT_TRUE(source) << source.error().message;
    const engine::ModelInfo before = engine::inspect_file(**source);
    EXPECT_EQ(engine::stored_weight_bytes(before), before.weight_bytes) << "nothing is packed";
    const Target target("counted");
    const auto report = engine::write_checkpoint(**source, target.path(), options_for("nf4", "rtn"));
    ASSERT_TRUE(report) << report.error().message;
    const auto written = engine::open_model_file(target.path());
    ASSERT_TRUE(written) << written.error().message;
    const engine::ModelInfo info = engine::inspect_file(**written);
    const auto header =
        static_cast<std::int64_t>(fs::file_size(target.path() + "/model.safetensors")) - report->bytes_after;
    EXPECT_GT(info.weight_bytes, report->bytes_after + header) << "float32 in memory";
    EXPECT_EQ(engine::stored_weight_bytes(info), report->bytes_after + header);
}

/// The real thing without a text: every matrix gets inputs by itself.
engine::ProductsByTensor made_up_products(const engine::gguf::File& file, const std::set<std::string>& tensors) {
    engine::ProductsByTensor products;
    for (const std::string& name : tensors) {
        const std::int64_t d = file.find_tensor(name)->in_dim();
        auto sums = std::make_shared<engine::InputProducts>();
        sums->sums = engine::DenseMatrix(d, d);
        sums->num_rows = 10;
        for (std::int64_t i = 0; i < d; ++i)
            sums->sums.row(i)[i] = static_cast<float>(1 + i % 5);
        products.emplace(name, std::move(sums));
    }
    return products;
}

TEST(WrittenFolder, EveryTypeAndMethodIsReadAndAnswers) {
    struct Row {
        const char *type, *method;
        double largest; // difference of the logits
    };
    const std::string source_path = tiny("llama.gguf");
    const auto source = engine::open_model_file(source_path);
    ASSERT_TRUE(source);
    const auto expected = logits_of(source_path, kIds);
    for (const Row& row : {Row{"int4", "rtn", 0.7}, Row{"int4", "gptq", 0.7}, Row{"int4", "awq", 0.7},
             Row{"int8", "gptq", 0.2}, Row{"nf4", "rtn", 0.7}, Row{"fp8", "rtn", 0.3}}) {
        const Target target(std::string(row.type) + row.method);
        CheckpointOptions options = options_for(row.type, row.method);
        options.product_bytes = 1; // layer by layer
        int runs = 0;
        options.calibrate = [&](const std::set<std::string>& tensors) {
            ++runs;
            EXPECT_TRUE(std::all_of(tensors.begin(), tensors.end(),
                [&](const std::string& name) { return name.starts_with("blk." + std::to_string(runs - 1) + "."); }));
            return Result<engine::ProductsByTensor>(made_up_products(**source, tensors));
        };
        const auto report = engine::write_checkpoint(**source, target.path(), options);
        ASSERT_TRUE(report) << report.error().message;
        EXPECT_EQ(runs, std::string(row.method) == "rtn" ? 0 : 4) << row.type << ' ' << row.method;
        EXPECT_LT(relative_difference(expected, logits_of(target.path(), kIds)), row.largest)
            << row.type << ' ' << row.method;
        EXPECT_FALSE(report->tensors.empty());
    }
}

// Rows of 48 are no multiple of a group, and 48 outputs none of GPTQ's 32: in order, f16 and no less right.
TEST(WrittenFolder, MatricesThatDoNotDivideStayInSixteenBits) {
    const std::string source_path = tiny("directory/bytes"); // feed-forward width 48
    const auto source = engine::open_model_file(source_path);
    ASSERT_TRUE(source);
    for (const char* method : {"rtn", "awq"}) {
        const Target target(std::string("halves-") + method);
        CheckpointOptions options = options_for("int4", method);
        options.calibrate = [&](const std::set<std::string>& tensors) {
            return Result<engine::ProductsByTensor>(made_up_products(**source, tensors));
        };
        const auto report = engine::write_checkpoint(**source, target.path(), options);
        ASSERT_TRUE(report) << report.error().message;
        for (const engine::QuantizedTensor& tensor : report->tensors) {
            const bool narrow = tensor.name.ends_with("ffn_down.weight") || !tensor.name.starts_with("blk.");
            const bool rows = std::string(method) == "rtn" && tensor.name.find("ffn_") != std::string::npos;
            EXPECT_EQ(tensor.to == "f16", narrow || rows) << method << ' ' << tensor.name << ' ' << tensor.to;
        }
        EXPECT_LT(relative_difference(logits_of(source_path, kIds), logits_of(target.path(), kIds)), 0.7) << method;
    }
}

TEST(WrittenFolder, RefusesAndLeavesNothingBehind) {
    const auto source = engine::open_model_file(tiny("llama.gguf"));
    ASSERT_TRUE(source);
    const Target target("refused");
    const auto nothing_left = [&] {
        const fs::path folder(target.path());
        return std::none_of(fs::directory_iterator(folder.parent_path()), fs::directory_iterator(),
            [&](const auto& entry) { return entry.path().string().starts_with(target.path()); });
    };
    CheckpointOptions cancelled = options_for("nf4", "rtn");
    std::stop_source stop;
    cancelled.stop = stop.get_token();
    cancelled.progress = [&](std::int64_t, std::int64_t) { stop.request_stop(); };
    const auto stopped = engine::write_checkpoint(**source, target.path(), cancelled);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
    EXPECT_TRUE(nothing_left());

    CheckpointOptions odd = options_for("int4", "rtn");
    odd.group_size = 48;
    const auto group = engine::write_checkpoint(**source, target.path(), odd);
    ASSERT_FALSE(group);
    EXPECT_NE(group.error().message.find("48"), std::string::npos);
    EXPECT_TRUE(nothing_left());

    const auto experts = engine::open_model_file(tiny("mixtral.gguf"));
    ASSERT_TRUE(experts);
    const auto refused = engine::write_checkpoint(**experts, target.path(), options_for("fp8", "rtn"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_TRUE(nothing_left());

    fs::create_directory(target.path());
    const auto there = engine::write_checkpoint(**source, target.path(), options_for("fp8", "rtn"));
    ASSERT_FALSE(there);
    EXPECT_NE(there.error().message.find("there already"), std::string::npos);
}

} // namespace
} // namespace vitrine::testing
