// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: two engines side by side, in turns, one row after the other.
#include "engine/lab/ablation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <numeric>

#include "engine/kv/kv_groups.h"
#include "engine/lab/ablation_workload.h"
#include "engine/stats/percentiles.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr int kPoolContexts = 8; // blocks for so many whole contexts

struct Switch {
    const char* name;
    AblationLoad load;
    bool exact; // ids must not change
    void (*off)(EngineConfig&);
};

constexpr std::array kSwitches{
    Switch{"full", AblationLoad::mixed, true, [](EngineConfig&) {}},
    Switch{"no_kv_cache", AblationLoad::single, true, [](EngineConfig& c) { c.kv_cache = false; }},
    Switch{"dense_kv", AblationLoad::mixed, true, [](EngineConfig& c) { c.paged_kv = false; }},
    Switch{"static_batching", AblationLoad::arrivals, true, [](EngineConfig& c) { c.policy = BatchPolicy::fixed; }},
    Switch{"no_prefix_cache", AblationLoad::shared_head, true, [](EngineConfig& c) { c.prefix_cache = false; }},
    Switch{"no_chunked_prefill", AblationLoad::long_prompts, true, [](EngineConfig& c) { c.chunked_prefill = false; }},
    Switch{"no_weight_quant", AblationLoad::mixed, false, [](EngineConfig& c) { c.quantize = "f16"; }},
    Switch{"no_kv_quant", AblationLoad::long_context, false, [](EngineConfig& c) { c.kv_type = kernels::KvType::f16; }},
    Switch{"no_speculation", AblationLoad::copying, true, [](EngineConfig& c) { c.draft.clear(); }},
    Switch{"no_cuda_graph", AblationLoad::single, true, [](EngineConfig& c) { c.cuda_graphs = false; }},
    Switch{"no_fused_kernels", AblationLoad::mixed, false, [](EngineConfig& c) { c.decompose = true; }},
};

double median(std::vector<double> values) {
    return percentile(values, 0.5);
}

class WaitingSink final : public LoadSink {
public:
    void on_load_progress(const LoadProgress& progress) override {
        if (progress.phase == LoadPhase::done)
            done_.set_value({});
        else if (progress.phase == LoadPhase::failed || progress.phase == LoadPhase::cancelled)
            done_.set_value(tl::unexpected(progress.error.value_or(Error{})));
    }
    Result<void> wait() { return done_.get_future().get(); }

private:
    std::promise<Result<void>> done_;
};

/// What one run of a load gave.
struct Run {
    double tokens_per_s = 0;
    double ttft_p50_s = 0;
    double tpot_p50_s = 0;
    double itl_p99_s = 0;
    int peak_blocks = 0;
    std::vector<std::vector<TokenId>> ids;
};

Run summarise(const std::vector<RequestOutcome>& outcomes) {
    Run run;
    double end_s = 0;
    int tokens = 0;
    std::vector<double> ttft, tpot, gaps;
    for (const RequestOutcome& outcome : outcomes) {
        end_s = std::max(end_s, outcome.end_s);
        tokens += outcome.num_tokens();
        run.ids.push_back(outcome.ids.empty() ? std::vector<TokenId>() : outcome.ids.front());
        ttft.push_back(outcome.ttft_s);
        const auto& times = outcome.token_times_s;
        for (std::size_t i = 1; i < times.size(); ++i)
            gaps.push_back(times[i] - times[i - 1]);
        if (times.size() > 1)
            tpot.push_back((times.back() - times.front()) / static_cast<double>(times.size() - 1));
    }
    run.tokens_per_s = end_s > 0 ? tokens / end_s : 0;
    run.ttft_p50_s = median(ttft);
    run.tpot_p50_s = median(tpot);
    run.itl_p99_s = percentile(gaps, 0.99);
    return run;
}

