// SPDX-License-Identifier: GPL-3.0-or-later
// The plugin as the application loads it; needs no GPU.
#include <gtest/gtest.h>

#include "kernels/api/build_id.h"
#include "kernels/cuda/fault_setting.h"
#include "tests/kernels/cuda/plugin_loader.h"

namespace vitrine::testing {
namespace {

using namespace kernels;

const PluginEntry* load() {
    return load_cuda_plugin();
}

} // namespace

TEST(CudaPlugin, CarriesTheBuildIdOfThisBuild) {
    const PluginEntry* entry = load();
    ASSERT_NE(entry, nullptr) << "VITRINE_CUDA_PLUGIN names no plugin";
    EXPECT_EQ(entry->abi_version, kPluginAbiVersion);
    EXPECT_STREQ(entry->build_id, kBuildId);
    EXPECT_STREQ(entry->name, "cuda");
}

TEST(CudaPlugin, FailsOnPurposeOnlyWhereItIsAsked) {
    EXPECT_TRUE(fault_is_due("wait:3", "wait", 3));
    EXPECT_FALSE(fault_is_due("wait:3", "wait", 2));
    EXPECT_FALSE(fault_is_due("wait:3", "wait", 4));
    EXPECT_FALSE(fault_is_due("wait:3", "launch", 3));
    EXPECT_TRUE(fault_is_due("alloc:3+", "alloc", 3));
    EXPECT_TRUE(fault_is_due("alloc:3+", "alloc", 99));
    EXPECT_FALSE(fault_is_due("alloc:3+", "alloc", 2));
    for (const char* malformed : {"", "wait", "wait:", "wait:0", "wait:-1", "wait:+", "wait:2x", ":2"})
        EXPECT_FALSE(fault_is_due(malformed, "wait", 2)) << malformed;
}

TEST(CudaPlugin, AnswersTheProbeWithDevicesOrAReason) {
    const PluginEntry* entry = load();
    ASSERT_NE(entry, nullptr);
    const auto devices = entry->probe();
    if (devices) {
        EXPECT_FALSE(devices->empty());
        return;
    }
    EXPECT_EQ(devices.error().code, ErrorCode::device);
    EXPECT_FALSE(devices.error().message.empty());
    EXPECT_FALSE(devices.error().remedy.empty());
    EXPECT_FALSE(entry->create(0).has_value());
}

} // namespace vitrine::testing
