// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/store: settings in their file.
#include <QFile>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include "ui/store/settings.h"

namespace vitrine::ui {

TEST(Settings, KeepValuesRangesAndUnknownKeys) {
    QTemporaryDir dir;
    {
        Settings settings(dir.path());
        settings.set(keys::kTextSizePercent, 500); // clamped to 200
        settings.set(keys::kTheme, QStringLiteral("dark"));
        settings.setRaw("future.key", QStringLiteral("kept"));
        settings.noteModelUsed("/m/a.gguf");
        settings.noteModelUsed("/m/b.gguf");
        settings.noteModelUsed("/m/a.gguf");
        settings.setLoadOptions("/m/a.gguf", {{"ctx", 4096}});
    }
    Settings settings(dir.path());
    EXPECT_EQ(settings.value(keys::kTextSizePercent), 200);
    EXPECT_EQ(settings.value(keys::kTheme), "dark");
    EXPECT_EQ(settings.raw("future.key").toString(), "kept");
    EXPECT_EQ(settings.value(keys::kRecentModels), QStringList({"/m/a.gguf", "/m/b.gguf"}));
    EXPECT_EQ(settings.loadOptions("/m/a.gguf").value("ctx").toInt(), 4096);
}

TEST(Settings, FileWithKeysIsReadByItsOwnerAlone) {
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("settings.json"));
    const auto others = [&path] {
        return QFileInfo(path).permissions() &
            (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther);
    };
    Settings(dir.path()).set(keys::kServerKey, QStringLiteral("vt-secret"));
    ASSERT_TRUE(QFileInfo::exists(path));
    EXPECT_FALSE(others()) << "written for the first time";
    const auto everybody = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther;
    ASSERT_TRUE(QFile::setPermissions(path, everybody)); // as an older version left it
    EXPECT_EQ(Settings(dir.path()).value(keys::kServerKey), QStringLiteral("vt-secret"));
    EXPECT_FALSE(others()) << "mended when it is read";
    ASSERT_TRUE(QFile::setPermissions(path, everybody));
    Settings(dir.path()).set(keys::kServerKey, QStringLiteral("vt-other"));
    EXPECT_FALSE(others()) << "and when it is written again";
}

TEST(Settings, ADamagedFileIsKeptAsideAndDefaultsStand) {
    QTemporaryDir dir;
    QFile file(dir.filePath("settings.json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"appearance.theme\": \"da");
    file.close();
    Settings settings(dir.path());
    EXPECT_EQ(settings.value(keys::kTheme), "system");
    EXPECT_TRUE(QFile::exists(dir.filePath("settings.json.bad")));
}

} // namespace vitrine::ui
