// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: what fits, and how fast it can be at most, checked by a run.
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/lab_values.h"
#include "ui/lab/experiment.h"
#include "ui/widgets/numbers.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr double kMiB = 1 << 20;
constexpr int kMostSequences = 8;
constexpr int kRunTokens = 32, kSlack = 4; // decoded by each sequence; and more for each other one

/// Bytes of the whole KV of one sequence.
double sequenceBytes(const LabRun& run) {
    const double blocks = std::ceil(run.number("context") / 16.0);
    return blocks * 16 * run.number("pertoken") * 1024;
}

/// A request with a prompt of exactly `context` tokens.
Result<Request> requestOf(const LabRun& run, int context, int tokens, int salt) {
    auto ids = run.bench->tokenize(fillerText(context, salt));
    if (!ids)
        return tl::unexpected(ids.error());
    ids->resize(std::min(ids->size(), static_cast<std::size_t>(context)));
    Request request = textRequest({}, tokens, Lab::tr("Lab: capacity"));
    request.prompt = engine::TokenPrompt{*std::move(ids)};
    request.speculate = false; // a step is to give one token a sequence
    return request;
}

/// Milliseconds of decode steps with `batch` sequences of `context` tokens each; NaN without any.
Result<double> measureStep(const LabRun& run, int batch, int context) {
    std::vector<Request> requests;
    for (int i = 0; i < batch; ++i) {
        // Read first, so that all of them decode at once and none ends while others are still read.
        auto reading = requestOf(run, context, 1, 100 * batch + i);
        auto request = requestOf(run, context, kRunTokens + kSlack * batch, 100 * batch + i);
        if (!reading || !request)
            return tl::unexpected(!reading ? reading.error() : request.error());
        if (const auto read = run.bench->run(*std::move(reading)); !read)
            return tl::unexpected(read.error());
        requests.push_back(*std::move(request));
    }
    const quint64 first = run.bench->nextStep();
    const auto answers = run.bench->run(std::move(requests));
    if (!answers)
        return tl::unexpected(answers.error());
    std::vector<double> times;
    for (const StepRecord& step : run.bench->stepsFrom(first))
        if (step.prefill_tokens == 0 && step.decode_rows == batch)
            times.push_back((stepEnd(step) - stepStart(step)) * 1000);
    if (times.empty())
        return std::nan("");
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    return times[times.size() / 2];
}

/// Of the run: as long as usual, but short enough that the most sequences fit the pool at once.
int contextOfRun(const LabRun& run) {
    const auto snapshot = run.bench->snapshot();
    const int block = std::max(1, run.facts.model->plan.block_tokens);
    const int room = snapshot->blocks.total / kMostSequences * block - kRunTokens - kSlack * kMostSequences - block;
    return std::max(block, std::min({256, run.facts.model->context / 4, room}));
}

