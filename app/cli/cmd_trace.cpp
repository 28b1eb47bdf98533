// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: trace: a workload, and what the engine did with it, for Perfetto.
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_model.h"
#include "engine/lab/load_runner.h"
#include "engine/stats/percentiles.h"
#include "engine/stats/trace_export.h"

namespace vitrine::app {
namespace {

/// Reads the engine's rings before they wrap.  Thread: its own until stop().
class Recorder {
public:
    explicit Recorder(engine::Engine& engine)
        : engine_(engine), thread_([this](const std::stop_token& stop) {
              while (!stop.stop_requested()) {
                  read();
                  std::this_thread::sleep_for(std::chrono::milliseconds(50));
              }
          }) {}

    void stop() {
        thread_.request_stop();
        thread_.join();
        read();
    }
    std::vector<engine::StepRecord> steps;
    std::vector<engine::SequenceLine> lines;

private:
    static constexpr std::size_t kMaxLines = 4'000'000;

    void read() {
        std::vector<engine::StepRecord> some(1024);
        while (const std::size_t count = engine_.read_steps(next_step_, some)) {
            next_step_ = some[count - 1].step + 1;
            if (steps.size() < kMaxLines)
                steps.insert(steps.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
        }
        std::vector<engine::SequenceLine> more(4096);
        while (const std::size_t count = engine_.read_lines(next_line_, more, next_line_)) {
            if (lines.size() < kMaxLines)
                lines.insert(lines.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(count));
        }
    }

    engine::Engine& engine_;
    std::uint64_t next_step_ = 0;
    std::uint64_t next_line_ = 0;
    std::jthread thread_; // last: it uses the rest
};

struct Summary {
    int finished = 0;
    int cancelled = 0;
    int failed = 0;
    int rejected = 0;
    int tokens = 0;
    double seconds = 0;
    std::vector<double> ttft_s;
};

Summary summarise(const std::vector<engine::RequestOutcome>& outcomes) {
    Summary summary;
    for (const engine::RequestOutcome& outcome : outcomes) {
        summary.seconds = std::max(summary.seconds, outcome.end_s);
        summary.tokens += outcome.num_tokens();
        summary.rejected += outcome.rejected ? 1 : 0;
        if (outcome.num_tokens() > 0)
            summary.ttft_s.push_back(outcome.ttft_s);
        for (const engine::Finished& finished : outcome.finished) {
            if (finished.reason == engine::FinishReason::cancelled)
                ++summary.cancelled;
            else if (finished.reason == engine::FinishReason::error)
                ++summary.failed;
            else
                ++summary.finished;
        }
    }
    return summary;
}

void print(const Summary& s, const Recorder& recorded, const TraceOptions& options, Console& console) {
    const double ttft = engine::percentile(s.ttft_s, 0.5);
    if (options.model.json) {
        console.json({{"out", options.out}, {"steps", recorded.steps.size()}, {"finished", s.finished},
            {"cancelled", s.cancelled}, {"failed", s.failed}, {"rejected", s.rejected}, {"tokens", s.tokens},
            {"seconds", s.seconds}, {"ttft_p50", ttft}});
        return;
    }
    console.line(
        fmt::format("{} steps in {:.2f} s: {} tokens; {} choices finished, {} cancelled, {} failed, {} requests "
                    "rejected; TTFT p50 {:.3f} s",
            recorded.steps.size(), s.seconds, s.tokens, s.finished, s.cancelled, s.failed, s.rejected, ttft));
    console.line(fmt::format("{} written; open it at ui.perfetto.dev", options.out));
}

} // namespace

int run_command(const TraceOptions& options, Console& console) {
    const auto text = read_text(options.workload, console);
    if (!text)
        return console.fail(text.error());
    const auto load = engine::parse_workload(*text);
    if (!load)
        return console.fail(load.error());
    std::ofstream file(options.out, std::ios::binary); // before the work: a bad path is said at once
    if (!file)
        return console.fail(Error{ErrorCode::io, fmt::format("{} cannot be written", options.out), "Check the path."});
    auto engine = open_engine(options.model);
    if (!engine)
        return console.fail(engine.error());
    catch_interrupts();
    std::stop_source stop;
    std::jthread watcher([&stop](const std::stop_token& done) {
        while (!done.stop_requested()) {
            if (take_interrupt())
                stop.request_stop();
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    });
    Recorder recorder(**engine);
    const auto outcomes = engine::run_load(**engine, *load, stop.get_token());
    recorder.stop();
    if (!outcomes)
        return console.fail(outcomes.error());
    file << engine::export_trace(recorder.steps, recorder.lines);
    file.close();
    if (!file)
        return console.fail(
            Error{ErrorCode::io, fmt::format("{} could not be written whole", options.out), "Free some disk space."});
    print(summarise(*outcomes), recorder, options, console);
    return kExitSuccess;
}

} // namespace vitrine::app
