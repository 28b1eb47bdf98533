// SPDX-License-Identifier: GPL-3.0-or-later
// Programs, inspection, plans and loading of small synthetic files.
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/gguf/writer.h"
#include "engine/model/architecture_registry.h"
#include "engine/model/memory_plan.h"
#include "engine/model/model_inspection.h"
#include "engine/model/synthetic_model.h"
#include "engine/model/weight_loader.h"

namespace vitrine::engine {
namespace {

class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& name)
        : path_((std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name)).string()) {}
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

ShapePreset tiny(std::string_view architecture) {
    return ShapePreset{"tiny", architecture, 7, 4, 2, 32, 64, 96, 80, 1024, 10000, true, 0};
}

std::shared_ptr<const gguf::File> write_and_open(
    const TemporaryFile& file, const ShapePreset& preset, const char* type) {
    const auto written = write_synthetic_model(preset, *quant_mix_from_name(type), 7, file.path());
    EXPECT_TRUE(written) << written.error().message;
    auto opened = gguf::File::open(file.path());
    EXPECT_TRUE(opened) << opened.error().message;
    return *opened;
}

Result<kernels::Program> program_of(const gguf::File& file, const ProgramOptions& options = {}) {
    const auto config = read_model_config(file);
    EXPECT_TRUE(config) << config.error().message;
    return build_program(file, *config, options);
}

template <class T>
std::vector<T> ops_of(const kernels::Program& program) {
    std::vector<T> found;
    for (const kernels::Op& op : program.ops)
        if (const auto* one = std::get_if<T>(&op))
            found.push_back(*one);
    return found;
}

TEST(BuildProgram, MakesFiveOpsALayerForLlama) {
    const TemporaryFile file("llama.gguf");
    const auto program = program_of(*write_and_open(file, tiny("llama"), "q8_0"));
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(program->ops.size(), 1U + 7U * 5U + 2U); // gather; qkv, attention, output, gate/up, down; head, sampling
    EXPECT_EQ(program->kv_layers.size(), 7U);
    EXPECT_EQ(program->vocab_size, 80);
    EXPECT_TRUE(std::holds_alternative<kernels::SamplingOp>(program->ops.back()));
    const auto attention = ops_of<kernels::AttentionOp>(*program);
    EXPECT_FALSE(attention.front().window_tokens);
    EXPECT_FLOAT_EQ(attention.front().scale, 1 / std::sqrt(32.0F));
    EXPECT_EQ(program->weights.front().role, kernels::WeightRole::tied_head);
}

TEST(BuildProgram, GivesGemmaFiveWindowLayersToOneGlobal) {
    const TemporaryFile file("gemma.gguf");
    const auto program = program_of(*write_and_open(file, tiny("gemma3"), "q8_0"));
    ASSERT_TRUE(program) << program.error().message;
    const auto attention = ops_of<kernels::AttentionOp>(*program);
    ASSERT_EQ(attention.size(), 7U);
    for (std::size_t layer = 0; layer < 7; ++layer)
        EXPECT_EQ(attention[layer].window_tokens.has_value(), layer != 5) << layer;
    EXPECT_EQ(program->ropes.size(), 2U);
    EXPECT_FLOAT_EQ(ops_of<kernels::GatherOp>(*program).front().scale, 8); // sqrt(64)
}

TEST(BuildProgram, BuildsBothQwens) {
    for (const char* name : {"qwen2", "qwen3"}) {
        const TemporaryFile file(std::string(name) + ".gguf");
        const auto program = program_of(*write_and_open(file, tiny(name), "f16"));
        ASSERT_TRUE(program) << program.error().message;
        const auto linear = ops_of<kernels::LinearOp>(*program);
        const auto& rope_kv = std::get<kernels::RopeKvEpilogue>(linear.front().epilogue);
        EXPECT_EQ(rope_kv.q_bias.valid(), std::string(name) == "qwen2");
        EXPECT_EQ(rope_kv.q_norm.has_value(), std::string(name) == "qwen3");
    }
}