class CapacityExperiment final : public Experiment {
public:
    QString name() const override { return QStringLiteral("capacity"); }
    QString title() const override { return Lab::tr("Capacity planner"); }
    QString question() const override {
        return Lab::tr(
            "Weights, the KV cache of every request, scratch and a tenth for safety against the memory there is: how "
            "many "
            "requests fit at once? A decode step must read all weights and every KV once, so the memory's bandwidth "
            "bounds the "
            "tokens a second. With a model loaded, a short run at 1, 2, 4 and 8 requests checks the expectation.");
    }
    std::vector<LabControl> controls(const LabFacts& facts) const override {
        const LoadedModel* model = facts.model.get();
        const double weights = model ? double(model->measured_weight_bytes) / kMiB : 4700;
        const double perToken = model ? double(model->plan.kv_bytes_per_token) / 1024 : 128;
        const double memory =
            model && model->device.memory_total_bytes > 0 ? double(model->device.memory_total_bytes) / kMiB : 16'384;
        return {
            {QStringLiteral("weights"), Lab::tr("Weights"), QStringLiteral("MiB"), weights, 1, 4'000'000, 100, 0, {}},
            {QStringLiteral("pertoken"), Lab::tr("KV of a token"), QStringLiteral("KiB"), perToken, 0.1, 4096, 1, 1,
                {}},
            {QStringLiteral("context"), Lab::tr("Context of a request"), Lab::tr("tokens"), 2048, 16, 1'048'576, 256, 0,
                {}},
            {QStringLiteral("users"), Lab::tr("Requests at once"), {}, 8, 1, 100'000, 1, 0, {}},
            {QStringLiteral("scratch"), Lab::tr("Scratch"), QStringLiteral("MiB"),
                model ? double(model->plan.scratch) / kMiB : 350, 0, 100'000, 50, 0, {}},
            {QStringLiteral("memory"), Lab::tr("Memory"), QStringLiteral("MiB"), memory, 1, 40'000'000, 1024, 0, {}},
            {QStringLiteral("bandwidth"), Lab::tr("Bandwidth, 0: from the run"), QStringLiteral("GB/s"),
                model ? 0.0 : 300.0, 0, 20'000, 10, 0, {}}};
    }
    std::vector<LabGuess> guesses() const override {
        return {{QStringLiteral("fit"), Lab::tr("How many requests of this context fit at once?"), Lab::tr("requests"),
                    {}, 1e6},
            {QStringLiteral("gain"), Lab::tr("Tokens a second with 8 requests, against one?"), Lab::tr("times"), {},
                8}};
    }
    QString missing(const LabFacts&) const override { return {}; }
    Result<LabResult> run(const LabRun& run) const override;

private:
    static void addPlan(const LabRun& run, LabResult& result, const LoadPlan& plan, const PoolCapacity& pool);
};

void CapacityExperiment::addPlan(const LabRun& run, LabResult& result, const LoadPlan& plan, const PoolCapacity& pool) {
    const auto row = [&](const char* name, double bytes) {
        LabMeasure measure;
        measure.name = Lab::tr(name);
        measure.values = {bytesNumber(bytes)};
        result.measures.push_back(std::move(measure));
    };
    row(QT_TRANSLATE_NOOP("Lab", "Weights"), double(plan.weights));
    row(QT_TRANSLATE_NOOP("Lab", "KV of all requests"), double(plan.kv));
    row(QT_TRANSLATE_NOOP("Lab", "Scratch"), double(plan.scratch));
    row(QT_TRANSLATE_NOOP("Lab", "Margin, 10 %"), double(plan.margin));
    row(QT_TRANSLATE_NOOP("Lab", "Together"), double(plan.total));
    row(QT_TRANSLATE_NOOP("Lab", "Memory"), double(plan.available));
    LabMeasure fit;
    fit.name = Lab::tr("Requests that fit");
    fit.detail = Lab::tr("of %1 tokens each").arg(countNumber(plan.context));
    fit.values = {countNumber(plan.max_parallel)};
    fit.verdict = plan.fits ? Lab::tr("the %1 asked for fit").arg(run.integer("users"))
                            : Lab::tr("%1 too much for the %2 asked for")
                                  .arg(bytesNumber(double(plan.total - plan.available)))
                                  .arg(run.integer("users"));
    const LabText plain = fit.verdict;
    fit = judgeNumber(run, "fit", std::move(fit), plan.max_parallel);
    if (!fit.right)
        fit.verdict = plain;
    result.measures.push_back(std::move(fit));
    LabMeasure blocks;
    blocks.name = Lab::tr("Blocks of a pool of 90 %");
    blocks.detail = Lab::tr("%1 tokens").arg(countNumber(pool.tokens));
    blocks.values = {countNumber(pool.blocks)};
    result.measures.push_back(std::move(blocks));
}

Result<LabResult> CapacityExperiment::run(const LabRun& run) const {
    CapacityQuestion question;
    question.weight_bytes = static_cast<std::int64_t>(run.number("weights") * kMiB);
    question.scratch_bytes = static_cast<std::int64_t>(run.number("scratch") * kMiB);
    question.kv_bytes_per_token = static_cast<std::int64_t>(run.number("pertoken") * 1024);
    question.context = run.integer("context");
    question.parallel = run.integer("users");
    question.available_bytes = static_cast<std::int64_t>(run.number("memory") * kMiB);
    LabResult result;
    result.columns = {Lab::tr("Planned")};
    const LoadPlan plan = plan_capacity(question);
    addPlan(run, result, plan, pool_capacity(question, 0.9));
    LabSeries measured{Lab::tr("measured"), {}, false};
    const bool canRun = run.bench != nullptr && run.facts.model;
    const int context = canRun ? contextOfRun(run) : 256;
    double bandwidth = run.number("bandwidth") * 1e9;
    double single = 0, eight = 0;
    const double kvOfRun = context * run.number("pertoken") * 1024; // bytes of one sequence in the run
    for (const int batch : {1, 2, 4, 8}) {
        if (!canRun || batch > run.facts.model->config.max_seqs)
            break;
        run.progress(Lab::tr("Running %1 requests of %2 tokens").arg(batch).arg(context), std::log2(batch) / 4);
        const auto ms = measureStep(run, batch, context);
        if (!ms)
            return tl::unexpected(ms.error());
        if (std::isnan(*ms))
            continue;
        const double rate = batch * 1000 / *ms;
        measured.points.emplace_back(batch, rate);
        single = batch == 1 ? rate : single;
        eight = batch == 8 ? rate : eight;
        if (batch == 1 && run.number("bandwidth") == 0)
            bandwidth = (run.number("weights") * kMiB + kvOfRun) * rate; // what one sequence reaches: a lower bound
    }
    LabChart chart;
    chart.title = Lab::tr("Tokens a second against requests at once");
    chart.xLabel = Lab::tr("requests in the batch");
    chart.yLabel = Lab::tr("tok/s");
    const double contextOfCurve = canRun ? kvOfRun : sequenceBytes(run);
    LabSeries roof{Lab::tr("roofline: bandwidth / bytes read"), {}, true};
    const int most = measured.points.empty() ? std::clamp(plan.max_parallel, 1, 256) : 8;
    for (int batch = 1; batch <= most && bandwidth > 0; batch += std::max(1, most / 32))
        roof.points.emplace_back(batch, batch * bandwidth / (run.number("weights") * kMiB + batch * contextOfCurve));
    chart.series = {roof};
    if (!measured.points.empty())
        chart.series.push_back(measured);
    result.charts = {chart};
    if (single > 0 && eight > 0) {
        LabMeasure gain;
        gain.name = Lab::tr("8 requests against one");
        gain.detail = Lab::tr("measured");
        gain.values = {fixedNumber(eight / single, 2)};
        gain.unit = Lab::tr("times");
        result.measures.push_back(judgeNumber(run, "gain", std::move(gain), eight / single));
    }
    result.conclusion = plan.fits ? Lab::tr("%1 of %2 are taken; %3 requests of %4 tokens would fit.")
                                        .arg(bytesNumber(double(plan.total)), bytesNumber(double(plan.available)),
                                            countNumber(plan.max_parallel), countNumber(plan.context))
                                  : Lab::tr("It does not fit: %1 of %2. At most %3 requests of %4 tokens do.")
                                        .arg(bytesNumber(double(plan.total)), bytesNumber(double(plan.available)),
                                            countNumber(plan.max_parallel), countNumber(plan.context));
    result.notes += measured.points.empty()
        ? Lab::tr("No model is loaded, so the curve is the bound alone; nothing checks it.")
        : Lab::tr("The bound takes the bandwidth from one request's speed unless one is given; computing, not reading, "
                  "keeps larger batches below it.");
    if (single > 0 && eight <= 0)
        result.notes += Lab::tr("8 requests never decoded at once here, so what they would give stays open.");
    return result;
}

} // namespace

std::unique_ptr<Experiment> makeCapacityExperiment() {
    return std::make_unique<CapacityExperiment>();
}

} // namespace vitrine::ui
