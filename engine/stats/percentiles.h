// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: percentiles by nearest rank of raw samples.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace vitrine::engine {

/// x_(ceil(q * n)) of the sorted samples; 0 if there are none.  0 < q <= 1.
[[nodiscard]] double percentile(std::span<const double> samples, double q);

/// The last `capacity` samples.  Thread: engine.
class SampleWindow {
public:
    explicit SampleWindow(std::size_t capacity = 1000) : capacity_(capacity) {}

    void add(double sample);
    [[nodiscard]] std::size_t size() const noexcept { return samples_.size(); }
    [[nodiscard]] std::span<const double> samples() const noexcept { return samples_; } // not in order of time
    /// p50, p95, p99; p99 below 100 samples is the maximum, as nearest rank gives it.
    [[nodiscard]] std::array<double, 3> p50_p95_p99() const;

private:
    std::size_t capacity_;
    std::vector<double> samples_;
    std::size_t next_ = 0;
};

} // namespace vitrine::engine
