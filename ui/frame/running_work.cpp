// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: what outlives a window.
#include "ui/frame/running_work.h"

#include <QDir>

namespace vitrine::ui {

RunningWork::RunningWork(EngineClient& client, ChatStore& store, const QString& dataDir)
    : chats(client, store), downloads(QDir(dataDir).filePath(QStringLiteral("models"))) {}

} // namespace vitrine::ui
