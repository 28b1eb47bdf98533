// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: synth and quantize: the subcommands that write model files.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_model.h"
#include "app/cli/progress_note.h"
#include "engine/base/format.h"
#include "engine/lab/quantization.h"
#include "engine/model/synthetic_model.h"

namespace vitrine::app {
namespace {

Result<engine::QuantizationTask> task_of(const QuantizeOptions& options, Console& console) {
    engine::QuantizationTask task;
    task.source = model_path(options.in);
    task.target = options.out;
    task.type = options.type;
    task.method = options.method;
    task.importance_file = options.importance_file;
    task.calibration_windows = options.calibration_windows;
    task.group_size = options.group_size;
    task.act_order = options.act_order;
    task.symmetric = options.symmetric;
    task.outlier_threshold = options.outlier_threshold;
    task.num_threads = options.num_threads;
    const bool calibrated = options.method != "rtn";
    if (calibrated && !options.calibration_file.empty()) {
        auto text = read_text(options.calibration_file, console);
        VT_TRY(text);
        task.calibration_text = *std::move(text);
    }
    if (options.report) { // a text that gptq or awq has seen would flatter them
        auto text = read_quality_text(
            options.text_file.empty() && !calibrated ? options.calibration_file : options.text_file, console);
        VT_TRY(text);
        task.judged_by = *std::move(text);
    }
    return task;
}

/// Says how far it is; Ctrl-C stops the job.
Result<engine::QuantizationResult> quantize(const QuantizeOptions& options, Console& console) {
    const auto task = task_of(options, console);
    VT_TRY(task);
    std::stop_source stop;
    ProgressNote note(console, stop);
    const auto progress = [&](const engine::QuantizationProgress& now) {
        using Phase = engine::QuantizationPhase;
        if (now.phase == Phase::writing)
            return note(now.done, now.total);
        note.say(now.phase == Phase::calibrating
                ? fmt::format("calibrating {} matrices: window {} of {}", now.num_matrices, now.done, now.total)
                : fmt::format("comparing with the source: {} of {} tokens", now.done, now.total),
            now.done == now.total);
    };
    catch_interrupts();
    return engine::run_quantization(*task, {progress, stop.get_token()});
}

/// The group size of a folder may have been chosen here.
void note_layers(const engine::QuantizeReport& report, Console& console) {
    for (const engine::QuantizedTensor& tensor : report.tensors)
        if (tensor.name.starts_with("blk.") && tensor.to.find('-') != std::string::npos)
            return console.note(fmt::format("layers as {}", tensor.to));
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
    const auto result = quantize(options, console);
    if (!result)
        return console.fail(result.error());
    const engine::QuantizeReport& report = result->written;
    note_layers(report, console);
    if (!result->why_no_quality.empty())
        console.note(fmt::format("no quality report: {}", result->why_no_quality));
    const engine::QualityReport* judged = result->quality ? &*result->quality : nullptr;
    if (const auto written = engine::write_markdown(options.markdown_file, &report, judged); !written)
        return console.fail(written.error());
    if (options.json) {
        console.json(engine::report_json(report, options.report, judged));
    } else if (options.report) {
        console.write(engine::to_markdown(&report, judged));
    } else {
        console.line(
            fmt::format("{}: {} -> {}, {:.2f} bits per weight", options.out, engine::format_bytes(report.bytes_before),
                engine::format_bytes(report.bytes_after), report.bits_per_weight));
    }
    return kExitSuccess;
}

} // namespace vitrine::app
