// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: one experiment on screen: question, settings, guesses, and what came of them.
#pragma once

#include "ui/lab/experiment.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <memory>

class QLabel;
class QProgressBar;
class QVBoxLayout;

namespace vitrine::ui {

class Button;
class TileLayout;

/// Guesses come first: Run is offered once every question has an answer, or after "Skip the guesses".
class ExperimentView final : public QWidget {
    Q_OBJECT
public:
    ExperimentView(const Theme& theme, const Experiment& experiment, QWidget* parent = nullptr);

    void setFacts(const LabFacts& facts); // fills the defaults of controls nobody has touched
    [[nodiscard]] QMap<QString, double> settings() const;
    [[nodiscard]] QMap<QString, QString> guesses() const; // those given
    /// What the user has filled in, for another view of the same experiment.
    struct Filled {
        QMap<QString, double> settings;
        QMap<QString, QString> guesses; // those given
        bool touched = false, skipped = false; // settings; guesses
    };
    [[nodiscard]] Filled filled() const { return {settings(), guesses(), m_touched, m_skipped}; }
    void fill(const Filled& filled);
    void setSettings(const QMap<QString, double>& settings);
    void setGuess(const QString& name, const QString& value);
    void setRunning(bool running);
    void setProgress(const QString& what, double fraction);
    void setProblem(const QString& problem); // one sentence; empty: none
    void setResult(std::shared_ptr<const LabResult> result);
    [[nodiscard]] const std::shared_ptr<const LabResult>& result() const { return m_result; }
    [[nodiscard]] bool canRun() const;
    [[nodiscard]] QWidget* resultArea() const { return m_results; }
    [[nodiscard]] QPixmap resultPicture() const; // all of it, however narrow the window

signals:
    void runRequested();
    void stopRequested();

private:
    struct Field; // a control or a guess with its widget
    void buildControls(QVBoxLayout* column);
    void buildGuesses(QVBoxLayout* column);
    void buildButtons(QVBoxLayout* column);
    [[nodiscard]] QWidget* makeControl(const LabControl& control);
    [[nodiscard]] QWidget* makeField(const LabControl& control);
    void nameChoices(const std::vector<LabControl>& controls); // the session may be a recording now
    [[nodiscard]] QString guessProblem(const LabGuess& guess) const;
    void refreshRun();
    void settleLayouts();
    void fillResults(QVBoxLayout* column);
    void fillMeasures(QVBoxLayout* column);
    void fillTable(QVBoxLayout* column, const LabTable& table);

    const Theme& m_theme;
    const Experiment& m_experiment;
    TileLayout* m_controls = nullptr;
    QMap<QString, QWidget*> m_controlWidgets, m_guessWidgets;
    std::vector<LabGuess> m_questions;
    QLabel *m_problem = nullptr, *m_hint = nullptr, *m_state = nullptr;
    Button *m_run = nullptr, *m_stop = nullptr, *m_skip = nullptr;
    QProgressBar* m_progress = nullptr;
    QWidget* m_results = nullptr;
    std::shared_ptr<const LabResult> m_result;
    LabFacts m_facts;
    bool m_isRunning = false, m_touched = false, m_skipped = false, m_isFilling = false;
};

} // namespace vitrine::ui
