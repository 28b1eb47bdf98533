// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the engine as an experiment uses it: requests and loads that are waited for.
#pragma once

#include <QString>
#include <atomic>
#include <memory>
#include <vector>

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// What came of one request of an experiment.
struct LabAnswer {
    std::vector<TokenId> promptIds, ids;
    QString text;
    Usage usage;
    RequestTimings timings;
    FinishReason finish = FinishReason::stop;
    std::vector<double> arrivals; // seconds after submit at which each token came
    std::vector<TokenLogprobs> promptLogprobs; // if asked for
};

/// Thread: one worker; its functions block, and end early with `cancelled` when the flag is set.  The engine outlives it.
class LabBench {
public:
    LabBench(engine::Engine& engine, const std::atomic<bool>& cancelled);

    [[nodiscard]] std::shared_ptr<const LoadedModel> model() const; // null: none loaded
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    [[nodiscard]] bool isCancelled() const { return m_cancelled; }
    /// Requests of others that run or wait now.
    [[nodiscard]] int foreignRequests() const;

    /// Submits all at once, waits for all.  The first failure of any ends the others and is returned.
    Result<std::vector<LabAnswer>> run(std::vector<Request> requests);
    Result<LabAnswer> run(Request request);
    /// Replaces the running model; restore() brings back the one of before the first load.
    Result<void> load(const EngineConfig& config);
    /// Gives the running model's memory back until restore(): for an experiment with engines of its own.
    Result<void> unload();
    Result<void> restore();

    [[nodiscard]] Result<std::vector<TokenId>> tokenize(const QString& text) const;
    [[nodiscard]] QString tokenText(TokenId token) const;
    /// Number of the next step; stepsFrom(it) later gives what ran in between.
    [[nodiscard]] quint64 nextStep() const;
    [[nodiscard]] std::vector<StepRecord> stepsFrom(quint64 step) const;
    void forgetPrefixes();
    [[nodiscard]] bool used() const { return m_used; } // the engine did something for it

private:
    engine::Engine& m_engine;
    const std::atomic<bool>& m_cancelled;
    std::shared_ptr<const LoadedModel> m_original; // before the first load
    bool m_used = false;
};

} // namespace vitrine::ui
