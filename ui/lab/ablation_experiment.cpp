// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: every optimisation switched off in turn on the same load; the same data as `vitrine-cli ablate`.
#include "ui/bridge/error_text.h"
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/lab_values.h"
#include "ui/bridge/qt_convert.h"
#include "ui/lab/experiment.h"
#include "ui/widgets/numbers.h"

#include <algorithm>
#include <thread>

namespace vitrine::ui {
namespace {

struct Title {
    const char* row; // of the engine's ablation
    const char* words;
};
// "full" first: it measures what chance gives.
constexpr Title kTitles[] = {{"full", QT_TRANSLATE_NOOP("Lab", "nothing off")},
    {"no_kv_cache", QT_TRANSLATE_NOOP("Lab", "KV cache")}, {"dense_kv", QT_TRANSLATE_NOOP("Lab", "paged KV")},
    {"static_batching", QT_TRANSLATE_NOOP("Lab", "continuous batching")},
    {"no_prefix_cache", QT_TRANSLATE_NOOP("Lab", "prefix cache")},
    {"no_chunked_prefill", QT_TRANSLATE_NOOP("Lab", "chunked prefill")},
    {"no_weight_quant", QT_TRANSLATE_NOOP("Lab", "weight quantization")},
    {"no_kv_quant", QT_TRANSLATE_NOOP("Lab", "KV quantization")},
    {"no_speculation", QT_TRANSLATE_NOOP("Lab", "speculation")},
    {"no_cuda_graph", QT_TRANSLATE_NOOP("Lab", "CUDA graphs")},
    {"no_fused_kernels", QT_TRANSLATE_NOOP("Lab", "fused kernels")}};

LabText titleOf(const std::string& row) {
    for (const Title& title : kTitles)
        if (row == title.row)
            return Lab::tr(title.words);
    return toQString(row);
}

QList<LabChoice> rowChoices() {
    QList<LabChoice> choices;
    for (std::size_t i = 1; i < std::size(kTitles); ++i)
        choices.append({QLatin1String(kTitles[i].row), Lab::tr(kTitles[i].words)});
    return choices;
}

LabText workloadText(const WorkloadFigures& load) {
    const LabText n = countNumber(load.requests), prompt = countNumber(load.prompt_tokens);
    switch (load.load) {
    case AblationLoad::single:
        return Lab::tr("1 request, prompt %1, answer %2 tokens").arg(prompt, countNumber(load.output_tokens));
    case AblationLoad::mixed:
        return Lab::tr("%1 requests at once, prompts of 8 to 64, answers of 8 to 48 tokens").arg(n);
    case AblationLoad::arrivals:
        return Lab::tr("the same %1 requests, arriving at random every %2 ms").arg(n, fixedNumber(load.gap_ms, 0));
    case AblationLoad::shared_head:
        return Lab::tr("%1 requests that share %2 of %3 prompt tokens").arg(n, countNumber(load.shared_tokens), prompt);
    case AblationLoad::long_prompts:
        return load.long_prompts == 1 ? Lab::tr("%1 requests decode while a prompt of %2 tokens arrives").arg(n, prompt)
                                      : Lab::tr("%1 requests decode while %2 prompts of %3 tokens arrive")
                                            .arg(n, countNumber(load.long_prompts), prompt);
    case AblationLoad::copying:
        return load.requests == 1 ? Lab::tr("1 request whose answer is in the prompt, greedy")
                                  : Lab::tr("%1 requests whose answer is in the prompt, greedy").arg(n);
    case AblationLoad::long_context:
        break;
    }
    return load.requests == 1 ? Lab::tr("1 request with a prompt of %1 tokens").arg(prompt)
                              : Lab::tr("%1 requests with prompts of %2 tokens").arg(n, prompt);
}

LabText milliseconds(double seconds) {
    return fixedNumber(seconds * 1000, seconds < 0.1 ? 1 : 0);
}

LabText answerText(const AblationRow& row) {
    if (row.exact)
        return row.same_ids ? Lab::tr("the same tokens") : Lab::tr("OTHER TOKENS");
    const LabText difference = fixedNumber(row.nll_difference, 4);
    return Lab::tr("NLL %1").arg(row.nll_difference < 0 ? difference : u'+' + difference);
}

class AblationExperiment final : public Experiment {
public:
    QString name() const override { return QStringLiteral("ablation"); }
    QString title() const override { return Lab::tr("Ablation"); }
    QString question() const override {
        return Lab::tr(
            "One optimisation after the other is switched off, and each runs the load that shows it best, in "
            "turns with an engine that has all of them on. What does each one buy? A ratio counts only where "
            "it exceeds what two equal runs differ by. The loaded model gives way meanwhile and comes back.");
    }
    std::vector<LabControl> controls(const LabFacts&) const override {
        QStringList which{Lab::tr("every one in turn")};
        for (std::size_t i = 1; i < std::size(kTitles); ++i)
            which += Lab::tr(kTitles[i].words);
        return {{QStringLiteral("which"), Lab::tr("Switched off"), {}, 0, 0, double(which.size() - 1), 1, 0, which},
            {QStringLiteral("requests"), Lab::tr("Requests of a load"), {}, 8, 2, 64, 1, 0, {}},
            {QStringLiteral("pairs"), Lab::tr("Pairs of runs"), {}, 5, 2, 20, 1, 0, {}}};
    }
    std::vector<LabGuess> guesses() const override {
        return {{QStringLiteral("most"), Lab::tr("What costs most when it is off?"), {}, rowChoices(), 0},
            {QStringLiteral("times"), Lab::tr("How many times slower is that?"), Lab::tr("times"), {}, 1'000}};
    }
    QString missing(const LabFacts& facts) const override {
        return facts.model ? QString() : Lab::tr("No model is loaded. Load one, then run the experiment.").text();
    }
    bool reloads() const override { return true; }
    Result<LabResult> run(const LabRun& run) const override;
};

AblationOptions optionsOf(const LabRun& run) {
    AblationOptions options = ablation_of(*run.facts.model);
    options.num_requests = run.integer("requests");
    options.num_pairs = run.integer("pairs");
    if (const int which = run.integer("which"); which > 0)
        options.rows = {"full", kTitles[which].row};
    return options;
}

/// As it is typed; a path with a blank in quotes.
QString commandText(const AblationOptions& options) {
    QStringList words{QStringLiteral("vitrine-cli")};
    for (const std::string& argument : ablation_arguments(options))
        words += argument.find(' ') == std::string::npos ? toQString(argument)
                                                         : QStringLiteral("\"%1\"").arg(toQString(argument));
    return words.join(u' ');
}

LabTable tableOf(const AblationReport& report) {
    LabTable table;
    table.title = Lab::tr("Off, against all on: medians of the runs");
    table.head = {Lab::tr("Switched off"), Lab::tr("tok/s"), Lab::tr("all on"), Lab::tr("times slower"),
        Lab::tr("chance"), Lab::tr("TTFT ms"), Lab::tr("TPOT ms"), Lab::tr("ITL p99 ms"), Lab::tr("peak blocks"),
        Lab::tr("KV bytes a token"), Lab::tr("weights"), Lab::tr("would fit"), Lab::tr("answer")};
    for (const AblationRow& row : report.rows) {
        if (!row.error.empty()) {
            table.rows.push_back(
                {titleOf(row.name), Lab::tr("not measured: %1").arg(toQString(worded(row.cause).message))});
            continue;
        }
        const auto pair = [](const LabText& off, const LabText& on) {
            return labPattern(QStringLiteral("%1 / %2"), {off, on});
        };
        table.rows.push_back({titleOf(row.name), fixedNumber(row.figures.tokens_per_s, 1),
            fixedNumber(row.full.tokens_per_s, 1), row.beyond_spread ? fixedNumber(row.speedup, 2) : LabText(kNone),
            fixedNumber(row.spread, 2), pair(milliseconds(row.figures.ttft_p50_s), milliseconds(row.full.ttft_p50_s)),
            pair(milliseconds(row.figures.tpot_p50_s), milliseconds(row.full.tpot_p50_s)),
            pair(milliseconds(row.figures.itl_p99_s), milliseconds(row.full.itl_p99_s)),
            pair(countNumber(row.figures.kv_peak_blocks), countNumber(row.full.kv_peak_blocks)),
            pair(countNumber(row.figures.kv_bytes_per_token), countNumber(row.full.kv_bytes_per_token)),
            pair(bytesNumber(static_cast<double>(row.figures.weight_bytes)),
                bytesNumber(static_cast<double>(row.full.weight_bytes))),
            pair(countNumber(row.figures.sequences_that_fit), countNumber(row.full.sequences_that_fit)),
            answerText(row)});
    }
    return table;
}

LabChart chartOf(const AblationReport& report) {
    LabChart chart;
    chart.kind = LabChart::Kind::bars;
    chart.title = Lab::tr("Throughput with all on over throughput with one thing off");
    chart.yLabel = Lab::tr("times");
    LabSeries slower{Lab::tr("times slower when off"), {}, false}, chance{Lab::tr("chance alone"), {}, false};
    for (const AblationRow& row : report.rows) {
        if (!row.error.empty())
            continue;
        const double at = static_cast<double>(chart.categories.size());
        chart.categories += titleOf(row.name);
        slower.points.emplace_back(at, row.speedup);
        chance.points.emplace_back(at, row.spread);
    }
    chart.series = {slower, chance};
    return chart;
}

/// The row that costs most beyond chance, or null.
const AblationRow* dearest(const AblationReport& report) {
    const AblationRow* found = nullptr;
    for (const AblationRow& row : report.rows)
        if (row.error.empty() && row.name != "full" && row.beyond_spread && row.speedup > 1 &&
            (found == nullptr || row.speedup > found->speedup))
            found = &row;
    return found;
}

void addMeasures(const LabRun& run, const AblationReport& report, LabResult& result) {
    result.columns = {Lab::tr("Off"), Lab::tr("All on")};
    for (const AblationRow& row : report.rows) {
        if (!row.error.empty() || row.name == "full")
            continue;
        LabMeasure measure;
        measure.name = titleOf(row.name);
        measure.detail = workloadText(row.load);
        measure.values = {fixedNumber(row.figures.tokens_per_s, 1), fixedNumber(row.full.tokens_per_s, 1)};
        measure.unit = Lab::tr("tok/s");
        measure.verdict = !row.beyond_spread ? Lab::tr("no more than chance (%1 times)").arg(fixedNumber(row.spread, 2))
            : row.speedup > 1                ? Lab::tr("%1 times slower when off").arg(fixedNumber(row.speedup, 2))
                                             : Lab::tr("%1 times faster when off").arg(fixedNumber(1 / row.speedup, 2));
        result.measures.push_back(measure);
    }
    const AblationRow* most = dearest(report);
    LabMeasure measure;
    measure.name = Lab::tr("Costs most when off");
    measure.values = {most != nullptr ? titleOf(most->name) : LabText(kNone), QString()};
    result.measures.push_back(judgeChoice(run, "most", measure,
        rowChoices() + QList<LabChoice>{{QStringLiteral("none"), Lab::tr("nothing beyond chance")}},
        most != nullptr ? toQString(most->name) : QStringLiteral("none")));
    measure.name = Lab::tr("Times slower");
    measure.values = {fixedNumber(most != nullptr ? most->speedup : 1, 2), QString()};
    result.measures.push_back(judgeNumber(run, "times", measure, most != nullptr ? most->speedup : 1));
    result.conclusion = most == nullptr
        ? Lab::tr("Nothing that was switched off cost more than two equal runs differ by.")
        : Lab::tr("Without %1 the load runs %2 times slower: %3 instead of %4 tok/s.")
              .arg(titleOf(most->name), fixedNumber(most->speedup, 2), fixedNumber(most->figures.tokens_per_s, 1),
                  fixedNumber(most->full.tokens_per_s, 1));
}

Result<LabResult> AblationExperiment::run(const LabRun& run) const {
    const AblationOptions options = optionsOf(run);
    VT_TRY(run.bench->unload());
    std::stop_source stop;
    const std::jthread watcher([&](const std::stop_token& done) {
        while (!done.stop_requested()) {
            if (run.bench->isCancelled())
                stop.request_stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    });
    const auto progress = [&](const AblationProgress& at) {
        const double rows = std::max(1, at.num_rows), runs = std::max(1, at.num_runs);
        const QString what = at.run == 0
            ? Lab::tr("%1: loading").arg(titleOf(at.row))
            : Lab::tr("%1: run %2 of %3").arg(titleOf(at.row)).arg(at.run).arg(at.num_runs);
        run.progress(what, std::clamp((std::max(0, at.row_index - 1) + at.run / runs) / rows, 0.0, 1.0));
    };
    const auto report = run_ablation(options, progress, stop.get_token());
    if (!report)
        return tl::unexpected(report.error());
    LabResult result;
    addMeasures(run, *report, result);
    result.charts = {chartOf(*report)};
    result.tables = {tableOf(*report)};
    for (const AblationRow& row : report->rows)
        if (row.error.empty() && row.exact && !row.same_ids)
            result.notes += Lab::tr("%1 must not change any token, and it did: that is a fault, please report it.")
                                .arg(titleOf(row.name));
    result.notes += Lab::tr("Each pair of values is off / all on. All on means int8 KV and drafts by n-grams; the "
                            "context is %1 tokens. The same as: %2")
                        .arg(countNumber(options.config.context), commandText(options));
    return result;
}

} // namespace

std::unique_ptr<Experiment> makeAblationExperiment() {
    return std::make_unique<AblationExperiment>();
}

} // namespace vitrine::ui
