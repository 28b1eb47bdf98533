// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: one trace under immediate, static and continuous batching.
#include "ui/bridge/lab_values.h"
#include "ui/bridge/qt_convert.h"
#include "ui/lab/experiment.h"
#include "ui/widgets/numbers.h"

#include <algorithm>
#include <cmath>
#include <map>

#undef slots // Qt's keyword is the name of a member of PolicyTrace; no QObject is declared here

namespace vitrine::ui {
namespace {

enum Source : std::uint8_t { toy, session, made };
constexpr BatchPolicy kPolicies[] = {BatchPolicy::immediate, BatchPolicy::fixed, BatchPolicy::continuous};
constexpr int kMaxRows = 24; // of requests drawn a policy

LabTexts policyNames() {
    return {Lab::tr("Immediate"), Lab::tr("Static"), Lab::tr("Continuous")};
}

/// Arrivals and lengths of the session's requests; places, budget and tick as the engine really had them.  A recording
/// does not tell its settings: then the most that ran at once and the most that one step read stand for them.
PolicyTrace recordedTrace(const LabFacts& facts) {
    PolicyTrace trace = toy_trace();
    trace.requests.clear();
    if (!facts.session)
        return trace;
    std::vector<RequestNote> notes;
    for (const auto& [sequence, note] : facts.session->requests())
        if (note.promptTokens > 0 && note.outputTokens > 0)
            notes.push_back(note);
    std::sort(
        notes.begin(), notes.end(), [](const RequestNote& a, const RequestNote& b) { return a.arrival < b.arrival; });
    for (const RequestNote& note : notes)
        trace.requests.push_back(
            {"R" + std::to_string(note.request), std::llround((note.arrival - notes.front().arrival) * 1e6),
                std::max(1, note.promptTokens - note.cachedTokens), note.outputTokens});
    const auto& steps = facts.session->steps().steps();
    const auto& last = facts.session->last();
    if (!facts.recording.isEmpty()) {
        trace.slots = trace.prefill_tokens_per_tick = 1;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            trace.slots = std::max<int>(trace.slots, steps[i].running);
            trace.prefill_tokens_per_tick =
                std::max(trace.prefill_tokens_per_tick, static_cast<int>(steps[i].prefill_tokens));
        }
        if (last && last->model && last->blocks.total > 0)
            trace.kv_mb_per_token = static_cast<double>(last->model->measured_kv_bytes) /
                ((last->blocks.total + 1.0) * last->model->plan.block_tokens) / 1e6;
    } else if (const LoadedModel* model = facts.model.get()) {
        trace.slots = std::max(1, model->config.max_seqs);
        trace.prefill_tokens_per_tick = std::max(1, model->config.max_batch_tokens);
        trace.kv_mb_per_token = static_cast<double>(model->plan.kv_bytes_per_token) / 1e6;
    }
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].decode_rows > 0 && steps[i].prefill_tokens == 0) {
            sum += stepEnd(steps[i]) - stepStart(steps[i]);
            ++count;
        }
    if (count > 0)
        trace.tick_us = std::max<std::int64_t>(100, std::llround(sum / count * 1e6));
    return trace;
}

PolicyTrace traceOf(const LabRun& run) {
    if (run.integer("trace") == toy)
        return toy_trace();
    if (run.integer("trace") == session)
        return recordedTrace(run.facts);
    PolicyTrace base = toy_trace();
    base.slots = run.integer("places");
    base.prefill_tokens_per_tick = run.integer("budget");
    return make_trace({run.integer("requests"), run.number("rate"), run.integer("prompt"), run.integer("output"),
                          static_cast<std::uint64_t>(run.integer("seed"))},
        base);
}

void addRow(LabChart& chart, const PolicyTrace& trace, const SimulatedRequest& request, double origin) {
    const int row = static_cast<int>(chart.categories.size());
    chart.categories += QString::fromStdString(request.id);
    const auto seconds = [&](std::int64_t us) { return static_cast<double>(us) / 1e6 - origin; };
    const double arrival = seconds(request.arrival_us), first = seconds(request.first_prefill_tick * trace.tick_us);
    const double read = seconds(request.arrival_us + request.ttft_us),
                 end = seconds(request.arrival_us + request.e2e_us);
    using Kind = LabSpan::Kind;
    chart.spans.push_back({row, arrival, arrival, Kind::arrival, {}});
    if (first > arrival)
        chart.spans.push_back({row, arrival, first, Kind::queued, {}});
    chart.spans.push_back({row, first, read, Kind::prefill, countNumber(request.prompt)});
    const double tick = static_cast<double>(trace.tick_us) / 1e6;
    if (request.output <= 64) // one box a token, as long as boxes can be told apart
        for (double at = read; at < end - tick / 2; at += tick)
            chart.spans.push_back({row, at, at + tick, Kind::decode, {}});
    else
        chart.spans.push_back({row, read, end, Kind::decode, {}});
    if (const double release = seconds(request.release_us); release > end)
        for (double at = end; at < release - tick / 2; at += tick)
            chart.spans.push_back({row, at, at + tick, Kind::padding, {}});
    chart.spans.push_back({row, end, std::max(end, seconds(request.release_us)), Kind::end, timeNumber(end - arrival)});
}

