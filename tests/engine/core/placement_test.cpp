// SPDX-License-Identifier: GPL-3.0-or-later
// Which device gets which layers, from the memory that each has, and what is said where the GPU cannot take part.
#include "engine/core/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/config_defaults.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/engine/core/engine_fixture.h"
#include "tests/support/named_backend.h"

namespace vitrine::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kPlenty = std::int64_t{1} << 40;
constexpr int kLayers = 8;

/// Eight layers of 1.2 MiB each.
std::string layered_model_path() {
    static const std::string path = [] {
        const auto file =
            std::filesystem::temp_directory_path() / ("vitrine_layers_" + std::to_string(getpid()) + ".gguf");
        engine::ShapePreset preset{"layers", "llama", kLayers, 2, 1, 64, 128, 512, kVocab, 4096, 10000, true, 0};
        const auto mix = engine::quant_mix_from_name("f32");
        const auto written = engine::write_synthetic_model(preset, *mix, 1, file.string());
        EXPECT_TRUE(written) << written.error().message;
        return file.string();
    }();
    return path;
}

struct Machine {
    bool has_gpu = true;
    std::int64_t gpu_bytes = kPlenty;
    std::int64_t cpu_bytes = kPlenty;
    std::function<std::string(const kernels::Op&)> why_declined{};
};

engine::BackendMaker backends_of(const Machine& machine) {
    return [machine](const engine::DeviceRequest& request) -> Result<engine::BackendCatalog::Made> {
        const bool gpu = request.device != "cpu" && machine.has_gpu;
        const std::int64_t bytes = gpu ? machine.gpu_bytes : machine.cpu_bytes;
        auto cpu = kernels::make_cpu_backend({});
        EXPECT_TRUE(cpu) << cpu.error().message;
        NamedDevice device{{gpu ? "cuda:0" : "cpu", "Test", "test", bytes, bytes, gpu ? 0 : 2}};
        if (gpu)
            device.why_declined = machine.why_declined;
        engine::BackendCatalog::Made made{std::make_unique<NamedBackend>(std::move(device), *std::move(cpu)), {}};
        if (!machine.has_gpu)
            made.device_reason = Error{ErrorCode::device, "no driver", {}, {}, {}};
        return made;
    };
}

Result<engine::LoadSetup> set_up(const Machine& machine, int gpu_layers, const std::string& device = "auto") {
    engine::EngineConfig config = small_config();
    config.device = device;
    config.gpu_layers = gpu_layers;
    config.context = 128;
    return engine::set_up_load_on(layered_model_path(), config, backends_of(machine), {});
}

/// What a GPU must have for so many layers and one context: the planned total without a second context's blocks.
std::int64_t bytes_for(int layers) {
    engine::EngineConfig config = small_config(128 / 16);
    config.gpu_layers = layers;
    config.context = 128;
    const auto setup = engine::set_up_load_on(layered_model_path(), config, backends_of({}), {});
    EXPECT_TRUE(setup) << setup.error().message;
    return setup->plan.devices.front().total;
}

TEST(Placement, AutomaticIsTheGpuAloneWhereAllFits) {
    const auto setup = set_up({}, -1);
    ASSERT_TRUE(setup) << setup.error().message;
    EXPECT_EQ(setup->split, nullptr);
    EXPECT_EQ(setup->plan.device, "cuda:0");
    EXPECT_EQ(setup->config.gpu_layers, kLayers);
    ASSERT_EQ(setup->plan.devices.size(), 1U);
    EXPECT_EQ(setup->plan.devices[0].num_layers, kLayers);
}

TEST(Placement, AutomaticGivesTheGpuMoreLayersTheMoreMemoryItHas) {
    int before = 0;
    for (int wanted = 1; wanted < kLayers; ++wanted) {
        Machine machine;
        machine.gpu_bytes = bytes_for(wanted) * 102 / 100; // the pool takes 90 % of what is free, the plan adds 10 %
        const auto setup = set_up(machine, -1);
        ASSERT_TRUE(setup) << setup.error().message;
        ASSERT_NE(setup->split, nullptr) << wanted;
        EXPECT_FALSE(setup->does_not_fit);
        EXPECT_EQ(setup->config.gpu_layers, wanted);
        EXPECT_GT(setup->config.gpu_layers, before);
        before = setup->config.gpu_layers;
        const engine::LoadPlan& plan = setup->plan;
        ASSERT_EQ(plan.devices.size(), 2U);
        EXPECT_EQ(plan.devices[0].num_layers + plan.devices[1].num_layers, kLayers);
        EXPECT_LE(plan.devices[0].total, machine.gpu_bytes);
        EXPECT_TRUE(plan.fits);
        EXPECT_EQ(plan.weights, plan.devices[0].weights + plan.devices[1].weights);
    }
}

