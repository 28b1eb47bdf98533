// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: writes a model as a folder of safetensors whose matrices are packed as GPTQ, AWQ, INT8, NF4 or FP8.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "engine/quant/group_codes.h"
#include "engine/quant/input_products.h"
#include "engine/quant/quantize_job.h"

namespace vitrine::engine {

enum class CheckpointKind : std::uint8_t { gptq, awq, int8, nf4, fp8 };

/// TYPE and method of `vitrine-cli quantize` that end in a folder: int4 with gptq, awq or rtn (in GPTQ's layout), int8 with rtn
/// (bitsandbytes) or gptq, nf4 and fp8 with rtn.
struct CheckpointTarget {
    CheckpointKind kind = CheckpointKind::gptq;
    int bits = 4;
    bool calibrated = false; // a text is needed
};
/// Nothing: no folder is written so.
[[nodiscard]] std::optional<CheckpointTarget> checkpoint_target(std::string_view type, std::string_view method);
/// Every (type, method) that it takes, types together.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> checkpoint_types();

using ProductsByTensor = std::map<std::string, std::shared_ptr<const InputProducts>>;

struct CheckpointOptions {
    CheckpointTarget target;
    int group_size = 0; // gptq, awq; 0: the largest of 128, 64 and 32 that divides every row
    bool symmetric = false; // gptq
    bool act_order = false; // gptq
    double outlier_threshold = 6; // int8: inputs beyond it are multiplied in 16 bits by readers; 0: none
    int num_threads = 1;
    std::int64_t product_bytes = std::int64_t{1} << 30; // of sums of inputs held at once; a layer may take more
    /// Runs the calibration text and gives the sums of the inputs of these tensors.  Called once for each set of layers.
    std::function<Result<ProductsByTensor>(const std::set<std::string>& tensors)> calibrate;
    std::function<void(std::int64_t bytes_done, std::int64_t bytes_total)> progress; // of the source
    std::stop_token stop; // looked at between matrices
};

/// source: opened by open_model_file(source.path()).  target: a folder that is not there yet; it is written under a temporary
/// name beside it and renamed.  Matrices of the layers are packed; embeddings and head become f16, vectors stay f32.  config.json
/// and tokenizer files come with a folder and are made for a GGUF file.  One matrix at a time is in memory as floats, with AWQ
/// one layer.  Errors: unsupported (experts, encoders, an architecture AWQ's factors are not known for), invalid_argument (the
/// folder exists, a group that does not divide), cancelled, io, what the calibration says; nothing is left behind then.
[[nodiscard]] Result<QuantizeReport> write_checkpoint(
    const gguf::File& source, const std::string& target, const CheckpointOptions& options);

} // namespace vitrine::engine