/// One loaded configuration and its runs.
class Arm {
public:
    Arm(std::unique_ptr<Engine> engine, std::stop_token stop) : engine_(std::move(engine)), stop_(std::move(stop)) {}

    Result<void> load(const std::string& path, const EngineConfig& config) {
        const auto sink = std::make_shared<WaitingSink>();
        VT_TRY(engine_->load(path, config, sink));
        return sink->wait();
    }
    /// Starts cold: nothing of an earlier run is found in the prefix cache.
    Result<std::vector<RequestOutcome>> run_raw(const std::vector<TimedRequest>& load) {
        engine_->reset_prefix_cache();
        auto outcomes = run_load(*engine_, load, stop_);
        if (!outcomes)
            return outcomes;
        for (const RequestOutcome& outcome : *outcomes)
            if (outcome.rejected)
                return tl::unexpected(*outcome.rejected);
        return outcomes;
    }
    Result<void> run(const std::vector<TimedRequest>& load) {
        skip_steps();
        const auto outcomes = run_raw(load);
        if (!outcomes)
            return tl::unexpected(outcomes.error());
        runs_.push_back(summarise(*outcomes));
        runs_.back().peak_blocks = skip_steps();
        return {};
    }
    /// Mean of -ln p over the scored text.
    Result<double> nll(const AblationLoads& loads) {
        const auto outcomes = run_raw(make_scoring(loads));
        if (!outcomes)
            return tl::unexpected(outcomes.error());
        double sum = 0;
        const auto& tokens = outcomes->front().prompt_logprobs;
        for (std::size_t i = 1; i < tokens.size(); ++i)
            sum -= static_cast<double>(tokens[i].logprob);
        return sum / static_cast<double>(std::max<std::size_t>(tokens.size(), 2) - 1);
    }
    void forget_runs() { runs_.clear(); }
    [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
    [[nodiscard]] Engine& engine() { return *engine_; }
    [[nodiscard]] std::shared_ptr<const LoadedModel> model() const { return engine_->snapshot()->model; }

    [[nodiscard]] AblationFigures figures() const {
        AblationFigures figures;
        const auto middle = [this](double Run::*field) {
            std::vector<double> values;
            for (const Run& run : runs_)
                values.push_back(run.*field);
            return median(values);
        };
        figures.tokens_per_s = middle(&Run::tokens_per_s);
        figures.ttft_p50_s = middle(&Run::ttft_p50_s);
        figures.tpot_p50_s = middle(&Run::tpot_p50_s);
        figures.itl_p99_s = middle(&Run::itl_p99_s);
        for (const Run& run : runs_)
            figures.kv_peak_blocks = std::max(figures.kv_peak_blocks, run.peak_blocks);
        const auto loaded = model();
        figures.kv_bytes_per_token = loaded->plan.kv_bytes_per_token;
        figures.weight_bytes = loaded->measured_weight_bytes;
        return figures;
    }

private:
    /// Reads what is new in the ring of steps; most blocks in use meanwhile.
    int skip_steps() {
        std::array<StepRecord, 256> records;
        int peak = 0;
        while (const std::size_t count = engine_->read_steps(next_step_, records)) {
            for (std::size_t i = 0; i < count; ++i)
                peak = std::max(peak, static_cast<int>(records[i].blocks_used));
            next_step_ = records[count - 1].step + 1;
        }
        return peak;
    }

    std::unique_ptr<Engine> engine_;
    const std::stop_token stop_;
    std::uint64_t next_step_ = 0;
    std::vector<Run> runs_;
};

/// What chance gives: the median ratio of two runs of one configuration that follow each other.
double spread_of(const Arm& a, const Arm& b) {
    std::vector<double> ratios;
    for (const Arm* arm : {&a, &b})
        for (std::size_t i = 1; i < arm->runs().size(); ++i) {
            const double ratio = arm->runs()[i].tokens_per_s / arm->runs()[i - 1].tokens_per_s;
            ratios.push_back(std::max(ratio, 1 / ratio));
        }
    return ratios.empty() ? 1 : median(ratios);
}

/// Sequences of the load's mean length that the blocks of `all_on` would hold under `model`'s configuration.
int sequences_that_fit(const LoadedModel& all_on, const LoadedModel& model, const std::vector<TimedRequest>& load) {
    std::int64_t tokens = 0;
    for (const TimedRequest& one : load)
        tokens += static_cast<std::int64_t>(std::get<TokenPrompt>(one.request.prompt).ids.size()) +
            one.request.stop.max_tokens;
    const int block_tokens = model.config.block_tokens;
    std::int64_t length = tokens / static_cast<std::int64_t>(load.size());
    if (!model.config.paged_kv)
        length = model.context;
    const std::int64_t blocks =
        blocks_of_sequence(model.block_groups, block_tokens, static_cast<int>(length), model.config.prefill_chunk);
    const std::int64_t pool_bytes = all_on.config.num_blocks * all_on.plan.kv_block_bytes;
    return static_cast<int>(pool_bytes / (blocks * model.plan.kv_block_bytes));
}

class Ablation {
public:
    Ablation(const AblationOptions& options, const std::function<void(const AblationProgress&)>& progress,
        const std::stop_token& stop, const std::function<std::unique_ptr<Engine>()>& make)
        : options_(options), progress_(progress), stop_(stop), make_(make), full_(make(), stop) {}

