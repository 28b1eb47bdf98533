// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the fields of step records, lines and rates in the order files keep them.
#pragma once

#include "ui/bridge/values.h"

namespace vitrine::ui {

inline constexpr const char* kSessionTag = "vitrine_session";
inline constexpr int kSessionVersion = 2; // 1 had no draft_us and no readings; it is read as well

/// visit(name, reference to the number); accepted_per_position comes apart.
template <class Visit>
void forEachStepField(StepRecord& step, Visit visit) {
    visit("step", step.step);
    visit("start_us", step.start_us);
    visit("schedule_us", step.schedule_us);
    visit("forward_us", step.forward_us);
    visit("sample_us", step.sample_us);
    visit("commit_us", step.commit_us);
    visit("prefill_tokens", step.prefill_tokens);
    visit("prefill_seqs", step.prefill_seqs);
    visit("decode_rows", step.decode_rows);
    visit("draft_rows", step.draft_rows);
    visit("accepted", step.accepted);
    visit("emitted", step.emitted);
    visit("blocks_free", step.blocks_free);
    visit("blocks_cached", step.blocks_cached);
    visit("blocks_active", step.blocks_active);
    visit("blocks_shared", step.blocks_shared);
    visit("blocks_taken", step.blocks_taken);
    visit("blocks_released", step.blocks_released);
    visit("blocks_evicted", step.blocks_evicted);
    visit("prefix_queries", step.prefix_queries);
    visit("prefix_hits", step.prefix_hits);
    visit("running", step.running);
    visit("waiting", step.waiting);
    visit("preempted", step.preempted);
    visit("num_lines", step.num_lines);
    visit("verify_seqs", step.verify_seqs);
    visit("recomputed_tokens", step.recomputed_tokens);
    visit("blocks_used", step.blocks_used);
    visit("draft_us", step.draft_us); // since version 2: new fields stand at the end
}

template <class Visit>
void forEachLineField(SequenceLine& line, Visit visit) {
    visit("step", line.step);
    visit("request", line.request);
    visit("sequence", line.sequence);
    visit("first_position", line.first_position);
    visit("count", line.count);
    visit("hit", line.hit);
    visit("accepted", line.accepted);
    visit("kind", line.kind);
    visit("finish", line.finish);
    visit("time_us", line.time_us);
}

/// visit(value) for every rate; R is Rates or const Rates.
template <class R, class Visit>
void forEachRate(R& rates, Visit visit) {
    visit(rates.prefill_tokens_per_s);
    visit(rates.decode_tokens_per_s);
    visit(rates.prefix_hit_rate_60s);
    visit(rates.prefix_hit_rate);
    visit(rates.accepted_per_step);
    visit(rates.mean_batch);
    for (auto* triple : {&rates.ttft_s, &rates.itl_s, &rates.e2e_s})
        for (auto& value : *triple)
            visit(value);
}

} // namespace vitrine::ui
