// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: what a quantized model lost against the one it was made from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/direct_model.h"
#include "engine/quant/quantize_job.h"

namespace vitrine::app {

struct QualityReport {
    struct Side {
        std::string path;
        std::int64_t weight_bytes = 0;
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

struct QualityText {
    std::string name;
    std::string text;
    int window = 256; // cut to the text's length
    int max_windows = 0;
};

/// The text of `file` (as read_text), or the built-in one where it is empty.
[[nodiscard]] Result<QualityText> quality_text(const std::string& file, Console& console);
/// Both models are loaded with `options` (model and reference by path) and fed the same windows in chunks, so that the logits of
/// one chunk lie in memory, not those of the text.  Errors: what loading says; invalid_argument: vocabularies of different
/// sizes, no tokenizer.
[[nodiscard]] Result<QualityReport> compare_quality(
    const ModelOptions& options, const std::string& reference, const QualityText& text);

[[nodiscard]] nlohmann::ordered_json to_json(const QualityReport& report);
[[nodiscard]] nlohmann::ordered_json to_json(const engine::QuantizeReport& report, bool with_tensors);
/// Either part may be missing.
[[nodiscard]] std::string to_markdown(const engine::QuantizeReport* tensors, const QualityReport* quality);
/// to_markdown() into `file`; without a name nothing.  Errors: io.
[[nodiscard]] Result<void> write_markdown(
    const std::string& file, const engine::QuantizeReport* tensors, const QualityReport* quality);

} // namespace vitrine::app