LabChart ganttOf(const PolicyTrace& trace, const std::vector<PolicyResult>& results) {
    LabChart chart;
    chart.kind = LabChart::Kind::gantt;
    chart.title =
        Lab::tr("Bar: arrival · grey: queued · blue: prompt tokens read · green: one token a tick · hatched: padding · "
                "box: end, time in the system");
    chart.xLabel = Lab::tr("seconds since the first arrival");
    const double origin = static_cast<double>(trace.requests.front().arrival_us) / 1e6;
    for (std::size_t i = 0; i < results.size(); ++i) {
        chart.categories += u'#' + policyNames()[static_cast<int>(i)];
        int rows = 0;
        for (const SimulatedRequest& request : results[i].requests)
            if (rows++ < kMaxRows)
                addRow(chart, trace, request, origin);
    }
    return chart;
}

LabChart queueOf(const PolicyTrace& trace, const std::vector<PolicyResult>& results) {
    LabChart chart;
    chart.title = Lab::tr("Requests waiting for their first prompt token to be read");
    chart.xLabel = Lab::tr("seconds since the first arrival");
    const std::int64_t first = trace.requests.front().arrival_us;
    for (std::size_t i = 0; i < results.size(); ++i) {
        LabSeries series{policyNames()[static_cast<int>(i)], {}, false};
        std::map<std::int64_t, int> changes; // at the moments they come: some wait for less than a tick
        for (const SimulatedRequest& request : results[i].requests) {
            const std::int64_t begun = request.first_prefill_tick * trace.tick_us;
            if (begun <= request.arrival_us)
                continue;
            ++changes[request.arrival_us];
            --changes[begun];
        }
        series.points.emplace_back(0, 0);
        int waiting = 0;
        for (const auto& [moment, change] : changes) {
            const double time = static_cast<double>(moment - first) / 1e6;
            series.points.emplace_back(time, waiting);
            series.points.emplace_back(time, waiting += change);
        }
        if (!results[i].ticks.empty())
            series.points.emplace_back(
                static_cast<double>(static_cast<std::int64_t>(results[i].ticks.size()) * trace.tick_us - first) / 1e6,
                waiting);
        chart.series.push_back(std::move(series));
    }
    return chart;
}

LabMeasure measure(const char* name, const char* detail, const std::vector<PolicyMeasures>& all,
    const std::function<LabText(const PolicyMeasures&)>& text, const char* unit = "") {
    LabMeasure result;
    result.name = Lab::tr(name);
    result.detail = Lab::tr(detail);
    for (const PolicyMeasures& one : all)
        result.values += text(one);
    result.unit = Lab::tr(unit);
    return result;
}

