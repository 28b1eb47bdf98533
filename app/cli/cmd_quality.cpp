// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: quality and imatrix: what quantization costs, and what makes it cost less.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_model.h"
#include "app/cli/progress_note.h"
#include "engine/lab/quality_report.h"
#include "engine/lab/text_scoring.h"

namespace vitrine::app {
namespace {

Result<void> collect(const ImatrixOptions& options, Console& console) {
    auto text = read_text(options.text_file, console);
    VT_TRY(text);
    engine::InputStatistics statistics;
    ModelOptions model_options = options.model;
    if (model_options.config.device == "auto")
        model_options.config.device = "cpu";
    auto model = open_direct(model_options, options.window, 1, &statistics);
    VT_TRY(model);
    statistics = {}; // warm-up
    auto windows = engine::cut_windows(*model->session().text, *text, options.window, options.max_windows);
    VT_TRY(windows);
    for (std::size_t i = 0; i < windows->size(); ++i) {
        if (take_interrupt())
            return fail(ErrorCode::cancelled, "the importance matrix was cancelled", "Nothing was written.");
        VT_TRY(model->feed(0, 0, (*windows)[i], {}));
        console.note(fmt::format("window {} of {}", i + 1, windows->size()));
    }
    if (statistics.num_tensors() == 0)
        return fail(ErrorCode::unsupported, "no matrix of this model was observed", "Report this.");
    return statistics.write(options.out, std::filesystem::path(options.text_file).filename().string(),
        std::ssize(*windows), options.window);
}

} // namespace

int run_command(const ImatrixOptions& options, Console& console) {
    catch_interrupts();
    if (const auto done = collect(options, console); !done)
        return console.fail(done.error());
    console.note(fmt::format("wrote {}", options.out));
    return kExitSuccess;
}

int run_command(const QualityOptions& options, Console& console) {
    auto text = read_quality_text(options.text_file, console);
    if (!text)
        return console.fail(text.error());
    text->window = options.window;
    text->max_windows = options.max_windows;
    std::stop_source stop;
    ProgressNote note(console, stop);
    catch_interrupts();
    const auto report = engine::compare_quality(
        {model_path(options.model.model), model_path(options.reference), options.model.config}, *text,
        {[&](std::int64_t done, std::int64_t total) {
             note.say(fmt::format("{} of {} tokens", done, total), done == total);
         },
            stop.get_token()});
    if (!report)
        return console.fail(report.error());
    if (const auto written = engine::write_markdown(options.markdown_file, nullptr, &*report); !written)
        return console.fail(written.error());
    if (options.model.json)
        console.json(to_json(*report));
    else
        console.write(engine::to_markdown(nullptr, &*report));
    return kExitSuccess;
}

} // namespace vitrine::app
