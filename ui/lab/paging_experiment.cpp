// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: dense KV reservation against blocks, for the same requests.
#include "ui/bridge/lab_values.h"
#include "ui/bridge/qt_convert.h"
#include "ui/lab/experiment.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {
namespace {

constexpr double kMiB = 1 << 20;
enum Source { made, recorded };

std::vector<PagingRequest> requestsOf(const LabRun& run) {
    std::vector<PagingRequest> requests;
    if (run.integer("source") == recorded && run.facts.session) {
        for (const auto& [sequence, note] : run.facts.session->requests())
            if (note.promptTokens > 0)
                requests.push_back({note.promptTokens, note.outputTokens});
        return requests;
    }
    const PolicyTrace trace = make_trace({run.integer("requests"), 1, run.integer("prompt"), run.integer("output"),
                                             static_cast<std::uint64_t>(run.integer("seed"))},
        toy_trace());
    for (const TraceRequest& one : trace.requests)
        requests.push_back({one.prompt, one.output});
    return requests;
}

class PagingExperiment final : public Experiment {
public:
    QString name() const override { return QStringLiteral("paging"); }
    QString title() const override { return Lab::tr("Paging"); }
    QString question() const override {
        return Lab::tr(
            "A dense KV cache reserves the whole context for each request when it is admitted. A paged one "
            "gives it blocks as "
            "it grows. For the same requests and the same memory: how much is reserved, used and wasted, and "
            "how many fit?");
    }
    std::vector<LabControl> controls(const LabFacts& facts) const override {
        const double perToken = facts.model ? static_cast<double>(facts.model->plan.kv_bytes_per_token) / 1024 : 128;
        const double pool = facts.model ? static_cast<double>(facts.model->measured_kv_bytes) / kMiB : 2048;
        const double context = facts.model ? facts.model->context : 8192;
        return {{QStringLiteral("source"), Lab::tr("Requests"), {}, 0, 0, 1, 1, 0,
                    {Lab::tr("Made from the values below"), facts.sessionText()}},
            {QStringLiteral("requests"), Lab::tr("Number"), {}, 64, 1, 2000, 1, 0, {}},
            {QStringLiteral("prompt"), Lab::tr("Prompt, mean"), Lab::tr("tokens"), 400, 1, 100'000, 10, 0, {}},
            {QStringLiteral("output"), Lab::tr("Answer, mean"), Lab::tr("tokens"), 200, 1, 100'000, 10, 0, {}},
            {QStringLiteral("context"), Lab::tr("Context"), Lab::tr("tokens"), context, 16, 1'048'576, 256, 0, {}},
            {QStringLiteral("block"), Lab::tr("Block"), Lab::tr("tokens"), 16, 1, 512, 1, 0, {}},
            {QStringLiteral("pertoken"), Lab::tr("KV of a token"), QStringLiteral("KiB"), perToken, 0.1, 4096, 1, 1,
                {}},
            {QStringLiteral("memory"), Lab::tr("Memory for KV"), QStringLiteral("MiB"), pool, 1, 4'000'000, 64, 0, {}},
            {QStringLiteral("seed"), Lab::tr("Seed"), {}, 1, 1, 9999, 1, 0, {}}};
    }
    std::vector<LabGuess> guesses() const override {
        return {{QStringLiteral("waste"), Lab::tr("How much of the dense reservation is wasted?"), QStringLiteral("%"),
                    {}, 100},
            {QStringLiteral("fit"), Lab::tr("How many times more requests fit with blocks?"), Lab::tr("times"), {},
                1000}};
    }
    QString missing(const LabFacts&) const override { return {}; }
    Result<LabResult> run(const LabRun& run) const override;
};

Result<LabResult> PagingExperiment::run(const LabRun& run) const {
    const std::vector<PagingRequest> requests = requestsOf(run);
    if (requests.empty())
        return fail(ErrorCode::not_found,
            toStdString(Lab::tr("%1: there is no request in it.").arg(run.facts.sessionText())),
            toStdString(Lab::tr("Send some first, or make requests from the values.")));
    PagingQuestion question;
    question.memory_bytes = static_cast<std::int64_t>(run.number("memory") * kMiB);
    question.kv_bytes_per_token = static_cast<std::int64_t>(run.number("pertoken") * 1024);
    question.context = run.integer("context");
    question.block_tokens = run.integer("block");
    const PagingComparison found = compare_paging(requests, question);
    LabResult result;
    result.columns = {Lab::tr("Dense"), Lab::tr("Paged")};
    const auto bytes = [&](const char* name, auto member) {
        LabMeasure row;
        row.name = Lab::tr(name);
        row.values = {bytesNumber(double(found.dense.*member)), bytesNumber(double(found.paged.*member))};
        return row;
    };
    result.measures.push_back(bytes(QT_TRANSLATE_NOOP("Lab", "Reserved"), &PagingSide::reserved_bytes));
    result.measures.push_back(bytes(QT_TRANSLATE_NOOP("Lab", "Used"), &PagingSide::used_bytes));
    const auto share = [](const PagingSide& side) {
        return side.reserved_bytes > 0 ? double(side.wasted_bytes) / double(side.reserved_bytes) : 0;
    };
    LabMeasure waste = bytes(QT_TRANSLATE_NOOP("Lab", "Wasted"), &PagingSide::wasted_bytes);
    waste.detail =
        labPattern(QStringLiteral("%1 / %2"), {percentNumber(share(found.dense)), percentNumber(share(found.paged))});
    result.measures.push_back(judgeNumber(run, "waste", std::move(waste), share(found.dense) * 100));
    LabMeasure fit;
    fit.name = Lab::tr("Requests that fit");
    fit.detail = Lab::tr("of %1 at once").arg(requests.size());
    fit.values = {countNumber(found.dense.fit), countNumber(found.paged.fit)};
    const double times = found.dense.fit > 0 ? double(found.paged.fit) / found.dense.fit : 0;
    result.measures.push_back(judgeNumber(run, "fit", std::move(fit), times));
    LabChart chart;
    chart.kind = LabChart::Kind::bars;
    chart.title = Lab::tr("KV memory for %1 requests").arg(requests.size());
    chart.yLabel = QStringLiteral("MiB");
    chart.categories = {Lab::tr("Reserved"), Lab::tr("Used"), Lab::tr("Wasted")};
    const auto bars = [](const LabText& name, const PagingSide& side) {
        return LabSeries{name,
            {{0, double(side.reserved_bytes) / kMiB}, {1, double(side.used_bytes) / kMiB},
                {2, double(side.wasted_bytes) / kMiB}},
            false};
    };
    chart.series = {bars(Lab::tr("Dense"), found.dense), bars(Lab::tr("Paged"), found.paged)};
    // How the waste depends on the block size: too small costs a longer table, too large wastes like a dense cache.
    LabChart sizes;
    sizes.title = Lab::tr("Wasted share of what is reserved, against the block size");
    sizes.xLabel = Lab::tr("tokens of a block");
    sizes.yLabel = QStringLiteral("%");
    LabSeries curve{Lab::tr("Paged"), {}, false};
    for (int block = 1; block <= 512; block *= 2) {
        PagingQuestion other = question;
        other.block_tokens = block;
        curve.points.emplace_back(block, share(compare_paging(requests, other).paged) * 100);
    }
    sizes.series = {curve};
    result.charts = {chart, sizes};
    result.conclusion =
        Lab::tr("With blocks of %1 tokens %2 requests fit where %3 dense places do; %4 instead of %5 is wasted.")
            .arg(question.block_tokens)
            .arg(found.paged.fit)
            .arg(found.dense.fit)
            .arg(percentNumber(share(found.paged)), percentNumber(share(found.dense)));
    result.notes += Lab::tr(
        "Computed: every request counted at its final length, first come, first served. A request longer than the "
        "context fits in neither.");
    return result;
}

} // namespace

std::unique_ptr<Experiment> makePagingExperiment() {
    return std::make_unique<PagingExperiment>();
}

} // namespace vitrine::ui
