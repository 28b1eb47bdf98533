// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: step times by rows.
#include "engine/spec/step_costs.h"

#include <algorithm>
#include <cmath>

namespace vitrine::engine {
namespace {

constexpr double kKeep = 0.8;
constexpr double kGuessedRow = 0.2; // of a step, for each row beyond what was measured
constexpr double kOutlier = 1.5; // a step this much slower than the mean was disturbed: it counts as this much
constexpr double kExactRows = 32; // buckets of one row each, then eight for each doubling
constexpr int kReads = 16; // a proposal that read so many tokens measures reading

std::size_t bucket_of(int num_rows, std::size_t count) {
    const double rows = std::max(num_rows, 1);
    const double index = rows <= kExactRows ? rows - 1 : kExactRows - 1 + std::ceil(8 * std::log2(rows / kExactRows));
    return std::min(static_cast<std::size_t>(index), count - 1);
}

double mean_of(double mean, double sample) {
    return kKeep * mean + (1 - kKeep) * std::min(sample, kOutlier * mean);
}

} // namespace

void StepCosts::record_step(int num_rows, std::chrono::nanoseconds time) noexcept {
    const double seconds = std::chrono::duration<double>(time).count();
    Bucket& bucket = buckets_[bucket_of(num_rows, buckets_.size())];
    const bool fresh = bucket.num_samples++ == 0;
    bucket.rows = fresh ? num_rows : mean_of(bucket.rows, num_rows);
    bucket.seconds = fresh ? seconds : mean_of(bucket.seconds, seconds);
}

void StepCosts::record_drafting(
    int num_seqs, int num_rounds, int num_followed, std::chrono::nanoseconds time) noexcept {
    const double step = seconds_of(num_seqs);
    if (step <= 0)
        return;
    const double steps = std::chrono::duration<double>(time).count() / step;
    if (num_followed >= kReads) {
        const double reading = (steps - num_rounds * std::max(draft_, 0.0)) / num_followed;
        follow_ = follow_ == 0 ? std::max(reading, 0.0) : mean_of(follow_, std::max(reading, 0.0));
    } else if (num_rounds > 0) {
        const double round = steps / num_rounds;
        draft_ = draft_ < 0 ? round : mean_of(draft_, round);
    }
}

DraftCosts StepCosts::costs(int num_seqs) const noexcept {
    DraftCosts costs;
    if (draft_ >= 0)
        costs.draft = draft_;
    costs.follow = follow_;
    costs.verify[0] = 1;
    const double plain = seconds_of(num_seqs);
    for (std::size_t gamma = 1; gamma < costs.verify.size(); ++gamma) {
        const double rows = num_seqs * (1.0 + static_cast<double>(gamma));
        const double cost =
            plain > 0 ? seconds_of(rows) / plain : 1 + kGuessedRow * static_cast<double>(gamma) * num_seqs;
        costs.verify[gamma] = std::max(costs.verify[gamma - 1], cost); // noise must not make more rows cheaper
    }
    return costs;
}

double StepCosts::seconds_of(double rows) const noexcept {
    const Bucket* below = nullptr;
    const Bucket* above = nullptr;
    for (const Bucket& bucket : buckets_) {
        if (bucket.num_samples == 0)
            continue;
        if (bucket.rows <= rows)
            below = &bucket;
        else if (above == nullptr)
            above = &bucket;
    }
    if (below != nullptr && above != nullptr) {
        const double share = (rows - below->rows) / (above->rows - below->rows);
        return below->seconds + share * (above->seconds - below->seconds);
    }
    if (below != nullptr)
        return below->seconds * (1 + kGuessedRow * (rows - below->rows) / std::max(1.0, below->rows));
    if (above != nullptr)
        return above->seconds / (1 + kGuessedRow * (above->rows - rows) / std::max(1.0, rows));
    return 0;
}

} // namespace vitrine::engine
