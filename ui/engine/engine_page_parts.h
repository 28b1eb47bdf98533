// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: what the Engine page is made of; private to its .cpp files.
#pragma once

#include "ui/bridge/snapshot_feed.h"
#include "ui/bridge/step_feed.h"
#include "ui/engine/engine_page.h"
#include "ui/engine/engine_tracks.h"
#include "ui/engine/kernel_table.h"
#include "ui/engine/lane_history.h"
#include "ui/engine/reading_table.h"
#include "ui/engine/step_table.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QThreadPool>

class QLabel;
class QScrollArea;
class QTableView;

namespace vitrine::ui {

class BlockMap;
class Button;
class LaneSheet;
class RequestLanes;
class ServerPanel;
class SegmentedControl;
class SlowLine;

struct EnginePage::Parts {
    Context context;
    TimeWindow window;
    LaneHistory lanes;
    StepTableModel table;
    ReadingTableModel readings; // instead, of a server elsewhere
    KernelTableModel kernels;
    QThreadPool pool; // block_text may wait for a step of the engine; files are read and written here
    std::shared_ptr<const Snapshot> snapshot;
    QString writing; // file being written, for the state label; empty: none
    std::shared_ptr<const Snapshot> frame; // of the replayed moment
    double frameTime = -1, frameAsked = -1; // its time; the moment it was looked up for
    bool zoomed = false;
    bool dimmed = false;
    int refreshes = 0;
    int replayTimer = 0;
    double tracksEnd = -1, tracksSpan = -1; // what the plots were last collected for
    quint64 tracksStep = 0;
    QElapsedTimer sinceNumbers; // since numbers and tables were last brought up to date

    QLabel *title = nullptr, *state = nullptr, *tableTitle = nullptr;
    SegmentedControl *span = nullptr, *tableKind = nullptr;
    Button *engine = nullptr, *pause = nullptr, *replay = nullptr, *live = nullptr, *clear = nullptr, *zoomIn = nullptr;
    Button* exporter = nullptr;
    QString fittedHeader; // what decided the words of the header when they were chosen last
    SlowLine* slow = nullptr;
    QScrollArea* scroll = nullptr;
    BlockMap* map = nullptr;
    ServerPanel* server = nullptr; // instead of the map
    TimeAxis* axis = nullptr;
    RequestLanes* requestLanes = nullptr;
    EngineTracks* tracks = nullptr;
    QTableView *steps = nullptr, *kernelView = nullptr, *readingView = nullptr;
    LaneSheet* sheet = nullptr;

    explicit Parts(const Context& theContext) : context(theContext) { pool.setMaxThreadCount(1); }
    [[nodiscard]] const SessionHistory& history() const {
        return context.recording.session ? *context.recording.session : context.steps.history();
    }
    [[nodiscard]] bool isServer() const { return history().server().has_value(); }
    [[nodiscard]] bool isTableInView() const;
    [[nodiscard]] bool hasPoorDrafts() const;
    /// Nothing new comes.  A server elsewhere also works for others, and is read all the time.
    [[nodiscard]] bool isIdle() const {
        return context.recording.session || (!isServer() && context.snapshots.isIdle());
    }
    /// Seconds of the engine's clock now; idle or recorded: shortly after the last step, so that it stays in view.
    [[nodiscard]] double now() const;
};

} // namespace vitrine::ui
