// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: folders of packed safetensors.
#include "app/cli/folder_quantization.h"

#include <optional>

#include "app/cli/direct_model.h"
#include "app/cli/open_model.h"
#include "app/cli/progress_note.h"
#include "app/cli/text_scoring.h"

namespace vitrine::app {
namespace {

using engine::InputProductCollector;
using engine::ProductsByTensor;

constexpr int kWindow = 512; // tokens

/// The source, run over the calibration text once for each set of layers.
class Calibration {
public:
    Calibration(const QuantizeOptions& options, int num_threads, Console& console)
        : options_(options), console_(console), collector_(num_threads) {}

    Result<ProductsByTensor> run(const std::set<std::string>& tensors) {
        VT_TRY(prepare());
        collector_.watch(tensors);
        for (std::size_t i = 0; i < windows_.size(); ++i) {
            if (take_interrupt())
                return fail(ErrorCode::cancelled, fmt::format("quantizing {} was cancelled", options_.in),
                    "Nothing was written.");
            VT_TRY(model_->feed(0, 0, windows_[i], {}));
            console_.note(
                fmt::format("calibrating {} matrices: window {} of {}", tensors.size(), i + 1, windows_.size()));
        }
        return collector_.finish();
    }

private:
    Result<void> prepare() {
        if (model_)
            return {};
        auto text = read_text(options_.calibration_file, console_);
        VT_TRY(text);
        ModelOptions model_options;
        model_options.model = options_.in;
        model_options.config.device = "cpu"; // the one that can be observed
        model_options.config.num_threads = options_.num_threads;
        auto model = DirectModel::open(model_options, kWindow, 1, &collector_);
        VT_TRY(model);
        model_.emplace(*std::move(model));
        auto windows = cut_windows(*model_->session().text, *text, kWindow, options_.calibration_windows);
        VT_TRY(windows);
        windows_ = *std::move(windows);
        return {};
    }

    const QuantizeOptions& options_;
    Console& console_;
    InputProductCollector collector_; // outlives the model
    std::optional<DirectModel> model_;
    std::vector<std::vector<engine::TokenId>> windows_;
};

/// An option that the type does not know would be dropped without a word.
Result<void> check_options(const QuantizeOptions& options, const engine::CheckpointTarget& target) {
    using engine::CheckpointKind;
    const bool gptq = target.kind == CheckpointKind::gptq;
    const auto refuse = [&](const char* option) {
        return fail(ErrorCode::invalid_argument,
            fmt::format("{} means nothing for {} by {}", option, options.type, options.method), "Leave it out.");
    };
    if (options.act_order && !(gptq && target.calibrated))
        return refuse("--act-order");
    if (options.symmetric && !gptq)
        return refuse("--symmetric");
    if (options.group_size != 0 && !gptq && target.kind != CheckpointKind::awq)
        return refuse("--group-size");
    if (!options.importance_file.empty())
        return refuse("--imatrix");
    if (target.calibrated && options.calibration_file.empty())
        return fail(ErrorCode::invalid_argument,
            fmt::format("the method {} needs a text to see the model at work", options.method),
            "Give one with --calibration FILE, a few pages of what the model will be asked.");
    return {};
}

} // namespace

Result<engine::QuantizeReport> quantize_to_folder(
    const QuantizeOptions& options, const engine::CheckpointTarget& target, int num_threads, Console& console) {
    VT_TRY(check_options(options, target));
    const auto source = open_model_file(options.in);
    VT_TRY(source);
    engine::CheckpointOptions job;
    job.target = target;
    job.group_size = options.group_size;
    job.symmetric = options.symmetric;
    job.act_order = options.act_order;
    job.outlier_threshold = options.outlier_threshold;
    job.num_threads = num_threads;
    Calibration calibration(options, num_threads, console);
    job.calibrate = [&](const std::set<std::string>& tensors) { return calibration.run(tensors); };
    std::stop_source stop;
    job.stop = stop.get_token();
    job.progress = ProgressNote(console, stop);
    catch_interrupts();
    auto report = engine::write_checkpoint(**source, options.out, job);
    VT_TRY(report);
    for (const engine::QuantizedTensor& tensor : report->tensors)
        if (tensor.name.starts_with("blk.") && tensor.to != "f16") {
            console.note(fmt::format("layers as {}", tensor.to)); // the group size may have been chosen here
            break;
        }
    return report;
}

} // namespace vitrine::app