class PolicyExperiment final : public Experiment {
public:
    QString name() const override { return QStringLiteral("policies"); }
    QString title() const override { return Lab::tr("Batching policies"); }
    QString question() const override {
        return Lab::tr(
            "The same requests, served one at a time, in fixed batches, and in a batch that changes every step. "
            "Admission "
            "and release are the code the engine runs; only the clock is made of equal ticks. What does continuous "
            "batching change against immediate serving?");
    }
    std::vector<LabControl> controls(const LabFacts& facts) const override {
        return {{QStringLiteral("trace"), Lab::tr("Trace"), {}, 0, 0, 2, 1, 0,
                    {Lab::tr("Toy trace, 4 requests"), facts.sessionText(), Lab::tr("Made from the values below")}},
            {QStringLiteral("rate"), Lab::tr("Arrivals"), Lab::tr("a second"), 4, 0.1, 200, 0.5, 1, {}},
            {QStringLiteral("requests"), Lab::tr("Requests"), {}, 40, 1, 1000, 1, 0, {}},
            {QStringLiteral("prompt"), Lab::tr("Prompt, mean"), Lab::tr("tokens"), 24, 1, 4096, 1, 0, {}},
            {QStringLiteral("output"), Lab::tr("Answer, mean"), Lab::tr("tokens"), 12, 1, 4096, 1, 0, {}},
            {QStringLiteral("places"), Lab::tr("Places"), {}, 3, 1, 256, 1, 0, {}},
            {QStringLiteral("budget"), Lab::tr("Prompt tokens a tick"), {}, 24, 1, 8192, 1, 0, {}},
            {QStringLiteral("seed"), Lab::tr("Seed"), {}, 1, 1, 9999, 1, 0, {}},
            {QStringLiteral("ttft"), Lab::tr("Objective: first token"), Lab::tr("s"), 1, 0.01, 60, 0.1, 2, {}},
            {QStringLiteral("tpot"), Lab::tr("Objective: a token"), Lab::tr("s"), 0.05, 0.001, 5, 0.01, 3, {}},
            {QStringLiteral("window"), Lab::tr("Window, 0: to the end"), Lab::tr("s"), 0, 0, 3600, 1, 1, {}}};
    }
    std::vector<LabGuess> guesses() const override {
        const QList<LabChoice> words = changeChoices();
        return {{QStringLiteral("ttft"), Lab::tr("First token (TTFT p50)"), {}, words, 0},
            {QStringLiteral("tpot"), Lab::tr("Time per token (TPOT p50)"), {}, words, 0},
            {QStringLiteral("e2e"), Lab::tr("Time in system (E2E p50)"), {}, words, 0},
            {QStringLiteral("goodput"), Lab::tr("Goodput"), {}, words, 0},
            {QStringLiteral("kv"), Lab::tr("KV peak"), {}, words, 0},
            {QStringLiteral("use"), Lab::tr("Places in use"), {}, words, 0}};
    }
    QString missing(const LabFacts&) const override { return {}; }
    Result<LabResult> run(const LabRun& run) const override;
};

