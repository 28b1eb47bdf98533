// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: one quantization from source to report, refusals and cancel, on a model made here.
#include "engine/lab/quantization.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/model/model_file.h"
#include "engine/model/synthetic_model.h"

namespace vitrine::engine {
namespace {

using ::testing::HasSubstr;

class QuantizationTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("vitrine_quantization_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        const ShapePreset tiny{"tiny", "llama", 2, 4, 2, 32, 128, 256, 96, 256, 10000, false, 0};
        ASSERT_TRUE(write_synthetic_model(tiny, *quant_mix_from_name("f16"), 1, path("source.gguf")));
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
    [[nodiscard]] QuantizationTask task(const std::string& type, const std::string& method = "rtn") const {
        QuantizationTask task;
        task.source = path("source.gguf");
        task.target = path("target-" + type);
        task.type = type;
        task.method = method;
        task.num_threads = 2;
        return task;
    }
    /// Nothing but the source.
    [[nodiscard]] bool left_nothing() const {
        return std::distance(std::filesystem::directory_iterator(folder_), {}) == 1;
    }
    std::filesystem::path folder_;
};

TEST_F(QuantizationTest, WritesAFileAndSaysWhyItCannotBeJudged) {
    QuantizationTask with_report = task("Q4_K_M"); // names as files show them
    with_report.judged_by = built_in_quality_text();
    std::vector<QuantizationProgress> seen;
    const auto result =
        run_quantization(with_report, {[&](const QuantizationProgress& progress) { seen.push_back(progress); }, {}});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_FALSE(result->quality);
    EXPECT_THAT(result->why_no_quality, HasSubstr("no tokenizer"));
    EXPECT_LT(result->written.bytes_after, result->written.bytes_before);
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.back().done, seen.back().total);
    const auto file = open_model_file(with_report.target);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ((*file)->find_tensor("blk.0.attn_q.weight")->format, kernels::WeightFormat::q5_0) << "128 is no 256";
}

TEST_F(QuantizationTest, WritesAFolder) {
    const auto result = run_quantization(task("nf4"), {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(std::filesystem::exists(folder_ / "target-nf4" / "config.json"));
    EXPECT_TRUE(open_model_file(path("target-nf4")));
}

TEST_F(QuantizationTest, RefusesWhatItDoesNotKnowWithTheNearestName) {
    const auto type = run_quantization(task("q4_k_n"), {});
    ASSERT_FALSE(type);
    EXPECT_THAT(type.error().message, HasSubstr("q4_k_n"));
    EXPECT_THAT(type.error().remedy, HasSubstr("q4_k_m"));
    const auto folder = run_quantization(task("int5"), {});
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.error().remedy, HasSubstr("int4")) << "types of folders are known as well";
    const auto method = run_quantization(task("q8_0", "gptq"), {});
    ASSERT_FALSE(method);
    EXPECT_EQ(method.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(method.error().remedy, HasSubstr("--method rtn, or a type that"));
    const auto none = run_quantization(task("int4", "smooth"), {});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().remedy, HasSubstr("rtn, gptq, awq")) << "the methods of a type, all of them";
    const auto textless = run_quantization(task("int4", "awq"), {});
    ASSERT_FALSE(textless);
    EXPECT_THAT(textless.error().remedy, HasSubstr("--calibration"));
    QuantizationTask grouped = task("q8_0");
    grouped.group_size = 32;
    EXPECT_FALSE(run_quantization(grouped, {})) << "an option of another type is not dropped";
    EXPECT_TRUE(left_nothing());
}

TEST_F(QuantizationTest, LeavesNothingWhenItIsCancelled) {
    for (const char* type : {"q8_0", "fp8"}) {
        std::stop_source stop;
        stop.request_stop();
        const auto result = run_quantization(task(type), {{}, stop.get_token()});
        ASSERT_FALSE(result) << type;
        EXPECT_EQ(result.error().code, ErrorCode::cancelled) << type;
        EXPECT_TRUE(left_nothing()) << type;
    }
}

TEST_F(QuantizationTest, EveryTypeIsWrittenByItsFirstMethod) {
    for (const QuantizationType& type : quantization_types()) {
        ASSERT_FALSE(type.methods.empty()) << type.name;
        EXPECT_EQ(type.methods.front(), "rtn") << type.name;
        const auto result = run_quantization(task(std::string(type.name)), {});
        EXPECT_TRUE(result) << type.name << ": " << result.error().message;
        EXPECT_EQ(std::filesystem::is_directory(path("target-" + std::string(type.name))), type.is_folder) << type.name;
    }
}

} // namespace
} // namespace vitrine::engine
