// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/importance_matrix.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

#include <gtest/gtest.h>

#include "engine/gguf/writer.h"
#include "engine/quant/quantize_job.h"
#include "engine/quant/row_quantizer.h"
#include "kernels/ref/dequantize.h"

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;
using kernels::WeightFormat;
using kernels::WeightGroupSpec;
using kernels::WeightRole;

class ImportanceMatrixTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("vitrine_imatrix_" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    [[nodiscard]] std::string path(const char* name) const { return (folder_ / name).string(); }

    fs::path folder_;
};

/// The older form, number by number as llama.cpp's imatrix tool wrote it.
class DatFile {
public:
    explicit DatFile(const std::string& path) : file_(path, std::ios::binary) {}
    DatFile& number(std::int32_t value) {
        file_.write(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    DatFile& text(const std::string& value) {
        number(static_cast<std::int32_t>(value.size()));
        file_ << value;
        return *this;
    }
    DatFile& floats(const std::vector<float>& values) {
        file_.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * 4));
        return *this;
    }

private:
    std::ofstream file_;
};

std::vector<float> random_row(std::size_t count, std::mt19937& random) {
    std::normal_distribution<float> normal(0, 1);
    std::vector<float> row(count);
    for (float& value : row)
        value = normal(random);
    return row;
}

double weighted_error(WeightFormat format, const std::vector<float>& row, std::span<const float> used,
    const std::vector<float>& weights) {
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(kernels::row_bytes(format, static_cast<std::int64_t>(row.size()))));
    EXPECT_TRUE(quantize_row(format, row, bytes.data(), used));
    std::vector<float> back(row.size());
    kernels::dequantize_row(format, bytes.data(), static_cast<std::int64_t>(row.size()), back.data());
    double error = 0;
    for (std::size_t i = 0; i < row.size(); ++i)
        error += double{weights[i]} * double{row[i] - back[i]} * double{row[i] - back[i]};
    return error;
}

} // namespace