TEST(BuildProgram, RequantizesMatricesAndSparesTheVocabulary) {
    const TemporaryFile file("requant.gguf");
    const auto program = program_of(*write_and_open(file, tiny("llama"), "f16"), {0, "q4_0"});
    ASSERT_TRUE(program) << program.error().message;
    for (const auto& group : program->weights) {
        if (group.role == kernels::WeightRole::vector)
            EXPECT_EQ(group.members.front().format, kernels::WeightFormat::f32);
        else if (group.role == kernels::WeightRole::tied_head)
            EXPECT_EQ(group.members.front().format, kernels::WeightFormat::q8_0);
        else
            EXPECT_EQ(group.members.front().format, kernels::WeightFormat::q4_0);
    }
}

TEST(BuildProgram, NamesAnUnknownArchitectureAndTheKnownOnes) {
    const TemporaryFile file("mamba.gguf");
    auto preset = tiny("mamba");
    const auto opened = write_and_open(file, preset, "f32");
    const auto program = program_of(*opened);
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, ErrorCode::unsupported);
    EXPECT_NE(program.error().message.find("mamba"), std::string::npos);
    EXPECT_NE(program.error().remedy.find("gemma3"), std::string::npos);
}

TEST(BuildProgram, NamesAMissingTensor) {
    const TemporaryFile whole("whole.gguf"), cut("cut.gguf");
    const auto source = write_and_open(whole, tiny("llama"), "f32");
    gguf::Writer writer(cut.path());
    writer.copy_metadata(*source);
    for (const auto& tensor : source->tensors())
        if (tensor.name != "blk.3.ffn_up.weight") {
            ASSERT_TRUE(writer.declare(tensor.name, tensor.dims, *tensor.format));
        }
    ASSERT_TRUE(writer.begin());
    for (const auto& tensor : source->tensors())
        if (tensor.name != "blk.3.ffn_up.weight") {
            ASSERT_TRUE(writer.write(tensor.bytes));
        }
    ASSERT_TRUE(writer.finish());
    const auto program = program_of(**gguf::File::open(cut.path()));
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().code, ErrorCode::bad_file);
    EXPECT_NE(program.error().message.find("blk.3.ffn_up.weight"), std::string::npos);
}

TEST(InspectFile, CountsParametersAndKvBytes) {
    const TemporaryFile file("inspect.gguf");
    const ShapePreset preset = tiny("llama");
    const ModelInfo info = inspect_file(*write_and_open(file, preset, "q8_0"));
    EXPECT_EQ(info.parameters, describe_preset(preset).parameters);
    EXPECT_EQ(info.quantization, "Q8_0");
    EXPECT_EQ(info.kv_bytes_per_token.at("f16"), 2 * 7 * 2 * 32 * 2); // 2 * layers * KV heads * head dim * bytes
    EXPECT_EQ(info.kv_bytes_per_token.at("int8"), 2 * 7 * 2 * (32 + 4));
    EXPECT_FALSE(info.has_chat_template);
}

// Parameter counts as published with the models.
TEST(ShapePresets, CountTheParametersOfTheRealModels) {
    EXPECT_EQ(describe_preset(*find_shape_preset("smollm2-135m")).parameters, 134515008);
    EXPECT_EQ(describe_preset(*find_shape_preset("llama-3.1-8b")).parameters, 8030261248);
    EXPECT_EQ(describe_preset(*find_shape_preset("llama-3.2-1b")).parameters, 1235814400);
    EXPECT_EQ(describe_preset(*find_shape_preset("qwen3-8b")).parameters, 8190735360);
    EXPECT_EQ(describe_preset(*find_shape_preset("qwen3-30b-a3b")).parameters, 30532122624);
    EXPECT_EQ(describe_preset(*find_shape_preset("gemma-3-270m")).parameters, 268098176);
    EXPECT_EQ(describe_preset(*find_shape_preset("llama-3.1-8b")).kv_bytes_per_token.at("f16"), 131072);
}