TEST(Placement, TheCpuTakesOverWhereNotOneLayerFitsAndSaysSo) {
    Machine machine;
    machine.gpu_bytes = 100'000;
    const auto setup = set_up(machine, -1);
    ASSERT_TRUE(setup) << setup.error().message;
    EXPECT_EQ(setup->plan.device, "cpu");
    EXPECT_EQ(setup->config.gpu_layers, 0);
    ASSERT_TRUE(setup->made.device_reason);
    EXPECT_THAT(setup->made.device_reason->message, HasSubstr("not one of 8 layers fits the GPU"));
    const auto insisted = set_up(machine, -1, "cuda");
    ASSERT_FALSE(insisted);
    EXPECT_EQ(insisted.error().code, ErrorCode::out_of_memory);
    EXPECT_THAT(insisted.error().remedy, HasSubstr("cpu"));
}

TEST(Placement, TheCpuTakesOverWhatTheGpuDeclinesAndSaysSo) {
    Machine machine;
    machine.why_declined = [](const kernels::Op& op) {
        return std::holds_alternative<kernels::AttentionOp>(op) ? "no attention today" : "";
    };
    for (const int layers : {-1, 3, kLayers}) {
        const auto setup = set_up(machine, layers);
        ASSERT_TRUE(setup) << setup.error().message;
        EXPECT_EQ(setup->plan.device, "cpu");
        ASSERT_TRUE(setup->made.device_reason);
        EXPECT_THAT(setup->made.device_reason->message, HasSubstr("no attention today"));
        const auto insisted = set_up(machine, layers, "cuda");
        ASSERT_FALSE(insisted);
        EXPECT_EQ(insisted.error().code, ErrorCode::unsupported);
        EXPECT_THAT(insisted.error().remedy, HasSubstr("the CPU runs this model"));
    }
}

TEST(Placement, ANumberOfLayersIsTaken) {
    for (const int layers : {1, 3, kLayers - 1}) {
        const auto setup = set_up({}, layers, "cuda");
        ASSERT_TRUE(setup) << setup.error().message;
        EXPECT_EQ(setup->plan.device, "cuda:0+cpu");
        EXPECT_EQ(setup->plan.devices[0].num_layers, layers);
        EXPECT_TRUE(engine::is_gpu(setup->split->device()));
    }
    const auto all = set_up({}, 99);
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_EQ(all->plan.device, "cuda:0");
    const auto none = set_up({}, 0);
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_EQ(none->plan.device, "cpu");
    EXPECT_FALSE(none->made.device_reason) << "it was asked for";
}

TEST(Placement, LayersWithoutAGpuAreRefusedWithTheReason) {
    Machine machine;
    machine.has_gpu = false;
    const auto setup = set_up(machine, 3);
    ASSERT_FALSE(setup);
    EXPECT_EQ(setup.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(setup.error().message, HasSubstr("3 layers"));
    EXPECT_THAT(setup.error().message, HasSubstr("no driver"));
    EXPECT_THAT(setup.error().remedy, HasSubstr("auto"));
    EXPECT_TRUE(set_up(machine, -1));
}

TEST(Placement, TheSideThatDoesNotFitIsNamed) {
    Machine machine;
    machine.cpu_bytes = 100'000;
    const auto setup = set_up(machine, 3);
    ASSERT_TRUE(setup) << setup.error().message;
    ASSERT_TRUE(setup->does_not_fit);
    EXPECT_THAT(setup->does_not_fit->message, HasSubstr("5 of the layers on cpu"));
    EXPECT_FALSE(setup->plan.fits);
    EXPECT_TRUE(setup->plan.devices[0].fits);
    EXPECT_FALSE(setup->plan.devices[1].fits);
}

TEST(Placement, ADraftModelStandsWithTheFirstLayers) {
    const auto planned = [](const std::string& draft) {
        engine::EngineConfig config = small_config();
        config.context = 128;
        config.gpu_layers = 3;
        config.draft = draft;
        const auto setup = engine::set_up_load_on(layered_model_path(), config, backends_of({}), {});
        EXPECT_TRUE(setup) << setup.error().message;
        return setup ? setup->plan.devices : std::vector<engine::DevicePlan>(2);
    };
    const auto alone = planned("");
    const auto with_draft = planned(tiny_model_path());
    EXPECT_GT(with_draft[0].weights, alone[0].weights);
    EXPECT_GT(with_draft[0].kv_block_bytes, alone[0].kv_block_bytes);
    EXPECT_EQ(with_draft[1].weights, alone[1].weights);
    EXPECT_EQ(with_draft[1].kv_block_bytes, alone[1].kv_block_bytes);
}

TEST(Placement, WhatTheLoadedModelHoldsCountsOnItsDeviceAlone) {
    Machine machine;
    machine.gpu_bytes = bytes_for(3) * 102 / 100;
    engine::EngineConfig config = small_config();
    config.context = 128;
    const auto on_cpu = engine::set_up_load_on(layered_model_path(), config, backends_of(machine), {{"cpu", kPlenty}});
    ASSERT_TRUE(on_cpu) << on_cpu.error().message;
    EXPECT_EQ(on_cpu->config.gpu_layers, 3);
    const auto on_gpu =
        engine::set_up_load_on(layered_model_path(), config, backends_of(machine), {{"cuda:0", kPlenty}});
    ASSERT_TRUE(on_gpu) << on_gpu.error().message;
    EXPECT_EQ(on_gpu->config.gpu_layers, kLayers);
}

} // namespace
} // namespace vitrine::testing
