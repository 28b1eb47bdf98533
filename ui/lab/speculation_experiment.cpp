// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: drafts: acceptance and speed measured for several lengths, against the formula.
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/qt_convert.h"
#include "ui/lab/experiment.h"
#include "ui/widgets/numbers.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kLengths[] = {0, 1, 2, 4, 6, 8}; // drafts a step; 0: plain decoding

/// Expected tokens of a step with k drafts of acceptance a (Leviathan et al., 2023).
double expectedTokens(double a, int k) {
    return a >= 1 ? k + 1 : (1 - std::pow(a, k + 1)) / (1 - a);
}

LabText draftsText(int length) {
    return length == 0 ? Lab::tr("No drafts") : length == 1 ? Lab::tr("1 draft") : Lab::tr("%1 drafts").arg(length);
}

struct Point {
    int length = 0;
    double tokensPerSecond = 0, tokensPerStep = 0, stepMs = 0;
    double acceptance = std::nan(""); // of the drafts that were judged
    std::vector<double> accepted; // of each step, for the timeline
};

/// A text that repeats itself: the answer copies what stands in the prompt, as edits and summaries do.
Request repeatingRequest(const LabRun& run, int length) {
    QString text;
    for (int i = 0; i < 6; ++i)
        text += QStringLiteral(
            "The lamp of the harbour was checked on Monday and found in order. The clock of the station was checked on "
            "Tuesday and found in order. The map of the library was checked on Friday and found in order.\n");
    Request request = textRequest(text, run.integer("tokens"), Lab::tr("Lab: %1 drafts").arg(length));
    request.sampling.temperature = static_cast<float>(run.number("temperature"));
    request.sampling.seed = 7;
    request.speculate = length > 0;
    return request;
}

Result<Point> measure(const LabRun& run, int length) {
    EngineConfig config = run.facts.model->config;
    config.draft = length == 0                             ? std::string()
        : run.integer("kind") == 0 || config.draft.empty() ? "ngram"
                                                           : config.draft;
    config.gamma = length;
    config.max_batch_tokens = 0; // rows of drafts take more than the loaded model was set up for
    VT_TRY(run.bench->load(config));
    Point point;
    point.length = length;
    // The first answer warms up; the second counts.
    for (int repeat = 0; repeat < 2; ++repeat) {
        const quint64 first = run.bench->nextStep();
        const auto answer = run.bench->run(repeatingRequest(run, length));
        if (!answer)
            return tl::unexpected(answer.error());
        double steps = 0, emitted = 0, ms = 0, judged = 0, accepted = 0;
        point.accepted.clear();
        for (const StepRecord& step : run.bench->stepsFrom(first)) {
            if (step.prefill_tokens > 0 || step.decode_rows == 0)
                continue;
            ++steps;
            emitted += step.emitted;
            ms += (stepEnd(step) - stepStart(step)) * 1000;
            accepted += step.accepted;
            // Drafts behind the first rejected one are not judged.
            judged += step.draft_rows > step.accepted ? step.accepted + 1 : step.draft_rows;
            point.accepted.push_back(step.accepted);
        }
        if (steps == 0)
            return fail(ErrorCode::internal, toStdString(Lab::tr("No decode step was recorded.")),
                toStdString(Lab::tr("Ask for more tokens.")));
        point.tokensPerSecond = emitted / ms * 1000;
        point.tokensPerStep = emitted / steps;
        point.stepMs = ms / steps;
        point.acceptance = judged > 0 ? accepted / judged : std::nan("");
    }
    return point;
}

class SpeculationExperiment final : public Experiment {
public:
    QString name() const override { return QStringLiteral("speculation"); }
    QString title() const override { return Lab::tr("Speculation"); }
    QString question() const override {
        return Lab::tr(
            "Guessed tokens are verified in one step with the next one. With acceptance α and γ drafts a step is "
            "expected to give "
            "(1−α^(γ+1))/(1−α) tokens, but every draft costs a row. The same text is continued without drafts and with "
            "1 to 8 of "
            "them; where does it stop paying? The model is loaded again for each length and put back at the end.");
    }
    bool reloads() const override { return true; }
    std::vector<LabControl> controls(const LabFacts& facts) const override {
        QStringList kinds{Lab::tr("n-gram: copies from the text")};
        if (facts.model && !facts.model->config.draft.empty() && facts.model->config.draft != "ngram")
            kinds += Lab::tr("draft model of the loaded model");
        return {{QStringLiteral("kind"), Lab::tr("Drafts"), {}, 0, 0, double(kinds.size() - 1), 1, 0, kinds},
            {QStringLiteral("temperature"), Lab::tr("Temperature"), {}, 0, 0, 2, 0.1, 1, {}},
            {QStringLiteral("tokens"), Lab::tr("Answer"), Lab::tr("tokens"), 96, 16, 1000, 16, 0, {}}};
    }
    std::vector<LabGuess> guesses() const override {
        QList<LabChoice> lengths;
        for (const char* length : {"0", "1", "2", "4", "6", "8"})
            lengths.append({QLatin1String(length), QLatin1String(length)});
        return {{QStringLiteral("best"), Lab::tr("Which number of drafts is fastest?"), {}, lengths, 0},
            {QStringLiteral("speedup"), Lab::tr("How many times faster than without?"), Lab::tr("times"), {}, 20}};
    }
    QString missing(const LabFacts& facts) const override {
        return facts.model ? QString() : Lab::tr("No model is loaded. Load one, then run the experiment.").text();
    }
    Result<LabResult> run(const LabRun& run) const override;
};

