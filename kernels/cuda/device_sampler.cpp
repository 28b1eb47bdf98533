// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/device_sampler.h"

#include <algorithm>
#include <cstring>

#include "kernels/ref/sampling_filters.h"

namespace vitrine::kernels {
namespace {

/// Parts of a buffer, one behind the other, each aligned for any of the lists.
class Layout {
public:
    template <class T>
    std::size_t add(std::size_t count) {
        const std::size_t begin = bytes_;
        bytes_ += (count * sizeof(T) + 15) / 16 * 16;
        return begin;
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

bool has_penalties(const SamplingSequence& sequence) {
    return sequence.repetition_penalty != 1 || sequence.frequency_penalty != 0 || sequence.presence_penalty != 0;
}

template <class T>
void put(std::uint8_t* target, const std::vector<T>& list) {
    if (!list.empty())
        std::memcpy(target, list.data(), list.size() * sizeof(T));
}

std::size_t grown(std::size_t bytes) { // a quarter more, so that a growing text does not allocate each step
    return bytes + bytes / 4 + 4096;
}

} // namespace

bool samples_on_device(const SamplingSequence& sequence, std::int64_t vocab) noexcept {
    return sequence.num_logprobs <= kMaxDeviceLogprobs && vocab <= kMaxDeviceVocab;
}

void DeviceSampler::list(const SamplingSequence& sequence) {
    const auto words = static_cast<std::size_t>((vocab_ + 31) / 32);
    SamplingRow row;
    row.seed = sequence.seed;
    row.choice = sequence.choice;
    row.num_logprobs = sequence.num_logprobs;
    row.top_k = sequence.top_k;
    row.temperature = sequence.temperature;
    row.min_p = sequence.min_p;
    row.top_p = sequence.top_p;
    row.typical_p = sequence.typical_p;
    row.repetition_penalty = sequence.repetition_penalty;
    row.frequency_penalty = sequence.frequency_penalty;
    row.presence_penalty = sequence.presence_penalty;
    row.first_bias = static_cast<std::int32_t>(lists_.biases.size());
    row.num_biases = static_cast<std::int32_t>(sequence.biases.size());
    lists_.biases.insert(lists_.biases.end(), sequence.biases.begin(), sequence.biases.end());
    std::stable_sort(lists_.biases.begin() + row.first_bias, lists_.biases.end(),
        [](const TokenBias& a, const TokenBias& b) { return a.token < b.token; });
    if (!sequence.allowed.empty()) {
        row.mask = static_cast<std::int64_t>(lists_.masks.size());
        lists_.masks.insert(lists_.masks.end(), sequence.allowed.begin(), sequence.allowed.end());
    }
    if (!sequence.draft_probs.empty()) {
        row.draft_probs = static_cast<std::int64_t>(lists_.num_draft_probs);
        lists_.draft_probs.push_back(sequence.draft_probs);
        lists_.num_draft_probs += sequence.draft_probs.size();
    }
    lists_.max_logprobs = std::max(lists_.max_logprobs, sequence.num_logprobs);
    const auto num_drafts = static_cast<std::int32_t>(sequence.drafts.size());
    for (std::int32_t i = 0; i <= num_drafts; ++i) {
        SamplingRow one = row;
        one.position = sequence.position + static_cast<std::uint32_t>(i);
        one.logit_row = sequence.logit_row + i;
        one.judges = i < num_drafts ? 1 : 0;
        one.draft = i < num_drafts ? sequence.drafts[static_cast<std::size_t>(i)] : -1;
        one.first_saved = static_cast<std::int32_t>(lists_.num_saved);
        lists_.num_saved += sequence.biases.size();
        if (row.mask >= 0)
            one.mask = row.mask + i * static_cast<std::int64_t>(words);
        if (row.draft_probs >= 0)
            one.draft_probs = row.draft_probs + i * vocab_;
        if (has_penalties(sequence)) {
            const std::span<const TokenCount> counts = counts_with_drafts(sequence, i, merged_);
            one.first_count = static_cast<std::int32_t>(lists_.counts.size());
            one.num_counts = static_cast<std::int32_t>(counts.size());
            lists_.counts.insert(lists_.counts.end(), counts.begin(), counts.end());
        }
        lists_.rows.push_back(one);
    }
}

Result<void> DeviceSampler::make_room(Slot& slot, std::size_t upload, std::size_t work, std::size_t results) {
    const auto device = [](DeviceBuffer& buffer, std::size_t bytes, const char* purpose) -> Result<void> {
        if (buffer.bytes() >= bytes)
            return {};
        buffer = DeviceBuffer(); // waits for the steps that still read it
        auto made = DeviceBuffer::make(grown(bytes), purpose);
        VT_TRY(made);
        buffer = std::move(*made);
        return {};
    };
    const auto pinned = [](PinnedBuffer& buffer, std::size_t& capacity, std::size_t bytes) -> Result<void> {
        if (capacity >= bytes)
            return {};
        auto made = PinnedBuffer::make(grown(bytes), "Reserving page-locked memory for sampling");
        VT_TRY(made);
        buffer = std::move(*made);
        capacity = grown(bytes);
        return {};
    };
    VT_TRY(device(upload_, upload, "Sampling parameters"));
    VT_TRY(device(work_, work, "Sampling"));
    VT_TRY(device(results_, results, "Sampled tokens"));
    VT_TRY(pinned(slot.upload, slot.upload_bytes, upload));
    return pinned(slot.results, slot.result_bytes, results);
}

/// Lays the lists out in the slot and queues their copy.
Result<SamplingBatch> DeviceSampler::send(Slot& slot) {
    Layout up;
    const std::size_t rows = up.add<SamplingRow>(lists_.rows.size());
    const std::size_t counts = up.add<TokenCount>(lists_.counts.size());
    const std::size_t biases = up.add<TokenBias>(lists_.biases.size());
    const std::size_t masks = up.add<std::uint32_t>(lists_.masks.size());
    const std::size_t probs = up.add<float>(lists_.num_draft_probs);
    Layout work;
    const std::size_t saved_counts = work.add<float>(lists_.counts.size());
    const std::size_t saved_biases = work.add<float>(lists_.num_saved);
    const std::size_t forced = work.add<std::int32_t>(lists_.rows.size());
    const std::size_t near = work.add<float2>(std::min<std::size_t>(lists_.rows.size(), kSamplingRows) * kNearTokens);
    slot.num_rows = static_cast<int>(lists_.rows.size());
    slot.top_stride = std::max(lists_.max_logprobs, 0);
    Layout results;
    const std::size_t outcomes = results.add<SampledRow>(lists_.rows.size());
    const std::size_t top = results.add<TokenLogprob>(lists_.rows.size() * static_cast<std::size_t>(slot.top_stride));
    VT_TRY(make_room(slot, up.bytes(), work.bytes(), results.bytes()));
    auto* host = slot.upload.as<std::uint8_t>();
    put(host + rows, lists_.rows);
    put(host + counts, lists_.counts);
    put(host + biases, lists_.biases);
    put(host + masks, lists_.masks);
    std::size_t at = probs;
    for (const std::span<const float> part : lists_.draft_probs) {
        std::memcpy(host + at, part.data(), part.size_bytes());
        at += part.size_bytes();
    }
    VT_TRY(cuda_result(cudaMemcpyAsync(upload_.as<void>(), host, up.bytes(), cudaMemcpyHostToDevice, stream_->get()),
        "Copying sampling parameters"));
    SamplingBatch batch;
    batch.rows = upload_.as<SamplingRow>(rows);
    batch.counts = upload_.as<TokenCount>(counts);
    batch.biases = upload_.as<TokenBias>(biases);
    batch.masks = upload_.as<std::uint32_t>(masks);
    batch.draft_probs = upload_.as<float>(probs);
    batch.saved_counts = work_.as<float>(saved_counts);
    batch.saved_biases = work_.as<float>(saved_biases);
    batch.forced = work_.as<std::int32_t>(forced);
    batch.near = work_.as<float2>(near);
    batch.outcomes = results_.as<SampledRow>(outcomes);
    batch.top = results_.as<TokenLogprob>(top);
    return batch;
}

Result<void> DeviceSampler::submit(
    int slot_index, std::span<const SamplingSequence* const> sequences, float* logits, std::int32_t* tokens) {
    Slot& slot = slots_[static_cast<std::size_t>(slot_index)];
    slot.num_drafts.clear();
    slot.num_rows = 0;
    if (sequences.empty())
        return {};
    lists_.rows.clear();
    lists_.counts.clear();
    lists_.biases.clear();
    lists_.masks.clear();
    lists_.draft_probs.clear();
    lists_.num_draft_probs = 0;
    lists_.num_saved = 0;
    lists_.max_logprobs = -1;
    for (const SamplingSequence* sequence : sequences) {
        list(*sequence);
        slot.num_drafts.push_back(static_cast<int>(sequence->drafts.size()));
    }
    auto batch = send(slot);
    VT_TRY(batch);
    batch->logits = logits;
    batch->tokens = tokens;
    batch->vocab = vocab_;
    batch->num_rows = slot.num_rows;
    batch->top_stride = slot.top_stride;
    batch->changes = !lists_.counts.empty() || !lists_.biases.empty();
    batch->logprobs = lists_.max_logprobs >= 0;
    VT_TRY(cuda_result(launch_sampling(*batch, stream_->get()), "Choosing tokens"));
    const auto rows = static_cast<std::size_t>(slot.num_rows);
    Layout results;
    (void)results.add<SampledRow>(rows);
    (void)results.add<TokenLogprob>(rows * static_cast<std::size_t>(slot.top_stride));
    return cuda_result(cudaMemcpyAsync(slot.results.as<void>(), results_.as<void>(), results.bytes(),
                           cudaMemcpyDeviceToHost, stream_->get()),
        "Copying tokens");
}

std::vector<SamplingOutcome> DeviceSampler::collect(int slot_index) const {
    const Slot& slot = slots_[static_cast<std::size_t>(slot_index)];
    const auto* outcomes = slot.results.as<SampledRow>();
    Layout results;
    (void)results.add<SampledRow>(static_cast<std::size_t>(slot.num_rows));
    const auto* top = reinterpret_cast<const TokenLogprob*>(slot.results.as<std::uint8_t>() + results.bytes());
    std::vector<SamplingOutcome> all;
    std::size_t row = 0;
    for (const int num_drafts : slot.num_drafts) {
        SamplingOutcome outcome;
        for (int i = 0; i <= num_drafts; ++i) {
            const SampledRow& sampled = outcomes[row + static_cast<std::size_t>(i)];
            const auto* list = top + (row + static_cast<std::size_t>(i)) * static_cast<std::size_t>(slot.top_stride);
            outcome.tokens.push_back({sampled.token, sampled.logprob, {list, list + sampled.num_top}});
            if (sampled.accepted == 0)
                break;
            ++outcome.num_accepted;
        }
        row += static_cast<std::size_t>(num_drafts) + 1;
        all.push_back(std::move(outcome));
    }
    return all;
}

} // namespace vitrine::kernels
