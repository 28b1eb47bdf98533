// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: nearest rank, so that every percentile is a value that occurred.
#include "engine/stats/percentiles.h"

#include <algorithm>
#include <cmath>

namespace vitrine::engine {

double percentile(std::span<const double> samples, double q) {
    if (samples.empty())
        return 0;
    std::vector<double> sorted(samples.begin(), samples.end());
    // A hair less than q * n: 0.95 * 20 is 19.000000000000004 in binary and must be rank 19.
    const double rank = std::ceil(q * static_cast<double>(sorted.size()) - 1e-9);
    const auto index = static_cast<std::ptrdiff_t>(std::clamp(rank, 1.0, static_cast<double>(sorted.size()))) - 1;
    std::nth_element(sorted.begin(), sorted.begin() + index, sorted.end());
    return sorted[static_cast<std::size_t>(index)];
}

void SampleWindow::add(double sample) {
    if (samples_.size() < capacity_) {
        samples_.push_back(sample);
        return;
    }
    samples_[next_] = sample;
    next_ = (next_ + 1) % capacity_;
}

std::array<double, 3> SampleWindow::p50_p95_p99() const {
    return {percentile(samples_, 0.50), percentile(samples_, 0.95), percentile(samples_, 0.99)};
}

} // namespace vitrine::engine
