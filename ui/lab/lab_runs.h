// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: the experiment that runs, and what was asked, found and opened.
#pragma once

#include "ui/bridge/session_history.h"
#include "ui/lab/experiment_view.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <thread>

namespace vitrine::ui {

class EngineClient;
class LabBench;
class SnapshotFeed;

/// What an error is said as, in the window's language.
[[nodiscard]] QString problemText(const Error& error);

/// Thread: GUI; an experiment runs on a thread of its own.  Lives longer than any page: a window that is made anew in
/// another language finds its experiment running and its results there.
class LabRuns final : public QObject {
    Q_OBJECT
public:
    /// Of one experiment.
    struct Kept {
        ExperimentView::Filled filled; // as the last page left it
        std::shared_ptr<const LabResult> result; // null: none yet
        QString problem; // of the last run, until a page has said it; empty: none
    };

    LabRuns(EngineClient& client, SnapshotFeed& snapshots, QObject* parent = nullptr);
    ~LabRuns() override; // stops a running experiment and waits for its thread

    /// Requires: !isRunning()
    void start(const std::shared_ptr<const Experiment>& experiment, const LabFacts& facts,
        const ExperimentView::Filled& filled);
    void stop();
    [[nodiscard]] bool isRunning() const noexcept { return m_running != nullptr; }
    [[nodiscard]] const Experiment* running() const noexcept { return m_running.get(); } // null: none
    [[nodiscard]] double fraction() const noexcept { return m_fraction; } // of the running one, 0..1
    [[nodiscard]] int foreignRequests() const; // of others, that run or wait now

    [[nodiscard]] Kept& kept(const QString& experiment) { return m_kept[experiment]; }
    QString shown; // experiment on screen; empty: the first
    OpenRecording recording; // whose requests experiments take

signals:
    void progressed(const QString& what, double fraction);
    void finished(const QString& experiment); // also after a failure; what came of it is kept

private:
    void take(Result<LabResult> result);

    EngineClient& m_client;
    QTimer m_wake; // the engine is busy with requests that no client has sent: the feed must look
    QHash<QString, Kept> m_kept;
    std::atomic<bool> m_cancelled{false};
    std::unique_ptr<LabBench> m_bench;
    std::shared_ptr<const Experiment> m_running; // null: none
    double m_fraction = 0;
    std::thread m_thread;
};

} // namespace vitrine::ui
