// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: what goes on behind the window, and longer than it.
#pragma once

#include <QString>

#include "ui/bridge/quantization_runner.h"
#include "ui/chat/open_chats.h"
#include "ui/models/downloads.h"

namespace vitrine::ui {

/// A change of language makes the window anew and ends none of this.  Thread: GUI.
struct RunningWork {
    RunningWork(EngineClient& client, ChatStore& store, const QString& dataDir);

    OpenChats chats;
    Downloads downloads;
    QuantizationRunner quantization;
};

} // namespace vitrine::ui
