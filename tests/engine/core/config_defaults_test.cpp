// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/config_defaults.h"

#include <gtest/gtest.h>

namespace vitrine::engine {
namespace {

constexpr std::int64_t kVocab = 32000;

ModelConfig short_model() {
    ModelConfig model;
    model.context_length = 4096;
    return model;
}

kernels::DeviceInfo device(const char* id) {
    kernels::DeviceInfo info;
    info.id = id;
    return info;
}

TEST(ConfigDefaults, SwitchingGraphsOffReachesTheBackend) {
    EngineConfig config;
    for (const bool graphs : {true, false}) {
        config.cuda_graphs = graphs;
        for (const char* id : {"cpu", "cuda:0"}) {
            const auto resolved = resolve_config(config, short_model(), device(id));
            ASSERT_TRUE(resolved) << resolved.error().message;
            EXPECT_EQ(make_step_limits(*resolved, kVocab).graphs, graphs) << id;
        }
    }
}

TEST(ConfigDefaults, ZeroBlockTokensAreTheDevicesChoice) {
    EngineConfig config;
    config.block_tokens = 0;
    const auto on_cpu = resolve_config(config, short_model(), device("cpu"));
    const auto on_gpu = resolve_config(config, short_model(), device("cuda:0"));
    ASSERT_TRUE(on_cpu && on_gpu);
    EXPECT_EQ(on_cpu->block_tokens, 16);
    EXPECT_EQ(on_gpu->block_tokens, 32); // gpu_measurements.md 9
}

} // namespace
} // namespace vitrine::engine
