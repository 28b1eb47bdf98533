// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: bench, with the definitions of llama-bench: pp n = a prompt of n tokens, tg n = n single steps.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/open_model.h"
#include "app/cli/result_json.h"
#include "app/cli/step_overhead.h"
#include "engine/lab/direct_model.h"

namespace vitrine::app {
namespace {

struct Measurement {
    std::string test;
    int n = 0;
    int depth = 0;
    int batch = 1;
    std::vector<double> tokens_per_s; // one a repetition
    double ms_per_step = 0; // median
};

/// splitmix64 (Steele, Lea, Flood 2014): the same ids on every machine.
class IdSource {
public:
    IdSource(std::uint64_t seed, int vocab_size) : state_(seed), vocab_size_(vocab_size) {}
    std::vector<engine::TokenId> take(int count) {
        std::vector<engine::TokenId> ids;
        for (int i = 0; i < count; ++i) {
            std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
            ids.push_back(static_cast<engine::TokenId>((z ^ (z >> 31)) % static_cast<std::uint64_t>(vocab_size_)));
        }
        return ids;
    }

private:
    std::uint64_t state_;
    int vocab_size_;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

double standard_deviation(const std::vector<double>& values) {
    if (values.size() < 2)
        return 0;
    const double middle = mean(values);
    double sum = 0;
    for (const double value : values)
        sum += (value - middle) * (value - middle);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

Result<double> seconds_of(const std::function<Result<void>()>& work) {
    const auto start = std::chrono::steady_clock::now();
    VT_TRY(work());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Bench {
public:
    Bench(engine::DirectModel& model, const BenchOptions& options)
        : model_(model), options_(options), ids_(options.model.seed.value_or(1), model.vocab_size()) {}

    Result<Measurement> prompt(int n) {
        Measurement result{fmt::format("pp{}", n), n, options_.depth, 1, {}, 0};
        std::vector<double> seconds;
        VT_TRY(fill(1));
        for (int rep = -1; rep < options_.reps; ++rep) { // the first one warms up
            const auto ids = ids_.take(n);
            auto time = seconds_of([&] { return model_.feed(0, options_.depth, ids, {}); });
            if (!time)
                return tl::unexpected(time.error());
            if (rep >= 0)
                add(result, *time, n, n, seconds);
        }
        result.ms_per_step = 1000 * median(seconds);
        return result;
    }

    Result<Measurement> generate(std::string test, int n, int batch) {
        Measurement result{std::move(test), n, options_.depth, batch, {}, 0};
        std::vector<double> seconds;
        VT_TRY(fill(batch));
        for (int rep = -1; rep < options_.reps; ++rep) {
            auto tokens = ids_.take(batch);
            const int steps = rep < 0 ? std::min(n, 4) : n;
            auto time = seconds_of([&]() -> Result<void> {
                for (int i = 0; i < steps; ++i) {
                    auto next = model_.decode(tokens, options_.depth + i);
                    if (!next)
                        return tl::unexpected(next.error());
                    tokens = *std::move(next);
                }
                return {};
            });
            if (!time)
                return tl::unexpected(time.error());
            if (rep >= 0)
                add(result, *time, n * batch, n, seconds);
        }
        result.ms_per_step = 1000 * median(seconds);
        return result;
    }

private:
    Result<void> fill(int num_sequences) {
        for (int sequence = 0; sequence < num_sequences && options_.depth > 0; ++sequence)
            VT_TRY(model_.feed(sequence, 0, ids_.take(options_.depth), {}));
        return {};
    }
    static void add(Measurement& result, double time, int tokens, int steps, std::vector<double>& seconds) {
        result.tokens_per_s.push_back(tokens / time);
        seconds.push_back(result.test.starts_with("pp") ? time : time / steps);
    }

    engine::DirectModel& model_;
    const BenchOptions& options_;
    IdSource ids_;
};

struct BenchPlan {
    std::vector<int> pp, tg, batch;
    int batch_steps = 128;
};

/// Nothing asked for: everything of cli.md's defaults.
BenchPlan plan_of(const BenchOptions& options) {
    BenchPlan plan{options.pp, options.tg, options.batch, 128};
    if (plan.pp.empty() && plan.tg.empty() && plan.batch.empty())
        plan = BenchPlan{{512}, {128}, {1, 4, 8, 16}, 128};
    const auto drop_zero = [](std::vector<int>& sizes) { std::erase_if(sizes, [](int n) { return n <= 0; }); };
    drop_zero(plan.pp);
    drop_zero(plan.tg);
    drop_zero(plan.batch);
    if (!plan.tg.empty())
        plan.batch_steps = plan.tg.front();
    return plan;
}

Result<std::vector<Measurement>> run_plan(
    engine::DirectModel& model, const BenchOptions& options, const BenchPlan& plan) {
    Bench bench(model, options);
    std::vector<Measurement> results;
    const auto keep = [&](Result<Measurement> measured) -> Result<void> {
        if (!measured)
            return tl::unexpected(measured.error());
        results.push_back(*std::move(measured));
        return {};
    };
    for (const int n : plan.pp)
        VT_TRY(keep(bench.prompt(n)));
    for (const int n : plan.tg)
        VT_TRY(keep(bench.generate(fmt::format("tg{}", n), n, 1)));
    for (const int batch : plan.batch)
        VT_TRY(keep(bench.generate("batch", plan.batch_steps, batch)));
    return results;
}

void print(const std::vector<Measurement>& results, const engine::LoadedModel& loaded, const StepOverhead& overhead,
    bool as_json, Console& console) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Measurement& m : results) {
        const double speed = median(m.tokens_per_s), deviation = standard_deviation(m.tokens_per_s);
        list.push_back({{"test", m.test}, {"n", m.n}, {"depth", m.depth}, {"batch", m.batch}, {"tokens_per_s", speed},
            {"mean_tokens_per_s", mean(m.tokens_per_s)}, {"stddev", deviation}, {"ms_per_step", m.ms_per_step}});
        if (!as_json)
            console.line(fmt::format(
                "{:<8} n {:>5}  depth {:>5}  batch {:>3}  {:>10.2f} tokens/s +- {:>7.2f}  {:>9.3f} ms a step", m.test,
                m.n, m.depth, m.batch, speed, deviation, m.ms_per_step));
    }
    if (!as_json && overhead.steps > 0)
        console.line(
            fmt::format("engine   batch {:>3}  {:>9.3f} ms a step, of it schedule {:.3f}, commit {:.3f}, between "
                        "{:.3f} ms: {:.2f} % outside the model",
                overhead.batch, overhead.step_us / 1000, overhead.schedule_us / 1000, overhead.commit_us / 1000,
                overhead.between_us / 1000, 100 * overhead.share()));
    if (as_json)
        console.json({{"results", list},
            {"overhead",
                {{"batch", overhead.batch}, {"steps", overhead.steps}, {"step_us", overhead.step_us},
                    {"schedule_us", overhead.schedule_us}, {"commit_us", overhead.commit_us},
                    {"between_us", overhead.between_us}, {"share", overhead.share()}}},
            {"device", loaded.device.name}, {"isa", loaded.device.isa}, {"threads", loaded.device.num_threads},
            {"model", loaded.info.name}, {"quantization", loaded.info.quantization},
            {"kernels", kernels_json(loaded.kernels)}});
}

struct Benched {
    std::vector<Measurement> results;
    std::shared_ptr<const engine::LoadedModel> model;
};

Result<Benched> bench_model(const ModelOptions& measured, const BenchOptions& options, const BenchPlan& plan) {
    int longest = 1, widest = 1;
    for (const int n : plan.pp)
        longest = std::max(longest, n);
    for (const int n : plan.tg)
        longest = std::max(longest, n);
    for (const int batch : plan.batch) {
        widest = std::max(widest, batch);
        longest = std::max(longest, plan.batch_steps);
    }
    auto model = open_direct(measured, options.depth + longest, widest);
    if (!model)
        return tl::unexpected(model.error());
    auto results = run_plan(*model, options, plan);
    if (!results)
        return tl::unexpected(results.error());
    return Benched{*std::move(results), model->session().model};
}

} // namespace

int run_command(const BenchOptions& options, Console& console) {
    const BenchPlan plan = plan_of(options);
    ModelOptions measured = options.model;
    measured.config.auto_numerics = false; // the same number path for every model, int8 unless asked otherwise
    StepOverhead overhead;
    if (!plan.batch
             .empty()) { // first: stepping by hand pins this thread to a core, and later threads would inherit that
        const int widest = *std::max_element(plan.batch.begin(), plan.batch.end());
        const auto steady = measure_step_overhead(measured, widest, plan.batch_steps);
        if (!steady)
            return console.fail(steady.error());
        overhead = *steady;
    }
    const auto benched = bench_model(measured, options, plan);
    if (!benched)
        return console.fail(benched.error());
    print(benched->results, *benched->model, overhead, options.model.json, console);
    return kExitSuccess;
}

} // namespace vitrine::app