TEST(MakeLoadPlan, AddsTheMarginAndCountsSequences) {
    MemoryNeeds needs;
    needs.weight_bytes = 1000;
    needs.scratch_bytes = 100;
    needs.kv_block_bytes = 10;
    needs.num_blocks = 89;
    needs.context = 64;
    needs.blocks_per_sequence = 4;
    needs.available_bytes = 2200;
    const LoadPlan plan = make_load_plan(needs);
    EXPECT_EQ(plan.kv, 900); // with the null block
    EXPECT_EQ(plan.margin, 200);
    EXPECT_EQ(plan.total, 2200);
    EXPECT_TRUE(plan.fits);
    EXPECT_EQ(plan.max_parallel, 22); // (2200 / 1.1 - 1000 - 100 - 10) / 40
    needs.available_bytes = 2199;
    EXPECT_FALSE(make_load_plan(needs).fits);
}

/// Keeps what was uploaded.
class UploadLog final : public kernels::Backend {
public:
    [[nodiscard]] kernels::DeviceInfo device() const override { return {}; }
    [[nodiscard]] kernels::Verdict check(
        const kernels::Program&, const kernels::Op&, kernels::Numerics) const override {
        return kernels::Accepted{};
    }
    [[nodiscard]] kernels::Footprint estimate(
        const kernels::Program&, const kernels::KvSpec&, const kernels::StepLimits&) const override {
        return {};
    }
    Result<void> upload(
        const kernels::Program& program, kernels::WeightGroupId id, kernels::WeightGroupBytes bytes) override {
        const auto& group = program.weights[static_cast<std::size_t>(id.value)];
        if (bytes.size() != group.members.size())
            return fail(ErrorCode::internal, "members differ");
        for (std::size_t i = 0; i < bytes.size(); ++i)
            if (static_cast<std::int64_t>(bytes[i].size()) !=
                kernels::row_bytes(group.members[i].format, group.members[i].in_dim) * group.members[i].out_dim)
                return fail(ErrorCode::internal, "size of " + group.members[i].name);
        ++num_groups;
        return {};
    }
    [[nodiscard]] std::int64_t held_weight_bytes() const noexcept override { return 0; }
    Result<std::unique_ptr<kernels::KvPool>> make_kv_pool(const kernels::KvSpec&, int) override {
        return fail(ErrorCode::unsupported, "no pool");
    }
    Result<std::unique_ptr<kernels::Executable>> compile(
        const kernels::Program&, kernels::KvPool&, const kernels::StepLimits&, kernels::Numerics) override {
        return fail(ErrorCode::unsupported, "no executable");
    }
    std::size_t num_groups = 0;
};

TEST(LoadWeights, UploadsEveryGroupInTheProgramsFormat) {
    const TemporaryFile file("load.gguf");
    const auto opened = write_and_open(file, tiny("llama"), "f16");
    const auto program = program_of(*opened, {0, "q8_0"});
    ASSERT_TRUE(program);
    UploadLog log;
    std::int64_t last = 0, total = 0;
    WeightLoad load;
    load.num_threads = 2;
    load.progress = [&](std::int64_t done, std::int64_t all) {
        EXPECT_GT(done, last);
        last = done;
        total = all;
    };
    const auto uploaded = load_weights(*opened, *program, log, load);
    ASSERT_TRUE(uploaded) << uploaded.error().message;
    EXPECT_EQ(log.num_groups, program->weights.size());
    EXPECT_EQ(last, total);
}

TEST(LoadWeights, StopsWhenItIsCancelled) {
    const TemporaryFile file("cancel.gguf");
    const auto opened = write_and_open(file, tiny("llama"), "f32");
    const auto program = program_of(*opened);
    std::stop_source source;
    WeightLoad load;
    load.stop = source.get_token();
    load.progress = [&](std::int64_t, std::int64_t) { source.request_stop(); };
    UploadLog log;
    const auto uploaded = load_weights(*opened, *program, log, load);
    ASSERT_FALSE(uploaded);
    EXPECT_EQ(uploaded.error().code, ErrorCode::cancelled);
    EXPECT_EQ(log.num_groups, 1U);
}

} // namespace
} // namespace vitrine::engine