Result<LabResult> PolicyExperiment::run(const LabRun& run) const {
    const PolicyTrace trace = traceOf(run);
    if (trace.requests.empty())
        return fail(ErrorCode::not_found,
            toStdString(Lab::tr("%1: no request in it has a prompt and an answer.").arg(run.facts.sessionText())),
            toStdString(Lab::tr("Send some requests first, or choose another trace.")));
    std::vector<PolicyResult> results;
    std::vector<PolicyMeasures> all;
    const Objective objective{run.number("ttft"), run.number("tpot")};
    for (const BatchPolicy policy : kPolicies) {
        results.push_back(simulate(trace, policy));
        all.push_back(measure_policy(trace, results.back(), objective, run.number("window")));
    }
    LabResult result;
    result.columns = policyNames();
    const PolicyMeasures &a = all[0], &c = all[2];
    const auto triple = [&](const char* name, const char* key, auto member) {
        constexpr const char* kDetails[] = {"p50", "p95", "p99"};
        double most = 0; // one precision for all: seconds, or milliseconds where all are short
        for (const PolicyMeasures& one : all)
            for (const double value : one.*member)
                most = std::isfinite(value) ? std::max(most, value) : most;
        const bool isShort = most < 0.1;
        for (std::size_t p = 0; p < 3; ++p) {
            const auto text = [&](const PolicyMeasures& m) {
                const double value = (m.*member)[p];
                return isShort ? fixedNumber(value * 1000, 1) : fixedNumber(value, 2);
            };
            LabMeasure row = measure(
                name, kDetails[p], all, text, isShort ? QT_TRANSLATE_NOOP("Lab", "ms") : QT_TRANSLATE_NOOP("Lab", "s"));
            if (p == 0)
                row = judgeChange(run, key, std::move(row), (a.*member)[0], (c.*member)[0], true);
            result.measures.push_back(std::move(row));
        }
    };
    triple(QT_TRANSLATE_NOOP("Lab", "First token"), "ttft", &PolicyMeasures::ttft_s);
    triple(QT_TRANSLATE_NOOP("Lab", "Time per token"), "tpot", &PolicyMeasures::tpot_s);
    triple(QT_TRANSLATE_NOOP("Lab", "Time in system"), "e2e", &PolicyMeasures::e2e_s);
    result.measures.push_back(judgeChange(run, "goodput",
        measure(
            QT_TRANSLATE_NOOP("Lab", "Goodput"), QT_TRANSLATE_NOOP("Lab", "met both objectives"), all,
            [](const PolicyMeasures& m) { return fixedNumber(m.goodput_per_s, 2); }, QT_TRANSLATE_NOOP("Lab", "req/s")),
        a.goodput_per_s, c.goodput_per_s, false));
    result.measures.push_back(judgeChange(run, "kv",
        measure(
            QT_TRANSLATE_NOOP("Lab", "KV peak"), "", all,
            [](const PolicyMeasures& m) { return fixedNumber(m.kv_peak_mb, 2); }, "MB"),
        a.kv_peak_mb, c.kv_peak_mb, true));
    result.measures.push_back(judgeChange(run, "use",
        measure(QT_TRANSLATE_NOOP("Lab", "Places in use"), QT_TRANSLATE_NOOP("Lab", "decode rows"), all,
            [](const PolicyMeasures& m) { return percentNumber(m.utilization); }),
        a.utilization, c.utilization, false));
    result.measures.push_back(measure(
        QT_TRANSLATE_NOOP("Lab", "Queue"), QT_TRANSLATE_NOOP("Lab", "mean"), all,
        [](const PolicyMeasures& m) { return fixedNumber(m.mean_queue, 2); }, QT_TRANSLATE_NOOP("Lab", "requests")));
    result.measures.push_back(measure(
        QT_TRANSLATE_NOOP("Lab", "Queue"), QT_TRANSLATE_NOOP("Lab", "longest"), all,
        [](const PolicyMeasures& m) { return countNumber(m.peak_queue); }, QT_TRANSLATE_NOOP("Lab", "requests")));
    result.measures.push_back(measure(QT_TRANSLATE_NOOP("Lab", "Unfinished"),
        QT_TRANSLATE_NOOP("Lab", "at the window's end"), all, [](const PolicyMeasures& m) {
            return labPattern(QStringLiteral("%1 / %2"), {countNumber(m.unfinished), countNumber(m.requests)});
        }));
    result.charts = {ganttOf(trace, results), queueOf(trace, results)};
    LabTable little{
        Lab::tr("Little's law: the mean number in the system is the arrival rate times the mean time in it"),
        {Lab::tr("Policy"), Lab::tr("In the system, counted"), Lab::tr("Arrivals a second"), Lab::tr("Mean time"),
            Lab::tr("Product"), Lab::tr("Off by")},
        {}};
    for (std::size_t i = 0; i < all.size(); ++i)
        little.rows.push_back({policyNames()[static_cast<int>(i)], fixedNumber(all[i].mean_in_system, 3),
            fixedNumber(all[i].arrivals_per_s, 3), timeNumber(all[i].mean_time_s),
            fixedNumber(all[i].arrivals_per_s * all[i].mean_time_s, 3), percentNumber(all[i].little_error())});
    result.tables.push_back(std::move(little));
    LabTable requests{
        Lab::tr("Each request"), {Lab::tr("Request"), Lab::tr("Arrival"), Lab::tr("Prompt"), Lab::tr("Answer")}, {}};
    for (const LabText& policy : policyNames())
        requests.head += {policy + QStringLiteral(" TTFT"), policy + QStringLiteral(" E2E")};
    for (std::size_t r = 0; r < trace.requests.size() && r < 200; ++r) {
        const TraceRequest& one = trace.requests[r];
        LabTexts row{QString::fromStdString(one.id), timeNumber(static_cast<double>(one.arrival_us) / 1e6),
            countNumber(one.prompt), countNumber(one.output)};
        for (const PolicyResult& policy : results)
            row += {timeNumber(static_cast<double>(policy.requests[r].ttft_us) / 1e6),
                timeNumber(static_cast<double>(policy.requests[r].e2e_us) / 1e6)};
        requests.rows.push_back(std::move(row));
    }
    result.tables.push_back(std::move(requests));
    const bool holds =
        std::all_of(all.begin(), all.end(), [](const PolicyMeasures& m) { return m.little_error() < 0.01; });
    result.conclusion =
        Lab::tr("%1: %2 in the system = %3 arrivals/s × %4 s (continuous).")
            .arg(holds ? Lab::tr("Little's law holds") : Lab::tr("Little's law is off by more than 1 %"),
                fixedNumber(c.mean_in_system, 3), fixedNumber(c.arrivals_per_s, 3), fixedNumber(c.mean_time_s, 3));
    result.notes += Lab::tr(
        "%1 places, %2 prompt tokens a tick, tick %3. Unfinished requests count as infinite in every percentile.")
                        .arg(trace.slots)
                        .arg(trace.prefill_tokens_per_tick)
                        .arg(timeNumber(static_cast<double>(trace.tick_us) / 1e6));
    if (static_cast<int>(trace.requests.size()) > kMaxRows)
        result.notes += Lab::tr("The chart draws the first %1 requests.").arg(kMaxRows);
    return result;
}

} // namespace

std::unique_ptr<Experiment> makePolicyExperiment() {
    return std::make_unique<PolicyExperiment>();
}

} // namespace vitrine::ui