    Result<AblationReport> run() {
        full_config_ = config_with_all_on();
        tell("full", 0, 0);
        VT_TRY(full_.load(options_.model_path, full_config_));
        const auto model = full_.model();
        full_config_.device = model->config.device; // what auto became
        loads_.num_requests = std::max(1, options_.num_requests);
        loads_.context = model->context;
        loads_.seed = options_.seed;
        loads_.text = ablation_text(*full_.engine().text_model(), 4 * model->context, options_.seed);
        report_.model = model->info.name;
        report_.device = model->device.name;
        VT_TRY(calibrate());
        for (const Switch& one : kSwitches)
            if (is_wanted(one))
                rows_.push_back(&one);
        for (const Switch* row : rows_)
            VT_TRY(add_row(*row));
        return std::move(report_);
    }

private:
    [[nodiscard]] EngineConfig config_with_all_on() const {
        EngineConfig config = options_.config;
        config.kv_type = kernels::KvType::int8;
        config.draft = "ngram";
        if (config.context == 0)
            config.context = kAblationContext;
        config.max_seqs = std::max(2 * options_.num_requests, 16);
        const int block_tokens = config.block_tokens == 0 ? 16 : config.block_tokens;
        if (config.num_blocks == 0)
            config.num_blocks = kPoolContexts * ((config.context + block_tokens - 1) / block_tokens);
        return config;
    }
    [[nodiscard]] bool is_wanted(const Switch& one) const {
        const std::string name = one.name;
        if (name == "no_cuda_graph" && !full_.model()->config.device.starts_with("cuda"))
            return false;
        return options_.rows.empty() || std::ranges::count(options_.rows, name) > 0;
    }
    /// The mixed load, twice: warms up and sets the pace of arrivals to what the machine can serve.
    Result<void> calibrate() {
        const auto load = make_load(AblationLoad::mixed, loads_);
        for (int i = 0; i < 2; ++i) {
            const TimePoint start = steady_clock().now();
            if (const auto outcomes = full_.run_raw(load); !outcomes)
                return tl::unexpected(outcomes.error());
            const double seconds = std::chrono::duration<double>(steady_clock().now() - start).count();
            loads_.mean_gap_s = seconds / loads_.num_requests;
        }
        return {};
    }

