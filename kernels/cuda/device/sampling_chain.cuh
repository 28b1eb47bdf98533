// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: the sampling chain of kernels/ref/ref_sampling on one row, by a block.  Scores and masses are
// doubles, as there; a head of the order is a threshold, so nothing is sorted.
#pragma once

#include "kernels/cuda/device/sampling_select.cuh"

namespace vitrine::kernels {

inline constexpr float kGreedyTemperature = 1e-5F; // sampling.h

struct ChooseScratch {
    SelectScratch select;
    Scored scored[32];
    double sums[32];
    unsigned num_near;
};

/// exp(-distance) of a softmax; what lies 80 below the maximum counts nothing.
__device__ __forceinline__ double mass_at(double distance) {
    return distance > 80 ? 0.0 : exp(-distance);
}

// Distances to the maximum, in units of the natural logarithm.  No draw takes what lies further below than the first:
// kLargestNoise + ln(-ln(2^-24)) is less.  Filters nearly always keep less than the second.
inline constexpr double kDrawReach = 20;
inline constexpr double kFilteredReach = 10;

/// By what an order of tokens is measured, and ranked: count, mass by distance to the maximum; typical by that of their
/// surprise to the entropy.
enum class Measure { count, mass, typical };

/// A row behind penalties and temperature, and the heads that filters have left of it.
class Chain {
public:
    int argmax = -1;

    /// `near`: room for kNearTokens.  temperature: of a row that is only scored 1, else the row's.
    __device__ Chain(
        const SamplingRow& row, const LogitRow& logits, float temperature, float2* near, ChooseScratch& scratch)
        : row_(row), logits_(logits), temperature_(temperature), near_(near), scratch_(scratch) {
        float top = kMinusInfinity;
        logits_.each([&](int token, float logit) {
            if (logit > top || argmax < 0) {
                top = logit;
                argmax = token;
            }
        });
        const Scored best = block_join(Scored{static_cast<double>(top), argmax}, scratch_.scored, higher_of);
        argmax = best.token;
        infinite_ = best.token >= 0 && best.score == static_cast<double>(INFINITY);
        max_ = infinite_ ? 0.0 : static_cast<double>(__fdiv_rn(static_cast<float>(best.score), temperature_));
    }
    [[nodiscard]] __device__ bool infinite() const { return infinite_; }
    [[nodiscard]] __device__ double max() const { return max_; }
    /// Nothing can be drawn but the arg max.
    [[nodiscard]] __device__ bool decided() const {
        return argmax < 0 || temperature_ < kGreedyTemperature || isinf(max_);
    }

    /// Tokens up to `reach` below the maximum to the list, of which later passes take them; the rest is summed up.
    __device__ void look_near(double reach) {
        reach_ = reach;
        if (row_.min_p > 0) {
            min_p_limit_ = -log(static_cast<double>(row_.min_p));
            reach_ = fmin(reach, fmax(min_p_limit_, 0.0) + 0.01);
        }
        if (threadIdx.x == 0)
            scratch_.num_near = 0;
        __syncthreads();
        constexpr float kExact = 14; // what lies below counts little: f32 will do
        const float inverse = 1 / temperature_;
        const auto top = static_cast<float>(max_);
        const float safe = fmaxf(static_cast<float>(reach_), kExact) + 1e-3F + 1e-5F * fabsf(top);
        double rest = 0;
        int num_rest = 0;
        logits_.each([&](int token, float logit) {
            const float about = top - logit * inverse;
            if (!infinite_ && about > safe) {
                rest += static_cast<double>(expf(-about));
                ++num_rest;
                return;
            }
            const float x = scaled(logit);
            if (!(x > kMinusInfinity))
                return;
            const double distance = max_ - static_cast<double>(x);
            if (distance > reach_) {
                rest += exp(-distance);
                ++num_rest;
                return;
            }
            const unsigned place = atomicAdd(&scratch_.num_near, 1U);
            if (place < kNearTokens)
                near_[place] = {x, __int_as_float(token)};
        });
        rest_mass_ = block_total(rest, scratch_.sums);
        num_rest_ = __syncthreads_or(num_rest);
        num_near_ = static_cast<int>(scratch_.num_near);
        whole_ = num_near_ > kNearTokens;
        __syncthreads();
    }

