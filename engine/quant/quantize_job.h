// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: writes a GGUF file again with other weight formats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"
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
    std::vector<QuantizedTensor> tensors; // matrices only
};

/// Round to nearest; vectors stay as they are.  Metadata are kept, general.file_type is the mix's.  Errors: a tensor type
/// that cannot be read, what quantization or the writer says.
[[nodiscard]] Result<QuantizeReport> quantize_file(
    const gguf::File& source, const std::string& target, const QuantMix& mix, int num_threads);

} // namespace vitrine::engine
