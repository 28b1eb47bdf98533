// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: quantizations on a thread of their own.
#include "ui/bridge/quantization_runner.h"

#include <QFile>
#include <chrono>
#include <mutex>
#include <utility>

#include "ui/bridge/error_text.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::ui {

/// Brings progress to the GUI thread; only the newest waits.
class QuantizationRunner::Relay {
public:
    explicit Relay(QuantizationRunner* runner) : m_runner(runner) {}

    void report(const QuantizationProgress& progress) { // job's thread
        constexpr std::chrono::milliseconds kInterval{100};
        const auto now = std::chrono::steady_clock::now();
        const bool isLast = progress.done >= progress.total;
        if (now - m_last < kInterval && !isLast && progress.phase == m_phase)
            return;
        m_last = now;
        m_phase = progress.phase;
        const std::lock_guard lock(m_mutex);
        const bool waits = m_newest.has_value();
        m_newest = progress;
        if (!waits && m_runner != nullptr)
            QMetaObject::invokeMethod(
                m_runner, [this] { deliver(); }, Qt::QueuedConnection);
    }
    void finish(QuantizationOutcome outcome) { // job's thread, last
        const std::lock_guard lock(m_mutex);
        if (m_runner == nullptr)
            return;
        QMetaObject::invokeMethod(
            m_runner,
            [this, outcome = std::move(outcome)] {
                m_runner->m_isRunning = false;
                m_runner->m_outcome = outcome;
                emit m_runner->finished(outcome);
            },
            Qt::QueuedConnection);
    }
    void close() {
        const std::lock_guard lock(m_mutex);
        m_runner = nullptr;
    }

private:
    void deliver() { // GUI thread; the runner lives, or Qt would have dropped the call
        std::optional<QuantizationProgress> progress;
        {
            const std::lock_guard lock(m_mutex);
            progress = std::exchange(m_newest, std::nullopt);
        }
        if (!progress)
            return;
        m_runner->m_progress = progress;
        emit m_runner->progressed(*progress);
    }

    std::chrono::steady_clock::time_point m_last; // job's thread alone
    QuantizationPhase m_phase = QuantizationPhase::writing;
    std::mutex m_mutex;
    QuantizationRunner* m_runner; // guarded
    std::optional<QuantizationProgress> m_newest; // guarded
};

QuantizationRunner::QuantizationRunner(Job job, QObject* parent) : QObject(parent), m_job(std::move(job)) {}

QuantizationRunner::~QuantizationRunner() {
    if (m_relay)
        m_relay->close();
    m_thread.request_stop();
}

void QuantizationRunner::start(const QuantizationTask& task, const QString& textFile) {
    m_task = task;
    m_outcome.reset();
    m_progress.reset();
    m_isRunning = true;
    m_relay = std::make_shared<Relay>(this);
    m_thread = std::jthread(
        [job = m_job, relay = m_relay, task = QuantizationTask(task), textFile](const std::stop_token& stop) mutable {
            if (!textFile.isEmpty()) {
                QFile file(textFile);
                if (!file.open(QIODevice::ReadOnly))
                    return relay->finish(
                        {fail(ErrorCode::io, toStdString(tr("%1 cannot be read: %2").arg(textFile, file.errorString())),
                            toStdString(tr("Choose another text.")))});
                task.calibration_text = file.readAll().toStdString();
            }
            const QuantizationRun run{[&](const QuantizationProgress& progress) { relay->report(progress); }, stop};
            relay->finish({job(task, run).map_error(worded)});
        });
}

void QuantizationRunner::cancel() {
    m_thread.request_stop();
}

QByteArray QuantizationRunner::reportFile(const QuantizationResult& result, const QString& fileName) {
    const QualityReport* quality = result.quality ? &*result.quality : nullptr;
    if (!fileName.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        return QByteArray::fromStdString(engine::to_markdown(&result.written, quality));
    return QByteArray::fromStdString(engine::to_json_text(result.written, quality));
}

} // namespace vitrine::ui
