// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: one quantization from the source to the report, for the command line and the window.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lab/quality_report.h"
#include "engine/quant/quantize_job.h"

namespace vitrine::engine {

/// A type that can be written, and the methods that write it ("rtn" first where it does).
struct QuantizationType {
    std::string_view name; // "q4_k_m", "int4"
    std::vector<std::string_view> methods;
    bool is_folder = false; // a folder of safetensors; else a GGUF file
};
[[nodiscard]] const std::vector<QuantizationType>& quantization_types();

struct QuantizationTask {
    std::string source; // file or folder of a model
    std::string target; // file, or folder that is not there yet
    std::string type;
    std::string method = "rtn";
    std::string importance_file; // GGUF types only
    std::string calibration_text; // whose inputs gptq and awq see
    int calibration_windows = 32; // of 512 tokens; 0: all whole windows
    int group_size = 0; // int4, gptq, awq; 0: the largest of 128, 64 and 32 that divides every row
    bool act_order = false; // gptq
    bool symmetric = false; // int4, gptq
    double outlier_threshold = 6; // int8 by rtn
    int num_threads = 0; // 0: all
    std::optional<QualityText> judged_by; // none: the written model is not run
};

enum class QuantizationPhase : std::uint8_t { calibrating, writing, judging };
struct QuantizationProgress {
    QuantizationPhase phase = QuantizationPhase::writing;
    std::int64_t done = 0, total = 0; // windows of text, bytes of the source, tokens of text
    std::size_t num_matrices = 0; // calibrating: that are watched
};
struct QuantizationRun {
    std::function<void(const QuantizationProgress&)> progress; // may be empty
    std::stop_token stop;
};

struct QuantizationResult {
    QuantizeReport written;
    std::optional<QualityReport> quality;
    std::string why_no_quality; // the model was written and is good, but could not be judged, or judging was stopped
};

/// Errors: invalid_argument: no such type (with the nearest), a method that does not write it, an option that means nothing for
/// it, a calibrated method without a text; cancelled while writing; what reading, calibrating and writing say.  Nothing is
/// left behind then.  Thread: any, blocks.
[[nodiscard]] Result<QuantizationResult> run_quantization(const QuantizationTask& task, const QuantizationRun& run);

} // namespace vitrine::engine
