// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: sliding sums in buckets.
#include "engine/stats/rate_meter.h"

#include <algorithm>

namespace vitrine::engine {
namespace {

constexpr int kNumBuckets = 40;

} // namespace

RateMeter::RateMeter(std::chrono::milliseconds window, TimePoint start) : window_(window), start_(start) {}

void RateMeter::add(TimePoint now, double amount) {
    if (amount == 0)
        return;
    while (!buckets_.empty() && buckets_.front().start + window_ <= now)
        buckets_.pop_front();
    if (buckets_.empty() || buckets_.back().start + window_ / kNumBuckets <= now)
        buckets_.push_back({.start = now, .amount = amount});
    else
        buckets_.back().amount += amount;
}

double RateMeter::sum(TimePoint now) const {
    double total = 0;
    for (const Bucket& bucket : buckets_)
        total += bucket.start + window_ > now ? bucket.amount : 0;
    return total;
}

double RateMeter::per_second(TimePoint now) const {
    const std::chrono::duration<double> window = window_;
    const std::chrono::duration<double> since_start = now - start_;
    const double seconds = std::min(window.count(), since_start.count());
    return seconds <= 0 ? 0 : sum(now) / seconds;
}

} // namespace vitrine::engine
