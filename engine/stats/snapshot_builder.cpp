// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: copies the engine's state into an immutable value.
#include "engine/stats/snapshot_builder.h"

#include <algorithm>
#include <cmath>

#include "engine/stats/slow_reason.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kMaxFinished = 16;

/// Prompt tokens to compute and tokens to give (engine.md 7).
void add_backlog(Snapshot& snapshot, const Sequence& sequence, double mean_output) {
    snapshot.backlog_prefill_tokens += std::max(0, sequence.num_prompt() - sequence.computed());
    int expected = sequence.spec().max_output;
    if (mean_output > 0)
        expected = std::min(expected, std::max(static_cast<int>(std::ceil(mean_output)), sequence.num_output() + 1));
    snapshot.backlog_decode_tokens += std::max(0, expected - sequence.num_output());
}

} // namespace

SnapshotBuilder::SnapshotBuilder(std::chrono::milliseconds interval) : interval_(interval) {}

bool SnapshotBuilder::due(TimePoint now) const noexcept {
    return number_ == 0 || now - last_ >= interval_;
}

void SnapshotBuilder::on_finished(const Sequence& sequence, TimePoint now) {
    finished_.push_back(sequence.status(now));
    if (finished_.size() > kMaxFinished)
        finished_.pop_front();
}

std::shared_ptr<const Snapshot> SnapshotBuilder::build(const Parts& parts, TimePoint now) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->number = ++number_;
    snapshot->time = now;
    snapshot->engine_us = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(now - parts.engine_start).count());
    snapshot->last_step = parts.last_step;
    last_ = now;
    snapshot->model = parts.model;
    snapshot->running = parts.scheduler.num_running();
    snapshot->waiting = parts.scheduler.num_waiting();
    snapshot->preparing = parts.preparing;
    snapshot->blocks = parts.kv.counts();
    snapshot->block_map = parts.scheduler.block_map();
    snapshot->peak_active_blocks = parts.stats.peak_active_blocks();
    const auto add = [&](const Sequence& sequence) {
        snapshot->sequences.push_back(sequence.status(now));
        add_backlog(*snapshot, sequence, parts.stats.mean_output_tokens());
    };
    for (const Sequence* sequence : parts.scheduler.running())
        add(*sequence);
    for (const Sequence* sequence : parts.scheduler.waiting())
        add(*sequence);
    snapshot->sequences.insert(snapshot->sequences.end(), finished_.begin(), finished_.end());
    snapshot->counters = parts.stats.counters(parts.kv.counters());
    snapshot->rates = parts.stats.rates(now);
    snapshot->histograms = parts.stats.histograms(parts.kv.pool());
    SlowReason reason = slow_reason(*snapshot, parts.stats.slow_facts(now));
    snapshot->slow_cause = reason.cause;
    snapshot->slow_figures = std::move(reason.figures);
    snapshot->slow_reason = std::move(reason.text);
    return snapshot;
}

std::shared_ptr<const Snapshot> SnapshotBuilder::build_empty(int preparing, TimePoint now) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->number = ++number_;
    snapshot->time = now;
    snapshot->preparing = preparing;
    last_ = now;
    finished_.clear();
    return snapshot;
}

} // namespace vitrine::engine
