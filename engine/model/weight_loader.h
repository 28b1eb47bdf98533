// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: carries a program's weights from the file to a backend, group by group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "kernels/api/backend.h"
#include "kernels/api/program.h"

namespace vitrine::engine {

/// Bytes of the file done, and in all.  Called after every group.  Thread: the loader's.
using WeightProgress = std::function<void(std::int64_t bytes_done, std::int64_t bytes_total)>;

struct WeightLoad {
    int num_threads = 1; // for re-quantizing; the backend has its own
    WeightProgress progress;
    std::stop_token stop; // looked at between groups
    std::span<const std::vector<std::byte>>
        behind{}; // the program's last groups, which the file does not hold: adapters
};

/// Uploads every group once.  A member whose program format differs from the file's is re-quantized first.  Pages are
/// dropped when their group is done, so that file and copy never both stay in memory.  Returns the bytes uploaded.
/// Errors: cancelled; what upload or quantization says.  Requires: the program was built from this file.
[[nodiscard]] Result<std::int64_t> load_weights(
    const gguf::File& file, const kernels::Program& program, kernels::Backend& backend, const WeightLoad& load);

} // namespace vitrine::engine
