// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: what a quantized model lost against the one it was made from.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/api/engine_config.h"
#include "engine/api/model_info.h"
#include "engine/base/result.h"
#include "engine/quant/quantize_job.h"

namespace vitrine::engine {

struct QualityReport {
    struct Side {
        std::string path;
        std::int64_t weight_bytes = 0; // in the file or folder
        double bits_per_weight = 0;
        double mean_nll = 0; // nats a token
    };
    struct Answer {
        std::string prompt, reference, candidate; // greedy
    };
    Side reference, candidate;
    int num_positions = 0;
    double mean_kl = 0; // KL(reference || candidate), nats
    double kl_999 = 0; // 99.9th percentile over positions, nearest rank
    double largest_kl = 0;
    double top1_agreement = 0; // 0..1
    std::string text_name; // what was scored
    std::vector<Answer> answers; // empty without a tokenizer
};

/// As they lie in the file or folder: a packed folder is unpacked when it is read, to more than its files hold.
[[nodiscard]] std::int64_t stored_weight_bytes(const ModelInfo& info) noexcept;

struct QualityText {
    std::string name;
    std::string text;
    int window = 256; // cut to the text's length
    int max_windows = 0;
};
/// The one that comes with the program.
[[nodiscard]] QualityText built_in_quality_text();

/// Two models and how both are loaded; the reference always in its file's types.
struct QualityPair {
    std::string candidate, reference; // paths
    EngineConfig config;
};
struct QualityRun {
    std::function<void(std::int64_t done, std::int64_t total)> progress; // tokens of the text; may be empty
    std::stop_token stop; // looked at between chunks and answers
};

/// Both models are fed the same windows in chunks, so that the logits of one chunk lie in memory, not those of the text.
/// Errors: what loading says; invalid_argument: vocabularies of different sizes, no tokenizer; cancelled.  Thread: any, blocks.
[[nodiscard]] Result<QualityReport> compare_quality(
    const QualityPair& models, const QualityText& text, const QualityRun& run);

[[nodiscard]] nlohmann::ordered_json to_json(const QualityReport& report);
/// Both in one document: what `vitrine-cli quantize --json` prints.
[[nodiscard]] nlohmann::ordered_json report_json(
    const QuantizeReport& report, bool with_tensors, const QualityReport* quality);
/// The same with tensors, as a file's text.
[[nodiscard]] std::string to_json_text(const QuantizeReport& report, const QualityReport* quality);
/// Either part may be missing.
[[nodiscard]] std::string to_markdown(const QuantizeReport* tensors, const QualityReport* quality);
/// to_markdown() into `file`; without a name nothing.  Errors: io.
[[nodiscard]] Result<void> write_markdown(
    const std::string& file, const QuantizeReport* tensors, const QualityReport* quality);

} // namespace vitrine::engine
