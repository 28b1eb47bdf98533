// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: what a quantization cost: sizes, perplexity, divergence, answers side by side, error of each matrix.
#pragma once

#include "ui/bridge/quantization_runner.h"

#include <QWidget>

#include <memory>

class QTableView;

namespace vitrine::ui {

class Theme;

/// Thread: GUI.  Shows nothing until setResult().
class QualityView final : public QWidget {
    Q_OBJECT
public:
    explicit QualityView(const Theme& theme, QWidget* parent = nullptr);
    ~QualityView() override;
    void setResult(const QuantizationResult& result);

private:
    struct Parts;
    void showFigures(const QuantizationResult& result);
    void showAnswers(const QuantizationResult& result);
    void showTensors(const QuantizeReport& report);
    [[nodiscard]] QTableView* addTable(const QString& name, int rows);

    std::unique_ptr<Parts> m;
};

} // namespace vitrine::ui
