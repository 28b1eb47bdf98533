// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: synth and quantize: the subcommands that write model files.
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_model.h"
#include "app/cli/quality_report.h"
#include "engine/base/format.h"
#include "engine/model/synthetic_model.h"
#include "engine/quant/quantize_job.h"

namespace vitrine::app {
namespace {

/// Asks the console's signals on the way, and says how far it is, at most twice a second.
class ProgressNote {
public:
    ProgressNote(Console& console, std::stop_source& stop) : console_(console), stop_(stop) {}
    void operator()(std::int64_t done, std::int64_t total) {
        if (take_interrupt())
            stop_.request_stop();
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(500) && done < total)
            return;
        last_ = now;
        console_.note(fmt::format("{} of {}", engine::format_bytes(done), engine::format_bytes(total)));
    }

private:
    Console& console_;
    std::stop_source& stop_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Result<engine::QuantizeReport> quantize(const QuantizeOptions& options, Console& console) {
    const auto mix = engine::quant_mix_from_name(options.type);
    if (!mix)
        return fail(ErrorCode::invalid_argument, mix.error().message, mix.error().remedy);
    auto source = open_model_file(options.in);
    VT_TRY(source);
    engine::QuantizeOptions job;
    job.mix = *mix;
    job.num_threads = options.num_threads > 0 ? options.num_threads
                                              : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    Result<engine::ImportanceMatrix> importance = engine::ImportanceMatrix{};
    if (!options.importance_file.empty()) {
        importance = engine::read_importance_matrix(options.importance_file);
        VT_TRY(importance);
        job.importance = &*importance;
    }
    std::stop_source stop;
    job.stop = stop.get_token();
    job.progress = ProgressNote(console, stop);
    catch_interrupts();
    return engine::quantize_file(**source, options.out, job);
}

/// With --report: how the written file answers, against its source.
Result<QualityReport> judge(const QuantizeOptions& options, Console& console) {
    auto text = quality_text(options.text_file, console);
    VT_TRY(text);
    ModelOptions model;
    model.model = options.out;
    model.config.num_threads = options.num_threads;
    return compare_quality(model, options.in, *text);
}

} // namespace

int run_command(const SynthOptions& options, Console& console) {
    const auto preset = engine::find_shape_preset(options.preset);
    if (!preset)
        return console.fail(Error{ErrorCode::invalid_argument, preset.error().message, preset.error().remedy});
    const auto mix = engine::quant_mix_from_name(options.type);
    if (!mix)
        return console.fail(Error{ErrorCode::invalid_argument, mix.error().message, mix.error().remedy});
    if (const auto written = engine::write_synthetic_model(*preset, *mix, options.seed, options.out); !written)
        return console.fail(written.error());
    console.note(fmt::format("wrote {}", options.out));
    return kExitSuccess;
}

int run_command(const QuantizeOptions& options, Console& console) {
    if (options.method != "rtn")
        return console.fail(Error{ErrorCode::invalid_argument,
            fmt::format("quantization method \"{}\" is not in this build", options.method), "Use --method rtn."});
    const auto report = quantize(options, console);
    if (!report)
        return console.fail(report.error());
    std::optional<QualityReport> quality;
    if (options.report) {
        auto judged = judge(options, console);
        if (judged)
            quality = *std::move(judged);
        else // the file is written and good; a model without tokenizer cannot be judged by text
            console.note(fmt::format("no quality report: {}", judged.error().message));
    }
    const QualityReport* judged = quality ? &*quality : nullptr;
    if (const auto written = write_markdown(options.markdown_file, &*report, judged); !written)
        return console.fail(written.error());
    if (options.json) {
        nlohmann::ordered_json json = to_json(*report, options.report);
        if (judged != nullptr)
            json["quality"] = to_json(*judged);
        console.json({{"report", json}});
    } else if (options.report) {
        console.write(to_markdown(&*report, judged));
    } else {
        console.line(
            fmt::format("{}: {} -> {}, {:.2f} bits per weight", options.out, engine::format_bytes(report->bytes_before),
                engine::format_bytes(report->bytes_after), report->bits_per_weight));
    }
    return kExitSuccess;
}

} // namespace vitrine::app
