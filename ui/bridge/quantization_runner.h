// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: writing a model in another type, beside everything else the window does.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "ui/bridge/values.h"

#pragma push_macro("slots")
#undef slots
#include "engine/lab/quantization.h"
#pragma pop_macro("slots")

namespace vitrine::ui {

using engine::built_in_quality_text;
using engine::QualityReport;
using engine::quantization_types;
using engine::QuantizationPhase;
using engine::QuantizationProgress;
using engine::QuantizationResult;
using engine::QuantizationRun;
using engine::QuantizationTask;
using engine::QuantizationType;
using engine::QuantizedTensor;
using engine::QuantizeReport;

/// (Wrapped, since QMetaType would want == of what a Result holds.)
struct QuantizationOutcome {
    Result<QuantizationResult> result;
};

/// Thread: GUI.  The job runs on a thread of its own; signals come on the GUI thread, progress at most ten times a second.
class QuantizationRunner final : public QObject {
    Q_OBJECT
public:
    using Job = std::function<Result<QuantizationResult>(const QuantizationTask&, const QuantizationRun&)>;
    explicit QuantizationRunner(Job job = engine::run_quantization, QObject* parent = nullptr);
    /// Cancels and waits for the piece of work that runs: one slice or one matrix.
    ~QuantizationRunner() override;

    /// `textFile`: read on the job's thread into the task's calibration text; empty: none.  Requires: !isRunning()
    void start(const QuantizationTask& task, const QString& textFile = {});
    /// finished() still comes: with `cancelled`, or with the model that was written before the request was seen.
    void cancel();
    [[nodiscard]] bool isRunning() const noexcept { return m_isRunning; }
    [[nodiscard]] const QuantizationTask& task() const noexcept { return m_task; } // of the last or running job
    /// The newest of the last or running job; nothing before the first.
    [[nodiscard]] const std::optional<QuantizationProgress>& progress() const noexcept { return m_progress; }
    /// Of the last job, for whoever was not there when it ended; nothing while one runs.
    [[nodiscard]] const std::optional<QuantizationOutcome>& outcome() const noexcept { return m_outcome; }

    /// What the report says as files; JSON or Markdown by the name.
    [[nodiscard]] static QByteArray reportFile(const QuantizationResult& result, const QString& fileName);

signals:
    void progressed(const vitrine::ui::QuantizationProgress& progress);
    void finished(const vitrine::ui::QuantizationOutcome& outcome);

private:
    class Relay;

    Job m_job;
    QuantizationTask m_task;
    std::optional<QuantizationOutcome> m_outcome;
    std::optional<QuantizationProgress> m_progress;
    std::shared_ptr<Relay> m_relay; // of the running job
    bool m_isRunning = false;
    std::jthread m_thread; // last: joins before the rest goes
};

} // namespace vitrine::ui
