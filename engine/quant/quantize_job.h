// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: writes a GGUF file again with other weight formats.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "engine/quant/importance_matrix.h"
#include "engine/quant/quant_mix.h"

namespace vitrine::engine {

struct QuantizedTensor {
    std::string name;
    std::string from, to; // format names
    std::int64_t weights = 0;
    std::int64_t bytes = 0;
    double relative_error = 0; // ||after - before|| / ||before||
};
struct QuantizeReport {
    std::int64_t bytes_before = 0;
    std::int64_t bytes_after = 0;
    double bits_per_weight = 0;
    int weighted_tensors = 0; // whose errors an importance matrix weighed
    std::vector<QuantizedTensor> tensors; // matrices only
};

struct QuantizeOptions {
    QuantMix mix;
    int num_threads = 1;
    const ImportanceMatrix* importance = nullptr; // weighs the errors of the matrices it names
    std::function<void(std::int64_t bytes_done, std::int64_t bytes_total)> progress; // of the source, after every slice
    std::stop_token stop; // looked at between slices
};

/// Round to nearest; vectors stay as they are.  Metadata are kept, general.file_type is the mix's.  Tensors go through memory
/// in slices of at most 64 MiB of floats.  Errors: a tensor type that cannot be read, an importance matrix of another model,
/// cancelled, what quantization or the writer says; the target then stays as it was.
[[nodiscard]] Result<QuantizeReport> quantize_file(
    const gguf::File& source, const std::string& target, const QuantizeOptions& options);

} // namespace vitrine::engine