TEST_F(ImportanceMatrixTest, CollectedSumsComeBackAsMeans) {
    InputStatistics statistics;
    const WeightGroupSpec pair{WeightRole::gate_up,
        {{"blk.0.ffn_gate.weight", 4, 2, WeightFormat::f32}, {"blk.0.ffn_up.weight", 4, 2, WeightFormat::f32}}};
    const WeightGroupSpec experts{WeightRole::experts, {{"blk.0.ffn_down_exps.weight", 6, 2, WeightFormat::f32}}};
    const WeightGroupSpec fused{WeightRole::qkv,
        {{"blk.0.attn_qkv.weight", 2, 2, WeightFormat::f32, 0}, {"blk.0.attn_qkv.weight", 2, 2, WeightFormat::f32, 4}}};
    const WeightGroupSpec head{WeightRole::head, {{"output.weight", 4, 2, WeightFormat::f32}}};
    statistics.on_input(pair, 0, 1, std::vector<float>{1, -2});
    statistics.on_input(pair, 0, 1, std::vector<float>{3, 0});
    statistics.on_input(experts, 2, 3, std::vector<float>{2, 1});
    statistics.on_input(fused, 0, 1, std::vector<float>{2, 4});
    statistics.on_input(head, 0, 1, std::vector<float>{2, 4});
    ASSERT_TRUE(statistics.write(path("a.gguf"), "text.txt", 7, 512));
    const auto read = read_importance_matrix(path("a.gguf"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->num_chunks, 7);
    EXPECT_EQ(read->dataset, "text.txt");
    ASSERT_EQ(read->mean_square.size(), 4U);
    EXPECT_EQ(read->mean_square.at("blk.0.ffn_gate.weight"), (std::vector<float>{5, 2}));
    EXPECT_EQ(read->mean_square.at("blk.0.ffn_up.weight"), (std::vector<float>{5, 2}));
    EXPECT_EQ(read->mean_square.at("blk.0.attn_qkv.weight"), (std::vector<float>{4, 16}));
    // Experts that no row chose take the mean of what was seen.
    EXPECT_EQ(read->mean_square.at("blk.0.ffn_down_exps.weight"), (std::vector<float>{2.5F, 2.5F, 2.5F, 2.5F, 4, 1}));
}

TEST_F(ImportanceMatrixTest, OlderFilesAreReadAndDamagedOnesRefused) {
    const auto write = [&](const std::string& file) {
        DatFile dat(file);
        dat.number(1).text("blk.0.attn_q.weight").number(4).number(3).floats({4, 8, 0}).number(12).text("wiki");
    };
    write(path("a.dat"));
    const auto read = read_importance_matrix(path("a.dat"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->mean_square.at("blk.0.attn_q.weight"), (std::vector<float>{1, 2, 1.5F}));
    EXPECT_EQ(read->num_chunks, 12);
    EXPECT_EQ(read->dataset, "wiki");
    const auto whole = fs::file_size(path("a.dat"));
    const auto old_end = whole - 4 - 4 - 4; // before the chunks: a file of the first version
    for (std::uintmax_t size = 0; size < whole; ++size) {
        write(path("cut.dat"));
        fs::resize_file(path("cut.dat"), size);
        EXPECT_EQ(read_importance_matrix(path("cut.dat")).has_value(), size == old_end) << size;
    }
    DatFile(path("negative.dat")).number(1).text("a").number(1).number(2).floats({1, -1});
    EXPECT_FALSE(read_importance_matrix(path("negative.dat")));
    DatFile(path("huge.dat")).number(1).text("a").number(1).number(0x7FFFFFFF).floats({1});
    EXPECT_FALSE(read_importance_matrix(path("huge.dat")));
}

TEST_F(ImportanceMatrixTest, WeighedErrorFallsInEveryFormat) {
    std::mt19937 random(4);
    const std::vector<float> row = random_row(2048, random);
    std::vector<float> weights = random_row(2048, random);
    for (float& weight : weights)
        weight = std::exp(1.5F * weight); // three decades, as channels of real models differ
    using enum WeightFormat;
    for (const WeightFormat format : {q4_0, q4_1, q5_0, q5_1, q2_k, q3_k, q4_k, q5_k, q6_k, iq4_nl, iq4_xs})
        EXPECT_LT(weighted_error(format, row, weights, weights), weighted_error(format, row, {}, weights))
            << kernels::format_info(format).name;
}

TEST_F(ImportanceMatrixTest, QuantizingChecksNamesAndSizesAndStops) {
    std::mt19937 random(6);
    const std::vector<float> matrix = random_row(64 * 8, random);
    {
        gguf::Writer writer(path("model.gguf"));
        writer.set("general.architecture", std::string("llama"));
        ASSERT_TRUE(writer.declare("blk.0.attn_q.weight", {64, 8}, WeightFormat::f32));
        ASSERT_TRUE(writer.begin());
        ASSERT_TRUE(writer.write(std::as_bytes(std::span(matrix))));
        ASSERT_TRUE(writer.finish());
    }
    const auto file = gguf::File::open(path("model.gguf"));
    ASSERT_TRUE(file);
    QuantizeOptions options;
    options.mix = *quant_mix_from_name("q4_0");
    ImportanceMatrix importance;
    importance.path = "x.dat";
    options.importance = &importance;
    importance.mean_square = {{"blk.9.attn_q.weight", std::vector<float>(64, 1)}};
    EXPECT_FALSE(quantize_file(**file, path("out.gguf"), options)) << "another model's";
    importance.mean_square = {{"blk.0.attn_q.weight", std::vector<float>(32, 1)}};
    EXPECT_FALSE(quantize_file(**file, path("out.gguf"), options)) << "half as long";
    importance.mean_square = {{"blk.0.attn_q.weight", std::vector<float>(64, 1)}};
    std::int64_t last = 0;
    options.progress = [&](std::int64_t done, std::int64_t total) {
        last = done;
        EXPECT_EQ(total, 64 * 8 * 4);
    };
    const auto report = quantize_file(**file, path("out.gguf"), options);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->weighted_tensors, 1);
    EXPECT_EQ(last, 64 * 8 * 4);
    EXPECT_DOUBLE_EQ(report->bits_per_weight, 4.5);
    fs::remove(path("out.gguf"));
    std::stop_source stop;
    stop.request_stop();
    options.stop = stop.get_token();
    const auto cancelled = quantize_file(**file, path("out.gguf"), options);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::cancelled);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "only the model is left";
}

} // namespace vitrine::engine
