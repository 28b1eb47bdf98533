// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: the list of experiments and what they share.
#include "ui/lab/experiment.h"

#include "ui/bridge/lab_bench.h"
#include "ui/bridge/qt_convert.h"
#include "ui/widgets/numbers.h"

#include <QLocale>

#include <cmath>

namespace vitrine::ui {
namespace {

constexpr double kSame = 0.02;
constexpr double kNumberTolerance = 0.25;

} // namespace

std::vector<std::unique_ptr<Experiment>> makeExperiments() {
    std::vector<std::unique_ptr<Experiment>> list;
    list.push_back(makePolicyExperiment());
    list.push_back(makePagingExperiment());
    list.push_back(makeCapacityExperiment());
    list.push_back(makePrefixExperiment());
    list.push_back(makeKvCacheExperiment());
    list.push_back(makeSpeculationExperiment());
    list.push_back(makeQuantizationExperiment());
    list.push_back(makeAblationExperiment());
    return list;
}

LabText LabFacts::sessionText() const {
    return recording.isEmpty() ? Lab::tr("This session") : Lab::tr("Recording %1").arg(recording);
}

LabText textOf(const QList<LabChoice>& choices, const QString& key) {
    for (const LabChoice& choice : choices)
        if (choice.key == key)
            return choice.text;
    return key;
}

QList<LabChoice> changeChoices() {
    return {{QStringLiteral("better"), Lab::tr("better")}, {QStringLiteral("same"), Lab::tr("same")},
        {QStringLiteral("worse"), Lab::tr("worse")}};
}

QString changeOf(double before, double after, bool lowerIsBetter) {
    const bool finite = std::isfinite(before) && std::isfinite(after);
    if (before == after || (finite && std::abs(after - before) <= kSame * std::max(std::abs(before), std::abs(after))))
        return QStringLiteral("same");
    return (after < before) == lowerIsBetter ? QStringLiteral("better") : QStringLiteral("worse");
}

LabMeasure judgeChange(
    const LabRun& run, const char* guess, LabMeasure measure, double before, double after, bool lowerIsBetter) {
    const QString truth = changeOf(before, after, lowerIsBetter);
    measure = judgeChoice(run, guess, std::move(measure), changeChoices(), truth);
    if (truth != QLatin1String("same") && std::isfinite(before) && std::isfinite(after) && std::min(before, after) > 0)
        measure.verdict = Lab::tr("%1, %2 times")
                              .arg(measure.verdict, fixedNumber(std::max(before, after) / std::min(before, after), 2));
    return measure;
}

LabMeasure judgeNumber(const LabRun& run, const char* guess, LabMeasure measure, double truth) {
    const QString text = run.guesses.value(QLatin1String(guess));
    bool isNumber = false;
    const double guessed = text.toDouble(&isNumber);
    if (!isNumber)
        return measure;
    measure.guess = guessNumber(text);
    const double error = truth != 0 ? guessed / truth - 1 : guessed;
    measure.right = std::abs(error) <= kNumberTolerance;
    measure.verdict = *measure.right ? Lab::tr("within 25 %")
        : guessed > truth            ? Lab::tr("guessed too high")
                                     : Lab::tr("guessed too low");
    return measure;
}

LabMeasure judgeChoice(
    const LabRun& run, const char* guess, LabMeasure measure, const QList<LabChoice>& choices, const QString& truth) {
    const QString guessed = run.guesses.value(QLatin1String(guess));
    measure.guess = textOf(choices, guessed);
    measure.verdict = textOf(choices, truth);
    if (!guessed.isEmpty())
        measure.right = guessed == truth;
    return measure;
}

QString fillerText(int tokens, int salt) {
    constexpr const char* kPlaces[] = {
        "harbour", "station", "garden", "library", "workshop", "market", "bridge", "mill"};
    constexpr const char* kThings[] = {"lamp", "clock", "map", "ladder", "bell", "scale", "barrel", "compass"};
    QString text = QStringLiteral("Inventory %1.\n").arg(1000 + salt);
    // A sentence has at least ten tokens in any vocabulary of words or word parts.
    for (int i = 0; i * 10 < tokens; ++i)
        text += QStringLiteral("Item %1: the %2 of the %3 was checked on day %4 and found in order.\n")
                    .arg(i + 1)
                    .arg(QLatin1String(kThings[(i * 5 + salt) % 8]), QLatin1String(kPlaces[(i * 3 + salt) % 8]))
                    .arg((i * 7 + salt) % 365 + 1);
    return text;
}

Result<QString> textOfTokens(const LabBench& bench, int tokens, int salt) {
    const QString text = fillerText(tokens, salt);
    const auto ids = bench.tokenize(text);
    if (!ids)
        return tl::unexpected(ids.error());
    QStringList lines = text.split(u'\n', Qt::SkipEmptyParts);
    const double kept =
        static_cast<double>(lines.size()) * tokens / static_cast<double>(std::max<std::size_t>(1, ids->size()));
    lines = lines.mid(0, std::max<qsizetype>(1, std::llround(kept)));
    return lines.join(u'\n') + u'\n';
}

Request textRequest(const QString& text, int tokens, const QString& label) {
    Request request;
    request.source = RequestSource::lab;
    request.label = toStdString(label);
    request.prompt = engine::TextPrompt{toStdString(text)};
    request.sampling.temperature = 0;
    request.stop.max_tokens = tokens;
    request.stop.ignore_eos = true;
    return request;
}

} // namespace vitrine::ui
