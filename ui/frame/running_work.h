// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: what goes on behind the window, and longer than it.
#pragma once

#include <QCoreApplication>
#include <QStringList>

#include "ui/bridge/quantization_runner.h"
#include "ui/bridge/session_history.h"
#include "ui/chat/open_chats.h"
#include "ui/lab/lab_runs.h"
#include "ui/models/downloads.h"
#include "ui/models/models_page.h"

namespace vitrine::ui {

/// A change of language makes the window anew; it ends and forgets none of this.  Thread: GUI.
struct RunningWork {
    Q_DECLARE_TR_FUNCTIONS(RunningWork)
public:
    RunningWork(EngineClient& client, ChatStore& store, SnapshotFeed& feed, const QString& dataDir,
        QuantizationRunner::Job quantizationJob = engine::run_quantization);

    /// What would end if the process ended now, a sentence each, in the language of the window; empty: nothing runs.
    [[nodiscard]] QStringList wouldEnd() const;

    OpenChats chats;
    Downloads downloads;
    QuantizationRunner quantization;
    LabRuns lab;
    OpenRecording recording; // of the Engine page
    OpenedModels openedModels;

private:
    const SnapshotFeed& m_snapshots;
};

} // namespace vitrine::ui