    __device__ void filter() {
        if (row_.top_k > 0 && row_.top_k < logits_.vocab)
            keep_head(Measure::count, 0, static_cast<Weight>(row_.top_k));
        if (row_.top_p < 1)
            keep_head(Measure::mass, static_cast<double>(row_.top_p), 0);
        if (row_.typical_p < 1)
            keep_typical();
    }
    /// Sum of exp(-distance) of what is kept.
    __device__ double total_mass() {
        Weight sum = 0;
        each([&](int token, double distance) {
            if (keeps(token, distance))
                sum += weight_of(mass_at(distance));
        });
        const double near = static_cast<double>(block_total(sum, scratch_.select.sums)) / kWeightOne;
        return near + (rest_counts() ? rest_mass_ : 0.0);
    }
    /// The first `count` of the order.
    __device__ Head first(int count) { return find_head(Measure::count, 0, static_cast<Weight>(count)); }

    /// use(token, distance to the maximum) of every legal token, or of those that are near.
    template <class Use>
    __device__ __forceinline__ void each(Use use) const {
        if (whole_) {
            logits_.each([&](int token, float logit) {
                const float x = scaled(logit);
                if (x > kMinusInfinity)
                    use(token, max_ - static_cast<double>(x));
            });
            return;
        }
        constexpr int kAhead = 4;
#pragma unroll 1
        for (int first = static_cast<int>(threadIdx.x); first < num_near_; first += kAhead * kSampleThreads) {
            float2 entry[kAhead];
#pragma unroll
            for (int i = 0; i < kAhead; ++i) {
                const int place = first + i * kSampleThreads;
                entry[i] = near_[min(place, num_near_ - 1)];
            }
            const int count = min(kAhead, (num_near_ - first + kSampleThreads - 1) / kSampleThreads);
#pragma unroll 1
            for (int i = 0; i < count; ++i) { // one copy of `use` for all
                use(__float_as_int(entry[0].y), max_ - static_cast<double>(entry[0].x));
#pragma unroll
                for (int next = 0; next + 1 < kAhead; ++next)
                    entry[next] = entry[next + 1];
            }
        }
    }
    __device__ int draw_kept(Purpose purpose) {
        Scored best{0, -1};
        if (keeps(argmax, 0))
            best = {max_ + gumbel_of(noise_word(row_, purpose, argmax)), argmax};
        each([&](int token, double distance) {
            const double score = max_ - distance;
            if (best.token >= 0 && score + kLargestNoise < best.score)
                return;
            if (keeps(token, distance))
                offer(best, purpose, token, score);
        });
        return block_join(best, scratch_.scored, higher_of).token;
    }
    /// Whether the draft stands; else `token` is what takes its place.
    __device__ bool judge(const float* draft_probs, int& token) {
        double total = total_mass();
        double p = 0;
        double q = 0;
        if (row_.draft >= 0 && row_.draft < logits_.vocab) {
            const float logit = logits_.legal(row_.draft, logits_.logits[row_.draft]);
            const float x = logit > kMinusInfinity ? scaled(logit) : kMinusInfinity;
            if (x > kMinusInfinity && keeps(row_.draft, max_ - static_cast<double>(x)))
                p = mass_at(max_ - static_cast<double>(x)) / total;
            q = draft_mass(draft_probs, row_.draft);
        }
        token = row_.draft;
        if (p > 0 && static_cast<double>(uniform_of(noise_word(row_, Purpose::accept, 0))) * q < p)
            return true;
        token = draw_residual(draft_probs, total);
        if (token < 0)
            token = draw_kept(Purpose::residual);
        return false;
    }

private:
    /// Divided by the temperature; where a logit is infinite, all others are out.
    __device__ __forceinline__ float scaled(float logit) const {
        if (infinite_)
            return logit == INFINITY ? 0.0F : kMinusInfinity;
        return __fdiv_rn(logit, temperature_);
    }
    __device__ __forceinline__ bool passes_min_p(int token, double distance) const {
        if (row_.min_p <= 0)
            return true;
        if (row_.min_p > 1)
            return token == argmax;
        constexpr double kMargin = 1e-9;
        if (fabs(distance - min_p_limit_) > kMargin)
            return distance < min_p_limit_;
        return !(exp(-distance) < static_cast<double>(row_.min_p));
    }
    __device__ __forceinline__ double surprise(double distance) const {
        return log_total_ + distance;
    }
    __device__ __forceinline__ bool keeps(int token, double distance) const {
        return likely_.holds(distance, token) && passes_min_p(token, distance) &&
            (isinf(typical_.distance) || typical_.holds(fabs(surprise(distance) - entropy_), token));
    }
    /// Tokens outside the list may be kept.
    [[nodiscard]] __device__ bool rest_counts() const {
        return !whole_ && num_rest_ != 0 && row_.min_p <= 0 && isinf(likely_.distance);
    }
    __device__ __noinline__ Head find_head(Measure measure, double fraction, Weight need) {
        while (true) {
            const Head head = select_head(
                scratch_.select,
                [&](auto use) {
                    each([&](int token, double distance) {
                        if (!keeps(token, distance))
                            return;
                        if (measure == Measure::count)
                            return use(token, distance, Weight{1});
                        const double bits = measure == Measure::mass ? distance : surprise(distance);
                        use(token, measure == Measure::mass ? distance : fabs(bits - entropy_),
                            weight_of(mass_at(bits)));
                    });
                },
                fraction, need, rest_counts() ? weight_of(rest_mass_) : 0);
            if (!isinf(head.distance) || !rest_counts())
                return head;
            whole_ = true; // the head reaches beyond the list
        }
    }
    __device__ void keep_head(Measure measure, double fraction, Weight need) {
        const Head head = find_head(measure, fraction, need);
        if (!isinf(head.distance))
            likely_ = head;
    }
    __device__ void keep_typical() {
        whole_ = whole_ || rest_counts(); // rare tokens are part of the entropy
        log_total_ = log(total_mass());
        constexpr double kUnit = 0x1p40; // sums of p ln p reach 12.5
        Weight sum = 0;
        each([&](int token, double distance) {
            if (keeps(token, distance))
                sum += static_cast<Weight>(exp(-surprise(distance)) * fmax(surprise(distance), 0.0) * kUnit + 0.5);
        });
        entropy_ = static_cast<double>(block_total(sum, scratch_.select.sums)) / kUnit;
        const double whole = ceil(static_cast<double>(row_.typical_p) * kWeightOne);
        typical_ = find_head(Measure::typical, 0, whole >= 1 ? static_cast<Weight>(whole) : 1);
    }
    __device__ __forceinline__ void offer(Scored& best, Purpose purpose, int token, double score) const {
        const uint32_t word = noise_word(row_, purpose, token);
        if (best.token < 0 || score + gumbel_bound_of(word) >= best.score)
            best = higher_of(best, {score + gumbel_of(word), token});
    }
    /// From max(0, p - q); -1: nothing is left.
    __device__ int draw_residual(const float* draft_probs, double total) {
        const double log_all = log(total);
        while (true) {
            Scored best{0, -1};
            each([&](int token, double distance) {
                const double most = 1e-9 - distance - log_all;
                if ((best.token >= 0 && most + kLargestNoise < best.score) || !keeps(token, distance))
                    return;
                const double left = mass_at(distance) / total - draft_mass(draft_probs, token);
                if (left > 0)
                    offer(best, Purpose::residual, token, log(left));
            });
            best = block_join(best, scratch_.scored, higher_of);
            const bool sure = best.token >= 0 && best.score > kLargestNoise - reach_ - log_all;
            if (sure || !rest_counts())
                return best.token;
            whole_ = true; // what lies beyond the list may win
        }
    }
    [[nodiscard]] __device__ __forceinline__ double draft_mass(const float* draft_probs, int token) const {
        if (draft_probs != nullptr)
            return static_cast<double>(draft_probs[token]);
        return token == row_.draft ? 1 : 0;
    }

    const SamplingRow& row_;
    const LogitRow& logits_;
    const float temperature_;
    float2* const near_;
    ChooseScratch& scratch_;
    bool infinite_ = false; // logits of +inf share the mass
    bool whole_ = true; // passes look at the row, not at the list
    int num_near_ = 0;
    int num_rest_ = 0; // not 0: there are legal tokens outside the list
    double reach_ = 0; // of the list
    double rest_mass_ = 0;
    double max_ = 0; // of logits divided by the temperature
    double min_p_limit_ = 0; // largest distance that min-p keeps, nearly
    double log_total_ = 0, entropy_ = 0; // of what typical-p ranks
    Head likely_{}, typical_{};
};

} // namespace vitrine::kernels
