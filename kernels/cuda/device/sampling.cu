// SPDX-License-Identifier: GPL-3.0-or-later
// The sampling chain and draft verification of kernels/ref/ref_sampling, one block a row.  Scores and masses are doubles, as
// there; a head of the order is a threshold, so nothing is sorted.
#include "kernels/cuda/device/sampling_select.cuh"

namespace vitrine::kernels {
namespace {

constexpr float kGreedyTemperature = 1e-5F; // sampling.h
constexpr int kListThreads = 256;

/// Biases, then penalties, in place; the old values are saved.  One block a row.
__global__ void __launch_bounds__(kListThreads) penalize_rows(const __grid_constant__ SamplingBatch batch) {
    __shared__ int forced;
    pdl_trigger();
    pdl_wait();
    const SamplingRow row = batch.rows[blockIdx.x];
    float* logits = batch.logits + row.logit_row * batch.vocab;
    const uint32_t* mask = row.mask >= 0 ? batch.masks + row.mask : nullptr;
    if (threadIdx.x == 0)
        forced = 0;
    __syncthreads();
    const TokenBias* biases = batch.biases + row.first_bias;
    for (int i = static_cast<int>(threadIdx.x); i < row.num_biases; i += kListThreads) {
        const int token = biases[i].token;
        if ((i > 0 && biases[i - 1].token == token) || token < 0 || token >= batch.vocab)
            continue;
        float logit = logits[token];
        batch.saved_biases[row.first_saved + i] = logit;
        bool forces = false;
        for (int j = i; j < row.num_biases && biases[j].token == token; ++j) {
            logit = biases[j].bias <= -100 ? kMinusInfinity : __fadd_rn(logit, biases[j].bias);
            forces = forces || biases[j].bias >= 100;
        }
        logits[token] = logit;
        const bool allowed = mask == nullptr || ((mask[token / 32] >> (token % 32)) & 1U) != 0;
        if (forces && allowed && logit > kMinusInfinity)
            forced = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        batch.forced[blockIdx.x] = forced;
    for (int i = static_cast<int>(threadIdx.x); i < row.num_counts; i += kListThreads) {
        const TokenCount entry = batch.counts[row.first_count + i];
        if (entry.token < 0 || entry.token >= batch.vocab)
            continue;
        float logit = logits[entry.token];
        batch.saved_counts[row.first_count + i] = logit;
        if (entry.repeat && row.repetition_penalty != 1)
            logit = logit > 0 ? __fdiv_rn(logit, row.repetition_penalty) : __fmul_rn(logit, row.repetition_penalty);
        if (entry.output_count > 0) {
            const float times = static_cast<float>(entry.output_count);
            logit = __fsub_rn(logit, __fmul_rn(row.frequency_penalty, times));
            logit = __fsub_rn(logit, row.presence_penalty);
        }
        logits[entry.token] = logit;
    }
}

__global__ void __launch_bounds__(kListThreads) restore_rows(const __grid_constant__ SamplingBatch batch) {
    pdl_trigger();
    pdl_wait();
    const SamplingRow row = batch.rows[blockIdx.x];
    float* logits = batch.logits + row.logit_row * batch.vocab;
    for (int i = static_cast<int>(threadIdx.x); i < row.num_counts; i += kListThreads) {
        const int token = batch.counts[row.first_count + i].token;
        if (token >= 0 && token < batch.vocab)
            logits[token] = batch.saved_counts[row.first_count + i];
    }
    __syncthreads(); // an id of both lists: the bias came first
    const TokenBias* biases = batch.biases + row.first_bias;
    for (int i = static_cast<int>(threadIdx.x); i < row.num_biases; i += kListThreads) {
        const int token = biases[i].token;
        if ((i == 0 || biases[i - 1].token != token) && token >= 0 && token < batch.vocab)
            logits[token] = batch.saved_biases[row.first_saved + i];
    }
}

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

    /// Tokens near the maximum to the list, of which all later passes take them; the rest is summed up.
    __device__ void look_near() {
        if (row_.min_p > 0)
            min_p_limit_ = -log(static_cast<double>(row_.min_p));
        const double reach = row_.min_p > 0 ? fmin(kReach, fmax(min_p_limit_, 0.0) + 0.01) : kReach;
        if (threadIdx.x == 0)
            scratch_.num_near = 0;
        __syncthreads();
        const float inverse = 1 / temperature_;
        const auto top = static_cast<float>(max_);
        const float safe = static_cast<float>(reach) + 1e-3F + 1e-5F * fabsf(top);
        double rest = 0;
        int num_rest = 0;
        logits_.each([&](int token, float logit) {
            const float about = top - logit * inverse;
            if (!infinite_ && about > safe) {
                rest += static_cast<double>(__expf(-about));
                ++num_rest;
                return;
            }
            const float x = scaled(logit);
            if (!(x > kMinusInfinity))
                return;
            if (max_ - static_cast<double>(x) > reach) {
                rest += static_cast<double>(__expf(-about));
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
#pragma unroll 1
        for (int i = static_cast<int>(threadIdx.x); i < num_near_; i += kSampleThreads) {
            const float2 entry = near_[i];
            use(__float_as_int(entry.y), max_ - static_cast<double>(entry.x));
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
    static constexpr double kReach = 20; // no draw takes what lies below: kLargestNoise + ln(-ln(2^-24)) is less

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
            const bool sure = best.token >= 0 && best.score > kLargestNoise - kReach - log_all;
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
    double rest_mass_ = 0;
    double max_ = 0; // of logits divided by the temperature
    double min_p_limit_ = 0; // largest distance that min-p keeps, nearly
    double log_total_ = 0, entropy_ = 0; // of what typical-p ranks
    Head likely_{}, typical_{};
};

__global__ void __launch_bounds__(kSampleThreads) choose_rows(const __grid_constant__ SamplingBatch batch) {
    __shared__ ChooseScratch scratch;
    __shared__ SamplingRow row;
    pdl_trigger();
    pdl_wait();
    if (threadIdx.x == 0)
        row = batch.rows[blockIdx.x];
    __syncthreads();
    const bool forced = batch.changes && batch.forced[blockIdx.x] != 0;
    const LogitRow logits{batch.logits + row.logit_row * batch.vocab, row.mask >= 0 ? batch.masks + row.mask : nullptr,
        forced ? batch.biases + row.first_bias : nullptr, row.num_biases, static_cast<int>(batch.vocab)};
    Chain chain(row, logits, row.temperature, batch.near + std::int64_t{blockIdx.x} * kNearTokens, scratch);
    SampledRow outcome;
    if (chain.decided()) {
        outcome.token = chain.argmax;
        outcome.accepted = row.judges != 0 && row.draft >= 0 && chain.argmax == row.draft ? 1 : 0;
    } else {
        chain.look_near();
        chain.filter();
        if (row.judges == 0)
            outcome.token = chain.draw_kept(Purpose::draw);
        else
            outcome.accepted =
                chain.judge(row.draft_probs >= 0 ? batch.draft_probs + row.draft_probs : nullptr, outcome.token);
    }
    if (threadIdx.x == 0)
        batch.outcomes[blockIdx.x] = outcome;
}

/// The tokens of `head`, highest logit first, to `top`; how many.
__device__ int list_top(const Chain& chain, const Head& head, const LogitRow& logits, int most, TokenLogprob* top) {
    __shared__ int tokens[kMaxDeviceLogprobs];
    __shared__ float values[kMaxDeviceLogprobs];
    __shared__ int num_listed;
    if (threadIdx.x == 0)
        num_listed = 0;
    __syncthreads();
    chain.each([&](int token, double distance) {
        if (!head.holds(distance, token))
            return;
        const int place = atomicAdd(&num_listed, 1);
        if (place < kMaxDeviceLogprobs) {
            tokens[place] = token;
            values[place] = logits.logits[token];
        }
    });
    __syncthreads();
    const int count = min(num_listed, most);
    const int own = static_cast<int>(threadIdx.x);
    if (own < count) {
        int place = 0;
        for (int i = 0; i < count; ++i) {
            const bool first = values[i] > values[own] || (values[i] == values[own] && tokens[i] < tokens[own]);
            place += first ? 1 : 0;
        }
        top[place].token = tokens[own];
        top[place].logprob = values[own];
    }
    __syncthreads();
    return count;
}

/// Log softmax of raw logits, for the chosen token and the most likely ones.
__global__ void __launch_bounds__(kSampleThreads) score_rows(const __grid_constant__ SamplingBatch batch) {
    __shared__ ChooseScratch scratch;
    __shared__ SamplingRow row;
    pdl_trigger();
    pdl_wait();
    if (threadIdx.x == 0) {
        row = batch.rows[blockIdx.x];
        row.min_p = 0;
    }
    __syncthreads();
    if (row.num_logprobs < 0)
        return;
    const LogitRow logits{
        batch.logits + row.logit_row * batch.vocab, nullptr, nullptr, 0, static_cast<int>(batch.vocab)};
    Chain chain(row, logits, 1, batch.near + std::int64_t{blockIdx.x} * kNearTokens, scratch);
    SampledRow outcome = batch.outcomes[blockIdx.x];
    outcome.logprob = kMinusInfinity;
    if (chain.argmax >= 0 && !chain.infinite()) {
        chain.look_near();
        const double max = chain.max();
        const double log_total = log(chain.total_mass());
        const auto logprob = [&](float logit) {
            return logit > kMinusInfinity ? static_cast<float>(static_cast<double>(logit) - max - log_total)
                                          : kMinusInfinity;
        };
        if (outcome.token >= 0)
            outcome.logprob = logprob(logits.logits[outcome.token]);
        if (row.num_logprobs > 0) {
            TokenLogprob* top = batch.top + static_cast<std::int64_t>(blockIdx.x) * batch.top_stride;
            outcome.num_top = list_top(chain, chain.first(row.num_logprobs), logits, row.num_logprobs, top);
            if (static_cast<int>(threadIdx.x) < outcome.num_top)
                top[threadIdx.x].logprob = logprob(top[threadIdx.x].logprob);
        }
    }
    if (threadIdx.x == 0)
        batch.outcomes[blockIdx.x] = outcome;
}

} // namespace

cudaError_t launch_sampling(const SamplingBatch& batch, cudaStream_t stream) {
    const auto rows = static_cast<unsigned>(batch.num_rows);
    cudaError_t status = cudaSuccess;
    if (batch.changes)
        status = launch(penalize_rows, dim3(rows), dim3(kListThreads), 0, stream, batch);
    if (status == cudaSuccess)
        status = launch(choose_rows, dim3(rows), dim3(kSampleThreads), 0, stream, batch);
    if (status == cudaSuccess && batch.changes)
        status = launch(restore_rows, dim3(rows), dim3(kListThreads), 0, stream, batch);
    if (status == cudaSuccess && batch.logprobs)
        status = launch(score_rows, dim3(rows), dim3(kSampleThreads), 0, stream, batch);
    return status;
}

} // namespace vitrine::kernels
