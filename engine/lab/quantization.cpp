// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: quantizations.
#include "engine/lab/quantization.h"

#include <algorithm>
#include <thread>

#include <fmt/ranges.h>

#include "engine/base/nearest_name.h"
#include "engine/lab/direct_model.h"
#include "engine/lab/text_scoring.h"
#include "engine/model/checkpoint_job.h"
#include "engine/model/model_file.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr int kWindow = 512; // tokens of calibration

int threads_of(const QuantizationTask& task) {
    return task.num_threads > 0 ? task.num_threads
                                : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

void report(const QuantizationRun& run, const QuantizationProgress& progress) {
    if (run.progress)
        run.progress(progress);
}

/// The source, run over the calibration text once for each set of layers.
class Calibration {
public:
    Calibration(const QuantizationTask& task, const QuantizationRun& run)
        : task_(task), run_(run), collector_(threads_of(task)) {}

    Result<ProductsByTensor> operator()(const std::set<std::string>& tensors) {
        VT_TRY(prepare());
        collector_.watch(tensors);
        for (std::size_t i = 0; i < windows_.size(); ++i) {
            if (run_.stop.stop_requested())
                return fail(ErrorCode::cancelled, say(Sentence::quantizing_cancelled, task_.source),
                    say(Sentence::nothing_was_written));
            VT_TRY(model_->feed(0, 0, windows_[i], {}));
            report(run_,
                {QuantizationPhase::calibrating, static_cast<std::int64_t>(i) + 1, std::ssize(windows_),
                    tensors.size()});
        }
        return collector_.finish();
    }

private:
    Result<void> prepare() {
        if (model_)
            return {};
        EngineConfig config;
        config.device = "cpu"; // the one that can be observed
        config.num_threads = task_.num_threads;
        auto model = DirectModel::open(task_.source, config, kWindow, 1, &collector_);
        VT_TRY(model);
        model_.emplace(*std::move(model));
        auto windows = cut_windows(*model_->session().text, task_.calibration_text, kWindow, task_.calibration_windows);
        VT_TRY(windows);
        windows_ = *std::move(windows);
        return {};
    }

    const QuantizationTask& task_;
    const QuantizationRun& run_;
    InputProductCollector collector_; // outlives the model
    std::optional<DirectModel> model_;
    std::vector<std::vector<TokenId>> windows_;
};

/// An option that the type does not know would be dropped without a word.
Result<void> check_options(const QuantizationTask& task, const std::optional<CheckpointTarget>& target) {
    const bool gptq = target && target->kind == CheckpointKind::gptq;
    const bool awq = target && target->kind == CheckpointKind::awq;
    const auto refuse = [&](const char* option) {
        return fail(ErrorCode::invalid_argument, say(Sentence::option_without_meaning, option, task.type, task.method),
            say(Sentence::leave_option_out));
    };
    if (task.act_order && !(gptq && target->calibrated))
        return refuse("--act-order");
    if (task.symmetric && !gptq)
        return refuse("--symmetric");
    if (task.group_size != 0 && !gptq && !awq)
        return refuse("--group-size");
    if (target && !task.importance_file.empty())
        return refuse("--imatrix");
    if (target && target->calibrated && task.calibration_text.empty())
        return fail(ErrorCode::invalid_argument, say(Sentence::method_without_text, task.method),
            say(Sentence::give_calibration));
    return {};
}

/// The methods that write the type, and the types that the method writes where there are any.
Phrase other_ways(const QuantizationType& wanted, std::string_view method) {
    std::vector<std::string_view> names;
    for (const QuantizationType& type : quantization_types()) {
        if (std::find(type.methods.begin(), type.methods.end(), method) != type.methods.end())
            names.push_back(type.name);
    }
    const std::string methods = fmt::format("{}", fmt::join(wanted.methods, ", "));
    return names.empty()
        ? say(Sentence::use_methods, methods)
        : say(Sentence::use_methods_or_types, methods, method, fmt::format("{}", fmt::join(names, ", ")));
}

/// What writes the type by the method; nothing: a GGUF file.
Result<std::optional<CheckpointTarget>> target_of(const QuantizationTask& task) {
    std::vector<std::string_view> names;
    const QuantizationType* wanted = nullptr;
    for (const QuantizationType& type : quantization_types()) {
        names.push_back(type.name);
        if (type.name == task.type)
            wanted = &type;
    }
    if (wanted == nullptr)
        return fail(
            ErrorCode::invalid_argument, say(Sentence::quantization_unknown, task.type), known_names(task.type, names));
    if (std::find(wanted->methods.begin(), wanted->methods.end(), task.method) == wanted->methods.end())
        return fail(ErrorCode::invalid_argument, say(Sentence::method_writes_not, task.type, task.method),
            other_ways(*wanted, task.method));
    return checkpoint_target(task.type, task.method);
}

Result<QuantizeReport> write_folder(const gguf::File& source, const QuantizationTask& task,
    const CheckpointTarget& target, const QuantizationRun& run) {
    CheckpointOptions job;
    job.target = target;
    job.group_size = task.group_size;
    job.symmetric = task.symmetric;
    job.act_order = task.act_order;
    job.outlier_threshold = task.outlier_threshold;
    job.num_threads = threads_of(task);
    Calibration calibration(task, run);
    job.calibrate = [&](const std::set<std::string>& tensors) { return calibration(tensors); };
    job.stop = run.stop;
    job.progress = [&](std::int64_t done, std::int64_t total) {
        report(run, {QuantizationPhase::writing, done, total});
    };
    return write_checkpoint(source, task.target, job);
}

Result<QuantizeReport> write_file(const gguf::File& source, const QuantizationTask& task, const QuantizationRun& run) {
    const auto mix = quant_mix_from_name(task.type);
    VT_TRY(mix);
    QuantizeOptions job;
    job.mix = *mix;
    job.num_threads = threads_of(task);
    Result<ImportanceMatrix> importance = ImportanceMatrix{};
    if (!task.importance_file.empty()) {
        importance = read_importance_matrix(task.importance_file);
        VT_TRY(importance);
        job.importance = &*importance;
    }
    job.stop = run.stop;
    job.progress = [&](std::int64_t done, std::int64_t total) {
        report(run, {QuantizationPhase::writing, done, total});
    };
    return quantize_file(source, task.target, job);
}

/// How the written model answers, against its source.
void judge(const QuantizationTask& task, const QuantizationRun& run, QuantizationResult& result) {
    EngineConfig config;
    config.num_threads = task.num_threads;
    QualityRun quality{[&](std::int64_t done, std::int64_t total) {
                           report(run, {QuantizationPhase::judging, done, total});
                       },
        run.stop};
    auto judged = compare_quality({task.target, task.source, config}, *task.judged_by, quality);
    if (judged)
        result.quality = *std::move(judged);
    else // a model without tokenizer cannot be judged by text
        result.why_no_quality = judged.error().message;
}

std::vector<QuantizationType> list_types() {
    std::vector<QuantizationType> types;
    for (const std::string_view mix : quant_mix_names())
        types.push_back({mix, {"rtn"}, false});
    for (const auto& [type, method] : checkpoint_types()) {
        if (types.back().name != type)
            types.push_back({type, {}, true});
        types.back().methods.push_back(method);
    }
    for (QuantizationType& type : types)
        std::stable_partition(
            type.methods.begin(), type.methods.end(), [](std::string_view method) { return method == "rtn"; });
    return types;
}

} // namespace

const std::vector<QuantizationType>& quantization_types() {
    static const std::vector<QuantizationType> types = list_types();
    return types;
}

Result<QuantizationResult> run_quantization(const QuantizationTask& given, const QuantizationRun& run) {
    QuantizationTask task = given;
    std::transform(task.type.begin(), task.type.end(), task.type.begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto folder = target_of(task);
    VT_TRY(folder);
    VT_TRY(check_options(task, *folder));
    QuantizationResult result;
    {
        const auto source = open_model_file(task.source);
        VT_TRY(source);
        auto written = *folder ? write_folder(**source, task, **folder, run) : write_file(**source, task, run);
        VT_TRY(written);
        result.written = *std::move(written);
    }
    if (task.judged_by)
        judge(task, run, result);
    return result;
}

} // namespace vitrine::engine
