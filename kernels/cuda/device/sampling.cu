// SPDX-License-Identifier: GPL-3.0-or-later
// Sampling and draft verification, one block a row: penalties, the chain, log-probabilities.
#include "kernels/cuda/device/sampling_chain.cuh"

namespace vitrine::kernels {
namespace {

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

__global__ void __launch_bounds__(kSampleThreads) choose_rows(const __grid_constant__ SamplingBatch batch) {
    __shared__ ChooseScratch scratch;
    __shared__ __align__(16) unsigned char row_memory[sizeof(SamplingRow)];
    SamplingRow& row = *reinterpret_cast<SamplingRow*>(row_memory);
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
        const bool filtered = row.top_k > 0 || row.top_p < 1;
        chain.look_near(filtered ? kFilteredReach : kDrawReach);
        chain.filter();
        if (row.judges == 0)
            outcome.token = chain.draw_kept(Purpose::draw);
        else
            outcome.accepted =
                chain.judge(row.draft_probs >= 0 ? batch.draft_probs + row.draft_probs : nullptr, outcome.token);
    }
    if (threadIdx.x == 0) {
        batch.outcomes[blockIdx.x] = outcome;
        batch.tokens[row.logit_row] = outcome.token;
    }
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

/// The same for a row with infinite logits, where distances mean nothing; rare, so one pass a token.
__device__ int list_top_slowly(const LogitRow& logits, int most, Scored* scratch, TokenLogprob* top) {
    Scored last{INFINITY, -1};
    for (int count = 0; count < most; ++count) {
        Scored best{0, -1};
        logits.each([&](int token, float logit) {
            const auto score = static_cast<double>(logit);
            if (score < last.score || (score == last.score && token > last.token))
                best = higher_of(best, {score, token});
        });
        best = block_join(best, scratch, higher_of);
        if (best.token < 0)
            return count;
        if (threadIdx.x == 0) {
            top[count].token = best.token;
            top[count].logprob = static_cast<float>(best.score);
        }
        last = best;
    }
    return most;
}

/// Log softmax of raw logits, for the chosen token and the most likely ones.
__global__ void __launch_bounds__(kSampleThreads) score_rows(const __grid_constant__ SamplingBatch batch) {
    __shared__ ChooseScratch scratch;
    __shared__ __align__(16) unsigned char row_memory[sizeof(SamplingRow)];
    SamplingRow& row = *reinterpret_cast<SamplingRow*>(row_memory);
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
    if (chain.argmax >= 0) {
        chain.look_near(kFilteredReach);
        const double max = chain.max();
        const double log_total = log(chain.total_mass());
        const bool infinite = chain.infinite();
        const auto logprob = [&](float logit) {
            if (infinite ? logit != INFINITY : !(logit > kMinusInfinity))
                return kMinusInfinity;
            return static_cast<float>((infinite ? 0.0 : static_cast<double>(logit) - max) - log_total);
        };
        if (outcome.token >= 0)
            outcome.logprob = logprob(logits.logits[outcome.token]);
        if (row.num_logprobs > 0) {
            TokenLogprob* top = batch.top + static_cast<std::int64_t>(blockIdx.x) * batch.top_stride;
            outcome.num_top = infinite ? list_top_slowly(logits, row.num_logprobs, scratch.scored, top)
                                       : list_top(chain, chain.first(row.num_logprobs), logits, row.num_logprobs, top);
            __syncthreads();
            if (static_cast<int>(threadIdx.x) < outcome.num_top)
                top[threadIdx.x].logprob = logprob(top[threadIdx.x].logprob);
        }
    }
    if (threadIdx.x == 0)
        batch.outcomes[blockIdx.x] = outcome;
}

cudaError_t sample_slab(const SamplingBatch& batch, cudaStream_t stream) {
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

} // namespace

cudaError_t launch_sampling(const SamplingBatch& batch, cudaStream_t stream) {
    for (int first = 0; first < batch.num_rows; first += kSamplingRows) {
        SamplingBatch slab = batch;
        slab.rows += first;
        slab.forced += first;
        slab.outcomes += first;
        slab.top += static_cast<std::int64_t>(first) * batch.top_stride;
        slab.num_rows = batch.num_rows - first < kSamplingRows ? batch.num_rows - first : kSamplingRows;
        if (const cudaError_t status = sample_slab(slab, stream); status != cudaSuccess)
            return status;
    }
    return cudaSuccess;
}

} // namespace vitrine::kernels
