// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: the Lab page: experiments, their guesses and results.
#pragma once

#include "ui/lab/lab_result.h"

#include <QWidget>

#include <memory>

namespace vitrine::ui {

class Dialogs;
class EngineClient;
class ExperimentView;
class LabRuns;
class SessionHistory;
class StepFeed;
struct LabFacts;
class Theme;

/// Thread: GUI.  What runs goes on when the page goes, and is found again by the next one.
class LabPage final : public QWidget {
    Q_OBJECT
public:
    struct Context {
        const Theme& theme;
        EngineClient& client;
        StepFeed& steps;
        Dialogs& dialogs;
        LabRuns& runs;
    };
    enum class Export : std::uint8_t { json, csv, png };

    explicit LabPage(const Context& context, QWidget* parent = nullptr);
    ~LabPage() override; // leaves what was filled in and found to the runs

    /// "policies", "paging", "capacity", "prefix", "kvcache", "speculation", "quantization", "ablation".
    void showExperiment(const QString& name);
    [[nodiscard]] ExperimentView* view() const; // on screen
    void run();
    void stop();
    [[nodiscard]] bool isRunning() const;
    void exportAs(Export format); // the result on screen
    void open(); // a saved result, or a recording of the Engine page
    /// Experiments that take this session's requests take those of the recording; null: this session again.
    void useRecording(std::shared_ptr<const SessionHistory> recording, const QString& name);
    [[nodiscard]] bool hasRecording() const;

signals:
    void finished(); // also after a failure
    void opened(); // a file was read, or refused

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Parts;
    void buildHeader();
    void buildViews();
    void makeView(int index);
    void refreshFacts();
    void refreshHeader();
    void take(const QString& experiment);
    [[nodiscard]] int indexOf(const QString& experiment) const; // -1: there is no such
    void read(const QString& path); // on a pool thread
    void showResult(Result<LabResult> result);
    [[nodiscard]] LabFacts facts() const;

    std::unique_ptr<Parts> m;
};

} // namespace vitrine::ui
