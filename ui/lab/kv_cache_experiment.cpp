// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: the cost of a token with the KV cache and without it.
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/qt_convert.h"
#include "ui/lab/experiment.h"
#include "ui/widgets/numbers.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kPoints = 6;
constexpr int kShortest = 48; // tokens of the longest sequence
constexpr int kTokens = 8; // decoded at each length; the median counts

double median(std::vector<double> values) {
    if (values.empty())
        return std::nan("");
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

Request idsRequest(const std::vector<TokenId>& ids, int length, int tokens, const QString& salt) {
    Request request = textRequest({}, tokens, Lab::tr("Lab: KV cache"));
    request.prompt = engine::TokenPrompt{std::vector<TokenId>(ids.begin(), ids.begin() + length)};
    request.speculate = false;
    request.cache_salt = toStdString(salt); // another salt shares no block: nothing is reused
    return request;
}

QList<LabChoice> shapeChoices() {
    return {{QStringLiteral("stays"), Lab::tr("stays")}, {QStringLiteral("grows"), Lab::tr("grows with the length")},
        {QStringLiteral("falls"), Lab::tr("falls")}};
}

class KvCacheExperiment final : public Experiment {
public:
    QString name() const override { return QStringLiteral("kvcache"); }
    QString title() const override { return Lab::tr("KV cache on and off"); }
    QString question() const override {
        return Lab::tr("With the KV cache a new token computes one row and reads the keys and values of all before it. "
                       "Without it, the whole "
                       "sequence is computed again for every token; here this is really done, as a request of that "
                       "length without reuse that makes one "
                       "token. How does the cost of a token grow with the length?");
    }
    std::vector<LabControl> controls(const LabFacts& facts) const override {
        const double most = facts.model ? std::max(kShortest, facts.model->context - kTokens - 1) : 2048;
        return {{QStringLiteral("length"), Lab::tr("Longest sequence"), Lab::tr("tokens"), std::min(512.0, most),
            kShortest, most, 64, 0, {}}};
    }
    std::vector<LabGuess> guesses() const override {
        return {{QStringLiteral("shape"), Lab::tr("Without the cache the cost of a token …"), {}, shapeChoices(), 0},
            {QStringLiteral("with"), Lab::tr("With the cache it …"), {}, shapeChoices(), 0},
            {QStringLiteral("times"), Lab::tr("At the longest, how many times cheaper is it with the cache?"),
                Lab::tr("times"), {}, 100'000}};
    }
    QString missing(const LabFacts& facts) const override {
        if (!facts.model)
            return Lab::tr("No model is loaded. Load one, then run the experiment.");
        constexpr int kNeeded = kShortest + kTokens + 1;
        return facts.model->context >= kNeeded
            ? QString()
            : Lab::tr("The context holds %1 tokens, and %2 are needed. Load the model with a longer context.")
                  .arg(facts.model->context)
                  .arg(kNeeded)
                  .text();
    }
    Result<LabResult> run(const LabRun& run) const override;
};

/// Cost against length, a key of shapeChoices(): falls or grows by more than half from the first to the last point.
QString shapeOf(const std::vector<QPointF>& points) {
    const double ratio = points.back().y() / points.front().y();
    return ratio > 1.5 ? QStringLiteral("grows") : ratio < 1 / 1.5 ? QStringLiteral("falls") : QStringLiteral("stays");
}

Result<LabResult> KvCacheExperiment::run(const LabRun& run) const {
    const auto ids = run.bench->tokenize(fillerText(run.integer("length") + 64, 3));
    if (!ids)
        return tl::unexpected(ids.error());
    const int longest = std::min(run.integer("length"), static_cast<int>(ids->size()));
    const QString nonce = QString::number(QDateTime::currentMSecsSinceEpoch());
    LabSeries with{Lab::tr("with the KV cache"), {}, false}, without{Lab::tr("without"), {}, false};
    for (int i = 1; i <= kPoints; ++i) {
        const int length = longest * i / kPoints;
        run.progress(Lab::tr("%1 tokens").arg(length), double(i - 1) / kPoints);
        const quint64 first = run.bench->nextStep();
        const auto cached = run.bench->run(idsRequest(*ids, length, kTokens + 1, nonce + QStringLiteral("a%1").arg(i)));
        if (!cached)
            return tl::unexpected(cached.error());
        std::vector<double> decode, whole;
        for (const StepRecord& step : run.bench->stepsFrom(first))
            if (step.prefill_tokens == 0 && step.decode_rows == 1)
                decode.push_back((stepEnd(step) - stepStart(step)) * 1000);
        for (int repeat = 0; repeat < 2; ++repeat) {
            const auto again =
                run.bench->run(idsRequest(*ids, length, 1, nonce + QStringLiteral("b%1.%2").arg(i).arg(repeat)));
            if (!again)
                return tl::unexpected(again.error());
            whole.push_back(toSeconds(again->timings.prefill) * 1000);
        }
        with.points.emplace_back(length, median(decode));
        without.points.emplace_back(length, *std::min_element(whole.begin(), whole.end()));
    }
    LabResult result;
    result.columns = {Lab::tr("With"), Lab::tr("Without")};
    const auto cost = [&](const char* name, std::size_t at) {
        LabMeasure row;
        row.name = Lab::tr(name);
        row.detail = Lab::tr("%1 tokens").arg(countNumber(static_cast<qint64>(with.points[at].x())));
        row.values = {fixedNumber(with.points[at].y(), 2), fixedNumber(without.points[at].y(), 2)};
        row.unit = QStringLiteral("ms");
        return row;
    };
    result.measures.push_back(cost(QT_TRANSLATE_NOOP("Lab", "Cost of a token"), 0));
    const double times = without.points.back().y() / with.points.back().y();
    result.measures.push_back(
        judgeNumber(run, "times", cost(QT_TRANSLATE_NOOP("Lab", "Cost of a token"), kPoints - 1), times));
    LabMeasure shape;
    shape.name = Lab::tr("Without the cache");
    result.measures.push_back(judgeChoice(run, "shape", shape, shapeChoices(), shapeOf(without.points)));
    shape.name = Lab::tr("With the cache");
    result.measures.push_back(judgeChoice(run, "with", shape, shapeChoices(), shapeOf(with.points)));
    double sumWith = 0, sumWithout = 0; // of a whole answer of that length: the area below the curves
    for (std::size_t i = 0; i < with.points.size(); ++i) {
        sumWith += with.points[i].y() * longest / kPoints;
        sumWithout += without.points[i].y() * longest / kPoints;
    }
    LabChart chart;
    chart.title = Lab::tr("Cost of the next token against the length of the sequence");
    chart.xLabel = Lab::tr("tokens before it");
    chart.yLabel = QStringLiteral("ms");
    chart.series = {with, without};
    result.charts = {chart};
    result.conclusion =
        Lab::tr("At %1 tokens a token costs %2 ms with the cache and %3 ms without: %4 times. A whole sequence of that "
                "length: about %5 against %6.")
            .arg(countNumber(longest), fixedNumber(with.points.back().y(), 2),
                fixedNumber(without.points.back().y(), 2), fixedNumber(times, 1), timeNumber(sumWith / 1000),
                timeNumber(sumWithout / 1000));
    result.notes = {
        Lab::tr("With: median of %1 decode steps of one sequence. Without: the better of two runs, from the "
                "first planned step to the token.")
            .arg(kTokens)};
    return result;
}

} // namespace

std::unique_ptr<Experiment> makeKvCacheExperiment() {
    return std::make_unique<KvCacheExperiment>();
}

} // namespace vitrine::ui
