// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: synth and quantize: the subcommands that write model files.
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/open_model.h"
#include "engine/base/format.h"
#include "engine/model/synthetic_model.h"
#include "engine/quant/quantize_job.h"

namespace vitrine::app {
namespace {

nlohmann::ordered_json to_json(const engine::QuantizeReport& report, bool with_tensors) {
    nlohmann::ordered_json json{{"bytes_before", report.bytes_before}, {"bytes_after", report.bytes_after},
        {"bits_per_weight", report.bits_per_weight}};
    if (!with_tensors)
        return json;
    for (const engine::QuantizedTensor& tensor : report.tensors)
        json["tensors"].push_back({{"name", tensor.name}, {"from", tensor.from}, {"to", tensor.to},
            {"bytes", tensor.bytes}, {"relative_error", tensor.relative_error}});
    return json;
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
    const auto mix = engine::quant_mix_from_name(options.type);
    if (!mix)
        return console.fail(Error{ErrorCode::invalid_argument, mix.error().message, mix.error().remedy});
    auto source = open_model_file(options.in);
    if (!source)
        return console.fail(source.error());
    const int threads = options.num_threads > 0 ? options.num_threads
                                                : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const auto report = engine::quantize_file(**source, options.out, *mix, threads);
    if (!report)
        return console.fail(report.error());
    if (options.json) {
        console.json({{"report", to_json(*report, options.report)}});
        return kExitSuccess;
    }
    console.line(
        fmt::format("{}: {} -> {}, {:.2f} bits per weight", options.out, engine::format_bytes(report->bytes_before),
            engine::format_bytes(report->bytes_after), report->bits_per_weight));
    for (const engine::QuantizedTensor& tensor : report->tensors)
        if (options.report)
            console.line(fmt::format(
                "  {:<28} {:>6} -> {:<6} error {:.5f}", tensor.name, tensor.from, tensor.to, tensor.relative_error));
    return kExitSuccess;
}

} // namespace vitrine::app
