// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: running an experiment beside everything else.
#include "ui/lab/lab_runs.h"

#include "ui/bridge/engine_client.h"
#include "ui/bridge/error_text.h"
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/snapshot_feed.h"
#include "ui/lab/lab_page.h"

#include <utility>

namespace vitrine::ui {
namespace {

constexpr int kWakeMs = 500;

/// Worker thread.
Result<LabResult> runToItsEnd(const Experiment& experiment, const LabRun& run, LabBench& bench) {
    Result<LabResult> result = experiment.run(run);
    if (result) {
        result->experiment = experiment.name();
        result->time = QDateTime::currentDateTimeUtc();
        result->settings = run.settings;
        result->guesses = run.guesses;
        if (run.facts.model && bench.used()) { // else nothing of it depends on the model
            result->model = toQString(run.facts.model->info.name);
            result->device = toQString(run.facts.model->device.name);
        }
    }
    if (const auto restored = bench.restore(); !restored) // above all else: the model of before is not back
        result = tl::unexpected(restored.error());
    else if (!result && bench.isCancelled())
        result =
            fail(ErrorCode::cancelled, toStdString(LabPage::tr("The experiment was stopped; nothing of it is kept.")),
                toStdString(LabPage::tr("Run it again when you like.")));
    return result;
}

} // namespace

LabRuns::LabRuns(EngineClient& client, SnapshotFeed& snapshots, QObject* parent) : QObject(parent), m_client(client) {
    m_wake.setInterval(kWakeMs);
    connect(&m_wake, &QTimer::timeout, &snapshots, &SnapshotFeed::wake);
}

LabRuns::~LabRuns() {
    m_cancelled = true;
    if (m_thread.joinable())
        m_thread.join();
}

int LabRuns::foreignRequests() const {
    return m_client.makeBench(m_cancelled)->foreignRequests();
}

void LabRuns::start(
    const std::shared_ptr<const Experiment>& experiment, const LabFacts& facts, const ExperimentView::Filled& filled) {
    if (m_thread.joinable())
        m_thread.join(); // ended: its result was taken
    m_cancelled = false;
    m_bench = m_client.makeBench(m_cancelled);
    m_running = experiment;
    m_fraction = 0;
    kept(experiment->name()).problem.clear();
    LabRun run;
    run.facts = facts;
    run.settings = filled.settings;
    run.guesses = filled.guesses;
    run.bench = facts.model ? m_bench.get() : nullptr;
    // Calls that wait for the GUI thread go with this object, whose end waits for the worker.
    run.progress = [this](const QString& what, double fraction) {
        QMetaObject::invokeMethod(
            this,
            [this, what, fraction] {
                m_fraction = fraction;
                emit progressed(what, fraction);
            },
            Qt::QueuedConnection);
    };
    m_wake.start();
    m_thread = std::thread([this, experiment, run = std::move(run), bench = m_bench.get()] {
        auto result = std::make_shared<Result<LabResult>>(runToItsEnd(*experiment, run, *bench));
        QMetaObject::invokeMethod(
            this, [this, result] { take(std::move(*result)); }, Qt::QueuedConnection);
    });
}

void LabRuns::stop() {
    m_cancelled = true;
}

QString problemText(const Error& error) {
    const Error told = worded(error); // what an experiment's own engine said, too
    return (toQString(told.message) + u' ' + toQString(told.remedy)).trimmed();
}

void LabRuns::take(Result<LabResult> result) {
    const QString name = std::exchange(m_running, nullptr)->name();
    m_wake.stop();
    Kept& mine = kept(name);
    if (result)
        mine.result = std::make_shared<const LabResult>(*std::move(result));
    else
        mine.problem = problemText(result.error());
    emit finished(name);
}

} // namespace vitrine::ui
