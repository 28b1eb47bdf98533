// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>

#include "engine/device/backend_catalog.h"
#include "engine/device/plugin_loader.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

class PluginFolder : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("vitrine_plugins_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    std::filesystem::path folder_;
};

TEST_F(PluginFolder, WithoutAFileIsNotFound) {
    const auto entry = load_plugin("vitrine_cuda", {folder_});
    ASSERT_FALSE(entry);
    EXPECT_EQ(entry.error().code, ErrorCode::not_found);
}

TEST_F(PluginFolder, WithAFileThatDoesNotLoadSaysSo) {
    std::ofstream(folder_ / "libvitrine_cuda.so") << "no library";
    const auto entry = load_plugin("vitrine_cuda", {folder_});
    ASSERT_FALSE(entry);
    EXPECT_EQ(entry.error().code, ErrorCode::device);
    EXPECT_NE(entry.error().message.find("does not load"), std::string::npos);
    const BackendCatalog catalog({folder_});
    const auto devices = catalog.devices();
    ASSERT_EQ(devices.size(), 2U);
    EXPECT_FALSE(devices[0].unusable_reason);
    ASSERT_TRUE(devices[1].unusable_reason);
    EXPECT_NE(devices[1].unusable_reason->said.sentence, Sentence::none) << "a window words it by number";
}

// dlopen() would map it and die of SIGBUS.
TEST_F(PluginFolder, WithACutLibrarySaysHowMuchIsThere) {
    std::ifstream own("/proc/self/exe", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(own), {}};
    for (const std::size_t part : {std::size_t{5000}, std::size_t{100}, std::size_t{40}}) {
        std::ofstream(folder_ / "libvitrine_cuda.so", std::ios::binary) << whole.substr(0, part);
        const auto entry = load_plugin("vitrine_cuda", {folder_});
        ASSERT_FALSE(entry) << part;
        EXPECT_EQ(entry.error().code, ErrorCode::device);
        if (part >= 100) {
            EXPECT_NE(entry.error().message.find(std::to_string(part) + " of at least"), std::string::npos);
        }
    }
}

TEST(CheckPlugin, RefusesAnotherInterfaceVersionByNumber) {
    const kernels::PluginEntry entry{kernels::kPluginAbiVersion + 1, nullptr, nullptr, nullptr, nullptr};
    const auto checked = check_plugin(entry, "x.so");
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::device);
    EXPECT_NE(checked.error().message.find(std::to_string(kernels::kPluginAbiVersion + 1)), std::string::npos);
}

TEST(BackendCatalog, GivesTheCpuAndBlamesAMissingPluginOnlyBesideADriver) {
    const BackendCatalog catalog({std::filesystem::path("/nowhere")});
    const auto made = catalog.make({"auto", "auto", 1});
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->backend->device().id, "cpu");
    const bool has_driver =
        std::filesystem::exists("/proc/driver/nvidia/version") || std::filesystem::exists("/dev/dxg");
    EXPECT_EQ(made->device_reason.has_value(), has_driver);
    EXPECT_EQ(catalog.devices().size(), has_driver ? 2U : 1U);
}

TEST(BackendCatalog, RefusesUnknownNamesAndMissingDevices) {
    const BackendCatalog catalog({std::filesystem::path("/nowhere")});
    EXPECT_EQ(catalog.make({"tpu", "auto", 1}).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(catalog.make({"cuda:x", "auto", 1}).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(catalog.make({"cuda:1", "auto", 1}).error().code, ErrorCode::device);
    EXPECT_EQ(catalog.find({"cuda", "auto", 1}).error().code, ErrorCode::device);
}

} // namespace
} // namespace vitrine::engine
