// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: the "why slow" sentence.
#include "engine/stats/slow_reason.h"

#include <algorithm>
#include <fmt/core.h>

#include "engine/base/format.h"
#include "engine/stats/miss_reason.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr double kMuchPrefill = 0.5;
constexpr double kMuchOverhead = 0.3;
constexpr int kManySharing = 4;
constexpr int kMuchReadAgain = 128; // tokens: less is read within a step or two

int count_in(const Snapshot& snapshot, SequenceState state) {
    return static_cast<int>(std::ranges::count(snapshot.sequences, state, &SequenceStatus::state));
}

int prefill_backlog(const Snapshot& snapshot) {
    int tokens = 0;
    for (const SequenceStatus& sequence : snapshot.sequences) {
        if (sequence.state == SequenceState::prefill)
            tokens += std::max(0, sequence.prompt_tokens - sequence.computed_tokens);
    }
    return tokens;
}

std::string plural(int count, const char* noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

SlowReason why_waiting(const Snapshot& snapshot) {
    const int max_seqs = snapshot.model == nullptr ? 0 : snapshot.model->config.max_seqs;
    const char* wait = snapshot.waiting == 1 ? "waits" : "wait";
    if (max_seqs > 0 && snapshot.running >= max_seqs)
        return {SlowCause::places, {.count = snapshot.waiting, .amount = max_seqs},
            fmt::format("{} {}: all {} places are taken.", plural(snapshot.waiting, "request"), wait, max_seqs)};
    const int idle = snapshot.blocks.free + snapshot.blocks.cached;
    if (snapshot.running > 0 && idle * 4 < snapshot.blocks.total)
        return {SlowCause::blocks, {.count = snapshot.waiting, .amount = idle, .of = snapshot.blocks.total},
            fmt::format("{} {} for KV blocks: {} of {} are free.", plural(snapshot.waiting, "request"), wait, idle,
                snapshot.blocks.total)};
    return {};
}

/// The largest prompt that is read now although the cache held it, or its like, before.
SlowReason why_read_again(const Snapshot& snapshot) {
    std::shared_ptr<const PrefixMiss> largest;
    for (const SequenceStatus& sequence : snapshot.sequences) {
        if (sequence.state != SequenceState::prefill || sequence.miss == nullptr ||
            sequence.miss->missed_tokens < kMuchReadAgain)
            continue;
        const MissReason reason = sequence.miss->reason;
        const bool was_known =
            reason == MissReason::diverged || reason == MissReason::evicted || reason == MissReason::context;
        if (was_known && (largest == nullptr || sequence.miss->missed_tokens > largest->missed_tokens))
            largest = sequence.miss;
    }
    if (largest == nullptr)
        return {};
    SlowReason reason{SlowCause::missed_prefix, {}, "A prompt is read again: " + miss_sentence(*largest) + "."};
    reason.figures.miss = std::move(largest);
    return reason;
}

} // namespace

SlowReason slow_reason(const Snapshot& snapshot, const SlowFacts& facts) {
    if (snapshot.running + snapshot.waiting == 0)
        return {};
    if (facts.preemptions > 0)
        return {SlowCause::preemption, {.count = facts.preemptions},
            fmt::format("The KV cache is too small: {} in the last 10 s, whose tokens are computed again.",
                plural(facts.preemptions, "preemption"))};
    if (snapshot.waiting > 0) {
        if (SlowReason reason = why_waiting(snapshot); reason.cause != SlowCause::none)
            return reason;
    }
    if (SlowReason reason = why_read_again(snapshot); reason.cause != SlowCause::none)
        return reason;
    const int decoding = count_in(snapshot, SequenceState::decode);
    const int backlog = prefill_backlog(snapshot);
    if (backlog > 0 && decoding > 0 && facts.prefill_share > kMuchPrefill)
        return {SlowCause::prefill, {.count = decoding, .tokens = backlog},
            fmt::format("A prompt is read beside {}: {} prompt tokens are left.", plural(decoding, "answer"),
                format_count(backlog))};
    if (facts.overhead_share > kMuchOverhead)
        return {SlowCause::overhead, {.share = facts.overhead_share},
            fmt::format("{} of each step is spent outside the model.", format_percent(facts.overhead_share))};
    if (snapshot.model != nullptr && snapshot.model->device_reason)
        return {SlowCause::device, {},
            fmt::format("The CPU computes: {}.", without_stop(snapshot.model->device_reason->message))};
    if (snapshot.model != nullptr && snapshot.model->plan.devices.size() > 1) {
        const int layers = snapshot.model->plan.devices.back().num_layers, all = snapshot.model->info.num_layers;
        return {SlowCause::device, {.amount = layers, .of = all},
            fmt::format("{} of {} layers run on the CPU, and every step waits for them.", layers, all)};
    }
    if (decoding >= kManySharing)
        return {SlowCause::sharing, {.count = decoding, .tokens_per_s = snapshot.rates.decode_tokens_per_s},
            fmt::format("{} answers share {} tokens per second: about {} each.", decoding,
                format_rate(snapshot.rates.decode_tokens_per_s),
                format_rate(snapshot.rates.decode_tokens_per_s / decoding))};
    return {};
}

} // namespace vitrine::engine