LabChart timelineOf(const std::vector<Point>& points) {
    LabChart chart;
    chart.title = Lab::tr("Drafts accepted in each step of the answer");
    chart.xLabel = Lab::tr("step of the answer");
    for (const Point& point : points)
        if (point.length == 4 || point.length == 8) {
            LabSeries series{Lab::tr("%1 drafts").arg(point.length), {}, false};
            for (std::size_t i = 0; i < point.accepted.size(); ++i)
                series.points.emplace_back(double(i + 1), point.accepted[i]);
            chart.series.push_back(std::move(series));
        }
    return chart;
}

Result<LabResult> SpeculationExperiment::run(const LabRun& run) const {
    std::vector<Point> points;
    for (const int length : kLengths) {
        run.progress(draftsText(length), double(points.size()) / std::size(kLengths));
        const auto point = measure(run, length);
        if (!point)
            return tl::unexpected(point.error());
        points.push_back(*point);
    }
    const Point& plain = points.front();
    // α of the longest drafts that were judged at all: the figure the formula takes.
    double alpha = 0;
    for (const Point& point : points)
        if (point.length == 4 && !std::isnan(point.acceptance))
            alpha = point.acceptance;
    LabResult result;
    result.columns = {Lab::tr("α"), Lab::tr("Tokens a step"), Lab::tr("Expected"), Lab::tr("Step"), Lab::tr("Tokens/s"),
        Lab::tr("Speed-up")};
    LabSeries tokens{Lab::tr("measured"), {}, false}, formula{Lab::tr("(1−α^(γ+1))/(1−α)"), {}, true},
        speed{Lab::tr("measured"), {}, false}, bound{Lab::tr("without drafts"), {}, true};
    const Point* best = &plain;
    for (const Point& point : points) {
        LabMeasure row;
        row.name = draftsText(point.length);
        const double expected = point.length == 0 ? 1 : expectedTokens(alpha, point.length);
        const double speedup = point.tokensPerSecond / plain.tokensPerSecond;
        row.values = {std::isnan(point.acceptance) ? LabText(kNone) : percentNumber(point.acceptance),
            fixedNumber(point.tokensPerStep, 2), fixedNumber(expected, 2), timeNumber(point.stepMs / 1000),
            rateNumber(point.tokensPerSecond), fixedNumber(speedup, 2)};
        row.unit = Lab::tr("times");
        result.measures.push_back(std::move(row));
        tokens.points.emplace_back(point.length, point.tokensPerStep);
        formula.points.emplace_back(point.length, expected);
        speed.points.emplace_back(point.length, speedup);
        bound.points.emplace_back(point.length, 1);
        if (point.tokensPerSecond > best->tokensPerSecond)
            best = &point;
    }
    const double most = best->tokensPerSecond / plain.tokensPerSecond;
    LabMeasure fastest;
    fastest.name = Lab::tr("Fastest");
    fastest = judgeChoice(run, "best", std::move(fastest), {}, QString::number(best->length));
    fastest.verdict = draftsText(best->length);
    result.measures.push_back(std::move(fastest));
    LabMeasure gain;
    gain.name = Lab::tr("Speed-up of the fastest");
    gain.verdict = fixedNumber(most, 2);
    gain = judgeNumber(run, "speedup", std::move(gain), most);
    result.measures.push_back(std::move(gain));
    LabChart perStep{LabChart::Kind::lines,
        Lab::tr("Tokens of a step, α = %1 (measured with 4 drafts)").arg(percentNumber(alpha)),
        Lab::tr("drafts a step"), Lab::tr("tokens"), {tokens, formula}, {}, {}};
    LabChart speedup{LabChart::Kind::lines, Lab::tr("Speed-up against plain decoding"), Lab::tr("drafts a step"),
        Lab::tr("times"), {speed, bound}, {}, {}};
    result.charts = {perStep, speedup, timelineOf(points)};
    result.conclusion = best->length == 0
        ? Lab::tr("Drafts do not pay here: plain decoding gives %1 tok/s, the best with drafts less.")
              .arg(rateNumber(plain.tokensPerSecond))
        : Lab::tr("Fastest with %1: %2 tok/s against %3, %4 times; α is %5.")
              .arg(draftsText(best->length), rateNumber(best->tokensPerSecond), rateNumber(plain.tokensPerSecond),
                  fixedNumber(most, 2), percentNumber(best->acceptance));
    result.notes = {Lab::tr(
        "α counts judged drafts only: those behind the first rejected one were not judged. The formula takes them as "
        "independent and always offered; an n-gram drafter offers none where it finds no match, so measured tokens may "
        "lie below.")};
    return result;
}

} // namespace

std::unique_ptr<Experiment> makeSpeculationExperiment() {
    return std::make_unique<SpeculationExperiment>();
}

} // namespace vitrine::ui
