// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/bridge: why a device is not used, as the shipped catalogues say it.
#include "ui/bridge/engine_client.h"

#include <QSignalSpy>
#include <gtest/gtest.h>

#include "tests/support/scripted_engine.h"
#include "tests/ui/support/language.h"

namespace vitrine::ui {
namespace {

/// Of the scripted engine's GPU, which has no driver.
DeviceChoice gpuIn(const char* language) {
    const testing::InLanguage there{QLatin1String(language)};
    EXPECT_TRUE(there.isLoaded()) << language;
    testing::ScriptedEngine engine;
    EngineClient client(engine);
    QSignalSpy probed(&client, &EngineClient::devicesProbed);
    (void)client.probeDevices();
    EXPECT_TRUE(probed.count() > 0 || probed.wait());
    const auto devices = probed.value(0).value(0).value<QList<DeviceChoice>>();
    EXPECT_EQ(devices.size(), 2);
    EXPECT_TRUE(devices.value(0).unusableReason.isEmpty() && devices.value(0).nextStep.isEmpty());
    return devices.value(1);
}

TEST(DeviceReason, IsSaidInTheLanguageOfTheWindow) {
    const DeviceChoice german = gpuIn("de"), chinese = gpuIn("zh_CN");
    EXPECT_EQ(german.unusableReason, QStringLiteral("Es ist kein NVIDIA-Treiber installiert: libcuda.so.1 fehlt"));
    EXPECT_EQ(german.nextStep, QStringLiteral("Installieren Sie den Treiber, oder benutzen Sie die CPU."));
    EXPECT_EQ(chinese.unusableReason, QString::fromUtf8("未安装 NVIDIA 驱动程序：缺少 libcuda.so.1"));
    EXPECT_EQ(chinese.nextStep, QString::fromUtf8("请安装驱动程序，或使用 CPU。"));
}

} // namespace
} // namespace vitrine::ui