    Result<void> add_row(const Switch& one) {
        AblationRow row;
        row.name = one.name;
        row.load = workload_figures(one.load, loads_);
        row.workload = describe(row.load);
        row.exact = one.exact;
        ++row_index_;
        if (auto measured = measure(one, row); !measured) {
            if (stop_.stop_requested() || measured.error().code == ErrorCode::cancelled)
                return measured;
            row.error = measured.error().message;
            row.cause = measured.error();
        }
        report_.rows.push_back(std::move(row));
        return {};
    }

    Result<void> measure(const Switch& one, AblationRow& row) {
        EngineConfig config = full_config_;
        one.off(config);
        const auto load = make_load(one.load, loads_);
        Arm off(make_(), stop_);
        tell(row.name, 0, 2 * num_pairs());
        VT_TRY(off.load(options_.model_path, config));
        full_.forget_runs();
        if (const auto warm_up = off.run_raw(load); !warm_up)
            return tl::unexpected(warm_up.error());
        for (int i = 0; i < num_pairs(); ++i) { // A B B A A B B A ...
            for (int j = 0; j < 2; ++j) {
                tell(row.name, 2 * i + j + 1, 2 * num_pairs());
                VT_TRY((i + j) % 2 == 0 ? full_.run(load) : off.run(load));
            }
        }
        compare(load, off, row);
        if (one.exact)
            return {};
        const auto full_nll = full_.nll(loads_);
        const auto off_nll = off.nll(loads_);
        VT_TRY(full_nll);
        VT_TRY(off_nll);
        row.nll_difference = *off_nll - *full_nll;
        return {};
    }

    void compare(const std::vector<TimedRequest>& load, const Arm& off, AblationRow& row) const {
        row.full = full_.figures();
        row.figures = off.figures();
        row.full.sequences_that_fit = sequences_that_fit(*full_.model(), *full_.model(), load);
        row.figures.sequences_that_fit = sequences_that_fit(*full_.model(), *off.model(), load);
        std::vector<double> speedups, ttft, itl;
        row.same_ids = true;
        for (std::size_t i = 0; i < off.runs().size(); ++i) {
            const Run& a = full_.runs()[i];
            const Run& b = off.runs()[i];
            speedups.push_back(a.tokens_per_s / b.tokens_per_s);
            ttft.push_back(b.ttft_p50_s / a.ttft_p50_s);
            itl.push_back(b.itl_p99_s / a.itl_p99_s);
            row.same_ids = row.same_ids && a.ids == full_.runs().front().ids && b.ids == a.ids;
        }
        row.speedup = median(speedups);
        row.ttft_ratio = median(ttft);
        row.itl_p99_ratio = median(itl);
        row.spread = spread_of(full_, off);
        row.beyond_spread = std::max(row.speedup, 1 / row.speedup) > row.spread;
    }

    [[nodiscard]] int num_pairs() const { return std::max(2, options_.num_pairs); }
    void tell(const std::string& row, int run, int num_runs) const {
        if (progress_)
            progress_(AblationProgress{row, run, num_runs, row_index_, static_cast<int>(rows_.size())});
    }

    const AblationOptions& options_;
    const std::function<void(const AblationProgress&)>& progress_;
    const std::stop_token& stop_;
    const std::function<std::unique_ptr<Engine>()>& make_;
    EngineConfig full_config_;
    AblationLoads loads_;
    Arm full_;
    std::vector<const Switch*> rows_;
    int row_index_ = 0;
    AblationReport report_;
};

} // namespace

Result<AblationReport> run_ablation(const AblationOptions& options,
    const std::function<void(const AblationProgress&)>& progress, const std::stop_token& stop,
    const std::function<std::unique_ptr<Engine>()>& make) {
    for (const std::string& row : options.rows)
        if (std::ranges::none_of(kSwitches, [&](const Switch& one) { return one.name == row; }))
            return fail(ErrorCode::invalid_argument, say(Sentence::ablation_row_unknown, row),
                say(Sentence::known_ablation_rows));
    return Ablation(options, progress, stop, make).run();
}

} // namespace vitrine::engine
