// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: histograms with the bucket bounds that vLLM publishes, so that dashboards made for it fit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::engine {

/// Upper bounds of the buckets, inclusive; what lies above the last one goes into one more bucket.
inline constexpr double kFirstTokenBuckets[] = {
    .001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560};
inline constexpr double kTokenGapBuckets[] = {
    .01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80};
inline constexpr double kRequestTimeBuckets[] = {
    .3, .5, .8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680};
inline constexpr double kStepTokenBuckets[] = {1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
inline constexpr double kLengthBuckets[] = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000};
inline constexpr double kChoiceBuckets[] = {1, 2, 5, 10, 20};

/// Counts of values by bucket.  Invariants: counts.size() == bounds.size() + 1; their sum == count.
struct Histogram {
    explicit Histogram(std::span<const double> upper_bounds) : bounds(upper_bounds), counts(upper_bounds.size() + 1) {}

    void observe(double value) {
        std::size_t bucket = 0;
        while (bucket < bounds.size() && value > bounds[bucket])
            ++bucket;
        ++counts[bucket];
        ++count;
        sum += value;
    }

    std::span<const double> bounds; // of static life
    std::vector<std::uint64_t> counts; // not cumulative
    std::uint64_t count = 0;
    double sum = 0;
};

/// Since the model was loaded.  Times of requests are taken when a choice has ended by itself; a cancelled or failed one
/// is in none of them and is counted in Counters::finished.
struct Histograms {
    Histogram first_token_s{kFirstTokenBuckets};
    Histogram token_gap_s{kTokenGapBuckets}; // one a token but the first
    Histogram e2e_s{kRequestTimeBuckets};
    Histogram queue_s{kRequestTimeBuckets}; // submit to the first planned step
    Histogram prefill_s{kRequestTimeBuckets};
    Histogram decode_s{kRequestTimeBuckets};
    Histogram inference_s{kRequestTimeBuckets}; // first planned step to the last token
    Histogram block_lifetime_s{kRequestTimeBuckets}; // of an evicted block: since it was handed out
    Histogram block_idle_s{kRequestTimeBuckets}; // of an evicted block: since it was last used
    Histogram block_reuse_gap_s{kRequestTimeBuckets}; // of a block taken from the cache: since it was last used
    Histogram step_tokens{kStepTokenBuckets}; // rows of a step
    Histogram prompt_tokens{kLengthBuckets}; // of a choice
    Histogram output_tokens{kLengthBuckets};
    Histogram max_output_tokens{kLengthBuckets}; // of a request: its longest choice
    Histogram asked_max_tokens{kLengthBuckets}; // of a request that gave max_tokens
    Histogram asked_choices{kChoiceBuckets}; // n of a request
};

} // namespace vitrine::engine
