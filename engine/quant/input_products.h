// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: the sums of x x^T over the inputs of matrices while a calibration text runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "engine/quant/dense_math.h"
#include "kernels/api/input_observer.h"

namespace vitrine::engine {

/// Of one input; matrices that share it share the sums.
struct InputProducts {
    DenseMatrix sums; // [in_dim, in_dim], both triangles once finish() ran
    std::int64_t num_rows = 0; // seen
};

/// Watches only the tensors it is asked for, since the sums of all of a large model would not fit: one run of the text for each
/// set.  Experts are left out.
class InputProductCollector final : public kernels::InputObserver {
public:
    explicit InputProductCollector(int num_threads) : num_threads_(num_threads) {}

    /// Forgets everything and watches these tensors from now on; an empty set watches nothing.
    void watch(std::set<std::string> tensors);
    void on_input(
        const kernels::WeightGroupSpec& group, int expert, int num_experts, std::span<const float> x) override;
    /// Completes the sums.  By tensor; one that never had an input is missing.
    [[nodiscard]] std::map<std::string, std::shared_ptr<const InputProducts>> finish();

private:
    static constexpr std::int64_t kBufferRows = 64;
    struct Entry {
        std::shared_ptr<InputProducts> products;
        DenseMatrix rows; // [kBufferRows, in_dim]
        std::int64_t buffered = 0;
    };
    void flush(Entry& entry);

    const int num_threads_;
    std::set<std::string> watched_;
    std::map<std::string, std::shared_ptr<Entry>> entries_; // by tensor
};

} // namespace vitrine::engine
