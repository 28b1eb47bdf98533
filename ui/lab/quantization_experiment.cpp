// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: weights and KV in fewer bits: size, speed, perplexity, divergence, three answers.
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/qt_convert.h"
#include "ui/lab/experiment.h"
#include "ui/widgets/numbers.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace vitrine::ui {
namespace {

constexpr int kTop = 20; // alternatives compared for the divergence
constexpr int kAnswerTokens = 40;

struct Variant {
    LabText name;
    std::string weights; // "": as in the file
    KvType kv = KvType::f16;
};

std::vector<Variant> variantsOf(const LabRun& run) {
    std::vector<Variant> all{{Lab::tr("As in the file, KV f16"), "", KvType::f16}};
    if (run.integer("weights") == 0 || run.integer("weights") == 2)
        for (const char* type : {"q8_0", "q4_0"})
            all.push_back({Lab::tr("Weights %1").arg(QLatin1String(type)), type, KvType::f16});
    if (run.integer("weights") >= 1) {
        all.push_back({Lab::tr("KV int8"), "", KvType::int8});
        all.push_back({Lab::tr("KV fp8"), "", KvType::fp8_e4m3});
    }
    return all;
}

struct Outcome {
    double perplexity = 0, kl = 0, tokensPerSecond = 0;
    qint64 weightBytes = 0, kvPerToken = 0;
    int positions = 0;
    std::vector<TokenLogprobs> logprobs;
    QStringList answers;
    QString problem; // of a variant that this device does not take
};

const QString kQuestions[] = {QStringLiteral("The capital of France is"), QStringLiteral("Bread rises because"),
    QStringLiteral("A heat pump moves heat by")};

Result<Outcome> measure(const LabRun& run, const Variant& variant, const std::vector<TokenId>& text) {
    EngineConfig config = run.facts.model->config;
    if (!variant.weights.empty())
        config.quantize = variant.weights;
    config.kv_type = variant.kv;
    Outcome outcome;
    if (const auto loaded = run.bench->load(config); !loaded) {
        if (loaded.error().code == ErrorCode::cancelled)
            return tl::unexpected(loaded.error());
        outcome.problem = toQString(loaded.error().message);
        return outcome;
    }
    outcome.weightBytes = run.bench->model()->measured_weight_bytes;
    outcome.kvPerToken = run.bench->model()->plan.kv_bytes_per_token;
    Request scoring = textRequest({}, 1, Lab::tr("Lab: %1").arg(variant.name));
    scoring.prompt = engine::TokenPrompt{text};
    scoring.echo_prompt_logprobs = true;
    scoring.num_logprobs = kTop;
    auto scored = run.bench->run(std::move(scoring));
    if (!scored)
        return tl::unexpected(scored.error());
    double sum = 0;
    for (const TokenLogprobs& token : scored->promptLogprobs) {
        if (!std::isfinite(token.logprob) || token.top.empty())
            continue; // the first token has none
        sum -= token.logprob;
        ++outcome.positions;
    }
    outcome.perplexity = outcome.positions > 0 ? std::exp(sum / outcome.positions) : std::nan("");
    outcome.logprobs = std::move(scored->promptLogprobs);
    const quint64 first = run.bench->nextStep();
    for (const QString& question : kQuestions) {
        Request request = textRequest(question, kAnswerTokens, Lab::tr("Lab: %1").arg(variant.name));
        request.speculate = false;
        const auto answer = run.bench->run(std::move(request));
        if (!answer)
            return tl::unexpected(answer.error());
        outcome.answers += answer->text.simplified();
    }
    double ms = 0, emitted = 0;
    for (const StepRecord& step : run.bench->stepsFrom(first))
        if (step.prefill_tokens == 0) {
            ms += (stepEnd(step) - stepStart(step)) * 1000;
            emitted += step.emitted;
        }
    outcome.tokensPerSecond = ms > 0 ? emitted / ms * 1000 : 0;
    return outcome;
}

/// Mean over positions of Σ p ln(p/q) over the reference's likeliest tokens and the rest as one; a token the other does
/// not list shares its rest evenly.
double divergence(const std::vector<TokenLogprobs>& reference, const std::vector<TokenLogprobs>& other) {
    double sum = 0;
    int positions = 0;
    for (std::size_t i = 0; i < std::min(reference.size(), other.size()); ++i) {
        if (reference[i].top.empty() || other[i].top.empty())
            continue;
        std::map<TokenId, double> q;
        double qRest = 1;
        for (const auto& [id, logprob] : other[i].top) {
            q[id] = std::exp(double(logprob));
            qRest -= q[id];
        }
        double pRest = 1, kl = 0, qSeen = 0;
        for (const auto& [id, logprob] : reference[i].top) {
            const double p = std::exp(double(logprob));
            const auto found = q.find(id);
            const double least = std::max(qRest, 1e-9) / kTop;
            const double have = found != q.end() ? found->second : least;
            qSeen += have;
            pRest -= p;
            kl += p > 0 ? p * std::log(p / std::max(have, 1e-12)) : 0;
        }
        if (pRest > 1e-9)
            kl += pRest * std::log(pRest / std::max(1 - qSeen, 1e-9));
        sum += std::max(0.0, kl);
        ++positions;
    }
    return positions > 0 ? sum / positions : std::nan("");
}

class QuantizationExperiment final : public Experiment {
public:
    QString name() const override { return QStringLiteral("quantization"); }
    QString title() const override { return Lab::tr("Quantization"); }
    QString question() const override {
        return Lab::tr(
            "Weights or KV cache in fewer bits: smaller and perhaps faster, at some cost in quality. The same text is "
            "scored and the "
            "same three prompts are continued with each type. Perplexity says how surprised the model is by the text, "
            "the divergence "
            "(KL) how far its predictions moved. The model is loaded again for each type and put back at the end.");
    }
    bool reloads() const override { return true; }
    std::vector<LabControl> controls(const LabFacts& facts) const override {
        const double most = facts.model ? std::max(32, facts.model->context - 16) : 512;
        return {{QStringLiteral("weights"), Lab::tr("Types"), {}, 2, 0, 2, 1, 0,
                    {Lab::tr("Weights"), Lab::tr("KV cache"), Lab::tr("Both")}},
            {QStringLiteral("tokens"), Lab::tr("Text scored"), Lab::tr("tokens"), std::min(192.0, most), 32,
                std::min(2048.0, most), 32, 0, {}}};
    }
    std::vector<LabGuess> guesses() const override {
        return {{QStringLiteral("quality"), Lab::tr("4-bit weights (q4_0): perplexity"), {}, changeChoices(), 0},
            {QStringLiteral("speed"), Lab::tr("4-bit weights: tokens a second"), {}, changeChoices(), 0},
            {QStringLiteral("kv"), Lab::tr("int8 KV: perplexity"), {}, changeChoices(), 0}};
    }
    QString missing(const LabFacts& facts) const override {
        return facts.model ? QString() : Lab::tr("No model is loaded. Load one, then run the experiment.").text();
    }
    Result<LabResult> run(const LabRun& run) const override;
};

Result<LabResult> QuantizationExperiment::run(const LabRun& run) const {
    auto text = run.bench->tokenize(fillerText(run.integer("tokens") + 32, 11));
    if (!text)
        return tl::unexpected(text.error());
    text->resize(std::min(text->size(), static_cast<std::size_t>(run.integer("tokens"))));
    const std::vector<Variant> variants = variantsOf(run);
    LabResult result;
    result.columns = {
        Lab::tr("Weights"), Lab::tr("KV a token"), Lab::tr("Tokens/s"), Lab::tr("Perplexity"), Lab::tr("KL")};
    LabTable answers{Lab::tr("Three answers side by side, greedy"),
        {Lab::tr("Type"), kQuestions[0], kQuestions[1], kQuestions[2]}, {}};
    LabChart chart;
    chart.kind = LabChart::Kind::bars;
    chart.title = Lab::tr("Perplexity");
    LabSeries bars{Lab::tr("perplexity"), {}, false};
    std::optional<Outcome> reference;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        run.progress(variants[i].name, double(i) / double(variants.size()));
        auto outcome = measure(run, variants[i], *text);
        if (!outcome)
            return tl::unexpected(outcome.error());
        LabMeasure row;
        row.name = variants[i].name;
        if (!outcome->problem.isEmpty()) {
            row.verdict = outcome->problem;
            result.measures.push_back(std::move(row));
            continue;
        }
        if (!reference)
            reference = *outcome;
        const double kl = divergence(reference->logprobs, outcome->logprobs);
        row.values = {bytesNumber(double(outcome->weightBytes)),
            fixedNumber(double(outcome->kvPerToken) / 1024, 1) + kNoBreakSpace + QStringLiteral("KiB"),
            rateNumber(outcome->tokensPerSecond), fixedNumber(outcome->perplexity, 3), fixedNumber(kl, 4)};
        if (variants[i].weights == "q4_0") {
            LabMeasure speed = judgeChange(run, "speed", {Lab::tr("Speed with q4_0"), {}, {}, {}, {}, {}, {}},
                reference->tokensPerSecond, outcome->tokensPerSecond, false);
            row = judgeChange(run, "quality", std::move(row), reference->perplexity, outcome->perplexity, true);
            result.measures.push_back(std::move(row));
            result.measures.push_back(std::move(speed));
        } else if (variants[i].kv == KvType::int8) {
            result.measures.push_back(
                judgeChange(run, "kv", std::move(row), reference->perplexity, outcome->perplexity, true));
        } else {
            result.measures.push_back(std::move(row));
        }
        LabTexts line{variants[i].name};
        for (const QString& answer : outcome->answers)
            line += answer;
        answers.rows.push_back(std::move(line));
        bars.points.emplace_back(double(chart.categories.size()), outcome->perplexity);
        chart.categories += variants[i].name;
    }
    chart.series = {bars};
    result.charts = {chart};
    result.tables = {answers};
    result.conclusion = reference ? Lab::tr("The file as it is: perplexity %1 over %2 positions of a made text.")
                                        .arg(fixedNumber(reference->perplexity, 3))
                                        .arg(reference->positions)
                                  : Lab::tr("No type could be run.");
    result.notes = {
        Lab::tr("KL takes the %1 likeliest tokens of the file's types one by one and all others together, so "
                "it is a lower bound. "
                "The text is made of plain repeating sentences: compare types with it, not models. A weight "
                "type that the file has already is taken as "
                "it is; re-quantizing adds its own error.")
            .arg(kTop)};
    return result;
}

} // namespace

std::unique_ptr<Experiment> makeQuantizationExperiment() {
    return std::make_unique<QuantizationExperiment>();
}

} // namespace vitrine::ui
