// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: who guesses tokens ahead: nobody, the n-grams of the text, or a small model; with the reason why not.
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

#include <vector>

class QButtonGroup;
class QLabel;
class QRadioButton;
class QVBoxLayout;

namespace vitrine::ui {

class DraftPicker final : public QWidget {
    Q_OBJECT
public:
    struct Candidate {
        QString path;
        QString name; // with its quantization
    };
    explicit DraftPicker(const Theme& theme, QWidget* parent = nullptr);

    void setCandidates(const std::vector<Candidate>& candidates);
    [[nodiscard]] QStringList candidatePaths() const;
    /// What the engine's plan said of a candidate: why it cannot be used, or empty.
    void setReason(const QString& path, const QString& reason);
    /// As EngineConfig::draft has it: "", "ngram" or a path.  A path that is no candidate is added.
    void setChosen(const QString& draft);
    [[nodiscard]] QString chosen() const;
    [[nodiscard]] bool isModelChosen() const; // a file, whose weights are loaded too

signals:
    void chosenChanged(const QString& draft);

private:
    struct Row {
        QString draft;
        QWidget* box;
        QRadioButton* button;
        QLabel* reason;
    };
    void add(const QString& draft, const QString& name);

    QButtonGroup* m_group;
    QVBoxLayout* m_column;
    std::vector<Row> m_rows;
};

} // namespace vitrine::ui
