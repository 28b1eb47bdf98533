// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: write a model in another type: type, method, text, target; progress; what it cost.
#pragma once

#include "ui/bridge/quantization_runner.h"

#include <QWidget>

#include <memory>

namespace vitrine::ui {

class Dialogs;
class Theme;

/// Thread: GUI.  One job at a time; it goes on while other pages or models are looked at, and when this goes.
class QuantizePanel final : public QWidget {
    Q_OBJECT
public:
    /// `folder` takes the written models unless the user says otherwise.
    QuantizePanel(const Theme& theme, Dialogs& dialogs, const QString& folder, QuantizationRunner& runner,
        QWidget* parent = nullptr);
    ~QuantizePanel() override;

    /// The model to quantize; while a job runs, the panel goes on showing that job.
    void setSource(const QString& path, const ModelInfo& info);
    [[nodiscard]] bool isRunning() const;

signals:
    void closed();
    void written(const QString& path);

private:
    struct Parts;
    void buildHead();
    void buildForm();
    void buildProgress();
    void buildFooter();
    void chooseType();
    void refreshTarget();
    void takeUp(); // a job that a panel before this one began
    void refresh();
    void askForTarget();
    void askForText();
    void start();
    void showProgress(const QuantizationProgress& progress);
    void finish(const QuantizationOutcome& outcome);
    void saveReport();
    [[nodiscard]] QString method() const;

    std::unique_ptr<Parts> m;
};

} // namespace vitrine::ui
