// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: one experiment: what can be set, what is asked first, how it runs.
#pragma once

#include "ui/bridge/session_history.h"
#include "ui/lab/lab_result.h"

#include <functional>
#include <memory>

namespace vitrine::ui {

class LabBench;

/// A number with a range, or a choice of words (its value is the index).
struct LabControl {
    QString name, label, unit;
    double value = 0, minimum = 0, maximum = 0, step = 1;
    int decimals = 0;
    QStringList choices;
};

/// One of the answers to choose from; the key is what is kept, so that a file opens in every language.
struct LabChoice {
    QString key;
    LabText text;
};

/// A question before the run.  With choices: the key of one; else a number of the unit, right within 25 %.
struct LabGuess {
    QString name, question, unit;
    QList<LabChoice> choices;
    double maximum = 0;
};
/// What a key stands for; the key itself where it is none of these, as in files of older versions.
[[nodiscard]] LabText textOf(const QList<LabChoice>& choices, const QString& key);

/// What an experiment may know before it runs.
struct LabFacts {
    std::shared_ptr<const LoadedModel> model; // null: none loaded
    std::shared_ptr<const SessionHistory> session; // of this engine so far, or a recording
    QString recording; // its name; empty: this engine's session

    /// What the choice of the session is called.
    [[nodiscard]] LabText sessionText() const;
};

struct LabRun {
    LabFacts facts;
    QMap<QString, double> settings;
    QMap<QString, QString> guesses;
    LabBench* bench = nullptr; // null: the experiment needs no engine
    std::function<void(const QString& what, double fraction)> progress;

    [[nodiscard]] double number(const char* name) const { return settings.value(QLatin1String(name)); }
    [[nodiscard]] int integer(const char* name) const { return static_cast<int>(number(name)); }
};

/// Stateless.  run(): worker thread; everything else: GUI.
class Experiment {
public:
    virtual ~Experiment() = default;
    [[nodiscard]] virtual QString name() const = 0; // in files and links: "policies"
    [[nodiscard]] virtual QString title() const = 0;
    [[nodiscard]] virtual QString question() const = 0; // a few sentences: what is tried and why
    [[nodiscard]] virtual std::vector<LabControl> controls(const LabFacts& facts) const = 0;
    [[nodiscard]] virtual std::vector<LabGuess> guesses() const = 0;
    /// Empty: it can run.  Else one sentence that says what is missing.
    [[nodiscard]] virtual QString missing(const LabFacts& facts) const = 0;
    /// Loads other settings of the model while it runs: nobody else may use it then.
    [[nodiscard]] virtual bool reloads() const { return false; }
    [[nodiscard]] virtual Result<LabResult> run(const LabRun& run) const = 0;
};

/// In the order of the page.
[[nodiscard]] std::vector<std::unique_ptr<Experiment>> makeExperiments();
[[nodiscard]] std::unique_ptr<Experiment> makePolicyExperiment();
[[nodiscard]] std::unique_ptr<Experiment> makePagingExperiment();
[[nodiscard]] std::unique_ptr<Experiment> makeCapacityExperiment();
[[nodiscard]] std::unique_ptr<Experiment> makePrefixExperiment();
[[nodiscard]] std::unique_ptr<Experiment> makeKvCacheExperiment();
[[nodiscard]] std::unique_ptr<Experiment> makeSpeculationExperiment();
[[nodiscard]] std::unique_ptr<Experiment> makeQuantizationExperiment();
[[nodiscard]] std::unique_ptr<Experiment> makeAblationExperiment();

// Helpers of the experiments.

/// "better", "same", "worse": what a guess about a change is made of.
[[nodiscard]] QList<LabChoice> changeChoices();
/// The key of which came true from `before` to `after`; within 2 % it is the same.
[[nodiscard]] QString changeOf(double before, double after, bool lowerIsBetter);
/// A measure whose guess is one of changeChoices(); fills verdict and right.
[[nodiscard]] LabMeasure judgeChange(
    const LabRun& run, const char* guess, LabMeasure measure, double before, double after, bool lowerIsBetter);
/// A measure whose guess is a number; right within 25 %.
[[nodiscard]] LabMeasure judgeNumber(const LabRun& run, const char* guess, LabMeasure measure, double truth);
/// A measure whose guess is one of some choices; `truth` is the key of the right one.
[[nodiscard]] LabMeasure judgeChoice(
    const LabRun& run, const char* guess, LabMeasure measure, const QList<LabChoice>& choices, const QString& truth);
/// A text of at least `tokens` tokens, made of numbered plain sentences; `salt` changes its first words.
[[nodiscard]] QString fillerText(int tokens, int salt);
/// The same, as many sentences of it as come closest to `tokens` tokens of the loaded model.
[[nodiscard]] Result<QString> textOfTokens(const LabBench& bench, int tokens, int salt);
/// Greedy, to exactly `tokens` tokens.
[[nodiscard]] Request textRequest(const QString& text, int tokens, const QString& label);

} // namespace vitrine::ui
