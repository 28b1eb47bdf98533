// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: synth and quantize: the subcommands that write model files.
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/folder_quantization.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_model.h"
#include "app/cli/progress_note.h"
#include "app/cli/quality_report.h"
#include "engine/base/format.h"
#include "engine/model/synthetic_model.h"
#include "engine/quant/quantize_job.h"

namespace vitrine::app {
namespace {

int threads_of(const QuantizeOptions& options) {
    return options.num_threads > 0 ? options.num_threads
                                   : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

Result<engine::QuantizeReport> quantize(const QuantizeOptions& options, Console& console) {
    const auto folder = engine::checkpoint_target(options.type, options.method);
    VT_TRY(folder);
    if (*folder)
        return quantize_to_folder(options, **folder, threads_of(options), console);
    if (options.method != "rtn")
        return fail(ErrorCode::invalid_argument,
            fmt::format("{} is not written by the method \"{}\"", options.type, options.method),
            "Use --method rtn, or the type int4 or int8.");
    const auto mix = engine::quant_mix_from_name(options.type);
    if (!mix)
        return fail(ErrorCode::invalid_argument, mix.error().message, mix.error().remedy);
    auto source = open_model_file(options.in);
    VT_TRY(source);
    engine::QuantizeOptions job;
    job.mix = *mix;
    job.num_threads = threads_of(options);
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
    // A text that gptq or awq has seen would flatter them.
    const bool seen = options.method != "rtn";
    auto text =
        quality_text(options.text_file.empty() && !seen ? options.calibration_file : options.text_file, console);
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
